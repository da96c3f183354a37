import { renderCalendar } from "../feeds/icalendar.ts";
import { type PlannedEvent, plannedAuctions, tenderEvent } from "../feeds/tenderEvents.ts";
import { localizedPath } from "../layout/languages.ts";
import { type TenderScreen, tenderPath, textsOf } from "./tenderScreen.ts";
import type { MomentKind } from "./tenderTimeline.ts";

/** The moments that people plan for, besides auctions. */
const PLANNED: { readonly [kind in MomentKind]?: PlannedEvent["kind"] } = {
  enquiriesEnd: "enquiries end",
  biddingEnds: "deadline",
  complaintsEnd: "complaints end",
};

const EVENTS_MAX = 500;

/** The deadlines and auctions of a tender as a calendar. */
export function renderTenderCalendar(screen: TenderScreen): string {
  const { tender, site, language, timeline } = screen;
  const path = localizedPath(tenderPath(tender.id), language, site.defaultLanguage);
  const deadlines = timeline.flatMap(({ kind, at, award }): readonly PlannedEvent[] => {
    const planned = PLANNED[kind];
    return planned === undefined ? [] : [{ kind: planned, at, subject: award }];
  });
  const events = [...deadlines, ...plannedAuctions(tender)].toSorted((a, b) => a.at - b.at).slice(0, EVENTS_MAX);
  return renderCalendar({
    name: textsOf(screen).calendarName(tender.tenderID),
    language,
    url: `${site.origin}${path}.ics`,
    events: events.map((event) => tenderEvent(tender, event, screen)),
  });
}
