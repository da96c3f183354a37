import type { Tender } from "../domain/model/tender.ts";
import { matchesStrongly } from "./etags.ts";
import type { Exchange } from "./exchange.ts";
import { type BodyStyle, responseEtag } from "./responseBody.ts";
import { type HttpResponse, PRECONDITION_FAILED } from "./responses.ts";
import type { Operation, OperationsByMethod } from "./route.ts";

/** `If-Match`: done only to what the client has seen, as it has seen it. What is decided is decided on that very state. */

export const IF_MATCH_METHODS = ["PATCH", "PUT", "DELETE"];

/** `isSeen`: whether this caller may see what the path names. What it may not is answered as if nothing had been said of it. */
export async function runIfMatch<Ports>(
  exchange: Exchange<Ports>,
  operation: Operation<Ports>,
  { GET: read }: OperationsByMethod<Ports>,
  isVisible: (exchange: Exchange<Ports>) => boolean,
): Promise<HttpResponse> {
  const ifMatch = exchange.request.headers["if-match"];
  if (!ifMatch || !read || !IF_MATCH_METHODS.includes(exchange.request.method!) || !isVisible(exchange))
    return operation.run(exchange);
  const matches = (response: HttpResponse) => hasEtag(ifMatch, response);
  const isUnchanged = async (tender: Tender | undefined) => {
    const current = { ...exchange, tender };
    return isVisible(current) && matches(await readCurrent(read, current));
  };
  if (!(await isUnchanged(exchange.tender))) return PRECONDITION_FAILED;
  // Whatever it is by then, it will do.
  return operation.run(
    ifMatch.trim() === "*" ? exchange : { ...exchange, preconditionHolds: isUnchanged, matchesIfMatch: matches },
  );
}

/** The object itself, never a file. */
async function readCurrent<Ports>(read: Operation<Ports>, exchange: Exchange<Ports>): Promise<HttpResponse> {
  const response = await read.run({ ...exchange, body: undefined, query: NO_QUERY });
  response.stream?.destroy();
  return response;
}

const NO_QUERY = new URLSearchParams();
/** A client may have read it indented, and some answers are in ASCII. */
const STYLES: readonly BodyStyle[] = [false, true].flatMap((pretty) => [{ pretty }, { pretty, ascii: true }]);

const hasEtag = (ifMatch: string, response: HttpResponse): boolean =>
  response.status === 200 && STYLES.some((style) => matchesStrongly(ifMatch, responseEtag(response, style) ?? ""));
