import { DIRECT, type OperationTexts, OWNER, sentences } from "./text.ts";

const TENDER = "/tenders/{tender_id}";

export const TENDER_TEXTS: OperationTexts = {
  "GET /tenders": ({ badParameters }) =>
    sentences(
      "Lists published tenders in the order of their last change, the longest unchanged first. Drafts are never listed, test tenders " +
        "only with `mode`. Everyone may read it, without a key.",
      "Follow `next_page` and you see every change, none of them skipped: a tender that changes again moves to the end. On an " +
        "empty page, ask the same address again later, or open the stream.",
      "Refused with 404 if `offset` cannot be read, and with 422 if a filter makes no sense.",
      badParameters === "ignored" &&
        "Other parameters that make no sense are ignored, and the header `X-Ignored-Parameters` names them.",
    ),
  "GET /search":
    "Finds published tenders by the words of their titles, descriptions, items, buyers and suppliers, by their numbers and by filters. " +
    "All words must match, in any form: `послуга` finds `послуг`; the last three words, if they have three letters or more, also find words that begin with them. " +
    "Case, accents and apostrophes make no difference. Values of one filter are alternatives, different filters must all match. " +
    "Everyone may search, without a key, and nothing of a sealed bid is ever found. The page at `/tenders` takes the same parameters. " +
    "At most 10,000 results are counted and listed: `more` says that there are others, so narrow the search. To get every tender, read " +
    "the feed. Refused with 422 if a parameter makes no sense.",
  "GET /tenders/stream":
    "Sends the feed as Server-Sent Events: first what has changed after `offset` or `Last-Event-ID`, or ever, then every change as " +
    "it happens, each once and in order. `id` of an event is the offset to go on from, `data` an entry of the feed. A comment is " +
    "sent at least every 15 seconds, so a silent connection is a broken one. A reader that takes nothing for 30 seconds is cut " +
    "off; reconnect with `Last-Event-ID`. Everyone may read it, without a key. Refused with 429 or 503 if too many streams are " +
    "open.",
  "POST /tenders": ({ plain }) =>
    sentences(
      "Creates a tender and publishes it, or keeps it as a `draft` if `status` says so.",
      plain
        ? "Needs the key of a broker with accreditation level 1."
        : "Needs the key of a broker with accreditation level 1; level 3 under `negotiation` and `negotiation.quick`, and either of them " +
            "under `reporting`. Some procedures are closed to some kinds of buyers, which are refused with 403.",
      "The response contains the tender's owner token in `access.token`: store it, because it is shown only this once and every " +
        "later change needs it.",
      "Refused with 422 if a field is missing or wrong; all of them are listed.",
      plain
        ? "Next: upload documents and answer questions. The tender moves on by itself when its periods end."
        : "Next: upload documents, add lots and answer questions. The tender moves on by itself when its periods end.",
    ),
  [`GET ${TENDER}`]: ({ plain }) =>
    sentences(
      "Returns a tender as everyone sees it, without a key. Bids are left out while they are sealed, and so are the authors of " +
        "questions until the competition is over. A draft can be read by whoever knows its `id`.",
      "With `at` it returns the tender as everyone saw it at that time: 404 if it was not published yet, 422 if `at` is no time or in " +
        "the future.",
      !plain && "A key of the scheduler (group `chronograph`) gets the view of the scheduler instead.",
    ),
  [`GET ${TENDER}/history`]:
    "Lists the versions of a tender in their order, as everyone saw them: when each began, what was done, and what became different. " +
    "The publication is version 1, and each public change makes the next; changes of sealed bids and of anything else that is not public " +
    "make none. When bids are opened, one version shows all of them. Everyone may read it, without a key. A page may be shorter than " +
    "`limit` if its changes are long. Past versions never change, so you may keep them. The whole tender as it was in a version: " +
    "`GET /tenders/{tender_id}?at=` with its `date`. The list is empty for a draft. Refused with 404 if `offset` is no number, and " +
    "with 422 if `limit` makes no sense.",
  [`PATCH ${TENDER}`]: ({ plain }) =>
    sentences(
      "Changes the fields that are sent and returns the tender.",
      OWNER,
      plain
        ? "Fields can be changed until the tender has ended."
        : "Under `belowThreshold` fields can be changed in `active.enquiries`; later they are checked and ignored. In the basic " +
            `procedure they can be changed until the tender has ended, under ${DIRECT} until the first award is recorded.`,
      plain
        ? "Set `status` to publish a draft (`active.enquiries`) or to cancel the tender (`cancelled`)."
        : `Set \`status\` to publish a draft (\`active.enquiries\`, or \`active\` under ${DIRECT}) or to cancel the tender (\`cancelled\`).`,
      "Refused with 403 if the tender has ended, or is a draft that the request does not publish or cancel.",
    ),
  [`PATCH ${TENDER}/credentials`]:
    "Gives the owner a new owner token, in `access.token`; the old one stops working at once. " +
    `${OWNER} Use it when a token may have become known to others. The request has no body.`,
  [`GET ${TENDER}/extract_credentials`]:
    "Returns who owns a tender and the hash of its owner token, for the service that manages contracts after the tender. Needs a key " +
    "of the group `contracting`; every request is recorded in the audit trail.",
  [`GET ${TENDER}/chronograph`]:
    "Returns when things happen in a tender and, once the tender period has ended, how many bids compete. Needs a key of the group " +
    "`chronograph` or `admins`; while bids are sealed, every request is recorded in the audit trail.",
  [`PATCH ${TENDER}/chronograph`]:
    "Plans auctions: `auctionPeriod.startDate` of the tender, or of each lot in `lots`, in the order of the lots, with `{}` for a " +
    "lot that keeps its plan. Needs a key of the group `chronograph`; everything else that is sent is ignored. An empty object " +
    "only asks how things stand: deadlines are carried out by themselves. Refused with 403 for a draft and once the tender has " +
    "ended.",
  "GET /health":
    "Returns 200 if tenders can be read and written now: the database is asked. Otherwise 503. Needs no key.",
  "GET /spore":
    "Lists the methods of this version in the format of SPORE, which old clients read before their first request. New clients read " +
    "the OpenAPI description instead. Needs no key.",
};
