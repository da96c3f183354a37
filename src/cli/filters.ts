import type { FeedParams, TenderFilters } from "../client/index.ts";
import { TENDER_STATUSES } from "../domain/model/tender.ts";
import type { Options, OptionValues } from "./command.ts";

/** The options that filter the feed, and the query parameters they are sent as. */
const FILTERS: readonly (readonly [option: string, name: keyof TenderFilters, takes: string, description: string])[] = [
  ["status", "status", "STATUS,...", "only these statuses"],
  ["procuring-entity", "procuringEntity", "ID", "the identifier of the buyer"],
  ["classification", "classification", "CODE,...", "the beginning of an item's classification code, such as 5552"],
  ["value-min", "value_min", "AMOUNT", "the lowest value"],
  ["value-max", "value_max", "AMOUNT", "the highest value"],
  ["currency", "currency", "CODE", "the currency of the value"],
  ["tender-id", "tenderID", "TENDERID", "the public number, such as UA-2026-11-16-000001"],
  ["modified-from", "dateModified_from", "TIME", "changed at this time or later"],
  ["modified-to", "dateModified_to", "TIME", "changed at this time or earlier"],
  ["enquiries-end-from", "enquiryPeriod.endDate_from", "TIME", "enquiries end at this time or later"],
  ["enquiries-end-to", "enquiryPeriod.endDate_to", "TIME", "enquiries end at this time or earlier"],
  ["tendering-start-from", "tenderPeriod.startDate_from", "TIME", "bidding starts at this time or later"],
  ["tendering-start-to", "tenderPeriod.startDate_to", "TIME", "bidding starts at this time or earlier"],
  ["tendering-end-from", "tenderPeriod.endDate_from", "TIME", "bidding ends at this time or later"],
  ["tendering-end-to", "tenderPeriod.endDate_to", "TIME", "bidding ends at this time or earlier"],
];

export const MODE_OPTION: Options = {
  mode: {
    takes: "MODE",
    description: "real tenders, test tenders or both",
    fallback: "real",
    choices: ["real", "test", "all"],
  },
};

export const FILTER_OPTIONS: Options = {
  ...Object.fromEntries(
    FILTERS.map(([option, , takes, description]) => [
      option,
      { takes, description, ...(option === "status" && { offers: TENDER_STATUSES }) },
    ]),
  ),
  ...MODE_OPTION,
};

type ModeParam = Pick<FeedParams, "mode">;

/** The filters as typed. The registry validates them. */
export const filtersOf = (values: OptionValues): TenderFilters & ModeParam => ({
  ...Object.fromEntries(
    FILTERS.flatMap(([option, name]) => {
      const value = values[option];
      return typeof value === "string" ? [[name, value]] : [];
    }),
  ),
  ...modeOf(values),
});

/** The option that is sent as this query parameter. */
export const optionForParam = (name: string): string =>
  FILTERS.find(([, param]) => param === name)?.[0] ?? name.replaceAll("_", "-");

/** The query parameter `mode` for the option --mode. */
export function modeOf({ mode }: OptionValues): ModeParam {
  if (mode === "test") return { mode };
  return mode === "all" ? { mode: "_all_" } : {};
}
