import type { CliCommand } from "./command.ts";
import { type CommandGroup, describeOption, EXIT_CODES_NOTE, SETTINGS_NOTE } from "./help.ts";
import { allOptionsOf, formatOption, formatUsage } from "./usage.ts";

/** docs/commands.md, made of the table of commands. */
export function commandReference(groups: readonly CommandGroup[]): string {
  const rows = groups.flatMap(({ commands }) => commands).map(rowOf);
  return [
    "# Commands\n",
    "<!-- Made of the table of commands by `npm run commands`: change `src/cli`, not this file. -->\n",
    "In a checkout, or in a project that has [the packed file installed](client.md#install). Tenderhall is not published on npm, and a package of that name there is somebody else's: with `--no-install`, npx runs only what is installed.\n",
    "All commands, and one of them with examples:\n\n```sh\nnpx --no-install tenderhall help\nnpx --no-install tenderhall help sync\n```\n",
    `${SETTINGS_NOTE}\n`,
    `${EXIT_CODES_NOTE}\n`,
    "With `--json` a command prints one JSON document, or one on each line; what went wrong goes to standard error as text.\n",
    `| command | |\n|---|---|\n${rows.join("")}`,
    ...groups.flatMap(({ title, commands }) => [`## ${title}\n`, ...commands.map(sectionOf)]),
  ].join("\n");
}

const shortUsage = ({ name, takes }: CliCommand): string => [name, takes].filter(Boolean).join(" ");

const rowOf = (command: CliCommand): string =>
  `| [\`${escapeTableCell(shortUsage(command))}\`](#${anchorOf(command)}) | ${escapeTableCell(command.summary)} |\n`;

const anchorOf = ({ name }: CliCommand): string => name.replaceAll(" ", "-");

function sectionOf(command: CliCommand): string {
  const { name, summary, about, examples } = command;
  const options = Object.entries(allOptionsOf(command)).map(
    ([option, spec]) =>
      `| \`${escapeTableCell(formatOption(option, spec))}\` | ${escapeTableCell(describeOption(spec))} |\n`,
  );
  return [
    `### ${name}\n`,
    `${capitalize(summary)}.\n`,
    `\`\`\`\nnpx --no-install tenderhall ${formatUsage(command)}\n\`\`\`\n`,
    ...(about ? [`${about}\n`] : []),
    `| option | |\n|---|---|\n${options.join("")}`,
    ...examples.map(([line, means]) => `${means}\n\n\`\`\`sh\n${line}\n\`\`\`\n`),
  ].join("\n");
}

const capitalize = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);
const escapeTableCell = (text: string): string => text.replaceAll("|", "\\|");
