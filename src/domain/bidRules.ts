import {
  checkOneOrganization,
  checkValue,
  each,
  firstOf,
  inside,
  missing,
  repeats,
  required,
  unknownReference,
} from "./checking.ts";
import { featuresOf } from "./features.ts";
import { compareDecimals } from "./money.ts";
import type { Path, Problem } from "./refusals.ts";
import { problem } from "./refusals.ts";
import type { ProblemRule } from "./rules.ts";
import type { Bid, Lot, LotValue, Tender, Value } from "./tender.ts";

/** What a bid must be below the thresholds. */
export function checkSealedBid(bid: Bid, tender: Tender): readonly Problem[] {
  return [
    ...checkTenderers(bid),
    ...(tender.lots.length > 0 ? checkLotValues(bid, tender) : checkBidValue(bid, tender)),
    ...(tender.lots.length > 0 ? [] : each(bid.lotValues, ["lotValues"], (one, path) => checkLotValue(one, path, []))),
    ...checkParameters(bid, tender),
  ];
}

function checkTenderers({ tenderers }: Bid): readonly Problem[] {
  return tenderers === undefined ? [missing(["tenderers"])] : checkOneOrganization(tenderers, ["tenderers"]);
}

function checkBidValue(bid: Bid, tender: Tender): readonly Problem[] {
  if (!bid.value) return [missing(["value"], "cross")];
  const own = checkValue(bid.value, ["value"]);
  return own.length > 0 ? own : [...checkWithin(bid.value, tender.value, "tender", ["value"])];
}

/** A bid may not exceed the tender's value, nor a lot's, and is in the same money. */
function checkWithin(bid: Value, limit: Value | undefined, of: "tender" | "lot", path: Path): Problem[] {
  if (!bid.amount || !limit?.amount) return [];
  const wrong = (message: string, rule: ProblemRule) => problem(path, message, rule, "cross");
  return firstOf(
    compareDecimals(bid.amount, limit.amount) > 0 &&
      wrong(`value of bid should be less than value of ${of}`, "bid-exceeds-value"),
    bid.currency !== limit.currency &&
      wrong(`currency of bid should be identical to currency of value of ${of}`, "currency-differs"),
    bid.valueAddedTaxIncluded !== limit.valueAddedTaxIncluded &&
      wrong(
        `valueAddedTaxIncluded of bid should be identical to valueAddedTaxIncluded of value of ${of}`,
        "vat-differs",
      ),
  );
}

function checkLotValues(bid: Bid, tender: Tender): readonly Problem[] {
  const forbidden = bid.value
    ? [problem(["value"], "value should be posted for each lot of bid", "value-per-lot", "cross")]
    : [];
  if (!bid.lotValues?.length) return [...forbidden, missing(["lotValues"], "cross")];
  const twice = repeats(bid.lotValues.map(({ relatedLot }) => relatedLot));
  return [
    ...forbidden,
    ...each(bid.lotValues, ["lotValues"], (lotValue, path) => checkLotValue(lotValue, path, tender.lots)),
    ...(twice ? [problem(["lotValues"], "bids don't allow duplicated proposals", "lot-bid-twice", "cross")] : []),
  ];
}

function checkLotValue(lotValue: LotValue, path: Path, lots: readonly Lot[]): readonly Problem[] {
  const own = [
    ...required(lotValue, path, "value", "relatedLot"),
    ...inside(lotValue.value, [...path, "value"], checkValue),
  ];
  if (own.length > 0) return own;
  const lot = lots.find(({ id }) => id === lotValue.relatedLot);
  if (!lot) return [unknownReference([...path, "relatedLot"], "relatedLot", "lots")];
  return checkWithin(lotValue.value!, lot.value, "lot", [...path, "value"]);
}

const INCOMPLETE = problem(["parameters"], "All features parameters is required.", "parameters-incomplete", "cross");

/** A bid answers exactly the features that concern it, each with one of the offered values. */
function checkParameters(bid: Bid, tender: Tender): readonly Problem[] {
  const parameters = bid.parameters ?? [];
  const lots = tender.lots.filter(({ id }) => bid.lotValues?.some(({ relatedLot }) => relatedLot === id));
  const wanted = tender.lots.length > 0 ? featuresOf(tender, lots) : (tender.features ?? []);
  const unanswered = tender.lots.length > 0 ? INCOMPLETE : missing(["parameters"], "cross");
  if (parameters.length === 0) return wanted.length > 0 ? [unanswered] : [];
  const problems = each(parameters, ["parameters"], ({ code, value }, path) => {
    const absent = required({ code, value }, path, "code", "value");
    if (absent.length > 0) return absent;
    const feature = tender.features?.find((one) => one.code === code);
    if (!feature)
      return [problem([...path, "code"], "code should be one of feature code.", "unknown-parameter", "cross")];
    const offered = feature.enum?.some((option) => option.value === value);
    return offered
      ? []
      : [problem([...path, "value"], "value should be one of feature value.", "parameter-value", "cross")];
  });
  if (problems.length > 0) return problems;
  const codes = parameters.map(({ code }) => code);
  if (repeats(codes))
    return [problem(["parameters"], "Parameter code should be uniq for all parameters", "parameter-repeated", "cross")];
  const complete = wanted.length === codes.length && wanted.every(({ code }) => codes.includes(code));
  return complete ? [] : [INCOMPLETE];
}
