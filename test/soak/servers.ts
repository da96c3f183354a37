import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { openSchema } from "../support/engines.ts";
import { freePort } from "../support/ports.ts";
import { openTestPostgres, postgresPrograms, type TestPostgres } from "../support/postgres.ts";
import { childrenOf } from "../support/processes.ts";
import { IS_FAST } from "../support/tier.ts";

/** What the soak runs against, and how it is broken. */
export type SoakTarget = {
  /** The addresses under which the one registry can be reached, whether or not somebody answers there just now. */
  readonly urls: readonly string[];
  /** Each kills something with SIGKILL and brings it back; resolves when it is back. */
  readonly faults: { readonly [name: string]: () => Promise<void> };
  readonly environment: { readonly [name: string]: string };
  readonly close: () => Promise<void>;
};

const MAIN = ["--disable-warning=ExperimentalWarning", "src/main.ts"];
const START_TIMEOUT_MS = 30_000;
/** Longer than anybody may have the turn. */
const STALL_MS = 6000;

/** Several servers on one PostgreSQL of their own. */
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
      "a server's breath": () => anyServer().stall(),
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
  await pause(100);
  await postgres.start();
}

/** Three workers on one SQLite: a worker is killed alone, or all of them with the process above. */
export async function openWorkersOnSqlite(): Promise<SoakTarget> {
  const folder = mkdtempSync(join(tmpdir(), "tenderhall-soak-"));
  const environment = { DATA_DIR: folder, WORKERS: "3" };
  const server = await openServer(environment);
  return {
    urls: [server.url],
    faults: {
      "a worker": () => server.crashWorker(),
      "all of it": () => server.crash(),
    },
    environment,
    close: async () => {
      await server.close();
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** As it comes: one process on SQLite. */
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
  await untilAnswering(url, child);
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
      await untilAnswering(url, child);
    },
    stall: async () => {
      child.kill("SIGSTOP");
      await pause(STALL_MS);
      child.kill("SIGCONT");
    },
    close: async () => {
      child.kill("SIGTERM");
      await exited(child);
    },
  };
}

/** The port may be taken for a moment by a worker that has not noticed yet that nobody is above it. */
async function restart(run: () => ChildProcess, url: string): Promise<ChildProcess> {
  for (let attempts = 0; ; attempts++) {
    const child = run();
    try {
      await untilAnswering(url, child);
      return child;
    } catch (error) {
      if (attempts > 20) throw error;
      await pause(100);
    }
  }
}

const exited = (child: ChildProcess) =>
  new Promise<void>((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve();
    else child.once("exit", () => resolve());
  });

async function untilAnswering(url: string, child: ChildProcess): Promise<void> {
  for (const deadline = performance.now() + START_TIMEOUT_MS; performance.now() < deadline; await pause(20)) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error("a server ended before it answered");
    const response = await fetch(`${url}/health`, { signal: AbortSignal.timeout(2000) }).catch(() => undefined);
    // Whatever it says, it is there; with its database gone it says 503.
    if (response) return void (await response.text());
  }
  throw new Error("a server does not answer");
}
