import { type BulkPart, type GzipFile, type GzipMember, openGzipFile } from "./gzipFile.ts";

/** Writes numbered parts: lines go to the next part when the current one has reached the limit. */
export type PartWriter = {
  /** Adds a line. Returns a promise if that takes time; the next line must wait for it. */
  readonly write: (line: string) => Promise<void> | undefined;
  /** Completes the last part. Returns all parts, which still have temporary names; none if nothing was written. */
  readonly end: () => Promise<readonly BulkPart[]>;
  /** Removes the part that is not complete. */
  readonly abort: () => Promise<void>;
};

export type PartSettings = {
  readonly folder: string;
  /** The name of a part, which are numbered from 1. */
  readonly nameOf: (part: number) => string;
  /** The first line of each part; empty if they have none. */
  readonly header: string;
  /** The largest size of a part when it is unpacked. A line that is larger gets a part of its own. */
  readonly unpackedBytesMax: number;
};

/** Lines are compressed in chunks of this size. */
const CHUNK_BYTES = 128 * 1024;
/** Chunks to use again: each new one brings the next garbage collection closer, and every month needs some for each of its files. */
const freeChunks: Buffer[] = [];
const FREE_CHUNKS_MAX = 32;

const takeChunk = (): Buffer => freeChunks.pop() ?? Buffer.allocUnsafeSlow(CHUNK_BYTES);
function returnChunks(...chunks: readonly Buffer[]): void {
  if (freeChunks.length + chunks.length <= FREE_CHUNKS_MAX) freeChunks.push(...chunks);
}

/** The most bytes of UTF-8 for a UTF-16 code unit. */
const BYTES_PER_UNIT_MAX = 3;

export function openPartWriter({ folder, nameOf, header, unpackedBytesMax }: PartSettings): PartWriter {
  const parts: BulkPart[] = [];
  let current: LineFile | undefined;
  let chunk = takeChunk();
  /** Filled while the other one is compressed. */
  let spare = takeChunk();
  let used = 0;
  let lines = 0;
  let unpackedBytes = 0;

  async function writeChunk(bytes: Buffer): Promise<void> {
    current ??= await openLineFile(folder, nameOf(parts.length + 1), header !== "");
    await current.write(bytes);
  }

  async function flush(): Promise<void> {
    if (used === 0) return;
    await writeChunk(chunk.subarray(0, used));
    [chunk, spare] = [spare, chunk];
    used = 0;
  }

  async function endPart(): Promise<void> {
    await flush();
    if (current) parts.push({ ...(await current.end()), unpackedBytes, lines });
    current = undefined;
    [unpackedBytes, lines] = [0, 0];
  }

  async function writeBytes(bytes: Buffer): Promise<void> {
    if (lines > 0 && unpackedBytes + bytes.length > unpackedBytesMax) await endPart();
    if (lines === 0) add(header);
    else if (used + bytes.length > CHUNK_BYTES) await flush();
    if (used + bytes.length > CHUNK_BYTES) {
      await writeChunk(Buffer.concat([chunk.subarray(0, used), bytes]));
      used = 0;
    } else {
      bytes.copy(chunk, used);
      used += bytes.length;
    }
    unpackedBytes += bytes.length;
    lines++;
  }

  /** Adds a text for which there is room. */
  function add(text: string): void {
    const bytes = chunk.write(text, used);
    used += bytes;
    unpackedBytes += bytes;
  }

  return {
    write: (line) => {
      const bytesMax = line.length * BYTES_PER_UNIT_MAX;
      // Nearly all lines fit. To know their exact size, they would have to be encoded twice.
      const fits = used + bytesMax <= CHUNK_BYTES && unpackedBytes + bytesMax <= unpackedBytesMax;
      if (lines === 0 || !fits) return writeBytes(Buffer.from(line));
      add(line);
      lines++;
      return undefined;
    },
    end: async () => {
      await endPart();
      returnChunks(chunk, spare);
      return parts;
    },
    abort: async () => current?.abort(),
  };
}

type LineFile = {
  /** Compresses a chunk while the next one is filled: waits only for the chunk before. */
  readonly write: (bytes: Buffer) => Promise<void>;
  readonly end: () => Promise<Omit<BulkPart, "unpackedBytes" | "lines">>;
  readonly abort: () => Promise<void>;
};

const NO_HEAD: BulkPart["head"] = { bytes: 0, unpackedBytes: 0 };

/** With a header, the first chunk is a gzip member of its own: taking the header off does not mean to compress everything again. */
async function openLineFile(folder: string, name: string, hasHeader: boolean): Promise<LineFile> {
  const file: GzipFile = await openGzipFile(folder, name);
  let head = hasHeader ? undefined : NO_HEAD;
  let member: GzipMember | undefined;
  let written = Promise.resolve();
  async function writeHead(bytes: Buffer): Promise<void> {
    const first = file.openMember();
    await first.write(bytes);
    await first.end();
    head = { bytes: file.bytes(), unpackedBytes: bytes.length };
  }
  return {
    write: async (bytes) => {
      await written;
      if (!head) return writeHead(bytes);
      member ??= file.openMember();
      written = member.write(bytes);
      // The next write waits for it, and throws what went wrong.
      written.catch(() => {});
    },
    end: async () => {
      await written;
      await member?.end();
      return { ...(await file.end()), head: head ?? NO_HEAD };
    },
    abort: async () => {
      await written.catch(() => {});
      await file.abort();
    },
  };
}
