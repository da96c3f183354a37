// Records the examples of the API and writes docs/api/<version>.json and the types of the client. With --check, fails if the
// committed files are out of date; test/docs/openapiExamples.test.ts checks that the service returns the recorded examples.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { ALIASES, OLDEST, openDialects } from "../src/dialects/dialects.ts";
import { openZone } from "../src/domain/values/time.ts";
import { allRules } from "../src/http/errorRules.ts";
import { describeApi } from "../src/openapi/openapi.ts";
import { describeUnversionedApi } from "../src/openapi/unversionedOpenapi.ts";
import { type Description, renderClientTypes, renderSiteTypes } from "./clientTypes.ts";
import { EXAMPLE_NAMES, exampleFile, recordExamples } from "./examples/record.ts";

const settings = { zone: openZone("Europe/Kyiv"), sandbox: true, textBytesMax: 65536, listMax: 1000 };
const checking = process.argv.includes("--check");
const stale: string[] = [];
/** The default API version of the client. */
const CLIENT = { segment: "2.5", file: "src/client/types.ts" };

function writeOrCheck(file: string, text: string): void {
  if (existsSync(file) && readFileSync(file, "utf8") === text) return;
  if (checking) stale.push(file);
  else writeFileSync(file, text);
}

/** The rules that a response can name. Those without a status are only for operators. */
const rules = allRules().flatMap(({ id, statuses }) => (statuses.length > 0 ? [id] : []));

mkdirSync("docs/api/examples", { recursive: true });
if (!checking)
  for (const name of EXAMPLE_NAMES)
    writeOrCheck(exampleFile(name), `${JSON.stringify(await recordExamples(name), null, 2)}\n`);
const dialects = openDialects(settings);
for (const [segment, dialect] of dialects) {
  if (ALIASES.includes(segment)) continue;
  const description = describeApi(dialect, dialects.get(OLDEST)!);
  writeOrCheck(`docs/api/${segment}.json`, JSON.stringify(description, null, 2) + "\n");
  if (segment === CLIENT.segment) writeOrCheck(CLIENT.file, renderClientTypes(description as Description, rules));
}

const site = describeUnversionedApi();
writeOrCheck("docs/api/site.json", `${JSON.stringify(site, null, 2)}\n`);
writeOrCheck("src/client/siteTypes.ts", renderSiteTypes(site as Description));

if (stale.length > 0) {
  console.error(`Out of date: ${stale.join(", ")}. Review the change and run: npm run api`);
  process.exit(1);
}
console.log(
  checking
    ? "The API descriptions and the client's types are up to date."
    : "The API descriptions are written to docs/api, the client's types to src/client.",
);
