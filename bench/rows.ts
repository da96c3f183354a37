import type { ChildProcesses, ServerProcess } from "./children.ts";
import { type Load, measure } from "./load.ts";
import type { CannedResponses } from "./messages.ts";
import { type BenchRequest, fetchCanned, requestBytes, requestHead } from "./requests.ts";
import type { Product, Servers } from "./servers.ts";

/** The bound that a value or ratio must meet. */
export type Target = { readonly atLeast: number } | { readonly atMost: number };

/** The result of a contestant in one round. */
export type Sample = {
  /** In the unit of the row. */
  readonly value: number;
  /** The processor time for each request in microseconds. */
  readonly cpuMicros?: number | undefined;
  /** The additional value that the row's `extraLabel` describes. */
  readonly extra?: number;
};

/** What a row measures and compares. */
export type Contestant = {
  readonly name: string;
  /** Runs one round. */
  readonly run: (seconds: number) => Promise<Sample>;
  /** The name of the contestant that it is compared with. */
  readonly against?: string;
  /** Another one, for a ratio in the notes that has no target. */
  readonly alsoAgainst?: string | undefined;
  /** The target for the ratio to `against`, or for the value itself without `against`. */
  readonly target?: Target | undefined;
  /** The server to profile. */
  readonly server?: ServerProcess;
};

/** A prepared row. */
export type BenchRow = {
  readonly unit: "req/s" | "MB/s" | "rows/s" | "changes/s" | "ms" | "us" | "MiB" | "KB";
  /** What exactly is compared, for the notes below the table. */
  readonly compared: string;
  readonly contestants: readonly Contestant[];
  /** What `extra` of its samples is. */
  readonly extraLabel?: string;
  /** Whether the row has no load generator that could be a bottleneck. */
  readonly isUnloaded?: true;
  /** Whether each round starts a server of its own, so that a warm-up before the rounds has no effect. */
  readonly startsServers?: true;
  readonly end?: () => Promise<void>;
};

/** What a row is prepared with. */
export type RowContext = {
  readonly servers: Servers;
  readonly children: ChildProcesses;
  /** The number of tenders in rows with many tenders. */
  readonly tenders: number;
  readonly seeded: { readonly folder: string | undefined; readonly url: string | undefined };
};

/** A row that can be measured. */
export type RowPlan = {
  readonly name: string;
  readonly hasTarget?: true;
  /** A lower number of rounds, for rows that take long or vary little. */
  readonly roundsMax?: number;
  /** Why the row cannot be measured in this run, or undefined. */
  readonly missing?: (context: Pick<RowContext, "seeded"> & { readonly hasPostgres: boolean }) => string | undefined;
  readonly prepare: (context: RowContext) => Promise<BenchRow>;
};

/** The default number of connections. */
export const CONNECTIONS = 32;

/** A load that repeats these requests. A binary body must be the same for all of them. */
export function loadOf(url: string, requests: readonly BenchRequest[], connections = CONNECTIONS): Load {
  const { body } = requests[0]!;
  const tail = body instanceof Buffer ? body : undefined;
  const ready = requests.map((request) => (tail ? requestHead : requestBytes)(url, request));
  let i = 0;
  return { url, connections, expected: statusOf(requests[0]!), next: () => ready[i++ % ready.length]!, tail };
}

/** The status that the product returns for a successful request. */
export const statusOf = ({ method }: BenchRequest): number => (method === "POST" ? 201 : 200);

type Comparison = Pick<Contestant, "against" | "alsoAgainst" | "target">;

/** A contestant: a server under a load. `inUnits` converts requests per second to the unit of the row. */
export function underLoad(
  name: string,
  server: ServerProcess,
  load: Load,
  comparison: Comparison = {},
  inUnits = (perSecond: number) => perSecond,
): Contestant {
  const run = async (seconds: number): Promise<Sample> => {
    const before = await server.usage();
    const measured = await measure(load, seconds);
    failOn(name, measured.errors);
    const after = await server.usage();
    return {
      value: inUnits(measured.perSecond),
      cpuMicros: before && after && (after.cpuMicros - before.cpuMicros) / measured.responses,
    };
  };
  return { name, run, server, ...comparison };
}

