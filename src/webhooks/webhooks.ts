import { newId } from "../base/secrets.ts";
import type { Instant } from "../domain/values/time.ts";
import {
  entriesToRecord,
  type IdempotencyRecord,
  keysToRead,
  type OverQuota,
  type Replay,
  replayOf,
} from "../registry/idempotencyRecords.ts";
import type { EntryKey, EntryWrite, KeyValueEntry, RequestedEntries, Store } from "../store/store.ts";
import { deliveryBytes, finishedUsageKey, openFinishedUsage } from "./finishedUsage.ts";
import type { HostResolver } from "./hostResolver.ts";
import {
  CHANGED_KEY,
  DELIVERY_STATUSES,
  type DeliveryStatus,
  deliveryEntry,
  deliveryKey,
  ownedWebhooksKey,
  restartDelivery,
  type Webhook,
  type WebhookDelivery,
  webhookEntry,
  webhookKey,
} from "./model.ts";
import { openWebhookSecrets, type WebhookSecrets, withSalt } from "./signing.ts";

export type NewWebhook = Omit<Webhook, "id" | "offset" | "status" | "dateCreated" | "salt" | "retiring"> & {
  readonly offset?: Instant;
};
/** The fields to replace; a field that is `undefined` is removed. */
export type WebhookEdit = Partial<Pick<Webhook, "url" | "optFields" | "filter" | "status">>;

export type DeliveriesQuery = {
  readonly status?: DeliveryStatus;
  /** The id of the last delivery of the previous page. The newest deliveries come first. */
  readonly beyond?: string;
  readonly limit: number;
};

export type WebhookWriteOptions<Value> = {
  /** False for a dry run, which returns the same result but writes nothing. */
  readonly persists: boolean;
  /** Inside the write, "moved" is returned if this is false for the current state. */
  readonly precondition?: (webhook: Webhook) => boolean;
  /** Records the response together with the change; a retry then gets the recorded response. */
  readonly idempotency?: IdempotencyRecord<Value>;
};

/** The result of a write that did nothing: a response is already recorded, or the quota of records is used up. */
export type IdempotencyOutcome = Replay | OverQuota;

/** A webhook with a secret that was just created. */
export type WebhookWithSecret = { readonly webhook: Webhook; readonly secret: string };

/** The operations of owners on their webhooks. A webhook of another account is treated as absent (`undefined`). */
export type Webhooks = {
  readonly create: (
    webhook: NewWebhook,
    options: WebhookWriteOptions<WebhookWithSecret>,
  ) => Promise<WebhookWithSecret | "too many" | IdempotencyOutcome>;
  readonly list: (owner: string) => Promise<readonly Webhook[]>;
  readonly find: (owner: string, id: string) => Promise<Webhook | undefined>;
  readonly edit: (
    owner: string,
    id: string,
    edit: WebhookEdit,
    options: WebhookWriteOptions<Webhook>,
  ) => Promise<Webhook | undefined | "moved" | IdempotencyOutcome>;
  readonly remove: (
    owner: string,
    id: string,
    options: WebhookWriteOptions<Webhook>,
  ) => Promise<Webhook | undefined | "moved" | IdempotencyOutcome>;
  readonly deliveries: (webhook: string, query: DeliveriesQuery) => Promise<readonly WebhookDelivery[]>;
  readonly delivery: (webhook: string, id: string) => Promise<WebhookDelivery | undefined>;
  /** Makes a delivery pending again. */
  readonly resend: (
    webhook: Pick<Webhook, "id" | "owner">,
    id: string,
    options: WebhookWriteOptions<WebhookDelivery>,
  ) => Promise<WebhookDelivery | undefined | IdempotencyOutcome>;
  /** Creates a new secret. Deliveries are also signed with the earlier ones until `until`. */
  readonly rotateSecret: (
    owner: string,
    id: string,
    until: Instant,
    options: WebhookWriteOptions<WebhookWithSecret>,
  ) => Promise<WebhookWithSecret | undefined | "too many" | IdempotencyOutcome>;
  readonly secretsOf: WebhookSecrets["secretsOf"];
  /** Why requests to this host are not allowed now; it is checked again for every request. */
  readonly unreachableReason: (host: string) => Promise<string | undefined>;
};

