import { EXIT_CODES, type Group, meaningOf, SETTINGS_USED } from "./help.ts";
import type { Command } from "./operated.ts";
import { optionsOf, optionWords, usageOf } from "./words.ts";

/** docs/commands.md, made of the table of commands. */
export function referenceOf(groups: readonly Group[]): string {
  const rows = groups.flatMap(({ commands }) => commands).map(rowOf);
  return [
    "# Commands\n",
    "<!-- Made of the table of commands by `npm run commands`: change `src/cli`, not this file. -->\n",
    "In a checkout, or in a project that has [the packed file installed](client.md#install). Tenderhall is not published on npm, and a package of that name there is somebody else's: with `--no-install`, npx runs only what is installed.\n",
    "All commands, and one of them with examples:\n\n```sh\nnpx --no-install tenderhall help\nnpx --no-install tenderhall help sync\n```\n",
    `${SETTINGS_USED}\n`,
    `${EXIT_CODES}\n`,
    "With `--json` a command prints one JSON document, or one on each line; what went wrong goes to standard error as text.\n",
    `| command | |\n|---|---|\n${rows.join("")}`,
    ...groups.flatMap(({ title, commands }) => [`## ${title}\n`, ...commands.map(sectionOf)]),
  ].join("\n");
}

const shortOf = ({ name, takes }: Command): string => [name, takes].filter(Boolean).join(" ");

const rowOf = (command: Command): string =>
  `| [\`${escaped(shortOf(command))}\`](#${anchorOf(command)}) | ${escaped(command.summary)} |\n`;

const anchorOf = ({ name }: Command): string => name.replaceAll(" ", "-");

function sectionOf(command: Command): string {
  const { name, summary, about, examples } = command;
  const options = Object.entries(optionsOf(command)).map(
    ([option, one]) => `| \`${escaped(optionWords(option, one))}\` | ${escaped(meaningOf(one))} |\n`,
  );
  return [
    `### ${name}\n`,
    `${capital(summary)}.\n`,
    `\`\`\`\nnpx --no-install tenderhall ${usageOf(command)}\n\`\`\`\n`,
    ...(about ? [`${about}\n`] : []),
    `| option | |\n|---|---|\n${options.join("")}`,
    ...examples.map(([line, means]) => `${means}\n\n\`\`\`sh\n${line}\n\`\`\`\n`),
  ].join("\n");
}

const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);
const escaped = (text: string): string => text.replaceAll("|", "\\|");
