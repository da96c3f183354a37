import type { Path, Problem } from "../model/refusals.ts";
import { problem } from "../model/refusals.ts";
import type { ProblemRule } from "../model/rules.ts";
import type { Bid, Classification, Item, Tender, TenderFields, Value } from "../model/tender.ts";
import {
  checkEach,
  checkIfPresent,
  checkNotEmpty,
  checkOrganization,
  checkPeriod,
  checkRequired,
  checkUrl,
  checkValue,
  childPath,
  findProblems,
  firstProblem,
  hasDuplicates,
  joinProblems,
  missing,
  tooShort,
} from "../validation.ts";
import { compareDecimals } from "../values/decimal.ts";
import { mapChanged } from "../values/lists.ts";
import { checkFeatures } from "./features.ts";
import { checkLots } from "./lotRules.ts";

/** The rules and defaults for a tender's fields: those of every procedure, and those of procedures in which bids compete. */

/** The problems of the fields that are given; none is required. */
export const checkGivenFields = (tender: Tender): readonly Problem[] =>
  findProblems((path) => commonProblems(tender, path));

const REQUIRED = ["title", "procuringEntity", "value", "minimalStep", "enquiryPeriod", "tenderPeriod"] as const;
/** With lots, the minimal step is derived from those of the lots, which are required there. */
const REQUIRED_WITH_LOTS = REQUIRED.filter((name) => name !== "minimalStep");

/** The problems of a tender that calls for competing bids. */
export const checkCompetitiveTender = (tender: Tender): readonly Problem[] =>
  findProblems((path) =>
    joinProblems(
      checkRequired(tender, path, ...(tender.lots.length > 0 ? REQUIRED_WITH_LOTS : REQUIRED)),
      checkIfPresent(tender.enquiryPeriod, childPath(path, "enquiryPeriod"), (period, at) =>
        checkRequired(period, at, "endDate"),
      ),
      checkIfPresent(tender.tenderPeriod, childPath(path, "tenderPeriod"), (period, at) =>
        checkRequired(period, at, "endDate"),
      ),
      checkIfPresent(tender.procuringEntity, childPath(path, "procuringEntity"), checkOrganization),
      checkNotEmpty(tender.items, childPath(path, "items")),
      checkEach(tender.items, childPath(path, "items"), checkItem),
      checkSameClass(tender.items ?? []),
      commonProblems(tender, path),
    ),
  );

/** The rules for fields that every procedure has. */
export function commonProblems(
  tender: Tender,
  path: Path,
  lotFields: Parameters<typeof checkLots>[1] = ["title", "value", "minimalStep"],
): readonly Problem[] {
  return joinProblems(
    checkIfPresent(tender.value, childPath(path, "value"), checkValue),
    checkIfPresent(tender.minimalStep, childPath(path, "minimalStep"), checkValue),
    checkIfPresent(tender.guarantee, childPath(path, "guarantee"), checkValue),
    checkMinimalStep(tender),
    checkPeriods(tender, path),
    checkEach(tender.items, childPath(path, "items"), checkCommonItemFields),
    hasDuplicates(tender.items?.map((item) => item.id) ?? [])
      ? [problem(["items"], "Item id should be uniq for all items", "id-repeated", "cross")]
      : [],
    checkFeatures(tender),
    checkLots(tender, lotFields),
  );
}

