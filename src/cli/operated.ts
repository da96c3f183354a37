import type { Readable, Writable } from "node:stream";
import type { BeginStage } from "../backup/progress.ts";
import { type Config, configOf, type Environment } from "../config.ts";
import { type Out, openProgress } from "./progress.ts";
import { plainJson } from "./tables.ts";

export const DONE = 0;
export const REFUSED = 1;
export const MISUSED = 2;
/** As shells report a program that SIGINT ended: 128 and the number of the signal. */
export const INTERRUPTED = 130;

/** How it ended, and what to print where; `json` is printed in the place of `out` where --json was given. */
export type Operated = { readonly code: number; readonly out: string; readonly err: string; readonly json?: unknown };

export const said = (out: string, json?: unknown): Operated => ({ code: DONE, out, err: "", json });

export const complained = (code: number, problems: readonly string[], out = "", json?: unknown): Operated => ({
  code,
  out,
  err: problems.map((problem) => `${problem}\n`).join(""),
  json,
});

/** Where a command that runs long reads, writes and shows how far it is. */
export type Terminal = {
  readonly in: Readable;
  readonly out: Writable & { readonly isTTY?: boolean; readonly columns?: number };
  readonly err: Out;
};

/** All that a command finds around it. */
export type Here = { readonly environment: Environment; readonly terminal: Terminal; readonly json: boolean };

export type Values = { readonly [name: string]: string | boolean | undefined };
export type Run = (here: Here) => Promise<Operated>;

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
export type Command = {
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
  readonly plain?: true;
  /** It runs until a signal ends it, and ends by itself then. Every other command is interrupted where it is. */
  readonly handlesSignals?: true;
  /** What Ctrl-C leaves behind, and what to do next. */
  readonly interrupted?: string;
  readonly read: (values: Values, positionals: readonly string[]) => Run | { readonly misused: string };
};

/** Of a command that works on the registry which the settings name. */
export const withSettings =
  (run: (config: Config, terminal: Terminal) => Promise<Operated>): Run =>
  async ({ environment, terminal }) => {
    const config = configOf(environment);
    return "port" in config ? run(config, terminal) : complained(REFUSED, config);
  };

/** A command that is given one folder and nothing else. */
export const ofOneFolder =
  (misused: string, run: (folder: string, config: Config, terminal: Terminal) => Promise<Operated>): Command["read"] =>
  (_values, [folder, ...more]) =>
    folder && more.length === 0 ? withSettings((config, terminal) => run(folder, config, terminal)) : { misused };

export const stagesOn =
  ({ err }: Terminal): BeginStage =>
  (what, total, unit) =>
    openProgress({ what, total, unit, out: err });

/** As `1 row`, `2 rows`. */
export const counted = (number: number, what: string): string => `${number} ${what}${number === 1 ? "" : "s"}`;

/** One line each of what was found, for programs. */
export const lineOf = (value: unknown): string => `${plainJson(JSON.stringify(value))}\n`;
