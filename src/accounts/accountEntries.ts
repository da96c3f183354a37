/** The entries of the accounts file, which servers read and the commands of operators write. */

/** A key in the file. A retired key gives no access, but responses recorded under it can still be decrypted. */
export type KeyEntry = { readonly hash: string; readonly addedAt?: string; readonly retiredAt?: string };

/** An account in the file: `keyHash` if it has one key, `keys` if it has had several. */
export type AccountEntry = {
  readonly name: string;
  readonly group: string;
  readonly levels?: string;
  readonly keyHash?: string;
  readonly keys?: readonly KeyEntry[];
};

export const keysOf = ({ keyHash, keys }: Pick<AccountEntry, "keyHash" | "keys">): readonly KeyEntry[] =>
  keys ?? (keyHash === undefined ? [] : [{ hash: keyHash }]);

const FINGERPRINT_LENGTH = 12;

/** Identifies a key to people: a part of its hash that distinguishes it from others and gives no access. */
export const fingerprintOf = (keyHash: string): string => keyHash.slice(0, FINGERPRINT_LENGTH);
