import type { CliCommand, Option, Options } from "./command.ts";

/** What is understood after every command. */
export const COMMON_OPTIONS: Options = { help: { means: "how this command is called, with examples" } };
export const JSON_OPTION: Options = { json: { means: "for programs: a JSON document, or one on each line" } };

export const allOptionsOf = ({ options, hasNoJson: plain }: CliCommand): Options => ({
  ...options,
  ...(plain ? {} : JSON_OPTION),
  ...COMMON_OPTIONS,
});

/** As `--from FILE`. */
export const formatOption = (name: string, { takes }: Option): string => `--${name}${takes ? ` ${takes}` : ""}`;

/** As `tender show ID [--raw]`; what belongs to every command is left out. */
export const formatUsage = ({ name, takes, options }: CliCommand): string =>
  [name, takes, ...Object.entries(options).map(([option, spec]) => bracketIfOptional(formatOption(option, spec), spec))]
    .filter(Boolean)
    .join(" ");

const bracketIfOptional = (words: string, { means }: Option): string => (isRequired(means) ? words : `[${words}]`);

/** Options that must be given say so. */
const isRequired = (means: string): boolean => means.endsWith("(needed)");
