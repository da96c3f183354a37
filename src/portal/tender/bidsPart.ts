import { auctionId } from "../../domain/auctions/tenderAuctions.ts";
import { coefficientOf, weightsOf } from "../../domain/bids/ranking.ts";
import type { Feature, Organization, Value } from "../../domain/model/tender.ts";
import { isBiddingAhead } from "../../domain/schedule.ts";
import { featuresOf } from "../../domain/tender/features.ts";
import { compareDecimals, type Decimal, subtractDecimals } from "../../domain/values/decimal.ts";
import { compareFractions, divideFractions, type Fraction, fractionOf } from "../../domain/values/fraction.ts";
import type { Instant } from "../../domain/values/time.ts";
import type { LinkedAward, LinkedBid } from "../../views/publicTender.ts";
import { dataTable, tag, userText } from "../layout/components.ts";
import { formatMoney, formatPercent, formatWeightedPrice } from "../layout/formats.ts";
import { messagesIn } from "../layout/messages/messages.ts";
import { shortText } from "../layout/shortText.ts";
import { textIn } from "../layout/textIn.ts";
import { EMPTY_MARKUP, html, insertMarkup, type Markup } from "../markup.ts";
import { type ChartedPrice, renderPriceChart } from "./bidsChart.ts";
import { renderAttachedDocuments } from "./documentsPart.ts";
import { cutList, linesOf, noteOf, sectionOf, tableOf } from "./sectionPart.ts";
import {
  amountOf,
  hrefOf,
  lotTitle,
  momentOf,
  namesOf,
  organizationLink,
  organizationName,
  organizationText,
  type TenderScreen,
  textsOf,
} from "./tenderScreen.ts";

/** Bids, compared in a table for the tender or for each lot. Before they can be placed, and while they are sealed, the section only says so. */

/** An offer: a bid for the tender, or its part for one lot. */
type Offer = {
  readonly bid: LinkedBid;
  readonly value: Value | undefined;
  readonly date: Instant;
  readonly before: Decimal | undefined;
  /** The price by which offers are compared if there are criteria other than price. */
  readonly weighted: Fraction | undefined;
  readonly award: LinkedAward | undefined;
};

/** Offers that compete with each other. */
export type OfferGroup = {
  readonly lot?: string;
  /** Whether there are criteria other than price. */
  readonly hasFeatures: boolean;
  readonly offers: readonly Offer[];
};

/** The bids that were submitted, by lot if there are lots, each group with the best price first. */
export function offerGroupsOf({
  tender,
  auctionPrices,
}: Pick<TenderScreen, "tender" | "auctionPrices">): readonly OfferGroup[] {
  const bids = (tender.bids ?? []).filter(({ status }) => status !== "draft");
  const groupOf = (lot: string | undefined): OfferGroup => {
    const features = lot === undefined ? (tender.features ?? []) : featuresOf(tender, [{ id: lot }]);
    const hasFeatures = features.length > 0;
    const prices = auctionPrices.get(auctionId(tender.id, lot));
    const awardOf = new Map(
      tender.awards.flatMap((award) =>
        award.bid_id !== undefined && award.lotID === lot ? [[award.bid_id, award]] : [],
      ),
    );
    const offers = bids.flatMap((bid): readonly Offer[] => {
      const priced = lot === undefined ? bid : bid.lotValues?.find(({ relatedLot }) => relatedLot === lot);
      if (!priced) return [];
      const { value, date = bid.date } = priced;
      const weighted = hasFeatures ? weightedPriceOf(bid, value?.amount, features) : undefined;
      return [{ bid, value, date, weighted, before: prices?.get(bid.id)?.before, award: awardOf.get(bid.id) }];
    });
    return { ...(lot !== undefined && { lot }), hasFeatures, offers: offers.toSorted(compareOffers) };
  };
  if (tender.lots.length === 0) return bids.length === 0 ? [] : [groupOf(undefined)];
  return tender.lots.map(({ id }) => groupOf(id)).filter(({ offers }) => offers.length > 0);
}

