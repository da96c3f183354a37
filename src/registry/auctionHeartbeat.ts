import type { Interruption } from "../domain/model/commands.ts";
import { type Instant, MINUTE, SECOND } from "../domain/values/time.ts";
import type { EntryKey, Heartbeat, Store } from "../store/store.ts";
import { listAuctions } from "./auctionListings.ts";

/**
 * The heartbeat of the whole service, by which it knows when no server could be reached: while an auction runs or is about to start,
 * one of the servers writes the time every second. Whoever finds that nobody has done so for too long records an interruption.
 */
export type AuctionHeartbeat = {
  /** The last interruption that is known. */
  readonly interruption: () => Interruption | undefined;
  /** Makes sure that an interruption that has just ended is known. Costs nothing while the heartbeat is regular. */
  readonly ensureFresh: () => Promise<void>;
  /** Beats once; returns an interruption that this call has found. */
  readonly beat: () => Promise<Interruption | undefined>;
};

export type HeartbeatSettings = {
  readonly store: Pick<Store, "keyValues" | "clock">;
  /** A longer pause of the heartbeat is an interruption. */
  readonly pauseMicrosMax: number;
  /** Whether this process is a server. A command of an operator only reads: that it runs does not mean that bidders reach the service. */
  readonly isServer: boolean;
  /** Called when this server has recorded an interruption. */
  readonly onInterruption?: (() => void) | undefined;
};

const HEARTBEAT: EntryKey<"heartbeat"> = { kind: "heartbeat", id: "auctions" };
/** How long before the start of an auction the heartbeat begins. */
const NOTICE = 15 * MINUTE;
const INTERVAL = SECOND;

/** Opens the heartbeat. The caller beats every second. */
export function openHeartbeat({
  store,
  pauseMicrosMax,
  isServer,
  onInterruption,
}: HeartbeatSettings): AuctionHeartbeat {
  const { keyValues, clock } = store;
  let lastInterruption: Interruption | undefined;
  let freshAt = Number.NEGATIVE_INFINITY;

  async function isAboutToStart(): Promise<boolean> {
    const [next] = await listAuctions(keyValues, { status: "planned", limit: 1 });
    return next !== undefined && next.start < clock() + NOTICE;
  }

  async function beat(): Promise<Interruption | undefined> {
    for (;;) {
      const entry = await keyValues.find(HEARTBEAT);
      const running = (await listAuctions(keyValues, { status: "running", limit: 1 })).length > 0;
      const isWatching = running || (await isAboutToStart());
      const now = clock();
      const { value } = entry ?? {};
      const found = interruptionSince(value, running, now);
      const interruption = found ?? value?.interruption;
      const isDue = isWatching
        ? value === undefined || now - value.at >= INTERVAL || !value.isWatching
        : value?.isWatching === true;
      const write = {
        ...HEARTBEAT,
        before: entry?.revision ?? 0,
        value: { at: now, isWatching, ...(interruption && { interruption }) },
      };
      if (isServer && isDue && !(await keyValues.put([write]))) continue;
      if (found && isServer) onInterruption?.();
      lastInterruption = interruption;
      freshAt = now;
      return found;
    }
  }

  /** An auction that runs although nobody watched comes from a backup: since its last change, nobody was there. */
  function interruptionSince(last: Heartbeat | undefined, isRunning: boolean, now: Instant): Interruption | undefined {
    if (last?.isWatching) return now - last.at > pauseMicrosMax ? { from: last.at, until: now } : undefined;
    return isRunning ? { from: 0, until: now } : undefined;
  }

  return {
    interruption: () => lastInterruption,
    ensureFresh: async () => {
      if (clock() - freshAt > pauseMicrosMax / 2) await beat();
    },
    beat,
  };
}
