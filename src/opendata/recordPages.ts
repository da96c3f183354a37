import type { Tender } from "../domain/model/tender.ts";
import { BAD_PARAMS, NO_RELEASES, NOT_FOUND, OPEN_DATA_OFF } from "../http/errorResponses.ts";
import { requireParam } from "../http/exchange.ts";
import type { HttpResponse } from "../http/responses.ts";
import { embeddedRecord, linkedRecord, type OcdsRecord } from "../ocds/packages.ts";
import { hasReleases } from "../ocds/release.ts";
import { catchUpReleases, currentReleases, type OpenDataPublication } from "./openData.ts";
import { linksOf, pageAddress, parsePageParameters } from "./pageParameters.ts";
import { packageSettingsOf, publishedPackage } from "./publication.ts";
import { type OpenDataExchange, publicationOf, releaseAddress, tenderOf } from "./releasePages.ts";

/** Records: everything about a tender in one object. */

const RECORDS_PATH = "/ocds/records";
const LIMIT = { fallback: 20, max: 100 };

/** How a record has its releases. */
const FORMS = ["linked", "embedded"] as const;
type RecordForm = (typeof FORMS)[number];
const FORM_PARAM = "releases";

const formOf = (query: URLSearchParams): RecordForm | undefined => {
  const value = query.get(FORM_PARAM) || "linked";
  return FORMS.find((form) => form === value);
};

const BAD_FORM = BAD_PARAMS([{ name: FORM_PARAM, description: `Value must be one of ${FORMS.join(", ")}.` }]);

/** The record of a tender; undefined if it has no releases. */
export async function recordOf(
  { ports }: Pick<OpenDataExchange, "ports">,
  publication: OpenDataPublication,
  tender: Tender,
  form: RecordForm,
): Promise<OcdsRecord | undefined> {
  if (!hasReleases(tender)) return undefined;
  const releases = await currentReleases(ports, publication, tender);
  if (releases.length === 0) return undefined;
  return form === "embedded"
    ? embeddedRecord(releases)
    : linkedRecord(releases, (release) => releaseAddress(publication.origin, release));
}

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
  const { version } = await catchUpReleases(ports, publication.openData);
  const { filter, descending, beyond, limit } = page;
  const found = await ports.registry.feed({
    ...{ modes: "real", descending, beyond, limit: limit + 1 },
    ...(filter && { filter }),
  });
  const rows = found.slice(0, limit);
  const [first, last] = [rows[0]?.dateModified, rows.at(-1)?.dateModified];
  const records: OcdsRecord[] = [];
  for (const { id } of rows) {
    const tender = await ports.registry.tender(id);
    const record = tender && (await recordOf(exchange, publication, tender, form));
    if (record) records.push(record);
  }
  if (first === undefined || last === undefined) return NO_RELEASES;
  const base = `${origin}${RECORDS_PATH}`;
  const links = linksOf(base, page, { first, last, hasMore: found.length > limit });
  const json = recordPackageJson(records, pageAddress(base, page, page), publication, links);
  if (json === undefined) return NO_RELEASES;
  return { status: 200, headers: { ...page.headers }, json, isFresh: () => ports.registry.isFreshAt(version) };
}

/** The JSON of a package of records; undefined if there are none. */
export function recordPackageJson(
  records: readonly OcdsRecord[],
  uri: string,
  { settings, origin }: Pick<OpenDataPublication, "settings" | "origin">,
  links: { readonly next?: string; readonly prev?: string } = {},
): string | undefined {
  const dates = records.map(({ compiledRelease }) => compiledRelease.date);
  const publishedDate = dates.reduce((newest, date) => (date > newest ? date : newest), "");
  const elements = records.map((record) => JSON.stringify(record));
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
  const tender = await tenderOf(exchange, publication, ocid);
  const record = tender && (await recordOf(exchange, publication, tender, form));
  if (!tender || !record) return NOT_FOUND("ocid");
  const query = form === "linked" ? "" : `?${FORM_PARAM}=${form}`;
  const json = recordPackageJson([record], `${publication.origin}${RECORDS_PATH}/${ocid}${query}`, publication);
  const { registry } = exchange.ports;
  return {
    status: 200,
    ...(json !== undefined && { json }),
    ...(!tender.testClock && { isFresh: registry.freshnessCheckOf(tender) }),
  };
}
