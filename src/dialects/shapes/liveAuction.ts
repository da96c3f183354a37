import { AUCTION_STATUSES, type AuctionRules, type AuctionTurn } from "../../domain/auctions/model.ts";
import { AUCTION_PHASES } from "../../domain/auctions/phases.ts";
import type { AuctionOfferView, OwnOfferView } from "../../domain/auctions/view.ts";
import type {
  AuctionListEntry,
  AuctionWithSubject,
  ParticipationLink,
  PriceInput,
  SentAuctionEvent,
} from "../../views/liveAuctionViews.ts";
import {
  address,
  amount,
  arrayOf,
  type DescribedField,
  field,
  flag,
  id,
  inEveryResponse,
  instant,
  integer,
  objectOf,
  oneOf,
  type ShapeOf,
  text,
} from "../fields.ts";
import { EXAMPLE_IDS } from "./exampleIds.ts";

/** The auctions that the service itself holds. */

/** All properties of the members of a union. */
type FieldsOfUnion<Union> = { readonly [Name in Union extends unknown ? keyof Union : never]: unknown };

const STAGE_KINDS = ["pause", "turn", "pre-announcement", "announcement"] as const;
const EVENT_KINDS = [
  ...["planned", "begun", "stage", "turn result", "turn repeated", "interrupted", "ended", "cancelled", "names"],
  ...["price placed", "price taken back"],
] as const;

/** A list that is shown even if it is empty. */
const listOf = (of: string, description: string): DescribedField => ({
  ...inEveryResponse(arrayOf(of), description),
  evenEmpty: true,
});

const SUBJECT = {
  tender: inEveryResponse(id, "`id` of the tender.", EXAMPLE_IDS.tender),
  lot: field(id, "`id` of the lot that is auctioned; absent if the tender has no lots.", EXAMPLE_IDS.lot),
  mode: field(text, "`test` for the auction of a test tender, absent for a real one.", "test"),
};
const STATUS = inEveryResponse(
  oneOf(AUCTION_STATUSES),
  "`planned`, `running`, `ended`, `cancelled` with its tender or lot, or `interrupted` until it is planned again.",
  "planned",
);
const ID = inEveryResponse(
  text,
  "Identifies the auction in paths: the `id` of the tender, or those of the tender and the lot, joined by an underscore.",
  EXAMPLE_IDS.tender,
);
const PLANNED_START = inEveryResponse(
  instant,
  "When the first pause begins, or when it began.",
  "2026-11-30T10:05:00+02:00",
);
const PRICE_DATE = "Time at which the price was placed: of two equal prices the earlier one is ranked first.";
const priceFields = (name = "Price") => ({
  amount: inEveryResponse(amount, `${name}, in the currency of the auction.`, 480000),
  date: inEveryResponse(instant, PRICE_DATE, "2026-11-30T10:11:05+02:00"),
});
const micros = (description: string, example: number) =>
  inEveryResponse(integer, `${description} In microseconds.`, example);

