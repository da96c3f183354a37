#!/usr/bin/env node
// `npx --no-install tenderhall ...`: in a checkout its sources, from the packed file what was built of them; in both with the Node that
// package.json asks for, whatever Node the machine has. Plain JavaScript that old Nodes understand.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { explainMissingNode, findNode } from "./nodeBinary.mjs";

const LOOK_MS = 200;

const scripts = dirname(fileURLToPath(import.meta.url));
const root = dirname(scripts);
const source = join(root, "src", "cli", "tenderhall.ts");

if (existsSync(source)) run(process.execPath, [join(scripts, "run.mjs"), source]);
else runBuilt();

function runBuilt() {
  const node = findNode();
  if (node) return run(node, ["--disable-warning=ExperimentalWarning", join(root, "dist", "cli", "tenderhall.js")]);
  process.stderr.write(explainMissingNode());
  process.exitCode = 1;
}

/**
 * Whoever tells us to end means the program. Where we are killed without a word, it sees so by the end of the channel
 * between us; under npx, whose shell tells nobody to end, we see it by our parent.
 */
function run(command, args) {
  const stdio = ["inherit", "inherit", "inherit", "ipc"];
  const child = spawn(command, args.concat(process.argv.slice(2)), { stdio });
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (!process.env.npm_lifecycle_event || process.ppid === parent) return;
    clearInterval(timer);
    child.kill("SIGTERM");
  }, LOOK_MS);
  timer.unref();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  child.on("error", (error) => {
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  });
  child.on("exit", (code) => process.exit(code === null ? 1 : code));
}
