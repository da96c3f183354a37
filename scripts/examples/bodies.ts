import { EXAMPLE_IDS } from "../../src/dialects/shapes/exampleIds.ts";

/** The request bodies of the story, with the names of the newest version. */

const money = (amount: number) => ({ amount, currency: "UAH", valueAddedTaxIncluded: true });

export const SCHOOL = {
  name: "School 10",
  identifier: {
    scheme: "UA-EDR",
    id: "21725150",
    legalName: "Vinnytsia General Secondary School No 10",
    uri: "https://school10.example/",
  },
  address: {
    countryName: "Ukraine",
    region: "Vinnytsia region",
    locality: "Vinnytsia",
    postalCode: "21027",
    streetAddress: "22 Stakhurskoho St",
  },
  contactPoint: { name: "Svitlana Kutsa", telephone: "+380 432 465302", email: "kutsa@school10.example" },
};

export const TASTY = {
  name: "Tasty Ltd",
  identifier: {
    scheme: "UA-EDR",
    id: "00137256",
    legalName: "Tasty Limited Liability Company",
    uri: "https://tasty.example/",
  },
  address: { countryName: "Ukraine", region: "Vinnytsia region", locality: "Vinnytsia", postalCode: "21036" },
  contactPoint: { name: "Olena Koval", email: "olena@tasty.example", url: "https://tasty.example/contacts" },
};

export const LUNCH_BOX = {
  name: "Lunch Box Ltd",
  identifier: { scheme: "UA-EDR", id: "37155423", legalName: "Lunch Box Limited Liability Company" },
  address: { countryName: "Ukraine", locality: "Zhytomyr" },
  contactPoint: { name: "Petro Bondar", telephone: "+380 412 334455" },
};

const PERIODS = {
  enquiryPeriod: { endDate: "2026-11-23T10:00:00+02:00" },
  tenderPeriod: { startDate: "2026-11-23T10:00:00+02:00", endDate: "2026-11-30T10:00:00+02:00" },
};

export const MEALS = {
  procurementMethodType: "belowThreshold",
  title: "School meals",
  title_en: "School meals",
  description: "Hot lunches for 320 pupils from January to May",
  value: money(500000),
  minimalStep: money(5000),
  guarantee: { amount: 10000, currency: "UAH" },
  ...PERIODS,
  procuringEntity: { ...SCHOOL, kind: "general" },
  items: [
    {
      description: "Hot lunches for pupils of forms 1 to 4",
      quantity: 5,
      unit: { name: "month", code: "MON" },
      classification: { scheme: "ДК021", id: "55523100-3", description: "School-meal services" },
      additionalClassifications: [
        { scheme: "ДК015", id: "55.51.10", description: "Catering services of school canteens" },
      ],
      deliveryDate: { startDate: "2027-01-11T00:00:00+02:00", endDate: "2027-05-28T00:00:00+03:00" },
      deliveryAddress: SCHOOL.address,
      deliveryLocation: { latitude: "49.2328", longitude: "28.4682" },
    },
  ],
  features: [
    {
      code: "local-produce",
      featureOf: "tenderer",
      title: "Local produce",
      description: "Share of ingredients grown in the region",
      enum: [
        { title: "Less than half", value: 0 },
        { title: "At least half", value: 0.05 },
      ],
    },
  ],
};

/** The same tender without fields that the basic procedure or its versions do not have. */
export const PLAIN_MEALS = {
  title: "School meals",
  value: money(500000),
  minimalStep: money(5000),
  ...PERIODS,
  procuringEntity: SCHOOL,
  items: MEALS.items.map(({ description, quantity, unit, classification, additionalClassifications }) => ({
    description,
    quantity,
    unit,
    classification,
    additionalClassifications,
  })),
};

const lot = (id: string, title: string, description: string, amount: number) => ({
  id,
  title,
  description,
  value: money(amount),
  minimalStep: money(amount / 100),
  guarantee: { amount: amount / 50, currency: "UAH" },
});

export const SECOND_LOT = "5a4b3c2d1e0f49788695a4b3c2d1e0f1";

export const FURNITURE = {
  procurementMethodType: "belowThreshold",
  title: "School furniture",
  value: money(400000),
  minimalStep: money(1500),
  ...PERIODS,
  procuringEntity: SCHOOL,
  lots: [
    lot(EXAMPLE_IDS.lot, "Desks for the first floor", "60 desks for two pupils each", 250000),
    lot(SECOND_LOT, "Chairs for the first floor", "120 chairs", 150000),
  ],
  items: [
    {
      description: "Desks for two pupils",
      quantity: 60,
      unit: { name: "piece", code: "H87" },
      classification: { scheme: "ДК021", id: "39160000-1", description: "School furniture" },
      relatedLot: EXAMPLE_IDS.lot,
    },
    {
      description: "Chairs",
      quantity: 120,
      unit: { name: "piece", code: "H87" },
      classification: { scheme: "ДК021", id: "39160000-1", description: "School furniture" },
      relatedLot: SECOND_LOT,
    },
  ],
};

export const GYM_LOT = lot(EXAMPLE_IDS.cancelledLot, "Benches for the gym", "12 benches of 2 metres", 60000);

const { id: _assigned, ...spare } = GYM_LOT;
export const SPARE_LOT = { ...spare, title: "Blackboards", description: "4 blackboards" };

export const QUESTION = {
  title: "Breakfast too?",
  description: "Do the meals include breakfast, or lunch only?",
  author: TASTY,
};

export const CLAIM = {
  title: "The tasting is too early",
  description: "Nobody can prepare a tasting menu within two days.",
  author: TASTY,
};

export const ANSWER = {
  status: "answered",
  resolutionType: "resolved",
  resolution: "The tasting is moved to the second week of the tender period.",
  tendererAction: "Changed the date of the tasting.",
};

export const AWARD_CLAIM = {
  title: "A certificate is missing",
  description: "The winner's food-safety certificate has expired.",
  author: LUNCH_BOX,
};

export const bid = (tenderer: object, amount: number, localProduce?: number) => ({
  tenderers: [tenderer],
  value: money(amount),
  ...(localProduce !== undefined && { parameters: [{ code: "local-produce", value: localProduce }] }),
});

export const lotBid = (tenderer: object, desks: number, chairs: number) => ({
  tenderers: [tenderer],
  lotValues: [
    { relatedLot: EXAMPLE_IDS.lot, value: money(desks) },
    { relatedLot: SECOND_LOT, value: money(chairs) },
  ],
});

/** The files of the story, by what they are documents of. */
export const FILES = {
  tender: ["menu.txt", "Week 1: borscht, buckwheat with chicken, compote\n"],
  bid: ["offer.txt", "Lunches for 320 pupils, 469.00 UAH each month and pupil\n"],
  award: ["protocol.txt", "The commission accepts the offer of Tasty Ltd.\n"],
  contract: ["contract.txt", "Contract 14/2026 between School 10 and Tasty Ltd\n"],
  cancellation: ["decision.txt", "The council has decided not to build the gym.\n"],
  complaint: ["claim.txt", "Two days are not enough for a tasting menu.\n"],
} as const;
