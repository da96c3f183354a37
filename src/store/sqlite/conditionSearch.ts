import type { SqlCondition } from "../facets.ts";
import { requireRow } from "../rowMapping.ts";
import type { SqliteQuery } from "./query.ts";

/** How searches by conditions on the table `facets` find their way: by one index, or along the order of what they list. */

/** The condition in a form that uses no index of the table `facets`. */
export const rowCondition = ({ sql, rowSql }: SqlCondition): string =>
  rowSql ?? sql.replace(/\b(\w+) (=|>=|<=|<|>|in) /g, "+$1 $2 ");

/** With so few matches, counting those of other conditions does not pay off. */
const FEW = 200;

/** Returns a function that finds the condition with the fewest matches; `undefined` if none has at most `matchesMax`. */
export function openMostSelective(
  prepare: (sql: string) => SqliteQuery<{ readonly number: number }>,
  matchesMax: number,
): (conditions: readonly SqlCondition[]) => SqlCondition | undefined {
  const count = ({ sql, countSource, values }: SqlCondition): number => {
    const countSql = `select count(*) as number from (select 1 from ${countSource ?? `facets where ${sql}`} limit ?)`;
    return requireRow(prepare(countSql).get(...values, matchesMax + 1)).number;
  };
  return (conditions) => {
    let fewest: { readonly condition: SqlCondition; readonly number: number } | undefined;
    for (const condition of conditions.filter(({ countSource }) => countSource !== null)) {
      const number = count(condition);
      if (number <= matchesMax && number < (fewest?.number ?? Number.POSITIVE_INFINITY)) fewest = { condition, number };
      if (number <= FEW) break;
    }
    return fewest?.condition;
  };
}
