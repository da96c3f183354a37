import {
  code,
  date,
  definition,
  flag,
  id,
  listOf,
  number,
  objectOf,
  type SchemaPart,
  text,
  translationsOf,
  webAddress,
  wholeListOf,
} from "./schemaParts.ts";

/** What our extension adds to the schema of a release, as a JSON Merge Patch. */

const AUCTION_FIELDS = {
  minimalStep: objectOf(
    "Value",
    "Minimal step",
    "The least amount by which a bidder must lower its price in the auction.",
  ),
  guarantee: objectOf("Value", "Guarantee", "The security that a bidder has to provide."),
  auctionPeriod: objectOf("Period", "Auction period", "When the auction is planned to start, and when it ended."),
  auctionUrl: webAddress("Auction address", "The page on which everybody can watch the auction."),
};

const Complaint = definition(
  "Complaint",
  "A claim, which the buyer answers, or a complaint, which a review body decides.",
  {
    id,
    complaintID: text("Number", "The number of the complaint as people write it."),
    type: code("Type", "Whether the buyer or a review body decides.", "complaintType.csv"),
    status: code("Status", "How far the complaint has come.", "complaintStatus.csv"),
    date: date("Date", "When the complaint was created, or its status last changed."),
    dateSubmitted: date("Date submitted", "When the complaint was submitted."),
    author: objectOf(
      "OrganizationReference",
      "Author",
      "Who complains: a party with the role `complainant`. Not published while bids are sealed.",
    ),
    title: text("Title", "The subject."),
    description: text("Description", "What the author complains about."),
    relatedLot: text("Related lot", "The id of the lot that the complaint is about."),
    resolution: text("Resolution", "The buyer's answer to a claim."),
    resolutionType: code("Resolution type", "What the buyer's answer amounts to.", "complaintResolution.csv"),
    dateAnswered: date("Date answered", "When the buyer answered."),
    tendererAction: text("Action of the buyer", "What the buyer has done about the complaint."),
    dateTendererAction: date("Date of the action", "When the buyer reported what it has done."),
    satisfied: flag("Satisfied", "Whether the author is satisfied with the answer."),
    dateEscalated: date("Date escalated", "When the author took the claim to a review body."),
    acceptance: flag("Accepted", "Whether the review body considers the complaint."),
    dateAccepted: date("Date accepted", "When the review body accepted the complaint."),
    rejectReason: text("Reason for rejection", "Why the review body does not consider the complaint, as a code."),
    rejectReasonDescription: text(
      "Explanation of the rejection",
      "Why the review body does not consider the complaint.",
    ),
    reviewDate: date("Review date", "When the review body considers the complaint."),
    reviewPlace: text("Review place", "Where the review body considers the complaint."),
    decision: text("Decision", "What the review body decided."),
    dateDecision: date("Date of the decision", "When the review body decided."),
    cancellationReason: text("Reason for withdrawal", "Why the author withdrew the complaint."),
    dateCancelled: date("Date of withdrawal", "When the author withdrew the complaint."),
    documents: listOf("Document", "Documents", "The documents of the author, the buyer and the review body."),
  },
  { required: ["id"] },
);

const Cancellation = definition(
  "Cancellation",
  "The cancellation of the tender or of a lot.",
  {
    id,
    date: date("Date", "When the cancellation was created, or its status last changed."),
    status: code("Status", "Whether the cancellation has taken effect.", "cancellationStatus.csv"),
    cancellationOf: code("Subject", "What is cancelled: the tender or a lot.", "cancellationSubject.csv"),
    relatedLot: text("Related lot", "The id of the lot that is cancelled."),
    reason: text("Reason", "Why it is cancelled."),
    reasonType: code("Type of reason", "The status that the cancellation leads to.", "cancellationReasonType.csv"),
    documents: listOf("Document", "Documents", "The documents that justify the cancellation."),
  },
  { required: ["id"], translated: ["reason"] },
);

const Feature = definition(
  "Feature",
  "A criterion besides the price. Bidders choose one of its options, which improves their rank.",
  {
    code: text("Code", "What bids name the criterion by."),
    title: text("Title", "The name of the criterion."),
    description: text("Description", "What the criterion means."),
    featureOf: code("Subject", "What the criterion is about.", "featureSubject.csv"),
    relatedItem: text("Related item", "The id of the item or the lot that the criterion is about."),
    options: wholeListOf("FeatureOption", "Options", "What bidders can choose."),
  },
  { translated: ["title", "description"] },
);

