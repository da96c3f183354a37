/** The text as one word of a POSIX shell, in single quotes. */
export const shellQuoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
