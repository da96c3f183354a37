import type { IncomingMessage } from "node:http";
import { OLDEST } from "../dialects/dialects.ts";
import { type Account, ANONYMOUS, mayAct } from "../domain/actors.ts";
import { complaintsOf } from "../domain/complaints.ts";
import { documentsOf } from "../domain/documents.ts";
import { areBidsSealed, mayHoldSealedBids, maySeeBid } from "../domain/sealing.ts";
import type { Tender } from "../domain/tender.ts";
import { isUsedUp, usageOf } from "../registry/idempotency.ts";
import {
  ALLOWED,
  type Answer,
  BAD_CALLBACK,
  CANNOT_VIEW,
  dry,
  FORBIDDEN,
  IDEMPOTENCY_QUOTA,
  METHOD_NOT_ALLOWED,
  NO_JSONP,
  NOT_FOUND,
  UNAUTHORIZED,
  UNSUPPORTED,
} from "./answers.ts";
import { accountOf, actorOf, keyOf, tokenInBody, tokenOf } from "./auth.ts";
import { type JsonBody, readJsonBody } from "./body.ts";
import type { BodyLease } from "./bodyBudget.ts";
import { refusedCrossSite } from "./crossSite.ts";
import { holderOf } from "./documents.ts";
import { type Exchange, isDryRun } from "./exchange.ts";
import { runMatched } from "./matching.ts";
import { keyIn, type Once, openOnce, recordedAnswer, rememberedAnswer, wasAnswered } from "./once.ts";
import { isForm, mediaTypeOf, NO_FORM, refusedForm } from "./receiving.ts";
import { callbackOf, isCallback, type Style, wantsPretty } from "./rendering.ts";
import type { RequestTrace } from "./requestTrace.ts";
import type { BodyKind, Method, Operation, Operations } from "./route.ts";
import { match, type Table } from "./router.ts";
import type { Service } from "./service.ts";
import { isRead } from "./standingHeaders.ts";

export type Handled = { readonly answer: Answer; readonly style?: Style; readonly account?: Account };

/** What a request asks for: the version's segment, the path below it or beside all versions, and the query. */
export type Target = {
  readonly segment: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly table?: Table;
};

/** What a request comes to, where its path leads anywhere. */
export async function handle(
  service: Service,
  request: IncomingMessage,
  target: Target,
  origin: string,
  trace: RequestTrace,
): Promise<Handled> {
  const { segment, path, query, table = "api" } = target;
  const dialect = service.dialects.get(segment);
  if (!dialect) return { answer: NOT_FOUND("version") };
  const matched = match(path, dialect, table);
  if (!matched) return { answer: NOT_FOUND("path") };
  const { operations, params } = matched;
  // A page of any site can read a script with the key that a browser remembers: JSONP shows what everybody sees.
  const isScript = isRead(request.method) && callbackOf(query) !== undefined;
  const account = isScript ? undefined : accountOf(request.headers.authorization, service.config.accounts);
  const token = tokenOf(query, request.headers);
  const tender = params.tender_id === undefined ? undefined : await service.registry.tender(params.tender_id);
  trace.tender = tender;
  const exchange: Exchange<Service> = {
    ports: service,
    request,
    dialect: matched.oldestBids ? service.dialects.get(OLDEST)! : dialect,
    root: table === "site" ? origin : `${origin}/api/${segment}`,
    path,
    params,
    query,
    actor: account || token ? actorOf(account, token) : ANONYMOUS,
    tender,
    now: tender?.testClock ? await service.registry.nowFor(tender) : service.clock(),
    isDry: isDryRun(query),
  };
  const asking: Asking = { exchange, operations, origin, table, trace };
  const checked = isRead(request.method) ? await check(asking) : await checkWithLease(asking);
  const handled = matched.ascii
    ? { ...checked, style: { pretty: false, ...checked.style, ascii: true } as const }
    : checked;
  return exchange.isDry ? { ...handled, answer: dry(handled.answer) } : handled;
}

