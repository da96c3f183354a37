import { type RegistrationPorts, withUploads } from "../../documents/documentRegistration.ts";
import { auctionId } from "../../domain/auctions/tenderAuctions.ts";
import { placementRefusal } from "../../domain/bids/bidding.ts";
import { openAuctionsOf } from "../../domain/bids/participation.ts";
import { areBidsSealed, mayHoldSealedBids } from "../../domain/bids/sealing.ts";
import { owns } from "../../domain/model/actors.ts";
import type { BidInput, NewBidInput, TenderCommand, UploadedFile } from "../../domain/model/commands.ts";
import type { Bid, Tender } from "../../domain/model/tender.ts";
import { procedureOf } from "../../domain/procedures/index.ts";
import { createdResponse, listResponse, okResponse } from "../../http/dataResponses.ts";
import { CANNOT_VIEW } from "../../http/errorResponses.ts";
import { type Exchange, requireData, requireParam, requireTender, type ViewPorts } from "../../http/exchange.ts";
import type { ParticipationLinks } from "../../http/participationLinks.ts";
import { refusalResponse } from "../../http/refusalResponse.ts";
import type { HttpResponse } from "../../http/responses.ts";
import { attemptWrite, changeTender, createdId, type RegistryPort } from "../../http/runCommand.ts";
import { bidWithLinks } from "../../views/publicTender.ts";
import { visibleBids } from "../../views/visibility.ts";
import { itemWithId } from "./collections.ts";

/** The path or the command has already found the bid. */
const bidOf = (tender: Tender, id: string): Bid => itemWithId(tender.bids, id);

/** The bids that the caller may see. Versions with `hidden: "refused"` refuse the list while there may be sealed bids. */
export async function listBids(exchange: Exchange<RegistryPort & LinkPort>): Promise<HttpResponse> {
  const tender = requireTender(exchange);
  const { behaviour, statusName } = exchange.dialect;
  if (behaviour.hidden === "refused" && mayHoldSealedBids(tender))
    return CANNOT_VIEW("bids", statusName(tender.status));
  const bids = visibleBids(await withOwnBids(exchange, tender), exchange.actor);
  return listResponse(
    exchange,
    "Bid",
    bids.map((bid) => bidWithLinks(tender, withParticipationUrls(exchange, tender, bid))),
  );
}

type LinkPort = { readonly participationLinks: ParticipationLinks };

/** For the owner of the bid, the personal addresses of the auctions that the service holds, until they are over. */
function withParticipationUrls({ actor, ports }: Exchange<LinkPort>, tender: Tender, bid: Bid): Bid {
  const auctions = owns(actor, bid) ? openAuctionsOf(tender, bid.id) : [];
  if (auctions.length === 0) return bid;
  const pathOf = (lot: string | undefined): string | undefined => {
    const id = auctionId(tender.id, lot);
    return auctions.some((state) => state.id === id) ? ports.participationLinks.pathFor(id, bid) : undefined;
  };
  const participationUrl = pathOf(undefined);
  const lotValues = bid.lotValues?.map((lotValue) => {
    const path = pathOf(lotValue.relatedLot);
    return path === undefined ? lotValue : { ...lotValue, participationUrl: path };
  });
  return { ...bid, ...(participationUrl && { participationUrl }), ...(lotValues && { lotValues }) };
}

/** While bids are sealed, a caller may own some of them, who has a key and a token. The time must not depend on those of others. */
async function withOwnBids({ ports, actor }: Exchange<RegistryPort>, tender: Tender): Promise<Tender> {
  const owner = actor.tokenHash === undefined ? undefined : actor.account?.name;
  if (!areBidsSealed(tender) || owner === undefined) return tender;
  return (await ports.registry.tender(tender.id, { owner })) ?? tender;
}

export async function showBid(exchange: Exchange<LinkPort>): Promise<HttpResponse> {
  const tender = requireTender(exchange);
  const bid = withParticipationUrls(exchange, tender, bidOf(tender, requireParam(exchange, "bid_id")));
  return okResponse(exchange, "Bid", bidWithLinks(tender, bid));
}

/** Places a bid together with its documents, in one change. */
export async function postBid(exchange: Exchange<RegistrationPorts & ViewPorts>): Promise<HttpResponse> {
  const { dialect, ports, actor, now } = exchange;
  const tender = requireTender(exchange);
  const sent = dialect.readNew<NewBidInput>("Bid", requireData(exchange));
  const place = (files: readonly UploadedFile[], newKeys: readonly string[]) =>
    attemptWrite(
      exchange,
      "Bid",
      (options) =>
        ports.registry.change(tender.id, { kind: "place bid", sent, files }, actor, { ...options, files: newKeys }),
      (committed) => {
        const id = createdId(committed);
        const bid = bidWithLinks(committed.tender, bidOf(committed.tender, id));
        return createdResponse(exchange, "Bid", bid, id, committed.token);
      },
    );
  const { documents = [] } = sent.fields;
  if (documents.length === 0) return (await place([], [])).response;
  // All other refusals come before those of the uploads.
  const refusalResult = placementRefusal(tender, sent, {
    actor,
    at: now,
    zone: ports.config.zone,
    procedure: procedureOf(tender),
  });
  return refusalResult
    ? refusalResponse(refusalResult.refused, dialect, "Bid")
    : withUploads(exchange, documents, place);
}

export async function patchBid(exchange: Exchange<RegistryPort>): Promise<HttpResponse> {
  const { dialect } = exchange;
  const bid = requireParam(exchange, "bid_id");
  const data = requireData(exchange);
  const read = (tender: Tender): TenderCommand => {
    const sent = dialect.readPatch<BidInput>("Bid", data, tender.bids.find(({ id }) => id === bid) ?? {});
    return { kind: "change bid", bid, sent };
  };
  return changeTender(exchange, "Bid", { read, bids: { bid } }, (committed) =>
    okResponse(exchange, "Bid", bidWithLinks(committed.tender, bidOf(committed.tender, bid))),
  );
}

export async function deleteBid(exchange: Exchange<RegistryPort>): Promise<HttpResponse> {
  const bid = requireParam(exchange, "bid_id");
  // What the command `withdraw bid` removes is a bid.
  return changeTender(exchange, "Bid", { kind: "withdraw bid", bid }, ({ tender, removed }) =>
    okResponse(exchange, "Bid", bidWithLinks(tender, removed as Bid)),
  );
}
