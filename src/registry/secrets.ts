import { hash, randomFillSync } from "node:crypto";

const ID_BYTES = 16;
const pool = Buffer.alloc(512 * ID_BYTES);
let taken = pool.length;

/** A random id, 32 hex. Chance is drawn for many at once, as each drawing costs far more than the id. */
export function newId(): string {
  if (taken === pool.length) {
    randomFillSync(pool);
    taken = 0;
  }
  const id = pool.toString("hex", taken, taken + ID_BYTES);
  pool.fill(0, taken, taken + ID_BYTES);
  taken += ID_BYTES;
  return id;
}

/** Keys and tokens are long and random, so a plain hash is enough to keep them from whoever reads the store. */
export const hashOf = (secret: string): string => hash("sha256", secret, "hex");
