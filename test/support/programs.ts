import { spawn } from "node:child_process";
import { accessSync, constants, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import type { Environment } from "../../src/config/config.ts";

/** The programs that tests call beside Node's own, and how the image that is made of a checked project comes by them. */
export const PROGRAMS = {
  bash: "part of Debian",
  curl: "installed",
  nginx: "left out",
  promtool: "left out",
  python3: "left out",
  "systemd-analyze": "left out",
  zsh: "left out",
} as const;

/** What stands beside a shell wherever there is one. */
const COMMON_PROGRAMS = [
  ..."awk basename cat chmod cmp cp cut date diff dirname env expr false find grep head ln ls mkdir mktemp mv printf".split(
    " ",
  ),
  ..."pwd rm sed seq sh sleep sort tail tee test touch tr true uname uniq wc which xargs".split(" "),
];
const NODE_PROGRAMS = ["node", "npm", "npx"];

/** Without the programs of this checkout: what runs is what the machine has, and what a page installed. */
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

/** Why tests that call these are skipped, if they are. */
export function missing(...names: readonly (keyof typeof PROGRAMS)[]): string | false {
  const absent = names.filter((name) => !findProgram(name));
  return absent.length > 0 && `there is no ${absent.join(" and no ")} on this machine`;
}

/** How tests were started; whom a machine trusts is its own affair, and without it a registry may not be reached. */
const TEST_VARIABLES = /^(npm_|NODE_(?!EXTRA_CA_CERTS)|TEST_ENGINE)/;

/** As on a machine of its own: nothing of how these tests were started. */
export const plainEnvironment = (): Environment => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !TEST_VARIABLES.test(name))),
  PATH: PLAIN_PATH,
});

/** What npm says where the registry of packages does not answer, or not to us. */
export const NO_REGISTRY = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|E40[13]|ENOTCACHED/;

let toolboxFolder: string | undefined;

/** One folder with what a script may call, so that none calls what another machine lacks without anybody noticing. */
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
  /** Where programs are looked for first. */
  readonly searchFirst?: readonly string[];
};

/** Runs what a page tells its reader to type. Whoever calls it has seen that `bash` is not missing. */
export function runScript(text: string, { cwd, environment = {}, searchFirst: first = [] }: ScriptOptions) {
  const env = { ...plainEnvironment(), ...environment, PATH: [...first, toolbox()].join(delimiter) };
  const shell = spawn("bash", ["-eu", "-o", "pipefail", "-c", text], { cwd, env });
  let output = "";
  for (const stream of [shell.stdout, shell.stderr])
    stream.on("data", (chunk) => {
      output += chunk;
    });
  return new Promise<{ readonly code: number | null; readonly said: string }>((done) =>
    shell.on("close", (code) => done({ code, said: output })),
  );
}
