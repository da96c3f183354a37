// Writes docs/errors.md from the lists of rules. With --check, fails if the committed file is out of date.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { allRules, type ListedRule } from "../src/http/errorRules.ts";
import { ERRORS_INTRODUCTION } from "../src/portal/docs/errorsIntroduction.ts";

export const FILE = "docs/errors.md";

const statusesOf = ({ statuses }: ListedRule): string =>
  statuses.length > 0 ? `Status ${statuses.join(" or ")}. ` : "Reported by the command line. ";

const renderRule = (rule: ListedRule): string =>
  `### ${rule.id}\n\n**${rule.title}.** ${statusesOf(rule)}${rule.text}\n`;

/** The text of docs/errors.md. */
export function renderErrorsPage(): string {
  const topics = [...Map.groupBy(allRules(), ({ topic }) => topic)].map(
    ([topic, rules]) => `## ${topic}\n\n${rules.map(renderRule).join("\n")}`,
  );
  return [ERRORS_INTRODUCTION, ...topics].join("\n");
}

function writeOrCheck(checking: boolean): void {
  const isCurrent = existsSync(FILE) && readFileSync(FILE, "utf8") === renderErrorsPage();
  if (checking && !isCurrent) {
    console.error(`Out of date: ${FILE}. Review the change and run: npm run errors`);
    process.exit(1);
  }
  if (!isCurrent) writeFileSync(FILE, renderErrorsPage());
  console.log(checking ? `${FILE} is up to date.` : `Wrote ${FILE}.`);
}

if (import.meta.main) writeOrCheck(process.argv.includes("--check"));
