import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { openConfiguredStore } from "../app/adapters.ts";
import { systemClock } from "../app/systemClock.ts";
import { errorCode, errorMessage } from "../base/errors.ts";
import type { Config } from "../config/config.ts";
import type { Store } from "../store/store.ts";
import { clockFinding, type Finding, fine, note, wrong } from "./output/findings.ts";

const SLOW_MS = 100;
const PINGS = 5;

/** Opens the store for reading. Throws if there is no registry; does not create one. */
export const openReadOnly = (config: Config): Promise<Store> =>
  openConfiguredStore(config, { clock: systemClock, readsOnly: true });

/** Whether a registry can exist. Of a PostgreSQL database only a connection can tell. */
export const mayHaveRegistry = ({ databaseUrl, dataDir }: Config): boolean =>
  databaseUrl !== undefined || existsSync(join(dataDir, "tenderhall.sqlite"));

/** Checks that the store can be read, its latency, and for PostgreSQL its clock and its replica. */
export async function checkStore(config: Config): Promise<readonly Finding[]> {
  const { databaseUrl, databaseReadUrl, dataDir } = config;
  const where = databaseUrl ? "DATABASE_URL" : `DATA_DIR ${resolve(dataDir)}`;
  const isMissing = note(
    "store",
    `there is no registry in ${where} yet`,
    "npx --no-install tenderhall serve creates it",
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
        clockFinding("db clock", "the clock of the database", ahead),
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

/** The message of the store if there is no registry. */
const NO_REGISTRY = "there is no registry in this database yet";

async function storeFinding(store: Store, where: string): Promise<Finding> {
  const rows = await store.position();
  const ms = await latencyOf(store.ping);
  const found = `${where}: ${rows} rows in the ledger, schema current, latency ${ms.toFixed(1)} ms`;
  return ms > SLOW_MS ? note("store", found, "every write takes at least this long") : fine("store", found);
}

/** The median of a few round trips, in milliseconds. */
async function latencyOf(ping: () => Promise<void>): Promise<number> {
  const durations: number[] = [];
  for (let i = 0; i < PINGS; i++) {
    const started = performance.now();
    await ping();
    durations.push(performance.now() - started);
  }
  return durations.toSorted((a, b) => a - b)[Math.floor(PINGS / 2)] ?? 0;
}

const REPLICA_MESSAGE = /is a replica of another/;

/** Opening a replica as the primary database fails with a known message, by which it is recognized. */
async function checkReplica(config: Config): Promise<Finding> {
  const { databaseReadUrl: databaseUrl } = config;
  try {
    await (await openReadOnly({ ...config, databaseUrl, databaseReadUrl: undefined })).close();
    return note("replica", "DATABASE_READ_URL is not a replica", "it must be a replica of DATABASE_URL");
  } catch (error) {
    if (REPLICA_MESSAGE.test(messageOf(error))) return fine("replica", "DATABASE_READ_URL is a replica");
    const then = `${hintFor(error)}; until then everything is read from DATABASE_URL`;
    return wrong("replica", `DATABASE_READ_URL cannot be used: ${messageOf(error)}`, then);
  }
}

/** The first error of several addresses, or the innermost cause: it has the code and message. */
function rootCauseOf(error: unknown): unknown {
  if (error instanceof AggregateError) return error.errors[0] ?? error;
  return error instanceof Error && error.cause ? rootCauseOf(error.cause) : error;
}

const messageOf = (error: unknown): string => errorMessage(error) || errorMessage(rootCauseOf(error));

const HINTS_BY_CODE: readonly (readonly [code: RegExp, then: string])[] = [
  [/^ECONNREFUSED$/, "nothing listens there: check that PostgreSQL runs, and the host and port"],
  [/^(ENOTFOUND|EAI_AGAIN)$/, "the host is unknown: check its name"],
  [/^(ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)$/, "no response: check the host and the firewall"],
  [/^28/, "check user and password, and that the role may log in from here (pg_hba.conf)"],
  [/^3D000$/, "create the database (createdb), or use another one"],
  [/^42501$/, "the role must own the tables in its schema, or have privileges on them"],
  [/^53300$/, "PostgreSQL has no free connections: raise max_connections, or run fewer servers"],
  [/^(EACCES|EPERM)$/, "run this as the user of the server"],
];

const HINTS_BY_MESSAGE: readonly (readonly [message: RegExp, then: string])[] = [
  [/older Tenderhall/, "a server of this version migrates it at startup: make a backup first"],
  [/newer Tenderhall/, "update the program"],
  [/timeout/i, "no response: check the host and the firewall"],
  [/not a database|malformed/, "the file is corrupt: restore a backup (npx --no-install tenderhall restore)"],
];

function hintFor(error: unknown): string {
  const code = errorCode(rootCauseOf(error)) ?? "";
  const [, then] =
    HINTS_BY_CODE.find(([pattern]) => pattern.test(code)) ??
    HINTS_BY_MESSAGE.find(([pattern]) => pattern.test(messageOf(error))) ??
    [];
  return then ?? "the server would fail in the same way";
}
