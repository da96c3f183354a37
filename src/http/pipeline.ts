import type { IncomingMessage } from "node:http";
import { OLDEST } from "../dialects/dialects.ts";
import { type Account, type Actor, ANONYMOUS } from "../domain/actors.ts";
import { complaintsOf } from "../domain/complaints.ts";
import { documentsOf } from "../domain/documents.ts";
import { areBidsSealed, mayHoldSealedBids, maySeeBid } from "../domain/sealing.ts";
import type { Tender } from "../domain/tender.ts";
import {
  type Answer,
  BAD_CALLBACK,
  CANNOT_VIEW,
  METHOD_NOT_ALLOWED,
  NOT_FOUND,
  UNAUTHORIZED,
  UNSUPPORTED,
} from "./answers.ts";
import { accountOf, actorOf, tokenOf } from "./auth.ts";
import { type JsonBody, readJsonBody } from "./body.ts";
import { holderOf } from "./documents.ts";
import { type BodyKind, type Exchange, type Method, type Operation, operationsIn, type Service } from "./exchange.ts";
import { mediaTypeOf, refusedForm } from "./receiving.ts";
import { callbackOf, isCallback, type Style, wantsPretty } from "./rendering.ts";
import { match } from "./router.ts";

export type Handled = { readonly answer: Answer; readonly style?: Style; readonly account?: Account };

/** What a request asks for: the version's segment, the path below it, and the query. */
export type Target = { readonly segment: string; readonly path: string; readonly query: URLSearchParams };

/** The checks of a request, in their order; the first that fails answers. What comes after them is the domain's. */
export async function handle(
  service: Service,
  request: IncomingMessage,
  target: Target,
  origin: string,
): Promise<Handled> {
  const { segment, path, query } = target;
  const dialect = service.dialects.get(segment);
  if (!dialect) return { answer: NOT_FOUND("version") };
  const matched = match(path, dialect);
  if (!matched) return { answer: NOT_FOUND("path") };
  const account = accountOf(request.headers.authorization, service.config.accounts);
  const token = tokenOf(query, request.headers);
  const { route, params } = matched;
  const exchange: Exchange = {
    service,
    request,
    dialect: matched.oldestBids ? service.dialects.get(OLDEST)! : dialect,
    root: `${origin}/api/${segment}`,
    path,
    params,
    query,
    actor: account || token ? actorOf(account, token) : ANONYMOUS,
  };
  const method = request.method === "HEAD" ? "GET" : request.method!;
  const tender = params.tender_id === undefined ? undefined : await service.registry.tender(params.tender_id);
  const missing = missingOnPath(exchange, tender, method === "GET");
  if (missing) return { answer: typeof missing === "string" ? NOT_FOUND(missing) : missing, account };
  const operations = operationsIn(route, dialect);
  const operation = operations[method as Method];
  if (!operation) return { answer: METHOD_NOT_ALLOWED(allowedBy(operations)), account };
  return { account, ...(await checked({ ...exchange, tender }, operation, method, token)) };
}

const allowedBy = (methods: object): string =>
  Object.keys(methods)
    .flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method]))
    .join(", ");

/**
 * The outermost object of the path that is not there. Of a sealed bid only its owner may learn that it exists, and whose
 * a request is may not be known before its body is read: there the domain answers, the same for what is and what is not.
 */
function missingOnPath(exchange: Exchange, tender: Tender | undefined, reading: boolean): string | Answer | undefined {
  const { params, actor, dialect } = exchange;
  if (params.tender_id === undefined) return undefined;
  if (!tender) return "tender_id";
  if (params.bid_id !== undefined) {
    if (areBidsSealed(tender) && !reading) return undefined;
    const bid = tender.bids.find(({ id }) => id === params.bid_id);
    const unseen = !bid || !maySeeBid(bid, tender, actor);
    if (unseen)
      return dialect.manners.hidden === "refused" && mayHoldSealedBids(tender)
        ? cannotViewBid(exchange, tender)
        : "bid_id";
  }
  return missingThing(tender, params);
}

function cannotViewBid({ path, params, dialect }: Exchange, { status }: Tender): Answer {
  const what = params.document_id ? "bid document" : path.endsWith("/documents") ? "bid documents" : "bid";
  return CANNOT_VIEW(what, dialect.statusName(status));
}

/** Whatever else a path names, from the outside in. */
function missingThing(tender: Tender, params: Exchange["params"]): string | undefined {
  const isAmong = (list: readonly { readonly id: string }[], name: string) => {
    const id = params[name];
    return id === undefined || list.some((one) => one.id === id) ? undefined : name;
  };
  const complaints = complaintsOf(tender, params.award_id === undefined ? {} : { award: params.award_id });
  return (
    isAmong(tender.questions, "question_id") ??
    isAmong(tender.awards, "award_id") ??
    isAmong(tender.contracts, "contract_id") ??
    isAmong(tender.cancellations, "cancellation_id") ??
    isAmong(complaints, "complaint_id") ??
    (params.lot_id !== undefined ? isAmong(tender.lots, "lot_id") : undefined) ??
    isAmong(documentsOf(tender, holderOf({ params })), "document_id")
  );
}

async function checked(
  exchange: Exchange,
  operation: Operation,
  method: string,
  token: string | undefined,
): Promise<{ answer: Answer; style?: Style }> {
  const { query } = exchange;
  const callback = callbackOf(query);
  if (callback && !isCallback(callback)) return { answer: BAD_CALLBACK };
  const received = operation.body ? await receiveBody(operation.body, exchange) : {};
  if ("refused" in received) return { answer: received.refused };
  const { body } = received;
  if (method !== "GET" && !exchange.actor.account) return { answer: UNAUTHORIZED };
  const actor = withTokenOf(exchange, body, token);
  const answer = await operation.run({ ...exchange, actor, body });
  return { answer, style: { pretty: wantsPretty(query, body), callback } };
}

function withTokenOf(
  { query, request, actor }: Exchange,
  body: JsonBody | undefined,
  token: string | undefined,
): Actor {
  return token || !body ? actor : actorOf(actor.account, tokenOf(query, request.headers, body.whole));
}

async function receiveBody(
  kind: BodyKind,
  { request, dialect, service }: Exchange,
): Promise<{ readonly body?: JsonBody } | { readonly refused: Answer }> {
  const { jsonBytesMax } = service.config.limits;
  const isJson = mediaTypeOf(request.headers["content-type"]) === "application/json";
  const readJson = (ifForm?: Answer) => readJsonBody(request, jsonBytesMax, dialect.manners.noData, ifForm);
  if (kind !== "file") return isJson ? readJson() : { refused: UNSUPPORTED("application/json") };
  // A file that is with the document service already is registered by JSON; the old versions know no such thing.
  if (isJson && !dialect.manners.plain) return readJson(UNSUPPORTED("multipart/form-data"));
  const refused = refusedForm(request, service);
  return refused ? { refused } : {};
}
