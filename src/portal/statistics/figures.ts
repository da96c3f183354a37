import { addDecimals, type Decimal, decimal, subtractDecimals } from "../../domain/values/decimal.ts";
import {
  AMOUNT_MEASURES,
  type AmountMeasure,
  COUNT_MEASURES,
  type Contribution,
  type CountMeasure,
} from "../../indexing/statistics.ts";

/** Sums of the statistics, and the figures that are derived from them. */

export type CountFigures = { readonly [measure in CountMeasure]: number };
/** Amounts in one currency. */
export type AmountFigures = { readonly [measure in AmountMeasure]: Decimal };

/** The sums of a group, such as a month or a region. */
export type Figures = {
  readonly counts: CountFigures;
  readonly amounts: ReadonlyMap<string, AmountFigures>;
};

const ZERO = decimal("0");

const noCounts = (): { [measure in CountMeasure]: number } => ({
  tenders: 0,
  openedTenders: 0,
  singleBidTenders: 0,
  bids: 0,
  decidedBids: 0,
  wonBids: 0,
  awards: 0,
  contracts: 0,
  timedContracts: 0,
  daysToContract: 0,
  complaints: 0,
});

/** Amounts of which all are zero. */
export const NO_AMOUNTS: AmountFigures = {
  value: ZERO,
  contractedValue: ZERO,
  expectedValue: ZERO,
  comparedValue: ZERO,
};

/** Adds up contributions of one group. */
export function figuresOf(contributions: Iterable<Contribution>): Figures {
  const sums = noCounts();
  const amountSums = new Map<string, AmountFigures>();
  for (const { counts, amounts, currency } of contributions) {
    for (const measure of COUNT_MEASURES) sums[measure] += counts[measure] ?? 0;
    if (!AMOUNT_MEASURES.some((measure) => amounts[measure] !== undefined)) continue;
    const before = amountSums.get(currency) ?? NO_AMOUNTS;
    const add = (measure: AmountMeasure): Decimal => addDecimals(before[measure], amounts[measure] ?? ZERO);
    amountSums.set(currency, {
      value: add("value"),
      contractedValue: add("contractedValue"),
      expectedValue: add("expectedValue"),
      comparedValue: add("comparedValue"),
    });
  }
  return { counts: sums, amounts: amountSums };
}

/** Adds up contributions by group. */
export function figuresBy(
  contributions: Iterable<Contribution>,
  groupOf: (contribution: Contribution) => string,
): ReadonlyMap<string, Figures> {
  const groups = Map.groupBy(contributions, groupOf);
  return new Map([...groups].map(([key, ofGroup]) => [key, figuresOf(ofGroup)]));
}

/** The figures of a group without contributions. */
export const NO_FIGURES: Figures = figuresOf([]);

/** The currencies with amounts, hryvnias first, then by code. */
export function currenciesOf(figures: Iterable<Figures>): readonly string[] {
  const currencies = new Set([...figures].flatMap(({ amounts }) => [...amounts.keys()]));
  return [...currencies].sort((a, b) => Number(b === "UAH") - Number(a === "UAH") || (a < b ? -1 : 1));
}

/** The amounts of a group in a currency. */
export const amountsIn = ({ amounts }: Figures, currency: string): AmountFigures => amounts.get(currency) ?? NO_AMOUNTS;

const ratio = (part: number, whole: number): number | undefined => (whole === 0 ? undefined : part / whole);

/** Opened bids for each tender that has any. */
export const bidsPerTender = ({ counts }: Figures): number | undefined => ratio(counts.bids, counts.openedTenders);
/** The share of tenders with a single bid among those with bids. */
export const singleBidShare = ({ counts }: Figures): number | undefined =>
  ratio(counts.singleBidTenders, counts.openedTenders);
/** The average days from publication to the signature of a contract. */
export const averageDays = ({ counts }: Figures): number | undefined =>
  ratio(counts.daysToContract, counts.timedContracts);
/** Opened bids that are not decided yet. */
export const undecidedBids = ({ counts }: Figures): number => counts.bids - counts.decidedBids;
/** The share of decided bids that won. A supplier can be awarded without the bid of its own that the award names. */
export const successRate = ({ counts }: Figures): number | undefined => {
  const rate = ratio(counts.wonBids, counts.decidedBids);
  return rate === undefined ? undefined : Math.min(1, rate);
};

/** By how much contracts are below the expected value; negative if they are above. */
export const savings = ({ expectedValue, comparedValue }: AmountFigures): Decimal =>
  subtractDecimals(expectedValue, comparedValue);
/** The savings as a share of the expected value. */
export const savingsShare = (amounts: AmountFigures): number | undefined =>
  ratio(Number(savings(amounts)), Number(amounts.expectedValue));
