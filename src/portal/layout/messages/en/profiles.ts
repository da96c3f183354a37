import { englishPlural } from "../../formats.ts";
import type { Messages } from "../uk.ts";

/** The texts of the profiles of buyers and suppliers. */
export const PROFILES_EN: Messages["profiles"] = {
  roles: { buyer: "Buyer", supplier: "Supplier" },
  titles: {
    buyer: (name) => `${name}: tenders of the buyer`,
    supplier: (name) => `${name}: bids, awards and contracts`,
  },
  descriptions: {
    buyer: (name, key) => `The buyer ${name} (${key}): tenders, contracts, suppliers and competition.`,
    supplier: (name, key) => `The supplier ${name} (${key}): opened bids, awards, contracts and buyers.`,
  },
  identifier: "Identifier",
  otherRole: {
    buyer: "This organisation also takes part in tenders as a supplier",
    supplier: "This organisation also holds tenders as a buyer",
  },
  totals: "Totals",
  inCurrency: (currency) => `In ${currency}`,
  figures: {
    tenders: "Tenders",
    bidsPerTender: "Bids per tender",
    singleBidShare: "With a single bid",
    bids: "Opened bids",
    decidedBids: "Decided bids",
    undecidedBids: "Bids under consideration",
    wonBids: "Bids that won",
    successRate: "Success rate",
    awards: "Awards",
    contracts: "Contracts",
    averageDays: "Days to contract",
    complaints: "Claims and complaints",
    value: "Expected value",
    contractedValue: "Value of contracts",
    savings: "Savings",
  },
  successHint:
    "The success rate is the share of decided bids that won. A bid is decided when it has won or was rejected, or when the tender or all lots that it was for have ended. Awards without competition are not part of it.",
  partners: { buyer: "Suppliers", supplier: "Buyers" },
  partnersLead: {
    buyer: "Who has contracts with this buyer, by their value",
    supplier: "For whom this supplier has contracts, by their value",
  },
  partnerColumns: { buyer: "Supplier", supplier: "Buyer" },
  noPartners: { buyer: "There are no winners yet.", supplier: "There are no awards yet." },
  morePartners: (shown, count) => `${shown} of ${count} are shown.`,
  tenders: { buyer: "Tenders of this buyer", supplier: "Tenders with this supplier" },
  noTenders: "There are no tenders.",
  tenderCount: (count) => `${count} found`,
  moreThan: (count) => `more than ${count}`,
  buyerOf: (name) => `Buyer: ${name}`,
  winners: (names) => `Winner: ${names}`,
  bidCount: (count) => `${count} ${englishPlural(count, { one: "bid", other: "bids" })}`,
  ownBid: (value) => `Bid: ${value}`,
  ownBidWithoutValue: "Placed a bid",
  award: (status) => `Decision: ${status}`,
  contract: (status, value) => `Contract: ${status}${value === "" ? "" : `, ${value}`}`,
  deadline: (moment) => `Bids until ${moment}`,
  links: "More",
  search: "All these tenders in the search",
  feed: "News feed (Atom)",
  json: "The same data as JSON",
  unknownTitle: { buyer: "There is no such buyer", supplier: "There is no such supplier" },
  unknown: {
    buyer: (key) => `The registry has no published tenders of a buyer with the identifier “${key}”.`,
    supplier: (key) =>
      `The registry has no opened bids, awards or contracts of a supplier with the identifier “${key}”.`,
  },
  unknownHelp: "Check the address: it has the scheme and the code of the organisation, such as UA-EDR-00037256.",
  unknownSearch: "Search the tenders",
  problems: {
    page: (value) => `page: “${value}” is not the number of a page. Give a number from 1 to 500.`,
    pageBeyond: (value) => `page: there is no page ${value}.`,
    unknown: (parameter) => `${parameter}: there is no such parameter. The only parameter is page.`,
  },
};
