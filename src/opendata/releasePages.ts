import type { Tender } from "../domain/model/tender.ts";
import { withReplayLease } from "../history/replayLimit.ts";
import { NO_RELEASES, NOT_FOUND, OPEN_DATA_OFF } from "../http/errorResponses.ts";
import { type Exchange, requireParam } from "../http/exchange.ts";
import { ignoredParametersHeader } from "../http/ignoredParameters.ts";
import type { HttpResponse } from "../http/responses.ts";
import { instantOfRelease, type ReleaseRow } from "../store/store.ts";
import { currentReleases } from "./currentReleases.ts";
import {
  catchUpReleases,
  type OpenData,
  type OpenDataPorts,
  type OpenDataPublication,
  openGenerationCheck,
} from "./openData.ts";
import { linksOf, type PageParameters, pageAddress, parsePageParameters } from "./pageParameters.ts";
import { packageSettingsOf, publishedPackage } from "./publication.ts";
import { fillTemplate, headOf, newestDate } from "./releaseTemplates.ts";

/** Pages of releases, and single ones. */

export type OpenDataExchange = Exchange<OpenDataPorts>;

/** The publication that a request is about; undefined if the registry publishes no open data. */
export function publicationOf({ ports, root }: OpenDataExchange): OpenDataPublication | undefined {
  const { openData, config } = ports;
  return openData && config.openData && { openData, settings: config.openData, origin: root };
}

const RELEASES_PATH = "/ocds/releases";
const LIMIT = { fallback: 100, max: 1000 };
const ROWS_AT_ONCE = 100;
/** A page ends after so many characters. It has at least one release or record. */
export const PAGE_LENGTH_MAX = 8 * 1024 * 1024;

/** A page that is full stays the same until all releases are made again: new ones come after it. */
const FULL_PAGE_HEADERS = { "Cache-Control": "public, max-age=3600" };
/** A package also has settings, which may change, and a rebuild may correct its release: its `ETag` tells whether it is still the same. */
const REVALIDATED = { "Cache-Control": "public, no-cache" };

/** A page of releases in the order of the feed. A client that follows `links.next` gets every release, and each once. */
export async function showReleases(exchange: OpenDataExchange): Promise<HttpResponse> {
  const publication = publicationOf(exchange);
  if (!publication) return OPEN_DATA_OFF;
  const page = parsePageParameters(exchange, LIMIT);
  if ("status" in page) return page;
  const { ports } = exchange;
  const { openData, settings, origin } = publication;
  const { rows, hasMore, isFresh } = await readCurrentPage(ports, openData, page);
  const instants = rows.map(({ id }) => instantOfRelease(id));
  const [first, last] = [instants[0], instants.at(-1)];
  if (first === undefined || last === undefined)
    return { ...NO_RELEASES, ...(page.headers && { headers: page.headers }) };
  const base = `${origin}${RELEASES_PATH}`;
  const templates = rows.map(({ template }) => template);
  const facts = { uri: pageAddress(base, page, page), publishedDate: newestDate(templates) };
  const elements = [fillTemplate(templates.join(","), { ...settings, origin })];
  const links = linksOf(base, page, { first, last, hasMore });
  const json = publishedPackage(facts, { kind: "releases", elements, links }, packageSettingsOf(settings, origin));
  const isFinal = hasMore && !page.descending && !page.filter;
  return {
    status: 200,
    headers: { ...page.headers, ...(isFinal && FULL_PAGE_HEADERS) },
    ...(json !== undefined && { json }),
    ...(isFresh && { isFresh }),
  };
}

type ReleasePage = { readonly rows: readonly ReleaseRow[]; readonly hasMore: boolean };

/**
 * The rows of a page. If the page is not full, it waits for releases that are about to be made. `isFresh` says whether the page would
 * still be the same.
 */
async function readCurrentPage(
  ports: OpenDataPorts,
  openData: OpenData,
  parameters: PageParameters,
): Promise<ReleasePage & { readonly isFresh?: () => boolean | Promise<boolean> }> {
  const isSameGeneration = await openGenerationCheck(openData);
  const page = parameters.descending ? undefined : await readPage(openData, parameters);
  if (page?.hasMore) return { ...page, ...(!parameters.filter && { isFresh: isSameGeneration }) };
  const { version, isComplete } = await catchUpReleases(ports, openData);
  const current = await readPage(openData, parameters);
  const isFresh = async () => (await ports.registry.isFreshAt(version)) && (await isSameGeneration());
  return { ...current, ...(isComplete && { isFresh }) };
}

/** The rows of a page as they are stored, and whether there are more. */
async function readPage(
  { releases }: OpenData,
  { filter, descending, beyond, limit }: PageParameters,
): Promise<ReleasePage> {
  const rows: ReleaseRow[] = [];
  let cursor = beyond;
  let length = 0;
  for (;;) {
    // One more than the page has tells whether there are more.
    const batchSize = Math.min(limit + 1 - rows.length, ROWS_AT_ONCE);
    const batch = await releases({ filter, descending, beyond: cursor, limit: batchSize });
    for (const row of batch) {
      if (rows.length === limit || (rows.length > 0 && length + row.template.length > PAGE_LENGTH_MAX))
        return { rows, hasMore: true };
      rows.push(row);
      length += row.template.length;
      cursor = instantOfRelease(row.id);
    }
    if (batch.length < batchSize) return { rows, hasMore: false };
  }
}

/** The parameters of a single release. */
const KNOWN_PARAMS = new Set(["opt_pretty", "opt_jsonp"]);

/** A package with one release. */
export async function showRelease(exchange: OpenDataExchange): Promise<HttpResponse> {
  const publication = publicationOf(exchange);
  if (!publication) return OPEN_DATA_OFF;
  const { settings, origin } = publication;
  const id = requireParam(exchange, "release_id");
  const tender = await tenderOf(exchange, publication, /^(.*)-\d+$/.exec(id)?.[1] ?? "");
  const release = tender && (await findRelease(exchange, publication, tender, id));
  if (release === undefined) return NOT_FOUND("release_id");
  const facts = { uri: `${origin}${RELEASES_PATH}/${id}`, publishedDate: headOf(release).date };
  const elements = [release];
  const json = publishedPackage(facts, { kind: "releases", elements }, packageSettingsOf(settings, origin));
  const headers = { ...REVALIDATED, ...ignoredParametersHeader(exchange.query, KNOWN_PARAMS, []) };
  return { status: 200, headers, ...(json !== undefined && { json }) };
}

/** The JSON of the release of a tender with this id. */
const findRelease = (
  { ports }: OpenDataExchange,
  publication: OpenDataPublication,
  tender: Tender,
  id: string,
): Promise<string | undefined> =>
  withReplayLease(async (lease) => {
    for await (const page of currentReleases(ports, publication, tender, lease)) {
      const found = page.find((text) => headOf(text).id === id);
      if (found !== undefined) return found;
    }
    return undefined;
  });

/** The tender with this open contracting id, as of now. */
export async function tenderOf({ ports }: OpenDataExchange, { settings }: OpenDataPublication, ocid: string) {
  const prefix = `${settings.ocidPrefix}-`;
  return ocid.startsWith(prefix) ? ports.registry.tender(ocid.slice(prefix.length)) : undefined;
}

/** The address of a release: that of its package, and its id as the fragment. */
export const releaseAddress = (origin: string, id: string): string => `${origin}${RELEASES_PATH}/${id}#${id}`;
