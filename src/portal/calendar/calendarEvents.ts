import type { Tender } from "../../domain/model/tender.ts";
import { dayOf, type Instant, type Zone } from "../../domain/values/time.ts";
import type { Registry } from "../../registry/registry.ts";
import type { EventTender } from "../feeds/tenderEvents.ts";
import { type CalendarPeriod, instantsOf } from "./calendarPeriod.ts";

/** The events of a calendar with what is shown of their tenders. */

/** What happens: see `CALENDAR_KINDS` of the store. */
export type EventKind = StoredEvents[number]["kind"];

/** An event with what calendars show of its tender. None of it depends on bids. */
export type TenderEvent = {
  readonly kind: EventKind;
  readonly at: Instant;
  readonly tender: EventTender & Pick<Tender, "auctionPeriod" | "lots">;
};

/** The events of a day: how many there are, and the first of them. */
export type CalendarDay = {
  readonly day: string;
  readonly count: number;
  readonly events: readonly TenderEvent[];
};

/** Days with their events. */
export type CalendarDays = {
  readonly days: readonly CalendarDay[];
  /** Whether later events of the period are left out. */
  readonly isCut: boolean;
};

type CalendarReads = Pick<Registry, "calendar" | "tender">;
type CalendarScope = { readonly mode: "real" | "test"; readonly zone: Zone };

/** The most events of a page; what comes after them is not counted. */
export const EVENTS_MAX = 5000;

/** Reads the days of a period, with at most `shownMax` events of each day. */
export async function readDays(
  registry: CalendarReads,
  period: CalendarPeriod,
  { mode, zone }: CalendarScope,
  shownMax: number,
): Promise<CalendarDays> {
  const found = await registry.calendar({ ...instantsOf(period, zone), mode, limit: EVENTS_MAX + 1 });
  const byDay = Map.groupBy(found.slice(0, EVENTS_MAX), ({ at }) => dayOf(at, zone));
  const days = period.days.map(async (day) => {
    const ofDay = byDay.get(day) ?? [];
    return { day, count: ofDay.length, events: await withTenders(registry, mostImportant(ofDay, shownMax)) };
  });
  return { days: await Promise.all(days), isCut: found.length > EVENTS_MAX };
}

type StoredEvents = Awaited<ReturnType<Registry["calendar"]>>;

/** Where a day has no room for all events, the ends of enquiries give way to deadlines and auctions. */
function mostImportant(events: StoredEvents, countMax: number): StoredEvents {
  if (events.length <= countMax) return events;
  const first = events.filter(({ kind }) => kind !== "enquiries end");
  const others = events.filter(({ kind }) => kind === "enquiries end");
  return [...first, ...others].slice(0, countMax).sort((a, b) => a.at - b.at);
}

/** Reads the tenders of events, without their bids. One that is not public by now is left out. */
export async function withTenders(
  registry: Pick<Registry, "tender">,
  events: StoredEvents,
): Promise<readonly TenderEvent[]> {
  const found = await Promise.all(
    events.map(async ({ id, kind, at }) => {
      const tender = await registry.tender(id, "none");
      return tender && tender.status !== "draft" ? [{ kind, at, tender }] : [];
    }),
  );
  return found.flat();
}
