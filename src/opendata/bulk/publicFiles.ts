import { chmod, type FileHandle, mkdir, open, rename } from "node:fs/promises";
import { dirname, resolve } from "node:path";

/** Files that everyone may read, such as a web server that runs as another user. */

const FILE_MODE = 0o644;
const FOLDER_MODE = 0o755;
/** The end of the name of a file that is not complete. */
export const TEMPORARY = ".part";

/** Creates a folder if there is none. One that exists keeps its mode. */
export async function createPublicFolder(folder: string): Promise<void> {
  const path = resolve(folder);
  const created = await mkdir(path, { recursive: true });
  if (created === undefined) return;
  for (let current = path; ; current = dirname(current)) {
    await chmod(current, FOLDER_MODE);
    if (current === resolve(created)) return;
  }
}

/** Opens a new file to write. */
export async function openPublicFile(path: string): Promise<FileHandle> {
  const handle = await open(path, "w", FILE_MODE);
  // Commands have a umask that leaves files to their owner, since most of what they write is secret.
  await handle.chmod(FILE_MODE);
  return handle;
}

/** Writes a file that is complete or absent: it is renamed to `path` only once it is on disk. */
export async function writePublicFile(path: string, text: string): Promise<void> {
  const handle = await openPublicFile(path + TEMPORARY);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(path + TEMPORARY, path);
}
