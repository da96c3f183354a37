import type { CategoryName } from "../../indexing/categoryNames.ts";
import { type Contribution, contributionsOf } from "../../indexing/statistics.ts";
import type { Engine } from "../engine.ts";
import { publicationIn } from "../firstPatch.ts";
import { knownTenderOf } from "../tenderCache.ts";
import type { BackfillBatch, BackfillState, LeftTender } from "./backfillBatch.ts";
import {
  firstCategoryNames,
  lastNames,
  type OrganizationRow,
  publishedCategoryNames,
  publishedOrganizations,
} from "./indexChanges.ts";
import type { BackfillProgress } from "./publicReads.ts";
import { type SearchWrite, searchRowOf } from "./searchRows.ts";
import { storedSumsOf } from "./statisticsRows.ts";

/**
 * The backfill of the search index: tenders that were published before there was an index are added to it while the registry is in use,
 * the newest first. Until then, their changes do not touch the index and the sums.
 */

/** How many tenders a batch has at most, and after how much time it takes no more: other writes wait for it. */
const BATCH_TENDERS_MAX = 100;
const BATCH_MS_MAX = 20;

/** Opens `Store.backfillIndex`. */
export function openBackfill(engine: Engine): (tendersMax?: number) => Promise<BackfillProgress | undefined> {
  let isComplete = false;
  return async (tendersMax = BATCH_TENDERS_MAX) => {
    if (isComplete) return undefined;
    const transaction = await engine.begin();
    let batch: BackfillBatch | undefined;
    try {
      const state = await engine.backfill.state();
      batch = state && (await nextBatch(engine, state, tendersMax));
    } catch (error) {
      await transaction.rollback().catch(() => {});
      throw error;
    }
    if (batch) await transaction.commit([], [], batch);
    else await transaction.rollback();
    isComplete = batch?.state === undefined;
    return batch?.state;
  };
}

async function nextBatch(engine: Engine, state: BackfillState, tendersMax: number): Promise<BackfillBatch> {
  const startedAt = performance.now();
  const left = await engine.backfill.next(state.leftUpTo, tendersMax);
  const indexed: IndexedTender[] = [];
  let count = 0;
  for (const tender of left) {
    if (count > 0 && performance.now() - startedAt > BATCH_MS_MAX) break;
    count += 1;
    if (tender.publicRow === null) indexed.push(...(await indexTender(engine, tender)));
  }
  const last = left[count - 1];
  return {
    // Rows are written in their order, which fills the pages of the database better.
    searchWrites: indexed.map(({ write }) => write).reverse(),
    sums: storedSumsOf(indexed.flatMap(({ contributions }) => contributions)),
    organizations: lastNames(indexed.toReversed()),
    categoryNames: firstCategoryNames(indexed),
    state: last && { leftUpTo: last.firstRow - 1, done: state.done + count, total: state.total },
  };
}

type IndexedTender = {
  readonly write: SearchWrite;
  readonly contributions: readonly Contribution[];
  readonly organizations: readonly OrganizationRow[];
  readonly categoryNames: readonly CategoryName[];
};

/** What is indexed of a tender; nothing of a draft. */
async function indexTender(engine: Engine, { id, firstRow }: LeftTender): Promise<readonly IndexedTender[]> {
  const row = await engine.loadWithBids(id);
  const tender = row && knownTenderOf(row).withBids?.tender;
  if (!row || !tender || tender.status === "draft") return [];
  const publicRow = row.revision === 1 ? firstRow : await publicationOf(engine, id);
  return [
    {
      write: { id, publicRow, row: searchRowOf(tender), isNew: false },
      contributions: contributionsOf(tender),
      organizations: publishedOrganizations(undefined, tender, "publication"),
      categoryNames: publishedCategoryNames(undefined, tender, "publication"),
    },
  ];
}

const LEDGER_PAGE = 500;

/** The sequence number of the change that published a tender. */
async function publicationOf(engine: Engine, id: string): Promise<number> {
  let publication: number | undefined;
  for (let after = Number.MIN_SAFE_INTEGER; ; ) {
    const rows = await engine.ledgerOf(id, {
      ...{ after, upTo: Number.MAX_SAFE_INTEGER, limit: LEDGER_PAGE, kinds: "tender" },
    });
    publication = publicationIn(rows, publication);
    const last = rows.at(-1);
    if (!last || rows.length < LEDGER_PAGE) break;
    after = last.at;
  }
  if (publication === undefined) throw new Error(`the ledger does not say when tender ${id} was published`);
  return publication;
}
