import { requireRow } from "../rowMapping.ts";
import { IS_BACKFILLING } from "../search/publicSql.ts";
import type { IndexScan } from "../search/searchScan.ts";
import { contributionsIn, type StoredSum } from "../search/statisticsRows.ts";
import type { RunQuery, Statement } from "./connection.ts";

const HAS_TOKENS: Statement = {
  name: "has tokens",
  text: "select count(*) as number from search where public_row = $1 and tokens = array_to_tsvector($2::text[])",
};
const SUMS = `
  select dimension, key, month, currency, measure, trim_scale(sum)::text as sum from statistics
  where sum <> 0 order by 1, 2, 3, 4`;

/** Opens the index for a scan. */
export function openIndexScan(runQuery: RunQuery): IndexScan {
  const count = async (text: string): Promise<number> =>
    requireRow((await runQuery<{ number: number }>({ name: "", text }))[0]).number;
  return {
    hasTokens: async (publicRow, tokens) =>
      (await runQuery<{ number: number }>(HAS_TOKENS, [publicRow, tokens]))[0]?.number === 1,
    indexedCount: () => count("select count(*) as number from search"),
    isBackfilling: async () => (await count(IS_BACKFILLING)) > 0,
    sums: async () => contributionsIn(await runQuery<StoredSum>({ name: "", text: SUMS })),
  };
}