export type WebhooksSettings = {
  readonly store: Store;
  /** Without one all hosts are allowed. */
  readonly hostResolver?: HostResolver;
};

export const WEBHOOKS_PER_OWNER_MAX = 100;
/** The timeout for the lookup of a host while the owner waits for the response. */
const LOOKUP_MS = 5000;

export function openWebhooks({ store, hostResolver }: WebhooksSettings): Webhooks {
  const { keyValues, clock } = store;
  const { secretOf, secretsOf } = openWebhookSecrets(store);
  const withChangeMarker = (persists: boolean, all: readonly EntryWrite[]) =>
    persists ? [...all, { ...CHANGED_KEY, value: "" }] : [];

  /** Runs `decide` with the entries of these keys and writes its result. A result of `undefined` or a text is a refusal. */
  function commit<Value extends object, Refused extends string | undefined>(
    keys: readonly EntryKey[],
    { persists, idempotency }: WebhookWriteOptions<Value>,
    decide: (entries: RequestedEntries) => Refused | { readonly value: Value; readonly entries: readonly EntryWrite[] },
  ): Promise<Value | Refused | IdempotencyOutcome> {
    return store.write<Value | Refused | IdempotencyOutcome>(
      undefined,
      (_none, { at, entries }) => {
        const replay = replayOf(idempotency, entries, at);
        if (replay) return { result: replay };
        const decided = decide(entries);
        if (typeof decided !== "object") return { result: decided };
        const record = idempotency && persists ? entriesToRecord(idempotency, decided.value, entries, at, "write") : [];
        if ("overQuota" in record) return { result: record };
        return { result: decided.value, entries: [...withChangeMarker(persists, decided.entries), ...record] };
      },
      [...keys, CHANGED_KEY, ...keysToRead(idempotency)],
    );
  }

  async function create(
    { offset, ...fields }: NewWebhook,
    options: WebhookWriteOptions<WebhookWithSecret>,
  ): Promise<WebhookWithSecret | "too many" | IdempotencyOutcome> {
    const webhook: Webhook = {
      ...fields,
      id: newId(),
      status: "active",
      offset: offset ?? (await newestChange()),
      dateCreated: clock(),
    };
    const value = { webhook, secret: await secretOf(webhook) };
    const ownedKey = ownedWebhooksKey(webhook.owner);
    return commit([ownedKey], options, (entries) => {
      const ids = entries.find(ownedKey)?.value ?? [];
      if (ids.length >= WEBHOOKS_PER_OWNER_MAX) return "too many";
      return { value, entries: [webhookEntry(webhook), ownedWebhooksEntry(webhook.owner, [...ids, webhook.id])] };
    });
  }

  /** The time of the newest change; all changes that are acknowledged from now on are later. */
  async function newestChange(): Promise<Instant> {
    const [newest] = await store.feed({ modes: "all", descending: true, beyond: undefined, limit: 1 });
    return newest?.dateModified ?? 0;
  }

  async function list(owner: string): Promise<readonly Webhook[]> {
    const ids = (await keyValues.find(ownedWebhooksKey(owner)))?.value ?? [];
    const found = await Promise.all(ids.map((id) => keyValues.find(webhookKey(id))));
    return found.flatMap((entry) => (entry ? [entry.value] : []));
  }

  const ownedWebhook = (entry: KeyValueEntry<"webhook"> | undefined, owner: string): Webhook | undefined =>
    entry?.value.owner === owner ? entry.value : undefined;

  function edit(owner: string, id: string, change: WebhookEdit, options: WebhookWriteOptions<Webhook>) {
    return commit([webhookKey(id)], options, (entries) => {
      const before = ownedWebhook(entries.find(webhookKey(id)), owner);
      if (!before) return undefined;
      if (options.precondition?.(before) === false) return "moved";
      const after = { ...before, ...change };
      return { value: after, entries: [webhookEntry(after)] };
    });
  }

  async function rotateSecret(
    owner: string,
    id: string,
    until: Instant,
    options: WebhookWriteOptions<WebhookWithSecret>,
  ) {
    const salt = newId();
    const secret = await secretOf({ id, salt });
    return commit<WebhookWithSecret, undefined | "too many">([webhookKey(id)], options, (entries) => {
      const before = ownedWebhook(entries.find(webhookKey(id)), owner);
      const webhook = before && withSalt(before, salt, until, clock());
      return typeof webhook === "object" ? { value: { webhook, secret }, entries: [webhookEntry(webhook)] } : webhook;
    });
  }

  /** The dispatcher removes the deliveries later, because there may be many. */
  function remove(owner: string, id: string, options: WebhookWriteOptions<Webhook>) {
    return commit([webhookKey(id), ownedWebhooksKey(owner)], options, (entries) => {
      const before = ownedWebhook(entries.find(webhookKey(id)), owner);
      if (!before) return undefined;
      if (options.precondition?.(before) === false) return "moved";
      const ids = entries.find(ownedWebhooksKey(owner))?.value ?? [];
      const remainingIds = ids.filter((candidate) => candidate !== id);
      const writes: readonly EntryWrite[] = [
        { ...webhookKey(id), value: undefined },
        { kind: "deleted webhook", id, value: owner },
        ownedWebhooksEntry(owner, remainingIds),
      ];
      return { value: before, entries: writes };
    });
  }

  async function deliveries(webhook: string, query: DeliveriesQuery): Promise<readonly WebhookDelivery[]> {
    const { status, limit } = query;
    const beyond = query.beyond === undefined ? undefined : deliveryKey(webhook, query.beyond).id;
    const page = { kind: "delivery", beyond, descending: true, limit } as const;
    const found = new Map<string, WebhookDelivery>();
    // Pending first: a delivery that is finished between the reads is found again under its new status.
    for (const candidate of status ? [status] : DELIVERY_STATUSES)
      for (const { value } of await keyValues.list({ ...page, where: { webhook, status: candidate } }))
        found.set(value.id, value);
    const newestFirst = [...found.values()].sort((a, b) => (a.id < b.id ? 1 : -1));
    return newestFirst.slice(0, limit);
  }

  async function delivery(webhook: string, id: string): Promise<WebhookDelivery | undefined> {
    return (await keyValues.find(deliveryKey(webhook, id)))?.value;
  }

  /** Also writes the webhook again, because the dispatcher reloads the deliveries of webhooks with a new revision. */
  function resend(webhook: Pick<Webhook, "id" | "owner">, id: string, options: WebhookWriteOptions<WebhookDelivery>) {
    const keys = [deliveryKey(webhook.id, id), webhookKey(webhook.id), finishedUsageKey(webhook.owner)];
    return commit(keys, options, (entries) => {
      const before = entries.find(deliveryKey(webhook.id, id))?.value;
      const storedWebhook = entries.find(webhookKey(webhook.id));
      if (!storedWebhook || !before) return undefined;
      const restarted = restartDelivery(before, clock());
      const usage = openFinishedUsage(entries);
      if (before.status !== "pending") usage.add(webhook.owner, -deliveryBytes(before));
      const updates = [deliveryEntry(webhook.id, restarted, clock()), webhookEntry(storedWebhook.value)];
      return { value: restarted, entries: [...updates, ...usage.entries()] };
    });
  }

  return {
    create,
    list,
    find: async (owner, id) => ownedWebhook(await keyValues.find(webhookKey(id)), owner),
    edit,
    remove,
    deliveries,
    delivery,
    resend,
    rotateSecret,
    secretsOf,
    unreachableReason: async (host) => {
      const found = await hostResolver?.addressesOf(host, AbortSignal.timeout(LOOKUP_MS));
      return typeof found === "string" ? found : undefined;
    },
  };
}

const ownedWebhooksEntry = (owner: string, ids: readonly string[]): EntryWrite => ({
  ...ownedWebhooksKey(owner),
  value: ids.length > 0 ? ids : undefined,
});
