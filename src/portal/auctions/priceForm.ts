import { type Decimal, parseDecimal } from "../../domain/values/decimal.ts";

/** Reads what bidders type into the price form. Runs in browsers too. */

/** What the form asks for. An amount that is not a number is `invalid`. */
export type PriceFormRequest =
  | { readonly action: "place"; readonly amount: Decimal; readonly confirmed: boolean }
  | { readonly action: "take back" }
  | { readonly action: "invalid"; readonly amount: string };

const LENGTH_MAX = 40;
const TYPED_AMOUNT = /^\d+(?:\.\d*)?$|^\.\d+$/;

/**
 * The amount that somebody typed: digits with a comma or a point before the decimals, and spaces or apostrophes between thousands.
 * `undefined` for anything else, such as two separators: `1,234.50` could be a mistake, so it is not guessed.
 */
export function parseTypedAmount(text: string): Decimal | undefined {
  if (text.length > LENGTH_MAX) return undefined;
  const digits = text.replace(/[\s'’]/g, "").replace(",", ".");
  return TYPED_AMOUNT.test(digits) ? parseDecimal(digits) : undefined;
}

/**
 * Reads the form as it is sent without scripts. `confirmed` names the amount that the bidder has confirmed: another amount that is
 * typed afterwards is not confirmed with it.
 */
export function readPriceForm(fields: URLSearchParams): PriceFormRequest {
  if (fields.get("action") === "take-back") return { action: "take back" };
  const typed = fields.get("amount") ?? "";
  const amount = parseTypedAmount(typed);
  if (amount === undefined) return { action: "invalid", amount: typed.slice(0, LENGTH_MAX) };
  return { action: "place", amount, confirmed: fields.get("confirmed") === amount };
}
