// Writes dist/, which is what the packed file carries: the program as JavaScript, since Node does not take types out of
// what is installed, the client with its types, and the lock file that the packed file is installed by.
import { spawnSync } from "node:child_process";
import { globSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { writeInstallProject } from "./installProject.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
process.chdir(root);

rmSync("dist", { recursive: true, force: true });
const tsc = spawnSync(process.execPath, ["node_modules/typescript/bin/tsc", "-p", "tsconfig.build.json"], {
  stdio: ["ignore", process.stderr, process.stderr],
});
if (tsc.status !== 0) process.exit(1);

/** The compiler renames what is imported, but not what is named elsewhere, as the files of threads are. */
const NAMED = /(new URL\(\s*"\.{1,2}\/[^"]+)\.ts(",\s*import\.meta\.url)/g;
const LEFT = /["'`]\.{1,2}\/[^"'`\s]*\.ts["'`]/;
/** Nor does it in types, where other compilers than ours would look for the sources. */
const TYPES_FROM = /((?:from|import\()\s*"\.{1,2}\/[^"]+)\.ts"/g;

const left: string[] = [];
for (const file of globSync("dist/**/*.js")) rewrite(file, (text) => text.replace(NAMED, "$1.js$2"));
for (const file of globSync("dist/**/*.d.ts"))
  if (/^dist[\\/]client[\\/]/.test(file)) rewrite(file, (text) => text.replace(TYPES_FROM, '$1.js"'));
  else rmSync(file);

if (left.length > 0) {
  process.stderr.write(`These name a source that will not be there: ${left.join(", ")}\n`);
  process.exit(1);
}

writeInstallProject("dist/install");

function rewrite(file: string, change: (text: string) => string): void {
  const text = change(readFileSync(file, "utf8"));
  if (LEFT.test(text)) left.push(file);
  writeFileSync(file, text);
}
