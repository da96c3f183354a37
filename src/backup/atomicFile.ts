import { open, rename } from "node:fs/promises";
import { dirname } from "node:path";

/** Sealed bids are in whatever is written here: it is for its owner alone. */
const OWN_FILE = 0o600;
const CHUNK_LENGTH = 256 * 1024;

/** A file that is there whole or not at all: in its place only once it is on disk. */
export async function writeFileAtomically(
  path: string,
  texts: AsyncIterable<string> | Iterable<string>,
): Promise<void> {
  const part = `${path}.part`;
  const handle = await open(part, "w", OWN_FILE);
  try {
    for await (const text of coalesceText(texts)) await handle.write(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(part, path);
  await syncFolder(dirname(path));
}

/** Few large texts instead of many small ones. */
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
  // Windows opens no folder, and writes its entries through by itself.
  if (process.platform === "win32") return;
  const handle = await open(path, "r");
  await handle.sync().finally(() => handle.close());
}
