import { required } from "../base/required.ts";
import { EXAMPLE_IDS } from "../dialects/shapes/exampleIds.ts";
import { AUCTION_STATUSES } from "../domain/auctions/model.ts";
import { PROCEDURE_NAMES, PROCUREMENT_METHOD_TYPES } from "../domain/procedures/names.ts";
import { FILTER_PARAMETERS } from "../feed/filterParameters.ts";
import { REGIONS } from "../indexing/regions.ts";
import { SEARCH_MODES, SEARCHED_STATUSES } from "../indexing/searchParameters.ts";
import { SEARCH_SORTS } from "../indexing/searchQuery.ts";

/** The parameters of paths, queries and headers, each with its meaning and an example. */

export type Parameter = {
  readonly name: string;
  readonly in: "query" | "path" | "header";
  readonly required?: true;
  readonly description: string;
  readonly schema: object;
  readonly example: string | number;
};

const TEXT = { type: "string" };
const query = (name: string, description: string, example: string | number, schema: object = TEXT): Parameter => ({
  name,
  in: "query",
  description,
  schema,
  example,
});
export const header = (name: string, description: string, example: string): Parameter => ({
  ...query(name, description, example),
  in: "header",
});

const TOKEN =
  "Owner token of the object that is changed or read, as `access.token` of the response that created it. It works only together " +
  "with the key of the account that created the object.";

const integer = (minimum: number, maximum: number) => ({ type: "integer", minimum, maximum });
const choice = (values: readonly string[]) => ({ type: "string", enum: values });

/** The parameters of a search, with names of their own, because the feed has parameters of the same names. */
const SEARCH_PARAMETERS = {
  search_q: query("q", "Words, all of which must match, in any form; at most 16.", "харчування школа"),
  search_status: query(
    "status",
    `Statuses: repeat it or use commas. One of ${SEARCHED_STATUSES.join(", ")}.`,
    "active.tendering",
  ),
  search_procedure: query(
    "procedure",
    `Procedures: repeat it or use commas. One of ${PROCEDURE_NAMES.join(", ")}.`,
    PROCUREMENT_METHOD_TYPES[0] ?? "",
  ),
  search_cpv: query(
    "cpv",
    "CPV codes, or the first digits of codes, at least two: an item has one of them or one below it. Repeat it or use commas.",
    "55000000-0",
  ),
  search_buyer: query("buyer", "Buyers by scheme and id of their identifier: repeat it.", "UA-EDR-21725150"),
  search_supplier: query(
    "supplier",
    "Suppliers by scheme and id of their identifier, of opened bids, awards and contracts: repeat it.",
    "UA-EDR-00137256",
  ),
  search_region: query(
    "region",
    `Regions of delivery, or else of the buyer: repeat it or use commas. One of ${REGIONS.join(", ")}.`,
    "vinnytsia",
  ),
  search_value_min: query("value_min", "The value is at least this amount, in any currency.", "100000"),
  search_value_max: query("value_max", "The value is at most this amount, in any currency.", "1000000.50"),
  search_currency: query("currency", "The value is in this currency.", "UAH"),
  search_published_from: query(
    "published_from",
    "Published at this time or later; a date means the beginning of that day.",
    "2026-11-16",
  ),
  search_published_to: query(
    "published_to",
    "Published at this time or earlier; a date means the end of that day.",
    "2026-11-30",
  ),
  search_deadline_from: query(
    "deadline_from",
    "Bids are accepted until this time or later; a date means the beginning of that day.",
    "2026-11-16",
  ),
  search_deadline_to: query(
    "deadline_to",
    "Bids are accepted until this time or earlier; a date means the end of that day.",
    "2026-11-30",
  ),
  search_mode: query("mode", "`test` finds test tenders instead of real ones.", "real", choice(SEARCH_MODES)),
  search_sort: query(
    "sort",
    "`relevance` (the default with words), `newest` (the default without), `deadline`: the soonest first and past ones last, `value`: the " +
      "highest first.",
    "deadline",
    choice(SEARCH_SORTS),
  ),
  search_page: query("page", "Number of the page, from 1.", 1, integer(1, 10_000)),
  search_limit: query("limit", "Number of results on a page: 1 to 100. If absent, 20.", 20, integer(1, 100)),
};

