import { FILTER_PARAMETERS } from "../feed/filterParameters.ts";

/** What the descriptions of the API are written with. */

export const schemaRef = (name: string) => ({ $ref: `#/components/schemas/${name}` });
export const jsonContent = (schema: unknown) => ({ "application/json": { schema } });
export const objectSchema = (properties: object, required: readonly string[] = []) => ({
  type: "object",
  properties,
  ...(required.length > 0 && { required }),
  additionalProperties: false,
});

/** What a file is sent in. */
export const FORM_CONTENT = {
  "multipart/form-data": { schema: objectSchema({ file: { type: "string", format: "binary" } }, ["file"]) },
};

export const operationId = (method: string, path: string): string =>
  `${method.toLowerCase()}_${path.slice(1).replaceAll(/[{}]/g, "").replaceAll("/", "_")}`;

const ERROR_RULE_PROPERTIES = {
  rule: {
    type: "string",
    pattern: "^[a-z]+(-[a-z]+)*$",
    description: "The rule that is broken; of several, the first",
  },
  docs: { type: "string", format: "uri", description: "Where the rule is explained" },
  allowedFrom: { type: "string", format: "date-time", description: "Where time decides: from then on it is allowed" },
  allowedUntil: { type: "string", format: "date-time", description: "Where time decides: until then it is allowed" },
};

/** Descriptions are texts, or nested as the newest version tells them. */
export const errorSchema = (descriptions: "flat" | "nested") =>
  objectSchema(
    {
      status: { const: "error" },
      errors: {
        type: "array",
        minItems: 1,
        items: objectSchema(
          {
            location: { enum: ["header", "body", "url", "params"] },
            name: { type: "string" },
            description: descriptions === "flat" ? { type: "string" } : {},
            ...ERROR_RULE_PROPERTIES,
          },
          ["location", "name", "description", "rule", "docs"],
        ),
      },
    },
    ["status", "errors"],
  );

export const parameter = (name: string, description: string, location = "query", type = "string") => ({
  name,
  in: location,
  description,
  schema: { type },
});

/** By the name of a parameter of the path, whose id it is: `auction_lot_id` is an auction lot's. */
export const idDescription = (name: string): string => `The ${name.replace(/_id$/, "").replaceAll("_", " ")}'s id`;

export const PARAMETERS = {
  opt_pretty: parameter("opt_pretty", "Anything but empty or 0 indents the answer"),
  opt_jsonp: parameter(
    "opt_jsonp",
    "The name of a function to call with the answer; a read then shows what everybody sees, whatever key comes with it",
  ),
  offset: parameter("offset", "Where to go on: `next_page.offset`, a time, or unix seconds"),
  limit: parameter("limit", "Entries on a page, 1 to 1000 (with opt_fields to 100)", "query", "integer"),
  descending: parameter("descending", "Anything but empty: newest first"),
  mode: parameter("mode", "`test`: test tenders only; `_all_`: both; default: real ones"),
  feed: parameter("feed", "`changes` or `dateModified`: the same order, repeated in the links"),
  opt_fields: parameter("opt_fields", "More fields for each entry, separated by commas"),
  ...FILTER_PARAMETERS,
  "Last-Event-ID": parameter("Last-Event-ID", "The id of the last event that was heard; wins over `offset`", "header"),
  all: parameter("all", "Anything but empty lists every version"),
  download: parameter("download", "The key of a version: answers the file itself"),
  acc_token: parameter("acc_token", "The owner token"),
  "X-Access-Token": parameter("X-Access-Token", "The owner token", "header"),
  dry_run: parameter("dry_run", "Anything but empty or 0: the answer that it would give, and nothing stored"),
  "Idempotency-Key": parameter(
    "Idempotency-Key",
    "1 to 255 characters of ASCII: the same key and request get the same answer for a day",
    "header",
  ),
  "If-Match": parameter("If-Match", "Done only if GET gives this ETag still; otherwise 412", "header"),
  "If-None-Match": parameter("If-None-Match", "304 and no body, if the answer has this ETag still", "header"),
  "X-Test-Clock": parameter("X-Test-Clock", "In the sandbox: the test clock that the tender is to live on", "header"),
};

type Path = readonly (string | number)[];

const fieldName = (path: Path): string =>
  path
    .map((step) => (typeof step === "number" ? "[]" : `.${step}`))
    .join("")
    .replace(/^\./, "");

/** Fields for people, what is in one of them behind it: `title`, `items[]` (`description`, `classification.id`). */
export function listFieldNames(paths: readonly Path[]): string {
  const groups = [...Map.groupBy(paths, ([first]) => first)];
  const names = groups.map(([, group]) => {
    const depth = typeof group[0]![1] === "number" ? 2 : 1;
    const nested = group.filter(({ length }) => length > depth).map((path) => `\`${fieldName(path.slice(depth))}\``);
    const head = fieldName(group[0]!.slice(0, depth));
    if (nested.length === 1) return `\`${fieldName(group.find(({ length }) => length > depth)!)}\``;
    return nested.length > 0 ? `\`${head}\` (${nested.join(", ")})` : `\`${head}\``;
  });
  return names.join(", ") || "nothing";
}
