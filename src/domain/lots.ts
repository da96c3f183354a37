import {
  checkValue,
  each,
  firstOf,
  hashProblem,
  inside,
  repeats,
  required,
  tooShort,
  unknownReference,
} from "./checking.ts";
import { addDecimals, compareDecimals, minDecimal } from "./money.ts";
import type { Path, Problem } from "./refusals.ts";
import { problem } from "./refusals.ts";
import type { Lot, Tender, Value } from "./tender.ts";

/** A tender may be split into lots: each has its own value and step, in the money of the tender. */

const GUARANTEES_DIFFER = problem(
  ["lots"],
  "lot guarantee currency should be identical to tender guarantee currency",
  "currency-differs",
  "cross",
);

/** A guarantee that says no currency is in UAH. */
export function checkGuarantees(lots: readonly Pick<Lot, "guarantee">[]): readonly Problem[] {
  const currencies = new Set(lots.flatMap(({ guarantee }) => (guarantee ? [guarantee.currency ?? "UAH"] : [])));
  return currencies.size > 1 ? [GUARANTEES_DIFFER] : [];
}

export function checkLots(tender: Tender): readonly Problem[] {
  const { lots } = tender;
  const problems = each(lots, ["lots"], checkLot);
  if (repeats(lots.map(({ id }) => id)))
    problems.push(problem(["lots"], "Lot id should be uniq for all lots", "id-repeated", "cross"));
  problems.push(...checkGuarantees(lots));
  const items = each(tender.items, ["items"], ({ relatedLot }, path) =>
    relatedLot === undefined || lots.some(({ id }) => id === relatedLot)
      ? []
      : [unknownReference([...path, "relatedLot"], "relatedLot", "lots")],
  );
  return [...problems, ...items];
}

function checkLot(lot: Lot, path: Path): readonly Problem[] {
  const { id, title, value, minimalStep: step } = lot;
  const stepTooLarge = value?.amount && step?.amount && compareDecimals(step.amount, value.amount) > 0;
  return [
    ...required(lot, path, "title", "value", "minimalStep"),
    ...firstOf(!/^[0-9a-f]{32}$/.test(id) && problem([...path, "id"], hashProblem(id), "id-format")),
    ...firstOf(title === "" && tooShort([...path, "title"])),
    ...inside(value, [...path, "value"], checkValue),
    ...inside(step, [...path, "minimalStep"], checkValue),
    ...inside(lot.guarantee, [...path, "guarantee"], checkValue),
    ...(stepTooLarge
      ? [problem([...path, "minimalStep"], "value should be less than value of lot", "step-exceeds-value", "cross")]
      : []),
  ];
}

/**
 * Amounts of the whole follow from the lots: the sum of their values, the smallest of their steps, which the tender need
 * not have of its own.
 */
export function withSumsOfLots(tender: Tender): Tender {
  const { lots, value, minimalStep = moneyOf(tender) } = tender;
  if (lots.length === 0 || !value) return tender;
  const amounts = lots.flatMap((lot) => lot.value?.amount ?? []);
  const steps = lots.flatMap((lot) => lot.minimalStep?.amount ?? []);
  if (amounts.length < lots.length || steps.length < lots.length) return tender;
  return {
    ...tender,
    value: { ...value, amount: addDecimals(...amounts) },
    minimalStep: { ...minimalStep, amount: minDecimal(...steps) },
    ...withGuaranteeOfLots(tender),
    lots: lots.map((lot) => inTendersMoney(tender, lot)),
  };
}

function withGuaranteeOfLots({ lots, guarantee }: Tender): Pick<Tender, "guarantee"> {
  const guarantees = lots.flatMap((lot) => lot.guarantee ?? []);
  const amounts = guarantees.flatMap(({ amount }) => amount ?? []);
  if (amounts.length === 0) return guarantee ? { guarantee } : {};
  return {
    guarantee: { currency: guarantee?.currency ?? guarantees[0]?.currency ?? "UAH", amount: addDecimals(...amounts) },
  };
}

const moneyOf = ({ value }: Tender): Value => ({
  currency: value?.currency ?? "UAH",
  valueAddedTaxIncluded: value?.valueAddedTaxIncluded ?? true,
});

/** Whatever currency or VAT a lot was sent with, the tender's hold. */
function inTendersMoney(tender: Tender, lot: Lot): Lot {
  const money = (value: Value): Value => ({ ...value, ...moneyOf(tender) });
  return {
    ...lot,
    ...(lot.value && { value: money(lot.value) }),
    ...(lot.minimalStep && { minimalStep: money(lot.minimalStep) }),
    ...(lot.guarantee && {
      guarantee: {
        currency: tender.guarantee?.currency ?? lot.guarantee.currency ?? "UAH",
        ...only(lot.guarantee.amount),
      },
    }),
  };
}

const only = (amount: Value["amount"]) => (amount === undefined ? {} : { amount });