export const liveAuctionShapes = {
  LiveAuction: {
    id: ID,
    ...SUBJECT,
    tenderID: inEveryResponse(text, "Official number of the tender, for people.", "UA-2026-11-16-000001"),
    status: STATUS,
    phase: inEveryResponse(
      oneOf(AUCTION_PHASES),
      "The status, or while it runs the kind of the running stage.",
      "turn",
    ),
    rules: inEveryResponse(objectOf("LiveAuctionRules"), "Lengths and limits, fixed when the auction is planned."),
    plannedStart: PLANNED_START,
    stages: listOf("LiveAuctionStage", "All stages, without gaps. Empty until the first pause begins."),
    current: field(integer, "Index of the running stage in `stages`.", 1),
    nextChange: field(instant, "When the running stage ends.", "2026-11-30T10:12:00+02:00"),
    offers: listOf("LiveAuctionOffer", "Published prices, the best first. Empty until the first pause begins."),
    earlierAttempts: inEveryResponse(integer, "How often the auction was broken off and planned again.", 0),
    lastEvent: inEveryResponse(text, "`id` of the last event that is included here.", "21"),
    own: field(objectOf("LiveAuctionOwn"), "Your own part, if you are a bidder of a running auction."),
    serverTime: field(
      instant,
      "The time when an event was sent; responses have it in the header `X-Server-Time`.",
      "2026-11-30T10:05:00+02:00",
    ),
  } satisfies ShapeOf<AuctionWithSubject>,
  LiveAuctionRules: {
    rounds: inEveryResponse(integer, "Number of rounds.", 3),
    firstPauseMicros: micros("Length of the pause before the first round.", 300_000_000),
    pauseMicros: micros("Length of the pause before each later round.", 120_000_000),
    turnMicros: micros("Length of a turn.", 120_000_000),
    preAnnouncementMicros: micros("Time between the last turn and the announcement.", 120_000_000),
    turnLossMicrosMax: micros("How much of a turn an interruption may take before the turn is repeated.", 5_000_000),
    interruptionMicrosMax: micros("An interruption longer than this ends the auction.", 600_000_000),
    minimalStep: inEveryResponse(amount, "A new price is lower than the bidder's previous one by at least this.", 5000),
    currency: inEveryResponse(text, "Currency of all prices, three characters as in ISO 4217.", "UAH"),
    confirmedDrop: inEveryResponse(amount, "A price that is lower by more than this share must be confirmed.", 0.3),
    hasFeatures: inEveryResponse(flag, "Whether prices are divided by `coefficient` before they are compared.", false),
  } satisfies ShapeOf<AuctionRules>,
  LiveAuctionStage: {
    kind: inEveryResponse(oneOf(STAGE_KINDS), "What happens in the stage.", "turn"),
    round: field(integer, "Round of a turn, or of the pause before it.", 1),
    bidder: field(integer, "Number of the bidder whose turn it is; known from the pause before the round on.", 1),
    start: inEveryResponse(instant, "Beginning of the stage.", "2026-11-30T10:10:00+02:00"),
    end: field(
      instant,
      "End of the stage: a price at this very microsecond is late. The announcement has none.",
      "2026-11-30T10:12:00+02:00",
    ),
    isInterrupted: field(flag, "`true` if the service was interrupted, and the next stage repeats the turn.", true),
    result: field(objectOf("LiveAuctionResult"), "The bidder's price from the end of the turn on."),
  } satisfies ShapeOf<AuctionTurn>,
  LiveAuctionResult: {
    ...priceFields(),
    isNew: inEveryResponse(flag, "Whether the price was placed in this turn.", true),
  },
  LiveAuctionPrice: priceFields(),
  LiveAuctionOffer: {
    bidder: inEveryResponse(integer, "Number of the bidder: 1 had the worst offer at the beginning.", 2),
    label: inEveryResponse(text, "Name to show until names are public.", "Bidder 2"),
    place: inEveryResponse(integer, "Present place, 1 for the best offer.", 1),
    ...priceFields("Published price"),
    coefficient: inEveryResponse(text, "By which the price is divided, as an exact fraction; 1 without features.", "1"),
    initial: inEveryResponse(objectOf("LiveAuctionPrice"), "Price of the bid before the auction.", { amount: 489000 }),
    bid: field(id, "`id` of the bid; shown once names are public.", EXAMPLE_IDS.bid),
    name: field(text, "Name of the bidder; shown once names are public.", "Tasty Ltd"),
  } satisfies ShapeOf<AuctionOfferView>,
  LiveAuctionOwn: {
    bidder: inEveryResponse(integer, "Your number.", 1),
    isOwnTurn: inEveryResponse(flag, "Whether you may place a price now.", true),
    previous: inEveryResponse(objectOf("LiveAuctionPrice"), "Your published price, from which steps are counted."),
    unpublished: field(
      objectOf("LiveAuctionPrice"),
      "The price that you have placed in this turn. Nobody else sees it before the turn ends.",
      { amount: 470000 },
    ),
    highestAllowed: field(amount, "The highest price that you may place; absent if no lower one is possible.", 475000),
    confirmBelow: inEveryResponse(amount, "Prices below this one need `confirmed`.", 336000),
  } satisfies ShapeOf<OwnOfferView>,
  LiveAuctionEvent: {
    kind: inEveryResponse(oneOf(EVENT_KINDS), "What happened.", "turn result"),
    at: inEveryResponse(instant, "When it happened.", "2026-11-30T10:12:00+02:00"),
    serverTime: inEveryResponse(instant, "The time when the event was sent.", "2026-11-30T10:12:00.004000+02:00"),
    onlyTo: field(integer, "Your own number, if nobody else gets the event.", 1),
    start: field(instant, "The planned start.", "2026-11-30T10:05:00+02:00"),
    offers: field(arrayOf("LiveAuctionFirstOffer"), "The prices at the beginning."),
    stages: field(arrayOf("LiveAuctionStage"), "All stages, or those from `index` on if a turn is repeated."),
    index: field(integer, "Index of the stage.", 1),
    order: {
      ...integer,
      many: true,
      description: "Bidders of the coming round in the order of their turns.",
      example: [1, 2],
    },
    bidder: field(integer, "Number of the bidder whose turn has ended.", 1),
    amount: field(amount, "The price.", 480000),
    date: field(instant, PRICE_DATE, "2026-11-30T10:11:05+02:00"),
    isNew: field(flag, "Whether the price was placed in this turn.", true),
    from: field(instant, "Beginning of an interruption.", "2026-11-30T10:11:10+02:00"),
    until: field(instant, "End of an interruption.", "2026-11-30T10:11:18+02:00"),
    places: field(arrayOf("LiveAuctionPlace"), "The final places."),
    names: field(arrayOf("LiveAuctionName"), "The names of the bidders."),
  } satisfies ShapeOf<FieldsOfUnion<SentAuctionEvent>>,
  LiveAuctionFirstOffer: {
    bidder: inEveryResponse(integer, "Number of the bidder.", 1),
    ...priceFields(),
    coefficient: inEveryResponse(text, "By which the price is divided, as an exact fraction.", "1"),
  },
  LiveAuctionPlace: {
    place: inEveryResponse(integer, "Final place, 1 for the best offer.", 1),
    bidder: inEveryResponse(integer, "Number of the bidder.", 2),
    ...priceFields("Final price"),
  },
  LiveAuctionName: {
    bidder: inEveryResponse(integer, "Number of the bidder.", 2),
    name: inEveryResponse(text, "Name of the organisation.", "Tasty Ltd"),
  },
  ListedAuction: {
    id: ID,
    ...SUBJECT,
    status: STATUS,
    plannedStart: PLANNED_START,
  } satisfies ShapeOf<AuctionListEntry>,
  AuctionPrice: {
    amount: field(
      amount,
      "The new price: a number greater than zero with at most two decimals, at most `own.highestAllowed`. Required.",
      475000,
    ),
    confirmed: field(flag, "`true` confirms a price that is below `own.confirmBelow`.", true),
  } satisfies ShapeOf<PriceInput>,
  ParticipationLink: {
    bid: inEveryResponse(id, "`id` of the bid.", EXAMPLE_IDS.bid),
    auction: inEveryResponse(text, "`id` of the auction.", EXAMPLE_IDS.tender),
    participationUrl: inEveryResponse(
      address,
      "The new personal address. Links that were shown before are no longer valid, also those of other lots.",
      `https://tenderhall.example/auctions/${EXAMPLE_IDS.tender}/login?bidder_id=${EXAMPLE_IDS.bid}&signature=7Qm1cJ0b5Yx3u9vK2sPzW8dR4tLhGfEaXoNiBqUjMyk`,
    ),
  } satisfies ShapeOf<ParticipationLink>,
};
