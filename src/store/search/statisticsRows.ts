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

type Addition = Omit<StoredSum, "sum"> & { count: number; readonly amounts: Decimal[] };

/** What contributions add to each sum. Sums that stay the same have no row. */
export function storedSumsOf(contributions: readonly Contribution[]): readonly StoredSum[] {
  const additions = new Map<string, Addition>();
  const additionTo = (contribution: Contribution, measure: StoredSum["measure"]): Addition => {
    const { dimension, key, month, currency } = contribution;
    // The key is last, because no other part can contain a bar.
    const id = `${dimension}|${month}|${currency}|${measure}|${key}`;
    const known = additions.get(id);
    if (known) return known;
    const addition = { dimension, key, month, currency, measure, count: 0, amounts: [] };
    additions.set(id, addition);
    return addition;
  };
  for (const contribution of contributions) {
    const { counts, amounts } = contribution;
    for (const measure of COUNT_MEASURES) {
      const count = counts[measure];
      if (count) additionTo(contribution, measure).count += count;
    }
    for (const measure of AMOUNT_MEASURES) {
      const amount = amounts[measure];
      if (amount !== undefined) additionTo(contribution, measure).amounts.push(amount);
    }
  }
  return [...additions.values()].flatMap(({ count, amounts, ...rest }) => {
    const sum = amounts.length > 0 ? addDecimals(...amounts) : decimal(String(count));
    return sum === "0" ? [] : [{ ...rest, sum }];
  });
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
