import { createHmac } from "node:crypto";
import { newId } from "../base/secrets.ts";
import { type Instant, SECOND } from "../domain/values/time.ts";
import type { Store } from "../store/store.ts";
import type { Webhook } from "./model.ts";

/** What deliveries are signed with. Secrets are made of what is kept and of what only the registry knows, and kept nowhere. */
export type WebhookSecrets = {
  readonly secretOf: (webhook: Pick<Webhook, "id" | "salt">) => Promise<string>;
  /** Its own first, then those that still count. */
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

/** Until when deliveries are signed with secrets of before as well; `undefined`, where they are not. */
export function retirementEnd({ retiring }: Webhook, now: Instant): Instant | undefined {
  const ends = unexpiredSecrets(retiring, now).map(({ until }) => until);
  return ends.length > 0 ? Math.max(...ends) : undefined;
}

/** As many as fit into a header that nobody finds too long. */
export const RETIRING_MAX = 4;

/** With another secret. Those of before count until then, unless they ended earlier anyway. */
export function withSalt(before: Webhook, salt: string, until: Instant, now: Instant): Webhook | "too many" {
  const earlier = (before.retiring ?? []).map((secret) => ({ ...secret, until: Math.min(secret.until, until) }));
  const retiring = unexpiredSecrets([{ until, ...(before.salt && { salt: before.salt }) }, ...earlier], now);
  return retiring.length > RETIRING_MAX ? "too many" : { ...before, salt, retiring };
}

/** `t=<unix seconds>,v1=<hex>`, and `v1` once more for each further secret. The time is signed too, so that what is old cannot be sent as new. */
export function signatureOf(secrets: readonly string[], body: string, at: Instant): string {
  const seconds = Math.floor(at / SECOND);
  const signatures = secrets.map((secret) => createHmac("sha256", secret).update(`${seconds}.${body}`).digest("hex"));
  return [`t=${seconds}`, ...signatures.map((hex) => `v1=${hex}`)].join(",");
}
