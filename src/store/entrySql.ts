import { ENTRY_TABLES, type EntryKind } from "./entryKinds.ts";
import type { EntryRow } from "./entryRows.ts";

/** Writes the placeholder of the value with this index. */
type Mark = (i: number) => string;

/** The SQL statements of a kind of entries, which are the same for both databases but for their placeholders. */
export type EntrySql = {
  /** Values: the id. */
  readonly find: string;
  /** Values: the columns, if the statement filters by them; the id to begin after; the limit. */
  readonly list: (isFiltered: boolean, order: "forward" | "backward" | "backward from the end") => string;
  /** Values: the columns, if the statement filters by them; the limit. */
  readonly count: (isFiltered: boolean) => string;
  /** Values: the time and the limit. */
  readonly expired: string;
  /** Values: the id, the revision, the text, the columns and, for a kind that expires, the expiry. */
  readonly put: string;
  /** Values: the id. */
  readonly remove: string;
};

/** Builds the statements of a kind. `valueMark` writes the placeholder of its text. */
export function entrySql(kind: EntryKind, mark: Mark, valueMark = mark): EntrySql {
  const { table, expires, columns } = ENTRY_TABLES[kind];
  const names = columns.map(({ name }): string => name);
  const selected = `id, revision, ${expires ? "expires_at" : "null"} as "expiresAt", value as "text"`;
  const written = ["id", "revision", "value", ...names, ...(expires ? ["expires_at"] : [])];
  const filter = (isFiltered: boolean) => (isFiltered ? names : []).map((name, i) => `${name} = ${mark(i)}`);
  const whereAll = (conditions: readonly string[]) =>
    conditions.length > 0 ? `where ${conditions.join(" and ")}` : "";
  return {
    find: `select ${selected} from ${table} where id = ${mark(0)}`,
    list: (isFiltered, order) => {
      const conditions = filter(isFiltered);
      const next = conditions.length;
      if (order === "backward from the end")
        return `select ${selected} from ${table} ${whereAll(conditions)} order by id desc limit ${mark(next)}`;
      const [comparison, direction] = order === "forward" ? [">", "asc"] : ["<", "desc"];
      const all = whereAll([...conditions, `id ${comparison} ${mark(next)}`]);
      return `select ${selected} from ${table} ${all} order by id ${direction} limit ${mark(next + 1)}`;
    },
    count: (isFiltered) => {
      const conditions = filter(isFiltered);
      const limited = `select 1 from ${table} ${whereAll(conditions)} limit ${mark(conditions.length)}`;
      return `select count(*) as number from (${limited}) as limited`;
    },
    expired: `select ${selected} from ${table} where expires_at <= ${mark(0)} order by expires_at limit ${mark(1)}`,
    put: `
      insert into ${table} (${written.join(", ")}) values (${written.map((name, i) => (name === "value" ? valueMark : mark)(i)).join(", ")})
      on conflict (id) do update set ${written
        .slice(1)
        .map((name) => `${name} = excluded.${name}`)
        .join(", ")}`,
    remove: `delete from ${table} where id = ${mark(0)}`,
  };
}

/** The values of `put`. */
export const putValues = <Text>(
  { kind, id, revision, columns, expiresAt }: EntryRow<Text>,
  text: Text,
): readonly (Text | string | number | null)[] => [
  ...[id, revision, text],
  ...columns,
  ...(ENTRY_TABLES[kind].expires ? [expiresAt] : []),
];

/** The order and the values of `list` after those of the columns. */
export function listPlan(beyond: string | undefined, descending: boolean, limit: number) {
  if (!descending) return { order: "forward", values: [beyond ?? "", limit] } as const;
  return beyond === undefined
    ? ({ order: "backward from the end", values: [limit] } as const)
    : ({ order: "backward", values: [beyond, limit] } as const);
}