const FeatureOption = definition(
  "Option of a feature",
  "What a bidder can choose for a feature.",
  {
    title: text("Title", "The name of the option."),
    description: text("Description", "What the option means."),
    value: number("Value", "The share of the price by which the option improves the rank of a bid."),
  },
  { translated: ["title", "description"] },
);

const LotValue = definition("Price for a lot", "The price of a bid for one lot.", {
  relatedLot: text("Related lot", "The id of the lot."),
  value: objectOf("Value", "Value", "The price for the lot."),
  date: date("Date", "When the price was set."),
});

const BidParameter = definition("Parameter", "A bidder's choice for a feature.", {
  code: text("Code", "The code of the feature."),
  value: number("Value", "The value of the chosen option."),
});

const DeliveryLocation = definition("Delivery location", "A place on the map.", {
  latitude: text("Latitude", "Degrees north, as the buyer wrote them."),
  longitude: text("Longitude", "Degrees east, as the buyer wrote them."),
  elevation: text("Elevation", "The height, as the buyer wrote it."),
});

const complaints = (about: string) => listOf("Complaint", "Complaints", `Complaints about ${about}.`);

const fieldsOf = (properties: { readonly [name: string]: SchemaPart }): SchemaPart => ({ properties });

/** The file `release-schema.json` of our extension. */
export const EXTENSION_SCHEMA: { readonly definitions: { readonly [name: string]: SchemaPart } } = {
  definitions: {
    Tender: fieldsOf({
      tenderID: text("Number", "The number of the tender as people write it."),
      statusDetails: code("Status in the registry", "The stage that the tender has reached.", "tenderStage.csv"),
      cause: text("Ground", "The legal ground for buying without competition, as a code."),
      ...AUCTION_FIELDS,
      features: wholeListOf("Feature", "Features", "The criteria besides the price."),
      complaints: complaints("the tender"),
      cancellations: listOf("Cancellation", "Cancellations", "Cancellations of the tender and of its lots."),
    }),
    Lot: {
      ...fieldsOf({
        statusDetails: code("Status in the registry", "How far the lot has come.", "lotStage.csv"),
        ...AUCTION_FIELDS,
      }),
      // The standard describes translations of its own texts, but its extension for lots does not.
      ...translationsOf(["title", "description"]),
    },
    Item: fieldsOf({
      deliveryPeriod: objectOf("Period", "Delivery period", "When the item is to be delivered."),
      deliveryAddress: objectOf("Address", "Delivery address", "Where the item is to be delivered."),
      deliveryLocation: objectOf(
        "DeliveryLocation",
        "Delivery location",
        "Where the item is to be delivered, on the map.",
      ),
    }),
    Document: fieldsOf({ relatedItem: text("Related item", "The id of the item that the document is about.") }),
    Bid: fieldsOf({
      datePriceSet: date(
        "Date of the price",
        "When the price was last set: by the bidder before the deadline, or in the auction after it. Prices for lots have dates of their own.",
      ),
      lotValues: wholeListOf("LotValue", "Prices for lots", "The price for each lot that the bid is for."),
      parameters: wholeListOf("BidParameter", "Parameters", "The bidder's choice for each feature."),
    }),
    Award: fieldsOf({
      qualified: flag("Qualified", "Whether the buyer has found the supplier qualified."),
      subcontractingDetails: text("Subcontracting", "What the supplier subcontracts."),
      standStillPeriod: objectOf(
        "Period",
        "Stand-still",
        "When the award can be contested, and no contract can be signed.",
      ),
      complaints: complaints("the award"),
    }),
    Contract: fieldsOf({
      contractID: text("Number", "The number of the contract in the registry."),
      contractNumber: text("Number of the parties", "The number that buyer and supplier gave the contract."),
      suppliers: listOf("OrganizationReference", "Suppliers", "Who signed the contract with the buyer."),
    }),
    Organization: fieldsOf({ kind: code("Kind", "What kind of buyer the organisation is.", "buyerKind.csv") }),
    Value: fieldsOf({
      valueAddedTaxIncluded: flag("VAT included", "Whether the amount includes value-added tax."),
      unlistedCurrency: text("Unlisted currency", "The currency of the amount, if the list of OCDS does not have it."),
    }),
    Complaint,
    Cancellation,
    Feature,
    FeatureOption,
    LotValue,
    BidParameter,
    DeliveryLocation,
  },
};
