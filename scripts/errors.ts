// Writes docs/errors.md from the lists of rules, or with --check says whether what is committed is current.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { allRules, type ListedRule } from "../src/http/errorRules.ts";
import { ERRORS_INTRODUCTION } from "../src/portal/docs/errorsIntroduction.ts";

export const FILE = "docs/errors.md";

const statusesOf = ({ statuses }: ListedRule): string =>
  statuses.length > 0 ? `Status ${statuses.join(" or ")}. ` : "Told by the command line. ";

const renderRule = (rule: ListedRule): string =>
  `### ${rule.id}\n\n**${rule.title}.** ${statusesOf(rule)}${rule.text}\n`;

/** What belongs into the file. */
export function renderErrorsPage(): string {
  const topics = [...Map.groupBy(allRules(), ({ topic }) => topic)].map(
    ([topic, rules]) => `## ${topic}\n\n${rules.map(renderRule).join("\n")}`,
  );
  return [ERRORS_INTRODUCTION, ...topics].join("\n");
}

function writeOrCheck(checking: boolean): void {
  const isCurrent = existsSync(FILE) && readFileSync(FILE, "utf8") === renderErrorsPage();
  if (checking && !isCurrent) {
    console.error(`Not current: ${FILE}. Look at the change and run: npm run errors`);
    process.exit(1);
  }
  if (!isCurrent) writeFileSync(FILE, renderErrorsPage());
  console.log(checking ? "The list of errors is current." : `The list of errors is written to ${FILE}.`);
}

if (import.meta.main) writeOrCheck(process.argv.includes("--check"));
