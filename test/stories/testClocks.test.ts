import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { runCli } from "../../src/cli/runCli.ts";
import { bidOf, fullTender } from "../support/examples.ts";
import { type Api, expectStatus, openWorld, START, sharedWorld } from "../support/world.ts";

const world = await sharedWorld();
const api = world.api("2.5");
const HOUR = 3_600_000_000;
const DAY = 24 * HOUR;
/** Far from the real time, so that no test passes by accident. */
const THEN = START + 1000 * DAY;
const iso = (at: number) => new Date(at / 1000).toISOString();
const ofSite = (path: string) => `${world.url}/sandbox${path}`;

async function newClock(at = THEN): Promise<string> {
  const made = expectStatus(201, await api.post(ofSite("/clocks"), { now: iso(at) }));
  assert.equal(made.headers.get("location"), ofSite(`/clocks/${made.body.data.id}`));
  return made.body.data.id;
}

const advance = (clock: string, how: object, key = "broker") =>
  api.post(ofSite(`/clocks/${clock}/advance`), how, { key });

async function publishedOn(clock: string, more: object = {}, by: Api = api) {
  const body = { ...fullTender(THEN), ...more };
  const made = expectStatus(201, await by.post("/tenders", body, { headers: { "X-Test-Clock": clock } }));
  const { data, access } = made.body;
  return { data, id: data.id as string, path: `/tenders/${data.id}`, token: access.token as string };
}

const statusOf = async (path: string) => expectStatus(200, await api.get(path)).body.data.status;

