import type { ChangeRow } from "../changeRows.ts";
import { requireRow } from "../rowMapping.ts";
import { IS_BACKFILLING } from "../search/publicSql.ts";
import type { RunQuery, Statement } from "./connection.ts";

const BACKFILLING: Statement = { name: "is backfilling", text: IS_BACKFILLING };
const INDEXED: Statement = {
  name: "indexed tenders",
  text: `
    select id from tenders join facets on facets.first_row = tenders.first_row
    where id = any($1) and public_row is not null`,
};

/** Returns a function that finds out, in a write transaction, which tenders of its rows are in the search index. */
export function openIndexedTenders() {
  // Once all tenders are indexed, nothing is read any more.
  let isComplete = false;
  return async (runQuery: RunQuery, rows: readonly ChangeRow[]): Promise<(tender: string) => boolean> => {
    if (isComplete) return () => true;
    const [backfill] = await runQuery<{ number: number }>(BACKFILLING);
    isComplete = requireRow(backfill).number === 0;
    if (isComplete) return () => true;
    const found = await runQuery<{ id: string }>(INDEXED, [[...new Set(rows.map(({ id }) => id))]]);
    const indexed = new Set(found.map(({ id }) => id));
    return (tender) => indexed.has(tender);
  };
}
