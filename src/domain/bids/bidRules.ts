import type { Path, Problem } from "../model/refusals.ts";
import { problem } from "../model/refusals.ts";
import type { ProblemRule } from "../model/rules.ts";
import type { Bid, Lot, LotValue, Tender, Value } from "../model/tender.ts";
import type { Procedure } from "../procedures/procedure.ts";
import { featuresOf } from "../tender/features.ts";
import {
  checkEach,
  checkIfPresent,
  checkRequired,
  checkSingleOrganization,
  checkValue,
  firstProblem,
  hasDuplicates,
  missing,
  unknownReference,
} from "../validation.ts";
import { compareDecimals } from "../values/decimal.ts";

/** The problems of a bid by the rules of its procedure. A procedure without bids accepts none that could be checked. */
export const checkBid = ({ bids }: Procedure, bid: Bid, tender: Tender): readonly Problem[] =>
  bids?.check(bid, tender) ?? [];

/**
 * The problems of a bid that competes for the price: one complete tenderer, a value within that of the tender or of each lot,
 * and a parameter for every feature.
 */
export function checkPricedBid(bid: Bid, tender: Tender): readonly Problem[] {
  return [
    ...checkTenderers(bid),
    ...(tender.lots.length > 0 ? checkLotValues(bid, tender) : checkBidValue(bid, tender)),
    ...(tender.lots.length > 0
      ? []
      : checkEach(bid.lotValues, ["lotValues"], (lotValue, path) => checkLotValue(lotValue, path, []))),
    ...checkParameters(bid, tender),
  ];
}

function checkTenderers({ tenderers }: Bid): readonly Problem[] {
  return tenderers === undefined ? [missing(["tenderers"])] : checkSingleOrganization(tenderers, ["tenderers"]);
}

function checkBidValue(bid: Bid, tender: Tender): readonly Problem[] {
  if (!bid.value) return [missing(["value"], "cross")];
  const valueProblems = checkValue(bid.value, ["value"]);
  return valueProblems.length > 0 ? valueProblems : [...checkWithinLimit(bid.value, tender.value, "tender", ["value"])];
}

/** A bid may not exceed the value of the tender or lot, and must have the same currency and VAT. */
function checkWithinLimit(bid: Value, limit: Value | undefined, limitOwner: "tender" | "lot", path: Path): Problem[] {
  if (!bid.amount || !limit?.amount) return [];
  const limitProblem = (message: string, rule: ProblemRule) => problem(path, message, rule, "cross");
  return firstProblem(
    compareDecimals(bid.amount, limit.amount) > 0 &&
      limitProblem(`value of bid should be less than value of ${limitOwner}`, "bid-exceeds-value"),
    bid.currency !== limit.currency &&
      limitProblem(`currency of bid should be identical to currency of value of ${limitOwner}`, "currency-differs"),
    bid.valueAddedTaxIncluded !== limit.valueAddedTaxIncluded &&
      limitProblem(
        `valueAddedTaxIncluded of bid should be identical to valueAddedTaxIncluded of value of ${limitOwner}`,
        "vat-differs",
      ),
  );
}

function checkLotValues(bid: Bid, tender: Tender): readonly Problem[] {
  const extraValue = bid.value
    ? [problem(["value"], "value should be posted for each lot of bid", "value-per-lot", "cross")]
    : [];
  if (!bid.lotValues?.length) return [...extraValue, missing(["lotValues"], "cross")];
  const hasDuplicateLots = hasDuplicates(bid.lotValues.map(({ relatedLot }) => relatedLot));
  return [
    ...extraValue,
    ...checkEach(bid.lotValues, ["lotValues"], (lotValue, path) => checkLotValue(lotValue, path, tender.lots)),
    ...(hasDuplicateLots
      ? [problem(["lotValues"], "bids don't allow duplicated proposals", "lot-bid-twice", "cross")]
      : []),
  ];
}

function checkLotValue(lotValue: LotValue, path: Path, lots: readonly Lot[]): readonly Problem[] {
  const ownProblems = [
    ...checkRequired(lotValue, path, "value", "relatedLot"),
    ...checkIfPresent(lotValue.value, [...path, "value"], checkValue),
  ];
  if (ownProblems.length > 0) return ownProblems;
  const lot = lots.find(({ id }) => id === lotValue.relatedLot);
  if (!lot) return [unknownReference([...path, "relatedLot"], "relatedLot", "lots")];
  return checkWithinLimit(lotValue.value!, lot.value, "lot", [...path, "value"]);
}

const INCOMPLETE_PARAMETERS = problem(
  ["parameters"],
  "All features parameters is required.",
  "parameters-incomplete",
  "cross",
);

/** A bid must have exactly one parameter for each feature that applies to it, with one of the values the feature offers. */
function checkParameters(bid: Bid, tender: Tender): readonly Problem[] {
  const parameters = bid.parameters ?? [];
  const lots = tender.lots.filter(({ id }) => bid.lotValues?.some(({ relatedLot }) => relatedLot === id));
  const requiredFeatures = tender.lots.length > 0 ? featuresOf(tender, lots) : (tender.features ?? []);
  const unanswered = tender.lots.length > 0 ? INCOMPLETE_PARAMETERS : missing(["parameters"], "cross");
  if (parameters.length === 0) return requiredFeatures.length > 0 ? [unanswered] : [];
  const problems = checkEach(parameters, ["parameters"], ({ code, value }, path) => {
    const missingFields = checkRequired({ code, value }, path, "code", "value");
    if (missingFields.length > 0) return missingFields;
    const feature = tender.features?.find((candidate) => candidate.code === code);
    if (!feature)
      return [problem([...path, "code"], "code should be one of feature code.", "unknown-parameter", "cross")];
    const isOffered = feature.enum?.some((option) => option.value === value);
    return isOffered
      ? []
      : [problem([...path, "value"], "value should be one of feature value.", "parameter-value", "cross")];
  });
  if (problems.length > 0) return problems;
  const codes = parameters.map(({ code }) => code);
  if (hasDuplicates(codes))
    return [problem(["parameters"], "Parameter code should be uniq for all parameters", "parameter-repeated", "cross")];
  const complete =
    requiredFeatures.length === codes.length && requiredFeatures.every(({ code }) => codes.includes(code));
  return complete ? [] : [INCOMPLETE_PARAMETERS];
}
