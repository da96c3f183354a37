// Writes docs/settings.md from the table of settings, or with --check says whether what is committed is current.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { SETTING_SECTIONS, SETTINGS, type Setting, type SettingSection } from "../src/config/settings.ts";

export const FILE = "docs/settings.md";

const INTRODUCTION = `# Settings

The service reads its settings from the environment. Each has a default, so you need none to start. \`npx --no-install tenderhall help serve\`
prints the same list. If a setting is invalid, the service does not start, and one message lists everything that is wrong.

In production keep them in a file, as [settings.env](../deploy/settings.env) does, so that the server and the commands of operators use the
same ones.`;

/** Words that are typed as they stand: other settings, headers, paths, URLs and values of a choice. */
const LITERALS = [
  ...SETTINGS.map(({ name }) => name),
  ...["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "X-Forwarded-For", "/health/ready", "/metrics", "opt_fields"],
  ...["tenderhall account"],
];
const LITERAL = new RegExp(`(?<![\\w\`])(${LITERALS.join("|")}|(?:s3|postgres)://[^\\s;,]+)(?![\\w\`])`, "g");

/** The default stands in a column of its own. */
const DEFAULT = /; default: (.*)$/;

const withLiterals = (text: string): string => text.replace(LITERAL, "`$1`");

function renderRow({ name, fallback, description, more }: Setting): string {
  const described = DEFAULT.exec(description)?.[1];
  const defaultText = fallback ? `\`${fallback}\`` : withLiterals(described ?? "");
  const link = more ? ` ([more](${more}))` : "";
  return `| \`${name}\` | ${defaultText} | ${withLiterals(description.replace(DEFAULT, ""))}${link} |`;
}

const renderSection = ({ title, about, settings }: SettingSection): string =>
  [`## ${title}`, "", about, "", "| setting | default | meaning |", "|---|---|---|", ...settings.map(renderRow)].join(
    "\n",
  );

/** The whole page. */
export const renderSettingsPage = (): string =>
  `${[INTRODUCTION, ...SETTING_SECTIONS.map(renderSection)].join("\n\n")}\n`;

function writeOrCheck(checking: boolean): void {
  const isCurrent = existsSync(FILE) && readFileSync(FILE, "utf8") === renderSettingsPage();
  if (checking && !isCurrent) {
    console.error(`Not current: ${FILE}. Look at the change and run: npm run settings`);
    process.exit(1);
  }
  if (!isCurrent) writeFileSync(FILE, renderSettingsPage());
  console.log(checking ? "The list of settings is current." : `The list of settings is written to ${FILE}.`);
}

if (import.meta.main) writeOrCheck(process.argv.includes("--check"));
