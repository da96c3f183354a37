import { createHash } from "node:crypto";
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Readable } from "node:stream";
import type { FileRecord, Files, Range } from "./files.ts";

const KEY = /^[0-9a-f]{32}$/;
const PART = ".part";
const KEYS_PER_QUESTION = 500;

/**
 * Files on a local disk. A file arrives as `files/incoming/<key>.part`, becomes `files/incoming/<key>` once whole and
 * durable, and moves to `files/<2 hex>/<2 hex>/<key>` once its record is committed. Starting up therefore costs
 * what is in `incoming`, never a walk over all files.
 */
export async function openDisk(dataDir: string): Promise<Files> {
  const root = join(dataDir, "files");
  const incoming = join(root, "incoming");
  await mkdir(incoming, { recursive: true });
  await syncFolder(root);
  await syncFolder(dataDir);

  const arriving = (key: string) => join(incoming, checked(key));
  const final = (key: string) => join(root, checked(key).slice(0, 2), key.slice(2, 4), key);
  const keep = async (key: string) => move(arriving(key), final(key));
  const discard = async (key: string) => rm(arriving(key), { force: true });

  return {
    receive: (key, source, sizeMax) => receive(incoming, key, source, sizeMax),
    keep,
    discard,
    // The file may move between the first two looks, hence the third.
    open: async (key, range) => openFirst([final(key), arriving(key), final(key)], range),
    sweep: (hasRecord) => sweep(incoming, hasRecord, keep, discard),
  };
}

function checked(key: string): string {
  if (!KEY.test(key)) throw new Error("Not a key of a file: " + JSON.stringify(key));
  return key;
}

async function receive(
  incoming: string,
  key: string,
  source: Readable,
  sizeMax: number,
): Promise<FileRecord | "too large"> {
  const whole = join(incoming, checked(key));
  const part = whole + PART;
  // The source may fail before anyone iterates over it; the iteration reports that failure, this keeps it from crashing.
  source.on("error", () => {});
  // Exclusive, so that two uploads under one key never mix their bytes.
  const handle = await open(part, "wx");
  let left = part;
  try {
    const written = await writeAll(handle, source, sizeMax).finally(() => handle.close());
    if (written === "too large") {
      await rm(part);
      return written;
    }
    await rename(part, whole);
    left = whole;
    await syncFolder(incoming);
    return { key, ...written };
  } catch (error) {
    await rm(left, { force: true });
    throw error;
  }
}

async function writeAll(
  handle: FileHandle,
  source: Readable,
  sizeMax: number,
): Promise<Omit<FileRecord, "key"> | "too large"> {
  const sha256 = createHash("sha256");
  const md5 = createHash("md5");
  let size = 0;
  for await (const piece of source) {
    const chunk: Buffer = typeof piece === "string" ? Buffer.from(piece) : piece;
    size += chunk.length;
    if (size > sizeMax) return "too large";
    sha256.update(chunk);
    md5.update(chunk);
    for (let done = 0; done < chunk.length; ) done += (await handle.write(chunk, done)).bytesWritten;
  }
  await handle.sync();
  return { size, sha256: sha256.digest("hex"), md5: md5.digest("hex") };
}

/**
 * The rename is not synced: a crash that undoes it leaves the file in `incoming`, where `open` finds it
 * and from where the next sweep moves it again.
 */
async function move(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  try {
    await rename(from, to);
  } catch (error) {
    if (!isMissing(error)) throw error;
    // Moved before is moved; a file that is in neither place makes this throw.
    await stat(to);
  }
}

async function openFirst(paths: readonly string[], range: Range | undefined) {
  if (range && !(range.start >= 0 && range.start <= range.end)) throw new RangeError("Not a range: " + range.start);
  for (const path of paths) {
    const handle = await openExisting(path);
    if (handle) return readFrom(handle, range);
  }
  return undefined;
}

async function openExisting(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, "r");
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

async function readFrom(handle: FileHandle, range: Range | undefined) {
  try {
    const { size } = await handle.stat();
    return { stream: handle.createReadStream(range), size };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

async function sweep(
  incoming: string,
  hasRecord: (keys: readonly string[]) => Promise<ReadonlySet<string>>,
  keep: (key: string) => Promise<void>,
  discard: (key: string) => Promise<void>,
): Promise<{ readonly kept: number; readonly removed: number }> {
  const names = await readdir(incoming);
  const halfWritten = names.filter((name) => name.endsWith(PART) && KEY.test(name.slice(0, -PART.length)));
  for (const name of halfWritten) await rm(join(incoming, name), { force: true });

  const keys = names.filter((name) => KEY.test(name));
  let kept = 0;
  for (let from = 0; from < keys.length; from += KEYS_PER_QUESTION) {
    const asked = keys.slice(from, from + KEYS_PER_QUESTION);
    const recorded = await hasRecord(asked);
    for (const key of asked) await (recorded.has(key) ? keep(key) : discard(key));
    kept += asked.filter((key) => recorded.has(key)).length;
  }
  return { kept, removed: halfWritten.length + keys.length - kept };
}

async function syncFolder(path: string): Promise<void> {
  // Windows opens no folder, and writes its entries through by itself.
  if (process.platform === "win32") return;
  const handle = await open(path, "r");
  await handle.sync().finally(() => handle.close());
}

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === "ENOENT";
}
