import { type Store, Unavailable } from "../../store/store.ts";
import type { Registry } from "../registry.ts";
import { openFollowing, type Wording } from "./following.ts";
import { openLease } from "./lease.ts";
import { type Line, loadLines, UNSURE } from "./lines.ts";
import { CHANGED } from "./model.ts";
import type { PostingSettings } from "./posting.ts";
import { openSending, type SendingSettings } from "./sending.ts";
import { openSweeping, type WebhookOwnership } from "./sweeping.ts";

export type DispatcherSettings = {
  readonly store: Store;
  readonly registry: Pick<Registry, "catchUp">;
  readonly secretsOf: SendingSettings["secretsOf"];
  readonly wording: Wording;
  /** What changes that are yet to be delivered to one account may take up, and what those that are listed afterwards may. */
  readonly bytesMax: number;
  readonly posting: PostingSettings;
  /** Whoever is none any more is told nothing: what there is for them waits, in case they come back. */
  readonly isAccount: (name: string) => boolean;
  readonly onAttempt: SendingSettings["onAttempt"];
  /** No other process serves this registry. */
  readonly isAlone: boolean;
  readonly onFailure: (error: unknown) => void;
};

export type Dispatcher = {
  /** How many deliveries wait, and how many are being made, as far as this process makes them. */
  readonly counts: () => { readonly waiting: number; readonly sending: number };
  readonly stop: () => Promise<void>;
};

const LOOK_MS = 200;
/** Where there is no webhook at all, or another process delivers. */
const IDLE_MS = 500;
const FAILED_MS = 1000;

/** Tells webhooks of changes: looks often where the ledger stands, and lets what follows from that be done. */
export function openDispatcher(settings: DispatcherSettings): Dispatcher {
  const { store, registry, isAccount, isAlone } = settings;
  // Whoever watches time says that the store is away.
  const onFailure = (error: unknown) => void (error instanceof Unavailable || settings.onFailure(error));
  const lease = openLease(store, isAlone);
  const sending = openSending({ ...settings, lease, onFailure, finishedBytesMax: settings.bytesMax });
  const following = openFollowing({ ...settings, lease, onFailure, pendingBytesMax: settings.bytesMax });
  const sweeping = openSweeping(store);
  let lines: ReadonlyMap<string, Line> = new Map();
  let gone: readonly WebhookOwnership[] = [];
  /** Of the note that is written when owners change something: as of when we last looked at all. A restored registry has none. */
  let loaded: number | undefined | "never" = "never";
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<number> = Promise.resolve(0);
  let stopped = false;

  /** Answers how long to wait for the next. */
  async function round(): Promise<number> {
    const changed = (await store.notes.find(CHANGED))?.revision;
    const isEmpty = lines.size === 0 && gone.length === 0;
    if (changed === loaded && isEmpty) return IDLE_MS;
    const taking = await lease.take();
    if (taking !== "held") {
      lines = new Map();
      gone = [];
      loaded = "never";
    }
    if (taking === "another's") return IDLE_MS;
    if (changed !== loaded || lines.values().some(({ revision }) => revision === UNSURE)) {
      lines = await loadLines(store.notes, lines);
      gone = await sweeping.gone();
      loaded = changed;
    }
    const isMore = await deliver([...lines.values()].filter(({ webhook }) => isAccount(webhook.owner)));
    const left = await sweeping.sweep(
      [...lines.values()].map(({ webhook: { id, owner } }) => ({ webhook: id, owner })),
      gone,
    );
    gone = left.gone;
    if (lines.size === 0 && gone.length === 0) await lease.release();
    return isMore || left.isMore ? 0 : LOOK_MS;
  }

  async function deliver(all: readonly Line[]): Promise<boolean> {
    // What is due already needs no feed.
    for (const line of all) sending.start(line);
    if (!all.some(({ webhook }) => webhook.status === "active")) return false;
    const isMore = await following.follow(all, await registry.catchUp());
    for (const line of all) sending.start(line);
    await following.keepOffsets(all);
    return isMore;
  }

  function wake(): void {
    const started = performance.now();
    running = round().catch((error) => {
      onFailure(error);
      return FAILED_MS;
    });
    void running.then((pause) => {
      // A registry with very many webhooks is to have time for others as well.
      if (!stopped) timer = setTimeout(wake, Math.max(pause, performance.now() - started));
    });
  }

  wake();
  return {
    counts: () => {
      const waiting = [...lines.values()].reduce((sum, line) => sum + line.waiting.length, 0);
      return { waiting, sending: sending.count() };
    },
    stop: async () => {
      stopped = true;
      clearTimeout(timer);
      await running;
      await sending.stop();
      await lease.release().catch(() => {});
    },
  };
}
