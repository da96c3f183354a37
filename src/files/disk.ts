import { createHash } from "node:crypto";
import * as platform from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Readable } from "node:stream";
import { errorCode } from "../base/errors.ts";
import { parseOwnJson } from "../base/ownJson.ts";
import { checkedKey, type HasRecord, isKey, keysWithRecord, shardedPath } from "./fileKeys.ts";
import type { ByteRange, FileRecord, Files, UploadRecord } from "./files.ts";

const PART_SUFFIX = ".part";
const RECORD_SUFFIX = ".json";

/** The functions of the platform that are used; tests replace them to inject faults. */
export type FileSystem = Pick<typeof platform, "mkdir" | "open" | "readdir" | "readFile" | "rename" | "rm" | "stat">;

/** Only the service's user has access, since documents of sealed bids are among the files. */
const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;

/**
 * Opens the file store on a local disk. A file arrives as `files/incoming/<key>.part`, becomes `files/incoming/<key>` once it is
 * complete and durable, and moves to `files/<2 hex>/<2 hex>/<key>` when it is kept. A sweep therefore only looks at `incoming`, not
 * at all files. An upload that waits is `files/uploads/<key>`; its metadata, `<key>.json`, is written before it and moves with it.
 */
export async function openDisk(dataDir: string, fs: FileSystem = platform): Promise<Files> {
  const root = join(dataDir, "files");
  const incoming = join(root, "incoming");
  const uploads = join(root, "uploads");
  await fs.mkdir(incoming, { recursive: true, mode: FOLDER_MODE });
  await fs.mkdir(uploads, { recursive: true, mode: FOLDER_MODE });
  await syncFolder(fs, root);
  await syncFolder(fs, dataDir);

  const incomingPath = (key: string) => join(incoming, checkedKey(key));
  const waitingPath = (key: string) => join(uploads, checkedKey(key));
  const finalPath = (key: string) => join(root, shardedPath(key));
  const keep = async (key: string) => {
    await move(fs, [incomingPath(key), waitingPath(key)], finalPath(key));
    await moveIfExists(fs, waitingPath(key) + RECORD_SUFFIX, finalPath(key) + RECORD_SUFFIX);
  };
  const discard = async (key: string) => {
    for (const path of [incomingPath(key), waitingPath(key), waitingPath(key) + RECORD_SUFFIX])
      await fs.rm(path, { force: true });
  };
  // The final path is tried again at the end, because the file may be moved there in between.
  const candidatePaths = (key: string) => [finalPath(key), incomingPath(key), waitingPath(key), finalPath(key)];

  return {
    receive: (key, source, sizeMax) => receive(fs, incoming, key, source, sizeMax),
    keep,
    wait: async (upload) => storeWaitingUpload(fs, incomingPath(upload.key), waitingPath(upload.key), upload),
    findUpload: async (key) =>
      (await anyExists(fs, candidatePaths(key)))
        ? readUploadRecord(fs, [finalPath(key), waitingPath(key), finalPath(key)])
        : undefined,
    waitingSince: (at) => waitingSince(fs, uploads, at),
    discard,
    open: async (key, range) => openFirst(fs, candidatePaths(key), range),
    link: async (key) => void checkedKey(key),
    sweep: (hasRecord, receivedBefore) => sweep(fs, incoming, hasRecord, receivedBefore, keep, discard),
    ping: async () => void (await fs.stat(incoming)),
  };
}

async function receive(
  fs: FileSystem,
  incoming: string,
  key: string,
  source: Readable,
  sizeMax: number,
): Promise<FileRecord | "too large"> {
  const completePath = join(incoming, checkedKey(key));
  const part = completePath + PART_SUFFIX;
  // The source may fail before the iteration below begins. The iteration reports the failure; the listener keeps it from crashing the process.
  source.on("error", () => {});
  // Exclusive, so that two uploads under one key never mix their bytes.
  const handle = await fs.open(part, "wx", FILE_MODE);
  let leftover = part;
  try {
    const written = await writeAll(handle, source, sizeMax).finally(() => handle.close());
    if (written === "too large") {
      await fs.rm(part);
      return written;
    }
    await fs.rename(part, completePath);
    leftover = completePath;
    await syncFolder(fs, incoming);
    return { key, ...written };
  } catch (error) {
    await removeIfPossible(fs, leftover);
    throw error;
  }
}

/** Removes a file after a failure, which the caller reports. What cannot be removed now is removed by a sweep at the next start. */
async function removeIfPossible(fs: FileSystem, path: string): Promise<void> {
  await fs.rm(path, { force: true }).catch(() => {});
}

