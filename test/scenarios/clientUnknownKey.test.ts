import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { runCli } from "../../src/cli/runCli.ts";
import { type Client, openClient, TenderhallError, UnknownKeyError } from "../../src/client/index.ts";
import { runCommand } from "../support/commands.ts";
import { fullTender } from "../support/examples.ts";
import { openProxy } from "../support/proxy.ts";
import { sharedWorld } from "../support/world.ts";

/** A registry serves reads with an unknown key anonymously and says so in a header. The client treats that as an error. */

const UNKNOWN = "never-heard-of";
const world = await sharedWorld();
const { url } = world;

const open = (key?: string) => openClient({ url, key, retries: { max: 1, initialDelayMs: 1 } });
const broker = open("broker");
const { id, tenderID } = (await broker.tenders.create(fullTender(world.clock.now))).data;
const { data: document } = await broker.documents.upload({ tender: id }, "x", { name: "a.txt", type: "text/plain" });

async function firstOf(changes: AsyncIterable<unknown>): Promise<unknown> {
  for await (const change of changes) return change;
  return undefined;
}

const READS: { readonly [name: string]: (client: Client) => Promise<unknown> } = {
  "a tender": (client) => client.tenders.get(id),
  "a tender as text": (client) => client.tenders.text(id),
  "a tender by its number": (client) => client.tenders.find(tenderID),
  "a tender that it has cached": async (client) =>
    client.tenders.get(id, { ifNoneMatch: (await broker.tenders.get(id)).etag }),
  "an unknown tender": (client) => client.tenders.get("0".repeat(32)),
  "a page of the feed": (client) => client.tenders.list(),
  "all tenders": (client) => firstOf(client.tenders.all()),
  "the feed by stream": (client) => firstOf(client.follow()),
  "the feed by pages": (client) => firstOf(client.follow({ push: false })),
  questions: (client) => client.questions.list(id),
  documents: (client) => client.documents.list({ tender: id }),
  "a file": (client) =>
    client.documents.download(`${url}${new URL(document.url).pathname}${new URL(document.url).search}`),
  "any path": (client) => client.request("GET", "/tenders"),
};

describe("the client with an unknown key", () => {
  for (const [what, read] of Object.entries(READS))
    it(`refuses to read ${what} anonymously`, async () => {
      const error = await read(open(UNKNOWN)).then(
        () => assert.fail("it was read"),
        (reason) => reason,
      );
      assert.ok(error instanceof UnknownKeyError && error instanceof TenderhallError, String(error));
      assert.equal(error.status, 401);
      assert.match(error.message, /^GET \S+: the registry does not know the API key and returned only public data$/);
      assert.deepEqual(
        error.errors.map(({ location, name, rule }) => [location, name, rule]),
        [["header", "Authorization", "key-needed"]],
      );
    });

  it("still reports the health of the registry, which needs no key", async () => {
    assert.equal((await open(UNKNOWN).health.check()).ok, true);
  });

  it("reads everything if it sends no key", async () => {
    const { "an unknown tender": _missing, ...others } = READS;
    for (const read of Object.values(others)) assert.ok(await read(open()));
  });
});

describe("the command line with an unknown key", () => {
  const folder = mkdtempSync(join(tmpdir(), "tenderhall-unknown-"));
  after(() => rmSync(folder, { recursive: true, force: true }));
  const commands = [
    ["tender", "list"],
    ["tender", "show", id],
    ["tender", "show", tenderID],
    ["sync", join(folder, "mirror")],
  ];

  for (const args of commands)
    it(`exits ${args.slice(0, 2).join(" ").replace(folder, "DIR")} with 1 and reports that the key is unknown`, async () => {
      const { code, out, err } = await runCli([...args, "--key", UNKNOWN, "--url", url], {});
      assert.equal(code, 1, out);
      assert.equal(out, "");
      assert.ok(err.startsWith(`${url} does not know the key of --key or TENDERHALL_KEY (unknown key)\n`), err);
    });

  it("exits tender watch with 1 instead of following forever", async () => {
    const watching = await runCommand(["tender", "watch", "--offset", "0", "--key", UNKNOWN, "--url", url], {}, 20_000);
    assert.equal(watching.code, 1, watching.out);
    assert.match(watching.err, /does not know the key of --key or TENDERHALL_KEY \(unknown key\)\n/);
  });

  it("sends no key unless one is given, so that any registry can be read", async () => {
    const keyless = await openProxy(world.url, undefined, ({ headers }) =>
      headers.authorization ? { "X-Ignored-Authorization": "unknown key" } : {},
    );
    after(keyless.stop);
    const { code, err } = await runCli(["tender", "list", "--url", keyless.url], {});
    assert.equal(code, 0, err);
  });
});
