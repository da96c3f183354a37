import {
  all,
  atLeastOne,
  below,
  checkOrganization,
  checkPeriod,
  checkUrl,
  checkValue,
  each,
  firstOf,
  inside,
  missing,
  repeats,
  required,
  tooShort,
  wrongIn,
} from "./checking.ts";
import { checkFeatures } from "./features.ts";
import { checkLots } from "./lots.ts";
import { compareDecimals } from "./money.ts";
import type { Path, Problem } from "./refusals.ts";
import { problem } from "./refusals.ts";
import type { ProblemRule } from "./rules.ts";
import type { Bid, Classification, Item, Tender, TenderFields, Value } from "./tender.ts";

/** What a tender must be to be published: in any procedure, and below the thresholds. */

export const checkAnyTender = (tender: Tender): readonly Problem[] => wrongIn((path) => anyProblems(tender, path));

const REQUIRED = ["title", "procuringEntity", "value", "minimalStep", "enquiryPeriod", "tenderPeriod"] as const;
/** The step of a tender with lots is the smallest of theirs, each of which is required. */
const REQUIRED_WITH_LOTS = REQUIRED.filter((name) => name !== "minimalStep");

export const checkBelowThreshold = (tender: Tender): readonly Problem[] =>
  wrongIn((path) =>
    all(
      required(tender, path, ...(tender.lots.length > 0 ? REQUIRED_WITH_LOTS : REQUIRED)),
      inside(tender.enquiryPeriod, below(path, "enquiryPeriod"), (period, at) => required(period, at, "endDate")),
      inside(tender.tenderPeriod, below(path, "tenderPeriod"), (period, at) => required(period, at, "endDate")),
      inside(tender.procuringEntity, below(path, "procuringEntity"), checkOrganization),
      atLeastOne(tender.items, below(path, "items")),
      each(tender.items, below(path, "items"), checkItem),
      checkClassesAgree(tender.items ?? []),
      anyProblems(tender, path),
    ),
  );

function anyProblems(tender: Tender, path: Path): readonly Problem[] {
  return all(
    inside(tender.value, below(path, "value"), checkValue),
    inside(tender.minimalStep, below(path, "minimalStep"), checkValue),
    inside(tender.guarantee, below(path, "guarantee"), checkValue),
    checkMinimalStep(tender),
    checkPeriods(tender, path),
    each(tender.items, below(path, "items"), checkAnyItem),
    repeats(tender.items?.map((item) => item.id) ?? [])
      ? [problem(["items"], "Item id should be uniq for all items", "id-repeated", "cross")]
      : [],
    checkFeatures(tender),
    checkLots(tender),
  );
}

/** The step may not exceed the value, and is in the same money. With lots the amounts are theirs, and checked there. */
function checkMinimalStep({ minimalStep: step, value, lots }: Tender): Problem[] {
  if (!step?.amount || !value?.amount || step.amount === "0") return [];
  const wrong = (message: string, rule: ProblemRule) => problem(["minimalStep"], message, rule, "cross");
  return firstOf(
    lots.length === 0 &&
      compareDecimals(step.amount, value.amount) > 0 &&
      wrong("value should be less than value of tender", "step-exceeds-value"),
    step.currency !== value.currency &&
      wrong("currency should be identical to currency of value of tender", "currency-differs"),
    step.valueAddedTaxIncluded !== value.valueAddedTaxIncluded &&
      wrong("valueAddedTaxIncluded should be identical to valueAddedTaxIncluded of value of tender", "vat-differs"),
  );
}

function checkPeriods(tender: Tender, path: Path): readonly Problem[] {
  const { enquiryPeriod, tenderPeriod, plannedAwardPeriod: awardPeriod } = tender;
  const tooEarly =
    tenderPeriod?.startDate !== undefined &&
    enquiryPeriod?.endDate !== undefined &&
    tenderPeriod.startDate < enquiryPeriod.endDate;
  const awardTooEarly =
    awardPeriod?.startDate !== undefined &&
    tenderPeriod?.endDate !== undefined &&
    awardPeriod.startDate < tenderPeriod.endDate;
  return all(
    inside(enquiryPeriod, below(path, "enquiryPeriod"), checkPeriod),
    inside(tenderPeriod, below(path, "tenderPeriod"), checkPeriod),
    inside(awardPeriod, below(path, "plannedAwardPeriod"), checkPeriod),
    inside(tender.deliveryDate, below(path, "deliveryDate"), checkPeriod),
    tooEarly ? [problem(["tenderPeriod"], "period should begin after enquiryPeriod", "periods-overlap", "cross")] : [],
    awardTooEarly
      ? [problem(["plannedAwardPeriod"], "period should begin after tenderPeriod", "periods-overlap", "cross")]
      : [],
  );
}

function checkAnyItem(item: Item, path: Path): readonly Problem[] {
  return all(
    item.id === "" ? [tooShort(below(path, "id"))] : [],
    inside(item.deliveryDate, below(path, "deliveryDate"), checkPeriod),
    inside(item.unit?.value, below(below(path, "unit"), "value"), checkValue),
  );
}

