import type { Instant } from "../../domain/time.ts";
import type { NewNote, Note, NoteName, Store } from "../../store/store.ts";
import {
  type IdempotencyRecord,
  notesSeenFor,
  notesToRecord,
  type OverQuota,
  type Replay,
  replayOf,
} from "../idempotency.ts";
import { newId } from "../secrets.ts";
import { bytesOf, finishedName, openUsage } from "./finished.ts";
import {
  begunAgain,
  CHANGED,
  type Delivery,
  type DeliveryStatus,
  deliveriesOf,
  deliveryIn,
  GONE,
  noteOfDelivery,
  noteOfWebhook,
  OWNED,
  STATUSES,
  WEBHOOK,
  type Webhook,
  webhookIn,
} from "./model.ts";
import type { Reaching } from "./reaching.ts";
import { openSigning, type Signing, withSalt } from "./signing.ts";

export type NewWebhook = Omit<Webhook, "id" | "offset" | "status" | "dateCreated" | "salt" | "retiring"> & {
  readonly offset?: Instant;
};
/** What is named is replaced; what is `undefined` is taken away. */
export type WebhookEdit = Partial<Pick<Webhook, "url" | "optFields" | "filter" | "status">>;

export type DeliveriesQuery = {
  readonly status?: DeliveryStatus;
  /** Those before this one: the newest come first. */
  readonly beyond?: string;
  readonly limit: number;
};

/**
 * How what an owner does is kept. Where it `stores` is false, everything is as if it were done, but it is not. With `once`, what
 * is answered is written with it, and whoever asks the same again is told what was recorded.
 */
export type Keeping<Value> = {
  readonly stores: boolean;
  /** Only to a webhook of which this is true. */
  readonly onlyIf?: (webhook: Webhook) => boolean;
  readonly once?: IdempotencyRecord<Value>;
};
export type Again = Replay | OverQuota;

export type Made = { readonly webhook: Webhook; readonly secret: string };

/** What owners do with their webhooks. Nobody is shown those of another. */
export type Webhooks = {
  readonly create: (made: NewWebhook, keeping: Keeping<Made>) => Promise<Made | "too many" | Again>;
  readonly list: (owner: string) => Promise<readonly Webhook[]>;
  readonly find: (owner: string, id: string) => Promise<Webhook | undefined>;
  readonly edit: (
    owner: string,
    id: string,
    edit: WebhookEdit,
    keeping: Keeping<Webhook>,
  ) => Promise<Webhook | undefined | "moved" | Again>;
  readonly remove: (
    owner: string,
    id: string,
    keeping: Keeping<Webhook>,
  ) => Promise<Webhook | undefined | "moved" | Again>;
  readonly deliveries: (webhook: string, query: DeliveriesQuery) => Promise<readonly Delivery[]>;
  readonly delivery: (webhook: string, id: string) => Promise<Delivery | undefined>;
  readonly resend: (
    webhook: Pick<Webhook, "id" | "owner">,
    id: string,
    keeping: Keeping<Delivery>,
  ) => Promise<Delivery | undefined | Again>;
  /** Gives a webhook another secret; deliveries are signed with those of before as well, until then at most. */
  readonly rotateSecret: (
    owner: string,
    id: string,
    until: Instant,
    keeping: Keeping<Made>,
  ) => Promise<Made | undefined | "too many" | Again>;
  readonly secretsOf: Signing["secretsOf"];
  /** As of now: it is looked at again each time something is sent. */
  readonly whyNotSendTo: (host: string) => Promise<string | undefined>;
};

export type WebhooksSettings = {
  readonly store: Store;
  /** Absent where everybody is sent to. */
  readonly reaching?: Reaching;
};

export const OWNED_MAX = 100;
/** Whoever makes a webhook waits for it. */
const LOOK_MS = 5000;

