import { bodyWithItems, tenderBody } from "../bodies.ts";
import type { ServerProcess } from "../children.ts";
import { type Load, measure, percentile } from "../load.ts";
import { type ProcessUsage, usageByProcess } from "../processTree.ts";
import { type BenchRequest, type PublishedTender, publish, TENDERS } from "../requests.ts";
import {
  type BenchRow,
  type Contestant,
  failOn,
  loadOf,
  type RowContext,
  type RowPlan,
  type Sample,
  underLoad,
} from "../rows.ts";
import { wordAt } from "../searchIndex.ts";
import { bidRequest, publishForBids, publishRequest } from "./writes.ts";

/** What a write costs: its processor time, and whether it grows with what is already there. */

const POST_MICROS_MAX = 110;
const COMMIT_MICROS_MAX = 50;

async function prepareCpu({ servers }: RowContext): Promise<BenchRow> {
  const one = await servers.product("sqlite");
  const contestants: Contestant[] = [
    { ...inMicros(underLoad("sqlite", one, loadOf(one.url, [publishRequest()]))), target: { atMost: POST_MICROS_MAX } },
  ];
  if (servers.products.includes("sqlite x2")) {
    const two = await servers.product("sqlite x2");
    const load = loadOf(two.url, [publishRequest()]);
    contestants.push(inMicros(underLoad("sqlite x2", two, load)));
    await publish(two.url, 1, tenderBody());
    // Without /proc, or in a file system in memory, nothing says which process writes.
    if (usageByProcess(two.pid).some(({ writtenBytes }) => writtenBytes > 0))
      contestants.push({
        name: "sqlite x2, committing",
        run: (seconds) => measureCommitting(two, load, seconds),
        alsoAgainst: "sqlite x2",
        target: { atMost: COMMIT_MICROS_MAX },
      });
  }
  return {
    unit: "us",
    compared:
      "the processor time of a durable POST of a tender by 32 connections, of all processes of the server; committing: only of the " +
      "processes that commit, which are those that write at least a tenth of the bytes",
    extraLabel: "the number of processes counted",
    contestants,
  };
}

/** The same contestant, whose value is its processor time. */
const inMicros = (contestant: Contestant): Contestant => ({
  ...contestant,
  run: async (seconds) => {
    const { cpuMicros = Number.NaN } = await contestant.run(seconds);
    const processes = contestant.server ? usageByProcess(contestant.server.pid).length : Number.NaN;
    return { value: cpuMicros, extra: processes };
  },
});

const COMMITTING_SHARE = 0.1;

async function measureCommitting({ pid }: ServerProcess, load: Load, seconds: number): Promise<Sample> {
  const before = new Map(usageByProcess(pid).map((usage) => [usage.pid, usage]));
  const { errors, responses } = await measure(load, seconds);
  failOn("sqlite x2", errors);
  const used = usageByProcess(pid).map((after) => usageBetween(before.get(after.pid), after));
  const committing = committingProcesses(used);
  return {
    value: committing.reduce((sum, { cpuMicros }) => sum + cpuMicros, 0) / responses,
    extra: committing.length,
  };
}

const usageBetween = (before: ProcessUsage | undefined, after: ProcessUsage): ProcessUsage => ({
  pid: after.pid,
  cpuMicros: after.cpuMicros - (before?.cpuMicros ?? 0),
  writtenBytes: after.writtenBytes - (before?.writtenBytes ?? 0),
});

/** The processes that write the database. The others write log lines, which are few bytes for each request. */
export function committingProcesses(used: readonly ProcessUsage[]): readonly ProcessUsage[] {
  const written = used.reduce((sum, { writtenBytes }) => sum + writtenBytes, 0);
  if (written === 0) throw new Error("the platform does not say which process writes to the disk");
  return used.filter(({ writtenBytes }) => writtenBytes >= written * COMMITTING_SHARE);
}

/** A contestant whose value is the median latency of one connection. */
function inSequence(name: string, server: ServerProcess, load: Load, comparison: Partial<Contestant> = {}): Contestant {
  const run = async (seconds: number): Promise<Sample> => {
    const before = await server.usage();
    const { errors, times, responses } = await measure({ ...load, connections: 1, recordsTimes: true }, seconds);
    failOn(name, errors);
    const after = await server.usage();
    return {
      value: percentile(times, 0.5),
      cpuMicros: before && after && (after.cpuMicros - before.cpuMicros) / responses,
    };
  };
  return { name, run, server, ...comparison };
}

const FEW_BIDS = 50;
const MANY_BIDS = 600;
const TENDERS_WITH_BIDS = 40;
const BIDS_PER_ROUND = 4;
/** A tender begins with fewer bids by half of what the rounds add, so that the number is right in the middle of the run. */
const ROUNDS_EXPECTED = 10;

