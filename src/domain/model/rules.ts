/**
 * Every rule that the domain refuses by, under an id that never changes: programs may rely on it, people look it up.
 * `title` says the rule, `text` what to do about it.
 */

export type Rule = { readonly title: string; readonly text: string };
type Topics = { readonly [topic: string]: { readonly [id: string]: Rule } };

/** What is wrong with something that was sent. */
export const PROBLEMS = {
  "The form of what is sent": {
    "field-required": {
      title: "A field that is needed is missing",
      text: "Send the field that the entry names; null and an absent field are the same.",
    },
    "unknown-field": {
      title: "There is no such field",
      text: "Leave it out, or look for its name in the description of the version that you use: names differ between versions.",
    },
    "wrong-type": {
      title: "A value is of another type than its field",
      text: "Objects, lists, texts, numbers and booleans each have their place; numbers and booleans may also come as text.",
    },
    "not-a-choice": {
      title: "The field takes one of a few values",
      text: "The description lists them.",
    },
    "bad-date": {
      title: "A date cannot be read",
      text: "Write dates as ISO 8601, such as 2026-11-15T10:00:00+02:00, between the years 1684 and 2255.",
    },
    "bad-text": {
      title: "A text has a character that cannot be kept",
      text: "Leave out the character NUL and halves of surrogate pairs.",
    },
    "text-too-short": { title: "A text is too short", text: "Say something, or leave the field out." },
    "text-too-long": { title: "A text is too long", text: "Put long texts into a document." },
    "too-few-items": { title: "A list is too short", text: "It needs at least one item." },
    "too-many-items": { title: "A list is too long", text: "The description says how many items it may have." },
    "id-format": { title: "An id is not one", text: "Ids are 32 digits of lower-case hexadecimal." },
    "hash-format": {
      title: "A hash cannot be read",
      text: "Write the algorithm, a colon and the hexadecimal digits, such as md5:9a0364b9e99bb480dd25e1f0284c8555.",
    },
    "url-format": { title: "An address is not well formed", text: "Addresses begin with http:// or https://." },
    "email-format": { title: "An e-mail address is not well formed", text: "Write it as name@example.org." },
    "media-type-format": {
      title: "The format of a document is not a media type",
      text: "Write it as type/subtype, such as application/pdf.",
    },
    "one-field-twice": {
      title: "One field was sent under two names",
      text: "Old versions have other names for some fields: send one of the two.",
    },
    "field-kept": {
      title: "A field cannot be deleted",
      text: "It may be changed, but not set to null.",
    },
  },
  Tenders: {
    "amount-negative": { title: "An amount is below zero", text: "Amounts of money are zero or more." },
    "currency-code": { title: "A currency is not a code of three letters", text: "Write UAH, USD, EUR." },
    "period-order": { title: "A period ends before it begins", text: "Its startDate is not after its endDate." },
    "periods-overlap": {
      title: "A period begins before the one that it follows has ended",
      text: "Enquiries come first, then tendering, then awards: let each begin no sooner than the one before it ends.",
    },
    "step-exceeds-value": {
      title: "The minimal step is larger than the value",
      text: "The step of the auction is a part of the value of the tender, or of the lot.",
    },
    "currency-differs": {
      title: "Amounts that belong together are in different currencies",
      text: "Steps, bids and guarantees are in the currency of the tender.",
    },
    "vat-differs": {
      title: "Amounts that belong together differ in VAT",
      text: "Let valueAddedTaxIncluded be the same as in the value of the tender, or of the lot.",
    },
    "id-repeated": { title: "Two things have one id", text: "Give each its own id, or leave the ids out." },
    "unknown-reference": {
      title: "Something refers to what is not there",
      text: "Name the id of an item, a lot or an award of this tender.",
    },
    "classification-code": {
      title: "The code of a classification is not one",
      text: "Codes are eight digits, a hyphen and a digit, such as 55523100-3.",
    },
    "additional-classification": {
      title: "An item that no code describes needs a special classification",
      text: "With the code 99999999-9, add a classification of one of the schemes that the description lists.",
    },
    "items-of-one-class": {
      title: "The items of a tender are of one class",
      text: "Let their codes have the first four digits in common, medicines (336...) the first three; or publish two tenders.",
    },
    "feature-code-repeated": {
      title: "Two features have one code",
      text: "Give each its own code, or leave the codes out.",
    },
    "feature-value-repeated": { title: "Two options of a feature weigh the same", text: "Give each its own value." },
    "feature-value-range": {
      title: "An option of a feature weighs too little or too much",
      text: "Values are between 0 and 0.3.",
    },
    "features-too-heavy": {
      title: "All features together weigh more than 30 percent",
      text: "Add up the largest value of each feature, for each lot where there are lots: at most 0.3.",
    },
  },
  Bids: {
    "bid-exceeds-value": {
      title: "A bid is higher than the value of the tender, or of the lot",
      text: "Offer at most the value that was published.",
    },
    "value-per-lot": {
      title: "Where there are lots, each has its own value",
      text: "Leave the bid's value out and send one of lotValues for each lot that you bid for.",
    },
    "lot-bid-twice": { title: "A bid names one lot twice", text: "Send one of lotValues for each lot." },
    "unknown-parameter": {
      title: "A bid answers a feature that is not there",
      text: "Use the codes of the tender's features.",
    },
    "parameter-value": {
      title: "A bid answers a feature by a value that is not offered",
      text: "Choose one of the values of the feature's options.",
    },
    "parameter-repeated": { title: "A bid answers a feature twice", text: "Send one parameter for each feature." },
    "parameters-incomplete": {
      title: "A bid leaves a feature unanswered",
      text: "Send a parameter for every feature of the tender, or of the lots that you bid for.",
    },
  },
  "Auctions and contracts": {
    "auction-results-mismatch": {
      title: "The auction speaks of other bids or lots than the tender has",
      text: "Report on every bid and every lot exactly once, by their ids or in their order.",
    },
    "url-per-lot": {
      title: "Where there are lots, each has its own auction",
      text: "Send the addresses in lots and in lotValues.",
    },
    "signed-in-stand-still": {
      title: "A contract is dated before objections to its award were over",
      text: "Sign it after the award's complaintPeriod.endDate.",
    },
    "signed-in-future": { title: "A contract is dated in the future", text: "Send a dateSigned that has come." },
  },
  "Repairs by an operator": {
    "unknown-status": {
      title: "The procedure has no such status",
      text: "The statuses of each procedure are in its diagram.",
    },
    "stays-sealed": {
      title: "A repair would open sealed bids",
      text: "Bids are opened by time alone: leave out the bids, or the change of status.",
    },
    "unknown-file": { title: "A document names a file that is not there", text: "Upload the file first." },
    "resolution-missing": { title: "An answered claim has no resolution", text: "Say its resolutionType." },
  },
} as const satisfies Topics;