export function openWebhooks({ store, reaching }: WebhooksSettings): Webhooks {
  const { notes, clock } = store;
  const { secretOf, secretsOf } = openSigning(store);
  const written = (stores: boolean, all: readonly NewNote[]) => (stores ? [...all, { ...CHANGED, text: "" }] : []);

  /** Decided with these notes in sight; `undefined` and texts are refusals, which change nothing. */
  function keep<Value extends object, Refused extends string | undefined>(
    seeing: readonly NoteName[],
    { stores, once }: Keeping<Value>,
    decide: (
      seen: readonly (Note | undefined)[],
    ) => Refused | { readonly value: Value; readonly notes: readonly NewNote[] },
  ): Promise<Value | Refused | Again> {
    return store.write<Value | Refused | Again>(
      undefined,
      (_none, { at, notes: seen }) => {
        const replay = replayOf(once, seen, at);
        if (replay) return { answer: replay };
        const decided = decide(seen);
        if (typeof decided !== "object") return { answer: decided };
        const record = once && stores ? notesToRecord(once, decided.value, seen, at, "write") : [];
        if ("overQuota" in record) return { answer: record };
        return { answer: decided.value, notes: [...written(stores, decided.notes), ...record] };
      },
      [...seeing, CHANGED, ...notesSeenFor(once)],
    );
  }
  async function create({ offset, ...made }: NewWebhook, keeping: Keeping<Made>): Promise<Made | "too many" | Again> {
    const webhook: Webhook = {
      ...made,
      id: newId(),
      status: "active",
      offset: offset ?? (await newestChange()),
      dateCreated: clock(),
    };
    const value = { webhook, secret: await secretOf(webhook) };
    return keep([{ kind: OWNED, id: webhook.owner }], keeping, ([owned]) => {
      const ids = idsIn(owned);
      if (ids.length >= OWNED_MAX) return "too many";
      return { value, notes: [noteOfWebhook(webhook), noteOfOwned(webhook.owner, [...ids, webhook.id])] };
    });
  }

  /** Whatever is acknowledged from now on comes after it. */
  async function newestChange(): Promise<Instant> {
    const [newest] = await store.feed({ modes: "all", descending: true, beyond: undefined, limit: 1 });
    return newest?.dateModified ?? 0;
  }

  async function list(owner: string): Promise<readonly Webhook[]> {
    const ids = idsIn(await notes.find({ kind: OWNED, id: owner }));
    const found = await Promise.all(ids.map((id) => notes.find({ kind: WEBHOOK, id })));
    return found.flatMap((note) => (note ? [webhookIn(note)] : []));
  }

  const ownIn = (note: Note | undefined, owner: string): Webhook | undefined => {
    const webhook = note && webhookIn(note);
    return webhook?.owner === owner ? webhook : undefined;
  };

  function edit(owner: string, id: string, change: WebhookEdit, keeping: Keeping<Webhook>) {
    return keep([{ kind: WEBHOOK, id }], keeping, ([seen]) => {
      const before = ownIn(seen, owner);
      if (!before) return undefined;
      if (keeping.onlyIf?.(before) === false) return "moved";
      const after = { ...before, ...change };
      return { value: after, notes: [noteOfWebhook(after)] };
    });
  }

  async function rotateSecret(owner: string, id: string, until: Instant, keeping: Keeping<Made>) {
    const salt = newId();
    const secret = await secretOf({ id, salt });
    return keep<Made, undefined | "too many">([{ kind: WEBHOOK, id }], keeping, ([seen]) => {
      const before = ownIn(seen, owner);
      const webhook = before && withSalt(before, salt, until, clock());
      return typeof webhook === "object" ? { value: { webhook, secret }, notes: [noteOfWebhook(webhook)] } : webhook;
    });
  }

  /** Its deliveries may be many; they are removed after it. */
  function remove(owner: string, id: string, keeping: Keeping<Webhook>) {
    const seeing = [
      { kind: WEBHOOK, id },
      { kind: OWNED, id: owner },
    ];
    return keep(seeing, keeping, ([seen, owned]) => {
      const before = ownIn(seen, owner);
      if (!before) return undefined;
      if (keeping.onlyIf?.(before) === false) return "moved";
      const rest = idsIn(owned).filter((one) => one !== id);
      const gone = [{ kind: WEBHOOK, id, text: undefined }, { kind: GONE, id, text: owner }, noteOfOwned(owner, rest)];
      return { value: before, notes: gone };
    });
  }

  async function deliveries(webhook: string, query: DeliveriesQuery): Promise<readonly Delivery[]> {
    const { status, beyond, limit } = query;
    const found = new Map<string, Delivery>();
    // In this order: what is done in between is found under its new status.
    for (const one of status ? [status] : STATUSES)
      for (const note of await notes.list({ kind: deliveriesOf(webhook, one), beyond, descending: true, limit }))
        found.set(note.id, deliveryIn(note));
    const newestFirst = [...found.values()].sort((a, b) => (a.id < b.id ? 1 : -1));
    return newestFirst.slice(0, limit);
  }

  async function delivery(webhook: string, id: string): Promise<Delivery | undefined> {
    const found = await Promise.all(STATUSES.map((status) => notes.find({ kind: deliveriesOf(webhook, status), id })));
    const note = found.find((one) => one !== undefined);
    return note && deliveryIn(note);
  }

  /** The webhook is written again as well, which tells the dispatcher to look at its deliveries. */
  function resend(webhook: Pick<Webhook, "id" | "owner">, id: string, keeping: Keeping<Delivery>) {
    const kinds = STATUSES.map((status) => ({ kind: deliveriesOf(webhook.id, status), id }));
    const seeing = [...kinds, { kind: WEBHOOK, id: webhook.id }, finishedName(webhook.owner)];
    return keep(seeing, keeping, (seen) => {
      const note = seen.slice(0, kinds.length).find((one) => one !== undefined);
      const hook = seen[kinds.length];
      if (!hook || !note) return undefined;
      const before = deliveryIn(note);
      const again = begunAgain(before, clock());
      const usage = openUsage(seen);
      const isFinished = note.kind !== kinds[0]!.kind;
      if (isFinished) usage.add(webhook.owner, -bytesOf(before));
      const done: NewNote[] = isFinished ? [{ kind: note.kind, id, text: undefined }] : [];
      const begun = [noteOfDelivery(webhook.id, again, clock()), noteOfWebhook(webhookIn(hook))];
      return { value: again, notes: [...done, ...begun, ...usage.notes()] };
    });
  }

  return {
    create,
    list,
    find: async (owner, id) => ownIn(await notes.find({ kind: WEBHOOK, id }), owner),
    edit,
    remove,
    deliveries,
    delivery,
    resend,
    rotateSecret,
    secretsOf,
    whyNotSendTo: async (host) => {
      const found = await reaching?.addressesOf(host, AbortSignal.timeout(LOOK_MS));
      return typeof found === "string" ? found : undefined;
    },
  };
}

const idsIn = (note: Note | undefined): readonly string[] => (note ? (JSON.parse(note.text) as string[]) : []);

const noteOfOwned = (owner: string, ids: readonly string[]): NewNote => ({
  kind: OWNED,
  id: owner,
  text: ids.length > 0 ? JSON.stringify(ids) : undefined,
});
