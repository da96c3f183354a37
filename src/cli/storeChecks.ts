import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { openConfiguredStore, systemClock } from "../app/start.ts";
import type { Config } from "../config/config.ts";
import type { Store } from "../store/store.ts";
import { clockFinding, type Finding, fine, note, wrong } from "./output/findings.ts";

/** The store as the doctor sees it: as the server does, but only to read. A registry that is not there yet is not made. */

const SLOW_MS = 100;
const PINGS = 5;

export const openReadOnly = (config: Config): Promise<Store> =>
  openConfiguredStore(config, { clock: systemClock, readsOnly: true });

/** Whether there is anything to read at all; a database must be asked. */
export const mayHaveRegistry = ({ databaseUrl, dataDir }: Config): boolean =>
  databaseUrl !== undefined || existsSync(join(dataDir, "tenderhall.sqlite"));

export async function checkStore(config: Config): Promise<readonly Finding[]> {
  const { databaseUrl, databaseReadUrl, dataDir } = config;
  const where = databaseUrl ? "DATABASE_URL" : `DATA_DIR ${resolve(dataDir)}`;
  const isMissing = note(
    "store",
    `there is no registry in ${where} yet`,
    "npx --no-install tenderhall serve makes one",
  );
  if (!mayHaveRegistry(config)) return [isMissing];
  try {
    const store = await openReadOnly(config);
    try {
      const found = await storeFinding(store, where);
      if (!databaseUrl) return [found];
      const ahead = Math.round((store.clock() - systemClock()) / 1000);
      return [
        found,
        clockFinding("db clock", "the database's clock", ahead),
        ...(databaseReadUrl ? [await checkReplica(config)] : []),
      ];
    } finally {
      await store.close();
    }
  } catch (error) {
    if (messageOf(error) === NO_REGISTRY) return [isMissing];
    return [wrong("store", `${where} cannot be used: ${messageOf(error)}`, hintFor(error))];
  }
}

const NO_REGISTRY = "there is no registry in this database yet";

async function storeFinding(store: Store, where: string): Promise<Finding> {
  const rows = await store.position();
  const ms = await latencyOf(store.ping);
  const found = `${where}: ${rows} rows in the ledger, schema current, answers in ${ms.toFixed(1)} ms`;
  return ms > SLOW_MS ? note("store", found, "every write waits for this at least once") : fine("store", found);
}

/** The middle of a few. */
async function latencyOf(ping: () => Promise<void>): Promise<number> {
  const durations: number[] = [];
  for (let i = 0; i < PINGS; i++) {
    const started = performance.now();
    await ping();
    durations.push(performance.now() - started);
  }
  return durations.toSorted((a, b) => a - b)[Math.floor(PINGS / 2)]!;
}

const REPLICA_MESSAGE = /is a replica of another/;

/** A copy refuses to be taken for the original, which is how it is told. */
async function checkReplica(config: Config): Promise<Finding> {
  const { databaseReadUrl: databaseUrl } = config;
  try {
    await (await openReadOnly({ ...config, databaseUrl, databaseReadUrl: undefined })).close();
    return note("replica", "DATABASE_READ_URL leads to a database that follows no other", "it should be a replica");
  } catch (error) {
    if (REPLICA_MESSAGE.test(messageOf(error))) return fine("replica", "DATABASE_READ_URL leads to a replica");
    const then = `${hintFor(error)}; meanwhile everything is read from DATABASE_URL`;
    return wrong("replica", `DATABASE_READ_URL cannot be used: ${messageOf(error)}`, then);
  }
}

type Failure = Error & { readonly code?: string; readonly cause?: Failure; readonly errors?: readonly Failure[] };

/** Where several addresses were tried, their errors say what one error of all does not. */
const rootCauseOf = (error: unknown): Failure => {
  const failure = error as Failure;
  return failure.errors?.[0] ?? (failure.cause ? rootCauseOf(failure.cause) : failure);
};

const messageOf = (error: unknown): string => (error as Error).message || rootCauseOf(error).message;

const HINTS_BY_CODE: readonly (readonly [code: RegExp, then: string])[] = [
  [/^ECONNREFUSED$/, "nothing listens there: is PostgreSQL running, and are host and port right?"],
  [/^(ENOTFOUND|EAI_AGAIN)$/, "this machine does not know that host: is its name right?"],
  [
    /^(ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)$/,
    "nobody answers there: is the host right, and does a firewall stand between?",
  ],
  [/^28/, "user and password must be those of a role that may log in from here (pg_hba.conf)"],
  [/^3D000$/, "make the database (createdb), or name another one"],
  [/^42501$/, "the role must own what is in its schema, or be granted it"],
  [/^53300$/, "PostgreSQL has no connection left: raise max_connections, or run fewer servers"],
  [/^(EACCES|EPERM)$/, "run this as the user of the server"],
];

const HINTS_BY_MESSAGE: readonly (readonly [said: RegExp, then: string])[] = [
  [/older Tenderhall/, "a server of this version brings it up to date when it starts: make a backup before"],
  [/newer Tenderhall/, "update the program"],
  [/timeout/i, "nobody answers there: is the host right, and does a firewall stand between?"],
  [/not a database|malformed/, "the file is broken: restore a backup (npx --no-install tenderhall restore)"],
];

function hintFor(error: unknown): string {
  const { code = "" } = rootCauseOf(error);
  const [, then] =
    HINTS_BY_CODE.find(([pattern]) => pattern.test(code)) ??
    HINTS_BY_MESSAGE.find(([pattern]) => pattern.test(messageOf(error))) ??
    [];
  return then ?? "what the message names stands in the way of the server too";
}
