import { publishedConditions, type SearchPlan, type TokenAlternatives } from "../search/searchPlan.ts";

/** The matches of a plan: the tables and conditions that find them, with a question mark for each value. */
export type Matches = {
  /** The column with the numbers of the rows. */
  readonly row: string;
  readonly where: string;
  readonly values: readonly (string | number)[];
  /** The tables that find the rows. */
  readonly rowSource: string;
  /** The tables with all columns. */
  readonly source: string;
  /** Conditions that test rows of the table `search`, instead of `where`. */
  readonly rowTest: string;
};

/** The tables and conditions for a plan. */
export function matchesOf(plan: SearchPlan): Matches {
  const match = matchExpression(plan);
  const row = match === undefined ? "search.public_row" : "words.rowid";
  const tokens =
    match === undefined
      ? { sql: "search.listing = ?", values: [plan.listing] }
      : { sql: "words match ?", values: [match] };
  const others = [...publishedConditions(plan, row), ...plan.columns];
  const rowOthers = [...publishedConditions(plan, "search.public_row"), ...plan.columns];
  const rowTokens =
    match === undefined ? tokens.sql : "search.public_row in (select rowid from words where words match ?)";
  const source = match === undefined ? "search" : "words cross join search on search.public_row = words.rowid";
  return {
    row,
    where: [tokens, ...others].map(({ sql }) => sql).join(" and "),
    values: [tokens, ...others].flatMap(({ values }) => values),
    source,
    rowSource: match !== undefined && plan.columns.length === 0 ? "words" : source,
    rowTest: [rowTokens, ...rowOthers.map(({ sql }) => sql)].join(" and "),
  };
}

/** The expression of FTS5 for the tokens of a plan; `undefined` if it has none. */
function matchExpression({ tokens, withoutToken }: SearchPlan): string | undefined {
  if (tokens.length === 0) return undefined;
  const all = tokensExpression(tokens);
  return withoutToken === undefined ? all : `(${all}) NOT "${withoutToken}"`;
}

/** The expression of FTS5 for tokens, all of which must match. There must be some. */
export function tokensExpression(tokens: readonly TokenAlternatives[]): string {
  const alternatives = tokens.map(
    ({ exact, prefix }) =>
      `(${[...exact.map((token) => `"${token}"`), ...(prefix === undefined ? [] : [`"${prefix}" *`])].join(" OR ")})`,
  );
  return alternatives.join(" AND ");
}
