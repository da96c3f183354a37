import { setTimeout as pause } from "node:timers/promises";
import { openSchema } from "../../test/support/engines.ts";
import { freePort } from "../../test/support/ports.ts";
import { tenderBody } from "../bodies.ts";
import { dataDirOf, type ServerProcess } from "../children.ts";
import { type BenchRequest, fetchCanned, fetchData, publish, TENDERS } from "../requests.ts";
import {
  type BenchRow,
  type Contestant,
  loadOf,
  type RowContext,
  type RowPlan,
  type Target,
  underLoad,
} from "../rows.ts";
import { FIRST_PAGE, tenderAt } from "./reads.ts";
import { patchRequests, publishRequest } from "./writes.ts";

/** A registry with very many tenders, created by `npm run seed`, compared with one with few on the same engine. */

type Environment = { readonly [name: string]: string };
type Engine = {
  readonly name: string;
  readonly seeded: Environment;
  /** A new registry on the same engine. */
  readonly openEmpty: (name: string) => Promise<Environment>;
};

const FEW = 1000;
/** Slower by at most 1.3 times. */
const TARGET: Target = { atLeast: 0.77 };
const RSS_MIB_MAX = 300;
const MIB = 1024 * 1024;

function enginesOf({ seeded, children, servers }: RowContext): readonly Engine[] {
  const folder = (name: string) => ({ DATA_DIR: dataDirOf(children.folder, name) });
  const schema = async (beside: string) => {
    const { url, drop } = await openSchema(beside);
    servers.onClose(drop);
    return { DATABASE_URL: url };
  };
  const engines: Engine[] = [];
  if (seeded.folder)
    engines.push({ name: "sqlite", seeded: { DATA_DIR: seeded.folder }, openEmpty: async (name) => folder(name) });
  const { url } = seeded;
  if (url)
    engines.push({
      name: "postgres",
      seeded: { ...folder("seeded postgres"), DATABASE_URL: url },
      openEmpty: async (name) => ({ ...folder(name), ...(await schema(url)) }),
    });
  return engines;
}

type SeededServers = {
  readonly engine: string;
  readonly large: ServerProcess;
  readonly small: ServerProcess;
  /** Like the small one, but nothing is cached. */
  readonly uncached: ServerProcess;
};

let seededServers: Promise<readonly SeededServers[]> | undefined;

/** Starts servers on all registries, which the next rows use too. */
function serversOf(stage: RowContext): Promise<readonly SeededServers[]> {
  seededServers ??= openAll(stage);
  return seededServers;
}

/** Small registries are filled by the same command, so that tenders have the same sizes. */
async function openAll(stage: RowContext): Promise<readonly SeededServers[]> {
  const { children, servers } = stage;
  const opened: SeededServers[] = [];
  for (const { name, seeded, openEmpty } of enginesOf(stage)) {
    const few = `few on ${name}`;
    const env = await openEmpty(few);
    await children.run({ name: few, script: "../scripts/seed.ts", args: ["--tenders", String(FEW)], env });
    opened.push({
      engine: name,
      large: await servers.startProduct(`seeded ${name}`, seeded),
      small: await servers.startProduct(few, env),
      uncached: await servers.startProduct(
        `forgetful ${few}`,
        await uncachedEnvironment(stage, `forgetful ${few}`, openEmpty),
      ),
    });
  }
  return opened;
}

async function uncachedEnvironment(
  { children }: RowContext,
  name: string,
  openEmpty: Engine["openEmpty"],
): Promise<Environment> {
  const env = await openEmpty(name);
  await children.run({ name, script: "../scripts/seed.ts", args: ["--tenders", String(FEW)], env });
  return { ...env, CACHE_BYTES_MAX: "0" };
}

/** Sends the same requests to both servers of each pair. */
async function compareSizes(
  stage: RowContext,
  compared: string,
  requestsFor: (url: string) => Promise<readonly BenchRequest[]>,
  smallOf: (pair: SeededServers) => ServerProcess = ({ small }) => small,
): Promise<BenchRow> {
  const contestants: Contestant[] = [];
  for (const pair of await serversOf(stage)) {
    const { engine, large } = pair;
    const small = smallOf(pair);
    const few = `${engine}, few`;
    contestants.push(
      underLoad(few, small, loadOf(small.url, await requestsFor(small.url))),
      underLoad(`${engine}, seeded`, large, loadOf(large.url, await requestsFor(large.url)), {
        against: few,
        target: TARGET,
      }),
    );
  }
  return { unit: "req/s", compared, contestants };
}

const MOMENTS = 100;

type Entry = { readonly id: string; readonly dateModified: string };

