import type * as domain from "../../domain/model/tender.ts";
import { amount, field, flag, instant, readOnly, type ShapeOf, text } from "../fields.ts";

/** Money and time. */

const CURRENCY = "Currency, three characters as in ISO 4217.";

export const valueShapes = {
  Value: {
    amount: field(
      amount,
      "Amount of money, 0 or more, in units of `currency`. A decimal of any precision: it is stored and compared exactly, and " +
        "always shown with a fraction, as in 500000.0. Set by the client.",
      500000,
    ),
    currency: field(
      text,
      `${CURRENCY} Set by the client; if absent, a bid, an award or a contract takes the tender's, and a tender \`UAH\`.`,
      "UAH",
    ),
    valueAddedTaxIncluded: field(
      flag,
      "Whether `amount` includes value-added tax. Set by the client; if absent, a bid, an award or a contract takes the " +
        "tender's flag, and a tender `true`.",
      true,
    ),
  } satisfies ShapeOf<domain.Value>,
  Guarantee: {
    amount: field(amount, "Amount of money, 0 or more, in units of `currency`. Set by the owner.", 10000),
    currency: field(text, `${CURRENCY} Set by the owner, \`UAH\` if absent; the same for all lots of a tender.`, "UAH"),
  } satisfies ShapeOf<domain.Guarantee>,
  Period: {
    startDate: field(
      instant,
      "Beginning of the period, included: ISO 8601, read in the registry's time zone if no offset is given.",
      "2026-11-23T10:00:00+02:00",
    ),
    endDate: field(
      instant,
      "End of the period, not before `startDate`: ISO 8601, read in the registry's time zone if no offset is given.",
      "2026-11-30T10:00:00+02:00",
    ),
  } satisfies ShapeOf<domain.Period>,
  AuctionPeriod: {
    startDate: field(instant, "When the auction starts. Set by the scheduler.", "2026-12-01T11:00:00+02:00"),
    endDate: field(
      instant,
      "When the auction ended. Set by the service when the results are reported.",
      "2026-12-01T11:36:18.402199+02:00",
    ),
    shouldStartAfter: readOnly(
      instant,
      "Earliest time for which the auction may be planned: the midnight after the tender period, or after an auction that " +
        "failed. Computed by the service; shown until the auction has ended.",
      "2026-12-01T00:00:00+02:00",
    ),
  },
};