export const PARAMETERS = {
  ...SEARCH_PARAMETERS,
  opt_pretty: query("opt_pretty", "Any value but an empty one or 0 indents the response.", "1"),
  opt_jsonp: query(
    "opt_jsonp",
    "Name of a JavaScript function: the response is a script that calls it with the body. A read then shows what everyone sees, " +
      "whatever key is sent.",
    "showTender",
  ),
  offset: query(
    "offset",
    "Where to go on: `next_page.offset` of the page before, an ISO 8601 time, or Unix seconds with a fraction. Only what changed " +
      "after it is listed. If absent, the feed starts at its beginning.",
    "2026-11-23T10:00:00+02:00",
  ),
  limit: query("limit", "Number of entries on a page: 1 to 1000, or to 100 with `opt_fields`. If absent, 100.", 100, {
    type: "integer",
    minimum: 1,
    maximum: 1000,
  }),
  descending: query("descending", "Any value but an empty one lists the latest change first.", "1"),
  mode: query(
    "mode",
    "`test` lists test tenders only, `_all_` test and real ones. If absent, real ones only.",
    "_all_",
    { type: "string", enum: ["test", "_all_"] },
  ),
  feed: query(
    "feed",
    "Name of the order. Both names mean the same one, the order of change; the links repeat the name.",
    "changes",
    { type: "string", enum: ["changes", "dateModified"] },
  ),
  opt_schema: query(
    "opt_schema",
    "`ocds` returns all releases of the tender as a release package of the Open Contracting Data Standard, instead of the " +
      "tender. Other parameters of the tender, such as `at`, have no effect then; the header `X-Ignored-Parameters` names them.",
    "ocds",
    { type: "string", enum: ["ocds"] },
  ),
  opt_fields: query(
    "opt_fields",
    "Fields of the tender to add to each entry, separated by commas. Shows what everyone sees; unknown names are ignored.",
    "status,value,tenderPeriod",
  ),
  ...FILTER_PARAMETERS,
  "Last-Event-ID": header(
    "Last-Event-ID",
    "`id` of the last event that was received: the stream goes on after it. Browsers send it when they reconnect. It takes " +
      "precedence over `offset`.",
    "2026-11-23T10:00:00+02:00",
  ),
  all: query("all", "Any value but an empty one lists every version of each document, in the order of upload.", "1"),
  download: query(
    "download",
    "Key of a version, as in the `url` of the document: returns the file instead of its metadata.",
    EXAMPLE_IDS.documentKey,
  ),
  acc_token: query("acc_token", TOKEN, EXAMPLE_IDS.token),
  "X-Access-Token": header(
    "X-Access-Token",
    `${TOKEN} Used if the query has none; in JSON requests it may also be sent as \`access.token\` of the body.`,
    EXAMPLE_IDS.token,
  ),
  dry_run: query(
    "dry_run",
    "Any value but an empty one or 0: the request is checked and gets the response that it would get, but nothing is stored. The " +
      "response has the header `X-Dry-Run`.",
    "1",
  ),
  "Idempotency-Key": header(
    "Idempotency-Key",
    "Makes it safe to retry: for a day, the same key with the same request gets the stored response, marked by the header " +
      "`Idempotency-Replayed`, and nothing is done twice. 1 to 255 printable ASCII characters; the same key with another request " +
      "is refused with 422.",
    "5f0c1c5e-2f7e-4d0a-9a54-8d3f6b1c7e21",
  ),
  "If-Match": header(
    "If-Match",
    "`ETag` of the object as you read it: the request is carried out only if GET would still return it, otherwise it is refused " +
      "with 412.",
    '"Zc2uXf0aUq8m4Yt1rB7vKw"',
  ),
  "If-None-Match": header(
    "If-None-Match",
    "`ETag` of the response that you have: if it is still current, the response is 304 without a body.",
    '"Zc2uXf0aUq8m4Yt1rB7vKw"',
  ),
  bid: query(
    "bid",
    "`id` of your bid, with its owner token in `acc_token`: shows and does what only the bidder may. Bidders with a participation link " +
      "send its signature as a Bearer token instead.",
    EXAMPLE_IDS.bid,
  ),
  auction_status: query("status", "Lists only auctions with this status.", "planned", {
    type: "string",
    enum: AUCTION_STATUSES,
  }),
  auction_tender: query(
    "tender",
    "Lists only the auctions of the tender with this `id`, of any mode unless `mode` is given. Those on test clocks are listed only in " +
      "this way.",
    EXAMPLE_IDS.tender,
  ),
  auction_offset: query(
    "offset",
    "Where to go on: `next_page.offset` of the page before.",
    `11806110820000000/${EXAMPLE_IDS.tender}`,
  ),
  at: query(
    "at",
    "A time in the past, in ISO 8601: shows the tender as everyone saw it then. 404 if it was not published yet. Write the + of an offset " +
      "as %2B.",
    "2026-11-18T10:00:00Z",
  ),
  history_offset: query(
    "offset",
    "Number of a version to go on from: `next_page.offset` of the page before. Lists the versions after it, or with `descending` those " +
      "before it.",
    2,
    { type: "integer", minimum: 0 },
  ),
  "X-Test-Clock": header(
    "X-Test-Clock",
    "Sandbox only: `id` of the test clock whose time the tender lives by.",
    EXAMPLE_IDS.clock,
  ),
} satisfies { readonly [name: string]: Parameter };