function checkItem(item: Item, path: Path): readonly Problem[] {
  return all(
    required(item, path, "description", "classification"),
    inside(item.classification, below(path, "classification"), checkPrimary),
    checkAdditional(item, below(path, "additionalClassifications")),
    inside(item.deliveryAddress, below(path, "deliveryAddress"), (address, at) => required(address, at, "countryName")),
    inside(item.deliveryLocation, below(path, "deliveryLocation"), (place, at) =>
      required(place, at, "latitude", "longitude"),
    ),
  );
}

export const PRIMARY_SCHEMES: readonly string[] = ["CPV", "ДК021"];

function checkPrimary(primary: Classification, path: Path): readonly Problem[] {
  const problems = required(primary, path, "id", "description");
  if (primary.scheme !== undefined && !PRIMARY_SCHEMES.includes(primary.scheme))
    problems.push(problem(below(path, "scheme"), "Value must be one of ['CPV', 'ДК021'].", "not-a-choice"));
  if (primary.id !== undefined && !/^\d{8}-\d$/.test(primary.id))
    problems.push(
      problem(below(path, "id"), "Value must be eight digits, a hyphen and a digit.", "classification-code"),
    );
  return all(problems, checkUrl(primary.uri, below(path, "uri")));
}

/** What no primary code describes must say what it is by one of the schemes made for that. */
const SPECIAL_CODE = "99999999-9";
const SPECIAL_SCHEMES: readonly string[] = ["ДК003", "ДК015", "ДК018", "specialNorms"];

function checkAdditional(item: Item, path: Path): Problem[] {
  const list = item.additionalClassifications ?? [];
  const problems = each(list, path, (one, at) =>
    all(required(one, at, "scheme", "id", "description"), checkUrl(one.uri, below(at, "uri"))),
  );
  if (item.classification?.id !== SPECIAL_CODE) return problems;
  if (list.length === 0) return [missing(path)];
  const special = list.some((one) => one.scheme !== undefined && SPECIAL_SCHEMES.includes(one.scheme));
  const text = `One of additional classifications should be one of [${SPECIAL_SCHEMES.join(", ")}].`;
  return special ? problems : [...problems, problem(path, text, "additional-classification", "cross")];
}

/** One tender buys one class of things; medicines are held together by their group alone. */
function checkClassesAgree(items: readonly Item[]): Problem[] {
  const codes = items.map((item) => item.classification?.id).filter((code) => code !== undefined);
  const medicines = codes[0]?.startsWith("336") ?? false;
  const shared = codes[0]?.slice(0, medicines ? 3 : 4) ?? "";
  const agree = codes.every((code) => code.slice(0, shared.length) === shared);
  const text = medicines ? "CPV group of items be identical" : "CPV class of items should be identical";
  return agree ? [] : [problem(["items"], text, "items-of-one-class", "cross")];
}

export function checkAnyBid(bid: Bid): readonly Problem[] {
  return [
    ...atLeastOne(bid.tenderers, ["tenderers"]),
    ...inside(bid.value, ["value"], checkValue),
    ...each(bid.lotValues, ["lotValues"], (lotValue, at) => inside(lotValue.value, [...at, "value"], checkValue)),
  ];
}

const DEFAULT_VALUE: Value = { currency: "UAH", valueAddedTaxIncluded: true };
const valueWithDefaults = (value: Value): Value => ({ ...DEFAULT_VALUE, ...value });

/** A value as it is kept: currency and VAT are always said. */
export function withDefaults(fields: TenderFields, newId: () => string): TenderFields {
  return {
    ...fields,
    ...(fields.value && { value: valueWithDefaults(fields.value) }),
    ...(fields.minimalStep && { minimalStep: valueWithDefaults(fields.minimalStep) }),
    ...(fields.guarantee && { guarantee: { currency: "UAH", ...fields.guarantee } }),
    ...(fields.items && { items: fields.items.map((item) => ({ ...item, id: item.id ?? newId() })) }),
    ...(fields.features && {
      features: fields.features.map((feature) => ({
        ...feature,
        code: feature.code ?? newId(),
        featureOf: feature.featureOf ?? "tenderer",
      })),
    }),
  };
}

export function withBelowThresholdDefaults(fields: TenderFields, newId: () => string): TenderFields {
  const all = withDefaults(fields, newId);
  const { procuringEntity, items, tenderPeriod, enquiryPeriod } = all;
  return {
    ...all,
    ...(procuringEntity && { procuringEntity: { ...procuringEntity, kind: procuringEntity.kind ?? "general" } }),
    ...(items && { items: items.map(withPrimaryScheme) }),
    ...(tenderPeriod && {
      tenderPeriod: { ...tenderPeriod, startDate: tenderPeriod.startDate ?? enquiryPeriod?.endDate },
    }),
  };
}

function withPrimaryScheme(item: Item): Item {
  const { classification } = item;
  return classification && classification.scheme === undefined
    ? { ...item, classification: { ...classification, scheme: "ДК021" } }
    : item;
}
