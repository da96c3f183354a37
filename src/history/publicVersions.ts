import { bidsToView } from "../domain/bids/bidSelection.ts";
import type { Tender } from "../domain/model/tender.ts";
import type { Instant } from "../domain/values/time.ts";
import { parseAct } from "../ledger/acts.ts";
import { tenderAfter, tenderWithoutBidsAfter } from "../ledger/tenderHistory.ts";
import type { LedgerRow, Store } from "../store/store.ts";
import type { PublicAct } from "../views/publicActs.ts";
import { type PublicTender, publicTender } from "../views/publicTender.ts";
import type { ViewContext } from "../views/visibility.ts";
import { publicActOf } from "./publicActs.ts";

/** The public history of a tender, replayed from its rows of the ledger. */

/** A tender as it was right after a public change. */
export type PublicState = {
  /** When it became so: `dateModified` of the tender. */
  readonly at: Instant;
  /**
   * The whole state, which may have sealed bids and secrets: only views of it may leave the registry. If bids are sealed at present, it
   * has none.
   */
  readonly tender: Tender;
};

/**
 * A version of a tender: its state from one public change to the next. The publication is version 1; drafts have no versions, nor have
 * changes that nobody sees, such as those of sealed bids. So the numbers have no gaps and reveal nothing.
 */
export type PublicVersion = PublicState & {
  readonly number: number;
  readonly act: PublicAct;
  /** The version before; undefined for the publication. */
  readonly before: PublicState | undefined;
};

/** The port that histories are read from. */
export type LedgerReader = Pick<Store, "ledgerOf">;

/** Rows that are in memory at a time. A row is at most as large as its tender. */
const ROWS_AT_ONCE = 100;

/**
 * The versions of a tender up to its present state, in order. `tender` is the present state, by which it is decided what may be read:
 * rows after its last public change never are, and rows of bids only if a view needs bids. So the response time tells nothing about
 * sealed bids and unpublished prices. Holds the rows of one page and the last two states. `beforeRows` is called before each page, with
 * the number of rows so far.
 */
export async function* publicVersions(
  reader: LedgerReader,
  tender: Tender,
  beforeRows?: (rowsRead: number) => Promise<void>,
): AsyncGenerator<PublicVersion> {
  const needsBids = bidsToView(tender) === "all";
  const stateAfter = needsBids ? tenderAfter : tenderWithoutBidsAfter;
  let state: Tender | undefined;
  let last: PublicVersion | undefined;
  for await (const rows of rowPages(reader, tender, needsBids, beforeRows))
    for (const row of rows) {
      const after = stateAfter(state, row);
      state = after;
      const { status, dateModified } = after;
      if (status === "draft" || dateModified === last?.tender.dateModified) continue;
      const before: PublicState | undefined = last && { at: last.at, tender: last.tender };
      const act = publicActOf(parseAct(row.act), before?.tender, after);
      last = { number: (last?.number ?? 0) + 1, at: row.at, act, tender: after, before };
      yield last;
    }
}

async function* rowPages(
  { ledgerOf }: LedgerReader,
  { id, dateModified: upTo }: Tender,
  needsBids: boolean,
  beforeRows?: (rowsRead: number) => Promise<void>,
): AsyncGenerator<readonly LedgerRow[]> {
  const kinds = needsBids ? "all" : "tender";
  for (let [after, count] = [0, 0]; ; count += ROWS_AT_ONCE) {
    await beforeRows?.(count);
    const rows = await ledgerOf(id, { after, upTo, limit: ROWS_AT_ONCE, kinds });
    yield rows;
    const last = rows.at(-1);
    if (!last || rows.length < ROWS_AT_ONCE) return;
    after = last.at;
  }
}

/** Settings that computed fields of views depend on. */
export type ViewSettings = Omit<ViewContext, "now">;

/**
 * The view that everybody had right after the change. The ledger does not record the time of test clocks, so that of the last change of
 * status is used for tenders on one: it matters only for the computed times of an auction.
 */
export function viewOfState(state: PublicState, settings: ViewSettings): PublicTender {
  return publicTender(state.tender, { ...settings, now: timeOfState(state) });
}

/** The time by the clock of the tender, right after the change. */
export const timeOfState = ({ at, tender }: PublicState): Instant =>
  tender.testClock === undefined ? at : tender.date;
