import type { OperationTexts } from "./text.ts";
import { DIRECT, sentences } from "./text.ts";

/** Documents behave the same wherever they belong; who may add them, and when, depends on what they are of. */

type Holder = {
  /** As in "the documents of a bid". */
  readonly of: string;
  readonly who: string;
  readonly when: string;
  readonly plainWhen?: string;
  /** Who may change a document, if not everyone who may add one. */
  readonly author?: true;
  readonly hidden?: string;
};

const OWNER = "Needs the key of the account that created the tender, and the tender's owner token";

const HOLDERS: { readonly [path: string]: Holder } = {
  "/tenders/{tender_id}": {
    of: "a tender",
    who: `${OWNER}, or a key of the group \`auction\` or \`bots\`.`,
    when:
      "Under `belowThreshold` the owner may do so in `draft` and `active.enquiries`, the auction service from `active.auction` on; in " +
      `the basic procedure from publication until the tender has ended; under ${DIRECT} in \`active\`.`,
    plainWhen: "Possible from publication until the tender has ended.",
    author: true,
  },
  "/tenders/{tender_id}/bids/{bid_id}": {
    of: "a bid",
    who: "Needs the key of the account that placed the bid, and the bid's owner token.",
    when: "Possible in `active.tendering` and, under `belowThreshold`, in `active.qualification` while the bid's award is `pending`.",
    plainWhen: "Possible in `active.tendering`.",
    hidden: "While bids are sealed, only their owner may read it, with the bid's owner token.",
  },
  "/tenders/{tender_id}/awards/{award_id}": {
    of: "an award",
    who: `${OWNER}, or to add a document a key of the group \`auction\` or \`bots\`.`,
    when:
      "Possible in `active.qualification` while the award's lot is active. " +
      `Under ${DIRECT} the owner alone may do so, in \`active\`; new documents only while the award is \`pending\`.`,
    author: true,
  },
  "/tenders/{tender_id}/contracts/{contract_id}": {
    of: "a contract",
    who: `${OWNER}.`,
    when:
      `Possible in \`active.qualification\` and \`active.awarded\`, under ${DIRECT} in \`active\`, while the contract is \`pending\` or ` +
      "`active` and its lot is active.",
  },
  "/tenders/{tender_id}/cancellations/{cancellation_id}": {
    of: "a cancellation",
    who: `${OWNER}.`,
    when: "Possible until the tender has ended.",
  },
  "/tenders/{tender_id}/complaints/{complaint_id}": {
    of: "a complaint",
    who: "Needs the key and the owner token of the complaint or of the tender.",
    when:
      "The complainant may do so while the complaint is `draft` or `answered`, the buyer while it is a `claim`, until the tender has " +
      "ended.",
    author: true,
  },
  "/tenders/{tender_id}/awards/{award_id}/complaints/{complaint_id}": {
    of: "a complaint about an award",
    who: "Needs the key and the owner token of the complaint or of the tender.",
    when:
      "The complainant may do so while the complaint is `draft` or `answered`, the buyer while it is a `claim`, in " +
      "`active.qualification` and `active.awarded` while the award's lot is active. Under `negotiation` and `negotiation.quick` in " +
      "`active`, where the reviewers (group `aboveThresholdReviewers`) may do so while it is `pending`, `accepted` or `stopping`, the " +
      "complainant also while it is `pending`, `accepted` or `satisfied`, and so the buyer.",
    author: true,
  },
};

const AUTHOR = "Only the role that uploaded the document (its `author`) may change it.";

function textsOf(path: string, holder: Holder): OperationTexts {
  const { of, who, when, plainWhen = when, author, hidden } = holder;
  const whenIn = (plain: boolean) => (plain ? plainWhen : when);
  const readers = hidden ?? "Everyone may read it, without a key.";
  return {
    [`GET ${path}/documents`]: `Lists the documents of ${of}, each in its latest version, in the order of first upload. ${readers}`,
    [`POST ${path}/documents`]: ({ plain }) =>
      sentences(
        `Adds a document to ${of}: a multipart form with exactly one file in the part \`file\`.`,
        !plain && "Or, in JSON, a file that was uploaded to the document service before.",
        who,
        whenIn(plain),
        "Refused with 403 otherwise, and with 413 if the file is larger than 256 MiB. Next: PUT a new version, or PATCH the metadata.",
      ),
    [`GET ${path}/documents/{document_id}`]: ({ downloads }) =>
      sentences(
        `Returns a document of ${of}: its latest version, with the previous ones.`,
        downloads === "redirected"
          ? "With `download`, redirects to an address of the document service that works for 5 minutes without a key."
          : "With `download`, returns the file of that version; ranges are supported.",
        readers,
      ),
    [`PUT ${path}/documents/{document_id}`]: ({ plain }) =>
      sentences(
        `Uploads a new version of a document of ${of}. \`id\`, \`datePublished\` and the metadata stay; the title, the format and ` +
          "the address are the new file's. Old versions stay available at their own addresses.",
        who,
        whenIn(plain),
        Boolean(author) && AUTHOR,
      ),
    [`PATCH ${path}/documents/{document_id}`]: ({ plain }) =>
      sentences(
        `Changes the metadata of the latest version of a document of ${of}; its file and its dates stay.`,
        who,
        whenIn(plain),
        Boolean(author) && AUTHOR,
      ),
  };
}

export const DOCUMENT_TEXTS: OperationTexts = Object.assign(
  {},
  ...Object.entries(HOLDERS).map(([path, holder]) => textsOf(path, holder)),
);
