import type { ChildProcesses, ServerProcess } from "./children.ts";
import { type Load, measure } from "./load.ts";
import type { CannedResponses } from "./messages.ts";
import { type BenchRequest, fetchCanned, requestBytes, requestHead } from "./requests.ts";
import type { Product, Servers } from "./servers.ts";

/** What a row of the bench is made of. */

export type Target = { readonly atLeast: number } | { readonly atMost: number };

export type Sample = {
  readonly value: number;
  /** Processor time of its processes for each request. */
  readonly cpuMicros?: number | undefined;
  /** What else the row reports of it. */
  readonly extra?: number;
};

export type Contestant = {
  readonly name: string;
  /** One round. */
  readonly run: (seconds: number) => Promise<Sample>;
  /** The other contestant of the row that it is held against. */
  readonly against?: string;
  /** For the ratio to the other; where there is none, for the value itself. */
  readonly target?: Target | undefined;
  /** Whose time it is that a profile is made of. */
  readonly server?: ServerProcess;
};

export type BenchRow = {
  readonly unit: "req/s" | "MB/s" | "rows/s" | "changes/s" | "ms" | "MiB";
  /** What exactly stands against what. */
  readonly compared: string;
  readonly contestants: readonly Contestant[];
  /** What `also` of its samples is. */
  readonly extraLabel?: string;
  /** Without a load there is nobody whose being busy could be in the way. */
  readonly isUnloaded?: true;
  readonly end?: () => Promise<void>;
};

/** What a row is prepared with. */
export type RowContext = {
  readonly servers: Servers;
  readonly children: ChildProcesses;
  /** How many tenders "many" are. */
  readonly tenders: number;
  readonly seeded: { readonly folder: string | undefined; readonly url: string | undefined };
};

export type RowPlan = {
  readonly name: string;
  readonly hasTarget?: true;
  /** For what takes long, or says the same each time. */
  readonly roundsMax?: number;
  /** Why it cannot be measured in this run, where it cannot. */
  readonly missing?: (stage: Pick<RowContext, "seeded"> & { readonly hasPostgres: boolean }) => string | undefined;
  readonly prepare: (stage: RowContext) => Promise<BenchRow>;
};

export const CONNECTIONS = 32;

/** A body that is not text is taken to be the same for all of them. */
export function loadOf(url: string, requests: readonly BenchRequest[], connections = CONNECTIONS): Load {
  const { body } = requests[0]!;
  const tail = body instanceof Buffer ? body : undefined;
  const ready = requests.map((request) => (tail ? requestHead : requestBytes)(url, request));
  let i = 0;
  return { url, connections, expected: statusOf(requests[0]!), next: () => ready[i++ % ready.length]!, tail };
}

export const statusOf = ({ method }: BenchRequest): number => (method === "POST" ? 201 : 200);

type Comparison = Pick<Contestant, "against" | "target">;

/** A server under a load; `inUnits` makes other units of requests a second. */
export function underLoad(
  name: string,
  server: ServerProcess,
  load: Load,
  judged: Comparison = {},
  inUnits = (perSecond: number) => perSecond,
): Contestant {
  const run = async (seconds: number): Promise<Sample> => {
    const before = await server.usage();
    const measured = await measure(load, seconds);
    failOn(name, measured.errors);
    const after = await server.usage();
    return {
      value: inUnits(measured.perSecond),
      cpuMicros: before && after && (after.cpuMicros - before.cpuMicros) / measured.answered,
    };
  };
  return { name, run, server, ...judged };
}

/** Numbers about wrong answers are worth nothing: the first error ends the bench. */
export function failOn(name: string, errors: readonly string[]): void {
  if (errors.length > 0) throw new Error(`${name} did not answer as expected:\n  ${errors.join("\n  ")}`);
}

export type Targets = { readonly [product in Product]?: Target };

/** One process is held against the limit, two are held against one. */
export const BASELINES: { readonly [product in Product]: string } = {
  sqlite: "bare",
  "sqlite x2": "sqlite",
  postgres: "bare",
  "postgres x2": "postgres",
};

type ProductRequests = {
  readonly name: Product;
  readonly child: ServerProcess;
  readonly requests: readonly BenchRequest[];
};

/**
 * Every product under such requests, and the bare server, which answers what the first of them answered to the first. Where
 * two workers have a target, two bare ones show what the machine has to give.
 */
export async function compareProducts(
  stage: RowContext,
  requestsFor: (url: string) => Promise<readonly BenchRequest[]>,
  targets: Targets = {},
): Promise<readonly Contestant[]> {
  const { servers } = stage;
  const children = new Map<Product, ServerProcess>();
  for (const name of servers.products) children.set(name, await servers.product(name));
  const asking = await Promise.all(
    [...children].map(async ([name, child]) => ({ name, child, requests: await requestsFor(child.url) })),
  );
  return compareWithBare(stage, asking, targets);
}

export async function compareWithBare(
  { servers }: RowContext,
  productRequests: readonly ProductRequests[],
  targets: Targets,
): Promise<readonly Contestant[]> {
  const [first] = productRequests;
  const bareContestant = async (name: string, server: ServerProcess, judged: Comparison = {}) => {
    await configureBare(server, first!.child, first!.requests[0]!);
    return underLoad(name, server, loadOf(server.url, first!.requests), judged);
  };
  const aimsAtTwo = targets["sqlite x2"] && servers.products.includes("sqlite x2");
  return [
    await bareContestant("bare", await servers.bare()),
    ...(aimsAtTwo ? [await bareContestant("bare x2", await servers.bareWithTwoWorkers(), { against: "bare" })] : []),
    ...productRequests.map(({ name, child, requests }) =>
      underLoad(name, child, loadOf(child.url, requests), { against: BASELINES[name], target: targets[name] }),
    ),
  ];
}

/** Has the bare server answer as the product does, and makes sure that it does so to the byte. */
async function configureBare(bare: ServerProcess, product: ServerProcess, request: BenchRequest): Promise<void> {
  const answer = await fetchCanned(product.url, request);
  if (answer.status !== statusOf(request)) throw new Error(`${request.path}: ${answer.status} ${answer.body}`);
  const answers: CannedResponses = { [request.method]: answer };
  await bare.send({ answers });
  const actual = await fetchCanned(bare.url, request);
  if (JSON.stringify(actual) !== JSON.stringify(answer)) throw new Error("the bare server answers something else");
}