type Asking = {
  readonly exchange: Exchange<Service>;
  readonly operations: Operations<Service>;
  readonly origin: string;
  readonly table: Table;
  readonly trace: RequestTrace;
};

/** Whatever a request holds of its body counts until it is answered. */
async function checkWithLease(asking: Asking): Promise<Handled> {
  const { ports: service, actor } = asking.exchange;
  const lease = service.bodies.open(actor.account?.name ?? "");
  try {
    return await check(asking, lease);
  } finally {
    lease.release();
  }
}

/** The checks of a request, in their order; the first that fails answers. What comes after them is the domain's. */
async function check(asking: Asking, lease?: BodyLease): Promise<Handled> {
  const { exchange, operations, trace } = asking;
  const { query, actor } = exchange;
  const { account } = actor;
  const method = exchange.request.method === "HEAD" ? "GET" : exchange.request.method!;
  const requested = operations[method as Method];
  trace.operation = requested;
  const asked = await askedOnce(asking, requested, method, lease);
  trace.body = bodyOf(asked?.received);
  if (asked?.answer) return { answer: asked.answer, style: styleOf(query, asked.received), account };
  const operation = operationFor(exchange, operations, method);
  if ("status" in operation) return { answer: operation, account };
  const refused = refusedUnread(asking, operation, method);
  if (refused) return { answer: refused, account };
  const received = asked?.received ?? (operation.body ? await receiveBody(operation.body, exchange, lease!) : NOTHING);
  if ("refused" in received) return { answer: received.refused, account };
  const { body } = received;
  trace.body = body;
  if (method !== "GET" && account && !mayAct(actor)) return { answer: FORBIDDEN, account };
  if (asked?.refused) return { answer: asked.refused, account };
  const whole = { ...(body ? withBody(exchange, body) : exchange), once: asked?.once };
  const answer = await runMatched(whole, operation, operations, isSeen);
  return { answer: await remembered(whole, answer), style: styleOf(query, received), account };
}

/** What is refused before a byte of the body is read: nobody without a key makes the service work. */
function refusedUnread(
  { exchange, origin, table }: Asking,
  operation: Operation<Service>,
  method: string,
): Answer | undefined {
  const { query, actor, request, ports: service } = exchange;
  const callback = callbackOf(query);
  if (callback && table === "site") return NO_JSONP;
  if (callback && !isCallback(callback)) return BAD_CALLBACK;
  const wrongType = operation.body && refusedType(operation.body, exchange);
  if (wrongType) return wrongType;
  if (method === "GET") return operation.needsKey && !actor.account ? UNAUTHORIZED : undefined;
  if (!actor.account) return operation.needsNoKey ? undefined : UNAUTHORIZED;
  return refusedCrossSite(request, origin, service.config);
}

const styleOf = (query: URLSearchParams, received: Received | undefined): Style => ({
  pretty: wantsPretty(query, bodyOf(received)),
  callback: callbackOf(query),
});

type AskedOnce = {
  readonly once?: Once;
  readonly received?: Received;
  /** It was carried out before: this is what it came to. */
  readonly answer?: Answer;
  readonly refused?: Answer;
};

