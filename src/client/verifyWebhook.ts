/** What came to the address of a webhook. */
export type VerifyWebhookParams = {
  /** The `secret` that `webhooks.create` told, or `webhooks.rotateSecret` after it. */
  readonly secret: string;
  /** The header `Tenderhall-Signature`. */
  readonly signature: string | null | undefined;
  /** The body exactly as it came, not parsed and written again. */
  readonly body: string | Uint8Array;
  /** How old it may be, so that nobody sends it again later; 300 seconds without this. */
  readonly toleranceSeconds?: number | undefined;
  /** Unix seconds to compare with, in place of this machine's clock. */
  readonly now?: number | undefined;
};

/** Whether a delivery is the registry's own, unchanged, and not too old. */
export async function verifyWebhook(params: VerifyWebhookParams): Promise<boolean> {
  const { secret, signature, body, toleranceSeconds = 300, now = Date.now() / 1000 } = params;
  const parts = (signature ?? "").split(",").map((part) => part.trim().split("=") as [string, string?]);
  const timestamp = parts.find(([name]) => name === "t")?.[1];
  if (!timestamp || !/^\d{1,12}$/.test(timestamp) || Math.abs(now - Number(timestamp)) > toleranceSeconds) return false;
  const encoder = new TextEncoder();
  const bytes = typeof body === "string" ? encoder.encode(body) : body;
  const signedBytes = concatBytes(encoder.encode(`${timestamp}.`), bytes);
  const key = await crypto.subtle.importKey("raw", encoder.encode(secret), { name: "HMAC", hash: "SHA-256" }, false, [
    "verify",
  ]);
  // The platform compares in a time that tells nothing. Several signatures are looked at, as secrets may be exchanged.
  const matches = await Promise.all(
    parts
      .filter(([name, value]) => name === "v1" && /^[0-9a-f]{64}$/i.test(value ?? ""))
      .map(([, value]) => crypto.subtle.verify("HMAC", key, fromHex(value!), signedBytes)),
  );
  return matches.includes(true);
}

function concatBytes(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(first.length + second.length);
  bytes.set(first);
  bytes.set(second, first.length);
  return bytes;
}

const fromHex = (hex: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from({ length: hex.length / 2 }, (_, i) => Number.parseInt(hex.slice(2 * i, 2 * i + 2), 16));
