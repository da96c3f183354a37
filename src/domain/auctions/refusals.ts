import type { TimeWindow } from "../model/refusals.ts";
import type { Decimal } from "../values/decimal.ts";
import type { PriceRule, StageRule } from "./auctionRules.ts";
import type { AuctionTurn } from "./model.ts";

/** What a bidder needs to know about a refused price. */
type RefusedPriceDetails = {
  /** The highest price that is allowed; absent if none is. */
  readonly highestAllowed?: Decimal;
  /** The last turn of the bidder that has ended. */
  readonly missedTurn?: AuctionTurn;
  /** When the bidder may place its next price, if that is known. */
  readonly window?: TimeWindow;
};

/** Why an auction refuses a command. It is only for the one who sent it. */
export type AuctionRefusal = { readonly message: string } & RefusedPriceDetails &
  (
    | { readonly kind: "price"; readonly rule: PriceRule; readonly field: "amount" | "confirmed" }
    | { readonly kind: "stage"; readonly rule: StageRule }
  );

/** A refusal because of the price. */
export const priceRefusal = (
  rule: PriceRule,
  message: string,
  highestAllowed: Decimal | undefined,
  field: "amount" | "confirmed" = "amount",
): AuctionRefusal => ({ kind: "price", rule, field, message, ...(highestAllowed && { highestAllowed }) });

/** A refusal because of the stage or of the bidder. */
export const stageRefusal = (rule: StageRule, message: string, details: RefusedPriceDetails = {}): AuctionRefusal => ({
  kind: "stage",
  rule,
  message,
  ...details,
});
