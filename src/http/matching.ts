import { type Answer, PRECONDITION_FAILED } from "./answers.ts";
import { namesStrongly } from "./conditional.ts";
import type { Exchange, Operation, Operations } from "./exchange.ts";
import { etagOfAnswer, type Style } from "./rendering.ts";

/** `If-Match`: done only to what the client has seen, as it has seen it. What is decided is decided on that very state. */

export const MATCHED = ["PATCH", "PUT", "DELETE"];

/** `isSeen`: whether this caller may see what the path names. What it may not is answered as if nothing had been said of it. */
export async function runMatched(
  exchange: Exchange,
  operation: Operation,
  { GET: read }: Operations,
  isSeen: (exchange: Exchange) => boolean,
): Promise<Answer> {
  const wanted = exchange.request.headers["if-match"];
  if (!wanted || !read || !MATCHED.includes(exchange.request.method!) || !isSeen(exchange))
    return operation.run(exchange);
  const matches = (answer: Answer) => isNamed(wanted, answer);
  const isMatched = async (current: Exchange) => isSeen(current) && matches(await shownBy(read, current));
  if (!(await isMatched(exchange))) return PRECONDITION_FAILED;
  // Whatever it is by then, it will do.
  return operation.run(wanted.trim() === "*" ? exchange : { ...exchange, isMatched, matches });
}

/** The object itself, never a file. */
async function shownBy(read: Operation, exchange: Exchange): Promise<Answer> {
  const answer = await read.run({ ...exchange, body: undefined, query: NO_QUERY });
  answer.stream?.destroy();
  return answer;
}

const NO_QUERY = new URLSearchParams();
/** A client may have read it indented, and some answers are in ASCII. */
const STYLES: readonly Style[] = [false, true].flatMap((pretty) => [{ pretty }, { pretty, ascii: true }]);

const isNamed = (wanted: string, answer: Answer): boolean =>
  answer.status === 200 && STYLES.some((style) => namesStrongly(wanted, etagOfAnswer(answer, style) ?? ""));
