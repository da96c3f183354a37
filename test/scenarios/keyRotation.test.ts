import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { hashOf } from "../../src/base/secrets.ts";
import { runCli } from "../../src/cli/runCli.ts";
import { waitUntil } from "../support/processes.ts";
import { expectStatus, openWorld, type TestResponse } from "../support/world.ts";

/** A key is replaced while its owner keeps working. */

const folder = mkdtempSync(join(tmpdir(), "tenderhall-rotation-"));
after(() => rmSync(folder, { recursive: true }));
const ACCOUNTS_FILE = join(folder, "accounts.json");
const OLD = "the first key of acme";
writeFileSync(
  ACCOUNTS_FILE,
  JSON.stringify([
    { name: "acme", group: "brokers", levels: "12", keyHash: hashOf(OLD) },
    { name: "beta", group: "brokers", levels: "12", keyHash: hashOf("the key of beta") },
  ]),
);

describe("a rotated key", async () => {
  const world = await openWorld({ MODE: "production", ACCOUNTS_FILE });
  after(world.stop);
  const api = world.api("2.3");
  const repeated = (key: string) =>
    api.post("/tenders", { title: "Once" }, { key, headers: { "Idempotency-Key": "1" } });
  const run = async (...args: readonly string[]) => {
    const { code, out, err } = await runCli(["account", ...args, "--json"], { ACCOUNTS_FILE });
    assert.equal(code, 0, err);
    return JSON.parse(out);
  };
  const first: TestResponse = expectStatus(201, await repeated(OLD));
  const path = `/tenders/${first.body.data.id}`;
  const { token } = first.body.access;

  it("overlaps with the new one: both give access to the account's objects and recorded responses", async () => {
    const { key } = await run("add-key", "acme");
    await waitUntil(
      async () => (await api.patch(path, { title: "By the new key" }, { key, token })).status === 200,
      () => "the new key to be known",
    );
    expectStatus(200, await api.patch(path, { title: "By the old key" }, { key: OLD, token }));
    const again = expectStatus(201, await repeated(key));
    assert.equal(again.text, first.text);
    assert.equal(again.headers.get("idempotency-replayed"), "true");
    await run("retire-key", "acme", hashOf(OLD).slice(0, 12));
    await waitUntil(
      async () => (await api.patch(path, { title: "-" }, { key: OLD, token })).status === 401,
      () => "the old key to be retired",
    );
    expectStatus(200, await api.patch(path, { title: "By the new key alone" }, { key, token }));
    assert.equal(expectStatus(201, await repeated(key)).text, first.text, "the day is not over");
    await withoutRetired();
    await waitUntil(
      async () => (await repeated(key)).status === 422,
      () => "the hash of the old key to be forgotten",
    );
    assert.equal((await repeated(key)).body.errors[0].rule, "idempotency-key-reused");
  });

  it("of another account does not find its recorded responses", async () => {
    const other = expectStatus(201, await repeated("the key of beta"));
    assert.notEqual(other.body.data.id, first.body.data.id);
  });

  /** As an operator would edit the file by hand. */
  async function withoutRetired(): Promise<void> {
    type Entry = { readonly keys?: readonly { readonly retiredAt?: string }[] };
    const entries: readonly Entry[] = JSON.parse(readFileSync(ACCOUNTS_FILE, "utf8"));
    const activeEntries = entries.map(({ keys, ...rest }) => ({
      ...rest,
      ...(keys && { keys: keys.filter(({ retiredAt }) => retiredAt === undefined) }),
    }));
    writeFileSync(ACCOUNTS_FILE, JSON.stringify(activeEntries));
  }
});
