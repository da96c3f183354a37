import type { CliCommand, Option, Options } from "./command.ts";

/** The options that every command has. */
export const COMMON_OPTIONS: Options = { help: { description: "show the options of this command, with examples" } };
export const JSON_OPTION: Options = { json: { description: "print JSON: one document, or one on each line" } };

/** The options of a command, including the common ones. */
export const allOptionsOf = ({ options, hasNoJson }: CliCommand): Options => ({
  ...options,
  ...(hasNoJson ? {} : JSON_OPTION),
  ...COMMON_OPTIONS,
});

/** For example `--from FILE`. */
export const formatOption = (name: string, { takes }: Option): string => `--${name}${takes ? ` ${takes}` : ""}`;

/** For example `tender show ID [--raw]`. Leaves out the common options. */
export const formatUsage = ({ name, takes, options }: CliCommand): string =>
  [name, takes, ...Object.entries(options).map(([option, spec]) => bracketIfOptional(formatOption(option, spec), spec))]
    .filter(Boolean)
    .join(" ");

const bracketIfOptional = (text: string, { required }: Option): string => (required ? text : `[${text}]`);
