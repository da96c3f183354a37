import { createHash, type Hash } from "node:crypto";
import type { Readable } from "node:stream";
import type { FileRecord } from "../files.ts";
import type { RequestBody } from "./client.ts";
import type { MultipartUpload, ObjectStore } from "./objectStore.ts";

const MIB = 1024 * 1024;
const PART_BYTES = 8 * MIB;
const PARTS_MAX = 10_000;
const OBJECT_BYTES_MAX = 5 * MIB * MIB;
const FIRST_BYTES = 64 * 1024;

export const TOO_LARGE = new Error("The file is too large");

type Hashes = { readonly sha256: Hash; readonly md5: Hash };
type Part = RequestBody & { readonly isLast: boolean };

/** Only files that may become very large need parts larger than others. */
const partBytesFor = (sizeMax: number): number =>
  Math.max(PART_BYTES, Math.ceil(Math.min(sizeMax, OBJECT_BYTES_MAX) / PARTS_MAX / MIB) * MIB);

/**
 * Streams to one object; `claim` is called once, before anything is sent. A file of one part goes by a single request, so
 * that of one that is too large or fails before that nobody else ever hears. At most two parts are in memory: one that is
 * being sent, and one that gathers. Rejects with `TOO_LARGE` past `sizeMax`; a failure leaves no upload begun.
 */
export async function uploadInParts(
  objects: ObjectStore,
  name: string,
  source: Readable,
  { sizeMax, claim }: { readonly sizeMax: number; readonly claim: () => Promise<void> },
): Promise<Omit<FileRecord, "key">> {
  // The source may fail before anyone iterates over it; the iteration reports that failure, this keeps it from crashing.
  source.on("error", () => {});
  const fileHashes = newHashes();
  let size = 0;
  let upload: MultipartUpload | undefined;
  let sending = Promise.resolve();
  try {
    for await (const part of partsOf(source, sizeMax, fileHashes)) {
      if (size === 0) await claim();
      size += part.bytes.length;
      if (!upload && part.isLast) await objects.put(name, part);
      else {
        upload ??= await objects.beginUpload(name);
        await sending;
        sending = upload.part(part);
        // It is awaited before the next part, which may be long in coming.
        sending.catch(() => {});
      }
    }
    await sending;
    await upload?.complete(size);
  } catch (error) {
    await sending.catch(() => {});
    await upload?.abort().catch(() => {});
    throw error;
  }
  return { size, sha256: fileHashes.sha256.digest("hex"), md5: fileHashes.md5.digest("hex") };
}

const newHashes = (): Hashes => ({ sha256: createHash("sha256"), md5: createHash("md5") });

function update({ sha256, md5 }: Hashes, bytes: Buffer): void {
  sha256.update(bytes);
  md5.update(bytes);
}

/**
 * Full parts, and a last one that is empty only if the file is. Each is valid until the next but one is asked for, as two
 * buffers take turns; what a client sends in crumbs is copied into them, since millions of crumbs would weigh more.
 */
async function* partsOf(source: Readable, sizeMax: number, fileHashes: Hashes): AsyncGenerator<Part> {
  const bytesMax = partBytesFor(sizeMax);
  let current: Buffer = Buffer.allocUnsafe(FIRST_BYTES);
  let spare: Buffer | undefined;
  let length = 0;
  let size = 0;
  // Of the first part the hashes are those of the whole file so far.
  let partHashes = fileHashes;
  const part = (isLast: boolean): Part => ({
    bytes: current.subarray(0, length),
    sha256: partHashes.sha256.copy().digest("hex"),
    md5: partHashes.md5.copy().digest(),
    isLast,
  });
  for await (const piece of source) {
    const chunk: Buffer = typeof piece === "string" ? Buffer.from(piece) : piece;
    size += chunk.length;
    if (size > sizeMax) throw TOO_LARGE;
    for (let at = 0; at < chunk.length; ) {
      if (length === bytesMax) {
        yield part(false);
        [current, spare] = [spare ?? Buffer.allocUnsafe(bytesMax), current];
        length = 0;
        partHashes = newHashes();
      }
      const slice = chunk.subarray(at, at + bytesMax - length);
      if (length + slice.length > current.length) current = growBuffer(current, length + slice.length, bytesMax);
      current.set(slice, length);
      length += slice.length;
      at += slice.length;
      update(fileHashes, slice);
      if (partHashes !== fileHashes) update(partHashes, slice);
    }
  }
  yield part(true);
}

function growBuffer(buffer: Buffer, needed: number, max: number): Buffer {
  const larger = Buffer.allocUnsafe(Math.min(max, Math.max(needed, 2 * buffer.length)));
  larger.set(buffer);
  return larger;
}
