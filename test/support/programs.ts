import { spawn } from "node:child_process";
import { accessSync, constants, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import type { Environment } from "../../src/config/config.ts";

/** The programs that tests call besides Node, and how the container image gets them. */
export const PROGRAMS = {
  bash: "part of Debian",
  curl: "installed",
  nginx: "left out",
  promtool: "left out",
  python3: "left out",
  "systemd-analyze": "left out",
  zsh: "left out",
} as const;

/** The programs that every system with a shell has. */
const COMMON_PROGRAMS = [
  ..."awk basename cat chmod cmp cp cut date diff dirname env expr false find grep head ln ls mkdir mktemp mv printf".split(
    " ",
  ),
  ..."pwd rm sed seq sh sleep sort tail tee test touch tr true uname uniq wc which xargs".split(" "),
];
const NODE_PROGRAMS = ["node", "npm", "npx"];

/** The PATH without the programs of this checkout. */
const pathFolders = (process.env.PATH ?? "").split(delimiter).filter((place) => !place.includes("node_modules"));
export const PLAIN_PATH = pathFolders.join(delimiter);

export const isProgram = (file: string): boolean => {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

const findProgram = (name: string): string | undefined => pathFolders.map((place) => join(place, name)).find(isProgram);

/** The reason to skip tests that need these programs, or false. */
export function missingPrograms(...names: readonly (keyof typeof PROGRAMS)[]): string | false {
  const absent = names.filter((name) => !findProgram(name));
  return absent.length > 0 && `${absent.join(" and ")} missing on this machine`;
}

/** Variables that the test runner sets. NODE_EXTRA_CA_CERTS stays, because npm may need it to reach its registry. */
const TEST_VARIABLES = /^(npm_|NODE_(?!EXTRA_CA_CERTS)|TEST_ENGINE)/;

/** The environment of the machine, without what the test runner set. */
export const plainEnvironment = (): Environment => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !TEST_VARIABLES.test(name))),
  PATH: PLAIN_PATH,
});

/** The errors of npm if its registry cannot be reached or refuses access. */
export const NO_REGISTRY = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|E40[13]|ENOTCACHED/;

let toolboxFolder: string | undefined;

/** A folder with links to the only programs that scripts may call, so that no sample depends on a program that others lack. */
function toolbox(): string {
  if (toolboxFolder) return toolboxFolder;
  const toolFolder = mkdtempSync(join(tmpdir(), "tenderhall-programs-"));
  process.once("exit", () => rmSync(toolFolder, { recursive: true, force: true }));
  for (const name of [...COMMON_PROGRAMS, ...NODE_PROGRAMS, "bash", "curl"]) {
    const program = findProgram(name);
    if (program) symlinkSync(program, join(toolFolder, name));
  }
  toolboxFolder = toolFolder;
  return toolFolder;
}

export type ScriptOptions = {
  readonly cwd: string;
  readonly environment?: Environment;
  /** Folders to search for programs first. */
  readonly searchFirst?: readonly string[];
};

/** Runs a shell script of the documentation. Requires bash; see `missingPrograms`. */
export function runScript(text: string, { cwd, environment = {}, searchFirst = [] }: ScriptOptions) {
  const env = { ...plainEnvironment(), ...environment, PATH: [...searchFirst, toolbox()].join(delimiter) };
  const shell = spawn("bash", ["-eu", "-o", "pipefail", "-c", text], { cwd, env });
  let output = "";
  for (const stream of [shell.stdout, shell.stderr])
    stream.on("data", (chunk) => {
      output += chunk;
    });
  return new Promise<{ readonly code: number | null; readonly output: string }>((done) =>
    shell.on("close", (code) => done({ code, output })),
  );
}
