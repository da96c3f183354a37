import { type ChildProcess, spawn } from "node:child_process";
import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loads, selectFiles } from "../../test/runner/selection.ts";
import type { Mutant } from "./mutants.ts";

export type Verdict =
  /** It does not type-check, so that nobody could have committed it. */
  { readonly kind: "not a change" } | { readonly kind: "killed"; readonly by: string } | { readonly kind: "survived" };

/** A copy of the project to change and to run tests in. */
export type Project = {
  /** Throws unless the tests pass while nothing is changed: otherwise they would notice everything. */
  readonly checkUnchanged: () => Promise<void>;
  readonly judge: (mutant: Mutant) => Promise<Verdict>;
  readonly remove: () => void;
};

const COPIED = ["src", "test", "scripts", "docs", "deploy", "packages", "bench"];
const COPIED_FILES = /\.(json|md)$|^LICENSE$|^\.npmrc$/;
/** Whatever tests a rule loads this. */
const CORE = "src/domain/decide.ts";
/** A change can make a loop endless: a test that reports nothing for as long has noticed. */
const QUIET_SECONDS = 60;
const COMPILER = [
  "node_modules/typescript/bin/tsc",
  "--noEmit",
  "--incremental",
  "--tsBuildInfoFile",
  "types.tsbuildinfo",
];

/** Copies the project in the current folder, with the packages that it has installed. */
export async function openProject(): Promise<Project> {
  const { folder, remove } = copyProject();
  // The first check reads everything, the next ones only what a change touches.
  const checked = await run(folder, COMPILER);
  if (checked.code !== 0) throw new Error(`The sources do not type-check as they are:\n${checked.output}`);

  async function judge(mutant: Mutant): Promise<Verdict> {
    const place = join(folder, mutant.file);
    const source = readFileSync(place, "utf8");
    const { offset, text, replacement } = mutant;
    writeFileSync(place, source.slice(0, offset) + replacement + source.slice(offset + text.length));
    try {
      if ((await run(folder, COMPILER)).code !== 0) return { kind: "not a change" };
      for (const files of stagesFor(mutant.file)) {
        const { code, output } = await run(folder, ["test/run.ts", "--bail", ...files]);
        if (code !== 0) return { kind: "killed", by: failureIn(output) };
      }
      return { kind: "survived" };
    } finally {
      writeFileSync(place, source);
    }
  }
  async function checkUnchanged(): Promise<void> {
    const { code, output } = await run(folder, ["test/run.ts", "--bail", ...testsOf((file) => loads(file, CORE))]);
    if (code !== 0) throw new Error(`The tests fail while nothing is changed: ${failureIn(output)}`);
  }

  return { checkUnchanged, judge, remove };
}

/** The tests of `npm test` that load the file: those of the domain, which take a second or two, and then the rest. */
function stagesFor(file: string): readonly (readonly string[])[] {
  const tests = testsOf((test) => loads(test, file));
  const isQuick = (test: string) => test.startsWith("src/domain/");
  const stages = [tests.filter(isQuick), tests.filter((test) => !isQuick(test))];
  return stages.filter((stage) => stage.length > 0);
}

const testsOf = (isWanted: (file: string) => boolean): readonly string[] => selectFiles(false, []).filter(isWanted);

const failureIn = (output: string): string =>
  /^(?:FAILED: |HUNG )(.*)$/m.exec(output)?.[1] ?? "a test that ended early";

/** A copy that nobody edits while the mutants run, unlike the checkout. */
export function copyProject(): { readonly folder: string; readonly remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), "tenderhall-mutants-"));
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  process.once("exit", remove);
  const isNeeded = (name: string) => COPIED.includes(name) || COPIED_FILES.test(name);
  for (const name of readdirSync(".").filter(isNeeded)) cpSync(name, join(folder, name), { recursive: true });
  symlinkSync(realpathSync("node_modules"), join(folder, "node_modules"));
  return { folder, remove };
}

function run(cwd: string, args: readonly string[]): Promise<{ readonly code: number | null; readonly output: string }> {
  const env = { ...process.env, TEST_QUIET_SECONDS: String(QUIET_SECONDS) };
  const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", ...args], {
    cwd,
    env,
    detached: true,
  });
  running.add(child);
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  return new Promise((resolve) =>
    child.on("exit", (code) => {
      running.delete(child);
      killGroup(child);
      resolve({ code, output });
    }),
  );
}

const running = new Set<ChildProcess>();
process.once("exit", () => running.forEach(killGroup));
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => process.exit(1));

/** Also what a test that was stopped has left behind. */
function killGroup({ pid }: ChildProcess): void {
  try {
    process.kill(-pid!, "SIGKILL");
  } catch {
    // Nothing is left.
  }
}
