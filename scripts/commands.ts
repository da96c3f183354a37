// Writes docs/commands.md, or with --check says whether what is committed is current.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { GROUPS } from "../src/cli/commands.ts";
import { commandReference } from "../src/cli/reference.ts";

const FILE = "docs/commands.md";
const text = commandReference(GROUPS);
const isCurrent = existsSync(FILE) && readFileSync(FILE, "utf8") === text;
if (!process.argv.includes("--check")) {
  if (!isCurrent) writeFileSync(FILE, text);
  console.log(`The commands are described in ${FILE}.`);
} else if (isCurrent) console.log("The description of the commands is current.");
else {
  console.error(`Not current: ${FILE}. Look at the change and run: npm run commands`);
  process.exit(1);
}
