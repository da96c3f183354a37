// Writes docs/commands.md. With --check, fails if the committed file is out of date.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { GROUPS } from "../src/cli/commands.ts";
import { commandReference } from "../src/cli/reference.ts";

const FILE = "docs/commands.md";
const text = commandReference(GROUPS);
const isCurrent = existsSync(FILE) && readFileSync(FILE, "utf8") === text;
if (!process.argv.includes("--check")) {
  if (!isCurrent) writeFileSync(FILE, text);
  console.log(`Wrote ${FILE}.`);
} else if (isCurrent) console.log(`${FILE} is up to date.`);
else {
  console.error(`Out of date: ${FILE}. Review the change and run: npm run commands`);
  process.exit(1);
}
