import { createHash, randomBytes } from "node:crypto";

/** A random id, 32 hex. */
export const newId = (): string => randomBytes(16).toString("hex");

/** Keys and tokens are long and random, so a plain hash is enough to keep them from whoever reads the store. */
export const hashOf = (secret: string): string => createHash("sha256").update(secret).digest("hex");
