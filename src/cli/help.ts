import type { CliCommand, Option, Options } from "./command.ts";
import { allOptionsOf, formatOption, formatUsage } from "./usage.ts";

const COLUMN = 24;
const WIDTH = 110;

/** Commands that help lists under one title. */
export type CommandGroup = { readonly title: string; readonly commands: readonly CliCommand[] };

export const EXIT_CODES_NOTE =
  "Exit codes: 0 on success, also if there was nothing to do; 1 if the command failed or was refused, or if verify or doctor found " +
  "a problem; 2 if the arguments were wrong; 130 if Ctrl-C interrupted it.";

export const SETTINGS_NOTE =
  "Commands that work on the registry of this machine read their settings from the environment, like the server (tenderhall help " +
  "serve). Commands that use HTTP connect to the server at --url or TENDERHALL_URL, with the key of --key or TENDERHALL_KEY.";

/** The text of `tenderhall help`: all commands, one on each line. */
export function generalHelp(groups: readonly CommandGroup[]): string {
  const blocks = groups.map(
    ({ title, commands }) =>
      `${title}:\n${commands.map((command) => formatHelpRow(shortUsage(command), command.summary)).join("")}`,
  );
  return [
    "tenderhall: the command line of a public procurement registry.\n",
    "  npx --no-install tenderhall COMMAND ... [--json] [--help]\n",
    ...blocks,
    formatHelpRow("help [COMMAND]", "show the options of a command, with examples") +
      formatHelpRow("--version", "print the version"),
    `${wrapText(SETTINGS_NOTE, "")}\n`,
    `${wrapText(EXIT_CODES_NOTE, "")}\n`,
    "To get started: npx --no-install tenderhall serve, and in another shell: npx --no-install tenderhall demo\n",
  ].join("\n");
}

const shortUsage = ({ name, takes }: CliCommand): string => [name, takes].filter(Boolean).join(" ");

/** The text of `tenderhall help COMMAND`. */
export function commandHelp(command: CliCommand): string {
  const { summary, about, notes, examples } = command;
  const blocks = [
    `${wrapText(summary, "")}\n`,
    `${wrapText(`npx --no-install tenderhall ${formatUsage(command)}`, "  ", "      ")}\n`,
    ...(about ? [`${wrapText(about, "")}\n`] : []),
    optionRows(allOptionsOf(command)),
    ...(notes ? [notes] : []),
    `Examples:\n${examples.map(([line, purpose]) => `\n  ${purpose}\n    ${line}\n`).join("")}`,
  ];
  return blocks.join("\n");
}

const optionRows = (options: Options): string =>
  Object.entries(options)
    .map(([name, option]) => formatHelpRow(formatOption(name, option), describeOption(option)))
    .join("");

/** The description of an option with its choices and its default, for example `the mode: real, test [real]`. */
export const describeOption = ({ description, required, choices, fallback }: Option): string =>
  `${description}${required ? " (required)" : ""}${choices ? `: ${choices.join(", ")}` : ""}${fallback ? ` [${fallback}]` : ""}`;

/** Names on the left, descriptions on the right. A name that is too long gets a line of its own. */
function formatHelpRow(name: string, description: string): string {
  const indent = " ".repeat(COLUMN + 2);
  const text = wrapText(description, indent).trimStart();
  return name.length < COLUMN ? `  ${name.padEnd(COLUMN)}${text}\n` : `  ${name}\n${indent}${text}\n`;
}

/** Breaks a text into lines of at most WIDTH characters. */
function wrapText(text: string, indent: string, continuationIndent = indent): string {
  const lines: string[] = [];
  let line = indent;
  for (const word of text.split(" ")) {
    if (line.trim() !== "" && line.length + word.length + 1 > WIDTH) {
      lines.push(line);
      line = continuationIndent;
    }
    line += line.trim() === "" ? word : ` ${word}`;
  }
  return [...lines, line].join("\n");
}
