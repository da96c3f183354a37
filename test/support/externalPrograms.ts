import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { PLAIN_PATH, plainEnvironment } from "./programs.ts";

type ProgramResult = { readonly code: number | null; readonly out: string; readonly err: string };

/** Runs a program in a folder outside the checkout, with the environment of the machine. */
export function runInFolder(cwd: string, command: string, ...args: readonly string[]): Promise<ProgramResult> {
  const child = spawn(command, args, { cwd, env: plainEnvironment() });
  let [out, err] = ["", ""];
  child.stdout.on("data", (chunk) => {
    out += chunk;
  });
  child.stderr.on("data", (chunk) => {
    err += chunk;
  });
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, out, err }));
  });
}

/** The standard output of a program. Asserts that it succeeded. */
export async function outputOf(running: Promise<ProgramResult>): Promise<string> {
  const { code, out, err } = await running;
  assert.equal(code, 0, out + err);
  return out;
}

const NODE_VERSION_MIN = 20;

/** Up to two versions of Node on this machine that the client supports, oldest first; otherwise the one that runs the tests. */
export function installedNodes(): readonly { readonly version: string; readonly program: string }[] {
  const programs = PLAIN_PATH.split(":").map((folder) => join(folder, "node"));
  const candidates = [...programs.filter((program) => existsSync(program)), process.execPath].map((program) => ({
    program,
    version: execFileSync(program, ["--version"], { encoding: "utf8" }).trim(),
  }));
  const major = (version: string) => Number(/^v(\d+)/.exec(version)![1]);
  const byVersion = new Map(
    candidates.filter(({ version }) => major(version) >= NODE_VERSION_MIN).map((node) => [node.version, node]),
  );
  return [...byVersion.values()].toSorted((a, b) => major(a.version) - major(b.version)).slice(0, 2);
}
