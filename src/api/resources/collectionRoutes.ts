import { complaintsOf } from "../../domain/awards/complaints.ts";
import type {
  CancellationInput,
  ComplaintInput,
  ComplaintSubject,
  ContractInput,
  LotInput,
  QuestionInput,
} from "../../domain/model/commands.ts";
import type { Cancellation, Complaint, Contract, Lot, Question } from "../../domain/model/tender.ts";
import { viewContextOf } from "../../http/exchange.ts";
import type { Route } from "../../http/route.ts";
import { linkedCancellation, linkedComplaint, linkedContract } from "../../views/publicTender.ts";
import { complaintView, lotView, questionView } from "../../views/visibility.ts";
import { type Collection, type CollectionPorts, collectionRoutes } from "./collections.ts";

/** The collections of a tender. */

const questions: Collection<Question, QuestionInput> = {
  path: "/tenders/{tender_id}/questions",
  param: "question_id",
  shape: "Question",
  nouns: ["a question", "the questions"],
  itemsOf: ({ questions }) => questions,
  show: (question, _exchange, tender) => questionView(question, tender),
  showNew: (question) => question,
  add: (_params, sent) => ({ kind: "ask question", sent }),
  edit: (_params, question, sent) => ({ kind: "answer question", question, sent }),
};

const lots: Collection<Lot, LotInput> = {
  path: "/tenders/{tender_id}/lots",
  param: "lot_id",
  absentFromPlain: "all",
  shape: "Lot",
  nouns: ["a lot", "the lots"],
  itemsOf: ({ lots }) => lots,
  show: (lot, exchange, tender) => lotView(lot, tender, viewContextOf(exchange)),
  add: (_params, sent) => ({ kind: "add lot", sent }),
  edit: (_params, lot, sent) => ({ kind: "edit lot", lot, sent }),
  remove: (_params, lot) => ({ kind: "remove lot", lot }),
};

const contracts: Collection<Contract, ContractInput> = {
  path: "/tenders/{tender_id}/contracts",
  param: "contract_id",
  absentFromPlain: "all",
  shape: "Contract",
  nouns: ["a contract", "the contracts"],
  itemsOf: ({ contracts }) => contracts,
  show: (contract, _exchange, tender) => linkedContract(tender, contract),
  add: (_params, sent) => ({ kind: "add contract", sent }),
  edit: (_params, contract, sent) => ({ kind: "edit contract", contract, sent }),
};

const cancellations: Collection<Cancellation, CancellationInput> = {
  path: "/tenders/{tender_id}/cancellations",
  param: "cancellation_id",
  absentFromPlain: "all",
  shape: "Cancellation",
  nouns: ["a cancellation", "the cancellations"],
  itemsOf: ({ cancellations }) => cancellations,
  show: (cancellation, _exchange, tender) => linkedCancellation(tender, cancellation),
  add: (_params, sent) => ({ kind: "add cancellation", sent }),
  edit: (_params, cancellation, sent) => ({
    kind: "edit cancellation",
    cancellation,
    sent,
  }),
};

/** What a complaint is about: the award of the path, or the tender. */
const subjectOf = ({ award_id }: { readonly [name: string]: string }): ComplaintSubject =>
  award_id ? { award: award_id } : {};

const complaints = (subjectPath: string): Collection<Complaint, ComplaintInput> => ({
  path: `${subjectPath}/complaints`,
  param: "complaint_id",
  absentFromPlain: subjectPath.includes("award") ? "all" : "all but the list",
  shape: "Complaint",
  nouns: subjectPath.includes("award")
    ? ["a complaint about an award", "the complaints about an award"]
    : ["a complaint", "the complaints"],
  itemsOf: (tender, params) => complaintsOf(tender, subjectOf(params)),
  show: (complaint, { params }, tender) =>
    linkedComplaint(complaintView(complaint, tender, subjectOf(params)), pathOfSubject(tender.id, params)),
  showNew: (complaint, { params }, tender) => linkedComplaint(complaint, pathOfSubject(tender.id, params)),
  add: (params, sent) => ({
    kind: "file complaint",
    about: subjectOf(params),
    sent,
  }),
  edit: (params, complaint, sent) => ({
    kind: "edit complaint",
    about: subjectOf(params),
    complaint,
    sent,
  }),
  hasOwner: true,
});

const pathOfSubject = (tender: string, { award_id }: { readonly [name: string]: string }): string =>
  award_id ? `/tenders/${tender}/awards/${award_id}` : `/tenders/${tender}`;

export const COLLECTION_ROUTES: readonly Route<CollectionPorts>[] = [
  ...collectionRoutes(questions),
  ...collectionRoutes(lots),
  ...collectionRoutes(contracts),
  ...collectionRoutes(cancellations),
  ...collectionRoutes(complaints("/tenders/{tender_id}")),
  ...collectionRoutes(complaints("/tenders/{tender_id}/awards/{award_id}")),
];
