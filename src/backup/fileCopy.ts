import { createHash } from "node:crypto";
import type { Readable } from "node:stream";
import type { FileRecord, Files } from "../files/files.ts";
import type { ReferencedFile } from "../ledger/tenderHistory.ts";

/** Copies files from one file store to another, and checks each against what its document says. */

const CONCURRENCY = 8;

/** "there": the file was copied before. */
export type CopyResult = "copied" | "there" | { readonly problem: string };

/** Copies a file, unless the target has one with this key and size. */
export async function copyFile(from: Files, to: Files, referenced: ReferencedFile): Promise<CopyResult> {
  const { key, size } = referenced;
  const found = await sizeOf(to, key);
  if (found === size) {
    await to.keep(key);
    return "there";
  }
  if (found !== undefined) return { problem: `its copy has ${found} bytes, not ${size}` };
  const source = await from.open(key);
  if (!source) return { problem: "it is missing" };
  const received = await to.receive(key, source.stream, size);
  const problem =
    received === "too large" ? `it has ${source.size} bytes, not ${size}` : findMismatch(referenced, received);
  if (problem !== undefined) {
    source.stream.destroy();
    await to.discard(key);
    return { problem };
  }
  // A file from the document service has metadata, which the service needs.
  const upload = await from.findUpload(key);
  if (upload) await to.wait(upload);
  await to.keep(key);
  return "copied";
}

async function sizeOf(files: Files, key: string): Promise<number | undefined> {
  const found = await files.open(key, { start: 0, end: 0 });
  found?.stream.on("error", () => {}).destroy();
  return found?.size;
}

/** Reads the whole file and describes what is wrong with it, if anything. */
export async function findFileProblem(files: Files, referenced: ReferencedFile): Promise<string | undefined> {
  const found = await files.open(referenced.key);
  return found ? findMismatch(referenced, await hashesOf(found.stream)) : "it is missing";
}

async function hashesOf(stream: Readable): Promise<Omit<FileRecord, "key">> {
  const sha256 = createHash("sha256");
  const md5 = createHash("md5");
  let size = 0;
  // A stream without an encoding yields buffers.
  const chunks: AsyncIterable<Buffer> = stream;
  for await (const chunk of chunks) {
    sha256.update(chunk);
    md5.update(chunk);
    size += chunk.length;
  }
  return { size, sha256: sha256.digest("hex"), md5: md5.digest("hex") };
}

function findMismatch(expected: ReferencedFile, actual: Omit<FileRecord, "key">): string | undefined {
  if (actual.size !== expected.size) return `it has ${actual.size} bytes, not ${expected.size}`;
  if (actual.sha256 !== expected.sha256) return `it has the SHA-256 ${actual.sha256}, not ${expected.sha256}`;
  return expected.md5 !== undefined && actual.md5 !== expected.md5
    ? `it has the MD5 ${actual.md5}, not ${expected.md5}`
    : undefined;
}

/** Runs `work` for several files at a time, but never for two with the same key. Stops at the first failure and throws it. */
export async function forEachFile(
  files: AsyncIterable<ReferencedFile>,
  work: (file: ReferencedFile) => Promise<void>,
): Promise<void> {
  const inProgress = new Map<string, Promise<void>>();
  const source = files[Symbol.asyncIterator]();
  let failed = false;
  const worker = async () => {
    for (let next = await source.next(); !next.done && !failed; next = await source.next()) {
      const { key } = next.value;
      await inProgress.get(key);
      const working = work(next.value).finally(() => inProgress.delete(key));
      inProgress.set(key, working);
      await working;
    }
  };
  const stopAll = (error: unknown) => {
    failed = true;
    throw error;
  };
  const settled = await Promise.allSettled(Array.from({ length: CONCURRENCY }, () => worker().catch(stopAll)));
  const failure = settled.find((result) => result.status === "rejected");
  if (failure) throw failure.reason;
}
