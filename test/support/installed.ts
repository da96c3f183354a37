import { spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";

/** A project outside of the checkout that has done what the step 0 of a guide says. */
export type Project = { readonly folder: string; readonly missing: string | undefined; readonly remove: () => void };

const NO_REGISTRY = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|E40[13]|ENOTCACHED/;
/** What is packed, and what packs it. */
const PACKED = [
  "package.json",
  "package-lock.json",
  "tsconfig.json",
  "tsconfig.build.json",
  "src",
  "docs",
  "deploy",
  "scripts",
];

/** Runs the step as it is written; `~/tenderhall` is a copy of this checkout, as others may pack this one meanwhile. */
export async function installedBy(step: string): Promise<Project> {
  const place = mkdtempSync(join(tmpdir(), "tenderhall-installed-"));
  const remove = () => rmSync(place, { recursive: true, force: true, maxRetries: 5 });
  const [checkout, folder] = [join(place, "tenderhall"), join(place, "project")];
  copyCheckout(checkout);
  mkdirSync(folder);
  const { code, said } = await runStep(step.replaceAll("~/tenderhall", checkout), folder);
  if (code === 0) return { folder, missing: undefined, remove };
  remove();
  if (!NO_REGISTRY.test(said)) throw new Error(`the installation failed: ${said}`);
  return { folder, missing: "the npm registry cannot be reached", remove };
}

/** What is needed to pack it. */
export function copyCheckout(to: string): void {
  for (const name of PACKED) cpSync(name, join(to, name), { recursive: true });
  symlinkSync(resolve("node_modules"), join(to, "node_modules"));
}

function runStep(step: string, cwd: string): Promise<{ readonly code: number | null; readonly said: string }> {
  const own = Object.entries(process.env).filter(([name]) => !/^(npm_|NODE_)/.test(name));
  const path = (process.env.PATH ?? "").split(delimiter).filter((one) => !one.includes("node_modules"));
  // A quiet installation would not say why it failed.
  const env = { ...Object.fromEntries(own), PATH: path.join(delimiter) };
  const shell = spawn("bash", ["-eu", "-c", step.replaceAll("install --silent", "install --no-audit --no-fund")], {
    cwd,
    env,
  });
  let said = "";
  for (const stream of [shell.stdout, shell.stderr])
    stream.on("data", (chunk) => {
      said += chunk;
    });
  return new Promise((done) => shell.on("close", (code) => done({ code, said })));
}
