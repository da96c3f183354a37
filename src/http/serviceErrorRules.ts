/** The rules of the HTTP interface to the auctions that the service holds, and to open data; `errorRules.ts` has the others. */
export const SERVICE_HTTP_RULES = {
  "Live auctions": {
    "bidder-needed": {
      statuses: [401],
      title: "Only a bidder of the auction may do this",
      text:
        "Send the signature of the participation URL as a Bearer token, or the key of the account that placed the bid together with " +
        "the bid's owner token (acc_token) and its id (bid).",
    },
    "auction-link": {
      statuses: [403],
      title: "The participation link is not valid",
      text:
        "It belongs to another bid, lot, auction or tender, or the owner of the bid has replaced it. The owner finds the present link " +
        "in participationUrl of the bid.",
    },
    "too-many-prices": {
      statuses: [429],
      title: "A bidder sends prices too quickly",
      text: "A bidder may send 10 prices in a second. Wait for the time in Retry-After: only the last price of a turn counts.",
    },
    "record-not-public": {
      statuses: [403],
      title: "The record of the auction is not public yet",
      text: "It is published together with the names of the bidders, when the tender reaches active.qualification.",
    },
  },
  "Open data": {
    "open-data-off": {
      statuses: [404],
      title: "The registry does not publish open data yet",
      text: "Its operator has to set OCDS_PREFIX, OCDS_PUBLISHER and OCDS_LICENSE first.",
    },
    "no-releases": {
      statuses: [404],
      title: "There are no releases that match the request",
      text:
        "Drafts and test tenders have no releases. For a page: there are none after your offset yet, or none that match your filters. " +
        "Ask again later with the same address.",
    },
    "files-pending": {
      statuses: [404],
      title: "The bulk files are not made yet",
      text:
        "A server makes them when it runs for the first time, which takes a while if there are many tenders. Ask again after the time in " +
        "Retry-After. Until then, /ocds/releases has everything that is published.",
    },
  },
} as const;