/** Whether the same was asked before is looked for first of all: what it was about may be gone by now. */
async function askedOnce(
  asking: Asking,
  operation: Operation<Service> | undefined,
  method: string,
  lease: BodyLease | undefined,
): Promise<AskedOnce | undefined> {
  const { exchange, origin } = asking;
  const { request, ports: service, actor, dialect, path, query, isDry } = exchange;
  const { headers } = request;
  const key = keyIn(headers["idempotency-key"]);
  const { account } = actor;
  if (!key || !operation || isDry || method === "GET" || method === "DELETE") return undefined;
  if (typeof key !== "string") return { refused: key };
  // What is refused before its body is read was never carried out.
  if (!account || refusedUnread(asking, operation, method)) return undefined;
  // Not by the address: another server is reached by another one.
  const said = [tokenOf(query, headers) ?? "", headers["x-test-clock"] ?? ""];
  const asked = [method, dialect.segment, path, query.toString(), ...said].join("\n");
  const telling = { origin, zone: service.config.zone };
  const keyHashes = service.config.keyHashes.get(account.name) ?? [];
  const quota = { usage: usageOf(account.name), bytesMax: service.config.limits.idempotencyBytesMax };
  const once = openOnce({ account, apiKey: keyOf(headers.authorization!)!, keyHashes, key, asked, telling, quota });
  const received = operation.body ? await receiveBody(operation.body, exchange, lease!) : NOTHING;
  // What a form holds is known once it has come; it is looked for then, before anything is changed.
  if ("refused" in received) return { once, received };
  return takesForm(operation) && !received.body
    ? askedWithForm(exchange, once, received)
    : askedWithBody(exchange, once.withBody(received.body?.text ?? ""), received);
}

async function askedWithForm(
  { ports: service }: Exchange<Service>,
  once: Once,
  received: Received,
): Promise<AskedOnce> {
  const { notes } = service.registry;
  const wasAsked = await wasAnswered(once, notes, service.clock());
  if (!wasAsked && (await hasNoRoom(service, once))) return { received, refused: IDEMPOTENCY_QUOTA };
  return { once: { ...once, wasAsked }, received };
}

async function askedWithBody(
  { ports: service }: Exchange<Service>,
  once: Once,
  received: Received,
): Promise<AskedOnce> {
  const { notes } = service.registry;
  const [answer, isFull] = await Promise.all([recordedAnswer(once, notes, service.clock()), hasNoRoom(service, once)]);
  return !answer && isFull ? { received, refused: IDEMPOTENCY_QUOTA } : { once, received, answer };
}

/** Not everything is carried out in the commit that records it: what could not be recorded must not be begun. */
const hasNoRoom = async ({ registry, clock }: Service, { quota }: Once): Promise<boolean> =>
  isUsedUp(await registry.notes.find(quota.usage), quota, clock());

/** Where a decision did not record its answer with what it changed, nothing was changed, and it is recorded now. */
async function remembered({ once, ports: service }: Exchange<Service>, answer: Answer): Promise<Answer> {
  if (!once?.isWhole || once.isRecorded() || !isWorthKeeping(answer)) return answer;
  return rememberedAnswer(once, service.registry, answer);
}

/** A 412 or 5xx may succeed on retry, and so may what there was no room to record. */
const isWorthKeeping = (answer: Answer): boolean =>
  answer.status < 500 && answer.status !== 412 && answer !== IDEMPOTENCY_QUOTA;

/** What is to be done, or why there is nothing to do it to, or no such thing. */
function operationFor(
  exchange: Exchange<Service>,
  operations: Operations<Service>,
  method: string,
): Operation<Service> | Answer {
  const missing = missingOnPath(exchange, exchange.tender, method === "GET" || method === "OPTIONS");
  if (missing) return typeof missing === "string" ? NOT_FOUND(missing) : missing;
  if (method === "OPTIONS") return ALLOWED(allowedBy(operations));
  return operations[method as Method] ?? METHOD_NOT_ALLOWED(allowedBy(operations));
}

const allowedBy = (methods: object): string =>
  Object.keys(methods)
    .flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method]))
    .join(", ");

/**
 * The outermost object of the path that is not there. Of a sealed bid only its owner may learn that it exists, and whose
 * a request is may not be known before its body is read: there the domain answers, the same for what is and what is not.
 */
