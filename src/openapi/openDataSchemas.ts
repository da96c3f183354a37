import { EXAMPLE_IDS } from "../dialects/shapes/exampleIds.ts";
import { type DocumentedSchema, property, shape, text, uri } from "./documentedSchemas.ts";
import { EXAMPLE_ORIGIN, objectSchema } from "./openapiBuilders.ts";

/** The packages of open data. The Open Contracting Data Standard describes what is in them. */

const OCDS_DATE = "2026-11-16T08:30:00.000003Z";
/** A time in UTC, as open data writes it. */
const utcInstant = property({ type: "string", pattern: "^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{6}Z$" });
const nested = (properties: { readonly [name: string]: DocumentedSchema }, required: readonly string[] = []) =>
  property(objectSchema(properties, required));
const PACKAGE_URIS = {
  releases: `${EXAMPLE_ORIGIN}/ocds/releases?limit=1&descending=1`,
  records: `${EXAMPLE_ORIGIN}/ocds/records?limit=1&descending=1`,
};
const PAGE_BEFORE = "offset=2026-11-16T08%3A30%3A00.000003Z&limit=1";

const packageProperties = (kind: keyof typeof PACKAGE_URIS) => ({
  uri: uri("Address of the package.", PACKAGE_URIS[kind]),
  version: text("Version of the Open Contracting Data Standard.", "1.1"),
  publishedDate: utcInstant("When the contents changed last.", OCDS_DATE),
  publisher: nested({ name: text("Name of the publisher.", "Tenderhall") }, ["name"])("Who publishes the data.", {
    name: "Tenderhall",
  }),
  license: uri("Address of the licence of the data.", "https://creativecommons.org/licenses/by/4.0/"),
  publicationPolicy: uri("Address of the publication policy.", "https://tenders.example/policy"),
  extensions: property({ type: "array", items: { type: "string", format: "uri" } })(
    "Addresses of the extensions that the data uses.",
    [`${EXAMPLE_ORIGIN}/ocds/extensions/tenderhall/extension.json`],
  ),
  links: nested({
    next: uri("Address of the next page. The last page has none: ask for it again later.", PACKAGE_URIS[kind]),
    prev: uri("Address of the page before.", `${EXAMPLE_ORIGIN}/ocds/${kind}?${PAGE_BEFORE}`),
  })("Where the pages before and after are.", { prev: `${EXAMPLE_ORIGIN}/ocds/${kind}?${PAGE_BEFORE}` }),
});
const PACKAGE_REQUIRED = ["uri", "version", "publishedDate", "publisher"];
const OCID = `ocds-213czf-${EXAMPLE_IDS.tender}`;
const ocid = text("Open contracting id of the tender.", OCID);
const ocdsObject = property({ type: "object", additionalProperties: {} });

const openShape = (...args: Parameters<typeof shape>) => ({ ...shape(...args), additionalProperties: {} });
const listOf = (items: object) => property({ type: "array", items });
const EXAMPLE_RELEASE = {
  ...{ ocid: OCID, id: `${OCID}-1`, date: OCDS_DATE, tag: ["tender"], initiationType: "tender" },
};
const EXAMPLE_RECORD = {
  ocid: OCID,
  releases: [{ url: `${EXAMPLE_ORIGIN}/ocds/releases/${OCID}-1#${OCID}-1`, date: OCDS_DATE, tag: ["tender"] }],
  compiledRelease: { ocid: OCID, id: `${OCID}-${OCDS_DATE}`, date: OCDS_DATE, tag: ["compiled"] },
  versionedRelease: { ocid: OCID },
};

const RELEASE = openShape(
  "What became known by a change of a tender, in the Open Contracting Data Standard.",
  {
    ocid,
    id: text("Identifies the release.", `${OCID}-1`),
    date: utcInstant("When the change was made.", OCDS_DATE),
    tag: listOf({ type: "string" })("What the release is about.", ["tender"]),
    initiationType: text("Always `tender`.", "tender"),
  },
  ["ocid", "id", "date", "tag", "initiationType"],
);
const RECORD = openShape(
  "Everything about a tender, in the Open Contracting Data Standard.",
  {
    ocid,
    releases: listOf({ type: "object", additionalProperties: {} })(
      "The releases, or links to them.",
      EXAMPLE_RECORD.releases,
    ),
    compiledRelease: ocdsObject("What all releases say together.", EXAMPLE_RECORD.compiledRelease),
    versionedRelease: ocdsObject("Every value that the releases ever had.", EXAMPLE_RECORD.versionedRelease),
  },
  ["ocid", "releases", "compiledRelease", "versionedRelease"],
);

export const OPEN_DATA_SCHEMAS = {
  ReleasePackage: shape(
    "A package of releases.",
    { ...packageProperties("releases"), releases: listOf(RELEASE)("The releases, at least one.", [EXAMPLE_RELEASE]) },
    [...PACKAGE_REQUIRED, "releases"],
  ),
  RecordPackage: shape(
    "A package of records.",
    { ...packageProperties("records"), records: listOf(RECORD)("The records, at least one.", [EXAMPLE_RECORD]) },
    [...PACKAGE_REQUIRED, "records"],
  ),
};
