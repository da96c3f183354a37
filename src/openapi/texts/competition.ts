import { BROKER, DIRECT, type OperationTexts, OWNER, sentences } from "./text.ts";

/** From enquiries to the auction. */

const TENDER = "/tenders/{tender_id}";

const LOTS =
  "Possible in `active.enquiries`, under `negotiation` and `negotiation.quick` in `active` until the first award is recorded; refused " +
  "with 403 later. Tenders under `reporting` have no lots.";

const BID_OWNER = "Needs the key of the account that placed the bid, and the bid's owner token.";
const TENDERING =
  "Possible in `active.tendering`; refused with 403 before and after, and the error says when it is allowed.";

const AUCTIONEER = "Needs a key of the group `auction` or `admins`, and the tender in `active.auction`.";
const AUCTIONEER_OF_LOT =
  "Needs a key of the group `auction` or `admins`, the tender in `active.auction`, and the lot active.";

export const COMPETITION_TEXTS: OperationTexts = {
  [`GET ${TENDER}/lots`]: "Lists the lots of a tender, whatever their status. Everyone may read it, without a key.",
  [`POST ${TENDER}/lots`]:
    `Adds a lot to a tender and returns it; where bids compete, the tender's amounts become those of its lots. ${OWNER} ${LOTS} Next: set \`relatedLot\` ` +
    "of the items that belong to it by changing the tender.",
  [`GET ${TENDER}/lots/{lot_id}`]: "Returns a lot. Everyone may read it, without a key.",
  [`PATCH ${TENDER}/lots/{lot_id}`]: `Changes the fields of a lot that are sent. ${OWNER} ${LOTS}`,
  [`DELETE ${TENDER}/lots/{lot_id}`]:
    `Removes a lot and returns it as it was. ${OWNER} ${LOTS} Refused with 422 while an item or a feature refers to the lot. After ` +
    "enquiries, cancel the lot instead.",
  [`GET ${TENDER}/questions`]:
    "Lists the questions to the buyer, in the order in which they were asked. Everyone may read it, without a key; authors are shown " +
    "once the competition is over.",
  [`POST ${TENDER}/questions`]:
    `Asks the buyer a question. ${BROKER} Possible in \`active.enquiries\` until \`enquiryPeriod.endDate\`; refused with 403 later. ` +
    "Nobody owns a question: the response contains no token, and only the buyer can change it, by answering.",
  [`GET ${TENDER}/questions/{question_id}`]: "Returns a question with its answer. Everyone may read it, without a key.",
  [`PATCH ${TENDER}/questions/{question_id}`]: ({ plain }) =>
    sentences(
      "Answers a question: `answer` is stored with the time, everything else that is sent is ignored. An answer can be replaced.",
      OWNER,
      plain
        ? "Possible until the tender has ended."
        : "Under `belowThreshold` possible in `active.enquiries`, in the basic procedure until the tender has ended.",
    ),
  [`GET ${TENDER}/bids`]: ({ plain, hidden }) =>
    sentences(
      "Lists the bids that you may see.",
      hidden === "refused"
        ? "While bids may be sealed (in `active.tendering` and `active.auction` under `belowThreshold`) it is refused with 403; from " +
            "`active.qualification` on everyone may read them, without a key."
        : "Sealed bids are left out, except your own if you send its owner token; others everyone may read, without a key.",
      !plain && "In the basic procedure bids are open from the beginning.",
    ),
  [`POST ${TENDER}/bids`]: ({ plain }) =>
    sentences(
      "Places a bid.",
      BROKER,
      TENDERING,
      "The response contains the bid's owner token in `access.token`: store it, because it is shown only this once.",
      !plain &&
        "Under `belowThreshold` the bid is sealed: until the auction has ended nobody but its owner sees it, not even that it exists.",
      "Next: upload the bid's documents; change the price as long as the tender period lasts.",
    ),
  [`GET ${TENDER}/bids/{bid_id}`]: ({ hidden }) =>
    sentences(
      "Returns a bid. A sealed bid is shown to its owner alone, with its owner token;",
      hidden === "refused" ? "anyone else is refused with 403." : "for anyone else it does not exist.",
      "An open one everyone may read, without a key.",
    ),
  [`PATCH ${TENDER}/bids/{bid_id}`]: `Changes the fields of a bid that are sent. A new amount also renews \`date\`. ${BID_OWNER} ${TENDERING}`,
  [`DELETE ${TENDER}/bids/{bid_id}`]: `Withdraws a bid: it is removed, and returned as it was. ${BID_OWNER} ${TENDERING} The same bidder may place another one.`,
  [`GET ${TENDER}/auction`]: ({ auction }) =>
    auction === "addresses"
      ? "Returns what an auction starts from: items, step, features and the prices of the bids without the bidders' names. Needs a key " +
        "of the group `auction` or `admins`, and the tender in `active.auction`; otherwise refused with 403. Every request is recorded " +
        "in the audit trail. Next: PATCH the addresses, and POST the results."
      : "Returns the prices of the bids, the step and the beginning of the tender period. Everyone may read it, without a key; while " +
        "bids are sealed, only the auction service (group `auction`) sees their prices.",
  [`PATCH ${TENDER}/auction`]: ({ auction, plain }) =>
    auction === "addresses"
      ? "Sets where the auction is held: `auctionUrl` for everyone, and `participationUrl` for each bidder in `bids`, which has every bid. Needs a key of the group " +
        "`auction` or `admins`, and the tender in `active.auction`. With lots, use the address of each lot. Next: POST the results."
      : sentences(
          "Reports the prices that the bids came to, one for each bid in their order. Nothing else follows from it: the tender's status " +
            "stays.",
          plain
            ? "Needs the tender's owner token with the key that it was created with, or a key of the group `auction`."
            : "Needs a key of the group `auction`, or in the basic procedure the tender's owner token with its key.",
          "Refused with 422 if there are more or fewer prices than bids, and with 403 once the tender has ended.",
        ),
  [`POST ${TENDER}/auction`]: ({ auction }) =>
    sentences(
      auction === "addresses"
        ? "Ends the auction. `bids` has every bid with its last price and the time at which that was offered; without `bids` all " +
            "prices stay."
        : "Ends the auction. `bids` has a price for every bid, in their order; without `bids` all prices stay.",
      "The service ranks the bids, makes the first award, and the tender moves to `active.qualification`; `Location` leads to the " +
        "award.",
      AUCTIONEER,
      "With lots, use the address of each lot.",
    ),
  [`PATCH ${TENDER}/auction/{auction_lot_id}`]: ({ auction }) =>
    sentences(
      auction === "addresses"
        ? "Sets where the auction of one lot is held: `auctionUrl` in `lots`, and `participationUrl` in `lotValues` of the bids. What " +
            "concerns other lots is ignored."
        : "Changes nothing in this version, which has no fields for the addresses of an auction.",
      AUCTIONEER_OF_LOT,
    ),
  [`POST ${TENDER}/auction/{auction_lot_id}`]: ({ auction }) =>
    sentences(
      auction === "addresses"
        ? "Ends the auction of one lot with the prices in `lotValues` of the bids. What concerns other lots is ignored."
        : "Ends the auction of one lot with the prices that the bids have; this version has no fields for the prices of lots.",
      "When every lot with two or more bids has ended its auction, the service makes the awards and the tender moves to " +
        "`active.qualification`.",
      AUCTIONEER_OF_LOT,
    ),
  [`GET ${TENDER}/awards`]:
    "Lists the awards of a tender, in the order in which they were made. Everyone may read it, without a key.",
  [`POST ${TENDER}/awards`]: ({ plain }) =>
    plain
      ? `Records an award. ${OWNER} Possible until the tender has ended; refused with 403 after that.`
      : `Records an award. In the basic procedure the owner does so until the tender has ended. ${OWNER} Under \`belowThreshold\` the ` +
        "service makes the awards, and only an administrator (group `admins`) may add one for repair, in `active.qualification`. Under " +
        `${DIRECT} the owner records the supplier in \`active\`, as a \`pending\` award; refused with 403 while another award, with lots ` +
        "one of the same lot, is `pending` or `active`.",
  [`GET ${TENDER}/awards/{award_id}`]: "Returns an award. Everyone may read it, without a key.",
  [`PATCH ${TENDER}/awards/{award_id}`]: ({ plain }) =>
    plain
      ? `Changes an award, or decides on it: from \`pending\` to \`active\`, \`unsuccessful\` or \`cancelled\`, and from these to ` +
        `\`cancelled\`. ${OWNER} Refused with 403 for any other move, and once the tender has ended.`
      : "Decides on an award: `active` accepts the bid, makes a contract and starts the stand-still of two working days; " +
        "`unsuccessful` rejects it, and the service makes an award for the next bid, to which `Location` leads. `cancelled` takes a " +
        `decision back. ${OWNER} Under \`belowThreshold\` possible in \`active.qualification\` and \`active.awarded\` while the lot is ` +
        "active; a rejection can be taken back only if a claim was filed against it. In the basic procedure " +
        `only the award itself changes. Under ${DIRECT} the owner edits a \`pending\` award, accepts or rejects it, and may cancel an ` +
        "accepted one, all in `active`; no other award follows by itself. Next: sign the contract.",
};
