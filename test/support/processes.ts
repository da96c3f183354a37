import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import type { Environment } from "../../src/config/config.ts";

/** A process of the service, as whoever runs it meets it. */
export type RunningProcess = {
  readonly child: ChildProcess;
  readonly output: () => string;
  readonly ended: Promise<readonly unknown[]>;
};

/** How long something may take before it counts as never: a machine that does much else is slow. */
export const TIMEOUT_MS = 60_000;

/** Starts processes in a folder of their own; both are gone after the tests of the file. */
export function openProcesses(name: string) {
  const folder = mkdtempSync(join(tmpdir(), `tenderhall-${name}-`));
  const started: ChildProcess[] = [];
  after(() => {
    for (const child of started) child.kill("SIGKILL");
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  function run([command = "", ...args]: readonly string[], environment: Environment = {}, cwd = "."): RunningProcess {
    // What the tests themselves were started with must not reach the process.
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

/** Why tests that look for processes are skipped, if they are. */
export const NO_PROCESSES = !existsSync("/proc/self/stat") && "there is no /proc that tells processes";

/** The processes that another has started. */
export const childrenOf = (pid: number): readonly number[] =>
  readdirSync("/proc")
    .map(Number)
    .filter((candidate) => parentOf(candidate) === pid)
    .toSorted((candidate, b) => candidate - b);

/** Undefined of what is no process, or none any more. */
function parentOf(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const [state, parent] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return state === "Z" ? undefined : Number(parent);
  } catch {
    return undefined;
  }
}

export async function waitUntil(condition: () => boolean | Promise<boolean>, description: () => string): Promise<void> {
  const deadline = performance.now() + TIMEOUT_MS;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`It takes too long: ${description()}`);
    await pause(20);
  }
}

export const urlIn = (output: string): string | undefined => /http:\/\/127\.0\.0\.1:\d+/.exec(output)?.[0];

export async function urlOf({ output, child }: RunningProcess): Promise<string> {
  await waitUntil(() => urlIn(output()) !== undefined || child.exitCode !== null, output);
  return urlIn(output()) ?? assert.fail(output());
}
