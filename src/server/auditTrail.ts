import type { IncomingMessage } from "node:http";
import { parseOwnJson } from "../base/ownJson.ts";
import { hashOf } from "../base/secrets.ts";
import type { Config } from "../config/config.ts";
import { LongNumber } from "../dialects/json.ts";
import { mayHoldSealedBids } from "../domain/bids/sealing.ts";
import type { Account, AccountGroup } from "../domain/model/actors.ts";
import { isDryRun } from "../http/exchange.ts";
import type { JsonBody } from "../http/jsonBody.ts";
import { clientAddressOf } from "../http/rateLimit.ts";
import { mayConcernSealedBids, pathForLog, type RequestTrace } from "../http/requestTrace.ts";
import { cachedBodyText, type HttpResponse } from "../http/responses.ts";
import { isReadMethod } from "../http/securityHeaders.ts";
import type { Log } from "../ops/log.ts";
import type { Observability } from "../ops/oversight.ts";

/** The audit trail over HTTP: one entry for each request of an account that acts for the service, not for a buyer or a bidder. */

/** Every write of these groups is recorded; reads only if the operation is `audited` in the route table. */
const AUDITED_GROUPS: readonly AccountGroup[] = ["admins", "Administrator", "auction", "chronograph"];

type AuditPorts = {
  readonly observability: Pick<Observability, "audit">;
  readonly config: Pick<Config, "trustedProxies">;
};

type AuditedRequest = {
  readonly trace: RequestTrace;
  readonly path: string;
  readonly query: string;
  readonly requestId: string;
  readonly response: HttpResponse;
};

/** Returns a promise only if there is something to record. It never rejects: the request has been carried out, so a failure is only logged. */
export function recordAuditEntry(
  { observability, config }: AuditPorts,
  log: Log,
  request: IncomingMessage,
  { trace, path, query, requestId, response }: AuditedRequest,
): Promise<void> | undefined {
  const { account } = trace;
  if (!account || !isAudited(request, account, trace)) return undefined;
  const isSealed = mayConcernSealedBids(path, trace);
  const act = {
    via: "http" as const,
    actor: account.name,
    group: account.group,
    act: `${request.method} ${pathForLog(path, trace)}`,
    outcome: response.status,
    ...(isDryRun(new URLSearchParams(query)) && { dryRun: true }),
    address: clientAddressOf(request, config.trustedProxies),
    requestId,
  };
  // More people read the log than the audit trail, so it must not say who works on which sealed bid.
  if (!isSealed) log.info("audit", act);
  const requestContent =
    isSealed || isReadMethod(request.method)
      ? {}
      : { ...redactBody(trace.body), ...uploadedDocumentOf(trace, response) };
  return observability.audit
    .record({ ...act, ...requestContent })
    .catch((error) => log.error("an audit entry could not be recorded", error, act));
}

function isAudited(
  { method }: IncomingMessage,
  { group }: Account,
  { operation, tender }: Pick<RequestTrace, "operation" | "tender">,
): boolean {
  if (method === "OPTIONS") return false;
  if (!isReadMethod(method)) return AUDITED_GROUPS.includes(group);
  const { groups = [], whileSealed } = operation?.audited ?? {};
  return groups.includes(group) && !(whileSealed && tender && !mayHoldSealedBids(tender));
}

type RedactedBody = {
  readonly sent?: object;
  readonly sentStart?: string;
  readonly sentBytes?: number;
  readonly sentSha256?: string;
};

/** Of a longer body, only the beginning, the length and the hash are recorded. */
const RECORDED_LENGTH_MAX = 8 * 1024;

/** The body without secrets. The hash is that of the original body. */
export function redactBody(body: JsonBody | undefined): RedactedBody {
  if (!body) return {};
  const json = JSON.stringify(body.envelope, withoutSecrets);
  if (json.length <= RECORDED_LENGTH_MAX) return { sent: JSON.parse(json) };
  return {
    sentStart: json.slice(0, RECORDED_LENGTH_MAX).toWellFormed(),
    sentBytes: Buffer.byteLength(body.text),
    sentSha256: hashOf(body.text),
  };
}

const SECRET_NAME =
  /token|secret|password|credential|authori[sz]ation|signature|participationurl|^(access|(api_?)?key)$/i;
const REMOVED = "[removed]";

/** URLs have their secrets in the query: signatures, tokens, a bidder's access to the auction. */
function withoutSecrets(name: string, value: unknown): unknown {
  if (SECRET_NAME.test(name)) return REMOVED;
  if (value instanceof LongNumber) return value.source;
  if (typeof value !== "string") return value;
  return /^\w+:\/\//.test(value) ? value.replace(/\?.*$/s, `?${REMOVED}`) : value;
}

type DocumentResponse = {
  readonly data: { readonly id?: string; readonly title?: string; readonly format?: string; readonly hash?: string };
};

/** An upload is recorded by the document that it created. */
function uploadedDocumentOf(
  { operation, body }: RequestTrace,
  { status, json }: HttpResponse,
): { readonly document?: object } {
  const takesFile = operation?.body === "file" || operation?.body === "form";
  if (!takesFile || body || status >= 300 || json === undefined) return {};
  const { data } = parseOwnJson<DocumentResponse>(typeof json === "string" ? json : cachedBodyText(json));
  const { id, title, format, hash } = data;
  return { document: JSON.parse(JSON.stringify({ id, title, format, hash })) };
}
