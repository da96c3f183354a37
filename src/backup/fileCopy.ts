import { createHash } from "node:crypto";
import type { Readable } from "node:stream";
import type { FileRecord, Files } from "../files/files.ts";
import type { ReferencedFile } from "../ledger/tenderHistory.ts";

/** Files from one place to another, each held to what its document says of it. */

const AT_ONCE = 8;

export type CopyResult = "copied" | "there" | { readonly problem: string };

/** A file that is there in its size is not copied again. */
export async function copyFile(from: Files, to: Files, named: ReferencedFile): Promise<CopyResult> {
  const { key, size } = named;
  const found = await sizeOf(to, key);
  if (found === size) {
    await to.keep(key);
    return "there";
  }
  if (found !== undefined) return { problem: `there are ${found} bytes under its key already, not ${size}` };
  const source = await from.open(key);
  if (!source) return { problem: "it is not there" };
  const received = await to.receive(key, source.stream, size);
  const problem = received === "too large" ? `it has ${source.size} bytes, not ${size}` : findMismatch(named, received);
  if (problem !== undefined) {
    source.stream.destroy();
    await to.discard(key);
    return { problem };
  }
  // What came by the document service has a note, which the service asks for.
  const note = await from.findUpload(key);
  if (note) await to.wait(note);
  await to.keep(key);
  return "copied";
}

async function sizeOf(files: Files, key: string): Promise<number | undefined> {
  const found = await files.open(key, { start: 0, end: 0 });
  found?.stream.on("error", () => {}).destroy();
  return found?.size;
}

/** Reads the whole file; answers what is wrong with it, if anything. */
export async function findFileProblem(files: Files, named: ReferencedFile): Promise<string | undefined> {
  const found = await files.open(named.key);
  return found ? findMismatch(named, await hashesOf(found.stream)) : "it is not there";
}

async function hashesOf(stream: Readable): Promise<Omit<FileRecord, "key">> {
  const sha256 = createHash("sha256");
  const md5 = createHash("md5");
  let size = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    sha256.update(chunk);
    md5.update(chunk);
    size += chunk.length;
  }
  return { size, sha256: sha256.digest("hex"), md5: md5.digest("hex") };
}

function findMismatch(named: ReferencedFile, is: Omit<FileRecord, "key">): string | undefined {
  if (is.size !== named.size) return `it has ${is.size} bytes, not ${named.size}`;
  if (is.sha256 !== named.sha256) return `its sha256 is ${is.sha256}, not ${named.sha256}`;
  return named.md5 !== undefined && is.md5 !== named.md5 ? `its md5 is ${is.md5}, not ${named.md5}` : undefined;
}

/** A few at once, but never two of one key. */
export async function forEachFile(
  files: AsyncIterable<ReferencedFile>,
  work: (named: ReferencedFile) => Promise<void>,
): Promise<void> {
  const inProgress = new Map<string, Promise<void>>();
  const source = files[Symbol.asyncIterator]();
  let failed = false;
  const worker = async () => {
    for (let next = await source.next(); !next.done && !failed; next = await source.next()) {
      const named = next.value;
      await inProgress.get(named.key);
      const working = work(named).finally(() => inProgress.delete(named.key));
      inProgress.set(named.key, working);
      await working;
    }
  };
  const failing = (error: unknown) => {
    failed = true;
    throw error;
  };
  const ended = await Promise.allSettled(Array.from({ length: AT_ONCE }, () => worker().catch(failing)));
  const failure = ended.find(({ status }) => status === "rejected") as PromiseRejectedResult | undefined;
  if (failure) throw failure.reason;
}
