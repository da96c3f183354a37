import { same } from "../domain/merge.ts";
import { type Answer, LOST_RACE, PRECONDITION_FAILED } from "./answers.ts";
import { namesStrongly } from "./conditional.ts";
import { type Exchange, Moved, type Operation, type Operations } from "./exchange.ts";
import { etagOfAnswer } from "./rendering.ts";

/** `If-Match`: done only to what the client has seen, as it has seen it. */

const TRIES = 5;

export async function runMatched(exchange: Exchange, operation: Operation, { GET: read }: Operations): Promise<Answer> {
  const wanted = exchange.request.headers["if-match"];
  if (!wanted || !read || exchange.request.method === "POST") return operation.run(exchange);
  let current = exchange;
  for (let tried = 0; tried < TRIES; tried++) {
    if (!(await isNamed(wanted, current, read))) return PRECONDITION_FAILED;
    const seen = current.tender;
    const onlyIf: Exchange["onlyIf"] = seen && ((tender) => same(tender, seen));
    try {
      return await operation.run({ ...current, onlyIf });
    } catch (error) {
      if (!(error instanceof Moved)) throw error;
      // A form cannot be read twice. Otherwise what has changed may be something else than what was looked at.
      if (operation.body === "file" && !exchange.body) return LOST_RACE;
      current = { ...current, tender: await exchange.service.registry.tender(seen!.id) };
    }
  }
  return LOST_RACE;
}

/** A client may have read it indented. */
const STYLES = [{ pretty: false }, { pretty: true }];

async function isNamed(wanted: string, exchange: Exchange, read: Operation): Promise<boolean> {
  const answer = await read.run({ ...exchange, body: undefined });
  return answer.status === 200 && STYLES.some((style) => namesStrongly(wanted, etagOfAnswer(answer, style) ?? ""));
}
