import { type Engine, type Position, rowOf } from "./engine.ts";
import type { PastChange, Store } from "./store.ts";
import type { openTenders } from "./tenders.ts";

/** The way of past changes into the store: in a turn of writing as any other, with the places that they have already. */
export function openAppend(engine: Engine, tenders: ReturnType<typeof openTenders>): Store["append"] {
  return async (past) => {
    const last = past.at(-1);
    if (!last) return;
    const turn = await engine.begin();
    try {
      await tenders.bringUpTo(turn.position);
      checkPlaces(turn.position, past);
    } catch (error) {
      await turn.leave().catch(() => {});
      throw error;
    }
    await turn.commit(past.map((one) => rowOf(one.change, one.before, one, one.taken)));
    tenders.keep(new Map(past.map((one) => [one.change.tender.id, changedBy(one)])), last.sequence);
  };
}

function checkPlaces(position: Position, past: readonly PastChange[]): void {
  let last = position;
  for (const { sequence, at } of past) {
    if (sequence !== last.sequence + 1)
      throw new Error(`the ledger stands at row ${last.sequence}: row ${sequence} is not the next`);
    if (at <= last.at) throw new Error(`row ${sequence} is not later than the one before it`);
    last = { sequence, at };
  }
}

const changedBy = ({ change, before }: PastChange) => ({
  tender: change.tender,
  revision: (before?.revision ?? 0) + 1,
});
