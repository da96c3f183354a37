import type { Tender } from "../domain/tender.ts";
import { type Answer, PRECONDITION_FAILED } from "./answers.ts";
import { namesStrongly } from "./conditional.ts";
import type { Exchange } from "./exchange.ts";
import { etagOfAnswer, type Style } from "./rendering.ts";
import type { Operation, Operations } from "./route.ts";

/** `If-Match`: done only to what the client has seen, as it has seen it. What is decided is decided on that very state. */

export const MATCHED = ["PATCH", "PUT", "DELETE"];

/** `isSeen`: whether this caller may see what the path names. What it may not is answered as if nothing had been said of it. */
export async function runMatched<Ports>(
  exchange: Exchange<Ports>,
  operation: Operation<Ports>,
  { GET: read }: Operations<Ports>,
  isSeen: (exchange: Exchange<Ports>) => boolean,
): Promise<Answer> {
  const wanted = exchange.request.headers["if-match"];
  if (!wanted || !read || !MATCHED.includes(exchange.request.method!) || !isSeen(exchange))
    return operation.run(exchange);
  const matches = (answer: Answer) => isNamed(wanted, answer);
  const isMatched = async (tender: Tender | undefined) => {
    const current = { ...exchange, tender };
    return isSeen(current) && matches(await shownBy(read, current));
  };
  if (!(await isMatched(exchange.tender))) return PRECONDITION_FAILED;
  // Whatever it is by then, it will do.
  return operation.run(wanted.trim() === "*" ? exchange : { ...exchange, isMatched, matches });
}

/** The object itself, never a file. */
async function shownBy<Ports>(read: Operation<Ports>, exchange: Exchange<Ports>): Promise<Answer> {
  const answer = await read.run({ ...exchange, body: undefined, query: NO_QUERY });
  answer.stream?.destroy();
  return answer;
}

const NO_QUERY = new URLSearchParams();
/** A client may have read it indented, and some answers are in ASCII. */
const STYLES: readonly Style[] = [false, true].flatMap((pretty) => [{ pretty }, { pretty, ascii: true }]);

const isNamed = (wanted: string, answer: Answer): boolean =>
  answer.status === 200 && STYLES.some((style) => namesStrongly(wanted, etagOfAnswer(answer, style) ?? ""));
