import { hash, randomFillSync } from "node:crypto";

const ID_BYTES = 16;
const pool = Buffer.alloc(512 * ID_BYTES);
let poolOffset = pool.length;

/** A random id of 32 hex digits. Randomness is drawn for 512 ids at a time, because each call to the generator is expensive. */
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

/** The SHA-256 of an API key or token, in hex. They are long and random, so a fast hash without salt protects them. */
export const hashOf = (secret: string): string => hash("sha256", secret, "hex");
