import { open, rename } from "node:fs/promises";

/** The end of the name of a file that is not complete. */
export const TEMPORARY = ".part";

/** Writes a file that is complete or absent: it is renamed to `path` only once it is on disk. */
export async function writeCompleteFile(path: string, text: string): Promise<void> {
  const handle = await open(path + TEMPORARY, "w");
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(path + TEMPORARY, path);
}
