import type { Award, Bid, Cancellation, Complaint, Contract, Document, Tender } from "../domain/tender.ts";
import { type LinkedDocument, withLinks } from "./documentLinks.ts";
import { type Looking, type TenderSeen, tenderSeen } from "./visibility.ts";

/** Views in which every document has the address of its file. */

type WithLinkedDocuments<Holder> = Omit<Holder, "documents"> & { readonly documents: readonly LinkedDocument[] };

export type LinkedBid = WithLinkedDocuments<Bid>;
export type LinkedContract = WithLinkedDocuments<Contract>;
export type LinkedCancellation = WithLinkedDocuments<Cancellation>;
export type LinkedComplaint = WithLinkedDocuments<Complaint>;
export type LinkedAward = Omit<WithLinkedDocuments<Award>, "complaints"> & {
  readonly complaints: readonly LinkedComplaint[];
};

type LinkedCollections = "documents" | "bids" | "awards" | "contracts" | "cancellations" | "complaints";

/** A tender as everybody may see it. */
export type PublicTender = Omit<TenderSeen, LinkedCollections> & {
  readonly documents: readonly LinkedDocument[];
  readonly awards: readonly LinkedAward[];
  readonly contracts: readonly LinkedContract[];
  readonly cancellations: readonly LinkedCancellation[];
  readonly complaints: readonly LinkedComplaint[];
  /** Absent while bids are sealed. */
  readonly bids?: readonly LinkedBid[];
};

type DocumentHolder = { readonly id: string; readonly documents: readonly Document[] };

const withDocumentLinks = <Holder extends DocumentHolder>(
  holder: Holder,
  collectionPath: string,
): WithLinkedDocuments<Holder> => ({
  ...holder,
  documents: withLinks(holder.documents, `${collectionPath}/${holder.id}`),
});

/** A bid with the addresses of its documents. Whether the caller may see the bid is decided before. */
export const linkedBid = ({ id }: Tender, bid: Bid): LinkedBid => withDocumentLinks(bid, `/tenders/${id}/bids`);

export const linkedContract = ({ id }: Tender, contract: Contract): LinkedContract =>
  withDocumentLinks(contract, `/tenders/${id}/contracts`);

export const linkedCancellation = ({ id }: Tender, cancellation: Cancellation): LinkedCancellation =>
  withDocumentLinks(cancellation, `/tenders/${id}/cancellations`);

/** A complaint with the addresses of its documents; `subjectPath` is the path of the tender or award it is about. */
export const linkedComplaint = (complaint: Complaint, subjectPath: string): LinkedComplaint =>
  withDocumentLinks(complaint, `${subjectPath}/complaints`);

/** An award with the addresses of its documents and of those of the complaints about it. */
export function linkedAward({ id }: Tender, award: Award): LinkedAward {
  const complaints = award.complaints.map((complaint) =>
    linkedComplaint(complaint, `/tenders/${id}/awards/${award.id}`),
  );
  return { ...withDocumentLinks(award, `/tenders/${id}/awards`), complaints };
}

/** The public view of a tender: what anybody may see at that moment, with the addresses of all documents. */
export function publicTender(tender: Tender, looking: Looking): PublicTender {
  const seen = tenderSeen(tender, looking);
  const path = `/tenders/${tender.id}`;
  const { bids, ...rest } = seen;
  return {
    ...rest,
    documents: withLinks(seen.documents, path),
    contracts: seen.contracts.map((contract) => linkedContract(tender, contract)),
    cancellations: seen.cancellations.map((cancellation) => linkedCancellation(tender, cancellation)),
    complaints: seen.complaints.map((complaint) => linkedComplaint(complaint, path)),
    awards: seen.awards.map((award) => linkedAward(tender, award)),
    ...(bids && { bids: bids.map((bid) => linkedBid(tender, bid)) }),
  };
}
