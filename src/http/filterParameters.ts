/** How the API descriptions speak of filters. */

const filter = (name: string, description: string) => ({ name, in: "query", description, schema: { type: "string" } });

const dates = <Field extends string>(field: Field, what: string) =>
  ({
    [`${field}_from`]: filter(`${field}_from`, `${what} at this time or later; a date means the beginning of that day`),
    [`${field}_to`]: filter(`${field}_to`, `${what} at this time or earlier; a date means the end of that day`),
  }) as { readonly [name in `${Field}_${"from" | "to"}`]: ReturnType<typeof filter> };

export const FILTER_PARAMETERS = {
  status: filter("status", "Only tenders in one of these statuses, separated by commas"),
  procuringEntity: filter("procuringEntity", "Only tenders of the buyer whose identifier has this id"),
  classification: filter(
    "classification",
    "Only tenders with an item whose classification begins with one of these, separated by commas",
  ),
  value_min: filter("value_min", "Only tenders of at least this value"),
  value_max: filter("value_max", "Only tenders of at most this value"),
  currency: filter("currency", "Only tenders whose value is in this currency"),
  tenderID: filter("tenderID", "Only the tender with this number"),
  ...dates("dateModified", "Only tenders that last changed"),
  ...dates("enquiryPeriod.endDate", "Only tenders whose enquiries end"),
  ...dates("tenderPeriod.startDate", "Only tenders whose bids are taken from"),
  ...dates("tenderPeriod.endDate", "Only tenders whose bids are taken until"),
};
