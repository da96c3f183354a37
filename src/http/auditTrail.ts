import type { IncomingMessage } from "node:http";
import { LongNumber } from "../dialects/json.ts";
import type { Group } from "../domain/actors.ts";
import { mayHoldSealedBids } from "../domain/sealing.ts";
import { hashOf } from "../registry/secrets.ts";
import { type Answer, textOf } from "./answers.ts";
import type { JsonBody } from "./body.ts";
import { isDryRun, type Service } from "./exchange.ts";
import type { Log } from "./log.ts";
import { clientAddressOf } from "./rateLimit.ts";
import { mayConcernSealedBids, pathForLog, type RequestTrace } from "./requestTrace.ts";
import { isRead } from "./standingHeaders.ts";

/** What those did over HTTP who act for the service, not for a buyer or a bidder: each act a line of the audit trail. */

/** Everything these groups write is recorded; what they read, where the operation says so (`audited` in the table of routes). */
const AUDITED: readonly Group[] = ["admins", "Administrator", "auction", "chronograph"];

type Acted = {
  readonly trace: RequestTrace;
  readonly path: string;
  readonly query: string;
  readonly requestId: string;
  readonly answer: Answer;
};

/** A promise only where there is something to record. What was done is done, also where the record fails. */
export function recordAct(
  { oversight, config }: Service,
  log: Log,
  request: IncomingMessage,
  { trace, path, query, requestId, answer }: Acted,
): Promise<void> | undefined {
  const { account } = trace;
  if (!account || !isAudited(request, trace)) return undefined;
  const isSealed = mayConcernSealedBids(path, trace);
  const act = {
    via: "http" as const,
    actor: account.name,
    group: account.group,
    act: `${request.method} ${pathForLog(path, trace)}`,
    outcome: answer.status,
    ...(isDryRun(new URLSearchParams(query)) && { dryRun: true }),
    address: clientAddressOf(request, config.trustedProxies),
    requestId,
  };
  // A log is read by more people than the trail, and must not say who works on which sealed bid.
  if (!isSealed) log.info("audit", act);
  const sent = isSealed || isRead(request.method) ? {} : { ...contentOf(trace.body), ...fileOf(trace, answer) };
  return oversight.audit
    .record({ ...act, ...sent })
    .catch((error) => log.error("an act could not be recorded", error, act));
}

function isAudited({ method }: IncomingMessage, { account, operation, tender }: RequestTrace): boolean {
  const { group } = account!;
  if (method === "OPTIONS") return false;
  if (!isRead(method)) return AUDITED.includes(group);
  const { groups = [], whileSealed } = operation?.audited ?? {};
  return groups.includes(group) && !(whileSealed && tender && !mayHoldSealedBids(tender));
}

type Content = {
  readonly sent?: object;
  readonly sentStart?: string;
  readonly sentBytes?: number;
  readonly sentSha256?: string;
};

/** More of a body than this is told by its beginning, its length and its hash. */
const SENT_LENGTH_MAX = 8 * 1024;

/** What was sent, without anything that opens or proves something. The hash is that of the body as it came. */
export function contentOf(body: JsonBody | undefined): Content {
  if (!body) return {};
  const json = JSON.stringify(body.whole, withoutSecrets);
  if (json.length <= SENT_LENGTH_MAX) return { sent: JSON.parse(json) as object };
  return {
    sentStart: json.slice(0, SENT_LENGTH_MAX).toWellFormed(),
    sentBytes: Buffer.byteLength(body.text),
    sentSha256: hashOf(body.text),
  };
}

const SECRET = /token|secret|password|credential|authori[sz]ation|signature|participationurl|^(access|(api_?)?key)$/i;
const REMOVED = "[removed]";

/** Addresses carry their secrets in the query: signatures, tokens, a bidder's way into its auction. */
function withoutSecrets(name: string, value: unknown): unknown {
  if (SECRET.test(name)) return REMOVED;
  if (value instanceof LongNumber) return value.source;
  if (typeof value !== "string") return value;
  return /^\w+:\/\//.test(value) ? value.replace(/\?.*$/s, `?${REMOVED}`) : value;
}

/** A form is told by the document that it made. */
function fileOf({ operation, body }: RequestTrace, { status, json }: Answer): { readonly document?: object } {
  const takesFile = operation?.body === "file" || operation?.body === "form";
  if (!takesFile || body || status >= 300 || json === undefined) return {};
  const { data } = JSON.parse(typeof json === "string" ? json : textOf(json)) as { data: { [name: string]: unknown } };
  const { id, title, format, hash } = data;
  return { document: JSON.parse(JSON.stringify({ id, title, format, hash })) as object };
}
