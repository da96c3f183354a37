/**
 * Parses JSON that this service wrote itself, such as a row of its database or a line of a backup. `Value` is the type that it was
 * written from, which nothing checks here: JSON from clients is read by the dialects instead.
 */
export const parseStoredJson = <Value>(text: string): Value => JSON.parse(text);
