import type { Organization, TenderStatus, Value } from "../../domain/model/tender.ts";
import type { ProcedureName } from "../../domain/procedures/names.ts";
import { formatInstant, type Instant, type Zone } from "../../domain/values/time.ts";
import { organizationKey } from "../../indexing/organizationKeys.ts";
import type { PublicTender } from "../../views/publicTender.ts";
import { timeElement, userText } from "../layout/components.ts";
import { formatMoney } from "../layout/formats.ts";
import type { Language } from "../layout/languages.ts";
import { messagesIn } from "../layout/messages/messages.ts";
import type { Messages } from "../layout/messages/uk.ts";
import { organizationNameIn } from "../layout/organizationName.ts";
import { type PortalSite, pagePathOf } from "../layout/portalPage.ts";
import { shortText } from "../layout/shortText.ts";
import { textIn } from "../layout/textIn.ts";
import { timeLeftUntil } from "../layout/timeLeft.ts";
import { html, type Markup } from "../markup.ts";
import type { AuctionPrices } from "./auctionPrices.ts";
import type { CurrentAction } from "./currentActions.ts";
import type { TenderPageQuery } from "./pageQuery.ts";
import type { TenderMoment } from "./tenderTimeline.ts";

/** What the parts of the page of a tender have in common. */

/** Everything from which the page is rendered. All of it is public at `now`. */
export type TenderScreen = {
  readonly tender: PublicTender;
  readonly procedure: ProcedureName;
  readonly timeline: readonly TenderMoment[];
  readonly actions: readonly CurrentAction[];
  /** When time alone changes the status next, and what it may become. */
  readonly nextChange?: { readonly at: Instant; readonly becomes: readonly TenderStatus[] } | undefined;
  /** The prices with which bids entered the auctions of the service. */
  readonly auctionPrices: AuctionPrices;
  /** The id of the auction of the tender ("") or of each lot, as far as the service holds it and it has a page. */
  readonly auctionIds: ReadonlyMap<string, string>;
  /** Whether bids exist in this procedure, but nobody may see them yet. */
  readonly areBidsSealed: boolean;
  /** Whether bids can still come, now or after the enquiries, and everybody will see each as it arrives. */
  readonly hasOpenBidding: boolean;
  /** Whether the bids count in the profiles of their bidders. Bids that are public before their deadline do not count yet. */
  readonly areBidsCounted: boolean;
  readonly now: Instant;
  /** The page shows the tender as it was at this instant, in this version. Undefined for the present. */
  readonly past?: PastMoment | undefined;
  readonly zone: Zone;
  readonly language: Language;
  readonly site: PortalSite;
  readonly query: TenderPageQuery;
};

/** The moment and version that a page of the past shows. */
export type PastMoment = {
  readonly at: Instant;
  readonly version: number;
  /** The keys of the documents that the tender still has: the files of others cannot be downloaded any more. */
  readonly presentFiles: ReadonlySet<string>;
};

/** The texts of the page. */
export const textsOf = ({ language }: TenderScreen): Messages["tender"] => messagesIn(language).tender;
/** What people call the codes. */
export const namesOf = ({ language }: TenderScreen): Messages["names"] => messagesIn(language).names;

/** The path of the page, without base path and language. */
export const tenderPath = (id: string): string => `/tenders/${id}`;

/** The query of the page of a tender as it was at an instant, without "?". */
export const pastQuery = (at: Instant, zone: Zone): string => `at=${encodeURIComponent(formatInstant(at, zone))}`;

/** The address of this page with other parameters; that of a past instant stays there. */
export function pageHref(screen: TenderScreen, parameters: string): string {
  const { tender, past, zone } = screen;
  const query = [...(past ? [pastQuery(past.at, zone)] : []), ...(parameters === "" ? [] : [parameters])].join("&");
  return `${hrefOf(screen, tenderPath(tender.id))}${query === "" ? "" : `?${query}`}`;
}

/** The address of a page of the portal in the reader's language. */
export const hrefOf = ({ site, language }: TenderScreen, path: string): string => pagePathOf(site, path, language);

/** A moment in local time. */
export const momentOf = ({ zone, language }: TenderScreen, at: Instant): Markup =>
  timeElement(at, "date and time", zone.name, language);

/** A day in local time. */
export const dayOf = ({ zone, language }: TenderScreen, at: Instant): Markup =>
  timeElement(at, "date", zone.name, language);

