/** How the API descriptions speak of filters. */

const filterParameter = (name: string, description: string, example: string) =>
  ({ name, in: "query", description, schema: { type: "string" }, example }) as const;

const dateParameters = <Field extends string>(field: Field, phrase: string) =>
  ({
    [`${field}_from`]: filterParameter(
      `${field}_from`,
      `Lists only tenders ${phrase} at this time or later: ISO 8601; a date means the beginning of that day.`,
      "2026-11-16",
    ),
    [`${field}_to`]: filterParameter(
      `${field}_to`,
      `Lists only tenders ${phrase} at this time or earlier: ISO 8601; a date means the end of that day.`,
      "2026-11-30",
    ),
    // The compiler widens computed names to `string`.
  }) as { readonly [name in `${Field}_${"from" | "to"}`]: ReturnType<typeof filterParameter> };

export const FILTER_PARAMETERS = {
  status: filterParameter(
    "status",
    "Lists only tenders in one of these statuses, separated by commas.",
    "active.enquiries,active.auction",
  ),
  procuringEntity: filterParameter(
    "procuringEntity",
    "Lists only tenders of the buyer whose identifier has this number.",
    "21725150",
  ),
  classification: filterParameter(
    "classification",
    "Lists only tenders with an item whose primary classification begins with one of these codes, separated by commas.",
    "555,1580",
  ),
  value_min: filterParameter(
    "value_min",
    "Lists only tenders whose value is at least this amount, in any currency.",
    "100000",
  ),
  value_max: filterParameter(
    "value_max",
    "Lists only tenders whose value is at most this amount, in any currency.",
    "1000000.50",
  ),
  currency: filterParameter("currency", "Lists only tenders whose value is in this currency.", "UAH"),
  tenderID: filterParameter(
    "tenderID",
    "Lists only the tender with this official number, real or test.",
    "UA-2026-11-16-000001",
  ),
  ...dateParameters("dateModified", "that last changed"),
  ...dateParameters("enquiryPeriod.endDate", "whose enquiries end"),
  ...dateParameters("tenderPeriod.startDate", "that accept bids from"),
  ...dateParameters("tenderPeriod.endDate", "that accept bids until"),
};
