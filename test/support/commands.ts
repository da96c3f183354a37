import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import type { Environment } from "../../src/config/config.ts";

/** Commands as whoever types them meets them: a process, what it prints, and how it ends. */

export type CommandRun = { readonly code: number; readonly out: string; readonly err: string };

export const COMMAND = [process.execPath, "--disable-warning=ExperimentalWarning", "src/cli/tenderhall.ts"];

/** `timeoutMs` ends a command that goes on for ever. */
export function runCommand(args: readonly string[], environment: Environment = {}, timeoutMs = 0): Promise<CommandRun> {
  const { NODE_ENV, TENDERHALL_URL, TENDERHALL_KEY, DATA_DIR, DATABASE_URL, ...inherited } = process.env;
  const [node, ...nodeArgs] = COMMAND;
  return new Promise((resolve) =>
    execFile(
      node!,
      [...nodeArgs, ...args],
      { env: { ...inherited, ...environment }, encoding: "utf8", timeout: timeoutMs },
      (error, out, err) => resolve({ code: error ? Number(error.code) : 0, out, err }),
    ),
  );
}

export function assertDone(run: CommandRun): CommandRun {
  assert.equal(run.code, 0, run.err || run.out);
  return run;
}

// biome-ignore lint/suspicious/noExplicitAny: what was printed is looked into freely.
export const parseLines = (text: string): any[] =>
  text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
