import type { Tender } from "../domain/model/tender.ts";
import { PRECONDITION_FAILED } from "./errorResponses.ts";
import { matchesStrongly } from "./etags.ts";
import type { Exchange } from "./exchange.ts";
import { type BodyStyle, responseEtag } from "./responseBody.ts";
import type { HttpResponse } from "./responses.ts";
import type { Operation, OperationsByMethod } from "./route.ts";

/**
 * Conditional writes (`If-Match`, RFC 9110). The precondition is checked before the handler runs and again inside the write, on the
 * very state that is replaced.
 */

/** The methods for which `If-Match` is evaluated; it is ignored for all others. */
export const IF_MATCH_METHODS = ["PATCH", "PUT", "DELETE"];

/**
 * Runs the operation if the current representation has one of the ETags in `If-Match`; otherwise answers 412. The header is ignored
 * if `isVisible` says that the caller may not see the resource, so that a 412 reveals nothing about it.
 */
export async function runIfMatch<Ports>(
  exchange: Exchange<Ports>,
  operation: Operation<Ports>,
  { GET: read }: OperationsByMethod<Ports>,
  isVisible: (exchange: Exchange<Ports>) => boolean,
): Promise<HttpResponse> {
  const ifMatch = exchange.request.headers["if-match"];
  if (!ifMatch || !read || !IF_MATCH_METHODS.includes(exchange.request.method ?? "") || !isVisible(exchange))
    return operation.run(exchange);
  const matches = (response: HttpResponse) => hasEtag(ifMatch, response);
  const isUnchanged = async (tender: Tender | undefined) => {
    const current = { ...exchange, tender };
    return isVisible(current) && matches(await readCurrent(read, current));
  };
  if (!(await isUnchanged(exchange.tender))) return PRECONDITION_FAILED;
  // `*` matches any state, so nothing has to be checked again inside the write.
  return operation.run(
    ifMatch.trim() === "*" ? exchange : { ...exchange, preconditionHolds: isUnchanged, matchesIfMatch: matches },
  );
}

/** The JSON representation of the resource: without a query, a document is shown as its metadata and not as the file. */
async function readCurrent<Ports>(read: Operation<Ports>, exchange: Exchange<Ports>): Promise<HttpResponse> {
  const response = await read.run({ ...exchange, body: undefined, query: NO_QUERY });
  response.stream?.destroy();
  return response;
}

const NO_QUERY = new URLSearchParams();
/** The client may have read the resource indented or in ASCII, which gives other bytes and so another ETag. */
const STYLES: readonly BodyStyle[] = [false, true].flatMap((pretty) => [{ pretty }, { pretty, ascii: true }]);

const hasEtag = (ifMatch: string, response: HttpResponse): boolean =>
  response.status === 200 && STYLES.some((style) => matchesStrongly(ifMatch, responseEtag(response, style) ?? ""));