/** The price by which an offer is compared. Not every procedure checks what bids choose, so the coefficient may make no sense. */
function weightedPriceOf(
  bid: LinkedBid,
  amount: Decimal | undefined,
  features: readonly Feature[],
): Fraction | undefined {
  const coefficient = coefficientOf(weightsOf(bid), features);
  return amount === undefined || coefficient.numerator <= 0n
    ? undefined
    : divideFractions(fractionOf(amount), coefficient);
}

/** The best price first, weighted if it is; offers without one last; equal ones in the order of their dates. */
function compareOffers(a: Offer, b: Offer): number {
  if (!a.weighted !== !b.weighted) return a.weighted ? -1 : 1;
  const [first, second] = [a.value?.amount, b.value?.amount];
  if (first === undefined || second === undefined) return Number(first === undefined) - Number(second === undefined);
  const difference =
    a.weighted && b.weighted ? compareFractions(a.weighted, b.weighted) : compareDecimals(first, second);
  return difference || a.date - b.date;
}

/** The section of bids. */
export function renderBidsPart(screen: TenderScreen): Markup {
  const texts = textsOf(screen);
  const note = screen.hasOpenBidding ? html`<p>${texts.bids.open}</p>\n` : EMPTY_MARKUP;
  if (isBeforeBidding(screen)) return sectionOf(screen, "bids", html`${note}<p>${biddingStart(screen)}</p>`);
  if (screen.areBidsSealed) return sectionOf(screen, "bids", html`<p>${texts.bids.sealed}</p>`);
  const { bids } = screen.tender;
  if (bids === undefined) return EMPTY_MARKUP;
  const groups = offerGroupsOf(screen);
  if (groups.length === 0) {
    const none = isBiddingAhead(screen.tender) ? texts.bids.noneYet : texts.bids.none;
    return sectionOf(screen, "bids", html`${note}<p class="quiet">${none}</p>`);
  }
  const entries = groups.flatMap((group) => group.offers.map((offer) => ({ group, offer })));
  const { shown, after } = cutList(screen, "bids", entries);
  const shownGroups = [...Map.groupBy(shown, ({ group }) => group)].map(([group, rows]) =>
    groupPart(
      screen,
      group,
      rows.map(({ offer }) => offer),
    ),
  );
  return sectionOf(screen, "bids", html`${note}${shownGroups}${after}`);
}

/** Whether the procedure has bids, but the tender can have none yet. */
const isBeforeBidding = ({ tender, areBidsSealed }: TenderScreen): boolean =>
  tender.status === "active.enquiries" && (areBidsSealed || tender.bids?.length === 0);

function biddingStart(screen: TenderScreen): Markup {
  const { enquiryPeriod, tenderPeriod } = screen.tender;
  const { from, notYet } = textsOf(screen).bids;
  const start = tenderPeriod?.startDate ?? enquiryPeriod?.endDate;
  return start === undefined ? html`${notYet}` : insertMarkup(from, momentOf(screen, start));
}

function groupPart(screen: TenderScreen, group: OfferGroup, offers: readonly Offer[]): Markup {
  const texts = textsOf(screen).bids;
  const { weightedPrice } = messagesIn(screen.language).auctions.auction;
  const { hasFeatures } = group;
  const lot = lotTitle(screen, group.lot);
  const hasAuction = offers.some(({ before }) => before !== undefined);
  const auction = screen.auctionIds.get(group.lot ?? "");
  const caption = lot === undefined ? texts.caption : texts.lotCaption(lot);
  const heading = lot === undefined ? EMPTY_MARKUP : html`<h3>${textsOf(screen).lots.lot}: ${userText(lot)}</h3>\n`;
  const columns = [
    { title: texts.bidder },
    ...(hasAuction ? [{ title: texts.before, isNumber: true as const }] : []),
    { title: hasAuction ? texts.after : texts.price, isNumber: true as const },
    ...(hasAuction ? [{ title: texts.change, isNumber: true as const }] : []),
    ...(hasFeatures ? [{ title: weightedPrice, isNumber: true as const }] : []),
    { title: texts.submitted },
    { title: texts.result },
  ];
  const rows = offers.map((offer) => offerRow(screen, offer, { hasAuction, hasFeatures }));
  const watch =
    auction === undefined
      ? EMPTY_MARKUP
      : html`<p><a href="${hrefOf(screen, `/auctions/${auction}`)}">${texts.watch}</a></p>\n`;
  return html`${heading}${tableOf(dataTable(caption, columns, rows))}${hasAuction ? chartPart(screen, group, offers) : EMPTY_MARKUP}${watch}`;
}

