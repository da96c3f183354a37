import type { DescribedShape } from "./fields.ts";
import { auctionShapes } from "./shapes/auction.ts";
import { awardShapes } from "./shapes/award.ts";
import { bidShapes } from "./shapes/bid.ts";
import { complaintShapes } from "./shapes/complaint.ts";
import { documentShapes } from "./shapes/document.ts";
import { historyShapes } from "./shapes/history.ts";
import { itemShapes } from "./shapes/item.ts";
import { liveAuctionShapes } from "./shapes/liveAuction.ts";
import { organizationShapes } from "./shapes/organization.ts";
import { questionShapes } from "./shapes/question.ts";
import { tenderShapes } from "./shapes/tender.ts";
import { valueShapes } from "./shapes/values.ts";
import { viewShapes } from "./shapes/views.ts";
import type { ShapeDescriptions } from "./versionChange.ts";

/** The newest wire shape, which the canonical model is named after. Every older version is a chain of changes from here. */
const shapes = {
  ...tenderShapes,
  ...organizationShapes,
  ...documentShapes,
  ...valueShapes,
  ...itemShapes,
  ...questionShapes,
  ...bidShapes,
  ...awardShapes,
  ...complaintShapes,
  ...auctionShapes,
  ...viewShapes,
  ...historyShapes,
  ...liveAuctionShapes,
} satisfies { readonly [name: string]: DescribedShape };

export type ShapeName = keyof typeof shapes;
export const NEWEST: { readonly [name in ShapeName]: DescribedShape } = shapes;

/** What each shape is, in a sentence or two. */
export const SHAPE_DESCRIPTIONS: { readonly [name in ShapeName]: string } & ShapeDescriptions = {
  Tender: "A procurement procedure with everything that belongs to it.",
  Organization: "A bidder, a supplier, or whoever asks or complains.",
  ProcuringEntity: "The organisation that buys.",
  Identifier: "An entry of an organisation in an official register.",
  Address: "A postal address.",
  ContactPoint: "A person or a department to contact.",
  Document: "A version of a file with its metadata. The versions of a document share their `id`.",
  Registration: "A document whose file was uploaded to the document service.",
  Value: "An amount of money with its currency and whether it includes value-added tax.",
  Guarantee: "An amount of money that a bidder has to provide as security.",
  Period: "A span of time.",
  AuctionPeriod: "The time of an auction, planned and real.",
  Item: "Goods or a service to be procured.",
  Unit: "A unit in which an item is counted.",
  Classification: "A code that says what an item is, by a public scheme.",
  Location: "A place on the map.",
  Feature: "A criterion besides the price: the better the option that a bidder chooses, the better the bid is ranked.",
  FeatureOption: "One of the options of a feature.",
  Lot: "A part of a tender that is bid for, auctioned and awarded separately.",
  Question: "A question to the buyer, with its answer.",
  Bid: "An offer of one bidder. Under `belowThreshold` it is sealed until the auction has ended.",
  LotValue: "The price of a bid for one lot.",
  Parameter: "A bidder's choice for one feature.",
  Award: "The decision on a bid, or on a supplier that the buyer chose: to accept it as the winner, or to reject it.",
  Contract: "The contract that an accepted award leads to.",
  Complaint:
    "A claim against a tender or an award, with the buyer's answer; or a complaint, with the decision of the reviewers.",
  Cancellation: "The cancellation of a tender or of a lot.",
  Auction: "A tender as its auction sees it, and what the auction reports.",
  AuctionBid: "A bid as the auction sees it, without the bidder's name.",
  AuctionLotValue: "The price of a bid for one lot, as the auction sees it.",
  AuctionLot: "A lot as the auction sees it.",
  Schedule: "A tender as its scheduler sees it: when things happen, but not who bids what.",
  ScheduledLot: "A lot as the scheduler sees it.",
  Credentials: "Who owns a tender, for the service that manages its contracts.",
  Entry: "An entry of the feed.",
  HistoryEntry: "A version of a tender: what a public change made of it.",
  HistoryChange: "A difference between a version and the one before.",
  LiveAuction: "An auction that the registry itself holds, as you may see it.",
  LiveAuctionRules: "Lengths and limits of an auction.",
  LiveAuctionStage: "A stage of an auction.",
  LiveAuctionResult: "The price after a turn.",
  LiveAuctionPrice: "A price and its time.",
  LiveAuctionOffer: "A bidder's published price in an auction.",
  LiveAuctionOwn: "What a bidder sees of its own part in a running auction.",
  LiveAuctionEvent: "A change of an auction, as its stream sends it. Which fields there are depends on `kind`.",
  LiveAuctionFirstOffer: "A bidder's price when the auction begins.",
  LiveAuctionPlace: "A bidder's final place.",
  LiveAuctionName: "The name behind a bidder's number.",
  ListedAuction: "An entry of the list of auctions.",
  AuctionPrice: "A price that a bidder places in its turn.",
  ParticipationLink: "The address at which a bidder takes part in an auction.",
};
