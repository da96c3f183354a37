import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, closeSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { ReadyMessage, ResourceUsage, ServerCommand } from "./messages.ts";
import { treeUsage } from "./processTree.ts";

/** The processes under load and the folder they write to; nothing of it outlives the bench. */
export type ChildProcesses = {
  readonly folder: string;
  /** A script of the bench, once it has told where it listens. */
  readonly start: (launching: LaunchOptions) => Promise<ServerProcess>;
  /** `src/main.ts` itself, once it has told in its log where it listens. */
  readonly startMain: (launching: Omit<LaunchOptions, "script">) => Promise<ServerProcess>;
  /** `src/main.ts` itself, at once. */
  readonly launchMain: (launching: Omit<LaunchOptions, "script">) => Pick<ServerProcess, "stop">;
  /** A script of the bench that ends by itself. */
  readonly run: (launching: LaunchOptions) => Promise<void>;
  readonly close: () => Promise<void>;
};

export type LaunchOptions = {
  readonly name: string;
  readonly script: string;
  readonly args?: readonly string[];
  readonly nodeArgs?: readonly string[];
  readonly env?: { readonly [name: string]: string };
};

export type ServerProcess = {
  readonly url: string;
  readonly pid: number;
  /** What it has used since it started; undefined where nobody can say. */
  readonly usage: () => Promise<ResourceUsage | undefined>;
  readonly send: (asked: ServerCommand) => Promise<ResourceUsage>;
  readonly stop: () => Promise<void>;
};

const ROOT = dirname(import.meta.dirname);
const MAIN = join("..", "src", "main.ts");
const STARTING_MS_MAX = 60_000;

export function openChildProcesses(): ChildProcesses {
  const folder = mkdtempSync(join(tmpdir(), "tenderhall-bench-"));
  // PostgreSQL keeps its data in here too, and runs as somebody else where we are root.
  chmodSync(folder, 0o755);
  process.env.TMPDIR = folder;
  const running = new Set<ChildProcess>();
  const expected = new WeakSet<ChildProcess>();

  process.on("exit", () => {
    for (const child of running) child.kill("SIGKILL");
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  });

  function launch(options: LaunchOptions, hasChannel: boolean): ChildProcess {
    const child = spawnIn(folder, options, hasChannel);
    running.add(child);
    child.on("exit", (code, signal) => {
      running.delete(child);
      if (expected.has(child)) return;
      process.stderr.write(`${options.name} ended on its own (${signal ?? code}); the bench cannot go on.\n`);
      process.exit(1);
    });
    return child;
  }

  async function stop(child: ChildProcess): Promise<void> {
    if (!running.has(child)) return;
    expected.add(child);
    const ended = once(child, "exit");
    if (child.connected) child.disconnect();
    else child.kill("SIGTERM");
    await ended;
  }

  return {
    folder,
    async start(options) {
      const child = launch(options, true);
      const [{ url }] = (await once(child, "message")) as [ReadyMessage];
      const tell = async (command: ServerCommand): Promise<ResourceUsage> => {
        const used = once(child, "message");
        child.send(command);
        return (await used)[0] as ResourceUsage;
      };
      return { url, pid: child.pid!, send: tell, usage: () => tell({}), stop: () => stop(child) };
    },
    async startMain(options) {
      const child = launch({ ...options, script: MAIN }, false);
      const url = await waitForUrl(logOf(folder, options.name));
      const used = async () => treeUsage(child.pid!);
      const tell = () => Promise.reject(new Error(`${options.name} has no channel`));
      return { url, pid: child.pid!, send: tell, usage: used, stop: () => stop(child) };
    },
    launchMain(options) {
      const child = launch({ ...options, script: MAIN }, false);
      return { stop: () => stop(child) };
    },
    async run(options) {
      const child = launch(options, false);
      expected.add(child);
      const [code] = await once(child, "exit");
      if (code !== 0) throw new Error(`${options.name} failed`);
    },
    close: async () => {
      await Promise.all([...running].map(stop));
    },
  };
}

const logOf = (folder: string, name: string): string => join(folder, `${name.replaceAll(" ", "-")}.log`);

/** What a server logs goes to a file, as it would in earnest; what breaks it, to where people look. */
function spawnIn(folder: string, options: LaunchOptions, hasChannel: boolean): ChildProcess {
  const { name, script, args = [], nodeArgs = [], env = {} } = options;
  const log = openSync(logOf(folder, name), "w");
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const child = spawn(
    process.execPath,
    ["--disable-warning=ExperimentalWarning", ...nodeArgs, join(import.meta.dirname, script), ...args],
    {
      cwd: ROOT,
      stdio: ["ignore", log, "inherit", ...(hasChannel ? (["ipc"] as const) : [])],
      env: {
        PATH,
        ...(NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE }),
        PORT: "0",
        DATA_DIR: dataDirOf(folder, name),
        LOG: "on",
        ...env,
      },
    },
  );
  closeSync(log);
  return child;
}

/** Where the server of that name keeps its data, unless it is told otherwise. */
export const dataDirOf = (folder: string, name: string): string => join(folder, name.replaceAll(" ", "-"));

async function waitForUrl(log: string): Promise<string> {
  for (const giveUpAt = performance.now() + STARTING_MS_MAX; performance.now() < giveUpAt; await pause(20)) {
    const [, url] = /"what":"listening","url":"([^"]+)"/.exec(readFileSync(log, "utf8")) ?? [];
    if (url) return url;
  }
  throw new Error(`no server says in ${log} that it listens`);
}