function missingOnPath(
  exchange: Exchange<Service>,
  tender: Tender | undefined,
  reading: boolean,
): string | Answer | undefined {
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

const isSeen = (exchange: Exchange<Service>): boolean => missingOnPath(exchange, exchange.tender, true) === undefined;

function cannotViewBid({ path, params, dialect }: Exchange<Service>, { status }: Tender): Answer {
  const what = params.document_id ? "bid document" : path.endsWith("/documents") ? "bid documents" : "bid";
  return CANNOT_VIEW(what, dialect.statusName(status));
}

/** Whatever else a path names, from the outside in. */
function missingThing(tender: Tender, params: Exchange<Service>["params"]): string | undefined {
  for (const [name, listOf] of THINGS) {
    const id = params[name];
    if (id !== undefined && !listOf(tender, params).some((one) => one.id === id)) return name;
  }
  return undefined;
}

type ListOf = (tender: Tender, params: Exchange<Service>["params"]) => readonly { readonly id: string }[];

const THINGS: readonly (readonly [string, ListOf])[] = [
  ["question_id", ({ questions }) => questions],
  ["award_id", ({ awards }) => awards],
  ["contract_id", ({ contracts }) => contracts],
  ["cancellation_id", ({ cancellations }) => cancellations],
  ["complaint_id", (tender, { award_id: award }) => complaintsOf(tender, award === undefined ? {} : { award })],
  ["lot_id", ({ lots }) => lots],
  ["document_id", (tender, params) => documentsOf(tender, holderOf({ params }))],
];

/** The body may bring the owner token, where neither the query nor a header did. */
function withBody(exchange: Exchange<Service>, body: JsonBody): Exchange<Service> {
  const { actor } = exchange;
  const inBody = actor.tokenHash ? undefined : tokenInBody(body.whole);
  return { ...exchange, body, actor: inBody ? actorOf(actor.account, inBody) : actor };
}

const takesForm = ({ body }: Operation<Service>): boolean => body === "file" || body === "form";

const JSON_BODY = "application/json";

type Received = { readonly body?: JsonBody } | { readonly refused: Answer };
const NOTHING: Received = {};
const bodyOf = (received: Received | undefined): JsonBody | undefined =>
  received && "body" in received ? received.body : undefined;

const isJson = ({ headers }: IncomingMessage): boolean =>
  headers["content-type"] === JSON_BODY || mediaTypeOf(headers["content-type"]) === JSON_BODY;

/** A file that is with the document service already is registered by JSON; the old versions know no such thing. */
const takesJson = (kind: BodyKind, { dialect }: Exchange<Service>): boolean =>
  typeof kind === "object" || (kind === "file" && !dialect.manners.plain);

const isAbsent = (kind: BodyKind, { request }: Exchange<Service>): boolean =>
  typeof kind === "object" && "mayBeAbsent" in kind && !announcesBody(request);

function refusedType(kind: BodyKind, exchange: Exchange<Service>): Answer | undefined {
  const { request } = exchange;
  if (isAbsent(kind, exchange) || (takesJson(kind, exchange) && isJson(request))) return undefined;
  if (typeof kind === "object") return UNSUPPORTED(JSON_BODY);
  return isForm(request) ? undefined : NO_FORM;
}

/** Of a type that is taken here. */
function receiveBody(kind: BodyKind, exchange: Exchange<Service>, lease: BodyLease): Promise<Received> | Received {
  const { request, dialect, ports: service } = exchange;
  if (isAbsent(kind, exchange)) return NOTHING;
  if (takesJson(kind, exchange) && isJson(request)) {
    const { jsonBytesMax: bytesMax, jsonValuesMax: valuesMax } = service.config.limits;
    const noData = (typeof kind === "object" && "noData" in kind && kind.noData) || dialect.manners.noData;
    return readJsonBody(request, { lease, bytesMax, valuesMax, noData, ...(kind === "file" && { ifForm: NO_FORM }) });
  }
  const refused = refusedForm(request, service);
  return refused ? { refused } : NOTHING;
}

const announcesBody = ({ headers }: IncomingMessage): boolean =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
