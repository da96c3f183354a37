import type { Path, Problem } from "../model/refusals.ts";
import { problem } from "../model/refusals.ts";
import type { Lot, Tender, Value } from "../model/tender.ts";
import type { Procedure } from "../procedures/procedure.ts";
import {
  checkEach,
  checkIfPresent,
  checkRequired,
  checkValue,
  firstProblem,
  hasDuplicates,
  idFormatMessage,
  tooShort,
  unknownReference,
} from "../validation.ts";
import { addDecimals, compareDecimals, minDecimal } from "../values/decimal.ts";

/** Rules for lots. Each has its own value, minimal step and guarantee, in the currency of the tender. */

const GUARANTEES_DIFFER = problem(
  ["lots"],
  "lot guarantee currency should be identical to tender guarantee currency",
  "currency-differs",
  "cross",
);

/** All guarantees must be in one currency, which is UAH by default. */
export function checkGuarantees(lots: readonly Pick<Lot, "guarantee">[]): readonly Problem[] {
  const currencies = new Set(lots.flatMap(({ guarantee }) => (guarantee ? [guarantee.currency ?? "UAH"] : [])));
  return currencies.size > 1 ? [GUARANTEES_DIFFER] : [];
}

type RequiredLotField = "title" | "value" | "minimalStep";

/** The problems of a tender's lots, and of the references to them in its items. */
export function checkLots(tender: Tender, required: readonly RequiredLotField[]): readonly Problem[] {
  const { lots } = tender;
  const problems = checkEach(lots, ["lots"], (lot, path) => checkLot(lot, path, required));
  if (hasDuplicates(lots.map(({ id }) => id)))
    problems.push(problem(["lots"], "Lot id should be uniq for all lots", "id-repeated", "cross"));
  problems.push(...checkGuarantees(lots));
  const items = checkEach(tender.items, ["items"], ({ relatedLot }, path) =>
    relatedLot === undefined || lots.some(({ id }) => id === relatedLot)
      ? []
      : [unknownReference([...path, "relatedLot"], "relatedLot", "lots")],
  );
  return [...problems, ...items];
}

function checkLot(lot: Lot, path: Path, required: readonly RequiredLotField[]): readonly Problem[] {
  const { id, title, value, minimalStep: step } = lot;
  const stepTooLarge = value?.amount && step?.amount && compareDecimals(step.amount, value.amount) > 0;
  return [
    ...checkRequired(lot, path, ...required),
    ...firstProblem(!/^[0-9a-f]{32}$/.test(id) && problem([...path, "id"], idFormatMessage(id), "id-format")),
    ...firstProblem(title === "" && tooShort([...path, "title"])),
    ...checkIfPresent(value, [...path, "value"], checkValue),
    ...checkIfPresent(step, [...path, "minimalStep"], checkValue),
    ...checkIfPresent(lot.guarantee, [...path, "guarantee"], checkValue),
    ...(stepTooLarge
      ? [problem([...path, "minimalStep"], "value should be less than value of lot", "step-exceeds-value", "cross")]
      : []),
  ];
}

/**
 * Converts the lots to the tender's currency and VAT. If the procedure says so, derives the amounts of the tender from its lots: the
 * sum of their values and guarantees, and the smallest of their steps. A tender without lots, or whose lots lack such an amount, is
 * returned unchanged.
 */
export function withLotTotals(tender: Tender, { lots: rules }: Procedure): Tender {
  const { lots, value, minimalStep = currencyAndVat(tender) } = tender;
  if (lots.length === 0 || !value) return tender;
  if (!rules?.sumUp) return { ...tender, lots: lots.map((lot) => withTenderCurrency(tender, lot)) };
  const amounts = lots.flatMap((lot) => lot.value?.amount ?? []);
  const steps = lots.flatMap((lot) => lot.minimalStep?.amount ?? []);
  if (amounts.length < lots.length || steps.length < lots.length) return tender;
  return {
    ...tender,
    value: { ...value, amount: addDecimals(...amounts) },
    minimalStep: { ...minimalStep, amount: minDecimal(...steps) },
    ...lotGuaranteeTotal(tender),
    lots: lots.map((lot) => withTenderCurrency(tender, lot)),
  };
}

function lotGuaranteeTotal({ lots, guarantee }: Tender): Pick<Tender, "guarantee"> {
  const guarantees = lots.flatMap((lot) => lot.guarantee ?? []);
  const amounts = guarantees.flatMap(({ amount }) => amount ?? []);
  if (amounts.length === 0) return guarantee ? { guarantee } : {};
  return {
    guarantee: { currency: guarantee?.currency ?? guarantees[0]?.currency ?? "UAH", amount: addDecimals(...amounts) },
  };
}

const currencyAndVat = ({ value }: Tender): Value => ({
  currency: value?.currency ?? "UAH",
  valueAddedTaxIncluded: value?.valueAddedTaxIncluded ?? true,
});

/** Replaces the currency and VAT of a lot's amounts by those of the tender. */
function withTenderCurrency(tender: Tender, lot: Lot): Lot {
  const inTenderCurrency = (value: Value): Value => ({ ...value, ...currencyAndVat(tender) });
  return {
    ...lot,
    ...(lot.value && { value: inTenderCurrency(lot.value) }),
    ...(lot.minimalStep && { minimalStep: inTenderCurrency(lot.minimalStep) }),
    ...(lot.guarantee && {
      guarantee: {
        currency: tender.guarantee?.currency ?? lot.guarantee.currency ?? "UAH",
        ...optionalAmount(lot.guarantee.amount),
      },
    }),
  };
}

const optionalAmount = (amount: Value["amount"]) => (amount === undefined ? {} : { amount });

/** The lot with this id, if there is one. */
export const findLot = (tender: Tender, lotID: string | undefined): Lot | undefined =>
  lotID === undefined ? undefined : tender.lots.find(({ id }) => id === lotID);

/** Whether the lot is active; also true if no lot is named. */
export const isLotActive = (tender: Tender, lotID: string | undefined): boolean =>
  lotID === undefined || findLot(tender, lotID)?.status === "active";

/** Whether a cancellation of this lot, even a pending one, prevents changes of the lot, its awards and its contracts. */
export const isBlockedByCancellation = (
  { lots }: Procedure,
  { cancellations }: Tender,
  lotID: string | undefined,
): boolean =>
  lots?.blockedByCancellation === true &&
  lotID !== undefined &&
  cancellations.some(({ relatedLot }) => relatedLot === lotID);
