import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { openSchema } from "../test/support/engines.ts";
import { openTestPostgres, postgresPrograms, type TestPostgres } from "../test/support/postgres.ts";
import { type ChildProcesses, dataDirOf, type LaunchOptions, type ServerProcess } from "./children.ts";

/** The product on each engine, with one process and with two. */
export const PRODUCTS = ["sqlite", "sqlite x2", "postgres", "postgres x2"] as const;
export type Product = (typeof PRODUCTS)[number];

/** Who may be asked to compete. Each is started when it is first asked for, and then stays. */
export type Servers = {
  readonly folder: string;
  /** Those of the product that this run can have. */
  readonly products: readonly Product[];
  readonly product: (which: Product) => Promise<ServerProcess>;
  /** Answers what it is told to, and nothing else. */
  readonly bare: () => Promise<ServerProcess>;
  /** The same with two processes. */
  readonly bareWithTwoWorkers: () => Promise<ServerProcess>;
  readonly plainCopy: () => Promise<ServerProcess>;
  readonly slowDisk: (commits: "grouped" | "single") => Promise<ServerProcess>;
  /** Inserts rows by itself, such as those that the product has in PostgreSQL by then. */
  readonly directInserts: () => Promise<ServerProcess>;
  /** The product over a registry that holds so many tenders already; they are to be stopped by whoever asked. */
  readonly filled: (tenders: number) => Promise<FilledServers>;
  /** The product as it is told. */
  readonly startProduct: (name: string, env: { readonly [name: string]: string }) => Promise<ServerProcess>;
  /** To be done after all servers have stopped. */
  readonly onClose: (task: () => Promise<void>) => void;
  readonly close: () => Promise<void>;
};

export type FilledServers = {
  readonly servers: readonly {
    readonly name: Product;
    readonly child: ServerProcess;
    readonly ids: readonly string[];
  }[];
  readonly stop: () => Promise<void>;
};

export type ServerOptions = {
  readonly children: ChildProcesses;
  readonly products: readonly Product[];
  /** For the Node of the product with one process. */
  readonly nodeArgs?: readonly string[];
};

/** Whether this machine can have a PostgreSQL. */
export const hasPostgres = async (): Promise<boolean> => (await postgresPrograms()) !== undefined;

const PRODUCT = "server.ts";

const isOnPostgres = (which: Product) => which.startsWith("postgres");

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

  /** The address of a schema of its own. */
  function schemaOf(name: string): Promise<string> {
    const url = schemas.get(name) ?? makeSchema();
    schemas.set(name, url);
    return url;
  }

  async function makeSchema(): Promise<string> {
    postgres ??= openTestPostgres((await postgresPrograms())!);
    return (await openSchema((await postgres).url)).url;
  }

  const environmentOf = async (which: Product, name: string) =>
    isOnPostgres(which) ? { DATABASE_URL: await schemaOf(name) } : ({} as { [name: string]: string });

  function startProduct(which: Product, launchOptions: Omit<LaunchOptions, "script">): Promise<ServerProcess> {
    return which.endsWith("x2")
      ? children.startMain({ ...launchOptions, env: { ...launchOptions.env, WORKERS: "2" } })
      : children.start({ ...launchOptions, script: PRODUCT, nodeArgs });
  }

  async function filled(tenders: number): Promise<FilledServers> {
    const servers: FilledServers["servers"][number][] = [];
    for (const engine of ["sqlite", "postgres"]) {
      const ofEngine = products.filter((which) => which.startsWith(engine));
      if (ofEngine.length > 0) servers.push(...(await fillFor(ofEngine, tenders)));
    }
    return { servers, stop: async () => void (await Promise.all(servers.map(({ child }) => child.stop()))) };
  }

  /** On PostgreSQL they share what is filled, as they may; on SQLite the second has a copy. */
  async function fillFor(ofEngine: readonly Product[], tenders: number): Promise<FilledServers["servers"]> {
    const [first] = ofEngine;
    const nameOf = (which: Product) => `${which} of many`;
    const folderOf = (which: Product) => dataDirOf(children.folder, nameOf(which));
    const env = await environmentOf(first!, nameOf(first!));
    const idsFile = join(children.folder, `${first}.ids`);
    await children.run({ name: nameOf(first!), script: "fill.ts", args: [String(tenders), idsFile], env });
    const ids = shuffled(readFileSync(idsFile, "utf8").split("\n"));
    for (const which of ofEngine.slice(1))
      if (!isOnPostgres(which)) cpSync(folderOf(first!), folderOf(which), { recursive: true });
    const servers: FilledServers["servers"][number][] = [];
    for (const which of ofEngine)
      servers.push({ name: which, child: await startProduct(which, { name: nameOf(which), env }), ids });
    return servers;
  }

  return {
    folder: children.folder,
    products,
    product: (which) =>
      once(which, async () => startProduct(which, { name: which, env: await environmentOf(which, which) })),
    bare: () => once("bare", () => startNow("bare", "bareServer.ts")),
    bareWithTwoWorkers: () => once("bare x2", () => startNow("bare x2", "bareServer.ts", ["--two"])),
    plainCopy: () => once("plain copy", () => startNow("plain copy", "plainServer.ts")),
    slowDisk: (commits) => {
      const name = `slow disk ${commits}`;
      return once(name, () => startNow(name, PRODUCT, ["--slow-disk", ...(commits === "single" ? ["--single"] : [])]));
    },
    directInserts: () =>
      once("straight", async () =>
        startNow("straight", "straight.ts", [await schemaOf("postgres"), await schemaOf("straight")]),
      ),
    filled,
    startProduct: (name, env) => startNow(name, PRODUCT, [], env),
    onClose: (task) => void tasks.push(task),
    close: async () => {
      await children.close();
      for (const task of tasks) await task();
      await postgres?.then((server) => server.stop());
    },
  };
}

/** The order in which they were stored would be the order in which they lie on disk. */
function shuffled<Item>(items: readonly Item[]): readonly Item[] {
  const all = [...items];
  for (let i = all.length - 1; i > 0; i--) {
    const j = Math.floor(Math.random() * (i + 1));
    [all[i], all[j]] = [all[j]!, all[i]!];
  }
  return all;
}
