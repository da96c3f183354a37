import { hash } from "node:crypto";
import { Readable } from "node:stream";
import { bidDeadlineOf, isBiddingAhead } from "../../domain/schedule.ts";
import { DAY, type Instant } from "../../domain/values/time.ts";
import type { HttpResponse } from "../../http/responses.ts";
import { type SearchParameters, searchFilterOf } from "../../indexing/searchParameters.ts";
import { SEARCH_MATCHES_MAX, type SearchQuery } from "../../indexing/searchQuery.ts";
import { ATOM_TYPE, renderAtomFeed } from "../feeds/atom.ts";
import { CALENDAR_TYPE, renderCalendar } from "../feeds/icalendar.ts";
import { tenderEvent } from "../feeds/tenderEvents.ts";
import { uuidUrn } from "../feeds/uuidUrn.ts";
import { fileHeaders, fileResponse } from "../layout/fileResponse.ts";
import { formatMoment, formatMoney } from "../layout/formats.ts";
import { localizedPath } from "../layout/languages.ts";
import { messagesIn } from "../layout/messages/messages.ts";
import { nameOf } from "../layout/nameOf.ts";
import { pagePathOf } from "../layout/portalPage.ts";
import { tenderPath } from "../tender/tenderScreen.ts";
import { buyerNameOf, type ListedTender, listedTitle, readListedTenders } from "./listedTenders.ts";
import type { SearchContext } from "./searchContext.ts";
import { conditionsText, searchQueryText } from "./searchView.ts";
import { CSV_HEADER, CSV_START, CSV_TYPE, csvRow } from "./tenderCsv.ts";

/** The results of a search in other forms: a table, a news feed, a calendar. */

const addressOf = ({ site, language }: SearchContext, tender: ListedTender["tender"]): string =>
  site.origin + localizedPath(tenderPath(tender.id), language, site.defaultLanguage);

const queryOf = (
  { zone }: SearchContext,
  parameters: SearchParameters,
): Pick<SearchQuery, "filter" | "sort" | "facets"> => ({
  filter: searchFilterOf(parameters, zone),
  sort: parameters.sort,
  facets: [],
});

/** How many rows of a table are read at a time. */
const ROWS_PER_READ = 500;
const STALL_TIMEOUT_MS = 60_000;

/** A longer table is not held in memory. */
const HELD_LENGTH_MAX = 1024 * 1024;

/**
 * All results as CSV. A long table is sent while it is read, so that it has no ETag: a title may have 64 KB, and there may be 10,000 of
 * them.
 */
export async function searchCsv(
  context: SearchContext,
  parameters: SearchParameters,
  version: number,
): Promise<HttpResponse> {
  const { registry, language } = context;
  const options = { type: CSV_TYPE, language, fileName: "tenders.csv", isAttachment: true } as const;
  const parts = csvParts(context, parameters);
  let start = CSV_START + CSV_HEADER;
  let isComplete = true;
  for (let next = await parts.next(); !next.done; next = await parts.next()) {
    start += next.value.text;
    isComplete &&= !next.value.isIncomplete;
    if (start.length > HELD_LENGTH_MAX) {
      const stream = Readable.from(textsFrom(start, parts));
      return { status: 200, headers: fileHeaders(options), stream, stallTimeoutMs: STALL_TIMEOUT_MS };
    }
  }
  return fileResponse(start, { ...options, ...(isComplete && { isFresh: () => registry.isFreshAt(version) }) });
}

/** Rows that were read at once, and whether the index still lacks older tenders. */
type CsvPart = { readonly text: string; readonly isIncomplete: boolean };

async function* textsFrom(start: string, parts: AsyncIterable<CsvPart>): AsyncGenerator<string> {
  yield start;
  for await (const { text } of parts) yield text;
}

async function* csvParts(context: SearchContext, parameters: SearchParameters): AsyncGenerator<CsvPart, void> {
  const { registry, zone } = context;
  const query = queryOf(context, parameters);
  // A tender that is published meanwhile moves the others, so that one comes again on the next page.
  const written = new Set<string>();
  for (let offset = 0; offset < SEARCH_MATCHES_MAX; offset += ROWS_PER_READ) {
    const { ids, isIncomplete = false } = await registry.search({ ...query, offset, limit: ROWS_PER_READ });
    const tenders = await readListedTenders(
      registry,
      ids.filter((id) => !written.has(id)),
    );
    for (const id of ids) written.add(id);
    const rowContext = {
      zone,
      addressOf: (tender: ListedTender["tender"]) => addressOf(context, tender),
      publicationTimes: await registry.publicationTimes(ids),
    };
    yield { text: tenders.map(({ tender }) => csvRow(tender, rowContext)).join(""), isIncomplete };
    if (ids.length < ROWS_PER_READ) return;
  }
}

const FEED_ENTRIES_MAX = 50;

