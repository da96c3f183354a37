import cluster from "node:cluster";
import { SANDBOX_ACCOUNTS } from "../accounts/sandboxAccounts.ts";
import { hashOf } from "../base/secrets.ts";
import { type Config, checkedConfigOf, type Environment } from "../config/config.ts";
import { hasLevel, isTestOnly, mayCreate } from "../domain/model/actors.ts";
import { firstTenderCommand } from "../http/firstTender.ts";
import { type Log, openLog } from "../ops/log.ts";
import { reasonOfOutage } from "../store/postgres/outage.ts";
import { StoreUnavailableError } from "../store/store.ts";
import { startWithDatabase } from "./databaseWait.ts";
import { type RunningServer, start, tuneHeap } from "./start.ts";
import { systemClock } from "./systemClock.ts";
import { currentWorker, sendToPrimary, startWorkers, WorkerFailed } from "./workers.ts";

/** The process of the server: startup, messages and shutdown. */

/** A terminal sends Ctrl-C to every process, and the parent passes it on as well: within this time it counts as one signal. */
const SAME_SIGNAL_MS = 500;
const SQLITE_BUSY = 5;

export type StartupOutput = {
  /** The command that lists all settings, for the message after a failed start. */
  readonly help: string;
  /** Prints only log lines in JSON, no welcome text. */
  readonly terse?: boolean;
};

/** Runs the server until a signal stops it, which also ends the process. */
export async function runServer(environment: Environment, output: StartupOutput): Promise<void> {
  tuneHeap();
  // The data include sealed bids, so files are readable by the user of this process only.
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
  // Before the announcement, after which a supervisor may send a signal at any time.
  stopOnSignal(running, log);
  if (worker) sendToPrimary({ listening: running.url });
  else announce(running, config, output, log, write);
}

/** Starts, and waits for PostgreSQL if necessary; a signal during the wait ends the process. */
async function startWhenPossible(
  config: Config,
  startParts: () => Promise<RunningServer>,
  write: (text: string) => void,
): Promise<RunningServer> {
  // Messages about the wait are logged even if request logging is off.
  const log = openLog(write, { info: true });
  const stop = (signal: string) => {
    // For workers the primary process logs it.
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

/** Reports why the server cannot start, and exits. A worker sends the reason to the primary process, which exits. */
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
  // Without the welcome text this line is the only one with the URL, so it is logged even if logging is off.
  const announcementLog = config.sandbox && !terse ? log : openLog(write, { info: true });
  announcementLog.info("listening", { url: running.url, mode: config.sandbox ? "sandbox" : "production" });
  announcementLog.flush();
}

/** The first signal stops the server after the requests in flight; the next one ends the process at once. */
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

/** Why the server did not start. The text starts with the setting to change. */
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
      return `HOST ${host} cannot be resolved`;
  }
  if (error.syscall === "listen") return `this user may not listen on PORT ${port} of HOST ${host}: ${error.message}`;
  if (databaseUrl && (error instanceof StoreUnavailableError || error.syscall === undefined))
    return `DATABASE_URL cannot be used: ${reasonOfOutage(error)}`;
  // The store reports every failure to lock the folder as another server, with the cause; only SQLITE_BUSY really is one.
  const cause: StartFailure | undefined = error.cause instanceof Error ? error.cause : undefined;
  const failure = cause?.errcode !== undefined && cause.errcode !== SQLITE_BUSY ? cause : error;
  return `DATA_DIR ${dataDir} cannot be used: ${failure.message}`;
}

function fail(problems: readonly string[], { help }: StartupOutput): never {
  process.stderr.write(`Tenderhall cannot start:\n${problems.map((problem) => `  - ${problem}\n`).join("")}`);
  process.stderr.write(`${help} lists every setting.\n`);
  process.exit(1);
}

/** The text for the terminal in the sandbox. Shows only keys that work: an accounts file may have none of the well-known ones. */
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
  const keys = `  API keys (send one as the user name of Basic authentication):\n${rows.join("")}\n`;
  const firstTender = `  Publish your first tender:

    ${publisher ? firstTenderCommand(url, publisher.key, systemClock()).replaceAll("\n", "\n    ") : ""}

`;
  return `
  Tenderhall is listening on ${url}   (sandbox: keys ${knownKeys.length > 0 ? "that everybody knows" : "of ACCOUNTS_FILE"})

${knownKeys.length > 0 ? keys : ""}${publisher ? firstTender : ""}  ${publisher ? "Then open" : "Open"} ${url}/ in a browser; guides and reference are at ${url}/docs

`;
}
