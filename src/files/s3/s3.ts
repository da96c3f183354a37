import { randomBytes } from "node:crypto";
import type { Readable } from "node:stream";
import { parseOwnJson } from "../../base/ownJson.ts";
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
 * Opens the file store in S3. S3 cannot rename, so a file is written to `files/<2 hex>/<2 hex>/<key>` at once. A marker,
 * `incoming/<key>.<server>`, is written before the first byte and removed when the file is kept; a sweep only looks at the markers,
 * not at all files. An upload that waits has a record instead, `uploads/<key>.json`, which moves to `notes/` when the file is kept.
 * Each object is written before the one that it replaces is removed, so that a crash in between loses nothing.
 */
export function openS3(location: S3Location, retryPolicy?: Partial<RetryPolicy>): Files {
  const objects = openObjectStore(location, retryPolicy);
  const server = randomBytes(8).toString("hex");
  const markerOf = (key: string) => `${INCOMING}${checkedKey(key)}.${server}`;
  /** Keys of files that this server is receiving, or has received and neither kept nor discarded. */
  const held = new Set<string>();

  async function releaseMarker(key: string): Promise<void> {
    await objects.remove(markerOf(key));
    held.delete(key);
  }

  async function keep(key: string): Promise<void> {
    const [exists, record] = await Promise.all([objects.has(finalName(key)), objects.read(waitingRecordName(key))]);
    if (!exists) throw new Error(`There is no file ${key} to keep`);
    if (record !== undefined) {
      await objects.put(keptRecordName(key), requestBodyOf(record));
      await objects.remove(waitingRecordName(key));
    }
    await releaseMarker(key);
  }

  async function wait(upload: UploadRecord): Promise<void> {
    const { key } = upload;
    if (!(await objects.has(finalName(key)))) throw new Error(`There is no received file ${key}`);
    await objects.put(waitingRecordName(key), requestBodyOf(JSON.stringify(upload)));
    await releaseMarker(key);
  }

  /** A file without a marker or waiting record is kept. The marker is removed last, so that a sweep can complete what a crash interrupted. */
  async function discard(key: string): Promise<void> {
    const [hasMarker, hasRecord] = await Promise.all([objects.has(markerOf(key)), objects.has(waitingRecordName(key))]);
    if (!hasMarker && !hasRecord) return;
    await objects.remove(finalName(key));
    if (hasRecord) await objects.remove(waitingRecordName(key));
    await releaseMarker(key);
  }

  async function receive(key: string, source: Readable, sizeMax: number): Promise<FileRecord | "too large"> {
    const name = finalName(key);
    let claimState: "none" | "marked" | "owned" = "none";
    const claim = async () => {
      if (held.has(key)) throw keyTakenError(key);
      held.add(key);
      claimState = "marked";
      await claimKey(objects, key, markerOf(key));
      claimState = "owned";
    };
    /** Removes only what this call has claimed. What cannot be removed now is removed by a sweep. */
    const undo = async () => {
      if (claimState === "owned") await objects.remove(name);
      if (claimState !== "none") await releaseMarker(key);
    };
    try {
      return { key, ...(await uploadInParts(objects, name, source, { sizeMax, claim })) };
    } catch (error) {
      await undo().catch(() => held.delete(key));
      if (error === TOO_LARGE) return "too large";
      throw error;
    }
  }

  async function findUpload(key: string): Promise<UploadRecord | undefined> {
    const [exists, record] = await Promise.all([objects.has(finalName(key)), readUploadRecord(objects, key)]);
    return exists ? record : undefined;
  }

  return {
    receive,
    keep: async (key) => keep(key),
    wait,
    findUpload,
    waitingSince: (at) => waitingSince(objects, at),
    discard: async (key) => discard(key),
    open: async (key, range) => objects.open(finalName(key), range),
    link: async (key, options) => objects.link(finalName(key), options),
    sweep: (hasRecord, receivedBefore) => sweep(objects, hasRecord, receivedBefore, keep),
    // Lists a prefix that has no objects: the response is short, and unlike a HEAD request it reports a missing bucket.
    ping: async () => void (await objects.list("none/")),
  };
}

const keyTakenError = (key: string): Error =>
  Object.assign(new Error(`The file ${key} exists already, or is being received`), { code: "EEXIST" });

/**
 * Claims a key, or throws if it is taken. Two servers may receive the same key at once, and must not overwrite an acknowledged file.
 * Each writes its marker before it looks for others, so the later one sees the marker of the earlier, or the file if that has finished.
 */
async function claimKey(objects: ObjectStore, key: string, marker: string): Promise<void> {
  await objects.put(marker, requestBodyOf(""));
  const marks = await objects.list(`${INCOMING}${key}.`);
  if (marks.some(({ name }) => name !== marker) || (await objects.has(finalName(key)))) throw keyTakenError(key);
}

/** Reads the waiting record first: when a file is kept, the kept record is written before the waiting one is removed. */
async function readUploadRecord(objects: ObjectStore, key: string): Promise<UploadRecord | undefined> {
  const text = (await objects.read(waitingRecordName(key))) ?? (await objects.read(keptRecordName(key)));
  return text === undefined ? undefined : parseOwnJson<UploadRecord>(text);
}

async function waitingSince(objects: ObjectStore, at: number): Promise<readonly string[]> {
  const names = (await objects.list(UPLOADS)).map(({ name }) => name);
  const keys = names.map((name) => name.slice(UPLOADS.length, -RECORD_SUFFIX.length)).filter(isKey);
  const old: string[] = [];
  await inParallel(keys, async (key) => {
    const text = await objects.read(waitingRecordName(key));
    if (text !== undefined && parseOwnJson<UploadRecord>(text).at <= at) old.push(key);
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

async function inParallel<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const queue = items.values();
  const worker = async () => {
    for (const item of queue) await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(CONCURRENCY, items.length) }, worker));
}
