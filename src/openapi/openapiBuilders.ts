/** What the descriptions of the API are written with. */

/** Where the registry of the examples is reached. */
export const EXAMPLE_ORIGIN = "https://tenderhall.example";

export const schemaRef = (name: string) => ({ $ref: `#/components/schemas/${name}` });
export const jsonContent = (schema: unknown, examples?: object) => ({
  "application/json": { schema, ...(examples && { examples }) },
});
export const objectSchema = (properties: object, required: readonly string[] = []) => ({
  type: "object",
  properties,
  ...(required.length > 0 && { required }),
  additionalProperties: false,
});

/** What a file is sent in. */
export const form = (examples?: object) => ({
  "multipart/form-data": {
    schema: objectSchema(
      {
        file: {
          type: "string",
          format: "binary",
          description: "The file: one part with a file name, which becomes the title, and a media type.",
          examples: ["Week 1: borscht, buckwheat with chicken, compote"],
        },
      },
      ["file"],
    ),
    ...(examples && { examples }),
  },
});

export const operationId = (method: string, path: string): string =>
  `${method.toLowerCase()}_${path.slice(1).replaceAll(/[{}]/g, "").replaceAll("/", "_")}`;

const ERROR_RULE_PROPERTIES = {
  rule: {
    type: "string",
    pattern: "^[a-z]+(-[a-z]+)*$",
    description: "Name of the rule that was broken; of several, the first. Stable, for programs to act on.",
    examples: ["wrong-status"],
  },
  docs: {
    type: "string",
    format: "uri",
    description: "Address of the page that explains the rule.",
    examples: [`${EXAMPLE_ORIGIN}/docs/errors#wrong-status`],
  },
  allowedFrom: {
    type: "string",
    format: "date-time",
    description: "Where time decides: the request is allowed from then on.",
    examples: ["2026-11-23T10:00:00+02:00"],
  },
  allowedUntil: {
    type: "string",
    format: "date-time",
    description: "Where time decides: the request is allowed until then.",
    examples: ["2026-11-30T10:00:00+02:00"],
  },
  highestAllowed: {
    type: "number",
    description: "Of a price in an auction: the highest one that is allowed.",
    examples: [475000],
  },
};

const ERROR_ENTRY = {
  location: "body",
  name: "data",
  description: "Can't add bid in current (active.enquiries) tender status",
  rule: "wrong-status",
  docs: `${EXAMPLE_ORIGIN}/docs/errors#wrong-status`,
  allowedFrom: "2026-11-23T10:00:00+02:00",
};

/** Descriptions are texts, or nested as the newest version tells them. */
export const errorSchema = (descriptions: "flat" | "nested") => ({
  description: "Why a request was refused or failed.",
  ...objectSchema(
    {
      status: { const: "error", description: "Always `error`.", examples: ["error"] },
      errors: {
        type: "array",
        minItems: 1,
        items: objectSchema(
          {
            location: {
              enum: ["header", "body", "url", "params"],
              description: "Part of the request that is wrong: a header, the body, the path or the query.",
              examples: ["body"],
            },
            name: {
              type: "string",
              description:
                "What is wrong there: a field, a parameter, a header, or the object in the path." +
                (descriptions === "flat" ? " A nested field is named by its path, as in `items.0.quantity`." : ""),
              examples: ["data"],
            },
            description: {
              ...(descriptions === "flat" && { type: "string" }),
              description:
                descriptions === "flat"
                  ? "What is wrong, in words."
                  : "What is wrong: a text, a list of texts, or for nested fields an object or a list of these.",
              examples: [ERROR_ENTRY.description],
            },
            ...ERROR_RULE_PROPERTIES,
          },
          ["location", "name", "description", "rule", "docs"],
        ),
        description: "Every problem that was found, not only the first.",
        examples: [[ERROR_ENTRY]],
      },
    },
    ["status", "errors"],
  ),
});

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
    // `Map.groupBy` makes no empty groups.
    const first = group[0]!;
    const depth = typeof first[1] === "number" ? 2 : 1;
    const nested = group.filter(({ length }) => length > depth);
    const head = fieldName(first.slice(0, depth));
    const [only, ...others] = nested;
    if (!only) return `\`${head}\``;
    if (others.length === 0) return `\`${fieldName(only)}\``;
    return `\`${head}\` (${nested.map((path) => `\`${fieldName(path.slice(depth))}\``).join(", ")})`;
  });
  return names.join(", ") || "nothing";
}
