import * as domain from "../../domain/model/tender.ts";
import type { AuctionView } from "../../views/visibility.ts";
import {
  address,
  alwaysPresent,
  arrayOf,
  field,
  id,
  instant,
  objectOf,
  oneOf,
  readOnly,
  type ShapeOf,
  text,
  translated,
} from "../fields.ts";
import { EXAMPLE_IDS } from "./exampleIds.ts";

const participationUrl = `https://auction.example/tenders/${EXAMPLE_IDS.tender}/login?bidder_id=${EXAMPLE_IDS.bid}`;

/** What the auction service reads, and what it reports. */
export const auctionShapes = {
  Auction: {
    tenderID: readOnly(
      text,
      "Official number of the tender, for people. Assigned by the service.",
      "UA-2026-11-16-000001",
    ),
    dateModified: alwaysPresent(
      instant,
      "Time of the last public change of the tender. Set by the service.",
      "2026-11-30T10:00:00+02:00",
    ),
    items: readOnly(arrayOf("Item"), "What is procured, as in the tender."),
    auctionPeriod: readOnly(
      objectOf("AuctionPeriod"),
      "When the auction is held, as in the tender; absent if it has lots.",
    ),
    minimalStep: readOnly(
      objectOf("Value"),
      "Smallest step by which a bid is lowered, as in the tender; with lots, each lot has its own.",
      { amount: 5000 },
    ),
    auctionUrl: field(
      address,
      "Address of the page where the auction can be watched, http or https. Set by the auction service; not allowed if the tender " +
        "has lots.",
      `https://auction.example/tenders/${EXAMPLE_IDS.tender}`,
    ),
    features: readOnly(arrayOf("Feature"), "Criteria besides the price, as in the tender."),
    lots: field(
      arrayOf("AuctionLot"),
      "All lots of the tender, if it has any. The auction service sends all of them back to set the address of one.",
    ),
    bids: {
      ...field(
        arrayOf("AuctionBid"),
        "Bids with their prices, without the bidders' names. The auction service sends all of them back, in any order if they " +
          "have their `id`. While bids are sealed, only the auction service sees any.",
      ),
      evenEmpty: true,
      always: true,
    },
    tenderPeriod: readOnly(objectOf("Period"), "When bids were accepted, as in the tender."),
  } satisfies ShapeOf<AuctionView>,
  AuctionBid: {
    id: field(id, "`id` of the bid. If absent, the bid at the same position is meant.", EXAMPLE_IDS.bid),
    date: field(
      instant,
      "Time at which the price was offered. Sent by the auction service with the results; if absent, the bid keeps its own.",
      "2026-11-26T15:50:00.120000+02:00",
    ),
    value: field(
      objectOf("Value"),
      "Price of the bid: before the auction as the bidder set it, in the results as the auction ended.",
      { amount: 479000 },
    ),
    parameters: readOnly(arrayOf("Parameter"), "The bidder's choices for the features of the tender."),
    participationUrl: field(
      text,
      "Personal address at which the bidder takes part, http or https. Set by the auction service; not allowed if the tender has " +
        "lots.",
      participationUrl,
    ),
    lotValues: field(arrayOf("AuctionLotValue"), "Prices for single lots, if the tender has lots."),
  },
  AuctionLotValue: {
    relatedLot: field(
      id,
      "`id` of the lot that the price is for. If absent, the lot at the same position of the bid is meant.",
      EXAMPLE_IDS.lot,
    ),
    value: field(
      objectOf("Value"),
      "Price for the lot: before the auction as the bidder set it, in the results as it ended.",
      {
        amount: 240000,
      },
    ),
    date: field(
      instant,
      "Time at which the price was offered. Sent by the auction service with the results; if absent, the bid keeps its own.",
      "2026-11-24T10:40:00.900000+02:00",
    ),
    participationUrl: field(
      text,
      "Personal address at which the bidder takes part in the auction of the lot, http or https. Set by the auction service.",
      `${participationUrl}&lot_id=${EXAMPLE_IDS.lot}`,
    ),
  },
  AuctionLot: {
    id: field(text, "`id` of the lot. If absent, the lot at the same position is meant.", EXAMPLE_IDS.lot),
    status: readOnly(oneOf(domain.LOT_STATUSES), "State of the lot, as in the tender.", "active"),
    date: readOnly(
      instant,
      "Time of the last change of `status`, as in the tender.",
      "2026-11-16T11:00:00.250000+02:00",
    ),
    ...translated(
      "title",
      "Name of the lot, as in the tender.",
      ["Desks for the first floor", "Парты для первого этажа"],
      readOnly,
    ),
    ...translated(
      "description",
      "What the lot consists of, as in the tender.",
      ["60 desks for two pupils each", "60 парт, каждая на двух учеников"],
      readOnly,
    ),
    value: readOnly(objectOf("Value"), "Expected value of the lot, as in the tender.", { amount: 250000 }),
    minimalStep: readOnly(objectOf("Value"), "Smallest step by which a bid for the lot is lowered, as in the tender.", {
      amount: 2500,
    }),
    guarantee: readOnly(objectOf("Guarantee"), "Security that a bidder for the lot has to provide, as in the tender.", {
      amount: 5000,
    }),
    auctionPeriod: readOnly(objectOf("AuctionPeriod"), "When the auction of the lot is held, as in the tender."),
    auctionUrl: field(
      address,
      "Address of the page where the auction of the lot can be watched, http or https. Set by the auction service.",
      `https://auction.example/tenders/${EXAMPLE_IDS.secondTender}_${EXAMPLE_IDS.lot}`,
    ),
  },
};
