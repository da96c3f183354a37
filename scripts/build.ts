// Builds the packed files. dist/ has the program as JavaScript, because Node does not strip types in node_modules; the client
// with its types; and the lock file for installing the packed file. packages/client/dist/ has the client alone. With --client,
// only the latter is built.
import { spawnSync } from "node:child_process";
import { copyFileSync, globSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { writeInstallProject } from "./installProject.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
process.chdir(root);

/** The compiler rewrites the extension in imports, but not in other references, such as the files of worker threads. */
const URL_REFERENCE = /(new URL\(\s*"\.{1,2}\/[^"]+)\.ts(",\s*import\.meta\.url)/g;
const SOURCE_REFERENCE = /["'`]\.{1,2}\/[^"'`\s]*\.ts["'`]/;
/** It does not rewrite imports in .d.ts files either, where other compilers would look for the sources. */
const TYPE_IMPORT = /((?:from|import\()\s*"\.{1,2}\/[^"]+)\.ts"/g;

const unresolvedFiles: string[] = [];
if (!process.argv.includes("--client")) buildProgram();
buildClient();

if (unresolvedFiles.length > 0) {
  process.stderr.write(`These files refer to a TypeScript source that is not packed: ${unresolvedFiles.join(", ")}\n`);
  process.exit(1);
}

function buildProgram(): void {
  rmSync("dist", { recursive: true, force: true });
  compile("tsconfig.build.json");
  compile("tsconfig.browser.json");
  for (const file of globSync("src/**/*.{css,txt}")) copyFileSync(file, file.replace(/^src/, "dist"));
  for (const file of globSync("dist/**/*.js")) rewrite(file, (text) => text.replace(URL_REFERENCE, "$1.js$2"));
  for (const file of globSync("dist/**/*.d.ts"))
    if (/^dist[\\/]client[\\/]/.test(file)) rewriteTypes(file);
    else rmSync(file);
  writeInstallProject("dist/install");
}

/** Doc comments stay in the types, where editors show them. Without them the JavaScript is half as large. */
function buildClient(): void {
  rmSync("packages/client/dist", { recursive: true, force: true });
  compile("tsconfig.client.json", "--declaration", "--emitDeclarationOnly", "--removeComments", "false");
  compile("tsconfig.client.json");
  for (const file of globSync("packages/client/dist/*.d.ts")) rewriteTypes(file);
  copyFileSync("LICENSE", "packages/client/LICENSE");
}

function compile(project: string, ...options: readonly string[]): void {
  const args = ["node_modules/typescript/bin/tsc", "-p", project, ...options];
  const { status } = spawnSync(process.execPath, args, { stdio: ["ignore", process.stderr, process.stderr] });
  if (status !== 0) process.exit(1);
}

function rewriteTypes(file: string): void {
  rewrite(file, (text) => text.replace(TYPE_IMPORT, '$1.js"'));
}

function rewrite(file: string, change: (text: string) => string): void {
  const text = change(readFileSync(file, "utf8"));
  if (SOURCE_REFERENCE.test(text)) unresolvedFiles.push(file);
  writeFileSync(file, text);
}