/** The columns that not every table has. */
type OfferColumns = { readonly hasAuction: boolean; readonly hasFeatures: boolean };

function offerRow(screen: TenderScreen, offer: Offer, { hasAuction, hasFeatures }: OfferColumns): readonly Markup[] {
  const { bid, value, before, weighted, date, award } = offer;
  const [bidder, ...partners] = bid.tenderers ?? [];
  const currency = value?.currency ?? "";
  return [
    linesOf(
      bidderName(screen, bidder),
      ...partners.slice(0, PARTNERS_MAX).map((partner) => bidderName(screen, partner)),
      parametersNote(screen, bid),
      renderAttachedDocuments(screen, bid.documents),
    ),
    ...(hasAuction ? [html`${before === undefined ? "—" : formatMoney(before, currency, screen.language)}`] : []),
    html`<strong>${amountOf(screen, value)}</strong>`,
    ...(hasAuction ? [reductionCell(screen, before, value?.amount, currency)] : []),
    ...(hasFeatures ? [html`${weighted ? formatWeightedPrice(weighted, screen.language) : "—"}`] : []),
    momentOf(screen, date),
    award === undefined
      ? EMPTY_MARKUP
      : tag(namesOf(screen).awardStatuses[award.status], award.status === "active" ? "decided" : "neutral"),
  ];
}

const PARTNERS_MAX = 10;

/** The name of a bidder, as a link once the bid counts: the bidder may have no profile before. */
function bidderName(screen: TenderScreen, bidder: Organization | undefined): Markup {
  const { unnamed } = textsOf(screen).bids;
  return screen.areBidsCounted
    ? organizationLink(screen, bidder, "suppliers", unnamed)
    : organizationText(screen, bidder, unnamed);
}

function reductionCell(
  screen: TenderScreen,
  before: Decimal | undefined,
  after: Decimal | undefined,
  currency: string,
): Markup {
  if (before === undefined || after === undefined) return html`—`;
  if (compareDecimals(before, after) <= 0) return html`${textsOf(screen).bids.unchanged}`;
  const reduction = subtractDecimals(before, after);
  const share = formatPercent(Number(reduction) / Number(before), screen.language);
  return linesOf(html`${formatMoney(reduction, currency, screen.language)}`, noteOf(`−${share}`));
}

/** What the bidder chose for each criterion other than price. */
function parametersNote(screen: TenderScreen, { parameters = [] }: LinkedBid): Markup | undefined {
  if (parameters.length === 0) return undefined;
  const { features = [] } = screen.tender;
  const chosen = parameters.slice(0, PARAMETERS_MAX).map(({ code, value }) => {
    const feature = features.find((candidate) => candidate.code === code);
    const title = shortText(textIn(screen.language, feature, "title") ?? code ?? "", PARAMETER_LENGTH_MAX);
    return html`<div>${userText(title)}: ${formatPercent(Number(value ?? 0), screen.language)}</div>`;
  });
  return html`<div class="note">${chosen}</div>`;
}

const PARAMETERS_MAX = 20;
const PARAMETER_LENGTH_MAX = 100;

/** The prices before and after the auction, drawn for the offers that have both. */
function chartPart(screen: TenderScreen, { lot }: OfferGroup, offers: readonly Offer[]): Markup {
  const texts = textsOf(screen).bids;
  const prices = offers.flatMap(({ bid, before, value }): readonly ChartedPrice[] =>
    before === undefined || value?.amount === undefined
      ? []
      : [
          {
            name: organizationName(screen, bid.tenderers?.[0]) ?? texts.unnamed,
            before,
            after: value.amount,
            beforeText: formatMoney(before, value.currency ?? "", screen.language),
            afterText: formatMoney(value.amount, value.currency ?? "", screen.language),
          },
        ],
  );
  const id = `prices-${lot === undefined ? "tender" : screen.tender.lots.findIndex((candidate) => candidate.id === lot)}`;
  return renderPriceChart(prices, { id, texts });
}