describe("a test clock", () => {
  test("shows its time and the tenders on it", async () => {
    const clock = await newClock();
    const { id, data } = await publishedOn(clock);
    const shown = expectStatus(200, await api.get(ofSite(`/clocks/${clock}`), { key: null })).body.data;
    assert.equal(Date.parse(shown.now), THEN / 1000 - 0.456);
    assert.deepEqual(shown.tenders, [
      { id, tenderID: data.tenderID, status: "active.enquiries", next_check: data.next_check },
    ]);
    assert.equal(shown.next_check, data.next_check);
    assert.match(data.tenderID, /^UA-2029-/);
  });

  test("takes a procedure from enquiries to a signed contract, deadline by deadline", async () => {
    const clock = await newClock();
    const { path, token } = await publishedOn(clock, { submissionMethodDetails: "quick(mode:no-auction)" });
    const owned = { token };
    const sent = { title: "?", description: "?", author: fullTender(THEN).procuringEntity };
    expectStatus(201, await api.post(`${path}/questions`, sent));
    expectStatus(200, await advance(clock, { next: true }));
    assert.equal(await statusOf(path), "active.tendering");
    for (const amount of [400, 300]) expectStatus(201, await api.post(`${path}/bids`, bidOf(amount)));
    expectStatus(200, await advance(clock, { next: true }));
    assert.equal(await statusOf(path), "active.qualification");
    const [award] = expectStatus(200, await api.get(`${path}/awards`)).body.data;
    assert.equal(award.value.amount, 300);
    expectStatus(200, await api.patch(`${path}/awards/${award.id}`, { status: "active" }, owned));
    const [contract] = expectStatus(200, await api.get(`${path}/contracts`)).body.data;
    const sign = () => api.patch(`${path}/contracts/${contract.id}`, { status: "active" }, owned);
    expectStatus(403, await sign());
    expectStatus(200, await advance(clock, { by: "P10D" }));
    expectStatus(200, await sign());
    assert.equal(await statusOf(path), "complete");
  });

  test("moves to a time, by a duration or to the next deadline, and carries out all deadlines in order", async () => {
    const clock = await newClock();
    const { path, data } = await publishedOn(clock);
    const now = async (how: object) => Date.parse(expectStatus(200, await advance(clock, how)).body.data.now);
    const first = await now({ by: "PT1H30M" });
    assert.equal(await now({ by: 0.5 }), first + 500);
    assert.equal(await now({ next: true }), Date.parse(data.next_check));
    assert.equal(await statusOf(path), "active.tendering");
    const long = iso(THEN + 365 * DAY);
    assert.equal(await now({ to: long }), Date.parse(long));
    assert.equal(await statusOf(path), "unsuccessful");
    // Each deadline was carried out at its own time.
    const { date, tenderPeriod } = expectStatus(200, await api.get(path)).body.data;
    assert.equal(date, tenderPeriod.endDate);
  });

  test("adds up many concurrent advances", async () => {
    const clock = await newClock();
    const all = await Promise.all(Array.from({ length: 10 }, () => advance(clock, { by: "PT1H" })));
    for (const response of all) expectStatus(200, response);
    const shown = expectStatus(200, await api.get(ofSite(`/clocks/${clock}`))).body.data;
    assert.equal(Date.parse(shown.now), THEN / 1000 - 0.456 + 10 * 3_600_000);
  });

  test("never moves back, and is moved only by its creator", async () => {
    const clock = await newClock();
    for (const how of [
      { to: iso(THEN - HOUR) },
      { by: "-PT1S" },
      { by: -1 },
      { by: "soon" },
      { by: { hours: 1 } },
      { by: "P1000Y" },
      { to: 5 },
      { next: 1 },
    ])
      expectStatus(422, await advance(clock, how));
    for (const how of [{}, { to: iso(THEN), next: true }, { until: iso(THEN) }])
      expectStatus(422, await advance(clock, how));
    expectStatus(403, await advance(clock, { next: true }, "broker1"));
    expectStatus(401, await api.post(ofSite(`/clocks/${clock}/advance`), { next: true }, { key: null }));
    expectStatus(404, await advance("0".repeat(32), { next: true }));
    const shown = expectStatus(200, await api.get(ofSite(`/clocks/${clock}`))).body.data;
    assert.equal(Date.parse(shown.now), THEN / 1000 - 0.456);
    assert.equal("next_check" in shown, false);
  });

  test("affects no tender that is not on it", async () => {
    const [mine, other] = [await newClock(), await newClock()];
    const [own, foreign] = [await publishedOn(mine), await publishedOn(other)];
    const real = expectStatus(201, await api.post("/tenders", fullTender(world.clock.now))).body.data;
    expectStatus(200, await advance(mine, { by: "P900D" }));
    assert.equal(await statusOf(own.path), "unsuccessful");
    assert.equal(await statusOf(foreign.path), "active.enquiries");
    assert.equal(await statusOf(`/tenders/${real.id}`), "active.enquiries");
  });

  test("stands still, whatever the real time", async () => {
    const clock = await newClock(world.clock.now);
    const body = fullTender(world.clock.now);
    const headers = { "X-Test-Clock": clock };
    const { data } = expectStatus(201, await api.post("/tenders", body, { headers })).body;
    world.clock.forward(100 * DAY);
    assert.equal(await statusOf(`/tenders/${data.id}`), "active.enquiries");
  });

  test("has its tenders in the feed, in the order of change", async () => {
    const clock = await newClock();
    const offset = encodeURIComponent(iso(world.clock.now));
    const { id } = await publishedOn(clock);
    const real = expectStatus(201, await api.post("/tenders", fullTender(world.clock.now))).body.data.id;
    const ids = async () => {
      const { data } = expectStatus(200, await api.get(`/tenders?offset=${offset}&limit=1000`)).body;
      return data
        .map((entry: { id: string }) => entry.id)
        .filter((tenderId: string) => tenderId === id || tenderId === real);
    };
    assert.deepEqual(await ids(), [id, real]);
    expectStatus(200, await advance(clock, { next: true }));
    assert.deepEqual(await ids(), [real, id]);
  });

  test("shows drafts to its creator only", async () => {
    const clock = await newClock();
    const { id } = await publishedOn(clock, { status: "draft" });
    const seenBy = async (key: string | null) =>
      expectStatus(200, await api.get(ofSite(`/clocks/${clock}`), { key })).body.data.tenders.map(
        (tender: { id: string }) => tender.id,
      );
    assert.deepEqual(await seenBy("broker"), [id]);
    assert.deepEqual(await seenBy("broker1"), []);
    assert.deepEqual(await seenBy(null), []);
  });

  test("is listed for the account that created it", async () => {
    const clock = await newClock();
    const own = expectStatus(200, await api.get(ofSite("/clocks"))).body.data;
    assert.ok(own.some(({ id }: { id: string }) => id === clock));
    const others = expectStatus(200, await api.get(ofSite("/clocks"), { key: "broker2" })).body.data;
    assert.deepEqual(others, []);
  });

  test("that does not exist is refused, so that nobody publishes in real time by mistake", async () => {
    const headers = { "X-Test-Clock": "0".repeat(32) };
    const { body } = expectStatus(422, await api.post("/tenders", fullTender(THEN), { headers }));
    assert.equal(body.errors[0].name, "X-Test-Clock");
    for (const sent of [{ now: "yesterday" }, { now: 5 }, { at: iso(THEN) }])
      expectStatus(422, await api.post(ofSite("/clocks"), sent));
    expectStatus(401, await api.post(ofSite("/clocks"), {}, { key: null }));
  });

  test("moves many tenders at once, each in order, and survives a restart", async () => {
    const clock = await newClock();
    const made = await Promise.all(Array.from({ length: 20 }, () => publishedOn(clock)));
    await world.restart();
    expectStatus(200, await advance(clock, { by: "P30D" }));
    for (const { path } of made) assert.equal(await statusOf(path), "unsuccessful");
  });

  test("moves all of its tenders, including those beyond the ones that it lists", async () => {
    const clock = await newClock();
    const made: Awaited<ReturnType<typeof publishedOn>>[] = [];
    while (made.length < 1010) made.push(...(await Promise.all(Array.from({ length: 101 }, () => publishedOn(clock)))));
    const { path, token, id } = made.toSorted((a, b) => (a.id < b.id ? -1 : 1)).at(-1)!;
    const sooner = { enquiryPeriod: { endDate: iso(THEN + 2 * DAY) } };
    const { next_check: first } = expectStatus(200, await api.patch(path, sooner, { token })).body.data;
    const shown = expectStatus(200, await api.get(ofSite(`/clocks/${clock}`))).body.data;
    assert.equal(shown.tenders.length, 1000);
    assert.ok(!shown.tenders.some((tender: { id: string }) => tender.id === id));
    assert.equal(shown.next_check, first);
    const dry = await api.post(ofSite(`/clocks/${clock}/advance?dry_run=1`), { by: "P1D" });
    assert.equal(expectStatus(200, dry).body.data.next_check, first);
    const moved = expectStatus(200, await advance(clock, { next: true })).body.data;
    assert.equal(moved.now, first);
    assert.equal(await statusOf(path), "active.tendering");
    assert.equal(moved.next_check, moved.tenders[0].next_check);
  });

  test("moves again with an idempotency key whose record has expired", async () => {
    const clock = await newClock();
    const moved = async () => {
      const sent = { headers: { "Idempotency-Key": `moves ${clock}` } };
      return expectStatus(200, await api.post(ofSite(`/clocks/${clock}/advance`), { by: "PT1H" }, sent)).body.data.now;
    };
    const first = await moved();
    assert.equal(await moved(), first);
    world.clock.forward(DAY + 1);
    assert.notEqual(await moved(), first);
  });

  test("is not predicted by a dry run if sealed bids decide, so that their number stays secret", async () => {
    const clock = await newClock();
    const { path } = await publishedOn(clock);
    expectStatus(200, await advance(clock, { next: true }));
    const dryRun = async () =>
      expectStatus(200, await api.post(ofSite(`/clocks/${clock}/advance?dry_run=1`), { by: "P100D" })).body.data
        .tenders;
    const without = await dryRun();
    assert.equal(without[0].status, "active.tendering");
    for (const amount of [400, 300]) {
      expectStatus(201, await api.post(`${path}/bids`, bidOf(amount)));
      assert.deepEqual(await dryRun(), without);
    }
  });

  test("determines how operators see a tender during its auction", async () => {
    const clock = await newClock();
    const { path, id } = await publishedOn(clock);
    expectStatus(200, await advance(clock, { next: true }));
    for (const amount of [400, 300]) expectStatus(201, await api.post(`${path}/bids`, bidOf(amount)));
    expectStatus(200, await advance(clock, { next: true }));
    const auctionPeriod = { startDate: iso(THEN + 15 * DAY) };
    expectStatus(200, await api.patch(path, { auctionPeriod }, { key: "chronograph" }));
    expectStatus(200, await advance(clock, { to: iso(THEN + 15 * DAY + 60_000_000) }));
    const seen = expectStatus(200, await api.get(path)).body.data;
    assert.deepEqual([seen.status, seen.next_check > auctionPeriod.startDate], ["active.auction", true]);
    const environment = { DATA_DIR: world.dataDir, ...world.database.environment };
    const shown = JSON.parse((await runCli(["tender", "show", id, "--json"], environment)).out).data;
    assert.deepEqual([shown.next_check, shown.auctionPeriod], [seen.next_check, seen.auctionPeriod]);
  });

  test("that a crash interrupted on its way is moved on to its target", async () => {
    const clock = await newClock();
    const headers = { "Idempotency-Key": `on-its-way-${clock}` };
    const move = () => api.post(ofSite(`/clocks/${clock}/advance`), { by: "P1D" }, { headers });
    const { now } = expectStatus(200, await move()).body.data;
    // As if the server had crashed before it could record its response.
    await world.database.query("delete from idempotency_records");
    assert.equal(expectStatus(200, await move()).body.data.now, now);
    expectStatus(200, await advance(clock, { by: "P1D" }));
  });

  test("is never moved back by concurrent requests", async () => {
    const clock = await newClock();
    const { path } = await publishedOn(clock);
    const times = await Promise.all(
      Array.from({ length: 10 }, (_, i) => advance(clock, { to: iso(THEN + (i + 1) * 5 * DAY) })),
    );
    for (const response of times) assert.ok(response.status === 200 || response.status === 422, response.text);
    const shown = expectStatus(200, await api.get(ofSite(`/clocks/${clock}`))).body.data;
    assert.ok(Date.parse(shown.now) >= (THEN + 45 * DAY) / 1000);
    assert.equal(await statusOf(path), "unsuccessful");
  });
});

