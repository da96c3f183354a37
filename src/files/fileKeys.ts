const KEY = /^[0-9a-f]{32}$/;
const KEYS_PER_QUERY = 500;

export const isKey = (text: string): boolean => KEY.test(text);

/** The key itself. Whatever else is given would become part of a path. */
export function checkedKey(key: string): string {
  if (!isKey(key)) throw new Error("Not a key of a file: " + JSON.stringify(key));
  return key;
}

/** Where a file lies among many: under its first four digits. */
export const shardedPath = (key: string): string => `${checkedKey(key).slice(0, 2)}/${key.slice(2, 4)}/${key}`;

export type HasRecord = (keys: readonly string[]) => Promise<ReadonlySet<string>>;

/** Which of the keys have a record, asked in questions of a bounded size. */
export async function keysWithRecord(keys: readonly string[], hasRecord: HasRecord): Promise<ReadonlySet<string>> {
  const recorded = new Set<string>();
  for (let from = 0; from < keys.length; from += KEYS_PER_QUERY) {
    const batch = keys.slice(from, from + KEYS_PER_QUERY);
    const recordedInBatch = await hasRecord(batch);
    for (const key of batch) if (recordedInBatch.has(key)) recorded.add(key);
  }
  return recorded;
}
