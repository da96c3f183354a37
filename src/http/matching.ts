import { type Answer, PRECONDITION_FAILED } from "./answers.ts";
import { namesStrongly } from "./conditional.ts";
import type { Exchange, Operation, Operations } from "./exchange.ts";
import { etagOfAnswer } from "./rendering.ts";

/** `If-Match`: done only to what the client has seen, as it has seen it. What is decided is decided on that very state. */
export async function runMatched(exchange: Exchange, operation: Operation, { GET: read }: Operations): Promise<Answer> {
  const wanted = exchange.request.headers["if-match"];
  if (!wanted || !read || exchange.request.method === "POST") return operation.run(exchange);
  const isMatched = (current: Exchange) => isNamed(wanted, current, read);
  if (!(await isMatched(exchange))) return PRECONDITION_FAILED;
  // Whatever it is by then, it will do.
  return operation.run(wanted.trim() === "*" ? exchange : { ...exchange, isMatched });
}

/** A client may have read it indented. */
const STYLES = [{ pretty: false }, { pretty: true }];

async function isNamed(wanted: string, exchange: Exchange, read: Operation): Promise<boolean> {
  const answer = await read.run({ ...exchange, body: undefined });
  return answer.status === 200 && STYLES.some((style) => namesStrongly(wanted, etagOfAnswer(answer, style) ?? ""));
}