export type ParameterName = keyof typeof PARAMETERS;

const NAMED: { readonly [name: string]: readonly [description: string, example: string] } = {
  tender_id: ["`id` of the tender.", EXAMPLE_IDS.tender],
  document_id: ["`id` of the document.", EXAMPLE_IDS.document],
  question_id: ["`id` of the question.", EXAMPLE_IDS.question],
  lot_id: ["`id` of the lot.", EXAMPLE_IDS.lot],
  auction_lot_id: ["`id` of the lot that is auctioned.", EXAMPLE_IDS.lot],
  auction_id: [
    "`id` of the auction: that of the tender, or those of the tender and the lot, joined by an underscore.",
    EXAMPLE_IDS.tender,
  ],
  bid_id: ["`id` of the bid.", EXAMPLE_IDS.bid],
  award_id: ["`id` of the award.", EXAMPLE_IDS.award],
  contract_id: ["`id` of the contract.", EXAMPLE_IDS.contract],
  complaint_id: ["`id` of the complaint.", EXAMPLE_IDS.complaint],
  cancellation_id: ["`id` of the cancellation.", EXAMPLE_IDS.cancellation],
  clock_id: ["`id` of the test clock.", EXAMPLE_IDS.clock],
  webhook_id: ["`id` of the webhook.", EXAMPLE_IDS.webhook],
  delivery_id: ["`id` of the delivery.", `1794816000123456-${EXAMPLE_IDS.tender}`],
  release_id: ["`id` of the release.", `ocds-213czf-${EXAMPLE_IDS.tender}-1`],
  ocid: ["Open contracting id of the tender.", `ocds-213czf-${EXAMPLE_IDS.tender}`],
  extension_file: ["Name of the file. The description of the extension names the others.", "extension.json"],
  data_file: ["Name of the file, as the manifest lists it; or that of the manifest.", "manifest.json"],
  codelist_file: ["Name of the codelist, as the description of the extension lists it.", "complaintStatus.csv"],
  key: ["Key of the file, as in the address that the document service returned.", EXAMPLE_IDS.documentKey],
};

