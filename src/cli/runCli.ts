import { parseArgs } from "node:util";
import { errorCode, errorMessage } from "../base/errors.ts";
import { VERSION } from "../base/version.ts";
import type { Environment } from "../config/config.ts";
import { nearestName } from "../dialects/nearestName.ts";
import {
  type CliCommand,
  type CliContext,
  type CommandResult,
  EXIT_FAILURE,
  EXIT_INTERRUPTED,
  EXIT_USAGE,
  jsonLine,
  type OptionValues,
  type RunCommand,
  resultWithMessages,
  successResult,
  type Terminal,
} from "./command.ts";
import { recordCommand } from "./commandAudit.ts";
import { COMMANDS, GROUPS } from "./commands.ts";
import { firstWord } from "./completion.ts";
import { commandHelp, generalHelp } from "./help.ts";
import { trackOutput, unlessInterrupted } from "./output/interrupt.ts";
import { allOptionsOf, formatUsage } from "./usage.ts";

const PROCESS_TERMINAL: Terminal = { in: process.stdin, out: process.stdout, err: process.stderr };

/** Runs a command line and returns its result. Commands that run long write to `terminal` meanwhile. */
export async function runCli(
  args: readonly string[],
  environment: Environment,
  terminal: Terminal = PROCESS_TERMINAL,
): Promise<CommandResult> {
  const [first = ""] = args;
  if (args.length === 0) return { code: EXIT_USAGE, out: "", err: generalHelp(GROUPS) };
  if (first === "--version") return successResult(`${VERSION}\n`);
  if (first === "help" || isHelpFlag(first)) return showHelp(args.slice(1));
  const match = findCommand(args);
  if (!("command" in match)) return args.some(isHelpFlag) ? showHelp(args) : usageFailure(match.usageError);
  const { command, rest } = match;
  const parsed = parseArguments(command, rest);
  if ("usageError" in parsed) return usageFailure(parsed.usageError, command);
  const { values, positionals } = parsed;
  if (values.help) return successResult(commandHelp(command));
  const run = command.parse(values, positionals);
  if ("usageError" in run) return usageFailure(run.usageError, command);
  const json = values.json === true;
  const context = { environment, terminal, json };
  const result = await (command.handlesSignals
    ? run(context).catch(failureOf)
    : runInterruptibly(command, run, context));
  if (result.code === EXIT_USAGE) return { ...result, err: `${result.err}${hintFor(command)}\n` };
  const printed = json && result.json !== undefined ? { ...result, out: jsonLine(result.json) } : result;
  return recordCommand(args, environment, printed);
}

const failureOf = (error: Error): CommandResult => resultWithMessages(EXIT_FAILURE, [describeError(error)]);

/** Runs a command that Ctrl-C ends at once: the line of progress is finished, and the hint printed. */
async function runInterruptibly(
  { interruptHint }: CliCommand,
  run: RunCommand,
  context: CliContext,
): Promise<CommandResult> {
  const { out: err, finish } = trackOutput(context.terminal.err);
  const result = await unlessInterrupted(() =>
    run({ ...context, terminal: { ...context.terminal, err } }).catch(failureOf),
  );
  if (result) return result;
  finish();
  return resultWithMessages(EXIT_INTERRUPTED, [`Interrupted.${interruptHint ? ` ${interruptHint}` : ""}`]);
}

const isHelpFlag = (word: string): boolean => word === "--help" || word === "-h";

const hintFor = (command?: CliCommand): string =>
  `For usage, run: npx --no-install tenderhall help${command ? ` ${command.name}` : ""}`;

const usageFailure = (problem: string, command?: CliCommand): CommandResult =>
  resultWithMessages(EXIT_USAGE, [problem, hintFor(command)]);

/** Replaces Node's messages about files, such as `ENOENT: no such file or directory, open 'x'`. */
function describeError(error: NodeJS.ErrnoException): string {
  const { code = "", syscall, path, message } = error;
  const describe = FILE_ERRORS[code === "EEXIST" ? `${code} ${syscall}` : code];
  return describe && path ? describe(path) : message;
}

