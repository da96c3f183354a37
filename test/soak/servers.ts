import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSchema } from "../support/engines.ts";
import { freePort } from "../support/ports.ts";
import { openTestPostgres, postgresPrograms, type TestPostgres } from "../support/postgres.ts";
import { childrenOf, waitForNextPoll } from "../support/processes.ts";
import { IS_FAST } from "../support/tier.ts";

/** The servers of a soak, and the faults to inject. */
export type SoakTarget = {
  /** The URLs of the servers of one registry. A server may be down at times. */
  readonly urls: readonly string[];
  /**
   * The faults by name. Each breaks something, restores it, and resolves when it works again. A stalled server stays
   * stalled until the others have written.
   */
  readonly faults: { readonly [name: string]: (waitForWrites: () => Promise<void>) => Promise<void> };
  readonly environment: { readonly [name: string]: string };
  readonly close: () => Promise<void>;
};

const MAIN = ["--disable-warning=ExperimentalWarning", "src/main.ts"];
const START_TIMEOUT_MS = 30_000;

/** Several servers on one PostgreSQL. */
export async function openServersOnPostgres(): Promise<SoakTarget> {
  const programs = await postgresPrograms();
  if (!programs) throw new Error("npm has no PostgreSQL for this platform");
  const postgres = await openTestPostgres(programs);
  const folder = mkdtempSync(join(tmpdir(), "tenderhall-soak-"));
  const { url, query } = await openSchema(postgres.url);
  const environment = { DATABASE_URL: url, DATA_DIR: folder };
  const servers = await Promise.all((IS_FAST ? [1, 2] : [1, 2, 3]).map(() => openServer(environment)));
  const anyServer = () => servers[Math.floor(Math.random() * servers.length)]!;
  return {
    urls: servers.map((server) => server.url),
    faults: {
      "a server": () => anyServer().crash(),
      "the database": () => crashDatabase(postgres),
      "all connections": async () => {
        await query("select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'tenderhall'");
      },
      "a stalled server": (waitForWrites) => anyServer().stall(waitForWrites),
    },
    environment,
    close: async () => {
      await Promise.all(servers.map((server) => server.close()));
      await postgres.stop();
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

async function crashDatabase(postgres: TestPostgres): Promise<void> {
  await postgres.kill();
  await postgres.start();
}

/** Three workers on one SQLite. The faults kill a worker, or all of them with their parent. */
export async function openWorkersOnSqlite(): Promise<SoakTarget> {
  const folder = mkdtempSync(join(tmpdir(), "tenderhall-soak-"));
  const environment = { DATA_DIR: folder, WORKERS: "3" };
  const server = await openServer(environment);
  return {
    urls: [server.url],
    faults: {
      "a worker": () => server.crashWorker(),
      "all workers": () => server.crash(),
    },
    environment,
    close: async () => {
      await server.close();
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** One process on SQLite, as with default settings. */
export async function openServerOnSqlite(): Promise<SoakTarget> {
  const folder = mkdtempSync(join(tmpdir(), "tenderhall-soak-"));
  const environment = { DATA_DIR: folder };
  const server = await openServer(environment);
  return {
    urls: [server.url],
    faults: { "the server": () => server.crash() },
    environment,
    close: async () => {
      await server.close();
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

async function openServer(environment: { readonly [name: string]: string }) {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const run = (): ChildProcess =>
    spawn(process.execPath, MAIN, {
      env: { ...process.env, LOG: "off", PORT: String(port), ...environment },
      stdio: ["ignore", "ignore", "inherit"],
    });
  let child = run();
  process.once("exit", () => child.kill("SIGKILL"));
  await untilReachable(url, child);
  return {
    url,
    crash: async () => {
      child.kill("SIGKILL");
      await exited(child);
      child = await restart(run, url);
    },
    crashWorker: async () => {
      const workers = childrenOf(child.pid!);
      const victim = workers[Math.floor(Math.random() * workers.length)];
      if (victim !== undefined) process.kill(victim, "SIGKILL");
      await untilReachable(url, child);
    },
    stall: async (waitForWrites: () => Promise<void>) => {
      child.kill("SIGSTOP");
      // If it holds the write lock, the others write after the lock has been taken from it.
      await waitForWrites();
      child.kill("SIGCONT");
    },
    close: async () => {
      child.kill("SIGTERM");
      await exited(child);
    },
  };
}

/** Retries, because a worker that has not noticed yet that its parent is gone may still use the port. */
async function restart(run: () => ChildProcess, url: string): Promise<ChildProcess> {
  for (const deadline = performance.now() + START_TIMEOUT_MS; ; await waitForNextPoll()) {
    const child = run();
    try {
      await untilReachable(url, child);
      return child;
    } catch (error) {
      if (performance.now() > deadline) throw error;
    }
  }
}

const exited = (child: ChildProcess) =>
  new Promise<void>((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve();
    else child.once("exit", () => resolve());
  });

async function untilReachable(url: string, child: ChildProcess): Promise<void> {
  for (const deadline = performance.now() + START_TIMEOUT_MS; performance.now() < deadline; await waitForNextPoll()) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error("a server ended while it started");
    const response = await fetch(`${url}/health`, { signal: AbortSignal.timeout(2000) }).catch(() => undefined);
    // Any response will do: without its database the server responds 503.
    if (response) return void (await response.text());
  }
  throw new Error("a server does not respond");
}
