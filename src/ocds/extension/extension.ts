import { CODELIST_FILES } from "./codelists.ts";
import { PACKAGE_SCHEMA } from "./packageSchema.ts";
import { EXTENSION_SCHEMA } from "./releaseSchema.ts";

/** Our extension of OCDS, as the files that the service serves for it. */

/** Who answers questions about the extension. */
export type ExtensionContact = { readonly name: string; readonly email?: string };

/** A file of the extension. */
export type ExtensionFile = { readonly mediaType: string; readonly text: string };

const README = `# Tenderhall extension

This extension of the Open Contracting Data Standard 1.1 describes what a registry of electronic tenders knows besides the standard:

* \`tender.complaints\` and \`awards.complaints\`: claims, which the buyer answers, and complaints, which a review body decides, with
  their statuses, dates, decisions and documents. Who complains is a party with the role \`complainant\`.
* \`tender.cancellations\`: cancellations of the tender and of its lots with their reasons and documents.
* \`tender.statusDetails\`: the stage that the tender has reached in the registry, such as \`active.tendering\`. \`status\` is
  \`complete\` as soon as there are awards.
* \`statusDetails\` of lots: the status of the lot in the registry. \`status\` is \`complete\` as soon as the lot has awards, and a lot
  that is open when the tender ends has the status of the tender.
* Translations of the title and the description of lots, such as \`title_en\`.
* Codes for documents and classifications that the standard does not have. \`contractProforma\` of the registry is \`contractDraft\`.
* Auctions: \`auctionPeriod\`, \`auctionUrl\`, \`minimalStep\` and \`guarantee\` of the tender and of its lots.
* Criteria besides the price: \`tender.features\`, and what bidders chose in \`parameters\` of a bid.
* \`lotValues\` of a bid: its price for each lot.
* \`datePriceSet\` of a bid: when its price was last set, which may be in the auction. \`date\` is when the bid was received. The registry
  does not publish that time for a bid without lots whose price changed in the auction, so such a bid has no \`date\`.
* \`deliveryPeriod\`, \`deliveryAddress\` and \`deliveryLocation\` of items.
* \`valueAddedTaxIncluded\` of every value, and \`unlistedCurrency\`: the currency as the buyer or bidder wrote it, if the closed list
  of the standard does not have it. Such a value has no \`currency\`.
* Numbers that people use: \`tender.tenderID\`, \`contracts.contractID\` and \`contracts.contractNumber\`.
* \`standStillPeriod\`, \`qualified\` and \`subcontractingDetails\` of awards, \`suppliers\` of contracts, \`tender.cause\`,
  \`relatedItem\` of documents, and \`kind\` of a buyer.
* \`links\` of a package that is a page of a list: \`next\` and \`prev\` are the addresses of the pages after and before it.

## Cancelled awards

An award that is pending or active when its tender or its lot is cancelled has the status \`cancelled\`, unless its contract is signed.

## Void references

A reference to an organisation without \`name\` is what is left of a removed one, such as the former supplier of an award. It is void. A
party without \`name\` has only void references: nothing is left of it but its \`id\`, \`roles\` and \`additionalIdentifiers\`.

## Removed elements

Merging releases cannot remove an element of a list. If the registry no longer has a lot, an item, a bid or another element, a release
sets its fields to null, so that only its \`id\` is left, and its \`status\` to \`cancelled\` or \`withdrawn\` if it has one. Fields that
cannot be null keep their last value: \`additionalClassifications\` of items, \`additionalIdentifiers\` of parties, \`author\` of enquiries and
complaints, \`awardID\` of contracts. Lists inside of it keep the ids of their elements.
`;

/** What the extension adds to each schema of the standard, by the names that the standard has for these files. */
const SCHEMAS = {
  "release-schema.json": EXTENSION_SCHEMA,
  "release-package-schema.json": PACKAGE_SCHEMA,
  "record-package-schema.json": PACKAGE_SCHEMA,
} as const;

/**
 * The files of the extension by their paths below `root`, the address that they are served at, which ends with a slash. Packages name
 * `extension.json`.
 */
export function extensionFiles(
  root: string,
  contactPoint: ExtensionContact,
): { readonly [path: string]: ExtensionFile } {
  const description = {
    name: { en: "Tenderhall" },
    description: {
      en: "Complaints, cancellations, auctions and further details of tenders in an electronic registry.",
    },
    documentationUrl: { en: `${root}README.md` },
    compatibility: ["1.1"],
    codelists: Object.keys(CODELIST_FILES),
    schemas: Object.keys(SCHEMAS),
    contactPoint,
  };
  const codelists = Object.entries(CODELIST_FILES).map(
    ([name, text]) => [`codelists/${name}`, { mediaType: "text/csv; charset=utf-8", text }] as const,
  );
  return {
    "extension.json": jsonFile(description),
    ...Object.fromEntries(Object.entries(SCHEMAS).map(([name, schema]) => [name, jsonFile(schema)])),
    "README.md": { mediaType: "text/markdown; charset=utf-8", text: README },
    ...Object.fromEntries(codelists),
  };
}

const jsonFile = (value: object): ExtensionFile => ({
  mediaType: "application/json",
  text: `${JSON.stringify(value, undefined, 2)}\n`,
});
