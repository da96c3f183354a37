/** Whether the value is one of the choices, and so of their type. */
export const isOneOf = <Choice>(choices: readonly Choice[], value: unknown): value is Choice =>
  choices.some((choice) => choice === value);

/** Whether the table has an entry of this name, and not just a property that every object inherits. */
export const hasOwnKey = <Table extends object>(table: Table, name: PropertyKey): name is keyof Table =>
  Object.hasOwn(table, name);

/** The names of a table's entries with their type. Only for tables written as literals, which have no further properties. */
export const typedKeys = <Table extends object>(table: Table): readonly (keyof Table & string)[] =>
  // `Object.keys` returns `string[]`, because a value may have more properties than its type declares; a literal has not.
  Object.keys(table) as (keyof Table & string)[];
