/** How the API descriptions speak of filters. */

const filterParameter = (name: string, description: string) => ({
  name,
  in: "query",
  description,
  schema: { type: "string" },
});

const dateParameters = <Field extends string>(field: Field, phrase: string) =>
  ({
    [`${field}_from`]: filterParameter(
      `${field}_from`,
      `${phrase} at this time or later; a date means the beginning of that day`,
    ),
    [`${field}_to`]: filterParameter(
      `${field}_to`,
      `${phrase} at this time or earlier; a date means the end of that day`,
    ),
  }) as { readonly [name in `${Field}_${"from" | "to"}`]: ReturnType<typeof filterParameter> };

export const FILTER_PARAMETERS = {
  status: filterParameter("status", "Only tenders in one of these statuses, separated by commas"),
  procuringEntity: filterParameter("procuringEntity", "Only tenders of the buyer whose identifier has this id"),
  classification: filterParameter(
    "classification",
    "Only tenders with an item whose classification begins with one of these, separated by commas",
  ),
  value_min: filterParameter("value_min", "Only tenders of at least this value"),
  value_max: filterParameter("value_max", "Only tenders of at most this value"),
  currency: filterParameter("currency", "Only tenders whose value is in this currency"),
  tenderID: filterParameter("tenderID", "Only the tender with this number"),
  ...dateParameters("dateModified", "Only tenders that last changed"),
  ...dateParameters("enquiryPeriod.endDate", "Only tenders whose enquiries end"),
  ...dateParameters("tenderPeriod.startDate", "Only tenders whose bids are taken from"),
  ...dateParameters("tenderPeriod.endDate", "Only tenders whose bids are taken until"),
};
