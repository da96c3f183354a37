import { randomBytes } from "node:crypto";
import type { Readable } from "node:stream";
import type { S3Location } from "../documentsUrl.ts";
import { checkedKey, type HasRecord, isKey, keysWithRecord, shardedPath } from "../fileKeys.ts";
import type { FileRecord, Files, UploadRecord } from "../files.ts";
import { type RetryPolicy, requestBodyOf } from "./client.ts";
import { type ObjectStore, openObjectStore } from "./objectStore.ts";
import { TOO_LARGE, uploadInParts } from "./upload.ts";

const INCOMING = "incoming/";
const UPLOADS = "uploads/";
const FINAL = "files/";
const RECORD_SUFFIX = ".json";
const CONCURRENCY = 16;

const finalName = (key: string) => `${FINAL}${shardedPath(key)}`;
const waitingRecordName = (key: string) => `${UPLOADS}${checkedKey(key)}${RECORD_SUFFIX}`;
const keptRecordName = (key: string) => `notes/${shardedPath(key)}${RECORD_SUFFIX}`;

/**
 * Files in S3, which renames nothing: a file goes to `files/<2 hex>/<2 hex>/<key>` at once. Until its record is committed
 * a marker says so, `incoming/<key>.<server>`, written before the first byte; a sweep looks at the markers, never at
 * all files. A file that waits for its document has a note instead, `uploads/<key>.json`, which goes to `notes` when the
 * file is kept. Whatever is made is made before what it replaces is removed, so that a stop in between loses nothing.
 */
export function openS3(location: S3Location, retryPolicy?: Partial<RetryPolicy>): Files {
  const objects = openObjectStore(location, retryPolicy);
  const server = randomBytes(8).toString("hex");
  const markerOf = (key: string) => `${INCOMING}${checkedKey(key)}.${server}`;
  /** What this server is receiving, or has received and not settled. */
  const held = new Set<string>();

  async function releaseMarker(key: string): Promise<void> {
    await objects.remove(markerOf(key));
    held.delete(key);
  }

  async function keep(key: string): Promise<void> {
    const [exists, record] = await Promise.all([objects.has(finalName(key)), objects.read(waitingRecordName(key))]);
    if (!exists) throw new Error(`There is no file ${key} to be kept`);
    if (record !== undefined) {
      await objects.put(keptRecordName(key), requestBodyOf(record));
      await objects.remove(waitingRecordName(key));
    }
    await releaseMarker(key);
  }

  async function wait(upload: UploadRecord): Promise<void> {
    const { key } = upload;
    if (!(await objects.has(finalName(key)))) throw new Error(`There is no file ${key} that could wait`);
    await objects.put(waitingRecordName(key), requestBodyOf(JSON.stringify(upload)));
    await releaseMarker(key);
  }

  /** What has neither a marker nor a note that waits is kept. The marker goes last, so that a sweep can end what was begun. */
  async function discard(key: string): Promise<void> {
    const [hasMarker, hasRecord] = await Promise.all([objects.has(markerOf(key)), objects.has(waitingRecordName(key))]);
    if (!hasMarker && !hasRecord) return;
    await objects.remove(finalName(key));
    if (hasRecord) await objects.remove(waitingRecordName(key));
    await releaseMarker(key);
  }

  async function receive(key: string, source: Readable, sizeMax: number): Promise<FileRecord | "too large"> {
    const name = finalName(key);
    let claimed: "not" | "marked" | "owned" = "not";
    const claim = async () => {
      if (held.has(key)) throw keyTakenError(key);
      held.add(key);
      claimed = "marked";
      await claimKey(objects, key, markerOf(key));
      claimed = "owned";
    };
    /** What is not ours to take is not ours to remove. What cannot be undone now, a sweep undoes. */
    const undo = async () => {
      if (claimed === "owned") await objects.remove(name);
      if (claimed !== "not") await releaseMarker(key);
    };
    try {
      return { key, ...(await uploadInParts(objects, name, source, { sizeMax, claim })) };
    } catch (error) {
      await undo().catch(() => held.delete(key));
      if (error === TOO_LARGE) return "too large";
      throw error;
    }
  }

  async function uploaded(key: string): Promise<UploadRecord | undefined> {
    const [exists, record] = await Promise.all([objects.has(finalName(key)), readUploadRecord(objects, key)]);
    return exists ? record : undefined;
  }

  return {
    receive,
    keep: async (key) => keep(key),
    wait,
    findUpload: async (key) => uploaded(key),
    waitingSince: (at) => waitingSince(objects, at),
    discard: async (key) => discard(key),
    open: async (key, range) => objects.open(finalName(key), range),
    link: async (key, options) => objects.link(finalName(key), options),
    sweep: (hasRecord, receivedBefore) => sweep(objects, hasRecord, receivedBefore, keep),
    // Nothing is ever there, so that the answer is short; of a single name S3 would not say that the bucket lacks.
    ping: async () => void (await objects.list("none/")),
  };
}

