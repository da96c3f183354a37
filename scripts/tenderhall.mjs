#!/usr/bin/env node
// `npx tenderhall ...` in the checkout: the operators' commands, run with the Node that package.json asks for.
// Plain JavaScript that old Nodes understand.
import { spawnSync } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const scripts = dirname(fileURLToPath(import.meta.url));
const command = join(dirname(scripts), "src", "cli", "tenderhall.ts");
const { status } = spawnSync(process.execPath, [join(scripts, "run.mjs"), command, ...process.argv.slice(2)], {
  stdio: "inherit",
});
process.exitCode = status === null ? 1 : status;
