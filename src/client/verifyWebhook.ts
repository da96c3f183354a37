/** The parameters of `verifyWebhook`. */
export type VerifyWebhookParams = {
  /** The `secret` that `webhooks.create`, or later `webhooks.rotateSecret`, returned. */
  readonly secret: string;
  /** The header `Tenderhall-Signature` of the request. */
  readonly signature: string | null | undefined;
  /** The body of the request, byte for byte: not parsed and serialized again. */
  readonly body: string | Uint8Array;
  /** The allowed age of the signature in seconds, against replay attacks. Default: 300. */
  readonly toleranceSeconds?: number | undefined;
  /** The current time in Unix seconds. Default: the clock of this machine. */
  readonly now?: number | undefined;
};

/**
 * Returns whether a webhook delivery comes from the registry, is unchanged and is recent.
 *
 * @example
 * const body = await request.text();
 * const signature = request.headers.get("Tenderhall-Signature");
 * if (!(await verifyWebhook({ secret, signature, body }))) return new Response("", { status: 401 });
 */
export async function verifyWebhook(params: VerifyWebhookParams): Promise<boolean> {
  const { secret, signature, body, toleranceSeconds = 300, now = Date.now() / 1000 } = params;
  const parts = (signature ?? "").split(",").map((part) => part.trim().split("="));
  const timestamp = parts.find(([name]) => name === "t")?.[1];
  if (!timestamp || !/^\d{1,12}$/.test(timestamp) || Math.abs(now - Number(timestamp)) > toleranceSeconds) return false;
  const encoder = new TextEncoder();
  const bytes = typeof body === "string" ? encoder.encode(body) : body;
  const signedBytes = concatBytes(encoder.encode(`${timestamp}.`), bytes);
  const key = await crypto.subtle.importKey("raw", encoder.encode(secret), { name: "HMAC", hash: "SHA-256" }, false, [
    "verify",
  ]);
  // `subtle.verify` compares in constant time. While a secret is rotated, the header has a signature by each secret.
  const matches = await Promise.all(
    parts
      .flatMap(([name, value = ""]) => (name === "v1" && /^[0-9a-f]{64}$/i.test(value) ? value : []))
      .map((hex) => crypto.subtle.verify("HMAC", key, fromHex(hex), signedBytes)),
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
