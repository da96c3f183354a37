import type { Path, Problem } from "../model/refusals.ts";
import { problem } from "../model/refusals.ts";
import type { ProblemRule } from "../model/rules.ts";
import type { Feature, FeatureOption, Lot, Tender } from "../model/tender.ts";
import { checkEach, checkRequired, checkSubject, hasDuplicates, missing, tooFew, tooShort } from "../validation.ts";
import { addDecimals, compareDecimals, type Decimal, decimal, maxDecimal } from "../values/decimal.ts";

/** Features: non-price criteria, which together may weigh at most 30 percent. */

const ZERO = decimal("0");
const WEIGHT_MAX = decimal("0.3");

/** The problems of a tender's features, including their total weight, which is limited for each lot if there are lots. */
export function checkFeatures(tender: Tender): readonly Problem[] {
  const features = tender.features ?? [];
  const problems = checkEach(features, ["features"], (feature, path) => checkFeature(feature, path, tender));
  const featuresProblem = (text: string, rule: ProblemRule) => problem(["features"], text, rule, "cross");
  if (hasDuplicates(features.map((feature) => feature.code)))
    problems.push(featuresProblem("Feature code should be uniq for all features", "feature-code-repeated"));
  const tooHeavy = (weighed: readonly Feature[]) => compareDecimals(totalWeight(weighed), WEIGHT_MAX) > 0;
  if (tender.lots.length === 0) {
    if (tooHeavy(features))
      problems.push(
        featuresProblem("Sum of max value of all features should be less then or equal to 30%", "features-too-heavy"),
      );
  } else if (tender.lots.some((lot) => tooHeavy(featuresOf(tender, [lot]))))
    problems.push(
      featuresProblem(
        "Sum of max value of all features for lot should be less then or equal to 30%",
        "features-too-heavy",
      ),
    );
  return problems;
}

/** The features that apply to these lots: those of the tenderer, of the lots, and of items in the lots. */
export function featuresOf(
  tender: Pick<Tender, "features" | "items">,
  lots: readonly Pick<Lot, "id">[],
): readonly Feature[] {
  const lotIds = new Set(lots.map((lot) => lot.id));
  const itemIds = new Set(
    tender.items?.filter((item) => item.relatedLot && lotIds.has(item.relatedLot)).map(({ id }) => id),
  );
  return (tender.features ?? []).filter(
    ({ featureOf, relatedItem }) =>
      featureOf === "tenderer" ||
      (featureOf === "lot" && lotIds.has(relatedItem ?? "")) ||
      (featureOf === "item" && itemIds.has(relatedItem)),
  );
}

const totalWeight = (features: readonly Feature[]): Decimal =>
  addDecimals(ZERO, ...features.map((feature) => maxDecimal(ZERO, ...optionValues(feature))));

const optionValues = (feature: Feature): Decimal[] =>
  (feature.enum ?? []).map(({ value }) => value).filter((value) => value !== undefined);

function checkFeature(feature: Feature, path: Path, tender: Tender): readonly Problem[] {
  const problems = checkRequired(feature, path, "title");
  if (feature.code === "") problems.push(tooShort([...path, "code"]));
  if (!feature.enum?.length) problems.push(feature.enum ? tooFew([...path, "enum"]) : missing([...path, "enum"]));
  problems.push(...checkEach(feature.enum, [...path, "enum"], checkOption));
  if (hasDuplicates(optionValues(feature)))
    problems.push(
      problem([...path, "enum"], "Feature value should be uniq for feature", "feature-value-repeated", "cross"),
    );
  return [...problems, ...checkSubject(feature.featureOf, feature.relatedItem, [...path, "relatedItem"], tender)];
}

function checkOption(option: FeatureOption, path: Path): Problem[] {
  const problems = checkRequired(option, path, "title", "value");
  if (option.value === undefined) return problems;
  if (compareDecimals(option.value, ZERO) < 0)
    problems.push(problem([...path, "value"], "Float value should be greater than 0.0.", "feature-value-range"));
  if (compareDecimals(option.value, WEIGHT_MAX) > 0)
    problems.push(problem([...path, "value"], "Float value should be less than 0.3.", "feature-value-range"));
  return problems;
}
