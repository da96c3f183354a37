import type { BackfillBatch } from "../search/backfillBatch.ts";
import type { RunQuery, Statement } from "./connection.ts";
import { writeSearchRows } from "./searchWrites.ts";
import { addCategoryNames, addNames, addToSums } from "./statisticsWrites.ts";

const PROCEED: Statement = { name: "backfill proceed", text: "update index_backfill set left_up_to = $1, done = $2" };
const COMPLETE: Statement = { name: "backfill complete", text: "delete from index_backfill" };

/** Sends the statements that write a batch of the backfill, inside a transaction of the caller, without waiting for results. */
export const writeBackfill = (runQuery: RunQuery, batch: BackfillBatch): readonly Promise<unknown>[] => [
  ...writeSearchRows(runQuery, batch.searchWrites),
  ...addToSums(runQuery, batch.sums),
  ...addNames(runQuery, batch.organizations),
  ...addCategoryNames(runQuery, batch.categoryNames),
  batch.state ? runQuery(PROCEED, [batch.state.leftUpTo, batch.state.done]) : runQuery(COMPLETE),
];
