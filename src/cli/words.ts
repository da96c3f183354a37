import type { Command, Option, Options } from "./operated.ts";

/** What is understood after every command. */
export const EVERYWHERE: Options = { help: { means: "how this command is called, with examples" } };
export const JSON_OPTION: Options = { json: { means: "for programs: a JSON document, or one on each line" } };

export const optionsOf = ({ options, plain }: Command): Options => ({
  ...options,
  ...(plain ? {} : JSON_OPTION),
  ...EVERYWHERE,
});

/** As `--from FILE`. */
export const optionWords = (name: string, { takes }: Option): string => `--${name}${takes ? ` ${takes}` : ""}`;

/** As `tender show ID [--raw]`; what belongs to every command is left out. */
export const usageOf = ({ name, takes, options }: Command): string =>
  [name, takes, ...Object.entries(options).map(([option, one]) => bracketed(optionWords(option, one), one))]
    .filter(Boolean)
    .join(" ");

const bracketed = (words: string, { means }: Option): string => (isNeeded(means) ? words : `[${words}]`);

/** Options that must be given say so. */
const isNeeded = (means: string): boolean => means.endsWith("(needed)");
