import type { LinkedCancellation, LinkedComplaint } from "../../views/publicTender.ts";
import type { OcdsObject } from "../ocdsValues.ts";
import type { ContentContext } from "./contentContext.ts";
import { documentList } from "./documentList.ts";
import { compact, dateOf, textsOf } from "./fieldValues.ts";

/** Complaints about the tender or an award, as our extension describes them. Drafts are not filed yet, so they are left out. */
export const complaintList = (
  complaints: readonly LinkedComplaint[],
  context: ContentContext,
  place = "complaints",
): readonly OcdsObject[] =>
  complaints
    .filter(({ status }) => status !== "draft")
    .map((complaint) => complaintOf(complaint, context, `${place}/${complaint.id}`));

const complaintOf = (complaint: LinkedComplaint, context: ContentContext, place: string): OcdsObject =>
  compact({
    id: complaint.id,
    complaintID: complaint.complaintID,
    type: complaint.type,
    status: complaint.status,
    date: dateOf(complaint.date),
    dateSubmitted: dateOf(complaint.dateSubmitted),
    author: complaint.author && context.parties.refer(complaint.author, place),
    title: complaint.title,
    description: complaint.description,
    relatedLot: complaint.relatedLot,
    resolution: complaint.resolution,
    resolutionType: complaint.resolutionType,
    dateAnswered: dateOf(complaint.dateAnswered),
    tendererAction: complaint.tendererAction,
    dateTendererAction: dateOf(complaint.tendererActionDate),
    satisfied: complaint.satisfied,
    dateEscalated: dateOf(complaint.dateEscalated),
    acceptance: complaint.acceptance,
    dateAccepted: dateOf(complaint.dateAccepted),
    rejectReason: complaint.rejectReason,
    rejectReasonDescription: complaint.rejectReasonDescription,
    reviewDate: dateOf(complaint.reviewDate),
    reviewPlace: complaint.reviewPlace,
    decision: complaint.decision,
    dateDecision: dateOf(complaint.dateDecision),
    cancellationReason: complaint.cancellationReason,
    dateCancelled: dateOf(complaint.dateCanceled),
    documents: documentList(complaint.documents, context),
  });

/** Cancellations of the tender and of its lots, as our extension describes them. */
export const cancellationList = (
  cancellations: readonly LinkedCancellation[],
  context: ContentContext,
): readonly OcdsObject[] =>
  cancellations.map((cancellation) =>
    compact({
      id: cancellation.id,
      date: dateOf(cancellation.date),
      status: cancellation.status,
      cancellationOf: cancellation.cancellationOf,
      relatedLot: cancellation.relatedLot,
      ...textsOf(cancellation, "reason"),
      reasonType: cancellation.reasonType,
      documents: documentList(cancellation.documents, context),
    }),
  );
