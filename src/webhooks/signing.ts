import { createHmac } from "node:crypto";
import { newId } from "../base/secrets.ts";
import { type Instant, SECOND } from "../domain/values/time.ts";
import type { Store } from "../store/store.ts";
import type { Webhook } from "./model.ts";

/** The secrets of webhooks. They are not stored, but derived from the registry's secret and from the id and salt of a webhook. */
export type WebhookSecrets = {
  readonly secretOf: (webhook: Pick<Webhook, "id" | "salt">) => Promise<string>;
  /** The current secret first, then earlier ones that have not expired. */
  readonly secretsOf: (webhook: Webhook, now: Instant) => Promise<readonly string[]>;
};

export function openWebhookSecrets(store: Pick<Store, "secret">): WebhookSecrets {
  let registrySecret: Promise<string> | undefined;

  async function secretOf({ id, salt }: Pick<Webhook, "id" | "salt">): Promise<string> {
    registrySecret ??= store.secret("webhooks", () => newId() + newId());
    const secret = await registrySecret.catch((error) => {
      registrySecret = undefined;
      throw error;
    });
    return createHmac("sha256", secret)
      .update(salt === undefined ? id : `${id} ${salt}`)
      .digest("hex");
  }

  return {
    secretOf,
    secretsOf: ({ id, salt, retiring }, now) =>
      Promise.all(
        [{ salt }, ...unexpiredSecrets(retiring, now)].map((webhookSecret) =>
          secretOf({ id, salt: webhookSecret.salt }),
        ),
      ),
  };
}

const unexpiredSecrets = (retiring: Webhook["retiring"] = [], now: Instant) =>
  retiring.filter(({ until }) => until > now);

/** When the last of the earlier secrets expires; undefined if there are none. */
export function retirementEnd({ retiring }: Webhook, now: Instant): Instant | undefined {
  const ends = unexpiredSecrets(retiring, now).map(({ until }) => until);
  return ends.length > 0 ? Math.max(...ends) : undefined;
}

/** Each secret adds a signature to a header, which must not become too long. */
export const RETIRING_MAX = 4;

/** The webhook with a new secret. All earlier secrets expire at `until`, or before if they were due to. */
export function withSalt(before: Webhook, salt: string, until: Instant, now: Instant): Webhook | "too many" {
  const earlier = (before.retiring ?? []).map((secret) => ({ ...secret, until: Math.min(secret.until, until) }));
  const retiring = unexpiredSecrets([{ until, ...(before.salt && { salt: before.salt }) }, ...earlier], now);
  return retiring.length > RETIRING_MAX ? "too many" : { ...before, salt, retiring };
}

/**
 * The signature header: `t=<Unix seconds>,v1=<hex>`, with one `v1` for each secret. The time is signed as well, so that receivers can
 * refuse replayed requests.
 */
export function signatureOf(secrets: readonly string[], body: string, at: Instant): string {
  const seconds = Math.floor(at / SECOND);
  const signatures = secrets.map((secret) => createHmac("sha256", secret).update(`${seconds}.${body}`).digest("hex"));
  return [`t=${seconds}`, ...signatures.map((hex) => `v1=${hex}`)].join(",");
}
