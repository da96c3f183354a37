import type { Tender } from "../../domain/model/tender.ts";
import { auctionStartOf } from "../../domain/schedule.ts";
import type { Instant } from "../../domain/values/time.ts";
import { formatMoney } from "../layout/formats.ts";
import { type Language, localizedPath } from "../layout/languages.ts";
import { messagesIn } from "../layout/messages/messages.ts";
import { nameOf } from "../layout/nameOf.ts";
import type { PortalSite } from "../layout/portalPage.ts";
import { shortLine } from "../layout/shortText.ts";
import { textIn } from "../layout/textIn.ts";
import type { CalendarEvent } from "./icalendar.ts";

/** The events of tenders in calendars. An event is the same in every calendar that has it, so that subscribers get it once. */

/** What happens, and how its UID says it. UIDs are stored by the subscribers' programs and must never change. */
const UID_NAMES = {
  deadline: "deadline",
  "enquiries end": "enquiries",
  auction: "auction",
  opening: "opening",
  "complaints end": "complaints",
} as const;

/** What an event shows of its tender. None of it depends on bids. */
export type EventTender = Pick<
  Tender,
  "id" | "tenderID" | "title" | "title_en" | "procuringEntity" | "value" | "status" | "date" | "dateModified"
>;

/** When something happens to a tender. */
export type PlannedEvent = {
  readonly kind: keyof typeof UID_NAMES;
  readonly at: Instant;
  readonly end?: Instant | undefined;
  /** The lot or the award that it is about. */
  readonly subject?: string | undefined;
};

type EventContext = { readonly site: PortalSite; readonly language: Language };

/** The event of a tender for a calendar. */
export function tenderEvent(tender: EventTender, event: PlannedEvent, { site, language }: EventContext): CalendarEvent {
  const { calendar, names } = messagesIn(language);
  const { kind, at, end, subject } = event;
  const host = URL.parse(site.origin)?.hostname ?? "localhost";
  const kindName = calendar.kinds[kind];
  const { amount, currency = "" } = tender.value ?? {};
  const facts = [
    `${tender.tenderID} · ${nameOf(names.tenderStatuses, tender.status)}`,
    shortLine(textIn(language, tender.procuringEntity, "name") ?? ""),
    amount === undefined ? "" : formatMoney(amount, currency, language),
  ];
  return {
    uid: `${[tender.id, UID_NAMES[kind], ...(subject === undefined ? [] : [subject])].join("-")}@${host}`,
    start: at,
    ...(end !== undefined && end > at && { end }),
    modified: tender.dateModified,
    summary: `${kindName}: ${shortLine(textIn(language, tender, "title") ?? "") || tender.tenderID}`,
    description: facts.filter((fact) => fact !== "").join("\n"),
    url: site.origin + localizedPath(`/tenders/${tender.id}`, language, site.defaultLanguage),
    categories: [kindName],
  };
}

/** The auctions of a tender. Those of lots that begin at the same time are one event, about the first of these lots. */
export function plannedAuctions(
  tender: Pick<Tender, "status" | "date" | "auctionPeriod" | "lots">,
): readonly PlannedEvent[] {
  const planned = [undefined, ...tender.lots].flatMap((lot) => {
    const at = auctionStartOf(tender, lot);
    return at === undefined ? [] : [{ subject: lot?.id, at, end: (lot ?? tender).auctionPeriod?.endDate }];
  });
  return [...Map.groupBy(planned, ({ at }) => at)].map(([at, same]) => {
    const ends = same.flatMap(({ end }) => end ?? []);
    const end = ends.length === same.length ? Math.max(...ends) : undefined;
    return { kind: "auction", at, subject: same[0]?.subject, ...(end !== undefined && { end }) };
  });
}
