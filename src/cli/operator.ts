import { parseArgs } from "node:util";
import type { Environment } from "../config.ts";
import { nearestName } from "../dialects/nearestName.ts";
import { VERSION } from "../version.ts";
import { COMMANDS, GROUPS } from "./commands.ts";
import { generalHelp, helpOf } from "./help.ts";
import { trackOutput, unlessInterrupted } from "./interrupting.ts";
import {
  type Command,
  complained,
  type Here,
  INTERRUPTED,
  lineOf,
  MISUSED,
  type Operated,
  REFUSED,
  type Run,
  said,
  type Terminal,
} from "./operated.ts";
import { recorded } from "./recording.ts";
import { optionsOf, usageOf } from "./words.ts";

const HERE: Terminal = { in: process.stdin, out: process.stdout, err: process.stderr };

/** What is done from a shell: at the machine itself, beside the running server or without one, and over HTTP. */
export async function operate(
  args: readonly string[],
  environment: Environment,
  terminal: Terminal = HERE,
): Promise<Operated> {
  const [first = ""] = args;
  // Whoever types nothing more wants to know what there is.
  if (args.length === 0) return { code: MISUSED, out: "", err: generalHelp(GROUPS) };
  if (first === "--version") return said(`${VERSION}\n`);
  if (first === "help" || isHelp(first)) return help(args.slice(1));
  const found = commandIn(args);
  if (!("command" in found)) return args.some(isHelp) ? help(args) : misused(found.misused);
  const { command, rest } = found;
  const asked = argumentsOf(command, rest);
  if ("misused" in asked) return misused(asked.misused, command);
  const { values, positionals } = asked;
  if (values.help) return said(helpOf(command));
  const run = command.read(values, positionals);
  if ("misused" in run) return misused(run.misused, command);
  const json = values.json === true;
  const here = { environment, terminal, json };
  const operated = await (command.handlesSignals ? run(here).catch(refusalOf) : runInterruptibly(command, run, here));
  if (operated.code === MISUSED) return { ...operated, err: `${operated.err}${hintFor(command)}\n` };
  const told = json && operated.json !== undefined ? { ...operated, out: lineOf(operated.json) } : operated;
  return recorded(args, environment, told);
}

const refusalOf = (error: Error): Operated => complained(REFUSED, [problemOf(error)]);

/** Ctrl-C leaves a clean line and says what to do next, wherever the work was. */
async function runInterruptibly({ interrupted }: Command, run: Run, here: Here): Promise<Operated> {
  const { out: err, finish } = trackOutput(here.terminal.err);
  const result = await unlessInterrupted(() => run({ ...here, terminal: { ...here.terminal, err } }).catch(refusalOf));
  if (result) return result;
  finish();
  return complained(INTERRUPTED, [`Interrupted.${interrupted ? ` ${interrupted}` : ""}`]);
}

const isHelp = (word: string): boolean => word === "--help" || word === "-h";

const hintFor = (command?: Command): string =>
  `npx --no-install tenderhall help${command ? ` ${command.name}` : ""} shows how it is called`;

const misused = (why: string, command?: Command): Operated => complained(MISUSED, [why, hintFor(command)]);

/** What the platform says of files is for programmers. */
function problemOf(error: NodeJS.ErrnoException): string {
  const { code = "", path, message } = error;
  const said = FILES_SAID[code];
  return said && path ? said(path) : message;
}

const FILES_SAID: { readonly [code: string]: (path: string) => string } = {
  ENOENT: (path) => `${path} is not there`,
  EISDIR: (path) => `${path} is a folder, not a file`,
  ENOTDIR: (path) => `${path} is not in a folder`,
  EACCES: (path) => `${path} may not be used by this user`,
};

function help(asked: readonly string[]): Operated {
  const words = asked.filter((word) => !word.startsWith("-"));
  if (words.length === 0) return said(asked.includes("--json") ? lineOf(tableOf(COMMANDS)) : generalHelp(GROUPS));
  const found = commandIn(words);
  if ("command" in found) return said(helpOf(found.command));
  const family = COMMANDS.filter(({ name }) => name.startsWith(`${words[0]} `));
  return family.length > 0 && words.length === 1
    ? said(family.map(helpOf).join(`\n${"-".repeat(72)}\n\n`))
    : misused(found.misused);
}

const tableOf = (commands: readonly Command[]) =>
  commands.map((command) => ({
    name: command.name,
    summary: command.summary,
    usage: usageOf(command),
    options: Object.keys(optionsOf(command)),
  }));

type Found = { readonly command: Command; readonly rest: readonly string[] } | { readonly misused: string };

function commandIn(args: readonly string[]): Found {
  const [first = "", second = ""] = args;
  for (const words of [2, 1]) {
    const command = COMMANDS.find(({ name }) => name === args.slice(0, words).join(" "));
    if (command) return { command, rest: args.slice(words) };
  }
  const family = COMMANDS.filter(({ name }) => name.startsWith(`${first} `)).map(({ name }) => name.split(" ")[1]!);
  if (family.length > 0) return { misused: unknown(second, family, `${first} `) };
  return { misused: unknown(first, [...new Set(COMMANDS.map(({ name }) => name.split(" ")[0]!)), "help"], "") };
}

function unknown(typed: string, names: readonly string[], before: string): string {
  const all = `${before ? `after ${before}comes one of` : "the commands are"}: ${names.join(", ")}`;
  if (typed === "" || typed.startsWith("-")) return all;
  const near = nearestName(typed, names);
  return `there is no command ${before}${typed}${near ? `; perhaps ${before}${near} is meant` : ""}; ${all}`;
}

type Arguments =
  | { readonly values: { [name: string]: string | boolean | undefined }; readonly positionals: readonly string[] }
  | { readonly misused: string };

function argumentsOf(command: Command, args: readonly string[]): Arguments {
  const options = optionsOf(command);
  const short = { help: "h" } as { readonly [name: string]: string };
  const config = Object.fromEntries(
    Object.entries(options).map(([name, { takes }]) => [
      name,
      { type: takes ? ("string" as const) : ("boolean" as const), ...(short[name] && { short: short[name] }) },
    ]),
  );
  try {
    const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options: config });
    const wrong = wrongChoice(command, values as { [name: string]: string | boolean | undefined });
    return wrong ? { misused: wrong } : { values: values as { [name: string]: string }, positionals };
  } catch (error) {
    const [, typed] = /'(--[\w-]+)/.exec((error as Error).message) ?? [];
    const near = typed && nearestName(typed.slice(2), Object.keys(options));
    const isUnknown = (error as { readonly code?: string }).code === "ERR_PARSE_ARGS_UNKNOWN_OPTION";
    if (!isUnknown) return { misused: (error as Error).message };
    return {
      misused: `${command.name} has no option ${typed ?? "of that name"}${near ? `; perhaps --${near} is meant` : ""}`,
    };
  }
}

function wrongChoice(command: Command, values: { readonly [name: string]: unknown }): string | undefined {
  for (const [name, { choices }] of Object.entries(optionsOf(command))) {
    const value = values[name];
    if (choices && value !== undefined && !choices.includes(value as string))
      return `--${name} takes one of ${choices.join(", ")}, not "${value}"`;
  }
  return undefined;
}
