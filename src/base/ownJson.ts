/**
 * Parses JSON that Tenderhall itself wrote: a row of its database, a line of a backup, a response of its API. `Value` is the type
 * that it was written from, which nothing checks here. JSON that others write is read by the dialects, which check it.
 */
export const parseOwnJson = <Value>(text: string): Value => JSON.parse(text);
