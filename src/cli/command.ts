import type { Readable, Writable } from "node:stream";
import type { BeginProgressStage } from "../backup/progress.ts";
import { type Config, configOf, type Environment } from "../config/config.ts";
import { type OutputStream, openProgress } from "./output/progress.ts";
import { escapeControlsInJson } from "./output/tables.ts";

export const EXIT_OK = 0;
export const EXIT_FAILURE = 1;
export const EXIT_USAGE = 2;
/** As shells report a program that SIGINT ended: 128 and the number of the signal. */
export const EXIT_INTERRUPTED = 130;

/** How it ended, and what to print where; `json` is printed in the place of `out` where --json was given. */
export type CommandResult = {
  readonly code: number;
  readonly out: string;
  readonly err: string;
  readonly json?: unknown;
};

export const successResult = (out: string, json?: unknown): CommandResult => ({ code: EXIT_OK, out, err: "", json });

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

/** Where a command that runs long reads, writes and shows how far it is. */
export type Terminal = {
  readonly in: Readable;
  readonly out: Writable & { readonly isTTY?: boolean; readonly columns?: number };
  readonly err: OutputStream;
};

/** All that a command finds around it. */
export type CliContext = { readonly environment: Environment; readonly terminal: Terminal; readonly json: boolean };

export type OptionValues = { readonly [name: string]: string | boolean | undefined };
export type RunCommand = (context: CliContext) => Promise<CommandResult>;

/** An option that `takes` nothing is a switch. */
export type Option = {
  readonly takes?: string;
  readonly means: string;
  readonly fallback?: string;
  readonly choices?: readonly string[];
  /** What a shell offers, where more than one of them or others are understood too. */
  readonly offers?: readonly string[];
};
export type Options = { readonly [name: string]: Option };

/** A line to type, and what it is for. */
export type Example = readonly [line: string, means: string];

/** One command: help, completion, the reference and the reading of arguments are all made of this. */
export type CliCommand = {
  /** One word or two. */
  readonly name: string;
  /** What stands after the name, as `ID` or `[FILE]`. */
  readonly takes?: string;
  /** What may stand there, where there is a choice. */
  readonly choices?: readonly string[];
  readonly summary: string;
  readonly about?: string;
  /** Lines as they stand, below the options. */
  readonly notes?: string;
  readonly options: Options;
  readonly examples: readonly Example[];
  /** It prints nothing that --json could change. */
  readonly hasNoJson?: true;
  /** It runs until a signal ends it, and ends by itself then. Every other command is interrupted where it is. */
  readonly handlesSignals?: true;
  /** What Ctrl-C leaves behind, and what to do next. */
  readonly interruptHint?: string;
  readonly parse: (values: OptionValues, positionals: readonly string[]) => RunCommand | { readonly misused: string };
};

/** Of a command that works on the registry which the settings name. */
export const withConfig =
  (run: (config: Config, terminal: Terminal) => Promise<CommandResult>): RunCommand =>
  async ({ environment, terminal }) => {
    const config = configOf(environment);
    return "port" in config ? run(config, terminal) : resultWithMessages(EXIT_FAILURE, config);
  };

/** A command that is given one folder and nothing else. */
export const parseOneFolder =
  (
    misused: string,
    run: (folder: string, config: Config, terminal: Terminal) => Promise<CommandResult>,
  ): CliCommand["parse"] =>
  (_values, [folder, ...extra]) =>
    folder && extra.length === 0 ? withConfig((config, terminal) => run(folder, config, terminal)) : { misused };

export const stagesOnTerminal =
  ({ err }: Terminal): BeginProgressStage =>
  (label, total, unit) =>
    openProgress({ label, total, unit, out: err });

/** As `1 row`, `2 rows`. */
export const pluralize = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? "" : "s"}`;

/** One line each of what was found, for programs. */
export const jsonLine = (value: unknown): string => `${escapeControlsInJson(JSON.stringify(value))}\n`;
