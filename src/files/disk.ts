import { createHash } from "node:crypto";
import { type FileHandle, mkdir, open, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Readable } from "node:stream";
import type { FileRecord, Files, Range, UploadRecord } from "./files.ts";

const KEY = /^[0-9a-f]{32}$/;
const PART = ".part";
const NOTE = ".json";
const KEYS_PER_QUESTION = 500;

/** Documents of sealed bids are among the files: they are for the user of the service alone. */
const OWN_FOLDER = 0o700;
const OWN_FILE = 0o600;

/**
 * Files on a local disk. A file arrives as `files/incoming/<key>.part`, becomes `files/incoming/<key>` once whole and
 * durable, and moves to `files/<2 hex>/<2 hex>/<key>` once its record is committed. Starting up therefore costs
 * what is in `incoming`, never a walk over all files. A file that waits for its document does so as `files/uploads/<key>`;
 * the note beside it, `<key>.json`, is there before it and goes with it.
 */
export async function openDisk(dataDir: string): Promise<Files> {
  const root = join(dataDir, "files");
  const incoming = join(root, "incoming");
  const uploads = join(root, "uploads");
  await mkdir(incoming, { recursive: true, mode: OWN_FOLDER });
  await mkdir(uploads, { recursive: true, mode: OWN_FOLDER });
  await syncFolder(root);
  await syncFolder(dataDir);

  const arriving = (key: string) => join(incoming, checked(key));
  const waiting = (key: string) => join(uploads, checked(key));
  const final = (key: string) => join(root, checked(key).slice(0, 2), key.slice(2, 4), key);
  const keep = async (key: string) => {
    await move([arriving(key), waiting(key)], final(key));
    await moveIfThere(waiting(key) + NOTE, final(key) + NOTE);
  };
  const discard = async (key: string) => {
    for (const path of [arriving(key), waiting(key), waiting(key) + NOTE]) await rm(path, { force: true });
  };
  // The file may move between the looks, hence the last.
  const places = (key: string) => [final(key), arriving(key), waiting(key), final(key)];

  return {
    receive: (key, source, sizeMax) => receive(incoming, key, source, sizeMax),
    keep,
    wait: async (upload) => wait(arriving(upload.key), waiting(upload.key), upload),
    uploaded: async (key) =>
      (await isAnyThere(places(key))) ? readFirstNote([final(key), waiting(key), final(key)]) : undefined,
    waitingSince: (at) => waitingSince(uploads, at),
    discard,
    open: async (key, range) => openFirst(places(key), range),
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
  const handle = await open(part, "wx", OWN_FILE);
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
 * The rename is not synced: a crash that undoes it leaves the file where it was, where `open` finds it
 * and from where the next sweep moves it again.
 */
async function move(places: readonly string[], to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  for (const from of places) if (await moveIfThere(from, to)) return;
  // Moved before is moved; a file that is in no place makes this throw.
  await stat(to);
}

async function moveIfThere(from: string, to: string): Promise<boolean> {
  return (await unlessMissing(rename(from, to).then(() => true))) ?? false;
}

/** The note is written where a start would clear it away half-done, and is in its place before the file is. */
async function wait(from: string, to: string, upload: UploadRecord): Promise<void> {
  const part = from + PART;
  const handle = await open(part, "w", OWN_FILE);
  await handle
    .writeFile(JSON.stringify(upload))
    .then(() => handle.sync())
    .finally(() => handle.close());
  await rename(part, to + NOTE);
  await rename(from, to);
  await syncFolder(dirname(to));
}

async function readFirstNote(paths: readonly string[]): Promise<UploadRecord | undefined> {
  for (const path of paths) {
    const note = await unlessMissing(readFile(path + NOTE, "utf8"));
    if (note !== undefined) return JSON.parse(note) as UploadRecord;
  }
  return undefined;
}

async function isAnyThere(paths: readonly string[]): Promise<boolean> {
  for (const path of paths) if (await unlessMissing(stat(path))) return true;
  return false;
}

async function waitingSince(uploads: string, at: number): Promise<readonly string[]> {
  const keys = (await readdir(uploads))
    .filter((name) => name.endsWith(NOTE))
    .map((name) => name.slice(0, -NOTE.length))
    .filter((key) => KEY.test(key));
  const old: string[] = [];
  for (const key of keys) {
    const note = await readFirstNote([join(uploads, key)]);
    if (note && note.at <= at) old.push(key);
  }
  return old;
}

async function openFirst(paths: readonly string[], range: Range | undefined) {
  if (range && !(range.start >= 0 && range.start <= range.end)) throw new RangeError("Not a range: " + range.start);
  for (const path of paths) {
    const handle = await unlessMissing(open(path, "r"));
    if (handle) return readFrom(handle, range);
  }
  return undefined;
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

async function unlessMissing<T>(doing: Promise<T>): Promise<T | undefined> {
  try {
    return await doing;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
