import { type RegistrationPorts, withUploads } from "../../documents/documentRegistration.ts";
import { placementRefusal } from "../../domain/bidding.ts";
import type { BidInput, NewBidInput, TenderCommand, UploadedFile } from "../../domain/model/commands.ts";
import type { Bid, Tender } from "../../domain/model/tender.ts";
import { mayHoldSealedBids } from "../../domain/sealing.ts";
import { createdResponse, listResponse, okResponse } from "../../http/dataResponses.ts";
import type { Exchange, ViewPorts } from "../../http/exchange.ts";
import { refusalResponse } from "../../http/refusalResponse.ts";
import { CANNOT_VIEW, type HttpResponse } from "../../http/responses.ts";
import { attemptWrite, changeTender, type RegistryPort } from "../../http/runCommand.ts";
import { bidWithLinks } from "../../views/publicTender.ts";
import { visibleBids } from "../../views/visibility.ts";

const bidOf = (tender: Tender, id: string): Bid => tender.bids.find((bid) => bid.id === id)!;

export async function listBids(exchange: Exchange): Promise<HttpResponse> {
  const tender = exchange.tender!;
  const { behaviour, statusName } = exchange.dialect;
  if (behaviour.hidden === "refused" && mayHoldSealedBids(tender))
    return CANNOT_VIEW("bids", statusName(tender.status));
  const bids = visibleBids(tender, exchange.actor);
  return listResponse(
    exchange,
    "Bid",
    bids.map((bid) => bidWithLinks(tender, bid)),
  );
}

export async function showBid(exchange: Exchange): Promise<HttpResponse> {
  const { tender, params } = exchange;
  return okResponse(exchange, "Bid", bidWithLinks(tender!, bidOf(tender!, params.bid_id!)));
}

/** A bid and the documents that it brings are one change: all of them are there, or nothing is. */
export async function postBid(exchange: Exchange<RegistrationPorts & ViewPorts>): Promise<HttpResponse> {
  const { dialect, ports, tender, actor, now, body } = exchange;
  const sent = dialect.readNew<NewBidInput>("Bid", body!.data);
  const place = (files: readonly UploadedFile[], newKeys: readonly string[]) =>
    attemptWrite(
      exchange,
      "Bid",
      (options) =>
        ports.registry.change(tender!.id, { kind: "place bid", sent, files }, actor, { ...options, files: newKeys }),
      (committed) =>
        createdResponse(
          exchange,
          "Bid",
          bidWithLinks(committed.tender, bidOf(committed.tender, committed.id!)),
          committed.id!,
          committed.token,
        ),
    );
  const { documents = [] } = sent.fields;
  if (documents.length === 0) return (await place([], [])).response;
  // As everywhere, files are looked for only once there is nothing else to refuse.
  const refusalResult = placementRefusal(tender!, sent, { actor, at: now, zone: ports.config.zone });
  return refusalResult
    ? refusalResponse(refusalResult.refused, dialect, "Bid")
    : withUploads(exchange, documents, place);
}

export async function patchBid(exchange: Exchange<RegistryPort>): Promise<HttpResponse> {
  const { params, dialect, body } = exchange;
  const bid = params.bid_id!;
  const read = (tender: Tender): TenderCommand => {
    const sent = dialect.readPatch<BidInput>("Bid", body!.data, tender.bids.find(({ id }) => id === bid) ?? {});
    return { kind: "change bid", bid, sent };
  };
  return changeTender(exchange, "Bid", { read }, (committed) =>
    okResponse(exchange, "Bid", bidWithLinks(committed.tender, bidOf(committed.tender, bid))),
  );
}

export async function deleteBid(exchange: Exchange<RegistryPort>): Promise<HttpResponse> {
  return changeTender(exchange, "Bid", { kind: "withdraw bid", bid: exchange.params.bid_id! }, ({ tender, removed }) =>
    okResponse(exchange, "Bid", bidWithLinks(tender, removed as Bid)),
  );
}
