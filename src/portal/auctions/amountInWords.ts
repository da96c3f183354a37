import type { Decimal } from "../../domain/values/decimal.ts";
import type { Language } from "../layout/languages.ts";
import { auctionMessagesIn } from "./auctionMessages.ts";

/** Amounts of money in words, so that a bidder notices a missing or an extra digit. Runs in browsers too. */

/** The longest amount that has words: up to trillions. */
const DIGITS_MAX = 15;

/**
 * The amount in words with its currency, such as "four hundred and eighty hryvnias 50 kopiykas". `undefined` for an amount that is
 * negative, larger than trillions, or has more than two decimal places.
 */
export function amountInWords(amount: Decimal, currency: string, language: Language): string | undefined {
  const [, digits, fraction = ""] = /^(\d+)(?:\.(\d{1,2}))?$/.exec(amount) ?? [];
  if (digits === undefined || digits.length > DIGITS_MAX) return undefined;
  const cents = fraction === "" ? "" : fraction.padEnd(2, "0");
  return auctionMessagesIn(language).amountInWords(digits, cents, currency);
}
