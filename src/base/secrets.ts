import { hash, randomFillSync } from "node:crypto";

const ID_BYTES = 16;
const pool = Buffer.alloc(512 * ID_BYTES);
let poolOffset = pool.length;

/** A random id, 32 hex. Chance is drawn for many at once, as each drawing costs far more than the id. */
export function newId(): string {
  if (poolOffset === pool.length) {
    randomFillSync(pool);
    poolOffset = 0;
  }
  const id = pool.toString("hex", poolOffset, poolOffset + ID_BYTES);
  pool.fill(0, poolOffset, poolOffset + ID_BYTES);
  poolOffset += ID_BYTES;
  return id;
}

/** Keys and tokens are long and random, so a plain hash is enough to keep them from whoever reads the store. */
export const hashOf = (secret: string): string => hash("sha256", secret, "hex");
