import { AUCTION_REFUSALS } from "../auctions/auctionRules.ts";
import type { Topics } from "./ruleTopics.ts";

/** The rules by which a valid request is refused; see `rules.ts` for the others. */

/** Rules by which a valid request is refused, by topic. */
export const REFUSALS = {
  Permissions: {
    "not-found": {
      title: "The object does not exist",
      text: "Check the id that the entry names. If several are wrong, the outermost one is reported.",
    },
    forbidden: {
      title: "You may not do this",
      text: "Send the owner token that was returned when the object was created, with the API key of the broker that created it; or ask the owner.",
    },
    "wrong-role": {
      title: "Your role may not do this in the current status",
      text: "The parties of a complaint or contract change it alternately: wait for the other party.",
    },
    "not-the-author": {
      title: "Another party uploaded the document",
      text: "Only the uploader may replace it: upload a new document instead.",
    },
    "accreditation-level": {
      title: "The broker's accreditation does not cover this",
      text: "The page of each procedure says which levels publishing and taking part need. Ask the operator of the registry.",
    },
    "test-mode-only": {
      title: "The broker may act on test tenders only",
      text: 'Publish with mode "test", or take part in a tender that has it.',
    },
    "buyer-kind": {
      title: "This kind of buyer may not use the procedure",
      text: "The description lists the kinds that may. Send the right procuringEntity.kind, or choose another procedure.",
    },
    "nothing-to-schedule": {
      title: "The procedure has no schedule",
      text: "Its tenders have no auction and no deadlines: only people move them on.",
    },
    "unknown-procedure": {
      title: "The procedure does not exist",
      text: "The reference lists the values of procurementMethodType; you may also omit it.",
    },
  },
  "Status and time": {
    "wrong-status": {
      title: "The current status does not allow this",
      text: "The diagrams of the procedures show what each status accepts. Where time decides, allowedFrom and allowedUntil say when.",
    },
    "outside-enquiry-period": {
      title: "Questions can only be asked in the enquiry period",
      text: "allowedFrom and allowedUntil give the period.",
    },
    "outside-tender-period": {
      title: "Bids can only be placed, changed and withdrawn in the tender period",
      text: "allowedFrom and allowedUntil give the period.",
    },
    "before-tender-deadline": {
      title: "Bids stay sealed until the tender period ends",
      text: "The auction, awards and contracts follow after tenderPeriod.endDate, which allowedFrom repeats. Until then a tender can only be cancelled or declared unsuccessful, which deletes its bids.",
    },
    "tendering-ended": {
      title: "Tendering cannot be reopened",
      text: "The tender period has ended, and bids may have been seen. Publish a new tender.",
    },
    "outside-complaint-period": {
      title: "An award can only be contested in its complaint period",
      text: "allowedFrom and allowedUntil give the period.",
    },
    "stand-still": {
      title: "A contract can only be signed after the stand-still",
      text: "Bidders may complain about the award until allowedFrom.",
    },
    "complaints-open": {
      title: "A contract can only be signed once every complaint is settled",
      text: "Answer the complaints. An answer that is not contested settles a complaint after three days.",
    },
    "lot-not-active": {
      title: "The lot is no longer active",
      text: "A lot that has ended accepts no more changes.",
    },
    "lot-cancellation": {
      title: "A cancellation of the lot exists",
      text: "Once a cancellation of a lot has been added, even a pending one, the lot, its awards and its contracts cannot be changed.",
    },
    "tender-awarded": {
      title: "The tender has an award",
      text: "Fields and lots can be changed only until the first award is recorded.",
    },
    "lot-complete": {
      title: "A lot is complete",
      text: "Once the contract of a lot is signed, the tender cannot be cancelled as a whole. Cancel the other lots.",
    },
  },
  ...AUCTION_REFUSALS,
  "Allowed changes": {
    "bid-status": { title: "The only status that a bid can be set to is active", text: "Withdraw a bid with DELETE." },
    "complaint-move": {
      title: "The complaint cannot change to this status",
      text: "Claims go from draft to claim, answered and resolved, or are cancelled by the complainant. Complaints go from draft to pending; then the reviewers decide. A draft can be submitted only while new complaints are accepted.",
    },
    "award-exists": {
      title: "Another award is pending or active",
      text: "Reject or cancel it before you record the next one.",
    },
    "not-qualified": {
      title: "The supplier is not qualified",
      text: "Set qualified to true, or reject the award.",
    },
    "resolution-too-short": {
      title: "The resolution of a complaint is too short",
      text: "Write a resolution of at least 20 characters.",
    },
    "award-not-pending": {
      title: "The award of the bid is not pending",
      text: "After the tender period, documents can be added to a bid only while its award is pending.",
    },
    "contract-status": {
      title: "The contract has ended",
      text: "Documents can be added only to a contract that is pending or active.",
    },
    "contract-move": {
      title: "The contract cannot change to this status",
      text: "A contract goes from pending to active while its award is active. It is cancelled together with its award.",
    },
    "contract-value": {
      title: "Only the amount of a contract's value can change",
      text: "Currency and VAT are those of the award. If the award has no amount, the contract cannot have one.",
    },
    "contract-items": {
      title: "The items of a contract are fixed",
      text: "Send as many items as the contract has; only their unit can change.",
    },
    "contract-exceeds-award": {
      title: "A contract costs more than the award",
      text: "Send at most the awarded amount.",
    },
  },
  "Size limits": {
    "too-many-bids": {
      title: "The account has too many bids on this tender",
      text: "Withdraw a bid that you do not need, or ask the operator of the registry for a higher limit.",
    },
    "bids-too-large": {
      title: "The account's bids on this tender are too large",
      text: "Put long texts into documents. If tenderers is longer than 4 KiB, the excess counts again for each lot of the bid.",
    },
    "tender-too-large": {
      title: "The tender is too large",
      text: "Put long texts into documents. Questions and complaints may use half of the space, so that the owner can still answer them.",
    },
    "tender-full": {
      title: "The tender with all its bids is too large for this server to store",
      text: "Put long texts into documents, and tell the operator of the registry.",
    },
  },
  "Repairs by an operator": {
    "changed-meanwhile": {
      title: "The tender was changed in the meantime",
      text: "Show the tender again, and repair its current state.",
    },
    "procedure-fixed": {
      title: "The procedure cannot change once bids may be placed",
      text: "Suppliers rely on whether their bids are sealed. Publish a new tender.",
    },
    "deadlines-stuck": {
      title: "A deadline of the repaired tender would fail",
      text: "The description says why. Correct the repair.",
    },
    "bid-ids": {
      title: "Two bids of the repaired tender have the same id, or one has no id of this registry",
      text: "Bids are stored by their ids. Give each bid its own, of 32 lower-case hexadecimal digits.",
    },
  },
} as const satisfies Topics;
