import type { Award, Bid, Cancellation, Complaint, Contract, Document, Tender } from "../domain/model/tender.ts";
import { documentsWithLinks, type LinkedDocument } from "./documentLinks.ts";
import { type ScheduleView, scheduleView, type TenderView, tenderView, type ViewContext } from "./visibility.ts";

/** Views in which every document has the URL of its file. */

type WithLinkedDocuments<Holder> = Omit<Holder, "documents"> & { readonly documents: readonly LinkedDocument[] };

export type LinkedBid = WithLinkedDocuments<Bid>;
export type LinkedContract = WithLinkedDocuments<Contract>;
export type LinkedCancellation = WithLinkedDocuments<Cancellation>;
export type LinkedComplaint = WithLinkedDocuments<Complaint>;
export type LinkedAward = Omit<WithLinkedDocuments<Award>, "complaints"> & {
  readonly complaints: readonly LinkedComplaint[];
};

type LinkedCollections = "documents" | "bids" | "awards" | "contracts" | "cancellations" | "complaints";

/** The public view of a tender. */
export type PublicTender = Omit<TenderView, LinkedCollections> & {
  readonly documents: readonly LinkedDocument[];
  readonly awards: readonly LinkedAward[];
  readonly contracts: readonly LinkedContract[];
  readonly cancellations: readonly LinkedCancellation[];
  readonly complaints: readonly LinkedComplaint[];
  /** Absent while bids are sealed. */
  readonly bids?: readonly LinkedBid[];
};

/** A tender as the scheduler sees it. */
export type LinkedSchedule = Omit<ScheduleView, "awards" | "complaints"> & Pick<PublicTender, "awards" | "complaints">;

type DocumentHolder = { readonly id: string; readonly documents: readonly Document[] };

const withDocumentLinks = <Holder extends DocumentHolder>(
  holder: Holder,
  collectionPath: string,
): WithLinkedDocuments<Holder> => ({
  ...holder,
  documents: documentsWithLinks(holder.documents, `${collectionPath}/${holder.id}`),
});

/** A bid with the URLs of its documents. The caller must already have checked that the actor may see the bid. */
export const bidWithLinks = ({ id }: Tender, bid: Bid): LinkedBid => withDocumentLinks(bid, `/tenders/${id}/bids`);

/** A contract with the URLs of its documents. */
export const linkedContract = ({ id }: Tender, contract: Contract): LinkedContract =>
  withDocumentLinks(contract, `/tenders/${id}/contracts`);

/** A cancellation with the URLs of its documents. */
export const linkedCancellation = ({ id }: Tender, cancellation: Cancellation): LinkedCancellation =>
  withDocumentLinks(cancellation, `/tenders/${id}/cancellations`);

/** A complaint with the URLs of its documents; `subjectPath` is the path of the tender or award that it is about. */
export const linkedComplaint = (complaint: Complaint, subjectPath: string): LinkedComplaint =>
  withDocumentLinks(complaint, `${subjectPath}/complaints`);

/** An award with the URLs of its documents and of those of the complaints about it. */
export function awardWithLinks({ id }: Tender, award: Award): LinkedAward {
  const complaints = award.complaints.map((complaint) =>
    linkedComplaint(complaint, `/tenders/${id}/awards/${award.id}`),
  );
  return { ...withDocumentLinks(award, `/tenders/${id}/awards`), complaints };
}

/** The view of a tender that everybody may see at `viewContext.now`, with the URLs of all documents. */
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

/** The view of a tender for the scheduler, with the URLs of all documents. */
export function scheduleWithLinks(tender: Tender, viewContext: ViewContext): LinkedSchedule {
  const schedule = scheduleView(tender, viewContext);
  return {
    ...schedule,
    complaints: schedule.complaints.map((complaint) => linkedComplaint(complaint, `/tenders/${tender.id}`)),
    awards: schedule.awards.map((award) => awardWithLinks(tender, award)),
  };
}
