import type { Readable, Writable } from "node:stream";
import type { ParseArgsConfig } from "node:util";
import type { BeginStage } from "../backup/progress.ts";
import type { Config } from "../config.ts";
import { type Out, openProgress } from "./progress.ts";

export const DONE = 0;
export const REFUSED = 1;
export const MISUSED = 2;

/** How it ended, and what to print where. */
export type Operated = { readonly code: number; readonly out: string; readonly err: string };

export const said = (out: string): Operated => ({ code: DONE, out, err: "" });

export const complained = (code: number, problems: readonly string[], out = ""): Operated => ({
  code,
  out,
  err: problems.map((problem) => `${problem}\n`).join(""),
});

/** Where a command that runs long reads, writes and shows how far it is. */
export type Terminal = { readonly in: Readable; readonly out: Writable; readonly err: Out };

export type Values = { readonly [name: string]: string | boolean | undefined };
export type Run = (config: Config, terminal: Terminal) => Promise<Operated>;

/** One command: its options, and what is done with what was given, or what is wrong with it. */
export type Command = {
  readonly options: NonNullable<ParseArgsConfig["options"]>;
  readonly read: (values: Values, positionals: readonly string[]) => Run | { readonly misused: string };
};

/** A command that is given one folder and nothing else. */
export const ofOneFolder = (
  misused: string,
  run: (folder: string, config: Config, terminal: Terminal) => Promise<Operated>,
): Command => ({
  options: {},
  read: (_values, [folder, ...more]) =>
    folder && more.length === 0 ? (config, terminal) => run(folder, config, terminal) : { misused },
});

export const stagesOn =
  ({ err }: Terminal): BeginStage =>
  (what, total, unit) =>
    openProgress({ what, total, unit, out: err });

/** As `1 row`, `2 rows`. */
export const counted = (number: number, what: string): string => `${number} ${what}${number === 1 ? "" : "s"}`;
