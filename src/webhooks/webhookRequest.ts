import type { LookupAddress } from "node:dns";
import { request as requestPlain } from "node:http";
import { request as requestSecure } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { errorCode } from "../base/errors.ts";
import type { Instant } from "../domain/values/time.ts";
import { hostOf } from "./addresses.ts";
import type { HostResolver } from "./hostResolver.ts";
import type { AttemptOutcome } from "./model.ts";
import { signatureOf } from "./signing.ts";

/** One attempt to send a delivery. */
export type WebhookRequest = {
  readonly url: string;
  /** The id of the webhook. */
  readonly webhook: string;
  /** The id of the delivery. */
  readonly delivery: string;
  readonly secrets: readonly string[];
  readonly body: string;
};

export type WebhookRequestSettings = {
  /** Without one all hosts are allowed, and the machine resolves their names. */
  readonly hostResolver?: HostResolver;
  /** The timeout from the lookup of the host until the headers of the response. */
  readonly msMax: number;
};

const HEAD_BYTES_MAX = 16 * 1024;

/** Sends a request and returns its outcome; never throws. Each request has a new connection, because an idle one may be closed. */
export async function sendWebhookRequest(
  request: WebhookRequest,
  at: Instant,
  { hostResolver, msMax }: WebhookRequestSettings,
  shutdownSignal: AbortSignal,
): Promise<AttemptOutcome> {
  const signal = AbortSignal.any([AbortSignal.timeout(msMax), shutdownSignal]);
  const addresses = await hostResolver?.addressesOf(hostOf(new URL(request.url)), signal);
  if (typeof addresses === "string") return { error: signal.aborted ? TIMEOUT : addresses };
  return send(request, at, { signal, ...(addresses && { lookup: fixedLookup(addresses) }) });
}

/** Makes the socket connect to the addresses that were checked, so that a second lookup cannot give others (DNS rebinding). */
const fixedLookup =
  (addresses: readonly LookupAddress[]): LookupFunction =>
  (_host, { all }, callback) => {
    const [first] = addresses;
    if (all || !first) callback(null, [...addresses]);
    else callback(null, first.address, first.family);
  };

type ConnectionOptions = { readonly signal: AbortSignal; readonly lookup?: LookupFunction };

function send(
  { url, webhook, delivery, secrets, body }: WebhookRequest,
  at: Instant,
  connection: ConnectionOptions,
): Promise<AttemptOutcome> {
  const target = new URL(url);
  const host = hostOf(target);
  return new Promise((resolve) => {
    const request = (target.protocol === "https:" ? requestSecure : requestPlain)(target, {
      method: "POST",
      agent: false,
      maxHeaderSize: HEAD_BYTES_MAX,
      // For TLS (SNI): a host name without a trailing dot; empty for an IP address.
      servername: isIP(host) ? "" : host.replace(/\.$/, ""),
      ...connection,
      headers: {
        "Content-Type": "application/json; charset=UTF-8",
        "Content-Length": Buffer.byteLength(body),
        "User-Agent": "Tenderhall",
        "Tenderhall-Webhook": webhook,
        "Tenderhall-Delivery": delivery,
        "Tenderhall-Signature": signatureOf(secrets, body, at),
      },
    });
    request.on("response", (response) => {
      response.on("error", () => {});
      resolve(outcomeOf(response.statusCode ?? 0));
      // Only the status matters, so the body is not read.
      request.destroy();
    });
    request.on("error", (error) => resolve({ error: reasonOf(error) }));
    request.on("close", () => resolve({ error: "no response" }));
    request.end(body);
  });
}

const TIMEOUT = "timeout";

const outcomeOf = (status: number): AttemptOutcome =>
  status >= 300 && status < 400 ? { status, error: "redirects are not followed" } : { status };

/** An error code, never the message: owners see it, and a message may contain internal details. */
function reasonOf(error: Error): string {
  if (error.name === "AbortError" || error.name === "TimeoutError") return TIMEOUT;
  // If several addresses were tried, the reason is that of the first one.
  const [first] = error instanceof AggregateError ? error.errors : [];
  return errorCode(error) || errorCode(first) || "failed";
}
