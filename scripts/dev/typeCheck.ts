import { type ChildProcess, spawn } from "node:child_process";
import { constants, setPriority } from "node:os";

export type TypeCheck = { readonly run: () => void; readonly stop: () => void };

/** Keeps what it found, so that the next check looks only at what has changed. */
const COMPILER = [
  "node_modules/typescript/bin/tsc",
  "--noEmit",
  "--incremental",
  "--tsBuildInfoFile",
  "node_modules/.cache/tenderhall/types.tsbuildinfo",
];

/** Node runs TypeScript without looking at its types. The check runs beside the server and reports only errors. */
export function openTypeCheck(print: (text: string) => void): TypeCheck {
  let child: ChildProcess | undefined;
  let isStale = false;
  let hadErrors = false;

  /** A check that is running finishes first, as two of them would write the same file. */
  function run(): void {
    isStale = child !== undefined;
    if (isStale) return;
    const args = process.stdout.isTTY ? [...COMPILER, "--pretty"] : COMPILER;
    const started = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
    child = started;
    yieldToServer(started);
    let output = "";
    started.stdout.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
    started.on("close", (code) => {
      child = undefined;
      if (isStale) run();
      else report(code === 0, output);
    });
  }

  function report(isCorrect: boolean, output: string): void {
    if (!isCorrect) print(`\nThe types have errors:\n${output.trimEnd()}`);
    else if (hadErrors) print("The types have no errors any more.");
    hadErrors = !isCorrect;
  }

  return { run, stop: () => child?.kill() };
}

function yieldToServer({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // It has ended already, or the platform refuses: the priority only saves time.
  }
}
