import { readFileSync } from "node:fs";
import { join } from "node:path";
import { tenderBody } from "../bodies.ts";
import { type ChildProcesses, dataDirOf } from "../children.ts";
import type { Load } from "../load.ts";
import { type BenchRequest, type PublishedTender, publish } from "../requests.ts";
import { tenderAt } from "../rows/reads.ts";
import { placeBids } from "../rows/writeCosts.ts";
import { bidRequest, publishForBids, publishRequest } from "../rows/writes.ts";
import { CONNECTIONS, loadOf } from "../rows.ts";
import { shuffled } from "../servers.ts";
import type { ChartName } from "./figures.ts";

/** The registries that the charts are measured on: each has a server, and loads for some points of a chart. */

/** The requests of one point of a chart. */
export type PointRequests = {
  readonly x: number;
  readonly connections: number;
  readonly write: readonly BenchRequest[];
  /** Ends each round of writes after so many, because they change what is measured. */
  readonly writesMax?: number;
  /** Tenders that are read in turn. */
  readonly reads: readonly BenchRequest[];
};

/** A registry: the name and settings of its server, and what is sent to it. */
export type MeasuredRegistry = {
  readonly name: string;
  readonly env: { readonly [name: string]: string };
  /** Fills the registry before its server starts. */
  readonly fill?: () => Promise<void>;
  readonly prepare: (url: string) => Promise<readonly PointRequests[]>;
};

/** What the registries depend on. `tendersMax` is the largest registry. */
export type RegistryOptions = { readonly children: ChildProcesses; readonly tendersMax: number };

const READ_TENDERS = 500;
const CONNECTION_NUMBERS = [1, 2, 8, 32, 128];
const WORKER_NUMBERS = [1, 2, 4];
const SMALLEST = 100;

/** The number of bids, and on how many tenders: few bids need many tenders, so that a round adds less than one bid to each. */
const BID_NUMBERS: readonly { readonly bids: number; readonly tenders: number }[] = [
  { bids: 1, tenders: 400 },
  { bids: 10, tenders: 200 },
  { bids: 100, tenders: 40 },
  { bids: 300, tenders: 20 },
  { bids: 1000, tenders: 20 },
];
const BIDS_PER_ROUND = 160;

/** The registries of each chart. */
export const REGISTRIES: { readonly [chart in ChartName]: (options: RegistryOptions) => readonly MeasuredRegistry[] } =
  {
    tenders: ({ children, tendersMax }) => sizesUpTo(tendersMax).map((size) => filledRegistry(children, size)),
    bids: () => [{ name: "charts bids", env: { BIDS_PER_ACCOUNT_MAX: "10000" }, prepare: prepareBids }],
    connections: () => [
      {
        name: "charts connections",
        env: {},
        prepare: async (url) => {
          const reads = await publishedReads(url);
          return CONNECTION_NUMBERS.map((connections) => ({
            x: connections,
            connections,
            write: [publishRequest()],
            reads,
          }));
        },
      },
    ],
    workers: () =>
      WORKER_NUMBERS.map((workers) => ({
        name: `charts workers ${workers}`,
        env: { WORKERS: String(workers) },
        prepare: async (url) => [await pointOf(url, workers)],
      })),
  };

/** Powers of ten from 100, and the largest size itself. */
export function sizesUpTo(tendersMax: number): readonly number[] {
  const sizes: number[] = [];
  for (let size = SMALLEST; size < tendersMax; size *= 10) sizes.push(size);
  return [...sizes, tendersMax];
}

const publishedReads = async (url: string): Promise<readonly BenchRequest[]> =>
  (await publish(url, READ_TENDERS, tenderBody())).map(({ id }) => tenderAt(id));

const pointOf = async (url: string, x: number): Promise<PointRequests> => ({
  x,
  connections: CONNECTIONS,
  write: [publishRequest()],
  reads: await publishedReads(url),
});

function filledRegistry(children: ChildProcesses, size: number): MeasuredRegistry {
  const name = `charts tenders ${size}`;
  const idsFile = join(children.folder, `${size}.ids`);
  return {
    name,
    env: { DATA_DIR: dataDirOf(children.folder, name) },
    fill: () =>
      children.run({
        name: `${name} fill`,
        script: "fill.ts",
        args: [String(size), idsFile],
        env: { DATA_DIR: dataDirOf(children.folder, name) },
      }),
    prepare: async () => {
      const ids = readFileSync(idsFile, "utf8").split("\n");
      const reads = shuffled(ids).slice(0, READ_TENDERS).map(tenderAt);
      return [{ x: size, connections: CONNECTIONS, write: [publishRequest()], reads }];
    },
  };
}

async function prepareBids(url: string): Promise<readonly PointRequests[]> {
  const total = BID_NUMBERS.reduce((sum, { tenders }) => sum + tenders, 0);
  const published = await publishForBids(url, total);
  const points: PointRequests[] = [];
  let from = 0;
  for (const { bids, tenders } of BID_NUMBERS) {
    const own: readonly PublishedTender[] = published.slice(from, from + tenders);
    from += tenders;
    await placeBids(url, own, bids);
    points.push({
      x: bids,
      connections: CONNECTIONS,
      write: own.map(bidRequest),
      writesMax: BIDS_PER_ROUND,
      reads: own.map(({ id }) => tenderAt(id)),
    });
  }
  return points;
}

/** The load of the writes of a point. */
export const writeLoad = (url: string, { write, connections, writesMax }: PointRequests): Load => ({
  ...loadOf(url, write, connections),
  ...(writesMax && { requestsMax: writesMax }),
});
