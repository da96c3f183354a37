import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { missing, NO_REGISTRY, runScript } from "./programs.ts";

/** A project outside of the checkout that has done what the step 0 of a guide says. */
export type Project = { readonly folder: string; readonly missing: string | undefined; readonly remove: () => void };

/** What is packed, and what packs it. */
const PACKED = [
  "package.json",
  "package-lock.json",
  "tsconfig.json",
  "tsconfig.build.json",
  "tsconfig.client.json",
  "LICENSE",
  "packages",
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
  if (missing("bash")) return { folder, missing: missing("bash") || undefined, remove };
  // A quiet installation would not say why it failed.
  const text = step.replaceAll("~/tenderhall", checkout).replaceAll("install --silent", "install --no-audit --no-fund");
  const { code, said } = await runScript(text, { cwd: folder });
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
