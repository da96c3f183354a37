import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import type { Environment } from "../../src/config/config.ts";

/** A running process. `output` is what it has printed so far, to both streams. */
export type RunningProcess = {
  readonly child: ChildProcess;
  readonly output: () => string;
  readonly ended: Promise<readonly unknown[]>;
};

/** The time after which a test gives up waiting; long, because the machine may be busy. */
export const TIMEOUT_MS = 60_000;

/** Runs processes with a temporary folder. Both are removed after the tests of the file. */
export function openProcesses(name: string) {
  const folder = mkdtempSync(join(tmpdir(), `tenderhall-${name}-`));
  const started: ChildProcess[] = [];
  const killAll = () => {
    for (const child of started) child.kill("SIGKILL");
  };
  process.once("exit", killAll);
  after(() => {
    process.off("exit", killAll);
    killAll();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  function run([command = "", ...args]: readonly string[], environment: Environment = {}, cwd = "."): RunningProcess {
    // The process must not inherit how the tests were started.
    const { NODE_ENV, npm_lifecycle_event, ...inherited } = process.env;
    const child = spawn(command, args, { cwd, env: { ...inherited, PORT: "0", ...environment } });
    started.push(child);
    let output = "";
    for (const stream of [child.stdout!, child.stderr!])
      stream.on("data", (chunk) => {
        output += chunk;
      });
    return { child, output: () => output, ended: once(child, "close") };
  }

  return { folder, run };
}

/** The reason to skip tests that list processes, or false. */
export const NO_PROCESSES = !existsSync("/proc/self/stat") && "this system has no /proc";

/** The children of a process. */
export const childrenOf = (pid: number): readonly number[] =>
  readdirSync("/proc")
    .map(Number)
    .filter((candidate) => parentOf(candidate) === pid)
    .toSorted((a, b) => a - b);

/** The parent of a process; undefined if it does not exist any more. */
function parentOf(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const [state, parent] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return state === "Z" ? undefined : Number(parent);
  } catch {
    return undefined;
  }
}

const POLL_MS = 20;

/** Waits between two checks of a condition, or two attempts that may fail. */
export const waitForNextPoll = (): Promise<void> => pause(POLL_MS);

/** Waits until the condition holds. Throws with the description after TIMEOUT_MS. */
export async function waitUntil(condition: () => boolean | Promise<boolean>, description: () => string): Promise<void> {
  const deadline = performance.now() + TIMEOUT_MS;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`timed out: ${description()}`);
    await waitForNextPoll();
  }
}

export const urlIn = (output: string): string | undefined => /http:\/\/127\.0\.0\.1:\d+/.exec(output)?.[0];

/** Waits until a server prints its URL. */
export async function urlOf({ output, child }: RunningProcess): Promise<string> {
  await waitUntil(() => urlIn(output()) !== undefined || child.exitCode !== null, output);
  return urlIn(output()) ?? assert.fail(output());
}
