import fc from "fast-check";
import { type Item, type Organization, SUBJECT_KINDS, type Value } from "../../src/domain/model/tender.ts";
import { decimal } from "../../src/domain/values/decimal.ts";
import type { LinkedDocument } from "../../src/views/documentLinks.ts";
import { START } from "./domainCommands.ts";
import { DAY } from "./examples.ts";

/**
 * Parts of tenders that no rules have checked, with values that clients of a careless or a hostile kind send: texts of spaces, addresses
 * that are none, currencies and dates that do not exist, repeated ids. All have few ids, so that one tender has what another lacks.
 */

/** The fields of an object, of which any may be missing except those named. */
export const some = <Fields extends object, Required extends keyof Fields = never>(
  fields: { [Name in keyof Fields]: fc.Arbitrary<Exclude<Fields[Name], undefined>> },
  requiredKeys: Required[] = [],
) => fc.record(fields, { requiredKeys });

export const id = fc.constantFrom("1", "2", "3");
export const texts = fc.constantFrom("", " ", "\n", "Послуги", "Services", 'a "b" \\ c', "\u0000", "x\ud800", "null");
export const address = fc.constantFrom(
  "",
  "not an address",
  "www.example.com",
  "http://приклад.укр/шлях?а=б#в",
  "https://example.com/a|b{c}^d`e[f]?q=%zz%20#x#y",
  "javascript:alert(1)",
  "http://[::1]/",
  "HTTP://Example.COM",
  "https://user:pass@example.com:8443/",
);
export const time = fc.oneof(
  fc.integer({ min: -400, max: 0 }).map((days) => START + days * DAY),
  fc.constantFrom(0, START + 0.5e6, Date.UTC(1989, 11, 31) * 1000, Date.UTC(2050, 0) * 1000, Date.UTC(2049, 11) * 1000),
);
export const number = fc
  .constantFrom("0", "1", "0.1", "-3.25", "12345678901234567890.12", "9007199254740993", "1".repeat(34))
  .map(decimal);
export const period = some({ startDate: time, endDate: time });
export const value: fc.Arbitrary<Value> = some<Value>({
  amount: number,
  currency: fc.constantFrom("UAH", "USD", "XYZ", "SLE", "uah"),
  valueAddedTaxIncluded: fc.boolean(),
});
const identifier = some({
  scheme: fc.constantFrom("UA-EDR", "", "XI"),
  id: fc.constantFrom("1", "2", " ", "a|b"),
  legalName: texts,
  legalName_en: texts,
  uri: address,
});
const place = some({
  countryName: texts,
  countryName_en: texts,
  region: texts,
  locality: texts,
  postalCode: texts,
  streetAddress: texts,
});
export const organization: fc.Arbitrary<Organization> = some<Organization>({
  name: texts,
  name_en: texts,
  name_ru: texts,
  identifier,
  additionalIdentifiers: fc.array(identifier, { maxLength: 3 }),
  address: place,
  contactPoint: some({ name: texts, name_en: texts, email: texts, telephone: texts, faxNumber: texts, url: address }),
});
export const organizations = fc.array(organization, { maxLength: 3 });
const classification = some({
  scheme: fc.constantFrom("CPV", "ДК021", ""),
  id: fc.constantFrom("45000000-7", "48000000-8", "99999999-9", "", "55523100-3"),
  description: texts,
  description_en: texts,
  uri: address,
});
const item: fc.Arbitrary<Item> = some<Item>({
  id: fc.constantFrom("1", "2", "3", "", "2-3"),
  description: texts,
  description_en: texts,
  classification,
  additionalClassifications: fc.array(classification, { maxLength: 3 }),
  quantity: number,
  unit: some({ name: texts, name_en: texts, code: fc.constantFrom("KGM", ""), value }),
  deliveryAddress: place,
  deliveryDate: period,
  deliveryLocation: some({ latitude: texts, longitude: texts, elevation: texts }),
  relatedLot: id,
});
export const items = fc.array(item, { maxLength: 3 });
export const oneOf = <Choice>(choices: readonly Choice[]): fc.Arbitrary<Choice> => fc.constantFrom(...choices);
export const titled = {
  title: texts,
  title_en: texts,
  title_ru: texts,
  description: texts,
  description_en: texts,
  description_ru: texts,
};

const document: fc.Arbitrary<LinkedDocument> = some<
  LinkedDocument,
  "id" | "url" | "format" | "key" | "hash" | "sha256" | "size" | "datePublished" | "dateModified"
>(
  {
    ...titled,
    id,
    url: fc.constant("/tenders/1/documents/1?download=2"),
    format: fc.constantFrom("text/plain", ""),
    key: texts,
    hash: texts,
    sha256: texts,
    size: fc.nat(),
    datePublished: time,
    dateModified: time,
    author: texts,
    language: fc.constantFrom("uk", "en", ""),
    documentType: fc.constantFrom("tenderNotice", ""),
    documentOf: oneOf(SUBJECT_KINDS),
    relatedItem: id,
  },
  ["id", "url", "format", "key", "hash", "sha256", "size", "datePublished", "dateModified"],
);
export const documents = fc.array(document, { maxLength: 3 });

/** A list of objects with different ids, in any order. */
export const listed = <Element extends { readonly id: string }>(
  element: fc.Arbitrary<Element>,
): fc.Arbitrary<Element[]> => fc.uniqueArray(element, { selector: (each) => each.id, maxLength: 3 });
