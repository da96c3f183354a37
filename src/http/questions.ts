import type { QuestionSent } from "../domain/commands.ts";
import type { Question, Tender } from "../domain/tender.ts";
import { questionSeen } from "../domain/visibility.ts";
import type { Answer } from "./answers.ts";
import { change, created, decidedAnswer, type Exchange, found, foundAll } from "./exchange.ts";

const questionOf = (tender: Tender, id: string): Question => tender.questions.find((question) => question.id === id)!;

export async function listQuestions(exchange: Exchange): Promise<Answer> {
  const tender = exchange.tender!;
  return foundAll(
    exchange,
    "Question",
    tender.questions.map((question) => questionSeen(question, tender)),
  );
}

export async function showQuestion(exchange: Exchange): Promise<Answer> {
  const { tender, params } = exchange;
  return found(exchange, "Question", questionSeen(questionOf(tender!, params.question_id!), tender!));
}

export async function askQuestion(exchange: Exchange): Promise<Answer> {
  const sent = exchange.dialect.readNew<QuestionSent>("Question", exchange.body!.data);
  const decided = await change(exchange, { kind: "ask question", sent });
  return decidedAnswer(exchange, "Question", decided, ({ tender, id }) =>
    created(exchange, "Question", questionOf(tender, id!), id!),
  );
}

export async function answerQuestion(exchange: Exchange): Promise<Answer> {
  const question = exchange.params.question_id!;
  const current = exchange.tender!.questions.find(({ id }) => id === question);
  const sent = exchange.dialect.readPatch<QuestionSent>("Question", exchange.body!.data, current);
  const decided = await change(exchange, { kind: "answer question", question, sent });
  return decidedAnswer(exchange, "Question", decided, ({ tender }) =>
    found(exchange, "Question", questionSeen(questionOf(tender, question), tender)),
  );
}