async function prepareBidAmongBids({ servers }: RowContext): Promise<BenchRow> {
  const server = await servers.product("sqlite");
  const tenders = await publishForBids(server.url, 2 * TENDERS_WITH_BIDS);
  const few = tenders.slice(0, TENDERS_WITH_BIDS);
  const many = tenders.slice(TENDERS_WITH_BIDS);
  const growth = (ROUNDS_EXPECTED / 2) * BIDS_PER_ROUND;
  await placeBids(server.url, few, FEW_BIDS - growth);
  await placeBids(server.url, many, MANY_BIDS - growth);
  const load = (on: readonly PublishedTender[]): Load => ({
    ...loadOf(server.url, on.map(bidRequest)),
    requestsMax: on.length * BIDS_PER_ROUND,
  });
  const fewName = `${FEW_BIDS} bids`;
  return {
    unit: "ms",
    compared:
      `a sealed bid placed on tenders that have ${MANY_BIDS} bids of the same account, and on tenders that have ${FEW_BIDS}; the ` +
      `median latency of one connection. Each round adds ${BIDS_PER_ROUND} bids to each of ${TENDERS_WITH_BIDS} tenders, so these ` +
      "numbers are those in the middle of the run",
    contestants: [
      inSequence(fewName, server, load(few)),
      inSequence(`sqlite, ${MANY_BIDS} bids`, server, load(many), { against: fewName, target: { atMost: 1.25 } }),
    ],
  };
}

/** Places so many bids on each tender. */
export async function placeBids(url: string, tenders: readonly PublishedTender[], count: number): Promise<void> {
  const load: Load = { ...loadOf(url, tenders.map(bidRequest)), requestsMax: tenders.length * count };
  if (count > 0) failOn("placing bids", (await measure(load, 0)).errors);
}

const MANY_ITEMS = 1000;

async function preparePatchAmongItems({ servers }: RowContext): Promise<BenchRow> {
  const server = await servers.product("sqlite");
  const load = async (items: number) => loadOf(server.url, await titlePatches(server.url, items));
  return {
    unit: "ms",
    compared: `the title of a tender with ${MANY_ITEMS} items changed, and of one with one item; the median latency of one connection`,
    contestants: [
      inSequence("1 item", server, await load(1)),
      inSequence(`sqlite, ${MANY_ITEMS} items`, server, await load(MANY_ITEMS), {
        against: "1 item",
        target: { atMost: 6 },
      }),
    ],
  };
}

/** Alternates two titles, so that each request changes the tender. */
async function titlePatches(url: string, items: number): Promise<readonly BenchRequest[]> {
  const [made] = await publish(url, 1, bodyWithItems(items));
  if (!made) throw new Error("no tender was published");
  return ["Обіди для школи", "Сніданки для школи"].map((title) => ({
    method: "PATCH",
    path: `${TENDERS}/${made.id}?acc_token=${made.token}`,
    body: JSON.stringify({ data: { title } }),
  }));
}

/** Words of its own in every title, as the words of tenders differ. */
const variedPublishRequests = (): readonly BenchRequest[] =>
  Array.from({ length: 500 }, (_, i) => {
    const { data } = JSON.parse(tenderBody()) as { readonly data: object };
    const words = Array.from({ length: 6 }, (_none, n) => wordAt((i * 37 + n * n * 101) % 20_000)).join(" ");
    return {
      method: "POST",
      path: TENDERS,
      body: JSON.stringify({ data: { ...data, title: words, description: words } }),
    };
  });

/** So many requests are sent first: on a busy machine, most of what short rounds measure would be the compiler of JavaScript. */
const COMPILING_REQUESTS = 5000;
const WITHOUT_INDEX = "without index";
const WITHOUT_INDEX_POSTGRES = "without index, postgres";

async function prepareIndexing({ servers }: RowContext): Promise<BenchRow> {
  const start = async (name: string, args: readonly string[] = [], env = {}): Promise<Contestant> => {
    const server = await servers.startProduct(name, env, args);
    const load = loadOf(server.url, variedPublishRequests());
    failOn(name, (await measure({ ...load, requestsMax: COMPILING_REQUESTS }, 0)).errors);
    return inMicros(underLoad(name, server, load));
  };
  const contestants: Contestant[] = [
    await start(WITHOUT_INDEX, ["--unindexed"]),
    { ...(await start("sqlite, indexed")), against: WITHOUT_INDEX, target: { atMost: 1.25 } },
  ];
  if (servers.products.includes("postgres")) {
    const onSchema = async (name: string, args?: readonly string[]) =>
      start(name, args, { DATABASE_URL: await servers.schemaUrl(name) });
    contestants.push(await onSchema(WITHOUT_INDEX_POSTGRES, ["--unindexed"]));
    contestants.push({ ...(await onSchema("postgres, indexed")), against: WITHOUT_INDEX_POSTGRES });
  }
  return {
    unit: "us",
    compared:
      "the processor time of a durable POST of a tender by 32 connections, with the search index and the statistics and without; titles " +
      "and descriptions differ. On PostgreSQL, that of the database itself is not counted",
    contestants,
  };
}

export const WRITE_COSTS: readonly RowPlan[] = [
  { name: "CPU of POST tender, search index", hasTarget: true, prepare: prepareIndexing },
  { name: "CPU of POST tender", hasTarget: true, prepare: prepareCpu },
  { name: "POST bid among bids", hasTarget: true, prepare: prepareBidAmongBids },
  { name: "PATCH title among items", hasTarget: true, prepare: preparePatchAmongItems },
];
