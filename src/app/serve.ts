import cluster from "node:cluster";
import { SANDBOX_ACCOUNTS } from "../accounts/sandboxAccounts.ts";
import { hashOf } from "../base/secrets.ts";
import { type Config, checkedConfigOf, type Environment } from "../config/config.ts";
import { segmentFor } from "../dialects/dialects.ts";
import { hasLevel, isTestOnly, mayCreate } from "../domain/model/actors.ts";
import { type Log, openLog } from "../ops/log.ts";
import { reasonOfOutage } from "../store/postgres/outage.ts";
import { StoreUnavailableError } from "../store/store.ts";
import { startWithDatabase } from "./databaseWait.ts";
import { limitHeapGrowth, type RunningServer, start, systemClock } from "./start.ts";
import { currentWorker, sendToPrimary, startWorkers, WorkerFailed } from "./workers.ts";

/** The process that serves: how it starts, what it says, how it ends. */

/** Ctrl-C reaches every process of a terminal, and whoever started us passes it on as well: within this time it is one. */
const SAME_SIGNAL_MS = 500;
const SQLITE_BUSY = 5;

export type StartupOutput = {
  /** Where whoever cannot start it finds what there is to set. */
  readonly help: string;
  /** Only lines of JSON, and nothing for people. */
  readonly terse?: boolean;
};

/** Serves until it is told to end, which ends the process. */
export async function runServer(environment: Environment, output: StartupOutput): Promise<void> {
  limitHeapGrowth();
  // Sealed bids are among the data: what this process makes is for its own user.
  process.umask(0o077);
  const config = await checkedConfigOf(environment);
  if ("port" in config) await serve(config, output);
  else fail(config, output);
}

async function serve(config: Config, output: StartupOutput): Promise<void> {
  const write = (text: string) => process.stdout.write(text);
  const log = openLog(write, { info: config.logsRequests });
  const worker = currentWorker();
  const startParts = (): Promise<RunningServer> =>
    config.workers > 1 && !worker ? startWorkers(config, log) : start(config, { clock: systemClock, log, worker });
  const running = await startWhenPossible(config, startParts, write).catch((error: Error) =>
    failStarting(startFailureReason(error, config), output),
  );
  // Before anybody reads that it listens, and may tell it to end.
  stopOnSignal(running, log);
  if (worker) sendToPrimary({ listening: running.url });
  else announce(running, config, output, log, write);
}

/** Waits for the database where there is one; a signal meanwhile ends the process. */
async function startWhenPossible(
  config: Config,
  startParts: () => Promise<RunningServer>,
  write: (text: string) => void,
): Promise<RunningServer> {
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
function failStarting(reason: string, output: StartupOutput): Promise<never> {
  if (!cluster.isWorker) fail([reason], output);
  return new Promise(() => sendToPrimary({ failed: reason }));
}

function announce(
  running: RunningServer,
  config: Config,
  { terse }: StartupOutput,
  log: Log,
  write: (text: string) => void,
): void {
  if (config.sandbox && !terse) write(welcomeText(running.url, config));
  // Where this line is the only one that says where, it comes whatever is logged.
  const announcementLog = config.sandbox && !terse ? log : openLog(write, { info: true });
  announcementLog.info("listening", { url: running.url, mode: config.sandbox ? "sandbox" : "production" });
  announcementLog.flush();
}

/** The first signal lets what is in flight finish; the next one does not. */
function stopOnSignal(running: RunningServer, log: Log): void {
  let firstSignalAt: number | undefined;
  const stop = async (signal: string) => {
    if (firstSignalAt !== undefined) {
      if (performance.now() - firstSignalAt < SAME_SIGNAL_MS) return;
      log.info("stopping at once", { signal });
      log.flush();
      process.exit(1);
    }
    firstSignalAt = performance.now();
    log.info("stopping", { signal });
    await running.stop();
    process.exit(0);
  };
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);
}

type StartFailure = Error & { readonly code?: string; readonly syscall?: string; readonly errcode?: number };

/** Why it did not start, beginning with the setting to change. */
function startFailureReason(error: StartFailure, { host, port, dataDir, databaseUrl }: Config): string {
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
  if (databaseUrl && (error instanceof StoreUnavailableError || error.syscall === undefined))
    return `DATABASE_URL cannot be used: ${reasonOfOutage(error)}`;
  // Whatever keeps the lock from being taken is reported as another server; only a busy one is.
  const cause = error.cause as StartFailure | undefined;
  const failure = cause?.errcode !== undefined && cause.errcode !== SQLITE_BUSY ? cause : error;
  return `DATA_DIR ${dataDir} cannot be used: ${failure.message}`;
}

function fail(problems: readonly string[], { help }: StartupOutput): never {
  process.stderr.write(`Tenderhall cannot start:\n${problems.map((problem) => `  - ${problem}\n`).join("")}`);
  process.stderr.write(`${help} lists every setting.\n`);
  process.exit(1);
}

/** Only what works is shown: a file of accounts may know none of the keys that everybody knows. */
function welcomeText(url: string, { accounts }: Config): string {
  const knownKeys = SANDBOX_ACCOUNTS.flatMap(({ key }) => {
    const account = accounts.get(hashOf(key));
    return account ? [{ key, account }] : [];
  });
  const rows = knownKeys.map(
    ({ key, account: { group, levels } }) =>
      `    ${key.padEnd(14)} ${levels === undefined ? group : `${group.padEnd(14)} levels ${levels}`}\n`,
  );
  const publisher = knownKeys.find(
    ({ account }) => mayCreate({ account }) && hasLevel({ account }, "1") && !isTestOnly({ account }),
  );
  const keys = `  Keys, to be sent as the user name of Basic authentication:\n${rows.join("")}\n`;
  const firstTender = `  Publish your first tender:

    curl -u ${publisher?.key}: -H 'Content-Type: application/json' -d '{"data": {"title": "Hello"}}' '${url}/api/${segmentFor("basic")}/tenders?opt_pretty=1'

`;
  return `
  Tenderhall is listening on ${url}   (sandbox: keys ${knownKeys.length > 0 ? "that everybody knows" : "of ACCOUNTS_FILE"})

${knownKeys.length > 0 ? keys : ""}${publisher ? firstTender : ""}  ${publisher ? "Then open" : "Open"} ${url}/ in a browser; guides and reference are at ${url}/docs

`;
}
