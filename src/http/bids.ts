import type { BidSent, Command } from "../domain/commands.ts";
import { mayHoldSealedBids } from "../domain/sealing.ts";
import type { Bid, Tender } from "../domain/tender.ts";
import { bidsSeenBy } from "../domain/visibility.ts";
import { type Answer, CANNOT_VIEW } from "./answers.ts";
import { withLinks } from "./documents.ts";
import { change, created, type Exchange, found, foundAll } from "./exchange.ts";

export const linkedBid = (tender: Tender, bid: Bid): unknown => ({
  ...bid,
  documents: withLinks(bid.documents, `/tenders/${tender.id}/bids/${bid.id}`),
});

const bidOf = (tender: Tender, id: string): Bid => tender.bids.find((bid) => bid.id === id)!;

export async function listBids(exchange: Exchange): Promise<Answer> {
  const tender = exchange.tender!;
  const { manners, statusName } = exchange.dialect;
  if (manners.hidden === "refused" && mayHoldSealedBids(tender)) return CANNOT_VIEW("bids", statusName(tender.status));
  const seen = bidsSeenBy(tender, exchange.actor);
  return foundAll(
    exchange,
    "Bid",
    seen.map((bid) => linkedBid(tender, bid)),
  );
}

export async function showBid(exchange: Exchange): Promise<Answer> {
  const { tender, params } = exchange;
  return found(exchange, "Bid", linkedBid(tender!, bidOf(tender!, params.bid_id!)));
}

export async function placeBid(exchange: Exchange): Promise<Answer> {
  const sent = exchange.dialect.readNew<BidSent>("Bid", exchange.body!.data);
  return change(exchange, "Bid", { kind: "place bid", sent }, ({ tender, id, token }) =>
    created(exchange, "Bid", linkedBid(tender, bidOf(tender, id!)), id!, token),
  );
}

export async function changeBid(exchange: Exchange): Promise<Answer> {
  const { params, dialect, body } = exchange;
  const bid = params.bid_id!;
  const read = (tender: Tender): Command => {
    const sent = dialect.readPatch<BidSent>("Bid", body!.data, tender.bids.find(({ id }) => id === bid) ?? {});
    return { kind: "change bid", bid, sent };
  };
  return change(exchange, "Bid", { read }, (done) =>
    found(exchange, "Bid", linkedBid(done.tender, bidOf(done.tender, bid))),
  );
}

export async function withdrawBid(exchange: Exchange): Promise<Answer> {
  return change(exchange, "Bid", { kind: "withdraw bid", bid: exchange.params.bid_id! }, ({ tender, removed }) =>
    found(exchange, "Bid", linkedBid(tender, removed as Bid)),
  );
}
