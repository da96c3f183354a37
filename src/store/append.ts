import { rowOf } from "./changeRows.ts";
import type { Engine, Position } from "./engine.ts";
import type { PastChange, Store } from "./store.ts";
import type { KnownTender, openTenderCache } from "./tenderCache.ts";

/** Opens `Store.append`: writes past changes in one transaction, with the positions that they already have. */
export function openAppend(engine: Engine, tenderCache: ReturnType<typeof openTenderCache>): Store["append"] {
  return async (past) => {
    const last = past.at(-1);
    if (!last) return;
    const transaction = await engine.begin();
    try {
      await tenderCache.syncTo(transaction.position);
      checkPositions(transaction.position, past);
    } catch (error) {
      await transaction.rollback().catch(() => {});
      throw error;
    }
    await transaction.commit(
      past.map((pastChange) => rowOf(pastChange.change, pastChange.before, pastChange, pastChange.assigned)),
    );
    tenderCache.storeCommitted(
      new Map(past.map((pastChange) => [pastChange.change.tender.id, knownAfter(pastChange)])),
      last.sequence,
    );
  };
}

function checkPositions(position: Position, past: readonly PastChange[]): void {
  let last = position;
  for (const { sequence, at } of past) {
    if (sequence !== last.sequence + 1)
      throw new Error(`the ledger ends at row ${last.sequence}: row ${sequence} is not the next`);
    if (at <= last.at) throw new Error(`row ${sequence} is not later than the previous row`);
    last = { sequence, at };
  }
}

function knownAfter({ change, before }: PastChange): KnownTender {
  const { tender, kind } = change;
  const revision = (before?.revision ?? 0) + (kind === "bid" ? 0 : 1);
  const bidChanges = (before?.bidChanges ?? 0) + (kind === "bid" ? 1 : 0);
  return {
    tender: { tender: { ...tender, bids: [] }, revision, bids: "none" },
    withBids: { tender, revision, bids: "all", bidChanges },
  };
}