const keyTakenError = (key: string): Error =>
  Object.assign(new Error(`There is a file ${key} already, or one that arrives`), { code: "EEXIST" });

/**
 * Two servers may be sent the same key at once, and then nobody may overwrite what the other was told is safe. Each marks
 * the key before it looks for others: of two, the later one sees the earlier, and the earlier one may have finished since.
 */
async function claimKey(objects: ObjectStore, key: string, marker: string): Promise<void> {
  await objects.put(marker, requestBodyOf(""));
  const marks = await objects.list(`${INCOMING}${key}.`);
  if (marks.some(({ name }) => name !== marker) || (await objects.has(finalName(key)))) throw keyTakenError(key);
}

/** A note is in its new place before it leaves the old one, hence this order. */
async function readUploadRecord(objects: ObjectStore, key: string): Promise<UploadRecord | undefined> {
  const text = (await objects.read(waitingRecordName(key))) ?? (await objects.read(keptRecordName(key)));
  return text === undefined ? undefined : (JSON.parse(text) as UploadRecord);
}

async function waitingSince(objects: ObjectStore, at: number): Promise<readonly string[]> {
  const names = (await objects.list(UPLOADS)).map(({ name }) => name);
  const keys = names.map((name) => name.slice(UPLOADS.length, -RECORD_SUFFIX.length)).filter(isKey);
  const old: string[] = [];
  await inParallel(keys, async (key) => {
    const text = await objects.read(waitingRecordName(key));
    if (text !== undefined && (JSON.parse(text) as UploadRecord).at <= at) old.push(key);
  });
  return old;
}

async function sweep(
  objects: ObjectStore,
  hasRecord: HasRecord,
  receivedBefore: number,
  keep: (key: string) => Promise<void>,
): Promise<{ readonly kept: number; readonly removed: number }> {
  const isOld = ({ at }: { readonly at: number }) => at < receivedBefore;
  const markers = (await objects.list(INCOMING)).filter(isOld).map(({ name }) => ({ name, key: keyOfMarker(name) }));
  const swept = markers.filter(({ key }) => isKey(key));
  const recorded = await keysWithRecord([...new Set(swept.map(({ key }) => key))], hasRecord);

  const kept = new Set<string>();
  const removed = new Set<string>();
  const settle = async (key: string) => {
    if (recorded.has(key)) {
      await keep(key);
      kept.add(key);
    } else if (!(await objects.has(waitingRecordName(key)))) {
      await objects.remove(finalName(key));
      removed.add(key);
    }
  };
  await inParallel(swept, async ({ name, key }) => {
    await settle(key);
    await objects.remove(name);
  });
  const unfinished = (await objects.listUploads(FINAL)).filter(isOld);
  await inParallel(unfinished, async ({ name, id }) => {
    await objects.abortUpload(name, id);
    removed.add(name.slice(-32));
  });
  return { kept: kept.size, removed: removed.size };
}

const keyOfMarker = (name: string): string => name.slice(INCOMING.length).replace(/\.[0-9a-f]{16}$/, "");

async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const queue = items.values();
  const worker = async () => {
    for (const item of queue) await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(CONCURRENCY, items.length) }, worker));
}
