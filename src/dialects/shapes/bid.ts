import * as domain from "../../domain/model/tender.ts";
import {
  address,
  alwaysPresent,
  amount,
  arrayOf,
  field,
  id,
  instant,
  objectOf,
  oneOf,
  readOnly,
  type ShapeOf,
  text,
} from "../fields.ts";
import { EXAMPLE_IDS } from "./exampleIds.ts";

const participationUrl = `https://auction.example/tenders/${EXAMPLE_IDS.tender}/login?bidder_id=${EXAMPLE_IDS.bid}`;

export const bidShapes = {
  Bid: {
    id: alwaysPresent(text, "Identifies the bid in paths: 32 hex digits. Assigned by the service.", EXAMPLE_IDS.bid),
    date: alwaysPresent(
      instant,
      "Time at which the price was last set: of two equal bids the earlier one is ranked first. Set by the service when the bid " +
        "is placed and when its amount changes.",
      "2026-11-24T11:15:09.301245+02:00",
    ),
    status: field(
      { ...oneOf(domain.BID_STATUSES), always: true },
      "`draft` does not take part and is removed when the tender period ends; the bidder makes it `active` with PATCH, which " +
        "cannot be undone. Set by the bidder, `active` if absent.",
      "active",
    ),
    tenderers: field(
      arrayOf("Organization"),
      "Who bids: one organisation under `belowThreshold`, otherwise one or more. Required; set by the bidder.",
    ),
    value: field(
      objectOf("Value"),
      "Price of the whole offer. Under `belowThreshold` required without lots and not allowed with lots, at most the tender's value, " +
        "in its currency and with its VAT flag. Set by the bidder, and by the auction when it reports its results.",
      { amount: 489000 },
    ),
    lotValues: field(
      arrayOf("LotValue"),
      "Prices for single lots, each lot at most once. Set by the bidder; required instead of `value` if the tender has lots.",
    ),
    parameters: field(
      arrayOf("Parameter"),
      "The bidder's choice for every feature of the tender, with lots for every feature that concerns the lots bid for. Set by " +
        "the bidder.",
    ),
    participationUrl: readOnly(
      address,
      "Personal address at which the bidder takes part in the auction. Set by the auction service; shown to the bidder, and to " +
        "everyone once bids are opened. If the registry itself holds the auction, it is shown to the bid's owner alone, until the " +
        "auction has ended: whoever has it can act as the bidder.",
      participationUrl,
    ),
    documents: {
      ...readOnly(
        arrayOf("Document"),
        "Documents of the bid, in the order of upload. A new bid may bring documents whose files are with the document service; " +
          "others are added at their own address.",
      ),
      newAs: "Registration",
    },
  } satisfies ShapeOf<Omit<domain.Bid, "owner" | "tokenHash" | "linkNumber">>,
  LotValue: {
    relatedLot: field(id, "`id` of the lot that the price is for. Required; set by the bidder.", EXAMPLE_IDS.lot),
    value: field(
      objectOf("Value"),
      "Price for the lot, at most the lot's value, in the tender's currency and with its VAT flag. Set by the bidder, and by the " +
        "auction when it reports its results.",
      { amount: 240000 },
    ),
    date: readOnly(
      instant,
      "Time at which this price was last set: of two equal prices the earlier one is ranked first. Set by the service.",
      "2026-11-24T10:40:00.900000+02:00",
    ),
    participationUrl: readOnly(
      address,
      "Personal address at which the bidder takes part in the auction of the lot. Set by the auction service, or shown to the bid's " +
        "owner alone if the registry itself holds the auction.",
      `${participationUrl}&lot_id=${EXAMPLE_IDS.lot}`,
    ),
  } satisfies ShapeOf<domain.LotValue>,
  Parameter: {
    code: field(text, "`code` of the feature. Required; set by the bidder.", "local-produce"),
    value: field(amount, "`value` of the option that the bidder chooses. Required; set by the bidder.", 0.05),
  } satisfies ShapeOf<domain.BidParameter>,
};