/** Tenders from the whole feed, from pages that start at random times. */
const tendersOf =
  (pageLength: number) =>
  async (url: string): Promise<readonly BenchRequest[]> => {
    const page = (query: string) =>
      fetchData<readonly Entry[]>(url, { method: "GET", path: `${TENDERS}?${query}` }, 200);
    const [[oldest], [newest]] = await Promise.all([page("limit=1"), page("limit=1&descending=1")]);
    const from = Date.parse(oldest!.dateModified) - 1;
    const to = Date.parse(newest!.dateModified);
    const ids = new Set<string>();
    for (let i = 0; i < MOMENTS; i++) {
      const offset = new Date(from + Math.random() * (to - from)).toISOString();
      for (const { id } of await page(`limit=${pageLength}&offset=${encodeURIComponent(offset)}`)) ids.add(id);
    }
    return [...ids].sort().map(tenderAt);
  };

async function prepareMemory(stage: RowContext): Promise<BenchRow> {
  const rss = async (child: ServerProcess) => ({ value: ((await child.usage())?.rssBytes ?? Number.NaN) / MIB });
  return {
    unit: "MiB",
    isUnloaded: true,
    compared: "the resident memory of the server's process after the rows above",
    contestants: (await serversOf(stage)).flatMap(({ engine, large, small }) => [
      { name: `${engine}, few`, run: () => rss(small) },
      { name: `${engine}, seeded`, run: () => rss(large), target: { atMost: RSS_MIB_MAX } },
    ]),
  };
}

async function prepareStartUp(stage: RowContext): Promise<BenchRow> {
  const contestants: Contestant[] = [];
  for (const { name, seeded, openEmpty } of enginesOf(stage)) {
    const rowName = `${name}, one`;
    contestants.push(
      await startUpContestant(stage, rowName, await withOneTender(stage, rowName, await openEmpty(rowName))),
      {
        ...(await startUpContestant(stage, `${name}, seeded`, seeded)),
        against: rowName,
      },
    );
  }
  return {
    unit: "ms",
    isUnloaded: true,
    compared:
      "from the start of the process to the first answer with a tender, against the same with one tender; src/main.ts, LOG=off",
    contestants,
  };
}

async function withOneTender({ servers }: RowContext, name: string, env: Environment): Promise<Environment> {
  const server = await servers.startProduct(name, env);
  await publish(server.url, 1, tenderBody());
  await server.stop();
  return env;
}

async function startUpContestant(
  { children, servers }: RowContext,
  name: string,
  env: Environment,
): Promise<Contestant> {
  const server = await servers.startProduct(name, env);
  const [first] = await fetchData<readonly Entry[]>(server.url, FIRST_PAGE, 200);
  await server.stop();
  const run = async () => {
    const port = await freePort();
    const started = performance.now();
    const process = children.launchMain({ name, env: { ...env, PORT: String(port), LOG: "off" } });
    while (!(await isAnswered(`http://127.0.0.1:${port}`, tenderAt(first!.id)))) await pause(2);
    const value = performance.now() - started;
    await process.stop();
    return { value };
  };
  return { name, run };
}

const isAnswered = (url: string, request: BenchRequest): Promise<boolean> =>
  fetchCanned(url, request).then(
    ({ status }) => status === 200,
    () => false,
  );

const missing: RowPlan["missing"] = ({ seeded }) =>
  seeded.folder || seeded.url
    ? undefined
    : "needs a seeded registry: DATA_DIR=/tmp/million npm run seed -- --tenders 1000000, then --seeded /tmp/million";

const reading = (stage: RowContext) =>
  compareSizes(
    stage,
    `some 10,000 tenders from all over the registry, more than are kept in memory, against all of one with ${FEW} that keeps` +
      " nothing in memory: the cost of a tender that must be read from the database",
    tendersOf(100),
    ({ uncached: forgetful }) => forgetful,
  );
const readingFew = (stage: RowContext) =>
  compareSizes(stage, "some 1,000 tenders from all over the registry, as many as the other has", tendersOf(10));
const paging = (stage: RowContext) =>
  compareSizes(stage, "the first page of the feed, likewise", async () => [FIRST_PAGE]);
const posting = (stage: RowContext) =>
  compareSizes(stage, "tenders published, likewise", async () => [publishRequest()]);
const patching = (stage: RowContext) =>
  compareSizes(stage, "1,000 tenders published for it and changed, likewise", patchRequests);

export const SEEDED: readonly RowPlan[] = [
  { name: "start-up, seeded", roundsMax: 5, missing, prepare: prepareStartUp },
  { name: "GET cold tender, seeded", hasTarget: true, missing, prepare: reading },
  { name: "GET 1,000 tenders, seeded", hasTarget: true, missing, prepare: readingFew },
  { name: "GET feed page, seeded", hasTarget: true, missing, prepare: paging },
  { name: "POST tender, seeded", hasTarget: true, missing, prepare: posting },
  { name: "PATCH tender, seeded", hasTarget: true, missing, prepare: patching },
  { name: "memory, seeded", hasTarget: true, roundsMax: 1, missing, prepare: prepareMemory },
];
