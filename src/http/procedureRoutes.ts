import type {
  CancellationSent,
  ComplaintSent,
  Contested,
  ContractSent,
  LotSent,
  New,
  QuestionSent,
  Sent,
} from "../domain/commands.ts";
import { complaintsOf } from "../domain/complaints.ts";
import type { Cancellation, Complaint, Contract, Lot, Question } from "../domain/tender.ts";
import { linkedCancellation, linkedComplaint, linkedContract } from "../views/publicTender.ts";
import { complaintSeen, lotSeen, questionSeen } from "../views/visibility.ts";
import { type Collection, type CollectionPorts, routesOf } from "./collections.ts";
import { lookingOf } from "./exchange.ts";
import type { Route } from "./route.ts";

/** The collections that hang on a tender, each told in a few lines. */

const questions: Collection<Question> = {
  path: "/tenders/{tender_id}/questions",
  param: "question_id",
  shape: "Question",
  words: ["a question", "the questions asked"],
  all: ({ questions }) => questions,
  show: (question, _exchange, tender) => questionSeen(question, tender),
  showNew: (question) => question,
  add: (_params, sent) => ({ kind: "ask question", sent: sent as New<QuestionSent> }),
  edit: (_params, question, sent) => ({ kind: "answer question", question, sent: sent as Sent<QuestionSent> }),
};

const lots: Collection<Lot> = {
  path: "/tenders/{tender_id}/lots",
  param: "lot_id",
  newer: "all",
  shape: "Lot",
  words: ["a lot", "the lots"],
  all: ({ lots }) => lots,
  show: (lot, exchange, tender) => lotSeen(lot, tender, lookingOf(exchange)),
  add: (_params, sent) => ({ kind: "add lot", sent: sent as New<LotSent> }),
  edit: (_params, lot, sent) => ({ kind: "edit lot", lot, sent: sent as Sent<LotSent> }),
  remove: (_params, lot) => ({ kind: "remove lot", lot }),
};

const contracts: Collection<Contract> = {
  path: "/tenders/{tender_id}/contracts",
  param: "contract_id",
  newer: "all",
  shape: "Contract",
  words: ["a contract", "the contracts"],
  all: ({ contracts }) => contracts,
  show: (contract, _exchange, tender) => linkedContract(tender, contract),
  add: (_params, sent) => ({ kind: "add contract", sent: sent as New<ContractSent> }),
  edit: (_params, contract, sent) => ({ kind: "edit contract", contract, sent: sent as Sent<ContractSent> }),
};

const cancellations: Collection<Cancellation> = {
  path: "/tenders/{tender_id}/cancellations",
  param: "cancellation_id",
  newer: "all",
  shape: "Cancellation",
  words: ["a cancellation", "the cancellations"],
  all: ({ cancellations }) => cancellations,
  show: (cancellation, _exchange, tender) => linkedCancellation(tender, cancellation),
  add: (_params, sent) => ({ kind: "add cancellation", sent: sent as New<CancellationSent> }),
  edit: (_params, cancellation, sent) => ({
    kind: "edit cancellation",
    cancellation,
    sent: sent as Sent<CancellationSent>,
  }),
};

const aboutOf = ({ award_id }: { readonly [name: string]: string }): Contested => (award_id ? { award: award_id } : {});

const complaints = (contested: string): Collection<Complaint> => ({
  path: `${contested}/complaints`,
  param: "complaint_id",
  newer: contested.includes("award") ? "all" : "but the list",
  shape: "Complaint",
  words: ["a complaint", "the complaints"],
  all: (tender, params) => complaintsOf(tender, aboutOf(params)),
  show: (complaint, { params }, tender) =>
    linkedComplaint(complaintSeen(complaint, tender, aboutOf(params)), pathOf(tender.id, params)),
  showNew: (complaint, { params }, tender) => linkedComplaint(complaint, pathOf(tender.id, params)),
  add: (params, sent) => ({ kind: "file complaint", about: aboutOf(params), sent: sent as New<ComplaintSent> }),
  edit: (params, complaint, sent) => ({
    kind: "edit complaint",
    about: aboutOf(params),
    complaint,
    sent: sent as Sent<ComplaintSent>,
  }),
  hasOwner: true,
});

const pathOf = (tender: string, { award_id }: { readonly [name: string]: string }): string =>
  award_id ? `/tenders/${tender}/awards/${award_id}` : `/tenders/${tender}`;

export const PROCEDURE_ROUTES: readonly Route<CollectionPorts>[] = [
  ...routesOf(questions),
  ...routesOf(lots),
  ...routesOf(contracts),
  ...routesOf(cancellations),
  ...routesOf(complaints("/tenders/{tender_id}")),
  ...routesOf(complaints("/tenders/{tender_id}/awards/{award_id}")),
];
