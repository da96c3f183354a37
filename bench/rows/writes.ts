import { setTimeout as pause } from "node:timers/promises";
import { bidBody, changeBody, tenderBody } from "../bodies.ts";
import {
  type BenchRequest,
  fetchData,
  type PublishedTender,
  publish,
  publishWithDeadline,
  TENDERS,
} from "../requests.ts";
import {
  type BenchRow,
  type Contestant,
  compareProducts,
  loadOf,
  type RowContext,
  type RowPlan,
  underLoad,
} from "../rows.ts";
import { tenderAt } from "./reads.ts";

const SPREAD = 1000;

export const publishRequest = (): BenchRequest => ({ method: "POST", path: TENDERS, body: tenderBody() });

async function preparePosts(stage: RowContext): Promise<BenchRow> {
  const contestants = await compareProducts(stage, async () => [publishRequest()], {
    sqlite: { atLeast: 0.35 },
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

async function prepareSlowDiskPosts({ servers }: RowContext): Promise<BenchRow> {
  const grouped = await servers.slowDisk("grouped");
  const single = await servers.slowDisk("single");
  return {
    unit: "req/s",
    compared:
      "tenders published by 32 connections on SQLite; the thread that commits waits 2 ms more in each commit, which stands " +
      "for an fsync of 2 ms, as each commit to the WAL has exactly one; single: one commit for each request",
    contestants: [
      underLoad("single commits", single, loadOf(single.url, [publishRequest()])),
      underLoad("sqlite", grouped, loadOf(grouped.url, [publishRequest()]), {
        against: "single commits",
        target: { atLeast: 6 },
      }),
    ],
  };
}

const MANY_CONNECTIONS = 64;

async function preparePostgresPosts({ servers }: RowContext): Promise<BenchRow> {
  const product = await servers.product("postgres");
  await publish(product.url, SPREAD, tenderBody());
  const straight = await servers.directInserts();
  const inserting: Contestant = {
    name: "straight",
    run: async (seconds) => {
      const before = await straight.send({});
      const { cpuMicros, inserted } = await straight.send({ seconds });
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
      underLoad("postgres", product, loadOf(product.url, [publishRequest()], MANY_CONNECTIONS), {
        against: "straight",
        target: { atLeast: 0.7 },
      }),
    ],
  };
}

async function preparePatches(stage: RowContext): Promise<BenchRow> {
  return {
    unit: "req/s",
    compared: `the description of ${SPREAD} tenders changed in turn, durably; bare: the body parsed, nothing stored`,
    contestants: await compareProducts(stage, patchRequests),
  };
}

/** Alternates two bodies, so that each request changes its tender. */
export async function patchRequests(url: string): Promise<readonly BenchRequest[]> {
  const made = await publish(url, SPREAD, tenderBody());
  const change = (wording: 0 | 1) => {
    const body = changeBody(wording);
    return ({ id, token }: PublishedTender): BenchRequest => ({
      method: "PATCH",
      path: `${TENDERS}/${id}?acc_token=${token}`,
      body,
    });
  };
  return [...made.map(change(1)), ...made.map(change(0))];
}

async function prepareBids(stage: RowContext): Promise<BenchRow> {
  return {
    unit: "req/s",
    compared: `bids placed on ${SPREAD} tenders in turn, durably, so each tender grows; bare: the body parsed, nothing stored`,
    contestants: await compareProducts(stage, bidRequests),
  };
}

const ENQUIRIES_MS = 4000;
const TENDERING_MAX_MS = 30_000;

const bidRequests = async (url: string): Promise<readonly BenchRequest[]> =>
  (await publishForBids(url, SPREAD)).map(bidRequest);

/** The request that places a bid on a tender. */
export const bidRequest = ({ id }: PublishedTender): BenchRequest => ({
  method: "POST",
  path: `${TENDERS}/${id}/bids`,
  body: bidBody(),
});

/** Creates tenders and waits until they accept bids. */
export async function publishForBids(url: string, count: number): Promise<readonly PublishedTender[]> {
  const { tenders } = await publishWithDeadline(url, count, ENQUIRIES_MS);
  const giveUpAt = performance.now() + TENDERING_MAX_MS;
  for (const { id } of tenders) await waitForStatus(url, id, "tendering", giveUpAt);
  return tenders;
}

/** Waits until a tender has a status that ends with `expected`. Throws if it has another one at `giveUpAt`, as `performance.now()` counts. */
export async function waitForStatus(url: string, id: string, expected: string, giveUpAt: number): Promise<void> {
  for (;;) {
    const { status } = await fetchData<{ status: string }>(url, tenderAt(id), 200);
    if (status.endsWith(expected)) return;
    if (performance.now() > giveUpAt) throw new Error(`a tender stays in ${status}`);
    await pause(100);
  }
}

const NO_POSTGRES = "npm has no PostgreSQL for this platform";

export const WRITES: readonly RowPlan[] = [
  { name: "POST tender", hasTarget: true, prepare: preparePosts },
  { name: "POST tender, fsync 2 ms", hasTarget: true, prepare: prepareSlowDiskPosts },
  {
    name: "POST tender, 64 connections",
    hasTarget: true,
    missing: ({ hasPostgres }) => (hasPostgres ? undefined : NO_POSTGRES),
    prepare: preparePostgresPosts,
  },
  { name: "PATCH tender", prepare: preparePatches },
  { name: "POST bid", prepare: prepareBids },
];
