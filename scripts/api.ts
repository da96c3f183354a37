// Records the examples of the API, writes docs/api/<version>.json and the types of the client. With --check it only says whether what
// is committed is current; that the examples are what the service returns, test/docs/openapiExamples.test.ts checks.
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
/** The version that the client speaks by itself. */
const CLIENT = { segment: "2.5", file: "src/client/types.ts" };

function put(file: string, text: string): void {
  if (existsSync(file) && readFileSync(file, "utf8") === text) return;
  if (checking) stale.push(file);
  else writeFileSync(file, text);
}

/** Without those of operators, which no request is told. */
const rules = allRules().flatMap(({ id, statuses }) => (statuses.length > 0 ? [id] : []));

mkdirSync("docs/api/examples", { recursive: true });
if (!checking)
  for (const name of EXAMPLE_NAMES) put(exampleFile(name), `${JSON.stringify(await recordExamples(name), null, 2)}\n`);
const dialects = openDialects(settings);
for (const [segment, dialect] of dialects) {
  if (ALIASES.includes(segment)) continue;
  const description = describeApi(dialect, dialects.get(OLDEST)!);
  put(`docs/api/${segment}.json`, JSON.stringify(description, null, 2) + "\n");
  if (segment === CLIENT.segment) put(CLIENT.file, renderClientTypes(description as Description, rules));
}

const site = describeUnversionedApi();
put("docs/api/site.json", `${JSON.stringify(site, null, 2)}\n`);
put("src/client/siteTypes.ts", renderSiteTypes(site as Description));

if (stale.length > 0) {
  console.error(`Not current: ${stale.join(", ")}. Look at the change and run: npm run api`);
  process.exit(1);
}
console.log(
  checking
    ? "The API descriptions and the client's types are current."
    : "The API descriptions are written to docs/api, the client's types to src/client.",
);
