import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, mkdtempSync, openSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Asked, CannedAnswers, Started, Used } from "./messages.ts";

/** The servers under load, each in its own process, and the folder they write to; nothing of it outlives the bench. */
export type Children = {
  readonly folder: string;
  readonly start: (script: string, name: string, args?: readonly string[]) => Promise<Child>;
};

export type Child = {
  readonly url: string;
  /** Resolves once the bare server answers like this. */
  readonly answerWith: (answers: CannedAnswers) => Promise<void>;
  /** The processor time that its process has used so far. */
  readonly cpuMicros: () => Promise<number>;
};

export function openChildren(): Children {
  const folder = mkdtempSync(join(tmpdir(), "tenderhall-bench-"));
  const running = new Set<ChildProcess>();
  let ending = false;

  process.on("exit", () => {
    ending = true;
    for (const child of running) child.kill("SIGKILL");
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  });
  for (const [signal, code] of [["SIGINT", 130] as const, ["SIGTERM", 143] as const, ["SIGHUP", 129] as const])
    process.on(signal, () => process.exit(code));

  async function start(script: string, name: string, args: readonly string[] = []): Promise<Child> {
    const child = launch(folder, script, name, args);
    running.add(child);
    child.on("exit", (code, signal) => {
      running.delete(child);
      if (ending) return;
      process.stderr.write(`The ${name} server ended on its own (${signal ?? code}); the bench cannot go on.\n`);
      process.exit(1);
    });
    const [{ url }] = (await once(child, "message")) as [Started];
    const tell = async (asked: Asked): Promise<Used> => {
      const used = once(child, "message");
      child.send(asked);
      return (await used)[0] as Used;
    };
    return {
      url,
      answerWith: async (answers) => void (await tell({ answers })),
      cpuMicros: async () => (await tell({})).cpuMicros,
    };
  }

  return { folder, start };
}

/** What a server logs goes to a file, as it would in earnest; what breaks it, to where people look. */
function launch(folder: string, script: string, name: string, args: readonly string[]): ChildProcess {
  const log = openSync(join(folder, `${name}.log`), "a");
  const child = spawn(
    process.execPath,
    ["--disable-warning=ExperimentalWarning", join(import.meta.dirname, script), ...args],
    {
      cwd: dirname(import.meta.dirname),
      stdio: ["ignore", log, "inherit", "ipc"],
      env: { PATH: process.env.PATH, PORT: "0", DATA_DIR: join(folder, name), LOG: "on" },
    },
  );
  closeSync(log);
  return child;
}
