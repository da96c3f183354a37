import { stat } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "../../config/config.ts";
import { type BulkState, readState, STATE_FILE } from "./bulkState.ts";

/** The folder of the bulk files that a server makes. */
export const bulkFolderOf = ({ dataDir }: Pick<Config, "dataDir">): string => join(dataDir, "open-data");

/** Reads the state of a folder, from memory as long as it has not changed. */
export function openStateReader(folder: string): () => Promise<BulkState | undefined> {
  let cached: { readonly version: string; readonly state: BulkState | undefined } | undefined;
  return async () => {
    const version = await stat(join(folder, STATE_FILE)).then(
      ({ mtimeMs, size, ino }) => `${mtimeMs} ${size} ${ino}`,
      () => "none",
    );
    if (cached?.version !== version) cached = { version, state: await readState(folder) };
    return cached.state;
  };
}