test("production has no sandbox and no test clocks", async () => {
  const { mkdtempSync, writeFileSync } = await import("node:fs");
  const { join } = await import("node:path");
  const { hashOf } = await import("../../src/base/secrets.ts");
  const folder = mkdtempSync(join(world.dataDir, "production-"));
  const file = join(folder, "accounts.json");
  writeFileSync(
    file,
    JSON.stringify([{ name: "real", group: "brokers", levels: "1234", keyHash: hashOf("a-real-key") }]),
  );
  const production = await openWorld({ MODE: "production", ACCOUNTS_FILE: file });
  try {
    const real = production.api("2.5");
    const sent = { key: "a-real-key" };
    expectStatus(404, await real.post(`${production.url}/sandbox/clocks`, {}, sent));
    expectStatus(404, await real.get(`${production.url}/sandbox/clocks`, sent));
    const headers = { "X-Test-Clock": "0".repeat(32) };
    const refused = expectStatus(422, await real.post("/tenders", fullTender(START), { ...sent, headers }));
    assert.equal(refused.body.errors[0].name, "X-Test-Clock");
  } finally {
    await production.stop();
  }
});

test("a sandbox registry with test clocks cannot be opened in production", async () => {
  const { writeFileSync } = await import("node:fs");
  const { join } = await import("node:path");
  const { hashOf } = await import("../../src/base/secrets.ts");
  const sandbox = await openWorld();
  expectStatus(201, await sandbox.api("2.5").post(`${sandbox.url}/sandbox/clocks`, {}));
  await sandbox.halt();
  const ACCOUNTS_FILE = join(sandbox.dataDir, "accounts.json");
  writeFileSync(
    ACCOUNTS_FILE,
    JSON.stringify([{ name: "real", group: "brokers", levels: "1234", keyHash: hashOf("a-real-key") }]),
  );
  const settings = { MODE: "production", ACCOUNTS_FILE, DATA_DIR: sandbox.dataDir, ...sandbox.database.environment };
  await assert.rejects(openWorld(settings), /it is the registry of a sandbox/);
  await sandbox.restart();
  await sandbox.stop();
});
