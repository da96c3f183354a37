import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import type { Environment } from "../../src/config/config.ts";

/** The exit code and output of a command. */
export type CommandRun = { readonly code: number; readonly out: string; readonly err: string };

/** The command line of `tenderhall` in the checkout. */
export const COMMAND = [process.execPath, "--disable-warning=ExperimentalWarning", "src/cli/tenderhall.ts"];

/** Runs a command as a process. `timeoutMs` ends one that would run for ever; 0 means no timeout. */
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

/** Asserts that a command succeeded. */
export function assertSucceeded(run: CommandRun): CommandRun {
  assert.equal(run.code, 0, run.err || run.out);
  return run;
}

/** Parses lines of JSON. */
// biome-ignore lint/suspicious/noExplicitAny: tests access the output freely.
export const parseLines = (text: string): any[] =>
  text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
