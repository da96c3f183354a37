import { randomBytes } from "node:crypto";
import type { Readable } from "node:stream";
import type { S3Place } from "./documentsUrl.ts";
import type { FileRecord, Files, UploadRecord } from "./files.ts";
import { checkedKey, type HasRecord, isKey, recordedAmong, spread } from "./keys.ts";
import { type Objects, openObjects } from "./s3Objects.ts";
import { receiveInParts, TOO_LARGE } from "./s3Receiving.ts";
import { bodyOf, type Patience } from "./s3Requests.ts";

const INCOMING = "incoming/";
const WAITING = "uploads/";
const FINAL = "files/";
const NOTE = ".json";
const AT_ONCE = 16;

const finalOf = (key: string) => `${FINAL}${spread(key)}`;
const waitingNoteOf = (key: string) => `${WAITING}${checkedKey(key)}${NOTE}`;
const keptNoteOf = (key: string) => `notes/${spread(key)}${NOTE}`;

/**
 * Files in S3, which renames nothing: a file goes to `files/<2 hex>/<2 hex>/<key>` at once. Until its record is committed
 * a marker says so, `incoming/<key>.<server>`, written before the first byte; a sweep looks at the markers, never at
 * all files. A file that waits for its document has a note instead, `uploads/<key>.json`, which goes to `notes` when the
 * file is kept. Whatever is made is made before what it replaces is removed, so that a stop in between loses nothing.
 */
export function openS3(place: S3Place, patience?: Partial<Patience>): Files {
  const objects = openObjects(place, patience);
  const server = randomBytes(8).toString("hex");
  const markerOf = (key: string) => `${INCOMING}${checkedKey(key)}.${server}`;
  /** What this server is receiving, or has received and not settled. */
  const held = new Set<string>();

  async function settled(key: string): Promise<void> {
    await objects.remove(markerOf(key));
    held.delete(key);
  }

  async function keep(key: string): Promise<void> {
    const [isThere, note] = await Promise.all([objects.has(finalOf(key)), objects.read(waitingNoteOf(key))]);
    if (!isThere) throw new Error(`There is no file ${key} to be kept`);
    if (note !== undefined) {
      await objects.put(keptNoteOf(key), bodyOf(note));
      await objects.remove(waitingNoteOf(key));
    }
    await settled(key);
  }

  async function wait(upload: UploadRecord): Promise<void> {
    const { key } = upload;
    if (!(await objects.has(finalOf(key)))) throw new Error(`There is no file ${key} that could wait`);
    await objects.put(waitingNoteOf(key), bodyOf(JSON.stringify(upload)));
    await settled(key);
  }

  /** What has neither a marker nor a note that waits is kept. The marker goes last, so that a sweep can end what was begun. */
  async function discard(key: string): Promise<void> {
    const [marked, noted] = await Promise.all([objects.has(markerOf(key)), objects.has(waitingNoteOf(key))]);
    if (!marked && !noted) return;
    await objects.remove(finalOf(key));
    if (noted) await objects.remove(waitingNoteOf(key));
    await settled(key);
  }

  async function receive(key: string, source: Readable, sizeMax: number): Promise<FileRecord | "too large"> {
    const name = finalOf(key);
    let claimed: "not" | "marked" | "owned" = "not";
    const claim = async () => {
      if (held.has(key)) throw takenAlready(key);
      held.add(key);
      claimed = "marked";
      await claimKey(objects, key, markerOf(key));
      claimed = "owned";
    };
    /** What is not ours to take is not ours to remove. What cannot be undone now, a sweep undoes. */
    const undo = async () => {
      if (claimed === "owned") await objects.remove(name);
      if (claimed !== "not") await settled(key);
    };
    try {
      return { key, ...(await receiveInParts(objects, name, source, { sizeMax, claim })) };
    } catch (error) {
      await undo().catch(() => held.delete(key));
      if (error === TOO_LARGE) return "too large";
      throw error;
    }
  }

  async function uploaded(key: string): Promise<UploadRecord | undefined> {
    const [isThere, note] = await Promise.all([objects.has(finalOf(key)), readNote(objects, key)]);
    return isThere ? note : undefined;
  }

  return {
    receive,
    keep: async (key) => keep(key),
    wait,
    uploaded: async (key) => uploaded(key),
    waitingSince: (at) => waitingSince(objects, at),
    discard: async (key) => discard(key),
    open: async (key, range) => objects.open(finalOf(key), range),
    link: async (key, asked) => objects.link(finalOf(key), asked),
    sweep: (hasRecord, receivedBefore) => sweep(objects, hasRecord, receivedBefore, keep),
    // Nothing is ever there, so that the answer is short; of a single name S3 would not say that the bucket lacks.
    ping: async () => void (await objects.list("none/")),
  };
}

const takenAlready = (key: string): Error =>
  Object.assign(new Error(`There is a file ${key} already, or one that arrives`), { code: "EEXIST" });

/**
 * Two servers may be sent the same key at once, and then nobody may overwrite what the other was told is safe. Each marks
 * the key before it looks for others: of two, the later one sees the earlier, and the earlier one may have finished since.
 */
async function claimKey(objects: Objects, key: string, marker: string): Promise<void> {
  await objects.put(marker, bodyOf(""));
  const marks = await objects.list(`${INCOMING}${key}.`);
  if (marks.some(({ name }) => name !== marker) || (await objects.has(finalOf(key)))) throw takenAlready(key);
}

/** A note is in its new place before it leaves the old one, hence this order. */
async function readNote(objects: Objects, key: string): Promise<UploadRecord | undefined> {
  const note = (await objects.read(waitingNoteOf(key))) ?? (await objects.read(keptNoteOf(key)));
  return note === undefined ? undefined : (JSON.parse(note) as UploadRecord);
}

async function waitingSince(objects: Objects, at: number): Promise<readonly string[]> {
  const names = (await objects.list(WAITING)).map(({ name }) => name);
  const keys = names.map((name) => name.slice(WAITING.length, -NOTE.length)).filter(isKey);
  const old: string[] = [];
  await inParallel(keys, async (key) => {
    const note = await objects.read(waitingNoteOf(key));
    if (note !== undefined && (JSON.parse(note) as UploadRecord).at <= at) old.push(key);
  });
  return old;
}

async function sweep(
  objects: Objects,
  hasRecord: HasRecord,
  receivedBefore: number,
  keep: (key: string) => Promise<void>,
): Promise<{ readonly kept: number; readonly removed: number }> {
  const isOld = ({ at }: { readonly at: number }) => at < receivedBefore;
  const markers = (await objects.list(INCOMING)).filter(isOld).map(({ name }) => ({ name, key: keyOfMarker(name) }));
  const swept = markers.filter(({ key }) => isKey(key));
  const recorded = await recordedAmong([...new Set(swept.map(({ key }) => key))], hasRecord);

  const kept = new Set<string>();
  const removed = new Set<string>();
  const settle = async (key: string) => {
    if (recorded.has(key)) {
      await keep(key);
      kept.add(key);
    } else if (!(await objects.has(waitingNoteOf(key)))) {
      await objects.remove(finalOf(key));
      removed.add(key);
    }
  };
  await inParallel(swept, async ({ name, key }) => {
    await settle(key);
    await objects.remove(name);
  });
  const begun = (await objects.listUploads(FINAL)).filter(isOld);
  await inParallel(begun, async ({ name, id }) => {
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
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, items.length) }, worker));
}
