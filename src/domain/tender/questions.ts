import { participationRefusal } from "../accreditation.ts";
import { isInGroup, owns } from "../model/actors.ts";
import type { CommandOutcome, TenderCommand } from "../model/commands.ts";
import type { DomainResult, Problem } from "../model/refusals.ts";
import {
  forbidden,
  invalidInput,
  notFound,
  ruleRefusal,
  type TimeWindow,
  wrongRole,
  wrongStatus,
} from "../model/refusals.ts";
import { ok } from "../model/result.ts";
import type { Lot, Question, Tender } from "../model/tender.ts";
import { accepts, type Procedure, type RuleContext } from "../procedures/procedure.ts";
import { actionWindow, lotActionWindow } from "../timeWindows.ts";
import { checkIfPresent, checkOrganization, checkRequired, checkSubject } from "../validation.ts";

/** Questions about a tender: any accredited broker may ask in the enquiry period; the tender's owner answers. */

/** Adds a question about the tender, an item or a lot. */
export function askQuestion(
  tender: Tender,
  { sent }: Extract<TenderCommand, { kind: "ask question" }>,
  { actor, at, newId, procedure }: RuleContext,
): DomainResult<CommandOutcome> {
  const refusal = participationRefusal(procedure, actor, "question", tender);
  if (refusal) return refusal;
  const { answer: _answer, ...fields } = sent.fields;
  const question: Question = { ...fields, questionOf: fields.questionOf ?? "tender", id: newId(), date: at };
  const badInput = invalidInput(sent.problems, checkQuestion(procedure, question, tender));
  if (badInput) return badInput;
  const end = tender.enquiryPeriod?.endDate;
  if (!accepts(procedure, tender, "ask question") || (end !== undefined && at > end))
    return ruleRefusal("outside-enquiry-period", "Can add question only in enquiryPeriod", {
      window: enquiryWindow(procedure, tender),
    });
  const endedLot = endedLotOf(question, tender);
  if (endedLot)
    return ruleRefusal("lot-not-active", "Can add question only in active lot status", {
      window: lotActionWindow(procedure, tender, "ask question", endedLot.id),
    });
  return ok({ tender: { ...tender, questions: [...tender.questions, question] }, id: question.id });
}

/** `enquiryPeriod.endDate` may be before the stage ends with the start of bidding. */
function enquiryWindow(procedure: Procedure, tender: Tender): TimeWindow | undefined {
  return actionWindow(procedure, tender, "ask question", { until: tender.enquiryPeriod?.endDate });
}

function checkQuestion(procedure: Procedure, question: Question, tender: Tender): readonly Problem[] {
  const requiresAuthor = procedure.questions?.requiresAuthor;
  return [
    ...checkRequired(question, [], "title", ...(requiresAuthor ? (["author"] as const) : [])),
    ...(requiresAuthor ? checkIfPresent(question.author, ["author"], checkOrganization) : []),
    ...checkSubject(question.questionOf, question.relatedItem, ["relatedItem"], tender),
  ];
}

/** The lot that the question is about, directly or by its item, if that lot is no longer active. */
function endedLotOf({ questionOf, relatedItem }: Question, { items, lots }: Tender): Lot | undefined {
  const lotId = questionOf === "lot" ? relatedItem : items?.find(({ id }) => id === relatedItem)?.relatedLot;
  const lot = questionOf === "tender" ? undefined : lots.find(({ id }) => id === lotId);
  return lot?.status === "active" ? undefined : lot;
}

/** Sets or replaces the answer to a question. */
export function answerQuestion(
  tender: Tender,
  { question: id, sent }: Extract<TenderCommand, { kind: "answer question" }>,
  { actor, at, procedure }: RuleContext,
): DomainResult<CommandOutcome> {
  const question = tender.questions.find((existing) => existing.id === id);
  if (!question) return notFound("question");
  if (isInGroup(actor, "Administrator") && !owns(actor, tender)) return wrongRole();
  if (!owns(actor, tender) && !isInGroup(actor, "admins")) return forbidden();
  const badInput = invalidInput(sent.problems, []);
  if (badInput) return badInput;
  if (!accepts(procedure, tender, "answer question"))
    return wrongStatus("update question", "tender", tender, actionWindow(procedure, tender, "answer question"));
  const endedLot = endedLotOf(question, tender);
  if (endedLot)
    return ruleRefusal("lot-not-active", "Can update question only in active lot status", {
      window: lotActionWindow(procedure, tender, "answer question", endedLot.id),
    });
  const { answer } = sent.fields;
  if (answer === undefined || answer === null || answer === question.answer) return ok({ tender, id });
  const answered: Question = { ...question, answer, dateAnswered: at };
  return ok({
    tender: { ...tender, questions: tender.questions.map((existing) => (existing === question ? answered : existing)) },
    id,
  });
}
