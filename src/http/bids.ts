import { refusedPlacing } from "../domain/bidding.ts";
import type { BidSent, Command, NewBidSent, UploadedFile } from "../domain/commands.ts";
import { mayHoldSealedBids } from "../domain/sealing.ts";
import type { Bid, Tender } from "../domain/tender.ts";
import { linkedBid } from "../views/publicTender.ts";
import { bidsSeenBy } from "../views/visibility.ts";
import { type Answer, answerTo, CANNOT_VIEW } from "./answers.ts";
import { created, found, foundAll } from "./dataResponses.ts";
import type { Exchange, ViewPorts } from "./exchange.ts";
import { type RegistrationPorts, withUploads } from "./registering.ts";
import { attempt, change, type RegistryPort } from "./runCommand.ts";

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

/** A bid and the documents that it brings are one change: all of them are there, or nothing is. */
export async function placeBid(exchange: Exchange<RegistrationPorts & ViewPorts>): Promise<Answer> {
  const { dialect, ports, tender, actor, now, body } = exchange;
  const sent = dialect.readNew<NewBidSent>("Bid", body!.data);
  const place = (files: readonly UploadedFile[], newKeys: readonly string[]) =>
    attempt(
      exchange,
      "Bid",
      (manner) =>
        ports.registry.change(tender!.id, { kind: "place bid", sent, files }, actor, { ...manner, files: newKeys }),
      (done) => created(exchange, "Bid", linkedBid(done.tender, bidOf(done.tender, done.id!)), done.id!, done.token),
    );
  const { documents = [] } = sent.fields;
  if (documents.length === 0) return (await place([], [])).answer;
  // As everywhere, files are looked for only once there is nothing else to refuse.
  const refused = refusedPlacing(tender!, sent, { actor, at: now, zone: ports.config.zone });
  return refused ? answerTo(refused.refused, dialect, "Bid") : withUploads(exchange, documents, place);
}

export async function changeBid(exchange: Exchange<RegistryPort>): Promise<Answer> {
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

export async function withdrawBid(exchange: Exchange<RegistryPort>): Promise<Answer> {
  return change(exchange, "Bid", { kind: "withdraw bid", bid: exchange.params.bid_id! }, ({ tender, removed }) =>
    found(exchange, "Bid", linkedBid(tender, removed as Bid)),
  );
}
