import { open, rename } from "node:fs/promises";
import { dirname } from "node:path";

/** Only the user who makes a backup may read it, since it contains sealed bids. */
const FILE_MODE = 0o600;
const CHUNK_LENGTH = 256 * 1024;

/** Writes a file that is complete or absent, whatever happens: it is renamed to `path` only once it is on disk. */
export async function writeFileAtomically(
  path: string,
  texts: AsyncIterable<string> | Iterable<string>,
): Promise<void> {
  const part = `${path}.part`;
  const handle = await open(part, "w", FILE_MODE);
  try {
    for await (const text of coalesceText(texts)) await handle.write(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(part, path);
  await syncFolder(dirname(path));
}

/** Joins many small texts to a few large ones, which are faster to write. */
export async function* coalesceText(texts: AsyncIterable<string> | Iterable<string>): AsyncGenerator<string> {
  let pending: string[] = [];
  let length = 0;
  for await (const text of texts) {
    pending.push(text);
    length += text.length;
    if (length < CHUNK_LENGTH) continue;
    yield pending.join("");
    pending = [];
    length = 0;
  }
  if (length > 0) yield pending.join("");
}

async function syncFolder(path: string): Promise<void> {
  // Windows cannot open folders, and writes directory entries through by itself.
  if (process.platform === "win32") return;
  const handle = await open(path, "r");
  await handle.sync().finally(() => handle.close());
}
