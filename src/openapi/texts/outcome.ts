import { ADMIN, BROKER, DIRECT, type OperationTexts, OWNER } from "./text.ts";

/** Contracts, claims and cancellations: how a tender ends. */

const TENDER = "/tenders/{tender_id}";
const OF_AWARD = `${TENDER}/awards/{award_id}/complaints`;

const MOVES =
  "The complainant edits and submits a draft (`claim`), takes the complaint back (`cancelled`, with `cancellationReason`), or says " +
  "whether an answer satisfies (`satisfied`) and settles it (`resolved`). The buyer answers a claim (`answered`, with `resolution` of " +
  "at least 20 characters and `resolutionType`). Needs the key and the owner token of the complaint or of the tender. Fields that " +
  "are not yours to set are ignored; a move that is not yours is refused with 403. An answer that nobody contests for three days " +
  "settles the claim by itself.";

const REVIEW =
  "Under `negotiation` and `negotiation.quick` the complainant submits a draft as `pending` and gives the complaint up with `stopping`. " +
  "The reviewers, with a key of the group `aboveThresholdReviewers`, take it on (`accepted`) or not (`invalid`, `mistaken`), and decide " +
  "(`satisfied`, `declined`, `stopped`). The buyer ends a satisfied complaint with `resolved` and `tendererAction`.";

export const OUTCOME_TEXTS: OperationTexts = {
  [`GET ${TENDER}/contracts`]:
    "Lists the contracts of a tender, in the order in which they were made. Everyone may read it, without a key.",
  [`POST ${TENDER}/contracts`]:
    `Adds a contract for an award, for repair: the service makes the contract itself when an award becomes \`active\`. ${ADMIN} Possible ` +
    `in \`active.qualification\` and \`active.awarded\`, under ${DIRECT} in \`active\`.`,
  [`GET ${TENDER}/contracts/{contract_id}`]: "Returns a contract. Everyone may read it, without a key.",
  [`PATCH ${TENDER}/contracts/{contract_id}`]:
    "Changes a contract, or signs it: `status` `active` ends the tender, or the lot and with the last of them the tender. " +
    `${OWNER} Possible in \`active.qualification\` and \`active.awarded\`. Signing is refused with 403 before the award's complaint ` +
    "period has ended and while a claim is answered but not settled. Currency and VAT flag cannot be changed, the amount only lowered. " +
    `Under ${DIRECT} possible in \`active\`; there the \`unit\` of each item can be changed, and a complaint with the reviewers prevents ` +
    "the signature too.",
  [`GET ${TENDER}/complaints`]: ({ plain }) =>
    plain
      ? "Lists the claims against a tender that were filed by newer versions. Everyone may read it, without a key."
      : "Lists the claims against a tender, drafts included. Everyone may read it, without a key; authors are shown once the competition " +
        "is over. Claims against an award are listed with the award.",
  [`POST ${TENDER}/complaints`]:
    `Files a claim against a tender under \`belowThreshold\`, or keeps it as a draft unless \`status\` is \`claim\`. ${BROKER} Possible in ` +
    "`active.enquiries` and `active.tendering`; refused with 403 later. The response contains the complaint's owner token in " +
    "`access.token`. Next: upload documents to a draft and submit it; the buyer answers.",
  [`GET ${TENDER}/complaints/{complaint_id}`]: "Returns a claim against a tender. Everyone may read it, without a key.",
  [`PATCH ${TENDER}/complaints/{complaint_id}`]: `Moves a claim against a tender on. ${MOVES}`,
  [`GET ${OF_AWARD}`]:
    "Lists the claims against an award, drafts included, with their authors. Everyone may read it, without a key.",
  [`POST ${OF_AWARD}`]:
    "Files a claim or a complaint against an award, or keeps it as a draft unless `status` is `claim`. Needs the key of an account that bid for the " +
    "tender, and the owner token of its bid. Possible in `active.qualification` and `active.awarded`, during the award's " +
    "`complaintPeriod` and while its lot is active; refused with 403 otherwise. Under `negotiation` and `negotiation.quick` any broker " +
    "with accreditation level 4 may file one in `active` during the `complaintPeriod`, submitted at once if `status` is `pending`; " +
    "under `reporting` nobody may. The response contains the complaint's owner token in `access.token`.",
  [`GET ${OF_AWARD}/{complaint_id}`]: "Returns a claim against an award. Everyone may read it, without a key.",
  [`PATCH ${OF_AWARD}/{complaint_id}`]: `Moves a claim or a complaint against an award on. ${MOVES} ${REVIEW}`,
  [`GET ${TENDER}/cancellations`]:
    "Lists the cancellations of a tender and of its lots. Everyone may read it, without a key.",
  [`POST ${TENDER}/cancellations`]:
    "Announces that a tender, or with `relatedLot` one of its lots, is cancelled, or cancels it at once if `status` is `active`. " +
    `${OWNER} Possible until the tender has ended and while the lot is active. A tender that is cancelled while bids are sealed loses ` +
    "them. Next: upload documents, then set `status` to `active`.",
  [`GET ${TENDER}/cancellations/{cancellation_id}`]: "Returns a cancellation. Everyone may read it, without a key.",
  [`PATCH ${TENDER}/cancellations/{cancellation_id}`]:
    "Puts a cancellation into effect: `status` `active` ends the tender or the lot, which cannot be undone. " +
    `Under ${DIRECT} \`reasonType\` can be changed as well; everything else that is sent is ignored. ${OWNER} Possible until the tender has ended and while the lot is active.`,
};
