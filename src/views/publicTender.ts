import type { Award, Bid, Cancellation, Complaint, Contract, Document, Tender } from "../domain/model/tender.ts";
import { documentsWithLinks, type LinkedDocument } from "./documentLinks.ts";
import { type TenderView, tenderView, type ViewContext } from "./visibility.ts";

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
export type PublicTender = Omit<TenderView, LinkedCollections> & {
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
  documents: documentsWithLinks(holder.documents, `${collectionPath}/${holder.id}`),
});

/** A bid with the addresses of its documents. Whether the caller may see the bid is decided before. */
export const bidWithLinks = ({ id }: Tender, bid: Bid): LinkedBid => withDocumentLinks(bid, `/tenders/${id}/bids`);

export const linkedContract = ({ id }: Tender, contract: Contract): LinkedContract =>
  withDocumentLinks(contract, `/tenders/${id}/contracts`);

export const linkedCancellation = ({ id }: Tender, cancellation: Cancellation): LinkedCancellation =>
  withDocumentLinks(cancellation, `/tenders/${id}/cancellations`);

/** A complaint with the addresses of its documents; `subjectPath` is the path of the tender or award it is about. */
export const linkedComplaint = (complaint: Complaint, subjectPath: string): LinkedComplaint =>
  withDocumentLinks(complaint, `${subjectPath}/complaints`);

/** An award with the addresses of its documents and of those of the complaints about it. */
export function awardWithLinks({ id }: Tender, award: Award): LinkedAward {
  const complaints = award.complaints.map((complaint) =>
    linkedComplaint(complaint, `/tenders/${id}/awards/${award.id}`),
  );
  return { ...withDocumentLinks(award, `/tenders/${id}/awards`), complaints };
}

/** The public view of a tender: what anybody may see at that moment, with the addresses of all documents. */
export function publicTender(tender: Tender, viewContext: ViewContext): PublicTender {
  const visible = tenderView(tender, viewContext);
  const path = `/tenders/${tender.id}`;
  const { bids, ...rest } = visible;
  return {
    ...rest,
    documents: documentsWithLinks(visible.documents, path),
    contracts: visible.contracts.map((contract) => linkedContract(tender, contract)),
    cancellations: visible.cancellations.map((cancellation) => linkedCancellation(tender, cancellation)),
    complaints: visible.complaints.map((complaint) => linkedComplaint(complaint, path)),
    awards: visible.awards.map((award) => awardWithLinks(tender, award)),
    ...(bids && { bids: bids.map((bid) => bidWithLinks(tender, bid)) }),
  };
}
