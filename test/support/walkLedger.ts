import type { Tender } from "../../src/domain/model/tender.ts";
import type { LedgerReader } from "../../src/history/publicVersions.ts";
import { tenderPatch } from "../../src/ledger/tenderPatch.ts";
import { firstPatch, type LedgerRow } from "../../src/store/store.ts";
import { type Walk, walk } from "./randomWalks.ts";

/** A state of a tender in a walk, the time at which it was reached, and the number of rows that the ledger had then. */
export type WalkState = { readonly tender: Tender; readonly at: number; readonly rows: number };

/** The ledger of a random walk, as the registry would write it, and every state on the way. */
export function walkLedger(randomWalk: Walk): {
  readonly rows: readonly LedgerRow[];
  readonly states: readonly WalkState[];
} {
  const rows: LedgerRow[] = [];
  const states: WalkState[] = [];
  const append = (row: Pick<LedgerRow, "at" | "kind" | "tender" | "record" | "act" | "patch">) =>
    rows.push({ ...row, sequence: rows.length + 1, actor: "broker" });
  let wasRefused = false;
  walk(
    randomWalk,
    (before, after, at, act) => {
      if (states.length === 0) {
        const { id, dateModified } = before;
        const patch = firstPatch(JSON.stringify(before));
        append({ at: dateModified, kind: "tender", tender: id, record: id, act: "publish tender", patch });
        states.push({ tender: before, at: dateModified, rows: 1 });
      }
      if (after !== before) {
        const { kind, patch } = tenderPatch(before, after);
        const record = (kind === "bid" && changedBidOf(before, after)) || after.id;
        append({ at, kind, tender: after.id, record, act: wasRefused || !act ? "advance" : act.command.kind, patch });
      }
      wasRefused = false;
      states.push({ tender: after, at, rows: rows.length });
    },
    () => {
      wasRefused = true;
    },
  );
  return { rows, states };
}

/** The id of the first bid that is different. */
function changedBidOf(before: Tender, after: Tender): string | undefined {
  const ids = [...before.bids, ...after.bids].map(({ id }) => id);
  const bidIn = (tender: Tender, id: string) => JSON.stringify(tender.bids.find((bid) => bid.id === id));
  return ids.find((id) => bidIn(before, id) !== bidIn(after, id));
}

/** Reads these rows, which are those of one tender. */
export const readerOf = (rows: readonly LedgerRow[]): LedgerReader => ({
  ledgerOf: async (_tender, { after, upTo, limit, kinds }) =>
    rows.filter(({ at, kind }) => at > after && at <= upTo && (kinds === "all" || kind === "tender")).slice(0, limit),
});
