import { addDecimals, type Decimal, decimal } from "../../domain/values/decimal.ts";
import {
  AMOUNT_MEASURES,
  type AmountMeasure,
  COUNT_MEASURES,
  type Contribution,
  type CountMeasure,
} from "../../indexing/statistics.ts";

/** The sum of one measure, as the database has it. */
export type StoredSum = {
  readonly dimension: Contribution["dimension"];
  readonly key: string;
  readonly month: string;
  readonly currency: string;
  readonly measure: CountMeasure | AmountMeasure;
  readonly sum: Decimal;
};

/** What is added to the sums of one dimension, key, month and currency. */
type Addition = {
  readonly to: Pick<Contribution, "dimension" | "key" | "month" | "currency">;
  readonly counts: Map<CountMeasure, number>;
  readonly amounts: Map<AmountMeasure, Decimal[]>;
};

/** What contributions add to each sum. Sums that stay the same have no row. */
export function storedSumsOf(contributions: readonly Contribution[]): readonly StoredSum[] {
  const additions = new Map<string, Addition>();
  for (const contribution of contributions) {
    const { dimension, key, month, currency, counts, amounts } = contribution;
    // The key is last, because no other part can contain a bar.
    const id = `${dimension}|${month}|${currency}|${key}`;
    const addition = additions.get(id) ?? { to: contribution, counts: new Map(), amounts: new Map() };
    additions.set(id, addition);
    // Contributions have either counts and no currency, or amounts in their currency.
    if (currency === "") addCounts(addition, counts);
    else addAmounts(addition, amounts);
  }
  return [...additions.values()].flatMap(sumsOfAddition);
}

function addCounts({ counts: sums }: Addition, counts: Contribution["counts"]): void {
  for (const measure of COUNT_MEASURES) {
    const count = counts[measure];
    if (count) sums.set(measure, (sums.get(measure) ?? 0) + count);
  }
}

function addAmounts({ amounts: lists }: Addition, amounts: Contribution["amounts"]): void {
  for (const measure of AMOUNT_MEASURES) {
    const amount = amounts[measure];
    if (amount === undefined) continue;
    const list = lists.get(measure);
    if (list) list.push(amount);
    else lists.set(measure, [amount]);
  }
}

function sumsOfAddition({ to: { dimension, key, month, currency }, counts, amounts }: Addition): readonly StoredSum[] {
  const sums: StoredSum[] = [];
  const add = (measure: StoredSum["measure"], sum: Decimal) => {
    if (sum !== "0") sums.push({ dimension, key, month, currency, measure, sum });
  };
  for (const [measure, count] of counts) add(measure, decimal(String(count)));
  for (const [measure, list] of amounts) add(measure, addDecimals(...list));
  return sums;
}

/** Joins the rows of each sum. Rows of the same sum follow one another. */
export function contributionsIn(rows: readonly StoredSum[]): readonly Contribution[] {
  const sums: (Omit<Contribution, "counts" | "amounts"> & {
    readonly counts: { [measure in CountMeasure]?: number };
    readonly amounts: { [measure in AmountMeasure]?: Decimal };
  })[] = [];
  for (const { dimension, key, month, currency, measure, sum } of rows) {
    let last = sums.at(-1);
    const isSame =
      last?.dimension === dimension && last.key === key && last.month === month && last.currency === currency;
    if (!last || !isSame) {
      last = { dimension, key, month, currency, counts: {}, amounts: {} };
      sums.push(last);
    }
    if (isAmount(measure)) last.amounts[measure] = sum;
    else last.counts[measure] = Number(sum);
  }
  return sums;
}

const isAmount = (measure: string): measure is AmountMeasure => AMOUNT_MEASURES.some((name) => name === measure);
