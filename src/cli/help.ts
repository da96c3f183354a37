import type { CliCommand, Options } from "./command.ts";
import { allOptionsOf, formatOption, formatUsage } from "./usage.ts";

const COLUMN = 24;
const WIDTH = 110;

export type CommandGroup = { readonly title: string; readonly commands: readonly CliCommand[] };

export const EXIT_CODES_NOTE =
  "It ends with 0 when done, also when there was nothing to do; with 1 when refused, when it failed, and when verify or doctor " +
  "found something; with 2 when it was called wrongly.";

export const SETTINGS_NOTE =
  "Commands at the machine itself take their settings from the environment, as the server does (tenderhall help serve); those " +
  "over HTTP ask the server at --url, or TENDERHALL_URL, with the key of --key, or TENDERHALL_KEY.";

/** All commands, one line each. */
export function generalHelp(groups: readonly CommandGroup[]): string {
  const blocks = groups.map(
    ({ title, commands }) =>
      `${title}:\n${commands.map((command) => formatHelpRow(shortUsage(command), command.summary)).join("")}`,
  );
  return [
    "tenderhall, the command line of a public procurement registry.\n",
    "  npx --no-install tenderhall COMMAND ... [--json] [--help]\n",
    ...blocks,
    formatHelpRow("help [COMMAND]", "all options of a command, with examples") +
      formatHelpRow("--version", "which version this is"),
    `${wrapText(SETTINGS_NOTE, "")}\n`,
    `${wrapText(EXIT_CODES_NOTE, "")}\n`,
    "New here? In one shell: npx --no-install tenderhall serve. In another: npx --no-install tenderhall demo\n",
  ].join("\n");
}

const shortUsage = ({ name, takes }: CliCommand): string => [name, takes].filter(Boolean).join(" ");

export function commandHelp(command: CliCommand): string {
  const { summary, about, notes, examples } = command;
  const blocks = [
    `${wrapText(summary, "")}\n`,
    `${wrapText(`npx --no-install tenderhall ${formatUsage(command)}`, "  ", "      ")}\n`,
    ...(about ? [`${wrapText(about, "")}\n`] : []),
    optionRows(allOptionsOf(command)),
    ...(notes ? [notes] : []),
    `Examples:\n${examples.map(([line, means]) => `\n  ${means}\n    ${line}\n`).join("")}`,
  ];
  return blocks.join("\n");
}

const optionRows = (options: Options): string =>
  Object.entries(options)
    .map(([name, option]) => formatHelpRow(formatOption(name, option), describeOption(option)))
    .join("");

export const describeOption = ({ means, choices, fallback }: Options[string]): string =>
  `${means}${choices ? `: ${choices.join(", ")}` : ""}${fallback ? ` [${fallback}]` : ""}`;

/** Names on the left, what they mean on the right; a name that is too long has a line of its own. */
function formatHelpRow(name: string, means: string): string {
  const indent = " ".repeat(COLUMN + 2);
  const text = wrapText(means, indent).trimStart();
  return name.length < COLUMN ? `  ${name.padEnd(COLUMN)}${text}\n` : `  ${name}\n${indent}${text}\n`;
}

/** Broken into lines between words. */
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
