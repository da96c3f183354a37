const KEY = /^[0-9a-f]{32}$/;
const KEYS_PER_QUERY = 500;

/** Whether the text is a key of a file: 32 lower-case hexadecimal digits. */
export const isKey = (text: string): boolean => KEY.test(text);

/** Returns the key; throws if it is not one, since keys become parts of paths. */
export function checkedKey(key: string): string {
  if (!isKey(key)) throw new Error("Not a key of a file: " + JSON.stringify(key));
  return key;
}

/** The path of a file below the root: in two levels of folders, by its first four digits. */
export const shardedPath = (key: string): string => `${checkedKey(key).slice(0, 2)}/${key.slice(2, 4)}/${key}`;

/** Returns which of the keys belong to files that stored documents refer to. */
export type HasRecord = (keys: readonly string[]) => Promise<ReadonlySet<string>>;

/** As `hasRecord`, for any number of keys, by queries of limited size. */
export async function keysWithRecord(keys: readonly string[], hasRecord: HasRecord): Promise<ReadonlySet<string>> {
  const recorded = new Set<string>();
  for (let from = 0; from < keys.length; from += KEYS_PER_QUERY) {
    const batch = keys.slice(from, from + KEYS_PER_QUERY);
    const recordedInBatch = await hasRecord(batch);
    for (const key of batch) if (recordedInBatch.has(key)) recorded.add(key);
  }
  return recorded;
}
