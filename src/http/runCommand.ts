import type { ShapeName } from "../dialects/newest.ts";
import type { Command } from "../domain/commands.ts";
import { same } from "../domain/merge.ts";
import type { Decided } from "../domain/refusals.ts";
import type { Tender } from "../domain/tender.ts";
import type { Done, Manner, Reading, Registry, Told } from "../registry/registry.ts";
import { type Answer, answerTo, IDEMPOTENCY_QUOTA, PRECONDITION_FAILED } from "./answers.ts";
import type { Exchange } from "./exchange.ts";

/** How a request becomes a command: the registry decides, and the result becomes the response. */

export type RegistryPort = { readonly registry: Registry };

export type AttemptResult = {
  readonly answer: Answer;
  /** What was asked for is done, now and by this. */
  readonly isDone: boolean;
};

/** Lets the registry decide, and answers: as `show` presents what was done, or why it was not. */
export async function attempt(
  exchange: Exchange<RegistryPort>,
  shape: ShapeName,
  ask: (manner: Manner) => Promise<Told>,
  show: (done: Done) => Answer,
): Promise<AttemptResult> {
  const { dialect, once, isDry, tender } = exchange;
  const answerOf = (decided: Decided<Done>): Answer =>
    decided.ok ? show(decided.value) : answerTo(decided.refused, dialect, shape);
  let recorded: Answer | undefined;
  const record: NonNullable<Manner["once"]>["record"] = (decided, at) => {
    recorded = answerOf(decided);
    return once!.record(recorded, at);
  };
  const manner: Manner = { testClock: tender?.testClock, isDry, once: once && { ...once, record } };
  const told = await askMatched(exchange, (onlyIf) => ask({ ...manner, onlyIf }));
  if (told === "moved") return { answer: PRECONDITION_FAILED, isDone: false };
  if ("overQuota" in told) return { answer: IDEMPOTENCY_QUOTA, isDone: false };
  if ("again" in told) return { answer: once!.again(told.again), isDone: false };
  return { answer: recorded ?? answerOf(told), isDone: told.ok && !isDry };
}

/** As long as others change the tender and not what the client has seen of it, it is asked again: each time somebody has got on. */
async function askMatched(
  exchange: Exchange<RegistryPort>,
  ask: (onlyIf: Manner["onlyIf"]) => Promise<Told>,
): Promise<Told> {
  const { isMatched, ports } = exchange;
  if (!isMatched || !exchange.tender) return ask(undefined);
  for (let seen: Tender | undefined = exchange.tender; ; ) {
    const before: Tender = seen;
    const told = await ask((current) => same(current, before));
    if (told !== "moved") return told;
    seen = await ports.registry.tender(before.id);
    if (!seen || !(await isMatched(seen))) return "moved";
  }
}

/** Whatever a request changes, it changes by a command to the tender of its path. */
export async function change(
  exchange: Exchange<RegistryPort>,
  shape: ShapeName,
  command: Command | Reading,
  show: (done: Done) => Answer,
): Promise<Answer> {
  const { ports, tender, actor } = exchange;
  const ask = (manner: Manner) => ports.registry.change(tender!.id, command, actor, manner);
  return (await attempt(exchange, shape, ask, show)).answer;
}

/** Where the award is that a decision led to, if it led to one. */
export function withNewAward(
  { root, tender: before }: Pick<Exchange, "root" | "tender">,
  { tender }: Done,
  answer: Answer,
): Answer {
  const last = tender.awards.at(-1);
  if (!last || tender.awards.length <= before!.awards.length) return answer;
  return { ...answer, headers: { ...answer.headers, Location: `${root}/tenders/${tender.id}/awards/${last.id}` } };
}
