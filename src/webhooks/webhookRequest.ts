import type { LookupAddress } from "node:dns";
import { request as requestPlain } from "node:http";
import { request as requestSecure } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import type { Instant } from "../domain/values/time.ts";
import { hostOf } from "./addresses.ts";
import type { HostResolver } from "./hostResolver.ts";
import type { AttemptOutcome } from "./model.ts";
import { signatureOf } from "./signing.ts";

export type WebhookRequest = {
  readonly url: string;
  readonly webhook: string;
  readonly delivery: string;
  readonly secrets: readonly string[];
  readonly body: string;
};

export type WebhookRequestSettings = {
  /** Absent where everybody is sent to, under whatever name the machine knows them. */
  readonly hostResolver?: HostResolver;
  /** For finding, connecting, sending and the beginning of the answer together. */
  readonly msMax: number;
};

const HEAD_BYTES_MAX = 16 * 1024;

/** One attempt, by a connection of its own, so that none is found closed by a receiver that tidied up. */
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

/** For sockets: what was checked is what is connected to, so a name cannot be one thing when checked and another when used. */
const fixedLookup =
  (addresses: readonly LookupAddress[]): LookupFunction =>
  (_host, { all }, callback) =>
    all ? callback(null, [...addresses]) : callback(null, addresses[0]!.address, addresses[0]!.family);

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
      // The name that a certificate is asked for and held to has no dot at its end, and is no address.
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
      // The status is all there is to know: whoever goes on talking holds no socket of ours.
      request.destroy();
    });
    request.on("error", (error) => resolve({ error: reasonOf(error) }));
    request.on("close", () => resolve({ error: "no answer" }));
    request.end(body);
  });
}

const TIMEOUT = "timeout";

const outcomeOf = (status: number): AttemptOutcome =>
  status >= 300 && status < 400 ? { status, error: "redirects are not followed" } : { status };

/** A word that says what happened, and nothing of what an error may carry along. */
function reasonOf(error: Error & { readonly code?: string; readonly cause?: unknown }): string {
  if (error.name === "AbortError" || error.name === "TimeoutError") return TIMEOUT;
  // Where several addresses were tried, the reason is that of one of them.
  const [first] = (error as Partial<AggregateError>).errors ?? [];
  return error.code || (first as { readonly code?: string } | undefined)?.code || "failed";
}