/** Why something is not done, although it could be read. */
export const REFUSALS = {
  "Who may do what": {
    "not-found": {
      title: "It is not there",
      text: "Look at the id that the entry names: the outermost that is missing is told first.",
    },
    forbidden: {
      title: "It is not yours to do",
      text: "Send the owner token that came when the object was made, and the key of the broker that made it; or ask the owner.",
    },
    "wrong-role": {
      title: "Your role does not do this in this status",
      text: "Complaints, contracts and the like pass between their parties: it is another's turn.",
    },
    "not-the-author": {
      title: "Somebody else uploaded the document",
      text: "Only who uploaded it replaces it: upload a new one.",
    },
    "accreditation-level": {
      title: "The broker's accreditation does not cover this",
      text: "Publishing needs level 1, taking part needs level 2: ask the operator of the registry.",
    },
    "test-mode-only": {
      title: "The broker may only take part in tests",
      text: 'Publish with mode "test", or take part in a tender that has it.',
    },
    "unknown-procedure": {
      title: "There is no such procedure",
      text: 'Send procurementMethodType "belowThreshold", or none.',
    },
  },
  "What may be done when": {
    "wrong-status": {
      title: "The status does not allow it",
      text: "The diagrams of the procedures show what each status accepts. Where time decides, allowedFrom and allowedUntil say when.",
    },
    "outside-enquiry-period": {
      title: "Questions are asked in the enquiry period",
      text: "allowedFrom and allowedUntil say when it is.",
    },
    "outside-tender-period": {
      title: "Bids are placed, changed and withdrawn in the tender period",
      text: "allowedFrom and allowedUntil say when it is.",
    },
    "before-tender-deadline": {
      title: "Bids stay sealed until the tender period ends",
      text: "The auction, awards and contracts come after tenderPeriod.endDate, which is given in allowedFrom. Until then a tender can only be cancelled or declared unsuccessful, which deletes its bids.",
    },
    "tendering-ended": {
      title: "Tendering cannot be reopened",
      text: "The tender period has ended, and the bids may have been seen. Publish a new tender.",
    },
    "outside-complaint-period": {
      title: "An award is contested in its complaint period",
      text: "allowedFrom and allowedUntil say when it is.",
    },
    "stand-still": {
      title: "A contract is signed after the stand-still",
      text: "Until allowedFrom those who bid may object to the award.",
    },
    "complaints-open": {
      title: "A contract is signed when every complaint is settled",
      text: "Answer the complaints; an answer that nobody contests settles one after three days.",
    },
    "lot-not-active": {
      title: "The lot is over",
      text: "Its status is no longer active: nothing is done for it any more.",
    },
  },
  "What may be changed": {
    "bid-status": { title: "A bid becomes active and nothing else", text: "Withdraw it with DELETE." },
    "complaint-move": {
      title: "A complaint does not go this way",
      text: "From draft to claim, to answered, to resolved; or cancelled by who filed it. A draft is submitted while it could still be filed.",
    },
    "resolution-too-short": {
      title: "The answer to a complaint says too little",
      text: "Write a resolution of at least 20 characters.",
    },
    "award-not-pending": {
      title: "The award of the bid is not being looked at",
      text: "After the tender period, documents are added to a bid only while its award is pending.",
    },
    "contract-status": {
      title: "The contract is over",
      text: "Documents are added to a contract that is pending or active.",
    },
    "contract-move": {
      title: "A contract does not go this way",
      text: "From pending to active, while its award is active; a contract is cancelled with its award.",
    },
    "contract-value": {
      title: "Of the value of a contract only the amount changes",
      text: "Currency and VAT are those of the award; an award without an amount has a contract without one.",
    },
    "contract-exceeds-award": {
      title: "A contract costs more than was awarded",
      text: "The amount may go down, never up.",
    },
  },
  "Size limits": {
    "too-many-bids": {
      title: "The account has too many bids on this tender",
      text: "Withdraw a bid that you do not need, or ask the operator of the registry for a higher limit.",
    },
    "bids-too-large": {
      title: "The account's bids on this tender are too large",
      text: "Put long texts into documents. Names of bidders longer than 4 KiB count once more for each lot of the bid.",
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
      title: "The tender was changed meanwhile",
      text: "Show it again, and repair what is there now.",
    },
    "procedure-fixed": {
      title: "The procedure cannot change once bids may be placed",
      text: "Suppliers rely on whether their bids are sealed. Publish a new tender.",
    },
    "deadlines-stuck": {
      title: "Time could not go on with such a tender",
      text: "The description says which deadline fails; mend the repair.",
    },
  },
} as const satisfies Topics;

type IdsOf<All extends Topics> = { [Topic in keyof All]: keyof All[Topic] & string }[keyof All];

/** By what a field is wrong. */
export type ProblemRule = IdsOf<typeof PROBLEMS>;
/** By what an act is refused. */
export type RefusalRule = IdsOf<typeof REFUSALS>;
export type RuleId = ProblemRule | RefusalRule;
