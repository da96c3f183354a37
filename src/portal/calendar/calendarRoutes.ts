import type { Config } from "../../config/config.ts";
import { dayOf, type Instant } from "../../domain/values/time.ts";
import type { HttpResponse } from "../../http/responses.ts";
import type { Registry } from "../../registry/registry.ts";
import { CALENDAR_TYPE, renderCalendar } from "../feeds/icalendar.ts";
import { plannedAuctions, tenderEvent } from "../feeds/tenderEvents.ts";
import { fileProblemsResponse, fileResponse } from "../layout/fileResponse.ts";
import { readIndexFreshness } from "../layout/indexFreshness.ts";
import { localizedPath } from "../layout/languages.ts";
import { messagesIn } from "../layout/messages/messages.ts";
import { type PageRequest, pageResponse } from "../layout/pageRequest.ts";
import type { PortalRoute } from "../layout/portalRoute.ts";
import { readDays, type TenderEvent, withTenders } from "./calendarEvents.ts";
import { CALENDAR_PATH, calendarPage } from "./calendarPage.ts";
import {
  addDays,
  type CalendarView,
  instantsOf,
  presentMonth,
  readCalendarQuery,
  startOfDay,
} from "./calendarPeriod.ts";

/** The addresses of the calendar: the page, and the same as a calendar that programs subscribe to. */

/** What the calendar needs. */
export type CalendarPorts = {
  readonly registry: Pick<Registry, "calendar" | "tender" | "search" | "nowFor" | "catchUp" | "isFreshAt">;
  readonly config: Pick<Config, "zone">;
};

export const CALENDAR_ROUTES: readonly PortalRoute<CalendarPorts>[] = [
  { pattern: /^\/calendar$/, parameters: "checked by handler", handle: showCalendar },
  { pattern: /^\/calendar\.ics$/, parameters: "checked by handler", handle: sendCalendar },
];

/** How many events of a day are shown. A day has a page of its own with more. */
const SHOWN_MAX: { readonly [view in CalendarView]: number } = { month: 3, week: 10, day: 500 };

/** A check whether nothing has changed, and it is still the same day, which the page marks. */
async function openFreshnessCheck({ registry, config }: CalendarPorts) {
  const { isIncomplete, isFresh } = await readIndexFreshness(registry);
  const now = await registry.nowFor({});
  const today = dayOf(now, config.zone);
  const isSameDay = async () => dayOf(await registry.nowFor({}), config.zone) === today;
  return { now, today, isIncomplete, isFresh: async () => (await isFresh()) && (await isSameDay()) };
}

async function showCalendar(ports: CalendarPorts, pageRequest: PageRequest): Promise<HttpResponse> {
  const { registry, config } = ports;
  const { now, today, isIncomplete, isFresh } = await openFreshnessCheck(ports);
  const { period = presentMonth(now, config.zone), mode, problems } = readCalendarQuery(pageRequest.query);
  const content = await readDays(registry, period, { mode, zone: config.zone }, SHOWN_MAX[period.view]);
  const view = { period, mode, problems, isIncomplete, content, today, zoneName: config.zone.name };
  const page = calendarPage(view, pageRequest.site, pageRequest.language);
  return pageResponse(page, pageRequest, problems.length > 0 ? { status: 400 } : { isFresh });
}

/** A subscription without a period has the last week and the next two months. */
const PAST_DAYS = 7;
const COMING_DAYS = 61;
const FILE_EVENTS_MAX = 1000;

async function sendCalendar(ports: CalendarPorts, pageRequest: PageRequest): Promise<HttpResponse> {
  const { registry, config } = ports;
  const { language, query, site } = pageRequest;
  const texts = messagesIn(language).calendar;
  const { today, isFresh } = await openFreshnessCheck(ports);
  const { period, mode, problems } = readCalendarQuery(query);
  if (problems.length > 0)
    return fileProblemsResponse(
      problems.map(({ rule, value }) => texts.problems[rule](value)),
      language,
    );
  const range: { readonly from: Instant; readonly to: Instant } = period
    ? instantsOf(period, config.zone)
    : {
        from: startOfDay(addDays(today, -PAST_DAYS), config.zone),
        to: startOfDay(addDays(today, COMING_DAYS), config.zone),
      };
  const events = await withTenders(registry, await registry.calendar({ ...range, mode, limit: FILE_EVENTS_MAX }));
  const calendar = renderCalendar({
    name: texts.calendarName,
    language,
    url: site.origin + localizedPath(`${CALENDAR_PATH}.ics`, language, site.defaultLanguage),
    events: events.map((event) => fileEvent(event, pageRequest)),
  });
  return fileResponse(calendar, { type: CALENDAR_TYPE, language, fileName: "calendar.ics", isFresh });
}

/** The event as every calendar has it. The index does not know the lot of an auction; the tender does. */
function fileEvent({ kind, at, tender }: TenderEvent, pageRequest: PageRequest) {
  const auction = kind === "auction" ? plannedAuctions(tender).find((planned) => planned.at === at) : undefined;
  return tenderEvent(tender, auction ?? { kind, at }, pageRequest);
}
