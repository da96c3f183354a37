import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { meals, tenderFields } from "../../../test/support/domainCommands.ts";
import { problemsOf } from "../../../test/support/scenes.ts";
import type { TenderInput } from "../model/commands.ts";
import type { Item } from "../model/tender.ts";

const REQUIRED = "This field is required.";
const TOO_EARLY = "period should begin before its end";

const itemOf = (more: Partial<Item>): { readonly items: readonly Item[] } => ({ items: [{ ...meals, ...more }] });
const classified = (...codes: readonly string[]): { readonly items: readonly Item[] } => ({
  items: codes.map((id) => ({ ...meals, classification: { id, description: "-" } })),
});
const special = (scheme?: string): { readonly items: readonly Item[] } => ({
  items: [
    {
      ...classified("99999999-9").items[0]!,
      ...(scheme && { additionalClassifications: [{ scheme, id: "1", description: "-" }] }),
    },
  ],
});
const SPECIAL = "One of additional classifications should be one of [ДК003, ДК015, ДК018, specialNorms].";
const CODE = "Value must be eight digits, a hyphen and a digit.";

/** What is sent in place of the complete tender's fields, and everything that is then wrong: nothing if it is accepted. */
type Row = readonly [sentence: string, fields: TenderInput, ...lines: string[]];

const ITEMS: readonly Row[] = [
  [
    "an item needs a description and a classification",
    { items: [{}] },
    `items.0.description: ${REQUIRED}`,
    `items.0.classification: ${REQUIRED}`,
  ],
  [
    "a classification needs its id and description",
    { items: [meals, { ...meals, classification: {} }] },
    `items.1.classification.id: ${REQUIRED}`,
    `items.1.classification.description: ${REQUIRED}`,
  ],
  ["a primary classification may be CPV", itemOf({ classification: { ...meals.classification, scheme: "CPV" } })],
  [
    "a primary classification is of no other scheme",
    itemOf({ classification: { ...meals.classification, scheme: "ДКПП" } }),
    "items.0.classification.scheme: Value must be one of ['CPV', 'ДК021'].",
  ],
  ...["5552310-3", "55523100", "55523100-33", "х5523100-3", "55523100-3 "].map(
    (id): Row => [`a code is not written ${id}`, classified(id), `items.0.classification.id: ${CODE}`],
  ),
  ["a code need not be on any list", classified("12345678-9")],
  [
    "a classification may be found on the web",
    itemOf({ classification: { ...meals.classification, uri: "x" } }),
    "items.0.classification.uri: Not a well formed URL.",
  ],
  [
    "an additional classification needs scheme, id and description",
    itemOf({ additionalClassifications: [{}] }),
    ...["scheme", "id", "description"].map((name) => `items.0.additionalClassifications.0.${name}: ${REQUIRED}`),
  ],
  [
    "an additional classification may be found on the web",
    itemOf({ additionalClassifications: [{ scheme: "x", id: "1", description: "-", uri: "x" }] }),
    "items.0.additionalClassifications.0.uri: Not a well formed URL.",
  ],
  [
    "what no code describes needs an additional classification",
    special(),
    `items.0.additionalClassifications: ${REQUIRED}`,
  ],
  [
    "what no code describes needs one of a special scheme",
    special("ДКПП"),
    `items.0.additionalClassifications: ${SPECIAL}`,
  ],
  ...["ДК003", "ДК015", "ДК018", "specialNorms"].map(
    (scheme): Row => [`what no code describes is described by ${scheme}`, special(scheme)],
  ),
  [
    "what no code describes may be described by other schemes as well",
    itemOf({
      classification: { id: "99999999-9", description: "-" },
      additionalClassifications: ["ДКПП", "ДК003"].map((scheme) => ({ scheme, id: "1", description: "-" })),
    }),
  ],
  [
    "an additional classification without a scheme is not special",
    itemOf({
      classification: { id: "99999999-9", description: "-" },
      additionalClassifications: [{ id: "1", description: "-" }],
    }),
    `items.0.additionalClassifications.0.scheme: ${REQUIRED}`,
    `items.0.additionalClassifications: ${SPECIAL}`,
  ],
  [
    "other codes need no additional classification",
    itemOf({ additionalClassifications: [{ scheme: "ДКПП", id: "1", description: "-" }] }),
  ],
  [
    "an item is delivered to a country",
    itemOf({ deliveryAddress: {} }),
    `items.0.deliveryAddress.countryName: ${REQUIRED}`,
  ],
  [
    "an item is delivered to a place on earth",
    itemOf({ deliveryLocation: {} }),
    `items.0.deliveryLocation.latitude: ${REQUIRED}`,
    `items.0.deliveryLocation.longitude: ${REQUIRED}`,
  ],
  [
    "a delivery does not end before it begins",
    itemOf({ deliveryDate: { startDate: 2, endDate: 1 } }),
    `items.0.deliveryDate.startDate: ${TOO_EARLY}`,
  ],
  [
    "the value of a unit has an amount",
    itemOf({ unit: { name: "-", value: {} } }),
    `items.0.unit.value.amount: ${REQUIRED}`,
  ],
  ["an id is not empty", itemOf({ id: "" }), "items.0.id: String value is too short."],
  [
    "each item has an id of its own",
    {
      items: [
        { ...meals, id: "x" },
        { ...meals, id: "x" },
      ],
    },
    "items: Item id should be uniq for all items",
  ],
];

const CLASSES: readonly Row[] = [
  ["items share the first four digits", classified("55523100-3", "55521000-8")],
  [
    "items do not differ in the fourth digit",
    classified("55523100-3", "55533100-3"),
    "items: CPV class of items should be identical",
  ],
  ["medicines share three digits", classified("33610000-9", "33690000-3")],
  [
    "medicines stand with nothing else",
    classified("33600000-6", "33700000-7"),
    "items: CPV group of items be identical",
  ],
  [
    "what is no medicine does not stand with medicines",
    classified("33700000-7", "33600000-6"),
    "items: CPV class of items should be identical",
  ],
];

describe("of the items of a tender below the thresholds,", () => {
  for (const [sentence, fields, ...lines] of [...ITEMS, ...CLASSES])
    it(sentence, () => {
      assert.deepEqual(problemsOf("belowThreshold", tenderFields(fields)), lines);
    });
});
