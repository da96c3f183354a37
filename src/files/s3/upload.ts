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

/** What `uploadInParts` rejects with if the source exceeds `sizeMax`. */
export const TOO_LARGE = new Error("The file is too large");

type Hashes = { readonly sha256: Hash; readonly md5: Hash };
type Part = RequestBody & { readonly isLast: boolean };

/** S3 allows 10,000 parts, so only very large files need larger parts. */
const partBytesFor = (sizeMax: number): number =>
  Math.max(PART_BYTES, Math.ceil(Math.min(sizeMax, OBJECT_BYTES_MAX) / PARTS_MAX / MIB) * MIB);

/**
 * Streams a source to an object. `claim` is called once, before anything is sent. A file of one part is sent by a single request, so
 * nothing is sent of a small file that is too large or fails. At most two parts are in memory: one that is being sent, and one that
 * is being filled. Rejects with `TOO_LARGE` past `sizeMax` bytes; after a failure, the multipart upload is aborted.
 */
export async function uploadInParts(
  objects: ObjectStore,
  name: string,
  source: Readable,
  { sizeMax, claim }: { readonly sizeMax: number; readonly claim: () => Promise<void> },
): Promise<Omit<FileRecord, "key">> {
  // The source may fail before the iteration below begins. The iteration reports the failure; the listener keeps it from crashing the process.
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
        // Awaited before the next part is sent, which may take long; until then a failure must not be unhandled.
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
 * Yields full parts and a last one, which is empty only if the file is. Two buffers alternate, so a part is valid until the one after
 * the next is requested. Chunks are copied into the buffers, since millions of tiny chunks would take more memory.
 */
async function* partsOf(source: Readable, sizeMax: number, fileHashes: Hashes): AsyncGenerator<Part> {
  const bytesMax = partBytesFor(sizeMax);
  let current: Buffer = Buffer.allocUnsafe(FIRST_BYTES);
  let spare: Buffer | undefined;
  let length = 0;
  let size = 0;
  // The hashes of the first part are also those of the file so far.
  let partHashes = fileHashes;
  const part = (isLast: boolean): Part => ({
    bytes: current.subarray(0, length),
    sha256: partHashes.sha256.copy().digest("hex"),
    md5: partHashes.md5.copy().digest(),
    isLast,
  });
  for await (const data of source) {
    const chunk: Buffer = typeof data === "string" ? Buffer.from(data) : data;
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
