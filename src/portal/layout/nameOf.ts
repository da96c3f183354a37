/** The name of a code in a table of the message catalogue, or the code itself if the table does not have it. */
export const nameOf = (names: { readonly [code: string]: string }, code: string): string =>
  (Object.hasOwn(names, code) ? names[code] : undefined) ?? code;