/** A moment with the time that is left until then; on the page of a past instant, the moment alone. */
export const deadlineOf = (screen: TenderScreen, at: Instant): Markup =>
  screen.past
    ? momentOf(screen, at)
    : html`${momentOf(screen, at)} <span class="note">${timeLeftUntil(at, screen.now, screen.language).text}</span>`;

/** An amount with its currency and whether it includes VAT; what is unknown is left out. */
export function moneyOf(screen: TenderScreen, value: Value | undefined): string {
  if (value?.amount === undefined) return textsOf(screen).value.unknown;
  const amount = formatMoney(value.amount, value.currency ?? "", screen.language).trim();
  const { withVat, withoutVat } = textsOf(screen).value;
  const vat = value.valueAddedTaxIncluded;
  return vat === undefined ? amount : `${amount} ${vat ? withVat : withoutVat}`;
}

/** As `moneyOf`, without VAT: for tables, where it is the same in every row. */
export const amountOf = (screen: TenderScreen, value: Value | undefined): string =>
  moneyOf(screen, value && { amount: value.amount, currency: value.currency });

/** The name of an organisation, or of its register, or its code. */
export const organizationName = (screen: TenderScreen, organization: Organization | undefined): string | undefined =>
  organizationNameIn(screen.language, organization);

/** The name of an organisation that the tender counts for, as a link to its profile if it has one. */
export function organizationLink(
  screen: TenderScreen,
  organization: Organization | undefined,
  profile: "buyers" | "suppliers",
  unnamed: string,
): Markup {
  const name = organizationText(screen, organization, unnamed);
  const key = organizationKey(organization);
  // Test tenders are in no profile.
  if (key === undefined || screen.tender.mode === "test") return name;
  return html`<a href="${hrefOf(screen, `/${profile}/${encodeURIComponent(key)}`)}">${name}</a>`;
}

/** The name of an organisation without a link. */
export const organizationText = (
  screen: TenderScreen,
  organization: Organization | undefined,
  unnamed: string,
): Markup => userText(shortText(organizationName(screen, organization) ?? unnamed, NAME_LENGTH_MAX));

const NAME_LENGTH_MAX = 200;

/** A text longer than this is collapsed. */
const OPEN_LENGTH_MAX = 1200;
/** How much of a collapsed text is visible. */
const VISIBLE_LENGTH = 600;
/** A text longer than this is cut on the page of the whole tender, so that the page keeps its weight. */
const PAGE_LENGTH_MAX = 6000;

/** A text of a user with its line breaks: a long one is collapsed, and a huge one cut where the whole tender is shown. */
export function longText(screen: TenderScreen, text: string): Markup {
  if (text.length <= OPEN_LENGTH_MAX) return html`<div class="user-text" dir="auto" lang="">${text}</div>`;
  const whole = screen.query.show === undefined ? shortText(text, PAGE_LENGTH_MAX) : text;
  return html`<div class="user-text" dir="auto" lang="">${shortText(text, VISIBLE_LENGTH)}</div>
<details${isPrinted(screen) ? html` open` : html``}><summary>${textsOf(screen).wholeText}</summary>
<div class="user-text" dir="auto" lang="">${whole}</div>
</details>`;
}

/** Whether the page is the version for print. */
export const isPrinted = ({ query }: TenderScreen): boolean => query.isPrint;

/** The title of a lot; its id if it has none. */
export function lotTitle(screen: TenderScreen, id: string | undefined): string | undefined {
  if (id === undefined) return undefined;
  const lot = screen.tender.lots.find((candidate) => candidate.id === id);
  return shortText(textIn(screen.language, lot, "title") ?? id, TITLE_LENGTH_MAX);
}

/** The description of an item; its id if it has none. */
export function itemTitle(screen: TenderScreen, id: string): string {
  const item = screen.tender.items?.find((candidate) => candidate.id === id);
  return shortText(textIn(screen.language, item, "description") ?? id, TITLE_LENGTH_MAX);
}

/** Titles in lists and tables are cut at this length. */
export const TITLE_LENGTH_MAX = 300;

/** Lots and items are looked up by id for each row, so large lists need an index. */
export const aboutSubject = (
  screen: TenderScreen,
  subject: "tender" | "item" | "lot" | undefined,
  id: string | undefined,
): Markup | undefined => {
  if (subject === undefined || subject === "tender" || id === undefined) return undefined;
  const title = subject === "lot" ? (lotTitle(screen, id) ?? id) : itemTitle(screen, id);
  return html`${namesOf(screen).subjects[subject]}: ${userText(title)}`;
};