/** The step may not exceed the value, and must have its currency and VAT. With lots, the amounts are checked for each lot instead. */
function checkMinimalStep({ minimalStep: step, value, lots }: Tender): Problem[] {
  if (!step?.amount || !value?.amount || step.amount === "0") return [];
  const stepProblem = (message: string, rule: ProblemRule) => problem(["minimalStep"], message, rule, "cross");
  return firstProblem(
    lots.length === 0 &&
      compareDecimals(step.amount, value.amount) > 0 &&
      stepProblem("value should be less than value of tender", "step-exceeds-value"),
    step.currency !== value.currency &&
      stepProblem("currency should be identical to currency of value of tender", "currency-differs"),
    step.valueAddedTaxIncluded !== value.valueAddedTaxIncluded &&
      stepProblem(
        "valueAddedTaxIncluded should be identical to valueAddedTaxIncluded of value of tender",
        "vat-differs",
      ),
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
  return joinProblems(
    checkIfPresent(enquiryPeriod, childPath(path, "enquiryPeriod"), checkPeriod),
    checkIfPresent(tenderPeriod, childPath(path, "tenderPeriod"), checkPeriod),
    checkIfPresent(awardPeriod, childPath(path, "plannedAwardPeriod"), checkPeriod),
    checkIfPresent(tender.deliveryDate, childPath(path, "deliveryDate"), checkPeriod),
    tooEarly ? [problem(["tenderPeriod"], "period should begin after enquiryPeriod", "periods-overlap", "cross")] : [],
    awardTooEarly
      ? [problem(["plannedAwardPeriod"], "period should begin after tenderPeriod", "periods-overlap", "cross")]
      : [],
  );
}

function checkCommonItemFields(item: Item, path: Path): readonly Problem[] {
  return joinProblems(
    item.id === "" ? [tooShort(childPath(path, "id"))] : [],
    checkIfPresent(item.deliveryDate, childPath(path, "deliveryDate"), checkPeriod),
    checkIfPresent(item.unit?.value, childPath(childPath(path, "unit"), "value"), checkValue),
  );
}

/** The problems of an item that must be described and classified. */
export function checkItem(item: Item, path: Path): readonly Problem[] {
  return joinProblems(
    checkRequired(item, path, "description", "classification"),
    checkIfPresent(item.classification, childPath(path, "classification"), checkPrimaryClassification),
    checkAdditionalClassifications(item, childPath(path, "additionalClassifications")),
    checkIfPresent(item.deliveryAddress, childPath(path, "deliveryAddress"), (address, at) =>
      checkRequired(address, at, "countryName"),
    ),
    checkIfPresent(item.deliveryLocation, childPath(path, "deliveryLocation"), (location, at) =>
      checkRequired(location, at, "latitude", "longitude"),
    ),
  );
}

/** The schemes of an item's main classification. */
export const PRIMARY_SCHEMES: readonly string[] = ["CPV", "ДК021"];

function checkPrimaryClassification(primary: Classification, path: Path): readonly Problem[] {
  const problems = checkRequired(primary, path, "id", "description");
  if (primary.scheme !== undefined && !PRIMARY_SCHEMES.includes(primary.scheme))
    problems.push(problem(childPath(path, "scheme"), "Value must be one of ['CPV', 'ДК021'].", "not-a-choice"));
  if (primary.id !== undefined && !/^\d{8}-\d$/.test(primary.id))
    problems.push(
      problem(childPath(path, "id"), "Value must be eight digits, a hyphen and a digit.", "classification-code"),
    );
  return joinProblems(problems, checkUrl(primary.uri, childPath(path, "uri")));
}

/** The code "not otherwise classified": such an item needs an additional classification of one of the special schemes. */
const SPECIAL_CODE = "99999999-9";
/** The schemes of what CPV has no code for. */
export const SPECIAL_SCHEMES: readonly string[] = ["ДК003", "ДК015", "ДК018", "specialNorms"];

function checkAdditionalClassifications(item: Item, path: Path): Problem[] {
  const list = item.additionalClassifications ?? [];
  const problems = checkEach(list, path, (classification, at) =>
    joinProblems(
      checkRequired(classification, at, "scheme", "id", "description"),
      checkUrl(classification.uri, childPath(at, "uri")),
    ),
  );
  if (item.classification?.id !== SPECIAL_CODE) return problems;
  if (list.length === 0) return [missing(path)];
  const hasSpecialScheme = list.some(
    (classification) => classification.scheme !== undefined && SPECIAL_SCHEMES.includes(classification.scheme),
  );
  const text = `One of additional classifications should be one of [${SPECIAL_SCHEMES.join(", ")}].`;
  return hasSpecialScheme ? problems : [...problems, problem(path, text, "additional-classification", "cross")];
}

/** All items must be of one class (the first four digits of the code); for medicines the group (three digits) is enough. */
function checkSameClass(items: readonly Item[]): Problem[] {
  if (items[0]?.classification?.id?.startsWith("336")) return checkSameGroup(items);
  return isSharedPrefix(items, 4)
    ? []
    : [problem(["items"], "CPV class of items should be identical", "items-of-one-class", "cross")];
}

/** All items must be of one group (the first three digits of the code). */
export const checkSameGroup = (items: readonly Item[]): Problem[] =>
  isSharedPrefix(items, 3)
    ? []
    : [problem(["items"], "CPV group of items be identical", "items-of-one-class", "cross")];

function isSharedPrefix(items: readonly Item[], length: number): boolean {
  const codes = items.map((item) => item.classification?.id).filter((code) => code !== undefined);
  return codes.every((code) => code.slice(0, length) === codes[0]?.slice(0, length));
}

/** The problems of a bid of which only the bidders are required. */
export function checkGivenBid(bid: Bid): readonly Problem[] {
  return [
    ...checkNotEmpty(bid.tenderers, ["tenderers"]),
    ...checkIfPresent(bid.value, ["value"], checkValue),
    ...checkEach(bid.lotValues, ["lotValues"], (lotValue, at) =>
      checkIfPresent(lotValue.value, [...at, "value"], checkValue),
    ),
  ];
}

const DEFAULT_VALUE: Value = { currency: "UAH", valueAddedTaxIncluded: true };
const valueWithDefaults = (value: Value): Value =>
  value.currency !== undefined && value.valueAddedTaxIncluded !== undefined ? value : { ...DEFAULT_VALUE, ...value };

/** Fills in currency and VAT of amounts, ids of items, and codes and subjects of features. */
export function withDefaults(fields: TenderFields, newId: () => string): TenderFields {
  return {
    ...fields,
    ...(fields.value && { value: valueWithDefaults(fields.value) }),
    ...(fields.minimalStep && { minimalStep: valueWithDefaults(fields.minimalStep) }),
    ...(fields.guarantee && { guarantee: { currency: "UAH", ...fields.guarantee } }),
    ...(fields.items && {
      items: mapChanged(fields.items, (item) => (item.id === undefined ? { ...item, id: newId() } : item)),
    }),
    ...(fields.features && {
      features: mapChanged(fields.features, (feature) =>
        feature.code === undefined || feature.featureOf === undefined
          ? { ...feature, code: feature.code ?? newId(), featureOf: feature.featureOf ?? "tenderer" }
          : feature,
      ),
    }),
  };
}

/** Fills in the defaults of every procedure, and the kind of the buyer, classification schemes and the start of the tender period. */
export function withCompetitiveDefaults(fields: TenderFields, newId: () => string): TenderFields {
  const completed = withDefaults(fields, newId);
  const { procuringEntity, items, tenderPeriod, enquiryPeriod } = completed;
  return {
    ...completed,
    ...(procuringEntity && { procuringEntity: { ...procuringEntity, kind: procuringEntity.kind ?? "general" } }),
    ...(items && { items: mapChanged(items, withPrimaryScheme) }),
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