/** The same contestant, measured by the processor time of a request. */
export const inProcessorTime = (contestant: Contestant): Contestant => ({
  ...contestant,
  run: async (seconds) => {
    const sample = await contestant.run(seconds);
    if (sample.cpuMicros === undefined) throw new Error(`the processor time of ${contestant.name} is unknown`);
    return { ...sample, value: sample.cpuMicros };
  },
});

/** Throws if there were errors: measurements of wrong responses are useless. */
export function failOn(name: string, errors: readonly string[]): void {
  if (errors.length > 0) throw new Error(`${name} returned unexpected responses:\n  ${errors.join("\n  ")}`);
}

/** The targets of the products. */
export type Targets = { readonly [product in Product]?: Target };

const BARE = "bare";

/** What each product is compared with: one process with the bare server, two processes with one. */
export const BASELINES: { readonly [product in Product]: string } = {
  sqlite: BARE,
  "sqlite x2": "sqlite",
  postgres: BARE,
  "postgres x2": "postgres",
};

type ProductRequests = {
  readonly name: Product;
  readonly child: ServerProcess;
  readonly requests: readonly BenchRequest[];
};

/**
 * The contestants of a row: every product under the given requests, and the bare server, which returns the response of the first
 * product to the first request. If two workers have a target, two bare processes show the limit of the machine.
 */
export async function compareProducts(
  context: RowContext,
  requestsFor: (url: string) => Promise<readonly BenchRequest[]>,
  targets: Targets = {},
): Promise<readonly Contestant[]> {
  const { servers } = context;
  const children = new Map<Product, ServerProcess>();
  for (const name of servers.products) children.set(name, await servers.product(name));
  const productRequests = await Promise.all(
    [...children].map(async ([name, child]) => ({ name, child, requests: await requestsFor(child.url) })),
  );
  return compareWithBare(context, productRequests, targets);
}

/** Like `compareProducts`, for servers that are already running. */
export async function compareWithBare(
  { servers }: RowContext,
  productRequests: readonly ProductRequests[],
  targets: Targets,
): Promise<readonly Contestant[]> {
  const [first] = productRequests;
  const firstRequest = first?.requests[0];
  if (!firstRequest) throw new Error("there are no requests to compare");
  const bareContestant = async (name: string, server: ServerProcess, comparison: Comparison = {}) => {
    await configureBare(server, first.child, firstRequest);
    return underLoad(name, server, loadOf(server.url, first.requests), comparison);
  };
  const hasTwoWorkersTarget = targets["sqlite x2"] && servers.products.includes("sqlite x2");
  return [
    await bareContestant(BARE, await servers.bare()),
    ...(hasTwoWorkersTarget
      ? [await bareContestant("bare x2", await servers.bareWithTwoWorkers(), { against: BARE })]
      : []),
    ...productRequests.map(({ name, child, requests }) =>
      underLoad(name, child, loadOf(child.url, requests), {
        against: BASELINES[name],
        alsoAgainst: BASELINES[name] === BARE ? undefined : BARE,
        target: targets[name],
      }),
    ),
  ];
}

/** Makes the bare server return the response of the product, and checks that it does so byte for byte. */
async function configureBare(bare: ServerProcess, product: ServerProcess, request: BenchRequest): Promise<void> {
  const expected = await fetchCanned(product.url, request);
  if (expected.status !== statusOf(request)) throw new Error(`${request.path}: ${expected.status} ${expected.body}`);
  const responses: CannedResponses = { [request.method]: expected };
  await bare.send({ responses });
  const actual = await fetchCanned(bare.url, request);
  if (JSON.stringify(actual) !== JSON.stringify(expected)) throw new Error("the response of the bare server differs");
}
