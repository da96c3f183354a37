import type { Value } from "../../domain/model/tender.ts";
import { addDecimals } from "../../domain/values/decimal.ts";
import type { Instant } from "../../domain/values/time.ts";
import type { LinkedAward, LinkedBid, PublicTender } from "../../views/publicTender.ts";
import type { OcdsObject } from "../ocdsValues.ts";
import type { ContentContext } from "./contentContext.ts";
import { documentList } from "./documentList.ts";
import { compact, dateOf, decimalOf, moneyOf } from "./fieldValues.ts";
import { referAll } from "./partyList.ts";

/** The bids that everybody may see. Drafts are not submitted yet, so they are left out. */
export const bidList = (context: ContentContext): readonly OcdsObject[] =>
  (context.tender.bids ?? []).filter(({ status }) => status !== "draft").map((bid) => bidOf(bid, context));

function bidOf(bid: LinkedBid, context: ContentContext): OcdsObject {
  const lotValues = (bid.lotValues ?? []).filter(({ relatedLot }) => relatedLot !== undefined);
  return compact({
    id: bid.id,
    date: dateOf(receiptOf(bid, context.tender)),
    datePriceSet: bid.value && dateOf(bid.date),
    status: isDisqualified(bid, context.tender.awards) ? "disqualified" : "valid",
    tenderers: referAll(context.parties, bid.tenderers, `bids/${bid.id}`),
    value: moneyOf(bid.value ?? totalOf(lotValues.map(({ value }) => value))),
    relatedLots: lotValues.flatMap(({ relatedLot }) => relatedLot ?? []),
    lotValues: lotValues.map(({ relatedLot, value, date }) =>
      compact({ relatedLot, value: moneyOf(value), date: dateOf(date) }),
    ),
    parameters: (bid.parameters ?? [])
      .map(({ code, value }) => compact({ code, value: decimalOf(value) }))
      .filter((parameter) => Object.keys(parameter).length > 0),
    documents: documentList(bid.documents, context),
  });
}

/**
 * When the bid was received, if the registry knows it. It dates a bid by its price, which the auction may have lowered after the
 * deadline. Bids are only accepted before, so an earlier date is that of the bid as it was submitted.
 */
const receiptOf = ({ date }: LinkedBid, { tenderPeriod }: PublicTender): Instant | undefined =>
  tenderPeriod?.endDate === undefined || date <= tenderPeriod.endDate ? date : undefined;

/** The sum of a bid's prices for lots, if all of them are in one currency. */
function totalOf(values: readonly (Value | undefined)[]): Value | undefined {
  const [first] = values;
  const amounts = values.flatMap((value) =>
    value?.amount !== undefined &&
    value.currency === first?.currency &&
    value.valueAddedTaxIncluded === first?.valueAddedTaxIncluded
      ? [value.amount]
      : [],
  );
  if (amounts.length === 0 || amounts.length < values.length) return undefined;
  return { ...first, amount: addDecimals(...amounts) };
}

/** Whether the buyer has rejected the bid: in every lot that it is for, the last award for it is unsuccessful. */
function isDisqualified({ id, lotValues = [] }: LinkedBid, awards: readonly LinkedAward[]): boolean {
  const lots = lotValues.length > 0 ? lotValues.map(({ relatedLot }) => relatedLot) : [undefined];
  return lots.every(
    (lot) => awards.findLast(({ bid_id, lotID }) => bid_id === id && lotID === lot)?.status === "unsuccessful",
  );
}
