import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, closeSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { ReadyMessage, ResourceUsage, ServerCommand } from "./messages.ts";
import { treeUsage } from "./processTree.ts";

/** The server processes and their temporary folder. Both are removed when the bench ends. */
export type ChildProcesses = {
  readonly folder: string;
  /** Starts a script of the bench and waits until it listens. */
  readonly start: (options: LaunchOptions) => Promise<ServerProcess>;
  /** Starts `src/main.ts` and waits until its log says that it listens. */
  readonly startMain: (options: Omit<LaunchOptions, "script">) => Promise<ServerProcess>;
  /** Starts `src/main.ts` without waiting. */
  readonly launchMain: (options: Omit<LaunchOptions, "script">) => Pick<ServerProcess, "stop">;
  /** Runs a script of the bench to its end. Rejects if it fails. */
  readonly run: (options: LaunchOptions) => Promise<void>;
  readonly close: () => Promise<void>;
};

/** How to start a process. */
export type LaunchOptions = {
  /** The name for messages, the log file and the data folder. */
  readonly name: string;
  readonly script: string;
  readonly args?: readonly string[];
  readonly nodeArgs?: readonly string[];
  readonly env?: { readonly [name: string]: string };
};

/** A running server. */
export type ServerProcess = {
  readonly url: string;
  readonly pid: number;
  /** The resources used since it started; undefined if the platform does not report them. */
  readonly usage: () => Promise<ResourceUsage | undefined>;
  /** Sends a command over IPC and returns the reply. */
  readonly send: (command: ServerCommand) => Promise<ResourceUsage>;
  readonly stop: () => Promise<void>;
};

const ROOT = dirname(import.meta.dirname);
const MAIN = join("..", "src", "main.ts");
const STARTING_MS_MAX = 60_000;

export function openChildProcesses(): ChildProcesses {
  const folder = mkdtempSync(join(tmpdir(), "tenderhall-bench-"));
  // If the bench runs as root, PostgreSQL runs as another user and needs to reach its data here.
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
      process.stderr.write(`${options.name} ended unexpectedly (${signal ?? code}); the bench stops.\n`);
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
      const send = async (command: ServerCommand): Promise<ResourceUsage> => {
        const used = once(child, "message");
        child.send(command);
        return (await used)[0] as ResourceUsage;
      };
      return { url, pid: pidOf(child), send, usage: () => send({}), stop: () => stop(child) };
    },
    async startMain(options) {
      const child = launch({ ...options, script: MAIN }, false);
      const url = await waitForUrl(logOf(folder, options.name));
      const pid = pidOf(child);
      const usage = async () => treeUsage(pid);
      const send = () => Promise.reject(new Error(`${options.name} has no channel`));
      return { url, pid, send, usage, stop: () => stop(child) };
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

function pidOf({ pid }: ChildProcess): number {
  if (pid === undefined) throw new Error("the process did not start");
  return pid;
}

const logOf = (folder: string, name: string): string => join(folder, `${name.replaceAll(" ", "-")}.log`);

/** Starts a process. Its log goes to a file, as in production; standard error is that of the bench. */
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

/** The default DATA_DIR of the server with this name. */
export const dataDirOf = (folder: string, name: string): string => join(folder, name.replaceAll(" ", "-"));

async function waitForUrl(log: string): Promise<string> {
  for (const deadline = performance.now() + STARTING_MS_MAX; performance.now() < deadline; await pause(20)) {
    const [, url] = /"what":"listening","url":"([^"]+)"/.exec(readFileSync(log, "utf8")) ?? [];
    if (url) return url;
  }
  throw new Error(`the server did not start to listen, see ${log}`);
}
