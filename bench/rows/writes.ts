import { setTimeout as pause } from "node:timers/promises";
import { bidBody, changeBody, tenderBody } from "../bodies.ts";
import { dataOf, type Made, publish, publishBefore, type Request, TENDERS } from "../requests.ts";
import { type Contestant, loadOf, type Plan, type Row, type Stage, sideBySide, underLoad } from "../rows.ts";
import { tenderAt } from "./reads.ts";

const SPREAD = 1000;

export const publication = (): Request => ({ method: "POST", path: TENDERS, body: tenderBody() });

async function postTenders(stage: Stage): Promise<Row> {
  const contestants = await sideBySide(stage, async () => [publication()], {
    sqlite: { atLeast: 0.6 },
    "sqlite x2": { atLeast: 1.5 },
    "postgres x2": { atLeast: 1.5 },
  });
  return {
    unit: "req/s",
    compared:
      "tenders published by 32 connections, each on disk before it is answered; bare: the same body parsed, nothing stored," +
      " the bytes of such an answer",
    contestants,
  };
}

async function postOnSlowDisk({ servers }: Stage): Promise<Row> {
  const grouped = await servers.slowDisk("grouped");
  const single = await servers.slowDisk("single");
  return {
    unit: "req/s",
    compared:
      "tenders published by 32 connections on SQLite; the thread that commits waits 2 ms more in each commit, which stands " +
      "for an fsync of 2 ms, as each commit to the WAL has exactly one; single: one commit for each request",
    contestants: [
      underLoad("single commits", single, loadOf(single.url, [publication()])),
      underLoad("sqlite", grouped, loadOf(grouped.url, [publication()]), {
        against: "single commits",
        target: { atLeast: 6 },
      }),
    ],
  };
}

const MANY_CONNECTIONS = 64;

async function postToPostgres({ servers }: Stage): Promise<Row> {
  const product = await servers.product("postgres");
  await publish(product.url, SPREAD, tenderBody());
  const straight = await servers.straight();
  const inserting: Contestant = {
    name: "straight",
    run: async (seconds) => {
      const before = await straight.tell({});
      const { cpuMicros, inserted } = await straight.tell({ seconds });
      const { rows, seconds: taken } = inserted!;
      return { value: rows / taken, cpuMicros: (cpuMicros - before.cpuMicros) / rows };
    },
  };
  return {
    unit: "req/s",
    compared:
      `tenders published by ${MANY_CONNECTIONS} connections on PostgreSQL; straight: the rows that the product stored (tender, ` +
      `what it is found by, ledger, day, status), inserted again in transactions of ${MANY_CONNECTIONS}, pipelined, over one connection`,
    contestants: [
      inserting,
      underLoad("postgres", product, loadOf(product.url, [publication()], MANY_CONNECTIONS), {
        against: "straight",
        target: { atLeast: 0.6 },
      }),
    ],
  };
}

async function patchTenders(stage: Stage): Promise<Row> {
  return {
    unit: "req/s",
    compared: `the description of ${SPREAD} tenders changed in turn, durably; bare: the body parsed, nothing stored`,
    contestants: await sideBySide(stage, patchRequests),
  };
}

/** Twice round, so that each request changes what the one before it on the same tender said. */
export async function patchRequests(url: string): Promise<readonly Request[]> {
  const made = await publish(url, SPREAD, tenderBody());
  const change = (wording: 0 | 1) => {
    const body = changeBody(wording);
    return ({ id, token }: Made): Request => ({ method: "PATCH", path: `${TENDERS}/${id}?acc_token=${token}`, body });
  };
  return [...made.map(change(1)), ...made.map(change(0))];
}

async function postBids(stage: Stage): Promise<Row> {
  return {
    unit: "req/s",
    compared: `bids placed on ${SPREAD} tenders in turn, durably, so each tender grows; bare: the body parsed, nothing stored`,
    contestants: await sideBySide(stage, bidRequests),
  };
}

const ENQUIRIES_MS = 4000;
const TENDERING_MAX_MS = 30_000;

async function bidRequests(url: string): Promise<readonly Request[]> {
  const { made } = await publishBefore(url, SPREAD, ENQUIRIES_MS);
  const giveUpAt = performance.now() + TENDERING_MAX_MS;
  for (const { id } of made) await untilTendering(url, id, giveUpAt);
  const body = bidBody();
  return made.map(({ id }) => ({ method: "POST", path: `${TENDERS}/${id}/bids`, body }));
}

async function untilTendering(url: string, id: string, giveUpAt: number): Promise<void> {
  for (;;) {
    const { status } = await dataOf<{ status: string }>(url, tenderAt(id), 200);
    if (status.endsWith("tendering")) return;
    if (performance.now() > giveUpAt) throw new Error(`a tender stays in ${status}`);
    await pause(100);
  }
}

const NO_POSTGRES = "npm has no PostgreSQL for this platform";

export const WRITES: readonly Plan[] = [
  { name: "POST tender", hasTarget: true, prepare: postTenders },
  { name: "POST tender, fsync 2 ms", hasTarget: true, prepare: postOnSlowDisk },
  {
    name: "POST tender, 64 connections",
    hasTarget: true,
    missing: ({ hasPostgres }) => (hasPostgres ? undefined : NO_POSTGRES),
    prepare: postToPostgres,
  },
  { name: "PATCH tender", prepare: patchTenders },
  { name: "POST bid", prepare: postBids },
];
