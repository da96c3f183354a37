import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { bidOf, DAY, fullTender, publish } from "../support/examples.ts";
import { ENTRIES } from "../support/storedEntries.ts";
import { expectStatus, sharedWorld } from "../support/world.ts";

const world = await sharedWorld();
const api = world.api("2.5");

const position = async () => (await world.database.query("select max(sequence) as last from ledger"))[0]?.last ?? 0;
const entryCount = async () => (await world.database.query(`select count(*) as number from ${ENTRIES}`))[0]!.number;

async function storesNothing(work: () => Promise<unknown>): Promise<void> {
  // Carries out due deadlines first, which the dry run must not be blamed for.
  await api.get("/tenders");
  const before = [await position(), await entryCount()];
  await work();
  assert.deepEqual([await position(), await entryCount()], before);
}

describe("a dry run", () => {
  test("of a publication returns the usual response and uses no tender number", async () => {
    const first = expectStatus(201, await api.post("/tenders", fullTender(world.clock.now))).body.data;
    await storesNothing(async () => {
      const dry = expectStatus(201, await api.post("/tenders?dry_run=1", fullTender(world.clock.now)));
      assert.equal(dry.headers.get("x-dry-run"), "1");
      assert.ok(dry.body.access.token);
      expectStatus(404, await api.get(`/tenders/${dry.body.data.id}`));
    });
    const second = expectStatus(201, await api.post("/tenders", fullTender(world.clock.now))).body.data;
    assert.equal(Number(second.tenderID.slice(-6)), Number(first.tenderID.slice(-6)) + 1);
  });

  test("is refused by the same rules with the same texts", async () => {
    const { path, token } = await publish(api, fullTender(world.clock.now));
    const tries = [
      () => ["post", "/tenders", { title: 5 }, {}] as const,
      () => ["post", `${path}/bids`, bidOf(400), {}] as const,
      () => ["patch", path, { title: "?" }, {}] as const,
      () => ["patch", path, { value: { amount: -1 } }, { token }] as const,
    ];
    await storesNothing(async () => {
      for (const attempt of tries) {
        const [method, where, data, sent] = attempt();
        const [dry, real] = [await api[method](`${where}?dry_run=1`, data, sent), await api[method](where, data, sent)];
        assert.ok(real.status >= 400);
        assert.deepEqual([dry.status, dry.body], [real.status, real.body]);
      }
    });
  });

  test("of a bid, a change, a withdrawal and an upload changes nothing", async () => {
    const { path, token } = await publish(api, fullTender(world.clock.now));
    world.clock.forward(7 * DAY);
    const bid = expectStatus(201, await api.post(`${path}/bids`, bidOf(400))).body;
    const own = { token: bid.access.token };
    const at = `${path}/bids/${bid.data.id}`;
    await storesNothing(async () => {
      expectStatus(201, await api.post(`${path}/bids?dry_run=1`, bidOf(300)));
      const changed = expectStatus(200, await api.patch(`${at}?dry_run=1`, { value: { amount: 10 } }, own));
      assert.equal(changed.body.data.value.amount, 10);
      expectStatus(200, await api.delete(`${at}?dry_run=yes`, own));
      expectStatus(201, await api.upload(`${at}/documents?dry_run=1`, { name: "a", content: "a" }, own));
      expectStatus(200, await api.patch(`${path}/credentials?dry_run=1`, {}, { token }));
    });
    assert.equal(expectStatus(200, await api.get(at, own)).body.data.value.amount, 400);
    for (const folder of ["incoming", "kept"]) {
      const found = readdirSync(join(world.dataDir, "files")).includes(folder)
        ? readdirSync(join(world.dataDir, "files", folder))
        : [];
      assert.deepEqual(found, []);
    }
    expectStatus(200, await api.patch(`${path}`, { title: "Still mine" }, { token }));
  });

  test("is requested by any value except an empty one and 0", async () => {
    for (const value of ["", "0"]) {
      const made = expectStatus(201, await api.post(`/tenders?dry_run=${value}`, fullTender(world.clock.now)));
      assert.equal(made.headers.get("x-dry-run"), null);
      expectStatus(200, await api.get(`/tenders/${made.body.data.id}`));
    }
  });

  test("creates and moves no clock", async () => {
    const clocks = `${world.url}/sandbox/clocks`;
    const { id, now } = expectStatus(201, await api.post(clocks, {})).body.data;
    await storesNothing(async () => {
      expectStatus(201, await api.post(`${clocks}?dry_run=1`, {}));
      const moved = expectStatus(200, await api.post(`${clocks}/${id}/advance?dry_run=1`, { by: "P1D" })).body.data;
      assert.notEqual(moved.now, now);
    });
    assert.equal(expectStatus(200, await api.get(`${clocks}/${id}`)).body.data.now, now);
  });

  test("of an advance shows the tenders on the clock as they will be", async () => {
    const clocks = `${world.url}/sandbox/clocks`;
    const now = new Date(world.clock.now / 1000).toISOString();
    const { id } = expectStatus(201, await api.post(clocks, { now })).body.data;
    const headers = { "X-Test-Clock": id };
    expectStatus(201, await api.post("/tenders", fullTender(world.clock.now), { headers }));
    const dry = expectStatus(200, await api.post(`${clocks}/${id}/advance?dry_run=1`, { next: true })).body.data;
    const real = expectStatus(200, await api.post(`${clocks}/${id}/advance`, { next: true })).body.data;
    assert.deepEqual(dry, real);
  });

  test("of an upload to the document service stores no file", async () => {
    const url = `${world.url}/upload?dry_run=1`;
    const tried = expectStatus(200, await api.upload(url, { name: "a", content: "a" }));
    assert.equal(tried.headers.get("x-dry-run"), "1");
    assert.equal((await fetch(tried.body.get_url)).status, 404);
  });

  test("is marked as a dry run when it is refused", async () => {
    const refused = expectStatus(422, await api.post("/tenders?dry_run=1", { title: 5 }));
    assert.equal(refused.headers.get("x-dry-run"), "1");
  });

  test("is marked however early it is refused, also by the document service", async () => {
    const text = { headers: { "Content-Type": "text/plain" } };
    const nobody = { key: null };
    const hash = `md5:${"0".repeat(32)}`;
    for (const [status, path, data, sent] of [
      [415, "/api/2.5/tenders", {}, text],
      [401, "/api/2.5/tenders", {}, nobody],
      [404, `/api/2.5/tenders/${"0".repeat(32)}/bids`, {}, {}],
      [422, "/register", { hash: "nonsense" }, {}],
      [415, "/register", { hash }, text],
      [401, "/register", { hash }, nobody],
      [415, "/upload", {}, {}],
      [403, `/upload/${"0".repeat(32)}`, {}, { headers: { "Content-Type": "multipart/form-data; boundary=b" } }],
    ] as const) {
      const refused = expectStatus(status, await api.post(`${world.url}${path}?dry_run=1`, data, sent));
      assert.equal(refused.headers.get("x-dry-run"), "1", path);
    }
    const noFile = new FormData();
    noFile.append("other", new Blob(["a"]), "a");
    const refused = await api.request("POST", `${world.url}/upload?dry_run=1`, { raw: noFile });
    assert.equal(expectStatus(404, refused).headers.get("x-dry-run"), "1");
  });

  test("records no response for its Idempotency-Key", async () => {
    const headers = { "Idempotency-Key": "the-same-for-both" };
    await storesNothing(async () => {
      expectStatus(201, await api.post("/tenders?dry_run=1", fullTender(world.clock.now), { headers }));
    });
    expectStatus(201, await api.post("/tenders", fullTender(world.clock.now), { headers }));
  });
});
