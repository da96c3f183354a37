// Writes docs/errors.md from the lists of rules, or with --check says whether what is committed is current.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { allRules, type ListedRule } from "../src/http/errorRules.ts";

export const FILE = "docs/errors.md";

const INTRODUCTION = `# Errors

Whatever is refused is answered in one form:

\`\`\`json
{
  "status": "error",
  "errors": [
    {
      "location": "body",
      "name": "data",
      "description": "Can't add bid in current (active.enquiries) tender status",
      "rule": "wrong-status",
      "docs": "http://127.0.0.1:8080/docs/errors#wrong-status",
      "allowedFrom": "2026-11-23T10:00:00+02:00",
      "allowedUntil": "2026-11-30T10:00:00+02:00"
    }
  ]
}
\`\`\`

- \`location\` and \`name\` say what the error is about: a \`header\`, the \`url\`, its \`params\`, or a field of the \`body\`.
- \`description\` is for people. Under 2.5 it is a list or an object where several things are wrong with one field.
- \`rule\` is for programs: the id of a rule on this page, which never changes. Where a description tells several things, it
  is the rule of the first.
- \`docs\` leads to the rule.
- \`allowedFrom\` and \`allowedUntil\` are there where time decides: from the one, and before the other, it is or was allowed. An
  end that nobody knows yet is left out.
`;

const statusesOf = ({ statuses }: ListedRule): string =>
  statuses.length > 0 ? `Status ${statuses.join(" or ")}. ` : "Told by the command line. ";

const ruleShown = (rule: ListedRule): string =>
  `### ${rule.id}\n\n**${rule.title}.** ${statusesOf(rule)}${rule.text}\n`;

/** What belongs into the file. */
export function errorsPage(): string {
  const topics = [...Map.groupBy(allRules(), ({ topic }) => topic)].map(
    ([topic, rules]) => `## ${topic}\n\n${rules.map(ruleShown).join("\n")}`,
  );
  return [INTRODUCTION, ...topics].join("\n");
}

function writeOrCheck(checking: boolean): void {
  const isCurrent = existsSync(FILE) && readFileSync(FILE, "utf8") === errorsPage();
  if (checking && !isCurrent) {
    console.error(`Not current: ${FILE}. Look at the change and run: npm run errors`);
    process.exit(1);
  }
  if (!isCurrent) writeFileSync(FILE, errorsPage());
  console.log(checking ? "The list of errors is current." : `The list of errors is written to ${FILE}.`);
}

if (import.meta.main) writeOrCheck(process.argv.includes("--check"));
