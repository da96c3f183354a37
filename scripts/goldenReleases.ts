// `npm run golden`: writes test/fixtures/releases.jsonl, the releases of a few stories. Run it after you have decided to change what
// releases say: docs/decisions/0030-serving-open-data.md says what such a change means for releases that are already published.
import { writeFileSync } from "node:fs";
import { GOLDEN_FILE, goldenLines } from "../test/support/goldenReleases.ts";

const lines = goldenLines();
writeFileSync(GOLDEN_FILE, lines.map((line) => `${line}\n`).join(""));
console.log(`${GOLDEN_FILE}: ${lines.length} releases`);
