import type { AmountColumnId, CountColumnId } from "./statisticsTables.ts";

/** What is drawn of procedures, divisions and regions: the reader chooses one measure with the parameter `measure`. */

/** The names of the measures, as in the address. The first one is shown if the address names none. */
export const MEASURES = ["volume", "competition", "savings", "time", "complaints"] as const;
export type StatisticsMeasure = (typeof MEASURES)[number];

export const DEFAULT_MEASURE: StatisticsMeasure = MEASURES[0];

/** The columns of the tables that each measure draws. All columns of the tables are drawn by one of them. */
export const MEASURED_COLUMNS: {
  readonly [measure in StatisticsMeasure]: {
    readonly counts: readonly CountColumnId[];
    readonly amounts: readonly AmountColumnId[];
  };
} = {
  volume: { counts: ["tenders"], amounts: ["value"] },
  competition: { counts: ["bidsPerTender", "singleBidShare"], amounts: [] },
  savings: { counts: [], amounts: ["savings", "savingsShare"] },
  time: { counts: ["contracts", "averageDays"], amounts: ["contractedValue"] },
  complaints: { counts: ["complaints"], amounts: [] },
};

/** The parameter that names the measure. */
export const MEASURE_PARAMETER = "measure";

/** A measure that there is not, or several. The texts of the rules are in the message catalogue. */
export type MeasureProblem = {
  readonly parameter: typeof MEASURE_PARAMETER;
  readonly value: string;
  readonly rule: "measure" | "repeated";
};

/** Reads the measure from the query. With problems, it is the default one. */
export function readMeasure(query: URLSearchParams): {
  readonly measure: StatisticsMeasure;
  readonly problems: readonly MeasureProblem[];
} {
  // An empty field of a form is the same as none.
  const values = query.getAll(MEASURE_PARAMETER).filter((value) => value !== "");
  const [value = DEFAULT_MEASURE] = values;
  const measure = MEASURES.find((name) => name === value);
  if (measure !== undefined && values.length <= 1) return { measure, problems: [] };
  const rule = values.length > 1 ? "repeated" : "measure";
  return { measure: DEFAULT_MEASURE, problems: [{ parameter: MEASURE_PARAMETER, value, rule }] };
}
