import cluster from "node:cluster";
import { type Config, checkedConfigOf, type Environment } from "./config.ts";
import { startWithDatabase } from "./databaseWait.ts";
import { segmentFor } from "./dialects/dialects.ts";
import { hasLevel, isTestOnly, mayCreate } from "./domain/actors.ts";
import { SANDBOX_ACCOUNTS } from "./http/accounts.ts";
import { type Log, openLog } from "./http/log.ts";
import { hashOf } from "./registry/secrets.ts";
import { keepMemoryLow, type Running, start, systemClock } from "./start.ts";
import { reasonOfOutage } from "./store/postgresOutage.ts";
import { Unavailable } from "./store/store.ts";
import { startWorkers, tellAbove, thisWorker, WorkerFailed } from "./workers.ts";

/** The process that serves: how it starts, what it says, how it ends. */

/** Ctrl-C reaches every process of a terminal, and whoever started us passes it on as well: within this time it is one. */
const SAME_SIGNAL_MS = 500;
const SQLITE_BUSY = 5;

export type Manner = {
  /** Where whoever cannot start it finds what there is to set. */
  readonly help: string;
  /** Only lines of JSON, and nothing for people. */
  readonly terse?: boolean;
};

/** Serves until it is told to end, which ends the process. */
export async function serveAs(environment: Environment, manner: Manner): Promise<void> {
  keepMemoryLow();
  // Sealed bids are among the data: what this process makes is for its own user.
  process.umask(0o077);
  const config = await checkedConfigOf(environment);
  if ("port" in config) await serve(config, manner);
  else fail(config, manner);
}

async function serve(config: Config, manner: Manner): Promise<void> {
  const write = (text: string) => process.stdout.write(text);
  const log = openLog(write, { info: config.logsRequests });
  const worker = thisWorker();
  const startParts = (): Promise<Running> =>
    config.workers > 1 && !worker ? startWorkers(config, log) : start(config, { clock: systemClock, log, worker });
  const running = await startWhenPossible(config, startParts, write).catch((error: Error) =>
    failStarting(reasonOf(error, config), manner),
  );
  // Before anybody reads that it listens, and may tell it to end.
  stopOnSignal(running, log);
  if (worker) tellAbove({ listening: running.url });
  else tellOf(running, config, manner, log, write);
}

/** Waits for the database where there is one; a signal meanwhile ends the process. */
async function startWhenPossible(
  config: Config,
  startParts: () => Promise<Running>,
  write: (text: string) => void,
): Promise<Running> {
  // That it waits, and for what, is said whatever is logged.
  const log = openLog(write, { info: true });
  const stop = (signal: string) => {
    // The process above says it for its workers.
    if (!cluster.isWorker) log.info("stopping", { signal });
    log.flush();
    process.exit(0);
  };
  process.on("SIGTERM", stop).on("SIGINT", stop);
  try {
    return await startWithDatabase(config, startParts, { log, listens: !cluster.isWorker });
  } finally {
    log.flush();
    process.off("SIGTERM", stop).off("SIGINT", stop);
  }
}

/** A worker leaves it to the process above to say why, once for all of them. */
function failStarting(reason: string, manner: Manner): Promise<never> {
  if (!cluster.isWorker) fail([reason], manner);
  return new Promise(() => tellAbove({ failed: reason }));
}

function tellOf(running: Running, config: Config, { terse }: Manner, log: Log, write: (text: string) => void): void {
  if (config.sandbox && !terse) write(welcome(running.url, config));
  // Where this line is the only one that says where, it comes whatever is logged.
  const telling = config.sandbox && !terse ? log : openLog(write, { info: true });
  telling.info("listening", { url: running.url, mode: config.sandbox ? "sandbox" : "production" });
  telling.flush();
}

/** The first signal lets what is in flight finish; the next one does not. */
function stopOnSignal(running: Running, log: Log): void {
  let toldAt: number | undefined;
  const stop = async (signal: string) => {
    if (toldAt !== undefined) {
      if (performance.now() - toldAt < SAME_SIGNAL_MS) return;
      log.info("stopping at once", { signal });
      log.flush();
      process.exit(1);
    }
    toldAt = performance.now();
    log.info("stopping", { signal });
    await running.stop();
    process.exit(0);
  };
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);
}

type Failure = Error & { readonly code?: string; readonly syscall?: string; readonly errcode?: number };

/** Why it did not start, beginning with the setting to change. */
function reasonOf(error: Failure, { host, port, dataDir, databaseUrl }: Config): string {
  if (error instanceof WorkerFailed) return error.message;
  switch (error.code) {
    case "EADDRINUSE":
      return `PORT ${port} is taken: choose another, for example PORT=${port + 1}`;
    case "EADDRNOTAVAIL":
      return `HOST ${host} is not an address of this machine`;
    case "S3":
      return `DOCUMENTS_URL cannot be used: ${error.message}`;
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return `HOST ${host} is not known to this machine`;
  }
  if (error.syscall === "listen")
    return `PORT ${port} of HOST ${host} may not be listened on by this user: ${error.message}`;
  if (databaseUrl && (error instanceof Unavailable || error.syscall === undefined))
    return `DATABASE_URL cannot be used: ${reasonOfOutage(error)}`;
  // Whatever keeps the lock from being taken is reported as another server; only a busy one is.
  const cause = error.cause as Failure | undefined;
  const wrong = cause?.errcode !== undefined && cause.errcode !== SQLITE_BUSY ? cause : error;
  return `DATA_DIR ${dataDir} cannot be used: ${wrong.message}`;
}

function fail(problems: readonly string[], { help }: Manner): never {
  process.stderr.write(`Tenderhall cannot start:\n${problems.map((problem) => `  - ${problem}\n`).join("")}`);
  process.stderr.write(`${help} lists every setting.\n`);
  process.exit(1);
}

/** Only what works is shown: a file of accounts may know none of the keys that everybody knows. */
function welcome(url: string, { accounts }: Config): string {
  const known = SANDBOX_ACCOUNTS.flatMap(({ key }) => {
    const account = accounts.get(hashOf(key));
    return account ? [{ key, account }] : [];
  });
  const rows = known.map(
    ({ key, account: { group, levels } }) =>
      `    ${key.padEnd(14)} ${levels === undefined ? group : `${group.padEnd(14)} levels ${levels}`}\n`,
  );
  const publishing = known.find(
    ({ account }) => mayCreate({ account }) && hasLevel({ account }, "1") && !isTestOnly({ account }),
  );
  const keys = `  Keys, to be sent as the user name of Basic authentication:\n${rows.join("")}\n`;
  const first = `  Publish your first tender:

    curl -u ${publishing?.key}: -H 'Content-Type: application/json' -d '{"data": {"title": "Hello"}}' '${url}/api/${segmentFor("basic")}/tenders?opt_pretty=1'

`;
  return `
  Tenderhall is listening on ${url}   (sandbox: keys ${known.length > 0 ? "that everybody knows" : "of ACCOUNTS_FILE"})

${known.length > 0 ? keys : ""}${publishing ? first : ""}  ${publishing ? "Then open" : "Open"} ${url}/ in a browser; guides and reference are at ${url}/docs

`;
}
