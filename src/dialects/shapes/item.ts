import * as domain from "../../domain/model/tender.ts";
import {
  address,
  amount,
  arrayOf,
  field,
  instant,
  number,
  objectOf,
  oneOf,
  readOnly,
  type ShapeOf,
  text,
  translated,
} from "../fields.ts";
import { EXAMPLE_IDS } from "./exampleIds.ts";

/** What is procured: items, the criteria by which offers are compared, and lots. */
export const itemShapes = {
  Item: {
    id: field(
      text,
      "Identifies the item in the tender: `relatedItem` of features, questions and documents refers to it. Any text that is unique " +
        "in the tender, set by the owner; if absent, the service assigns 32 hex digits.",
      EXAMPLE_IDS.item,
    ),
    ...translated("description", "What the item is. Set by the owner.", [
      "Hot lunches for pupils of forms 1 to 4",
      "Горячие обеды для учеников 1–4 классов",
    ]),
    quantity: field(number, "How many units are procured. A decimal, in units of `unit`. Set by the owner.", 5),
    unit: field(objectOf("Unit"), "Unit in which `quantity` is counted. Set by the owner."),
    classification: field(
      objectOf("Classification"),
      "Primary classification, by the common procurement vocabulary. Under `belowThreshold` all items of a tender share the first " +
        "four digits of its `id`, or the first three for medicines (336). Set by the owner.",
    ),
    additionalClassifications: field(
      arrayOf("Classification"),
      "Classifications by other schemes. Set by the owner; if the primary `id` is 99999999-9, one of them must use the scheme " +
        "`ДК003`, `ДК015`, `ДК018` or `specialNorms`.",
      { scheme: "ДК015", id: "55.51.10", description: "Catering services of school canteens" },
    ),
    deliveryDate: field(objectOf("Period"), "When the item is to be delivered. Set by the owner.", {
      startDate: "2027-01-11T00:00:00+02:00",
      endDate: "2027-05-28T00:00:00+03:00",
    }),
    deliveryAddress: field(objectOf("Address"), "Where the item is to be delivered. Set by the owner."),
    deliveryLocation: field(objectOf("Location"), "The same place as coordinates. Set by the owner."),
    relatedLot: field(
      text,
      "`id` of the lot that the item belongs to. Set by the owner; absent without lots.",
      EXAMPLE_IDS.lot,
    ),
  } satisfies ShapeOf<domain.Item>,
  Unit: {
    ...translated("name", "Name of the unit. Set by the owner.", ["month", "месяц"]),
    code: field(
      text,
      "Code of the unit, usually by UN/CEFACT Recommendation 20. Not looked up. Set by the owner.",
      "MON",
    ),
    value: field(objectOf("Value"), "Price of one unit. Set by the owner.", { amount: 100000 }),
  } satisfies ShapeOf<domain.Unit>,
  Classification: {
    scheme: field(
      text,
      "Scheme that `id` is taken from. For a primary classification `ДК021` (the default) or `CPV`; otherwise any. Set by the owner.",
      "ДК021",
    ),
    id: field(
      text,
      "Code in the scheme. For a primary classification eight digits, a hyphen and a check digit; not looked up in a list. " +
        "Set by the owner.",
      "55523100-3",
    ),
    ...translated("description", "What the code stands for. Set by the owner.", [
      "School-meal services",
      "Услуги по организации школьного питания",
    ]),
    uri: field(
      text,
      "Address of the code in its scheme, http or https. Set by the owner.",
      "https://classifier.example/codes/55523100-3",
    ),
  } satisfies ShapeOf<domain.Classification>,
  Location: {
    latitude: field(text, "Latitude in degrees, positive to the north. Kept as sent; set by the owner.", "49.2328"),
    longitude: field(text, "Longitude in degrees, positive to the east. Kept as sent; set by the owner.", "28.4682"),
    elevation: field(text, "Height above sea level, usually in metres. Kept as sent; set by the owner.", "298"),
  } satisfies ShapeOf<domain.DeliveryLocation>,
  Feature: {
    code: field(
      text,
      "Identifies the feature: `parameters` of a bid name it. Unique in the tender. Set by the owner; if absent, the service " +
        "assigns 32 hex digits.",
      "local-produce",
    ),
    featureOf: field(
      oneOf(domain.FEATURE_SUBJECTS),
      "What the feature describes: the bidder, a lot or an item. Set by the owner, `tenderer` if absent.",
      "tenderer",
    ),
    relatedItem: field(
      text,
      "`id` of the item or the lot, if `featureOf` is `item` or `lot`. Set by the owner.",
      EXAMPLE_IDS.item,
    ),
    ...translated("title", "Name of the feature. Set by the owner.", ["Local produce", "Местные продукты"]),
    ...translated("description", "What the feature means. Set by the owner.", [
      "Share of ingredients grown in the region",
      "Доля продуктов, выращенных в регионе",
    ]),
    enum: field(arrayOf("FeatureOption"), "The values that a bidder chooses from, at least one. Set by the owner."),
  } satisfies ShapeOf<domain.Feature>,
  FeatureOption: {
    value: field(
      amount,
      "Weight of the option, from 0 to 0.3 and unique in the feature: the larger, the better the bid is ranked. Set by the owner.",
      0.05,
    ),
    ...translated("title", "Name of the option. Set by the owner.", ["At least half", "Не менее половины"]),
    ...translated("description", "What the option means. Set by the owner.", [
      "At least half of the ingredients by weight",
      "Не менее половины продуктов по весу",
    ]),
  } satisfies ShapeOf<domain.FeatureOption>,
  Lot: {
    id: field(
      text,
      "Identifies the lot in paths and in `relatedLot`: 32 hex digits. Set by the owner on creation, otherwise assigned by the " +
        "service; fixed afterwards.",
      EXAMPLE_IDS.lot,
    ),
    status: readOnly(
      oneOf(domain.LOT_STATUSES),
      "State of the lot. Set by the service: `active` until the lot is cancelled, is left without a bid or an award, or its " +
        "contract is signed.",
      "active",
    ),
    date: readOnly(
      instant,
      "Time of the last change of `status`. Set by the service.",
      "2026-11-16T11:00:00.250000+02:00",
    ),
    ...translated("title", "Name of the lot. Set by the owner.", [
      "Desks for the first floor",
      "Парты для первого этажа",
    ]),
    ...translated("description", "What the lot consists of. Set by the owner.", [
      "60 desks for two pupils each",
      "60 парт, каждая на двух учеников",
    ]),
    value: field(
      objectOf("Value"),
      "Expected value of the lot; no bid for it may exceed it. Currency and VAT flag are always the tender's. Set by the owner.",
      { amount: 250000 },
    ),
    minimalStep: field(
      objectOf("Value"),
      "Smallest step by which a bid for the lot is lowered in the auction, at most `value`. Currency and VAT flag are always the " +
        "tender's. Set by the owner.",
      { amount: 2500 },
    ),
    guarantee: field(objectOf("Guarantee"), "Security that a bidder for the lot has to provide. Set by the owner.", {
      amount: 5000,
    }),
    auctionPeriod: field(
      objectOf("AuctionPeriod"),
      "When the auction of the lot is held. `startDate` is set by the scheduler, `endDate` by the service when the results are " +
        "reported. Ignored when the owner sends it.",
    ),
    auctionUrl: readOnly(
      address,
      "Address of the page where the auction of the lot can be watched: set by the auction service, or shown from `active.auction` " +
        "on if the registry itself holds it.",
      `https://auction.example/tenders/${EXAMPLE_IDS.secondTender}_${EXAMPLE_IDS.lot}`,
    ),
  } satisfies ShapeOf<domain.Lot>,
};