async function writeAll(
  handle: platform.FileHandle,
  source: Readable,
  sizeMax: number,
): Promise<Omit<FileRecord, "key"> | "too large"> {
  const sha256 = createHash("sha256");
  const md5 = createHash("md5");
  let size = 0;
  for await (const data of source) {
    const chunk: Buffer = typeof data === "string" ? Buffer.from(data) : data;
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
 * Moves a file from the first source that exists. The rename is not synced: if a crash undoes it, `open` still finds the file, and
 * the next sweep moves it again.
 */
async function move(fs: FileSystem, sources: readonly string[], to: string): Promise<void> {
  await fs.mkdir(dirname(to), { recursive: true });
  for (const from of sources) if (await moveIfExists(fs, from, to)) return;
  // The file may have been moved before; otherwise this throws.
  await fs.stat(to);
}

async function moveIfExists(fs: FileSystem, from: string, to: string): Promise<boolean> {
  return (await unlessMissing(fs.rename(from, to).then(() => true))) ?? false;
}

/** The metadata is written in `incoming`, where a sweep removes it if it is incomplete, and moved to `uploads` before the file is. */
async function storeWaitingUpload(fs: FileSystem, from: string, to: string, upload: UploadRecord): Promise<void> {
  const part = from + PART_SUFFIX;
  try {
    const handle = await fs.open(part, "w", FILE_MODE);
    await handle
      .writeFile(JSON.stringify(upload))
      .then(() => handle.sync())
      .finally(() => handle.close());
    await fs.rename(part, to + RECORD_SUFFIX);
  } catch (error) {
    // A leftover would block uploads with this key until the next sweep.
    await removeIfPossible(fs, part);
    throw error;
  }
  await fs.rename(from, to);
  await syncFolder(fs, dirname(to));
}

async function readUploadRecord(fs: FileSystem, paths: readonly string[]): Promise<UploadRecord | undefined> {
  for (const path of paths) {
    const text = await unlessMissing(fs.readFile(path + RECORD_SUFFIX, "utf8"));
    if (text !== undefined) return parseOwnJson<UploadRecord>(text);
  }
  return undefined;
}

async function anyExists(fs: FileSystem, paths: readonly string[]): Promise<boolean> {
  for (const path of paths) if (await unlessMissing(fs.stat(path))) return true;
  return false;
}

async function waitingSince(fs: FileSystem, uploads: string, at: number): Promise<readonly string[]> {
  const keys = (await fs.readdir(uploads))
    .filter((name) => name.endsWith(RECORD_SUFFIX))
    .map((name) => name.slice(0, -RECORD_SUFFIX.length))
    .filter((key) => isKey(key));
  const old: string[] = [];
  for (const key of keys) {
    // A damaged record must not hide the others.
    const record = await readUploadRecord(fs, [join(uploads, key)]).catch(unlessUnreadable);
    if (record && record.at <= at) old.push(key);
  }
  return old;
}

function unlessUnreadable(error: unknown): undefined {
  if (!(error instanceof SyntaxError)) throw error;
}

async function openFirst(fs: FileSystem, paths: readonly string[], range: ByteRange | undefined) {
  if (range && !(range.start >= 0 && range.start <= range.end))
    throw new RangeError(`Not a range: ${range.start}-${range.end}`);
  for (const path of paths) {
    const handle = await unlessMissing(fs.open(path, "r"));
    if (handle) return readFrom(handle, range);
  }
  return undefined;
}

async function readFrom(handle: platform.FileHandle, range: ByteRange | undefined) {
  try {
    const { size } = await handle.stat();
    return { stream: handle.createReadStream(range), size };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

async function sweep(
  fs: FileSystem,
  incoming: string,
  hasRecord: HasRecord,
  receivedBefore: number,
  keep: (key: string) => Promise<void>,
  discard: (key: string) => Promise<void>,
): Promise<{ readonly kept: number; readonly removed: number }> {
  const names = await touchedBefore(fs, incoming, receivedBefore);
  const halfWritten = names.filter((name) => name.endsWith(PART_SUFFIX) && isKey(name.slice(0, -PART_SUFFIX.length)));
  for (const name of halfWritten) await fs.rm(join(incoming, name), { force: true });

  const keys = names.filter(isKey);
  const recorded = await keysWithRecord(keys, hasRecord);
  for (const key of keys) await (recorded.has(key) ? keep(key) : discard(key));
  return { kept: recorded.size, removed: halfWritten.length + keys.length - recorded.size };
}

/** Uses `ctime`, because a rename does not change `mtime`. */
async function touchedBefore(fs: FileSystem, folder: string, before: number): Promise<readonly string[]> {
  const names: string[] = [];
  for (const name of await fs.readdir(folder)) {
    const found = await unlessMissing(fs.stat(join(folder, name)));
    if (found && found.ctimeMs < before) names.push(name);
  }
  return names;
}

async function syncFolder(fs: FileSystem, path: string): Promise<void> {
  // Windows cannot open folders, and writes directory entries through by itself.
  if (process.platform === "win32") return;
  const handle = await fs.open(path, "r");
  await handle.sync().finally(() => handle.close());
}

async function unlessMissing<Result>(operation: Promise<Result>): Promise<Result | undefined> {
  try {
    return await operation;
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw error;
  }
}