const FILE_ERRORS: { readonly [code: string]: (path: string) => string } = {
  ENOENT: (path) => `${path} does not exist`,
  EISDIR: (path) => `${path} is a folder, not a file`,
  // A folder that exists is no error, so this is something else of that name.
  "EEXIST mkdir": (path) => `${path} is a file, not a folder`,
  ENOTDIR: (path) => `${path} is not inside a folder`,
  EACCES: (path) => `permission denied: ${path}`,
};

function showHelp(helpArgs: readonly string[]): CommandResult {
  const words = helpArgs.filter((word) => !word.startsWith("-"));
  if (words.length === 0)
    return successResult(helpArgs.includes("--json") ? jsonLine(commandTable(COMMANDS)) : generalHelp(GROUPS));
  const match = findCommand(words);
  if ("command" in match) return successResult(commandHelp(match.command));
  const family = COMMANDS.filter(({ name }) => name.startsWith(`${words[0]} `));
  return family.length > 0 && words.length === 1
    ? successResult(family.map(commandHelp).join(`\n${"-".repeat(72)}\n\n`))
    : usageFailure(match.usageError);
}

const commandTable = (commands: readonly CliCommand[]) =>
  commands.map((command) => ({
    name: command.name,
    summary: command.summary,
    usage: formatUsage(command),
    options: Object.keys(allOptionsOf(command)),
  }));

type CommandMatch =
  | { readonly command: CliCommand; readonly rest: readonly string[] }
  | { readonly usageError: string };

function findCommand(args: readonly string[]): CommandMatch {
  const [first = "", second = ""] = args;
  for (const words of [2, 1]) {
    const command = COMMANDS.find(({ name }) => name === args.slice(0, words).join(" "));
    if (command) return { command, rest: args.slice(words) };
  }
  const family = COMMANDS.filter(({ name }) => name.startsWith(`${first} `)).map(({ name }) =>
    name.slice(first.length + 1),
  );
  if (family.length > 0) return { usageError: unknownCommand(second, family, `${first} `) };
  return {
    usageError: unknownCommand(first, [...new Set(COMMANDS.map(firstWord)), "help"], ""),
  };
}

function unknownCommand(typed: string, names: readonly string[], before: string): string {
  const all = `${before ? `the commands of ${before.trim()} are` : "the commands are"}: ${names.join(", ")}`;
  if (typed === "" || typed.startsWith("-")) return all;
  const suggestion = nearestName(typed, names);
  return `unknown command ${before}${typed}${suggestion ? `; did you mean ${before}${suggestion}?` : ";"} ${all}`;
}

type ParsedArguments =
  | { readonly values: OptionValues; readonly positionals: readonly string[] }
  | { readonly usageError: string };

function parseArguments(command: CliCommand, args: readonly string[]): ParsedArguments {
  const options = allOptionsOf(command);
  const config = Object.fromEntries(
    Object.entries(options).map(([name, { takes }]) => [
      name,
      { type: takes ? ("string" as const) : ("boolean" as const), ...(name === "help" && { short: "h" }) },
    ]),
  );
  try {
    const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options: config });
    const problem = invalidChoice(command, values);
    return problem ? { usageError: problem } : { values, positionals };
  } catch (error) {
    const [, typed] = /'(--[\w-]+)/.exec(errorMessage(error)) ?? [];
    const suggestion = typed && nearestName(typed.slice(2), Object.keys(options));
    const isUnknown = errorCode(error) === "ERR_PARSE_ARGS_UNKNOWN_OPTION";
    if (!isUnknown) return { usageError: errorMessage(error) };
    return {
      usageError: `${command.name} has no option ${typed ?? "of that name"}${suggestion ? `; did you mean --${suggestion}?` : ""}`,
    };
  }
}

function invalidChoice(command: CliCommand, values: OptionValues): string | undefined {
  for (const [name, { choices }] of Object.entries(allOptionsOf(command))) {
    const value = values[name];
    if (choices && typeof value === "string" && !choices.includes(value))
      return `--${name} takes one of ${choices.join(", ")}, not "${value}"`;
  }
  return undefined;
}
