#!/usr/bin/env node
// `npx tenderhall ...` in the checkout: run with the Node that package.json asks for.
// Plain JavaScript that old Nodes understand.
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const scripts = dirname(fileURLToPath(import.meta.url));
process.argv.splice(2, 0, join(dirname(scripts), "src", "cli", "tenderhall.ts"));
// In this process, which passes signals on to the one that it starts.
await import("./run.mjs");
