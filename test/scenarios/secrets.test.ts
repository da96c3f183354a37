import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { ENGINE } from "../support/engines.ts";
import { bidOf, DAY, fullTender, publishForBids } from "../support/examples.ts";
import { type Api, expectStatus, sharedWorld, type TestResponse, type World } from "../support/world.ts";

const hashOf = (secret: string) => createHash("sha256").update(secret).digest("hex");

describe("a registry in production", async () => {
  const folder = mkdtempSync(join(tmpdir(), "tenderhall-accounts-"));
  after(() => rmSync(folder, { recursive: true, force: true }));
  const key = randomBytes(24).toString("hex");
  const file = join(folder, "accounts.json");
  writeFileSync(file, JSON.stringify([{ name: "honest", group: "brokers", levels: "1234", keyHash: hashOf(key) }]));
  const world = await sharedWorld({ MODE: "production", ACCOUNTS_FILE: file });
  const responses: TestResponse[] = [];
  const secrets = new Set([key, Buffer.from(`${key}:`).toString("base64")]);
  const api = watched(world.api("2.3"));

  /** Sends the key with everything, and records every response except those that issue tokens. */
  function watched(plain: Api): Api {
    const watch =
      <Args extends unknown[]>(ask: (...args: Args) => Promise<TestResponse>) =>
      async (...args: Args) => {
        const response = await ask(...args);
        const token = response.body?.access?.token;
        if (token) secrets.add(token);
        responses.push({ ...response, text: token ? response.text.replace(token, "") : response.text });
        return response;
      };
    return {
      ...plain,
      get: watch((path, sent) => plain.get(path, { key, ...sent })),
      post: watch((path, data, sent) => plain.post(path, data, { key, ...sent })),
      patch: watch((path, data, sent) => plain.patch(path, data, { key, ...sent })),
      delete: watch((path, sent) => plain.delete(path, { key, ...sent })),
      upload: watch((path, file, sent) => plain.upload(path, file, { key, ...sent })),
      request: watch((method, path, sent) => plain.request(method, path, { key, ...sent })),
    };
  }

  async function tellSecrets(tenderPath: string, token: string): Promise<void> {
    const { data, access } = expectStatus(201, await api.post(`${tenderPath}/bids`, bidOf(1))).body;
    const bid = `${tenderPath}/bids/${data.id}`;
    const byQuery = `acc_token=${access.token}`;
    expectStatus(200, await api.patch(`${bid}?${byQuery}`, { value: { amount: 2 } }));
    expectStatus(201, await api.upload(`${bid}/documents?${byQuery}`, { name: "a.txt", content: "a" }));
    await api.get(`${bid}?${byQuery}&opt_pretty=1`);
    await api.get(`${bid}/documents?${byQuery}`);
    await api.get(`/tenders?${byQuery}&limit=1&opt_fields=owner_token,tokenHash,owner,bids&descending=1`);
    await api.get(`/tenders?offset=${token}&acc_token=${token}`);
    await api.request("PATCH", bid, { body: { data: { value: { amount: "x" } }, access } });
    await api.request("PATCH", bid, { raw: `{"access": "${token}"`, headers: { "Content-Type": "application/json" } });
    await api.request("PATCH", tenderPath, { body: { data: { title: "-" }, access: { token } } });
    await api.request("PATCH", tenderPath, { token, raw: token, headers: { "Content-Type": "text/plain" } });
    await api.post(`${tenderPath}/bids`, bidOf(1), { headers: { Authorization: `Bearer ${key}x` } });
    await api.patch(tenderPath, { status: "cancelled" }, { token: `${token}x` });
    await api.request("DELETE", `${tenderPath}?acc_token=${token}`, {});
    world.clock.forward(7 * DAY);
    for (const path of [tenderPath, `${tenderPath}/bids`, bid, `${tenderPath}/auction`]) await api.get(path, { token });
  }

  it("shows tokens once and keys never, in responses and headers", async () => {
    const published = expectStatus(201, await api.post("/tenders", fullTender(world.clock.now))).body;
    world.clock.forward(7 * DAY);
    await tellSecrets(`/tenders/${published.data.id}`, published.access.token);
    assert.ok(secrets.size >= 4);
    for (const secret of secrets)
      for (const { text, headers } of responses)
        for (const value of [secret, hashOf(secret)])
          assert.ok(!`${text}${JSON.stringify([...headers])}`.includes(value), text);
  });

  it("writes neither to its log", async () => {
    await world.restart();
    const log = world.logText();
    assert.ok(log.includes("honest"), "the log is there");
    for (const secret of secrets) for (const value of [secret, hashOf(secret)]) assert.ok(!log.includes(value));
  });

  it("writes neither to its files and its database", async () => {
    const bytes = await storedBytes(world);
    assert.ok(bytes.includes("honest"), "the data are there");
    for (const secret of secrets) assert.ok(!bytes.includes(secret));
  });

  it("rejects the well-known keys of the sandbox", async () => {
    for (const known of ["broker", "token", "auction"])
      expectStatus(401, await world.api("2.3").post("/tenders", {}, { key: known }));
  });
});

/** The bytes of all files, and all rows if the database is not a file. */
async function storedBytes({ dataDir, database }: World): Promise<Buffer> {
  const files = readdirSync(dataDir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const rows =
    ENGINE === "postgres"
      ? await database.query(`select t::text from tenders t union all select l::text from ledger l`)
      : [];
  return Buffer.concat([
    ...files.map((entry) => readFileSync(join(entry.parentPath, entry.name))),
    Buffer.from(JSON.stringify(rows)),
  ]);
}

describe("a sandbox", async () => {
  const world = await sharedWorld();

  it("writes no token to its log or its files", async () => {
    const api = world.api("2.3");
    const { path, token } = await publishForBids(world);
    const bid = expectStatus(201, await api.post(`${path}/bids?acc_token=${token}`, bidOf(1))).body;
    await api.get(`${path}/bids/${bid.data.id}?acc_token=${bid.access.token}`);
    await world.restart();
    const bytes = await storedBytes(world);
    // The log names the tender, but no sealed bid.
    assert.ok(bytes.includes(bid.data.id) && world.logText().includes(path));
    assert.ok(!world.logText().includes(bid.data.id));
    for (const secret of [token, bid.access.token])
      assert.ok(!bytes.includes(secret) && !world.logText().includes(secret));
  });
});
