import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { missingPrograms, NO_REGISTRY, runScript } from "./programs.ts";

/** A project outside the checkout that was set up by step 0 of a guide. `missing` is why that was impossible, or undefined. */
export type InstalledProject = {
  readonly folder: string;
  readonly missing: string | undefined;
  readonly remove: () => void;
};

/** The files that `npm pack` needs. */
const PACKED_PATHS = [
  "package.json",
  "package-lock.json",
  "tsconfig.json",
  "tsconfig.browser.json",
  "tsconfig.build.json",
  "tsconfig.client.json",
  "LICENSE",
  "packages",
  "src",
  "docs",
  "deploy",
  "scripts",
];

/** Runs the step as written, with a copy of this checkout as `~/tenderhall`, because other tests may pack this one meanwhile. */
export async function installByStep(step: string): Promise<InstalledProject> {
  const root = mkdtempSync(join(tmpdir(), "tenderhall-installed-"));
  const remove = () => rmSync(root, { recursive: true, force: true, maxRetries: 5 });
  const [checkout, folder] = [join(root, "tenderhall"), join(root, "project")];
  copyCheckout(checkout);
  mkdirSync(folder);
  if (missingPrograms("bash")) return { folder, missing: missingPrograms("bash") || undefined, remove };
  // With --silent, npm would not print why it failed.
  const text = step.replaceAll("~/tenderhall", checkout).replaceAll("install --silent", "install --no-audit --no-fund");
  const { code, output } = await runScript(text, { cwd: folder });
  if (code === 0) return { folder, missing: undefined, remove };
  remove();
  if (!NO_REGISTRY.test(output)) throw new Error(`the installation failed: ${output}`);
  return { folder, missing: "the npm registry cannot be reached", remove };
}

/** Copies the checkout, with a link to its node_modules. */
export function copyCheckout(to: string): void {
  for (const name of PACKED_PATHS) cpSync(name, join(to, name), { recursive: true });
  symlinkSync(resolve("node_modules"), join(to, "node_modules"));
}
