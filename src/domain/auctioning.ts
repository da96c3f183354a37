import { isIn, owns } from "./actors.ts";
import { withDates } from "./bidding.ts";
import { each } from "./checking.ts";
import type { AuctionSent, Command, Context, Patch } from "./commands.ts";
import type { Outcome } from "./decide.ts";
import { merge } from "./merge.ts";
import { accepts, procedureOf } from "./procedures/index.ts";
import type { Decided, Problem } from "./refusals.ts";
import { forbidden, invalid, problem, wrongStatus } from "./refusals.ts";
import { ok } from "./result.ts";
import type { Bid, Tender } from "./tender.ts";

/** The auction reports what each bid came to: bid by bid in their order, or by their ids. */
export function reportAuction(
  tender: Tender,
  { sent }: Extract<Command, { kind: "report auction" }>,
  { actor, at }: Context,
): Decided<Outcome> {
  const mayReport = isIn(actor, "auction") || (tender.procedure === "basic" && owns(actor, tender));
  if (!mayReport) return forbidden();
  const results = sent.fields.bids;
  if (!accepts(tender, "report auction")) {
    return invalid(sent.problems, []) ?? wrongStatus("report auction results", "tender", tender);
  }
  const mismatch = results ? checkMatch(results, tender) : [];
  const bids = results && mismatch.length === 0 ? withResults(tender.bids, results, at) : tender.bids;
  const wrong = invalid(sent.problems, [
    ...mismatch,
    ...each(bids, ["bids"], (bid, path) =>
      procedureOf(tender)
        .checkBid(bid, tender)
        .map((one) => ({ ...one, path: [...path, ...one.path] })),
    ),
  ]);
  return wrong ?? ok({ tender: { ...tender, bids } });
}

type Results = NonNullable<Patch<AuctionSent>["bids"]>;

function checkMatch(results: Results, { bids }: Tender): Problem[] {
  if (results.length !== bids.length)
    return [problem(["bids"], "Number of auction results did not match the number of tender bids", "cross")];
  const ids = results.map(({ id }) => id).filter((id) => id !== undefined && id !== null);
  const known = new Set(bids.map(({ id }) => id));
  const strange = ids.length > 0 && (new Set(ids).size !== ids.length || ids.some((id) => !known.has(id)));
  return strange ? [problem(["bids"], "Auction bids should be identical to the tender bids", "cross")] : [];
}

function withResults(bids: readonly Bid[], results: Results, at: number): readonly Bid[] {
  const named = results.some(({ id }) => id);
  return bids.map((bid, i) => {
    const result = named ? results.find(({ id }) => id === bid.id) : results[i];
    const value = result?.value;
    return value ? withDates(bid, { ...bid, value: merge(bid.value, value) }, at) : bid;
  });
}
