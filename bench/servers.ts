import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { openSchema } from "../test/support/engines.ts";
import { openTestPostgres, type Postgres, postgresPrograms } from "../test/support/postgres.ts";
import { type Child, type Children, dataDirOf, type Launching } from "./children.ts";

/** The product on each engine, with one process and with two. */
export const PRODUCTS = ["sqlite", "sqlite x2", "postgres", "postgres x2"] as const;
export type Product = (typeof PRODUCTS)[number];

/** Who may be asked to compete. Each is started when it is first asked for, and then stays. */
export type Servers = {
  readonly folder: string;
  /** Those of the product that this run can have. */
  readonly products: readonly Product[];
  readonly product: (which: Product) => Promise<Child>;
  /** Answers what it is told to, and nothing else. */
  readonly bare: () => Promise<Child>;
  /** The same with two processes. */
  readonly twoBare: () => Promise<Child>;
  readonly plainCopy: () => Promise<Child>;
  readonly slowDisk: (commits: "grouped" | "single") => Promise<Child>;
  /** Inserts rows by itself, such as those that the product has in PostgreSQL by then. */
  readonly straight: () => Promise<Child>;
  /** The product over a registry that holds so many tenders already; they are to be stopped by whoever asked. */
  readonly filled: (tenders: number) => Promise<Filled>;
  /** The product as it is told. */
  readonly another: (name: string, env: { readonly [name: string]: string }) => Promise<Child>;
  /** To be done after all servers have stopped. */
  readonly atEnd: (task: () => Promise<void>) => void;
  readonly close: () => Promise<void>;
};

export type Filled = {
  readonly servers: readonly { readonly name: Product; readonly child: Child; readonly ids: readonly string[] }[];
  readonly stop: () => Promise<void>;
};

export type ServerSettings = {
  readonly children: Children;
  readonly products: readonly Product[];
  /** For the Node of the product with one process. */
  readonly nodeArgs?: readonly string[];
};

/** Whether this machine can have a PostgreSQL. */
export const hasPostgres = async (): Promise<boolean> => (await postgresPrograms()) !== undefined;

const PRODUCT = "server.ts";

const isOnPostgres = (which: Product) => which.startsWith("postgres");

export function openServers({ children, products, nodeArgs = [] }: ServerSettings): Servers {
  const started = new Map<string, Promise<Child>>();
  const schemas = new Map<string, Promise<string>>();
  const tasks: (() => Promise<void>)[] = [];
  let postgres: Promise<Postgres> | undefined;

  function once(name: string, start: () => Promise<Child>): Promise<Child> {
    const known = started.get(name) ?? start();
    started.set(name, known);
    return known;
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

  function startProduct(which: Product, launching: Omit<Launching, "script">): Promise<Child> {
    return which.endsWith("x2")
      ? children.startMain({ ...launching, env: { ...launching.env, WORKERS: "2" } })
      : children.start({ ...launching, script: PRODUCT, nodeArgs });
  }

  async function filled(tenders: number): Promise<Filled> {
    const servers: Filled["servers"][number][] = [];
    for (const engine of ["sqlite", "postgres"]) {
      const mine = products.filter((which) => which.startsWith(engine));
      if (mine.length > 0) servers.push(...(await fillFor(mine, tenders)));
    }
    return { servers, stop: async () => void (await Promise.all(servers.map(({ child }) => child.stop()))) };
  }

  /** On PostgreSQL they share what is filled, as they may; on SQLite the second has a copy. */
  async function fillFor(mine: readonly Product[], tenders: number): Promise<Filled["servers"]> {
    const [first] = mine;
    const nameOf = (which: Product) => `${which} of many`;
    const folderOf = (which: Product) => dataDirOf(children.folder, nameOf(which));
    const env = await environmentOf(first!, nameOf(first!));
    const idsFile = join(children.folder, `${first}.ids`);
    await children.run({ name: nameOf(first!), script: "fill.ts", args: [String(tenders), idsFile], env });
    const ids = shuffled(readFileSync(idsFile, "utf8").split("\n"));
    for (const which of mine.slice(1))
      if (!isOnPostgres(which)) cpSync(folderOf(first!), folderOf(which), { recursive: true });
    const servers: Filled["servers"][number][] = [];
    for (const which of mine)
      servers.push({ name: which, child: await startProduct(which, { name: nameOf(which), env }), ids });
    return servers;
  }

  return {
    folder: children.folder,
    products,
    product: (which) =>
      once(which, async () => startProduct(which, { name: which, env: await environmentOf(which, which) })),
    bare: () => once("bare", () => startNow("bare", "bareServer.ts")),
    twoBare: () => once("bare x2", () => startNow("bare x2", "bareServer.ts", ["--two"])),
    plainCopy: () => once("plain copy", () => startNow("plain copy", "plainServer.ts")),
    slowDisk: (commits) => {
      const name = `slow disk ${commits}`;
      return once(name, () => startNow(name, PRODUCT, ["--slow-disk", ...(commits === "single" ? ["--single"] : [])]));
    },
    straight: () =>
      once("straight", async () =>
        startNow("straight", "straight.ts", [await schemaOf("postgres"), await schemaOf("straight")]),
      ),
    filled,
    another: (name, env) => startNow(name, PRODUCT, [], env),
    atEnd: (task) => void tasks.push(task),
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
