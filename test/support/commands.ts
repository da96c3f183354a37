import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import type { Environment } from "../../src/config.ts";

/** Commands as whoever types them meets them: a process, what it prints, and how it ends. */

export type Ran = { readonly code: number; readonly out: string; readonly err: string };

export const COMMAND = [process.execPath, "--disable-warning=ExperimentalWarning", "src/cli/tenderhall.ts"];

/** `timeoutMs` ends a command that goes on for ever. */
export function runCommand(args: readonly string[], environment: Environment = {}, timeoutMs = 0): Promise<Ran> {
  const { NODE_ENV, TENDERHALL_URL, TENDERHALL_KEY, DATA_DIR, DATABASE_URL, ...own } = process.env;
  const [node, ...before] = COMMAND;
  return new Promise((resolve) =>
    execFile(
      node!,
      [...before, ...args],
      { env: { ...own, ...environment }, encoding: "utf8", timeout: timeoutMs },
      (error, out, err) => resolve({ code: error ? Number(error.code) : 0, out, err }),
    ),
  );
}

export function done(ran: Ran): Ran {
  assert.equal(ran.code, 0, ran.err || ran.out);
  return ran;
}

// biome-ignore lint/suspicious/noExplicitAny: what was printed is looked into freely.
export const linesOf = (text: string): any[] =>
  text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
