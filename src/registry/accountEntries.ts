/** The entries of the accounts file, which servers read and the commands of operators write. */

/** A key as the file keeps it. A retired one opens nothing, but answers that were recorded under it can still be read. */
export type KeyEntry = { readonly hash: string; readonly addedAt?: string; readonly retiredAt?: string };

/** An account as the file keeps it: `keyHash` where it has one key, `keys` where it has had several. */
export type AccountEntry = {
  readonly name: string;
  readonly group: string;
  readonly levels?: string;
  readonly keyHash?: string;
  readonly keys?: readonly KeyEntry[];
};

export const keysOfEntry = ({ keyHash, keys }: Pick<AccountEntry, "keyHash" | "keys">): readonly KeyEntry[] =>
  keys ?? (keyHash === undefined ? [] : [{ hash: keyHash }]);

const FINGERPRINT_LENGTH = 12;

/** Names a key to people: enough of its hash to tell it from others, and of no use to open anything. */
export const fingerprintOf = (keyHash: string): string => keyHash.slice(0, FINGERPRINT_LENGTH);