/** The parameters in a path template, in its order. */
export const pathParameters = (path: string): readonly Parameter[] =>
  (path.match(/(?<=\{)\w+(?=\})/g) ?? []).map((name) => {
    const [description, example] = required(NAMED[name], `the description of ${name}`);
    return { name, in: "path", required: true, description, schema: TEXT, example };
  });

const OCDS_LIST_PARAMETERS = (limitMax: number, limitDefault: number): readonly Parameter[] => [
  query(
    "offset",
    "Where to go on, as in `links.next` of the page before, or a time: only what changed after it is listed. If absent, the list starts " +
      "at its beginning.",
    "2026-11-16T08:00:00.123456Z",
  ),
  query("limit", `Number of elements on a page: 1 to ${limitMax}. If absent, ${limitDefault}.`, limitDefault, {
    type: "integer",
    minimum: 1,
    maximum: limitMax,
  }),
  PARAMETERS.descending,
  ...Object.values(FILTER_PARAMETERS),
];
const RECORD_FORM = query(
  "releases",
  "`linked`: records have links to their releases; `embedded`: they have the releases themselves. If absent, `linked`.",
  "embedded",
  { type: "string", enum: ["linked", "embedded"] },
);

/** Of open data. Filters choose tenders as they are at present. */
export const OCDS_PARAMETERS: { readonly [path: string]: readonly Parameter[] } = {
  "/ocds/releases": OCDS_LIST_PARAMETERS(1000, 100),
  "/ocds/records": [...OCDS_LIST_PARAMETERS(100, 20), RECORD_FORM],
  "/ocds/records/{ocid}": [RECORD_FORM],
};

/** Of lists other than the feed. */
export const DELIVERY_PARAMETERS: readonly Parameter[] = [
  query("status", "Lists only deliveries with this status. If absent, all of them.", "failed", {
    type: "string",
    enum: ["pending", "delivered", "failed"],
  }),
  query("limit", "Number of deliveries on a page: 1 to 1000. If absent, 100.", 100, {
    type: "integer",
    minimum: 1,
    maximum: 1000,
  }),
  query("offset", "Where to go on: `next_page.offset` of the page before.", `1794816000123456-${EXAMPLE_IDS.tender}`),
];

const given = (parameter: Parameter): Parameter => ({
  ...parameter,
  description: `${parameter.description} Part of the address that the document service returned.`,
});

const SIGNED = [
  { ...query("KeyID", "First 8 hex digits of the key that signed the address.", "a8968c46"), required: true },
  {
    ...query(
      "Signature",
      "Ed25519 signature of the address, in Base64.",
      "vhxeNkZ6pvlqx1RzWqD3X1tL0gGz2zX0m8OvTqYCQrVfS0k7b1d5yq3mW2oZ8nJ4cHgLxE6uPaBtK9iDsRwNCw==",
    ),
    required: true,
  },
] as const;

/** Of the addresses that the document service signs: clients use them as they are. */
export const SIGNED_PARAMETERS: { readonly [path: string]: readonly Parameter[] } = {
  "/upload/{key}": [
    ...SIGNED,
    query("Hash", "Checksum that was announced for the file.", "md5:3f71ad7361a34c6a2f7be9d4430b51f2"),
    query("Owner", "Whose quota the upload counts against.", EXAMPLE_IDS.uploader),
  ].map(given),
  "/get/{key}": [
    ...SIGNED,
    query("Expires", "When the address stops working, in Unix seconds.", 1794817200, { type: "integer" }),
    query(
      "Prefix",
      "Tender and document that the file belongs to; absent for an upload without a document.",
      `${EXAMPLE_IDS.tender}/${EXAMPLE_IDS.document}`,
    ),
  ].map(given),
};