/** The newest results as an Atom feed, whatever order the query has. */
export async function searchAtom(
  context: SearchContext,
  parameters: SearchParameters,
  version: number,
): Promise<HttpResponse> {
  const { registry, site, language } = context;
  const { search, names } = messagesIn(language);
  const query = { ...queryOf(context, { ...parameters, sort: "newest" }), offset: 0, limit: FEED_ENTRIES_MAX };
  const { ids, isIncomplete } = await registry.search(query);
  const tenders = await readListedTenders(registry, ids);
  const text = renderAtomFeed({
    // The same search has the same id wherever the service is reached.
    id: uuidUrn(hash("sha256", `${language} ${searchQueryText(parameters)}`)),
    title: search.atomTitle(await conditionsOf(context, parameters)),
    language,
    author: site.name,
    selfUrl: formAddress(context, parameters, ".atom"),
    pageUrl: formAddress(context, parameters, ""),
    updatedIfEmpty: 0,
    entries: tenders.map(({ tender }) => ({
      // The id of a tender has the 32 digits of a UUID.
      id: uuidUrn(tender.id),
      title: listedTitle(tender, language),
      url: addressOf(context, tender),
      updated: tender.dateModified,
      author: buyerNameOf(tender, language),
      summary: summaryOf(context, tender),
      categories: [{ term: tender.status, label: nameOf(names.tenderStatuses, tender.status) }],
    })),
  });
  return fileResponse(text, {
    type: ATOM_TYPE,
    language,
    ...(!isIncomplete && { isFresh: () => registry.isFreshAt(version) }),
  });
}

const EVENTS_MAX = 1000;
/** Past deadlines stay in calendars for a while. */
const PAST_DAYS = 30;

/** The deadlines of the results as a calendar, the soonest first: from a month ago on, unless the query says otherwise. */
export async function searchCalendar(
  context: SearchContext,
  parameters: SearchParameters,
  version: number,
): Promise<HttpResponse> {
  const { registry, language } = context;
  const { search } = messagesIn(language);
  const { filter, ...query } = queryOf(context, { ...parameters, sort: "deadline" });
  const now = await registry.nowFor({});
  const deadline = filter.deadline ?? { from: startOfDay(now) - PAST_DAYS * DAY };
  const found = await registry.search({ ...query, filter: { ...filter, deadline }, offset: 0, limit: EVENTS_MAX });
  const tenders = await readListedTenders(registry, found.ids);
  const text = renderCalendar({
    name: search.icsTitle(await conditionsOf(context, parameters)),
    language,
    url: formAddress(context, parameters, ".ics"),
    events: tenders.flatMap(({ tender }) => {
      const at = bidDeadlineOf(tender);
      return at === undefined ? [] : [tenderEvent(tender, { kind: "deadline", at }, context)];
    }),
  });
  // On the next day, the calendar begins a day later.
  const isFresh = () => registry.isFreshAt(version, startOfDay(now) + DAY);
  return fileResponse(text, {
    type: CALENDAR_TYPE,
    language,
    fileName: "tenders.ics",
    ...(!found.isIncomplete && { isFresh }),
  });
}

/** The same all day long, so that the calendar does not change without a reason. */
const startOfDay = (at: Instant): Instant => Math.floor(at / DAY) * DAY;

function formAddress({ site, language }: SearchContext, parameters: SearchParameters, form: string): string {
  const path = pagePathOf({ ...site, basePath: "" }, `/tenders${form}`, language);
  return site.origin + path + searchQueryText(parameters);
}

async function conditionsOf(context: SearchContext, parameters: SearchParameters): Promise<string> {
  const organizationNames = await context.readOrganizationNames([...parameters.buyers, ...parameters.suppliers]);
  const categoryNames = await context.readCategoryNames(parameters.classifications);
  const text = conditionsText({ parameters, language: context.language, organizationNames, categoryNames });
  return text === "" ? messagesIn(context.language).search.everything : text;
}

/** The main facts of a tender as plain text, one a line. */
function summaryOf({ language, zone }: SearchContext, tender: ListedTender["tender"]): string {
  const { search, names } = messagesIn(language);
  const { value, procedure, tenderID, status } = tender;
  const deadline = bidDeadlineOf(tender);
  const until = isBiddingAhead(tender) ? search.deadlineAt : search.deadlineWas;
  const { amount, currency = "" } = value ?? {};
  const lines = [
    `${tenderID} · ${names.procedures[procedure]} · ${nameOf(names.tenderStatuses, status)}`,
    buyerNameOf(tender, language),
    amount === undefined ? search.valueUnknown : formatMoney(amount, currency, language),
    deadline === undefined ? "" : `${until} ${formatMoment(deadline, "date and time", zone.name, language)}`,
  ];
  return lines.filter((line) => line !== "").join("\n");
}
