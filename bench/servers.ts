import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { openSchema } from "../test/support/engines.ts";
import { openTestPostgres, postgresPrograms, type TestPostgres } from "../test/support/postgres.ts";
import { type ChildProcesses, dataDirOf, type LaunchOptions, type ServerProcess } from "./children.ts";

/** The product on each engine, with one worker and with two. */
export const PRODUCTS = ["sqlite", "sqlite x2", "postgres", "postgres x2"] as const;
export type Product = (typeof PRODUCTS)[number];

/** The servers of the bench. Each is started on first use and runs until `close`, unless stated otherwise. */
export type Servers = {
  readonly folder: string;
  /** The products that can run on this machine. */
  readonly products: readonly Product[];
  readonly product: (product: Product) => Promise<ServerProcess>;
  /** The bare server: returns canned responses. */
  readonly bare: () => Promise<ServerProcess>;
  /** The bare server with two processes. */
  readonly bareWithTwoWorkers: () => Promise<ServerProcess>;
  /** The baseline for documents: copies files. */
  readonly plainCopy: () => Promise<ServerProcess>;
  /** The product with slow commits, grouped or one by one. */
  readonly slowDisk: (commits: "grouped" | "single") => Promise<ServerProcess>;
  /** Inserts the rows of the product into PostgreSQL directly; see directInserts.ts. */
  readonly directInserts: () => Promise<ServerProcess>;
  /** Starts the products on registries with so many tenders. The caller stops them. */
  readonly filled: (tenders: number) => Promise<FilledServers>;
  /** Starts the product with these settings and arguments of server.ts. */
  readonly startProduct: (
    name: string,
    env: { readonly [name: string]: string },
    args?: readonly string[],
  ) => Promise<ServerProcess>;
  /** The URL of a PostgreSQL schema with this name, created on first use. */
  readonly schemaUrl: (name: string) => Promise<string>;
  /** Adds a task to run after all servers have stopped. */
  readonly onClose: (task: () => Promise<void>) => void;
  readonly close: () => Promise<void>;
};

/** Servers on registries with many tenders, and the ids of those in random order. */
export type FilledServers = {
  readonly servers: readonly {
    readonly name: Product;
    readonly child: ServerProcess;
    readonly ids: readonly string[];
  }[];
  readonly stop: () => Promise<void>;
};

/** The options of `openServers`. */
export type ServerOptions = {
  readonly children: ChildProcesses;
  readonly products: readonly Product[];
  /** Arguments for the Node of products with one worker. */
  readonly nodeArgs?: readonly string[];
};

/** Whether PostgreSQL can run on this machine. */
export const hasPostgres = async (): Promise<boolean> => (await postgresPrograms()) !== undefined;

const PRODUCT = "server.ts";

const isOnPostgres = (product: Product) => product.startsWith("postgres");

/** Creates the servers of a run; starts none yet. */
export function openServers({ children, products, nodeArgs = [] }: ServerOptions): Servers {
  const started = new Map<string, Promise<ServerProcess>>();
  const schemas = new Map<string, Promise<string>>();
  const tasks: (() => Promise<void>)[] = [];
  let postgres: Promise<TestPostgres> | undefined;

  function once(name: string, start: () => Promise<ServerProcess>): Promise<ServerProcess> {
    const server = started.get(name) ?? start();
    started.set(name, server);
    return server;
  }

  const startNow = (name: string, script: string, args: readonly string[] = [], env = {}) =>
    children.start({ name, script, args, env, nodeArgs: script === PRODUCT ? nodeArgs : [] });

  /** The URL of a PostgreSQL schema with this name, created on first use. */
  function schemaOf(name: string): Promise<string> {
    const url = schemas.get(name) ?? createSchema();
    schemas.set(name, url);
    return url;
  }

  async function createSchema(): Promise<string> {
    postgres ??= openTestPostgres((await postgresPrograms())!);
    return (await openSchema((await postgres).url)).url;
  }

  const environmentOf = async (product: Product, name: string) =>
    isOnPostgres(product) ? { DATABASE_URL: await schemaOf(name) } : ({} as { [name: string]: string });

  function startProduct(product: Product, launchOptions: Omit<LaunchOptions, "script">): Promise<ServerProcess> {
    return product.endsWith("x2")
      ? children.startMain({ ...launchOptions, env: { ...launchOptions.env, WORKERS: "2" } })
      : children.start({ ...launchOptions, script: PRODUCT, nodeArgs });
  }

  async function filled(tenders: number): Promise<FilledServers> {
    const servers: FilledServers["servers"][number][] = [];
    for (const engine of ["sqlite", "postgres"]) {
      const ofEngine = products.filter((product) => product.startsWith(engine));
      if (ofEngine.length > 0) servers.push(...(await fillFor(ofEngine, tenders)));
    }
    return { servers, stop: async () => void (await Promise.all(servers.map(({ child }) => child.stop()))) };
  }

  /** Fills a registry for one engine. On PostgreSQL the products share it; on SQLite each has a copy. */
  async function fillFor(ofEngine: readonly Product[], tenders: number): Promise<FilledServers["servers"]> {
    const [first] = ofEngine;
    const nameOf = (product: Product) => `${product} of many`;
    const folderOf = (product: Product) => dataDirOf(children.folder, nameOf(product));
    const env = await environmentOf(first!, nameOf(first!));
    const idsFile = join(children.folder, `${first}.ids`);
    await children.run({ name: nameOf(first!), script: "fill.ts", args: [String(tenders), idsFile], env });
    const ids = shuffled(readFileSync(idsFile, "utf8").split("\n"));
    for (const product of ofEngine.slice(1))
      if (!isOnPostgres(product)) cpSync(folderOf(first!), folderOf(product), { recursive: true });
    const servers: FilledServers["servers"][number][] = [];
    for (const product of ofEngine)
      servers.push({ name: product, child: await startProduct(product, { name: nameOf(product), env }), ids });
    return servers;
  }

  return {
    folder: children.folder,
    products,
    product: (product) =>
      once(product, async () => startProduct(product, { name: product, env: await environmentOf(product, product) })),
    bare: () => once("bare", () => startNow("bare", "bareServer.ts")),
    bareWithTwoWorkers: () => once("bare x2", () => startNow("bare x2", "bareServer.ts", ["--two"])),
    plainCopy: () => once("plain copy", () => startNow("plain copy", "plainServer.ts")),
    slowDisk: (commits) => {
      const name = `slow disk ${commits}`;
      return once(name, () => startNow(name, PRODUCT, ["--slow-disk", ...(commits === "single" ? ["--single"] : [])]));
    },
    directInserts: () =>
      once("direct inserts", async () =>
        startNow("direct inserts", "directInserts.ts", [await schemaOf("postgres"), await schemaOf("direct inserts")]),
      ),
    filled,
    startProduct: (name, env, args = []) => startNow(name, PRODUCT, args, env),
    schemaUrl: schemaOf,
    onClose: (task) => void tasks.push(task),
    close: async () => {
      await children.close();
      for (const task of tasks) await task();
      await postgres?.then((server) => server.stop());
    },
  };
}

/** A random order: the order of insertion is also the order on disk, which would be unrealistically fast to read. */
export function shuffled<Item>(items: readonly Item[]): readonly Item[] {
  const all = [...items];
  for (let i = all.length - 1; i > 0; i--) {
    const j = Math.floor(Math.random() * (i + 1));
    [all[i], all[j]] = [all[j]!, all[i]!];
  }
  return all;
}
