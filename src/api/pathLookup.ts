import { documentParentOf } from "../documents/documents.ts";
import { complaintsOf } from "../domain/awards/complaints.ts";
import { areBidsSealed, mayHoldSealedBids, maySeeBid } from "../domain/bids/sealing.ts";
import type { Tender } from "../domain/model/tender.ts";
import { documentsOfParent } from "../domain/tender/documents.ts";
import { CANNOT_VIEW } from "../http/errorResponses.ts";
import type { Exchange } from "../http/exchange.ts";
import type { HttpResponse } from "../http/responses.ts";

/** Checks whether the objects of a path exist and are visible to the caller. */

/**
 * The path parameter of the outermost object that does not exist for the caller, or the response that says so. Only its owner may learn
 * that a sealed bid exists, and the owner token may be in the body, which has not been read yet. So for writes to sealed bids this
 * returns undefined, and the domain gives the same refusal whether or not the bid exists.
 */
export function missingOnPath(
  exchange: Exchange,
  tender: Tender | undefined,
  isReading: boolean,
): string | HttpResponse | undefined {
  const { params, actor, dialect } = exchange;
  if (params.auction_id !== undefined) return exchange.auction ? undefined : "auction_id";
  if (params.tender_id === undefined) return undefined;
  if (!tender) return "tender_id";
  if (params.bid_id !== undefined) {
    if (areBidsSealed(tender) && !isReading) return undefined;
    const bid = tender.bids.find(({ id }) => id === params.bid_id);
    const isHidden = !bid || !maySeeBid(bid, tender, actor);
    if (isHidden)
      return dialect.behaviour.hidden === "refused" && mayHoldSealedBids(tender)
        ? cannotViewBid(exchange, tender)
        : "bid_id";
  }
  return missingBelowTender(tender, params);
}

/** Whether all objects of the path exist and are visible to the caller. */
export const isVisible = (exchange: Exchange): boolean => missingOnPath(exchange, exchange.tender, true) === undefined;

function cannotViewBid({ path, params, dialect }: Exchange, { status }: Tender): HttpResponse {
  const resource = params.document_id ? "bid document" : path.endsWith("/documents") ? "bid documents" : "bid";
  return CANNOT_VIEW(resource, dialect.statusName(status));
}

/** The parameter of the outermost object below the tender that does not exist. */
function missingBelowTender(tender: Tender, params: Exchange["params"]): string | undefined {
  for (const [name, listOf] of PATH_COLLECTIONS) {
    const id = params[name];
    if (id !== undefined && !listOf(tender, params).some((item) => item.id === id)) return name;
  }
  return undefined;
}

type CollectionReader = (tender: Tender, params: Exchange["params"]) => readonly { readonly id: string }[];

const PATH_COLLECTIONS: readonly (readonly [string, CollectionReader])[] = [
  ["question_id", ({ questions }) => questions],
  ["award_id", ({ awards }) => awards],
  ["contract_id", ({ contracts }) => contracts],
  ["cancellation_id", ({ cancellations }) => cancellations],
  ["complaint_id", (tender, { award_id: award }) => complaintsOf(tender, award === undefined ? {} : { award })],
  ["lot_id", ({ lots }) => lots],
  ["document_id", (tender, params) => documentsOfParent(tender, documentParentOf({ params }))],
];
