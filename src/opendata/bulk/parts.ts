import { createHash } from "node:crypto";
import { once } from "node:events";
import { type FileHandle, open, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { constants, createGzip, type Gzip } from "node:zlib";
import { openPublicFile, TEMPORARY } from "./publicFiles.ts";

/** A finished file. Sizes are in bytes; `head` is the gzip member of the header line, which files of several months have once. */
export type BulkPart = {
  readonly name: string;
  readonly bytes: number;
  readonly unpackedBytes: number;
  readonly lines: number;
  readonly sha256: string;
  readonly head: { readonly bytes: number; readonly unpackedBytes: number };
};

/** Lines are compressed in pieces of about this many characters. */
const CHUNK_LENGTH = 256 * 1024;

/** Writes numbered parts: lines go to the next part when the current one has reached the limit. */
export type PartWriter = {
  readonly write: (line: string) => Promise<void>;
  /** Completes the last part. Returns all parts; none if nothing was written. */
  readonly end: () => Promise<readonly BulkPart[]>;
  /** Removes what is not complete. */
  readonly abort: () => Promise<void>;
};

/** `nameOf` names the parts, which are numbered from 1. `header` is the first line of each. */
export function openPartWriter(
  folder: string,
  nameOf: (part: number) => string,
  { header, unpackedBytesMax }: { readonly header: string; readonly unpackedBytesMax: number },
): PartWriter {
  const parts: BulkPart[] = [];
  let current: GzipFile | undefined;
  let pending: string[] = [];
  let pendingLength = 0;

  async function flush(): Promise<void> {
    const text = pending.join("");
    pending = [];
    pendingLength = 0;
    if (text !== "") await current?.write(text);
  }

  async function endPart(): Promise<void> {
    await flush();
    if (current) parts.push(await current.end());
    current = undefined;
  }

  return {
    write: async (line) => {
      const bytes = Buffer.byteLength(line);
      if (current && current.unpackedBytes() + bytes > unpackedBytesMax) await endPart();
      current ??= await openGzipFile(folder, nameOf(parts.length + 1), header);
      current.count(bytes);
      pending.push(line);
      pendingLength += line.length;
      if (pendingLength >= CHUNK_LENGTH) await flush();
    },
    end: async () => {
      await endPart();
      return parts;
    },
    abort: async () => current?.abort(),
  };
}

type GzipFile = {
  /** Counts a line that is about to be written. */
  readonly count: (bytes: number) => void;
  readonly unpackedBytes: () => number;
  readonly write: (text: string) => Promise<void>;
  readonly end: () => Promise<BulkPart>;
  readonly abort: () => Promise<void>;
};

/** A file that is renamed to its name only once it is complete and on disk. */
async function openGzipFile(folder: string, name: string, header: string): Promise<GzipFile> {
  const path = join(folder, name);
  const handle = await openPublicFile(path + TEMPORARY);
  const output = openHashedOutput(handle);
  let unpackedBytes = Buffer.byteLength(header);
  let lines = 0;
  if (header !== "") await gzipAll(header, output.write);
  const head = { bytes: output.bytes(), unpackedBytes };
  const gzip = openGzip(output.write);
  return {
    count: (bytes) => {
      unpackedBytes += bytes;
      lines++;
    },
    unpackedBytes: () => unpackedBytes,
    write: gzip.write,
    end: async () => {
      await gzip.end();
      await handle.sync();
      await handle.close();
      await rename(path + TEMPORARY, path);
      return { name, bytes: output.bytes(), unpackedBytes, lines, sha256: output.sha256(), head };
    },
    abort: async () => {
      await handle.close();
      await rm(path + TEMPORARY, { force: true });
    },
  };
}

type WriteBytes = (bytes: Buffer) => Promise<void>;

function openHashedOutput(handle: FileHandle) {
  const hash = createHash("sha256");
  let bytes = 0;
  return {
    write: async (chunk: Buffer) => {
      hash.update(chunk);
      bytes += chunk.length;
      await handle.writeFile(chunk);
    },
    bytes: () => bytes,
    sha256: () => hash.digest("hex"),
  };
}

/** Level 5 takes half the time of the default and makes files of nearly the same size. */
const newGzip = (): Gzip => createGzip({ level: 5, strategy: constants.Z_DEFAULT_STRATEGY });

/** A gzip member that is written piece by piece. */
function openGzip(write: WriteBytes) {
  const gzip = newGzip();
  let written = Promise.resolve();
  gzip.on("data", (chunk: Buffer) => {
    written = written.then(() => write(chunk));
    // A failure is thrown by the next write, which waits for this one.
    written.catch(() => {});
  });
  return {
    write: async (text: string) => {
      if (!gzip.write(text)) await once(gzip, "drain");
      await written;
    },
    end: async () => {
      const ended = once(gzip, "end");
      gzip.end();
      await ended;
      await written;
    },
  };
}

async function gzipAll(text: string, write: WriteBytes): Promise<void> {
  const gzip = openGzip(write);
  await gzip.write(text);
  await gzip.end();
}

/** A file of several months: their members after one header. gzip allows that, so nothing is compressed again. */
export async function joinParts(folder: string, name: string, sources: readonly BulkPart[]): Promise<BulkPart> {
  const path = join(folder, name);
  const handle = await openPublicFile(path + TEMPORARY);
  const output = openHashedOutput(handle);
  let [unpackedBytes, lines] = [0, 0];
  try {
    for (const [i, source] of sources.entries()) {
      const start = i === 0 ? 0 : source.head.bytes;
      const input = await open(join(folder, source.name));
      for await (const chunk of input.createReadStream({ start })) await output.write(chunk);
      unpackedBytes += source.unpackedBytes - (i === 0 ? 0 : source.head.unpackedBytes);
      lines += source.lines;
    }
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(path + TEMPORARY, path);
  const head = sources[0]?.head ?? { bytes: 0, unpackedBytes: 0 };
  return { name, bytes: output.bytes(), unpackedBytes, lines, sha256: output.sha256(), head };
}
