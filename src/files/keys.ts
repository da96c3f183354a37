const KEY = /^[0-9a-f]{32}$/;
const KEYS_PER_QUESTION = 500;

export const isKey = (text: string): boolean => KEY.test(text);

/** The key itself. Whatever else is given would become part of a path. */
export function checkedKey(key: string): string {
  if (!isKey(key)) throw new Error("Not a key of a file: " + JSON.stringify(key));
  return key;
}

/** Where a file lies among many: under its first four digits. */
export const spread = (key: string): string => `${checkedKey(key).slice(0, 2)}/${key.slice(2, 4)}/${key}`;

export type HasRecord = (keys: readonly string[]) => Promise<ReadonlySet<string>>;

/** Which of the keys have a record, asked in questions of a bounded size. */
export async function recordedAmong(keys: readonly string[], hasRecord: HasRecord): Promise<ReadonlySet<string>> {
  const recorded = new Set<string>();
  for (let from = 0; from < keys.length; from += KEYS_PER_QUESTION) {
    const asked = keys.slice(from, from + KEYS_PER_QUESTION);
    const known = await hasRecord(asked);
    for (const key of asked) if (known.has(key)) recorded.add(key);
  }
  return recorded;
}
