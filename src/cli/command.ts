import type { Readable, Writable } from "node:stream";
import type { BeginProgressStage } from "../base/progress.ts";
import { type Config, configOf, type Environment } from "../config/config.ts";
import { type OutputStream, openProgress } from "./output/progress.ts";
import { escapeControlsInJson } from "./output/tables.ts";

export const EXIT_OK = 0;
/** The command failed, was refused, or found a problem. */
export const EXIT_FAILURE = 1;
/** The command was called with wrong arguments. */
export const EXIT_USAGE = 2;
/** What shells report for a program that SIGINT ended: 128 plus the number of the signal. */
export const EXIT_INTERRUPTED = 130;

/** The result of a command: its exit code and its output. */
export type CommandResult = {
  readonly code: number;
  /** The text for standard output. */
  readonly out: string;
  /** The text for standard error. */
  readonly err: string;
  /** The document that --json prints instead of `out`. */
  readonly json?: unknown;
};

export const successResult = (out: string, json?: unknown): CommandResult => ({ code: EXIT_OK, out, err: "", json });

/** A result whose messages go to standard error, one on each line. */
export const resultWithMessages = (
  code: number,
  messages: readonly string[],
  out = "",
  json?: unknown,
): CommandResult => ({
  code,
  out,
  err: messages.map((message) => `${message}\n`).join(""),
  json,
});

/** The standard streams. Commands that run long write to them directly; progress goes to `err`. */
export type Terminal = {
  readonly in: Readable;
  readonly out: Writable & { readonly isTTY?: boolean; readonly columns?: number };
  readonly err: OutputStream;
};

/** What a command runs with. `json` is whether --json was given. */
export type CliContext = { readonly environment: Environment; readonly terminal: Terminal; readonly json: boolean };

/** The parsed options by name, without the dashes. */
export type OptionValues = { readonly [name: string]: string | boolean | undefined };

/** The value of an option that takes one; `undefined` if it was not given. */
export function textOption(values: OptionValues, name: string): string | undefined {
  const value = values[name];
  return typeof value === "string" ? value : undefined;
}

export type RunCommand = (context: CliContext) => Promise<CommandResult>;

/** An option of a command. */
export type Option = {
  /** The placeholder of its value in help, such as `FILE`. An option without it is a switch. */
  readonly takes?: string;
  readonly description: string;
  readonly required?: true;
  /** The default, for help. */
  readonly fallback?: string;
  /** The only values that are accepted. */
  readonly choices?: readonly string[];
  /** The values that shell completion offers, if they are not the only ones. */
  readonly offers?: readonly string[];
};
export type Options = { readonly [name: string]: Option };

/** An example for help: a command line, and what it is for. */
export type Example = readonly [line: string, purpose: string];

/** A command. Help, shell completion, docs/commands.md and the parsing of arguments are derived from it. */
export type CliCommand = {
  /** One word or two. */
  readonly name: string;
  /** The placeholder of its arguments, such as `ID` or `[FILE]`. */
  readonly takes?: string;
  /** The only arguments that are accepted. */
  readonly choices?: readonly string[];
  /** One line, without a full stop. */
  readonly summary: string;
  /** A paragraph of details. */
  readonly about?: string;
  /** Preformatted lines that follow the options. */
  readonly notes?: string;
  readonly options: Options;
  readonly examples: readonly Example[];
  /** Whether the command has no option --json. */
  readonly hasNoJson?: true;
  /** Whether the command handles SIGINT and SIGTERM itself. Every other command is interrupted at once. */
  readonly handlesSignals?: true;
  /** What Ctrl-C leaves behind, and what to do next. */
  readonly interruptHint?: string;
  /** Checks the arguments and returns the function to run, or what is wrong with them. */
  readonly parse: (
    values: OptionValues,
    positionals: readonly string[],
  ) => RunCommand | { readonly usageError: string };
};

/** Runs a command with the configuration from the environment, or reports what is wrong with that. */
export const withConfig =
  (run: (config: Config, terminal: Terminal) => Promise<CommandResult>): RunCommand =>
  async ({ environment, terminal }) => {
    const config = configOf(environment);
    return "port" in config ? run(config, terminal) : resultWithMessages(EXIT_FAILURE, config);
  };

/** The parser of a command that takes exactly one folder and no options. */
export const parseOneFolder =
  (
    usageError: string,
    run: (folder: string, config: Config, terminal: Terminal) => Promise<CommandResult>,
  ): CliCommand["parse"] =>
  (_values, [folder, ...extra]) =>
    folder && extra.length === 0 ? withConfig((config, terminal) => run(folder, config, terminal)) : { usageError };

/** Shows the progress of each stage of a long operation on standard error. */
export const stagesOnTerminal =
  ({ err }: Terminal): BeginProgressStage =>
  (label, total, unit) =>
    openProgress({ label, total, unit, out: err });

/** For example `1 row`, `2 rows`. */
export const pluralize = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? "" : "s"}`;

/** A line of JSON for --json. */
export const jsonLine = (value: unknown): string => `${escapeControlsInJson(JSON.stringify(value))}\n`;
