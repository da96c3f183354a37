import { createHmac } from "node:crypto";
import { request as requestPlain } from "node:http";
import { request as requestSecure } from "node:https";
import { isIP } from "node:net";
import type { Instant } from "../../domain/time.ts";
import { SECOND } from "../../domain/time.ts";
import { hostOf, isPublicAddress, lookupPublic, NOT_PUBLIC } from "./addresses.ts";
import type { Outcome } from "./model.ts";

export type Letter = {
  readonly url: string;
  readonly webhook: string;
  readonly delivery: string;
  readonly secret: string;
  readonly body: string;
};

export type PostingSettings = {
  readonly onlyPublic: boolean;
  /** For connecting, sending and the beginning of the answer together. */
  readonly msMax: number;
};

const HEAD_BYTES_MAX = 16 * 1024;

/** `t=<unix seconds>,v1=<hex>`: the time is signed with the body, so that what is old cannot be sent as new. */
export function signatureOf(secret: string, body: string, at: Instant): string {
  const seconds = Math.floor(at / SECOND);
  return `t=${seconds},v1=${createHmac("sha256", secret).update(`${seconds}.${body}`).digest("hex")}`;
}

/** One attempt; it never rejects. A connection of its own each time, so that none is found closed by a receiver that tidied up. */
export function post(letter: Letter, at: Instant, settings: PostingSettings, ending: AbortSignal): Promise<Outcome> {
  const { url, webhook, delivery, secret, body } = letter;
  const target = new URL(url);
  const { onlyPublic, msMax } = settings;
  // Where the host is an address, sockets ask for no lookup.
  if (onlyPublic && isIP(hostOf(target)) && !isPublicAddress(hostOf(target)))
    return Promise.resolve({ error: NOT_PUBLIC });
  return new Promise((resolve) => {
    const request = (target.protocol === "https:" ? requestSecure : requestPlain)(target, {
      method: "POST",
      agent: false,
      maxHeaderSize: HEAD_BYTES_MAX,
      signal: AbortSignal.any([AbortSignal.timeout(msMax), ending]),
      ...(onlyPublic && { lookup: lookupPublic }),
      headers: {
        "Content-Type": "application/json; charset=UTF-8",
        "Content-Length": Buffer.byteLength(body),
        "User-Agent": "Tenderhall",
        "Tenderhall-Webhook": webhook,
        "Tenderhall-Delivery": delivery,
        "Tenderhall-Signature": signatureOf(secret, body, at),
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

const outcomeOf = (status: number): Outcome =>
  status >= 300 && status < 400 ? { status, error: "redirects are not followed" } : { status };

/** A word that says what happened, and nothing of what an error may carry along. */
function reasonOf(error: Error & { readonly code?: string; readonly cause?: unknown }): string {
  if (error.name === "AbortError" || error.name === "TimeoutError") return "timeout";
  // Where several addresses were tried, the reason is that of one of them.
  const [first] = (error as Partial<AggregateError>).errors ?? [];
  return error.code || (first as { readonly code?: string } | undefined)?.code || "failed";
}
