import type { FeedParams, TenderFilters } from "../client/index.ts";
import { TENDER_STATUSES } from "../domain/model/tender.ts";
import type { Options, OptionValues } from "./command.ts";

/** What of the feed is wanted: options, and the names that the service has for them. */
const FILTERS: readonly (readonly [option: string, name: keyof TenderFilters, takes: string, means: string])[] = [
  ["status", "status", "STATUS,...", "only these statuses"],
  ["procuring-entity", "procuringEntity", "ID", "the identifier of who buys"],
  ["classification", "classification", "CODE,...", "the beginning of an item's code, as 5552"],
  ["value-min", "value_min", "AMOUNT", "of at least this value"],
  ["value-max", "value_max", "AMOUNT", "of at most this value"],
  ["currency", "currency", "CODE", "the currency of the value"],
  ["tender-id", "tenderID", "TENDERID", "the number that people know, as UA-2026-11-16-000001"],
  ["modified-from", "dateModified_from", "TIME", "changed then or later"],
  ["modified-to", "dateModified_to", "TIME", "changed then or earlier"],
  ["enquiries-end-from", "enquiryPeriod.endDate_from", "TIME", "questions end then or later"],
  ["enquiries-end-to", "enquiryPeriod.endDate_to", "TIME", "questions end then or earlier"],
  ["tendering-start-from", "tenderPeriod.startDate_from", "TIME", "bidding begins then or later"],
  ["tendering-start-to", "tenderPeriod.startDate_to", "TIME", "bidding begins then or earlier"],
  ["tendering-end-from", "tenderPeriod.endDate_from", "TIME", "bidding ends then or later"],
  ["tendering-end-to", "tenderPeriod.endDate_to", "TIME", "bidding ends then or earlier"],
];

export const MODE_OPTION: Options = {
  mode: {
    takes: "MODE",
    means: "real tenders, tests, or all of them",
    fallback: "real",
    choices: ["real", "test", "all"],
  },
};

export const FILTER_OPTIONS: Options = {
  ...Object.fromEntries(
    FILTERS.map(([option, , takes, means]) => [
      option,
      { takes, means, ...(option === "status" && { offers: TENDER_STATUSES }) },
    ]),
  ),
  ...MODE_OPTION,
};

type ModeParam = Pick<FeedParams, "mode">;

/** As they were typed: the service knows best what is wrong with them. */
export const filtersOf = (values: OptionValues): TenderFilters & ModeParam => ({
  ...Object.fromEntries(
    FILTERS.flatMap(([option, name]) => {
      const value = values[option];
      return typeof value === "string" ? [[name, value]] : [];
    }),
  ),
  ...modeOf(values),
});

/** The option that says what the service knows by a name. */
export const optionForParam = (name: string): string => FILTERS.find(([, param]) => param === name)?.[0] ?? name;

export function modeOf({ mode }: OptionValues): ModeParam {
  if (mode === "test") return { mode };
  return mode === "all" ? { mode: "_all_" } : {};
}
