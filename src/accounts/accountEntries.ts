/** Entries of the accounts file, which servers read and `tenderhall account` writes. */

/** A key in the file. A retired key gives no access, but idempotency records encrypted with it can still be decrypted. */
export type KeyEntry = { readonly hash: string; readonly addedAt?: string; readonly retiredAt?: string };

/** An account in the file. It has `keyHash` if it ever had only one key, else `keys`. */
export type AccountEntry = {
  readonly name: string;
  readonly group: string;
  readonly levels?: string;
  readonly keyHash?: string;
  readonly keys?: readonly KeyEntry[];
};

/** All keys of an account, in either form. */
export const keysOf = ({ keyHash, keys }: Pick<AccountEntry, "keyHash" | "keys">): readonly KeyEntry[] =>
  keys ?? (keyHash === undefined ? [] : [{ hash: keyHash }]);

const FINGERPRINT_LENGTH = 12;

/** A short name for a key: the first digits of its hash, which give no access. */
export const fingerprintOf = (keyHash: string): string => keyHash.slice(0, FINGERPRINT_LENGTH);
