import type { OcdsObject } from "./ocdsValues.ts";
import { walkValue } from "./walk.ts";

/** The dates of events: what has happened when it is published. Periods and the date of a review may be plans. */
export const EVENT_DATES: ReadonlySet<string> = new Set([
  "date",
  "datePriceSet",
  "datePublished",
  "dateModified",
  "dateSigned",
  "dateSubmitted",
  "dateAnswered",
  "dateTendererAction",
  "dateEscalated",
  "dateAccepted",
  "dateDecision",
  "dateCancelled",
]);

/** The date of the latest event, if there is one. All dates must be in UTC, as those that `dateOf` writes. */
export function latestEvent(content: OcdsObject): string | undefined {
  let latest: string | undefined;
  walkValue(content, (value, _path, name) => {
    if (typeof value === "string" && EVENT_DATES.has(name) && (latest === undefined || value > latest)) latest = value;
  });
  return latest;
}
