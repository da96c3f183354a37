import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { ENGINE, openDatabase } from "../support/engines.ts";
import { DAY, formatTime, fullTender } from "../support/examples.ts";
import { openProcesses, urlOf } from "../support/processes.ts";
import { expectStatus, openApi, START } from "../support/world.ts";

/** One test clock, moved through two servers on PostgreSQL, or two processes on SQLite. */

const MAIN = [process.execPath, "--disable-warning=ExperimentalWarning", "src/main.ts"];
const { folder, run } = openProcesses("clocks");
const DATA_DIR = join(folder, "data");
mkdirSync(DATA_DIR);
const database = await openDatabase(DATA_DIR);
after(database.drop);
const serve = (WORKERS: string) => urlOf(run(MAIN, { DATA_DIR, LOG: "off", WORKERS, ...database.environment }));
const urls = ENGINE === "postgres" ? await Promise.all([serve("1"), serve("1")]) : [await serve("2")];

/** A new connection for each request, which may go to any process. */
const headers = { Connection: "close" };
let requestCount = 0;
const url = () => urls[requestCount++ % urls.length]!;
const api = openApi(url, "2.5");
const THEN = START + 1000 * DAY;
const MS = 1000;

const newClock = async (): Promise<string> =>
  expectStatus(201, await api.post(`${url()}/sandbox/clocks`, { now: formatTime(THEN) })).body.data.id;
const showClock = async (clock: string) =>
  expectStatus(200, await api.get(`${url()}/sandbox/clocks/${clock}`, { headers })).body.data;
const advance = (clock: string, how: object) => api.post(`${url()}/sandbox/clocks/${clock}/advance`, how, { headers });
const times = <Made>(count: number, make: (i: number) => Made): Made[] =>
  Array.from({ length: count }, (_, i) => make(i));
const at = (time: string): number => Date.parse(time);

describe("a test clock that is moved through two servers at once", () => {
  it("advances by the sum of all requests, and each response has a time that the clock had", async () => {
    const clock = await newClock();
    const responses = await Promise.all(times(20, () => advance(clock, { by: "PT1H" })));
    const clockTimes = responses.map((response) => at(expectStatus(200, response).body.data.now));
    const end = at(formatTime(THEN)) + 20 * 3600 * MS;
    assert.equal(at((await showClock(clock)).now), end);
    for (const time of clockTimes)
      assert.ok(time <= end && (end - time) % (3600 * MS) === 0, new Date(time).toISOString());
    assert.equal(Math.max(...clockTimes), end);
  });

  it("never moves back, and carries out each deadline once, in order and at its own time", async () => {
    const clock = await newClock();
    const made = await Promise.all(
      times(8, async (i) => {
        const periods = {
          enquiryPeriod: { endDate: formatTime(THEN + (i + 1) * DAY) },
          tenderPeriod: { endDate: formatTime(THEN + (i + 9) * DAY) },
        };
        const body = { ...fullTender(THEN), ...periods };
        const { data } = expectStatus(
          201,
          await api.post("/tenders", body, { headers: { "X-Test-Clock": clock } }),
        ).body;
        return { id: data.id as string, moments: [data.enquiryPeriod.endDate, data.tenderPeriod.endDate].map(at) };
      }),
    );
    let isOver = false;
    const watched = (async () => {
      for (let last = 0; !isOver; ) {
        const { now } = await showClock(clock);
        assert.ok(at(now) >= last, "it went back");
        last = at(now);
      }
    })();
    const moves = times(12, (i) => advance(clock, i % 3 === 0 ? { next: true } : { by: "P2D" }));
    for (const response of await Promise.all(moves)) expectStatus(200, response);
    isOver = true;
    await watched;
    expectStatus(200, await advance(clock, { to: formatTime(THEN + 60 * DAY) }));
    await assertInOrder(made);
  });

  type CreatedTender = { readonly id: string; readonly moments: readonly number[] };

  async function assertInOrder(made: readonly CreatedTender[]): Promise<void> {
    for (const { id, moments } of made) {
      const { status, date } = expectStatus(200, await api.get(`/tenders/${id}`)).body.data;
      assert.deepEqual([status, at(date)], ["unsuccessful", moments.at(-1)]);
    }
    const rows = await database.query("select tender_id as id from ledger where act = 'advance' order by sequence");
    const left = new Map(made.map(({ id, moments }) => [id, [...moments]]));
    const carriedOut = rows.flatMap(({ id }) => left.get(id as string)?.splice(0, 1) ?? []);
    assert.equal(
      carriedOut.length,
      rows.filter(({ id }) => left.has(id as string)).length,
      "one was carried out twice",
    );
    assert.deepEqual(
      carriedOut,
      made.flatMap(({ moments }) => moments).sort((a, b) => a - b),
    );
  }

  it("completes the advance of a server that died before it starts another one", async () => {
    const clock = await newClock();
    const { now } = await showClock(clock);
    await database.query(
      `update test_clocks set value = replace(value, '"now"', '"to":${THEN + DAY},"now"') where id = '${clock}' returning id`,
    );
    const moved = expectStatus(200, await advance(clock, { by: "PT24H" })).body.data;
    assert.equal(at(moved.now) - at(now), 48 * 3600 * MS);
  });
});
