import { setTimeout as pause } from "node:timers/promises";
import { openSchema } from "../../test/support/engines.ts";
import { freePort } from "../../test/support/ports.ts";
import { tenderBody } from "../bodies.ts";
import { type Child, dataDirOf } from "../children.ts";
import { answerTo, dataOf, publish, type Request, TENDERS } from "../requests.ts";
import { type Contestant, loadOf, type Plan, type Row, type Stage, type Target, underLoad } from "../rows.ts";
import { FIRST_PAGE, tenderAt } from "./reads.ts";
import { patchRequests, publication } from "./writes.ts";

/** A registry with very many tenders, made before by `npm run seed`, against one with few on the same engine. */

type Environment = { readonly [name: string]: string };
type Engine = {
  readonly name: string;
  readonly seeded: Environment;
  /** A new registry on the same engine. */
  readonly another: (name: string) => Promise<Environment>;
};

const FEW = 1000;
/** Slower by at most 1.3 times. */
const TARGET: Target = { atLeast: 0.77 };
const RSS_MIB_MAX = 300;
const MIB = 1024 * 1024;

function enginesOf({ seeded, children, servers }: Stage): readonly Engine[] {
  const folder = (name: string) => ({ DATA_DIR: dataDirOf(children.folder, name) });
  const schema = async (beside: string) => {
    const { url, drop } = await openSchema(beside);
    servers.atEnd(drop);
    return { DATABASE_URL: url };
  };
  const engines: Engine[] = [];
  if (seeded.folder)
    engines.push({ name: "sqlite", seeded: { DATA_DIR: seeded.folder }, another: async (name) => folder(name) });
  const { url } = seeded;
  if (url)
    engines.push({
      name: "postgres",
      seeded: { ...folder("seeded postgres"), DATABASE_URL: url },
      another: async (name) => ({ ...folder(name), ...(await schema(url)) }),
    });
  return engines;
}

type Open = {
  readonly engine: string;
  readonly large: Child;
  readonly small: Child;
  /** As the small one, with nothing kept in memory. */
  readonly forgetful: Child;
};

let open: Promise<readonly Open[]> | undefined;

/** Servers on all of them; they stay for the rows to come. */
function serversOf(stage: Stage): Promise<readonly Open[]> {
  open ??= openAll(stage);
  return open;
}

/** Those with few tenders are seeded by the same command, so their tenders are of the same sizes. */
async function openAll(stage: Stage): Promise<readonly Open[]> {
  const { children, servers } = stage;
  const opened: Open[] = [];
  for (const { name, seeded, another } of enginesOf(stage)) {
    const few = `few on ${name}`;
    const env = await another(few);
    await children.run({ name: few, script: "../scripts/seed.ts", args: ["--tenders", String(FEW)], env });
    opened.push({
      engine: name,
      large: await servers.another(`seeded ${name}`, seeded),
      small: await servers.another(few, env),
      forgetful: await servers.another(`forgetful ${few}`, await forgetfulOf(stage, `forgetful ${few}`, another)),
    });
  }
  return opened;
}

async function forgetfulOf({ children }: Stage, name: string, another: Engine["another"]): Promise<Environment> {
  const env = await another(name);
  await children.run({ name, script: "../scripts/seed.ts", args: ["--tenders", String(FEW)], env });
  return { ...env, CACHE_BYTES_MAX: "0" };
}

/** The same requests on both of each pair. */
async function bothSizes(
  stage: Stage,
  compared: string,
  requestsFor: (url: string) => Promise<readonly Request[]>,
  smallOf: (one: Open) => Child = ({ small }) => small,
): Promise<Row> {
  const contestants: Contestant[] = [];
  for (const one of await serversOf(stage)) {
    const { engine, large } = one;
    const small = smallOf(one);
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

/** Tenders from all over the feed, by pages that begin at moments chosen at random. */
const tendersOf =
  (pageLength: number) =>
  async (url: string): Promise<readonly Request[]> => {
    const page = (query: string) => dataOf<readonly Entry[]>(url, { method: "GET", path: `${TENDERS}?${query}` }, 200);
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

async function memory(stage: Stage): Promise<Row> {
  const rss = async (child: Child) => ({ value: ((await child.used())?.rssBytes ?? Number.NaN) / MIB });
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

async function startUp(stage: Stage): Promise<Row> {
  const contestants: Contestant[] = [];
  for (const { name, seeded, another } of enginesOf(stage)) {
    const one = `${name}, one`;
    contestants.push(await starting(stage, one, await withOneTender(stage, one, await another(one))), {
      ...(await starting(stage, `${name}, seeded`, seeded)),
      against: one,
    });
  }
  return {
    unit: "ms",
    isUnloaded: true,
    compared:
      "from the start of the process to the first answer with a tender, against the same with one tender; src/main.ts, LOG=off",
    contestants,
  };
}

async function withOneTender({ servers }: Stage, name: string, env: Environment): Promise<Environment> {
  const server = await servers.another(name, env);
  await publish(server.url, 1, tenderBody());
  await server.stop();
  return env;
}

async function starting({ children, servers }: Stage, name: string, env: Environment): Promise<Contestant> {
  const server = await servers.another(name, env);
  const [first] = await dataOf<readonly Entry[]>(server.url, FIRST_PAGE, 200);
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

const isAnswered = (url: string, request: Request): Promise<boolean> =>
  answerTo(url, request).then(
    ({ status }) => status === 200,
    () => false,
  );

const missing: Plan["missing"] = ({ seeded }) =>
  seeded.folder || seeded.url
    ? undefined
    : "needs a seeded registry: DATA_DIR=/tmp/million npm run seed -- --tenders 1000000, then --seeded /tmp/million";

const reading = (stage: Stage) =>
  bothSizes(
    stage,
    `some 10,000 tenders from all over the registry, more than are kept in memory, against all of one with ${FEW} that keeps` +
      " nothing in memory: the cost of a tender that must be read from the database",
    tendersOf(100),
    ({ forgetful }) => forgetful,
  );
const readingFew = (stage: Stage) =>
  bothSizes(stage, "some 1,000 tenders from all over the registry, as many as the other has", tendersOf(10));
const paging = (stage: Stage) => bothSizes(stage, "the first page of the feed, likewise", async () => [FIRST_PAGE]);
const posting = (stage: Stage) => bothSizes(stage, "tenders published, likewise", async () => [publication()]);
const patching = (stage: Stage) =>
  bothSizes(stage, "1,000 tenders published for it and changed, likewise", patchRequests);

export const SEEDED: readonly Plan[] = [
  { name: "start-up, seeded", roundsMax: 5, missing, prepare: startUp },
  { name: "GET cold tender, seeded", hasTarget: true, missing, prepare: reading },
  { name: "GET 1,000 tenders, seeded", hasTarget: true, missing, prepare: readingFew },
  { name: "GET feed page, seeded", hasTarget: true, missing, prepare: paging },
  { name: "POST tender, seeded", hasTarget: true, missing, prepare: posting },
  { name: "PATCH tender, seeded", hasTarget: true, missing, prepare: patching },
  { name: "memory, seeded", hasTarget: true, roundsMax: 1, missing, prepare: memory },
];
