import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { hashOf } from "../../src/base/secrets.ts";
import { ENGINE } from "../support/engines.ts";
import { publish } from "../support/examples.ts";
import { NO_PROCESSES, openProcesses, urlOf, waitUntil } from "../support/processes.ts";
import { openSse, type SseConnection } from "../support/sse.ts";
import { sharedWorld } from "../support/world.ts";

/** The limits on streams of one client, and what closes them. */

const listening: SseConnection[] = [];
after(() => {
  for (const sse of listening) sse.close();
});

async function listen(
  url: string,
  query = "",
  headers: { readonly [name: string]: string } = {},
): Promise<SseConnection> {
  const sse = await openSse(`${url}/api/2.5/tenders/stream?${query}`, { headers });
  listening.push(sse);
  return sse;
}

async function ruleOf(refused: SseConnection): Promise<string> {
  await refused.ended;
  return JSON.parse(refused.comments.join("")).errors[0].rule;
}

describe("the streams of one client", () => {
  it("are limited in the number of distinct queries, but not by repeated or unfiltered ones", async () => {
    const world = await sharedWorld({ STREAM_QUERIES_PER_CLIENT_MAX: "3", TRUST_PROXY: "1" });
    const from = (address: string, query: string) => listen(world.url, query, { "X-Forwarded-For": address });
    const filter = (n: number) => `procuringEntity=${n}`;
    const first = await from("192.0.2.1", filter(1));
    for (const query of [filter(2), filter(3), filter(3), filter(1), "", "", "mode=test"])
      assert.equal((await from("192.0.2.1", query)).status, 200, query);
    const refused = await from("192.0.2.1", filter(4));
    assert.deepEqual([refused.status, refused.headers["retry-after"]], [429, "5"]);
    assert.equal(await ruleOf(refused), "too-many-stream-queries");
    assert.equal((await from("192.0.2.1", "opt_fields=title")).status, 429);
    assert.equal((await from("192.0.2.2", filter(4))).status, 200);
    // Another reader still uses the query of the first.
    first.close();
    listening.find((sse) => sse !== first && sse.status === 200)!.close();
    let status = 429;
    while (status === 429) ({ status } = await from("192.0.2.1", filter(5)));
    assert.equal(status, 200);
  });

  it("stay within the limit for a thousand filters with one key from many addresses", async () => {
    const world = await sharedWorld({ TRUST_PROXY: "1" });
    const statuses = new Map<number, number>();
    for (let i = 0; i < 1000; i += 50) {
      const streams = Array.from({ length: 50 }, (_, n) =>
        listen(world.url, `procuringEntity=${i + n}`, {
          "X-Forwarded-For": `192.0.${i % 250}.${n}`,
          Authorization: "Bearer broker",
        }),
      );
      for (const { status } of await Promise.all(streams)) statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
    assert.deepEqual([...statuses].sort(), [
      [200, 20],
      [429, 980],
    ]);
  });

  it("share one query if they differ only in unknown or repeated fields", async () => {
    const world = await sharedWorld({ STREAM_QUERIES_PER_CLIENT_MAX: "1" });
    for (const fields of ["title", "title,nonsense", "bogus,title,title", "x1", "x2"])
      assert.equal((await listen(world.url, `opt_fields=${fields}`)).status, 200, fields);
  });
});

const folder = mkdtempSync(join(tmpdir(), "tenderhall-stream-revoked-"));
after(() => rmSync(folder, { recursive: true }));

function openAccounts(file: string) {
  const path = join(folder, file);
  const allow = (...names: readonly string[]) => {
    const accounts = names.map((name) => ({ name, group: "brokers", levels: "12", keyHash: hashOf(`key of ${name}`) }));
    writeFileSync(path, JSON.stringify(accounts));
  };
  return { path, allow };
}

const asKeyOf = (name: string) => ({ Authorization: `Bearer key of ${name}` });

/** The streams of the revoked account end with a reason; the others continue. */
async function assertRevokedEnd(url: string, allow: (...names: readonly string[]) => void, each: number) {
  const open = (headers: { readonly [name: string]: string }) =>
    Promise.all(Array.from({ length: each }, () => listen(url, "", headers)));
  const [revoked, active, anyone] = await Promise.all([open(asKeyOf("goes")), open(asKeyOf("stays")), open({})]);
  allow("stays");
  for (const sse of revoked) {
    assert.equal(await sse.ended, "end");
    assert.match(sse.comments.at(-1)!, /revoked/);
  }
  for (const sse of [...active, ...anyone]) assert.equal(sse.isOver(), false);
}

describe("the streams of a revoked key", () => {
  it("end, while those of others continue", async () => {
    const { path, allow } = openAccounts("one.json");
    allow("goes", "stays");
    const world = await sharedWorld({ ACCOUNTS_FILE: path });
    await assertRevokedEnd(world.url, allow, 1);
  });

  it("are closed even if their reader reads nothing", async () => {
    const { path, allow } = openAccounts("stalled.json");
    allow("goes", "stays");
    const world = await sharedWorld({ ACCOUNTS_FILE: path, STREAM_STALL_SECONDS: "3600" });
    const api = world.api("2.3");
    const post: typeof api.post = (to, data) => api.request("POST", to, { key: "key of stays", body: { data } });
    for (let i = 0; i < 200; i++) await publish({ ...api, post }, { description: "x".repeat(60_000) });
    const held = await openSse(`${world.url}/api/2.5/tenders/stream?opt_fields=description`, {
      held: true,
      headers: asKeyOf("goes"),
    });
    listening.push(held);
    const openStreams = async () =>
      /^tenderhall_streams_open (\d+)/m.exec((await api.get(`${world.url}/metrics`)).text)![1];
    assert.equal(await openStreams(), "1");
    allow("stays");
    await waitUntil(
      async () => (await openStreams()) === "0",
      () => "the stream is still open",
    );
  });

  it("end in all processes of WORKERS=2", { skip: NO_PROCESSES || ENGINE === "postgres" }, async () => {
    const { path, allow } = openAccounts("workers.json");
    allow("goes", "stays");
    const { folder: data, run } = openProcesses("stream-revoked");
    const server = run([process.execPath, "--disable-warning=ExperimentalWarning", "src/main.ts"], {
      DATA_DIR: join(data, "workers"),
      WORKERS: "2",
      ACCOUNTS_FILE: path,
    });
    await assertRevokedEnd(await urlOf(server), allow, 8);
    server.child.kill("SIGTERM");
    await server.ended;
  });
});
