import type { Tender } from "../domain/model/tender.ts";
import { addDecimals, type Decimal, decimal, subtractDecimals } from "../domain/values/decimal.ts";
import {
  AMOUNT_MEASURES,
  type AmountMeasure,
  COUNT_MEASURES,
  type Contribution,
  type CountMeasure,
  contributionsOf,
} from "./statistics.ts";

/** Sums of contributions. */

const ZERO = decimal("0");

type Sum = Pick<Contribution, "dimension" | "key" | "month" | "currency"> & {
  readonly counts: { [measure in CountMeasure]?: number };
  readonly amounts: { [measure in AmountMeasure]?: Decimal };
};

/** Identifies the sum that a contribution is added to. The key is last, because no other part can contain a bar. */
const sumId = ({ dimension, key, month, currency }: Contribution): string => `${dimension}|${currency}|${month}|${key}`;

function openSums() {
  const sums = new Map<string, Sum>();
  return {
    add(contribution: Contribution, sign: 1 | -1 = 1): void {
      const { dimension, key, month, currency, counts, amounts } = contribution;
      const id = sumId(contribution);
      const sum: Sum = sums.get(id) ?? { dimension, key, month, currency, counts: {}, amounts: {} };
      sums.set(id, sum);
      for (const measure of COUNT_MEASURES) {
        const count = counts[measure];
        if (count !== undefined) sum.counts[measure] = (sum.counts[measure] ?? 0) + sign * count;
      }
      for (const measure of AMOUNT_MEASURES) {
        const amount = amounts[measure];
        if (amount === undefined) continue;
        const before = sum.amounts[measure] ?? ZERO;
        sum.amounts[measure] = sign === 1 ? addDecimals(before, amount) : subtractDecimals(before, amount);
      }
    },
    results: (): readonly Contribution[] => [...sums.values()].flatMap((sum) => withoutZeros(sum) ?? []),
  };
}

/** The sum without measures that are zero; undefined if all are. */
function withoutZeros({ counts, amounts, ...rest }: Sum): Contribution | undefined {
  for (const measure of COUNT_MEASURES) if (counts[measure] === 0) delete counts[measure];
  for (const measure of AMOUNT_MEASURES) if (amounts[measure] === ZERO) delete amounts[measure];
  const isEmpty = Object.keys(counts).length === 0 && Object.keys(amounts).length === 0;
  return isEmpty ? undefined : { ...rest, counts, amounts };
}

/** Adds up contributions to the same dimension, key, month and currency. Zeros are left out. */
export function sumContributions(contributions: Iterable<Contribution>): readonly Contribution[] {
  const sums = openSums();
  for (const contribution of contributions) sums.add(contribution);
  return sums.results();
}

/** What has to be added to the sums so that they contain `after` instead of `before`. */
export function contributionDifference(
  before: Iterable<Contribution>,
  after: Iterable<Contribution>,
): readonly Contribution[] {
  const sums = openSums();
  for (const contribution of after) sums.add(contribution);
  for (const contribution of before) sums.add(contribution, -1);
  return sums.results();
}

/** The sums over all tenders with all their bids, in a fixed order, to compare counters with. */
export function recount(tenders: Iterable<Tender>): readonly Contribution[] {
  const sums = openSums();
  for (const tender of tenders) for (const contribution of contributionsOf(tender)) sums.add(contribution);
  return sortContributions(sums.results());
}

/** Sorts sums in the fixed order of `recount`. */
export const sortContributions = (sums: readonly Contribution[]): readonly Contribution[] =>
  sums.toSorted((a, b) => (sumId(a) < sumId(b) ? -1 : 1));
