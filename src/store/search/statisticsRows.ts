import { type Decimal, decimal } from "../../domain/values/decimal.ts";
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

/** The rows that a contribution is added to; measures without a value have none. */
export const storedSumsOf = ({ counts, amounts, ...key }: Contribution): readonly StoredSum[] => [
  ...COUNT_MEASURES.flatMap((measure) => {
    const count = counts[measure] ?? 0;
    return count === 0 ? [] : [{ ...key, measure, sum: decimal(String(count)) }];
  }),
  ...AMOUNT_MEASURES.flatMap((measure) => {
    const sum = amounts[measure];
    return sum === undefined || sum === "0" ? [] : [{ ...key, measure, sum }];
  }),
];

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
