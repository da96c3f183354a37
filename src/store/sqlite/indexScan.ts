import type { DatabaseSync } from "node:sqlite";
import { requireRow } from "../rowMapping.ts";
import { IS_BACKFILLING } from "../search/publicSql.ts";
import type { IndexScan } from "../search/searchScan.ts";
import { contributionsIn, type StoredSum } from "../search/statisticsRows.ts";
import { prepareQuery } from "./query.ts";

type Count = { readonly number: number };

/** FTS5 limits the depth of an expression. */
const TOKENS_PER_MATCH = 200;

/** Opens the index for a scan. */
export function openIndexScan(db: DatabaseSync): IndexScan {
  // The driver binds numbers as floating-point ones, and FTS5 ignores a comparison of row ids with these.
  const match = prepareQuery<Count>(
    db,
    "select count(*) as number from words where words match ? and rowid = cast(? as integer)",
  );
  const size = prepareQuery<{ size: Uint8Array }>(db, "select sz as size from words_docsize where id = ?");
  const indexed = prepareQuery<Count>(
    db,
    "select max((select count(*) from search), (select count(*) from words_docsize)) as number",
  );
  const backfill = prepareQuery<Count>(db, IS_BACKFILLING);
  const sums = prepareQuery<StoredSum>(
    db,
    "select dimension, key, month, currency, measure, sum from statistics where sum <> '0' order by 1, 2, 3, 4",
  );
  const hasAll = (publicRow: number, tokens: readonly string[]): boolean =>
    requireRow(match.get(tokens.map((token) => `"${token}"`).join(" AND "), publicRow)).number === 1;

  return {
    // The index cannot list the tokens of a row, but it knows their number.
    hasTokens: async (publicRow, tokens) => {
      const row = size.get(publicRow);
      if (!row || decodeVarint(row.size) !== tokens.length) return false;
      for (let from = 0; from < tokens.length; from += TOKENS_PER_MATCH)
        if (!hasAll(publicRow, tokens.slice(from, from + TOKENS_PER_MATCH))) return false;
      return true;
    },
    indexedCount: async () => requireRow(indexed.get()).number,
    isBackfilling: async () => requireRow(backfill.get()).number > 0,
    sums: async () => contributionsIn(sums.all()),
  };
}

/** The first number of a text of SQLite's variable-length integers. */
function decodeVarint(bytes: Uint8Array): number {
  let value = 0;
  for (const byte of bytes) {
    value = value * 128 + (byte & 0x7f);
    if (byte < 0x80) break;
  }
  return value;
}
