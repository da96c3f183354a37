import { DAY, formatTime, fullTender, school } from "../support/examples.ts";

/** How the same objects look through each version, stated here once more and apart from the product. */

// biome-ignore lint/suspicious/noExplicitAny: objects of every version are looked into freely.
export type Wire = any;

/** Those of these fields that are there. */
export const pick = (object: Wire, ...names: readonly string[]): Wire =>
  Object.fromEntries(names.filter((name) => object[name] !== undefined).map((name) => [name, object[name]]));

const classification = (value: Wire) => pick(value, "scheme", "id", "description");
const address = (value: Wire) => pick(value, "countryName", "locality", "postalCode", "region", "streetAddress");

function laterOrganisation({ name, identifier, address: where, contactPoint }: Wire): Wire {
  return {
    ...(name !== undefined && { name }),
    ...(identifier && { identifier: pick(identifier, "id", "scheme", "legalName", "uri") }),
    ...(where && { address: address(where) }),
    ...(contactPoint && { contactPoint: pick(contactPoint, "name", "telephone", "email", "url") }),
  };
}

function oldOrganisation({ name, identifier, address: where }: Wire): Wire {
  const { id: uid, scheme, uri } = identifier;
  return { id: pick({ name, scheme, uid, uri }, "name", "scheme", "uid", "uri"), address: address(where) };
}

export const organisationIn = (version: string, organisation: Wire): Wire =>
  version === "2.3" ? organisation : version === "0" ? laterOrganisation(organisation) : oldOrganisation(organisation);

function laterItem(item: Wire): Wire {
  return {
    ...pick(item, "id", "description", "description_en", "description_ru", "quantity"),
    ...(item.unit && { unit: pick(item.unit, "name", "code") }),
    ...(item.classification && { classification: classification(item.classification) }),
    ...(item.additionalClassifications && {
      additionalClassifications: item.additionalClassifications.map(classification),
    }),
  };
}

function oldItem(item: Wire): Wire {
  return {
    ...pick(item, "description", "quantity"),
    ...(item.unit && { unitOfMeasure: item.unit.name }),
    ...(item.classification && { primaryClassification: classification(item.classification) }),
    ...(item.additionalClassifications && {
      additionalClassification: item.additionalClassifications.map(classification),
    }),
  };
}

/** What a version shows of a tender that 2.3 shows like this. */
export function tenderAs(version: string, tender: Wire): Wire {
  if (version === "2.3") return tender;
  const common = {
    ...pick(tender, "id", "status", "minimalStep", "enquiryPeriod", "tenderPeriod"),
    tenderID: `UA-${tender.id}`,
    ...(tender.procuringEntity && { procuringEntity: organisationIn(version, tender.procuringEntity) }),
  };
  const { dateModified, value, items } = tender;
  if (version === "0") return { ...common, dateModified, value, items: items.map(laterItem) };
  const old = { ...common, itemsToBeProcured: items.map(oldItem) };
  return version === "0.2" ? { ...old, dateModified, value } : { ...old, modified: dateModified, totalValue: value };
}

export const bidAs = (version: string, bid: Wire): Wire => {
  if (version === "2.3") return bid;
  const { id, date, value } = bid;
  const parties = bid.tenderers.map((party: Wire) => organisationIn(version, party));
  const common = { id, date, status: "registration" };
  return version === "0"
    ? { ...common, tenderers: parties, ...(value && { value }) }
    : { ...common, bidders: parties, ...(value && { totalValue: value }) };
};

export const awardAs = (version: string, award: Wire): Wire => {
  if (version === "2.3") return award;
  const { suppliers } = award;
  return {
    ...pick(award, "awardID", "awardDate", "awardStatus", "awardValue"),
    ...(suppliers && { suppliers: suppliers.map((party: Wire) => organisationIn(version, party)) }),
  };
};

export const documentAs = (version: string, document: Wire): Wire =>
  version === "2.3"
    ? document
    : {
        ...pick(document, "id", "title", "format", "datePublished", "dateModified"),
        url: document.url.replace("/api/2.3/", `/api/${version}/`),
      };

export const questionAs = (version: string, question: Wire): Wire =>
  version === "2.3"
    ? question
    : {
        ...pick(question, "id", "date", "title", "description", "answer"),
        ...(question.author && { author: organisationIn(version, question.author) }),
      };

export const translated = (name: string) => ({
  [`${name}_en`]: `${name} in English`,
  [`${name}_ru`]: `${name} по-русски`,
});

/** An organisation with everything that the newest version knows of one. */
export const fullOrganisation = {
  ...school,
  ...translated("name"),
  identifier: { ...school.identifier, ...translated("legalName") },
  additionalIdentifiers: [{ scheme: "UA-EDR", id: "2", legalName: "Друга назва", uri: "http://second.example/" }],
  address: { ...school.address, ...translated("countryName") },
  contactPoint: {
    ...school.contactPoint,
    ...translated("name"),
    email: "school@sch10.example",
    faxNumber: "+380 (432) 46-53-03",
    url: "http://sch10.example/contact",
  },
};

const item = (id: string, now: number) => ({
  ...fullTender().items[0]!,
  id,
  ...translated("description"),
  unit: { name: "item", ...translated("name"), code: "44617100-9", value: { amount: 10, currency: "UAH" } },
  classification: {
    ...fullTender().items[0]!.classification,
    ...translated("description"),
    uri: "http://dk.example/1",
  },
  deliveryDate: { startDate: formatTime(now + 30 * DAY), endDate: formatTime(now + 60 * DAY) },
  deliveryAddress: { ...school.address, ...translated("countryName") },
  deliveryLocation: { latitude: "49.2", longitude: "28.4", elevation: "10" },
});

export const ITEM_IDS = ["1".repeat(32), "2".repeat(32)] as const;

/** A tender of 2.3 with every field that it knows, apart from lots. */
export const everything = (now: number) => ({
  ...fullTender(now),
  ...translated("title"),
  description: "Обіди",
  ...translated("description"),
  procurementMethodRationale: "Так дешевше",
  ...translated("procurementMethodRationale"),
  awardCriteriaDetails: "Найнижча ціна",
  ...translated("awardCriteriaDetails"),
  submissionMethodDetails: "quick",
  ...translated("submissionMethodDetails"),
  eligibilityCriteria: "Усі",
  ...translated("eligibilityCriteria"),
  procurementMethodDetails: "quick, accelerator=1440",
  hasEnquiries: true,
  numberOfBidders: 3,
  guarantee: { amount: 100, currency: "UAH" },
  procuringEntity: { ...fullOrganisation, kind: "special" },
  items: ITEM_IDS.map((id) => item(id, now)),
  features: [
    {
      code: "OCDS-123454-TASTE",
      featureOf: "item",
      relatedItem: ITEM_IDS[1],
      title: "Смак",
      ...translated("title"),
      description: "Як смакує",
      ...translated("description"),
      enum: [
        { value: 0.1, title: "Добре", ...translated("title") },
        { value: 0, title: "Погано", ...translated("title") },
      ],
    },
    {
      code: "OCDS-123454-YEARS",
      featureOf: "tenderer",
      title: "Досвід",
      enum: [
        { value: 0.05, title: "Понад три роки" },
        { value: 0, title: "Менше" },
      ],
    },
  ],
});

/** Answers to the features of that tender, as a bid gives them. */
export const parameters = [
  { code: "OCDS-123454-TASTE", value: 0.1 },
  { code: "OCDS-123454-YEARS", value: 0.05 },
];
