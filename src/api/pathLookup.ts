import { holderOf } from "../documents/documents.ts";
import { complaintsOf } from "../domain/complaints.ts";
import { documentsOfParent } from "../domain/documents.ts";
import type { Tender } from "../domain/model/tender.ts";
import { areBidsSealed, mayHoldSealedBids, maySeeBid } from "../domain/sealing.ts";
import type { Exchange } from "../http/exchange.ts";
import { CANNOT_VIEW, type HttpResponse } from "../http/responses.ts";

/** Whether the objects that a path names exist, and whether the caller may know it. */

/**
 * The outermost object of the path that is not there. Of a sealed bid only its owner may learn that it exists, and whose
 * a request is may not be known before its body is read: there the domain answers, the same for what is and what is not.
 */
export function missingOnPath(
  exchange: Exchange,
  tender: Tender | undefined,
  isReading: boolean,
): string | HttpResponse | undefined {
  const { params, actor, dialect } = exchange;
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

/** Whether the caller may see everything that the path names. */
export const isVisible = (exchange: Exchange): boolean => missingOnPath(exchange, exchange.tender, true) === undefined;

function cannotViewBid({ path, params, dialect }: Exchange, { status }: Tender): HttpResponse {
  const resource = params.document_id ? "bid document" : path.endsWith("/documents") ? "bid documents" : "bid";
  return CANNOT_VIEW(resource, dialect.statusName(status));
}

/** Whatever else a path names, from the outside in. */
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
  ["document_id", (tender, params) => documentsOfParent(tender, holderOf({ params }))],
];
