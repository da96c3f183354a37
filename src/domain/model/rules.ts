import { AUCTION_PROBLEMS } from "../auctions/auctionRules.ts";
import type { REFUSALS } from "./refusalRules.ts";
import type { Topics } from "./ruleTopics.ts";

/**
 * The rules of the domain: those about fields here, the others in `refusalRules.ts`. The id of a rule is part of the API and never
 * changes: it is in error responses, so that programs can rely on it and people can look it up in docs/errors.md, which is generated
 * from both files.
 */

/** Rules about fields of a request, by topic. */
export const PROBLEMS = {
  "Format of requests": {
    "field-required": {
      title: "A required field is missing",
      text: "Send the field that the entry names. A null counts as missing.",
    },
    "unknown-field": {
      title: "The field does not exist",
      text: "Remove it, or look up its name in the reference of the version that you use: names differ between versions.",
    },
    "wrong-type": {
      title: "A value has the wrong type",
      text: "Send the type that the reference shows. Numbers and booleans may also be sent as strings.",
    },
    "not-a-choice": {
      title: "The value is not one of those allowed",
      text: "The reference lists the allowed values.",
    },
    "bad-date": {
      title: "A date is invalid",
      text: "Write dates as ISO 8601, such as 2026-11-15T10:00:00+02:00, between the years 1684 and 2255.",
    },
    "bad-text": {
      title: "A text contains a character that cannot be stored",
      text: "Remove NUL characters and unpaired surrogates.",
    },
    "text-too-short": { title: "A text is too short", text: "Send a text that is not empty, or omit the field." },
    "text-too-long": { title: "A text is too long", text: "Put long texts into a document." },
    "too-few-items": { title: "A list is too short", text: "Send at least one item." },
    "too-many-items": { title: "A list is too long", text: "The reference gives the maximum number of items." },
    "id-format": { title: "An id is invalid", text: "Ids are 32 lower-case hexadecimal digits." },
    "hash-format": {
      title: "A hash is invalid",
      text: "Write the algorithm, a colon and the hexadecimal digits, such as md5:9a0364b9e99bb480dd25e1f0284c8555.",
    },
    "url-format": { title: "A URL is invalid", text: "Send an absolute URL that begins with http:// or https://." },
    "email-format": { title: "An e-mail address is invalid", text: "Write it as name@example.org." },
    "media-type-format": {
      title: "The format of a document is not a media type",
      text: "Write it as type/subtype, such as application/pdf.",
    },
    "one-field-twice": {
      title: "A field was sent under two names",
      text: "Older versions have other names for some fields: send only one of the two.",
    },
    "field-kept": {
      title: "A field cannot be cleared",
      text: "Send a new value; null is not allowed.",
    },
  },
  Tenders: {
    "amount-negative": { title: "An amount is negative", text: "Amounts of money are zero or more." },
    "currency-code": { title: "A currency is not a three-letter code", text: "Write UAH, USD or EUR." },
    "period-order": {
      title: "A period ends before it begins",
      text: "Send an endDate that is not before the startDate.",
    },
    "periods-overlap": {
      title: "A period begins before the previous one has ended",
      text: "Enquiries come first, then tendering, then awards: each begins when the one before it ends, or later.",
    },
    "step-exceeds-value": {
      title: "The minimal step is larger than the value",
      text: "Send a minimalStep that is at most the value of the tender, or of the lot.",
    },
    "currency-differs": {
      title: "Related amounts have different currencies",
      text: "Send steps, bids and guarantees in the currency of the tender.",
    },
    "vat-differs": {
      title: "Related amounts differ in VAT",
      text: "Send the same valueAddedTaxIncluded as in the value of the tender, or of the lot.",
    },
    "id-repeated": { title: "Two objects have the same id", text: "Give each its own id, or omit the ids." },
    "unknown-reference": {
      title: "A reference points to an object that does not exist",
      text: "Send the id of an item, a lot or an award of this tender.",
    },
    "classification-code": {
      title: "A classification code is invalid",
      text: "Codes are eight digits, a hyphen and a digit, such as 55523100-3.",
    },
    "additional-classification": {
      title: "An item with the code 99999999-9 needs an additional classification",
      text: "Add a classification of one of the schemes that the reference lists for this code.",
    },
    "items-of-one-class": {
      title: "The items of a tender must be of one class",
      text: "Use codes with the same first four digits, or the same first three for medicines (336...) and where no bids compete; or publish two tenders.",
    },
    "no-lots": {
      title: "The procedure has no lots",
      text: "Omit relatedLot, and cancel the tender as a whole.",
    },
    "feature-code-repeated": {
      title: "Two features have the same code",
      text: "Give each its own code, or omit the codes.",
    },
    "feature-value-repeated": {
      title: "Two options of a feature have the same value",
      text: "Give each its own value.",
    },
    "feature-value-range": {
      title: "The value of a feature's option is out of range",
      text: "Values are between 0 and 0.3.",
    },
    "features-too-heavy": {
      title: "All features together weigh more than 30 percent",
      text: "The sum of each feature's largest value, for each lot if there are lots, may be at most 0.3.",
    },
  },
  Bids: {
    "bid-exceeds-value": {
      title: "A bid is higher than the value of the tender, or of the lot",
      text: "Offer at most the published value.",
    },
    "value-per-lot": {
      title: "A bid on a tender with lots has one value for each lot",
      text: "Omit the bid's value, and send an element of lotValues for each lot that you bid for.",
    },
    "lot-bid-twice": { title: "A bid names a lot twice", text: "Send one element of lotValues for each lot." },
    "unknown-parameter": {
      title: "A parameter names a feature that does not exist",
      text: "Use the codes of the tender's features.",
    },
    "parameter-value": {
      title: "The value of a parameter is not one of the feature's options",
      text: "Choose one of the values of the feature's options.",
    },
    "parameter-repeated": {
      title: "Two parameters name the same feature",
      text: "Send one parameter for each feature.",
    },
    "parameters-incomplete": {
      title: "A bid lacks a parameter for a feature",
      text: "Send a parameter for every feature of the tender, or of the lots that you bid for.",
    },
  },
  "Auctions and contracts": {
    "auction-results-mismatch": {
      title: "The auction results do not match the bids or lots of the tender",
      text: "Report every bid and every lot exactly once, by id or in order.",
    },
    "url-per-lot": {
      title: "Each lot has its own auction",
      text: "Send the URLs in lots and in lotValues.",
    },
    "signed-in-stand-still": {
      title: "A contract is dated before the end of the stand-still",
      text: "Send a dateSigned after the award's complaintPeriod.endDate.",
    },
    "signed-in-future": { title: "A contract is dated in the future", text: "Send a dateSigned that is in the past." },
    ...AUCTION_PROBLEMS["Auctions and contracts"],
  },
  "Repairs by an operator": {
    "unknown-status": {
      title: "The procedure does not have this status",
      text: "The diagram of each procedure shows its statuses.",
    },
    "stays-sealed": {
      title: "A repair would open sealed bids",
      text: "Only the deadline opens bids: remove the bids, or keep the status.",
    },
    "unknown-file": { title: "A document refers to a file that does not exist", text: "Upload the file first." },
    "resolution-missing": { title: "An answered claim has no resolution", text: "Set its resolutionType." },
  },
} as const satisfies Topics;

type IdsOf<All extends Topics> = { [Topic in keyof All]: keyof All[Topic] & string }[keyof All];

/** The id of a rule about a field. */
export type ProblemRule = IdsOf<typeof PROBLEMS>;
/** The id of a rule by which a command is refused. */
export type RefusalRule = IdsOf<typeof REFUSALS>;
/** The id of any rule of the domain. */
export type RuleId = ProblemRule | RefusalRule;
