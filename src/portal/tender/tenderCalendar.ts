import type { Instant } from "../../domain/values/time.ts";
import { type Calendar, type CalendarEvent, renderCalendar } from "../feeds/icalendar.ts";
import { localizedPath } from "../layout/languages.ts";
import { shortLine } from "../layout/shortText.ts";
import { textIn } from "../layout/textIn.ts";
import { organizationName, type TenderScreen, tenderPath, textsOf } from "./tenderScreen.ts";
import type { MomentKind, TenderMoment } from "./tenderTimeline.ts";

/** The moments that people plan for, and the text of each. */
const PLANNED = {
  enquiriesEnd: "enquiries",
  biddingEnds: "deadline",
  auctionStarts: "auction",
  complaintsEnd: "complaints",
} as const satisfies { readonly [kind in MomentKind]?: string };

const isPlanned = (moment: TenderMoment): moment is TenderMoment & { readonly kind: keyof typeof PLANNED } =>
  Object.hasOwn(PLANNED, moment.kind);

const TITLE_LENGTH_MAX = 150;
const EVENTS_MAX = 500;

/** The deadlines and auctions of a tender as a calendar. */
export function renderTenderCalendar(screen: TenderScreen): string {
  const { tender, site, language, timeline } = screen;
  const { calendar: texts, untitled } = textsOf(screen);
  const title = shortLine(textIn(screen.language, tender, "title") ?? untitled, TITLE_LENGTH_MAX);
  const path = localizedPath(tenderPath(tender.id), language, site.defaultLanguage);
  const url = site.origin + path;
  const buyer = organizationName(screen, tender.procuringEntity);
  const events = timeline
    .filter(isPlanned)
    .slice(0, EVENTS_MAX)
    .map((moment): CalendarEvent => {
      const about = moment.lot ?? moment.award;
      return {
        uid: [tender.id, moment.kind, ...(about === undefined ? [] : [about])].join("-"),
        start: moment.at,
        ...endOf(screen, moment),
        modified: tender.dateModified,
        summary: texts[PLANNED[moment.kind]](title),
        description: [tender.tenderID, ...(buyer === undefined ? [] : [shortLine(buyer, TITLE_LENGTH_MAX)])].join("\n"),
        url,
      };
    });
  const calendar: Calendar = { name: texts.name(tender.tenderID), language, url: `${url}.ics`, events };
  return renderCalendar(calendar);
}

/** An auction lasts until its end, once that is known. */
function endOf({ timeline }: TenderScreen, { kind, lot }: TenderMoment): { readonly end?: Instant } {
  if (kind !== "auctionStarts") return {};
  const end = timeline.find((moment) => moment.kind === "auctionEnds" && moment.lot === lot)?.at;
  return end === undefined ? {} : { end };
}
