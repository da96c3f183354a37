import type { Child, Children } from "./children.ts";
import { type Load, measure } from "./load.ts";
import type { CannedAnswers } from "./messages.ts";
import { answerTo, bytesOf, headOf, type Request } from "./requests.ts";
import type { Product, Servers } from "./servers.ts";

/** What a row of the bench is made of. */

export type Target = { readonly atLeast: number } | { readonly atMost: number };

export type Sample = {
  readonly value: number;
  /** Processor time of its processes for each request. */
  readonly cpuMicros?: number | undefined;
  /** What else the row reports of it. */
  readonly also?: number;
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
  readonly server?: Child;
};

export type Row = {
  readonly unit: "req/s" | "MB/s" | "rows/s" | "changes/s" | "ms" | "MiB";
  /** What exactly stands against what. */
  readonly compared: string;
  readonly contestants: readonly Contestant[];
  /** What `also` of its samples is. */
  readonly also?: string;
  /** Without a load there is nobody whose being busy could be in the way. */
  readonly isUnloaded?: true;
  readonly end?: () => Promise<void>;
};

/** What a row is prepared with. */
export type Stage = {
  readonly servers: Servers;
  readonly children: Children;
  /** How many tenders "many" are. */
  readonly tenders: number;
  readonly seeded: { readonly folder: string | undefined; readonly url: string | undefined };
};

export type Plan = {
  readonly name: string;
  readonly hasTarget?: true;
  /** For what takes long, or says the same each time. */
  readonly roundsMax?: number;
  /** Why it cannot be measured in this run, where it cannot. */
  readonly missing?: (stage: Pick<Stage, "seeded"> & { readonly hasPostgres: boolean }) => string | undefined;
  readonly prepare: (stage: Stage) => Promise<Row>;
};

export const CONNECTIONS = 32;

/** A body that is not text is taken to be the same for all of them. */
export function loadOf(url: string, requests: readonly Request[], connections = CONNECTIONS): Load {
  const { body } = requests[0]!;
  const tail = body instanceof Buffer ? body : undefined;
  const ready = requests.map((request) => (tail ? headOf : bytesOf)(url, request));
  let i = 0;
  return { url, connections, expected: statusOf(requests[0]!), next: () => ready[i++ % ready.length]!, tail };
}

export const statusOf = ({ method }: Request): number => (method === "POST" ? 201 : 200);

type Judged = Pick<Contestant, "against" | "target">;

/** A server under a load; `inUnits` makes other units of requests a second. */
export function underLoad(
  name: string,
  server: Child,
  load: Load,
  judged: Judged = {},
  inUnits = (perSecond: number) => perSecond,
): Contestant {
  const run = async (seconds: number): Promise<Sample> => {
    const before = await server.used();
    const measured = await measure(load, seconds);
    failOn(name, measured.errors);
    const after = await server.used();
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
export const AGAINST: { readonly [product in Product]: string } = {
  sqlite: "bare",
  "sqlite x2": "sqlite",
  postgres: "bare",
  "postgres x2": "postgres",
};

type Asking = { readonly name: Product; readonly child: Child; readonly requests: readonly Request[] };

/**
 * Every product under such requests, and the bare server, which answers what the first of them answered to the first. Where
 * two workers have a target, two bare ones show what the machine has to give.
 */
export async function sideBySide(
  stage: Stage,
  requestsFor: (url: string) => Promise<readonly Request[]>,
  targets: Targets = {},
): Promise<readonly Contestant[]> {
  const { servers } = stage;
  const children = new Map<Product, Child>();
  for (const name of servers.products) children.set(name, await servers.product(name));
  const asking = await Promise.all(
    [...children].map(async ([name, child]) => ({ name, child, requests: await requestsFor(child.url) })),
  );
  return againstBare(stage, asking, targets);
}

export async function againstBare(
  { servers }: Stage,
  asking: readonly Asking[],
  targets: Targets,
): Promise<readonly Contestant[]> {
  const [first] = asking;
  const limit = async (name: string, server: Child, judged: Judged = {}) => {
    await teach(server, first!.child, first!.requests[0]!);
    return underLoad(name, server, loadOf(server.url, first!.requests), judged);
  };
  const aimsAtTwo = targets["sqlite x2"] && servers.products.includes("sqlite x2");
  return [
    await limit("bare", await servers.bare()),
    ...(aimsAtTwo ? [await limit("bare x2", await servers.twoBare(), { against: "bare" })] : []),
    ...asking.map(({ name, child, requests }) =>
      underLoad(name, child, loadOf(child.url, requests), { against: AGAINST[name], target: targets[name] }),
    ),
  ];
}

/** Has the bare server answer as the product does, and makes sure that it does so to the byte. */
async function teach(bare: Child, product: Child, request: Request): Promise<void> {
  const answer = await answerTo(product.url, request);
  if (answer.status !== statusOf(request)) throw new Error(`${request.path}: ${answer.status} ${answer.body}`);
  const answers: CannedAnswers = { [request.method]: answer };
  await bare.tell({ answers });
  const given = await answerTo(bare.url, request);
  if (JSON.stringify(given) !== JSON.stringify(answer)) throw new Error("the bare server answers something else");
}
