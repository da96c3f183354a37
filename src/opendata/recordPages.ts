import type { Instant } from "../domain/values/time.ts";
import { BAD_PARAMS, NO_RELEASES, NOT_FOUND, OPEN_DATA_OFF } from "../http/errorResponses.ts";
import { requireParam } from "../http/exchange.ts";
import { ignoredParametersHeader } from "../http/ignoredParameters.ts";
import type { HttpResponse } from "../http/responses.ts";
import type { FeedRow } from "../store/store.ts";
import { catchUpReleases, type OpenDataPublication, openGenerationCheck } from "./openData.ts";
import { linksOf, pageAddress, parsePageParameters } from "./pageParameters.ts";
import { type PageLinks, packageSettingsOf, publishedPackage } from "./publication.ts";
import { type RecordForm, type RecordText, recordOf } from "./records.ts";
import { type OpenDataExchange, PAGE_LENGTH_MAX, publicationOf, tenderOf } from "./releasePages.ts";

/** Pages of records, and single ones. */

const RECORDS_PATH = "/ocds/records";
const LIMIT = { fallback: 20, max: 100 };

/** The forms that a request can choose. */
const FORMS = ["linked", "embedded"] as const satisfies readonly RecordForm[];
const FORM_PARAM = "releases";

const formOf = (query: URLSearchParams): (typeof FORMS)[number] | undefined => {
  const value = query.get(FORM_PARAM) || "linked";
  return FORMS.find((form) => form === value);
};

/** The parameters of a single record. */
const KNOWN_PARAMS = new Set([FORM_PARAM, "opt_pretty", "opt_jsonp"]);

const BAD_FORM = BAD_PARAMS([{ name: FORM_PARAM, description: `Value must be one of ${FORMS.join(", ")}.` }]);

/** A page of the records of tenders, in the order of the feed: a tender that changes moves to the end. */
export async function showRecords(exchange: OpenDataExchange): Promise<HttpResponse> {
  const publication = publicationOf(exchange);
  if (!publication) return OPEN_DATA_OFF;
  const page = parsePageParameters(exchange, LIMIT, [FORM_PARAM]);
  if ("status" in page) return page;
  const form = formOf(exchange.query);
  if (!form) return BAD_FORM;
  const { ports } = exchange;
  const { origin } = publication;
  const isSameGeneration = await openGenerationCheck(publication.openData);
  const { version } = await catchUpReleases(ports, publication.openData);
  const { filter, descending, beyond, limit } = page;
  const found = await ports.registry.feed({
    ...{ modes: "real", descending, beyond, limit: limit + 1 },
    ...(filter && { filter }),
  });
  const { records, last } = await readRecords(exchange, publication, found.slice(0, limit), form);
  const first = found[0]?.dateModified;
  if (first === undefined || last === undefined) return NO_RELEASES;
  const base = `${origin}${RECORDS_PATH}`;
  const hasMore = found.at(-1)?.dateModified !== last;
  const links = linksOf(base, page, { first, last, hasMore });
  const json = recordPackageJson(records, pageAddress(base, page, page), publication, links);
  if (json === undefined) return NO_RELEASES;
  const isFresh = async () => (await ports.registry.isFreshAt(version)) && (await isSameGeneration());
  return { status: 200, headers: { ...page.headers }, json, isFresh };
}

/** The records of tenders, in order, until the page is full, and `dateModified` of the last tender. There is at least one, if any has one. */
async function readRecords(
  { ports }: OpenDataExchange,
  publication: OpenDataPublication,
  rows: readonly FeedRow[],
  form: RecordForm,
): Promise<{ readonly records: readonly RecordText[]; readonly last: Instant | undefined }> {
  const records: RecordText[] = [];
  let last: Instant | undefined;
  let length = 0;
  for (const { id, dateModified } of rows) {
    const tender = await ports.registry.tender(id);
    const record = tender && (await recordOf(ports, publication, tender, form));
    length += record?.json.length ?? 0;
    if (records.length > 0 && length > PAGE_LENGTH_MAX) break;
    if (record) records.push(record);
    last = dateModified;
  }
  return { records, last };
}

/** The JSON of a package of records; undefined if there are none. */
export function recordPackageJson(
  records: readonly RecordText[],
  uri: string,
  { settings, origin }: Pick<OpenDataPublication, "settings" | "origin">,
  links: PageLinks = {},
): string | undefined {
  const publishedDate = records.reduce((newest, { date }) => (date > newest ? date : newest), "");
  const elements = records.map(({ json }) => json);
  return publishedPackage(
    { uri, publishedDate },
    { kind: "records", elements, links },
    packageSettingsOf(settings, origin),
  );
}

/** A package with the record of one tender. */
export async function showRecord(exchange: OpenDataExchange): Promise<HttpResponse> {
  const publication = publicationOf(exchange);
  if (!publication) return OPEN_DATA_OFF;
  const form = formOf(exchange.query);
  if (!form) return BAD_FORM;
  const ocid = requireParam(exchange, "ocid");
  const isSameGeneration = await openGenerationCheck(publication.openData);
  const tender = await tenderOf(exchange, publication, ocid);
  const record = tender && (await recordOf(exchange.ports, publication, tender, form));
  if (!tender || !record) return NOT_FOUND("ocid");
  const query = form === "linked" ? "" : `?${FORM_PARAM}=${form}`;
  const json = recordPackageJson([record], `${publication.origin}${RECORDS_PATH}/${ocid}${query}`, publication);
  const isTenderFresh = exchange.ports.registry.freshnessCheckOf(tender);
  const isFresh = async () => (await isTenderFresh()) && (await isSameGeneration());
  const headers = { ...ignoredParametersHeader(exchange.query, KNOWN_PARAMS, []) };
  return { status: 200, headers, ...(json !== undefined && { json }), ...(!tender.testClock && { isFresh }) };
}
