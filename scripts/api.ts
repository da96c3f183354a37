// Writes docs/api/<version>.json, or with --check says whether what is committed is current.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { ALIASES, OLDEST, openDialects } from "../src/dialects/dialects.ts";
import { openZone } from "../src/domain/time.ts";
import { describeApi } from "../src/http/openapi.ts";

const settings = { zone: openZone("Europe/Kyiv"), sandbox: true, textBytesMax: 65536, listMax: 1000 };
const checking = process.argv.includes("--check");
const stale: string[] = [];

mkdirSync("docs/api", { recursive: true });
const dialects = openDialects(settings);
for (const [segment, dialect] of dialects) {
  if (ALIASES.includes(segment)) continue;
  const file = `docs/api/${segment}.json`;
  const text = JSON.stringify(describeApi(dialect, dialects.get(OLDEST)!), null, 2) + "\n";
  if (existsSync(file) && readFileSync(file, "utf8") === text) continue;
  if (checking) stale.push(file);
  else writeFileSync(file, text);
}

if (stale.length > 0) {
  console.error(`Not current: ${stale.join(", ")}. Look at the change and run: npm run api`);
  process.exit(1);
}
console.log(checking ? "The API descriptions are current." : "The API descriptions are written to docs/api.");
