import { refusedToTakePart } from "./accreditation.ts";
import { isIn, owns } from "./actors.ts";
import { checkOrganization, checkSubject, inside, required } from "./checking.ts";
import type { Command, Context } from "./commands.ts";
import type { Outcome } from "./decide.ts";
import { accepts, procedureOf } from "./procedures/index.ts";
import type { Decided, Problem } from "./refusals.ts";
import { forbidden, invalid, notFound, rule, type Window, wrongRole, wrongStatus } from "./refusals.ts";
import { ok } from "./result.ts";
import type { Lot, Question, Tender } from "./tender.ts";
import { windowOf, windowOfLot } from "./windows.ts";

/** Anyone with a broker's key asks while enquiries last; the tender's owner answers. */

export function askQuestion(
  tender: Tender,
  { sent }: Extract<Command, { kind: "ask question" }>,
  { actor, at, newId }: Context,
): Decided<Outcome> {
  const refused = refusedToTakePart(actor, "question", tender);
  if (refused) return refused;
  const { answer: _later, ...asked } = sent.fields;
  const question: Question = { ...asked, questionOf: asked.questionOf ?? "tender", id: newId(), date: at };
  const wrong = invalid(sent.problems, checkQuestion(question, tender));
  if (wrong) return wrong;
  const end = tender.enquiryPeriod?.endDate;
  if (!accepts(tender, "ask question") || (end !== undefined && at > end))
    return rule("outside-enquiry-period", "Can add question only in enquiryPeriod", { window: askingOf(tender) });
  const ended = endedLotOf(question, tender);
  if (ended)
    return rule("lot-not-active", "Can add question only in active lot status", {
      window: windowOfLot(tender, "ask question", ended.id),
    });
  return ok({ tender: { ...tender, questions: [...tender.questions, question] }, id: question.id });
}

/** Enquiries may end before bidding begins. */
function askingOf(tender: Tender): Window | undefined {
  return windowOf(tender, "ask question", { until: tender.enquiryPeriod?.endDate });
}

function checkQuestion(question: Question, tender: Tender): readonly Problem[] {
  const needed = procedureOf(tender).checkQuestionAuthor;
  return [
    ...required(question, [], "title", ...(needed ? (["author"] as const) : [])),
    ...(needed ? inside(question.author, ["author"], checkOrganization) : []),
    ...checkSubject(question.questionOf, question.relatedItem, ["relatedItem"], tender),
  ];
}

/** What it is about is not active any more. */
function endedLotOf({ questionOf, relatedItem }: Question, { items, lots }: Tender): Lot | undefined {
  const lotId = questionOf === "lot" ? relatedItem : items?.find(({ id }) => id === relatedItem)?.relatedLot;
  const lot = questionOf === "tender" ? undefined : lots.find(({ id }) => id === lotId);
  return lot?.status === "active" ? undefined : lot;
}

export function answerQuestion(
  tender: Tender,
  { question: id, sent }: Extract<Command, { kind: "answer question" }>,
  { actor, at }: Context,
): Decided<Outcome> {
  const question = tender.questions.find((one) => one.id === id);
  if (!question) return notFound("question");
  if (isIn(actor, "Administrator") && !owns(actor, tender)) return wrongRole();
  if (!owns(actor, tender) && !isIn(actor, "admins")) return forbidden();
  const wrong = invalid(sent.problems, []);
  if (wrong) return wrong;
  if (!accepts(tender, "answer question"))
    return wrongStatus("update question", "tender", tender, windowOf(tender, "answer question"));
  const ended = endedLotOf(question, tender);
  if (ended)
    return rule("lot-not-active", "Can update question only in active lot status", {
      window: windowOfLot(tender, "answer question", ended.id),
    });
  const { answer } = sent.fields;
  if (answer === undefined || answer === null || answer === question.answer) return ok({ tender, id });
  const answered: Question = { ...question, answer, dateAnswered: at };
  return ok({
    tender: { ...tender, questions: tender.questions.map((one) => (one === question ? answered : one)) },
    id,
  });
}
