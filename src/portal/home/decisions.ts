import { addDecimals, type Decimal } from "../../domain/values/decimal.ts";
import type { TenderView } from "../../views/visibility.ts";
import { type LinkedOrganization, winnersOf } from "../organizations/profile.ts";

/** What was decided in a tender: who won, and for how much. */
export type TenderDecision = {
  readonly winners: readonly LinkedOrganization[];
  /** Whether the amounts are those of signed contracts; otherwise they are those of awards. */
  readonly isSigned: boolean;
  /** The sum in each currency. */
  readonly amounts: readonly { readonly amount: Decimal; readonly currency: string }[];
};

/** The decision from the public view of a tender; undefined if nobody has won. */
export function decisionOf({
  awards,
  contracts,
}: Pick<TenderView, "awards" | "contracts">): TenderDecision | undefined {
  const accepted = awards.filter(({ status }) => status === "active");
  if (accepted.length === 0) return undefined;
  const signed = new Map(
    contracts.flatMap((contract) =>
      contract.status === "active" || contract.status === "terminated" ? [[contract.awardID, contract]] : [],
    ),
  );
  const sums = new Map<string, Decimal>();
  for (const award of accepted) {
    const { amount, currency = "" } = signed.get(award.id)?.value ?? award.value ?? {};
    if (amount === undefined) continue;
    const sum = sums.get(currency);
    sums.set(currency, sum === undefined ? amount : addDecimals(sum, amount));
  }
  return {
    winners: winnersOf({ awards }),
    isSigned: accepted.every(({ id }) => signed.has(id)),
    amounts: [...sums].map(([currency, amount]) => ({ amount, currency })),
  };
}
