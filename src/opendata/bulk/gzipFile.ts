import { createHash } from "node:crypto";
import { once } from "node:events";
import { type FileHandle, open, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { constants, createGzip } from "node:zlib";
import { TEMPORARY } from "./completeFiles.ts";

/** A finished file. Sizes are in bytes. */
export type BulkPart = {
  readonly name: string;
  readonly bytes: number;
  readonly unpackedBytes: number;
  /** Without the header. */
  readonly lines: number;
  readonly sha256: string;
  /** The first gzip member of a file with a header: the header and the first lines. Without a header there is none. */
  readonly head: { readonly bytes: number; readonly unpackedBytes: number };
  /** When the file was written, as the file system has it. It tells whether the file is the one that this describes. */
  readonly modifiedMs: number;
};

/** A file of gzip members, under a temporary name. */
export type GzipFile = {
  /** The compressed bytes so far. */
  readonly bytes: () => number;
  /** Begins a member. The one before must have ended. */
  readonly openMember: () => GzipMember;
  /** Adds bytes that are compressed already. */
  readonly append: (bytes: Buffer) => Promise<void>;
  /** Writes the file to disk. It gets its name by `publishFile`. */
  readonly end: () => Promise<Pick<BulkPart, "name" | "bytes" | "sha256" | "modifiedMs">>;
  /** Removes the file. */
  readonly abort: () => Promise<void>;
};

export type GzipMember = {
  /** The bytes must not change before the promise is resolved. */
  readonly write: (bytes: Buffer) => Promise<void>;
  readonly end: () => Promise<void>;
};

export async function openGzipFile(folder: string, name: string): Promise<GzipFile> {
  const path = join(folder, name + TEMPORARY);
  const handle = await open(path, "w");
  const output = openHashedOutput(handle);
  return {
    bytes: output.bytes,
    openMember: () => openGzipMember(output.write),
    append: output.write,
    end: async () => {
      try {
        await handle.sync();
        const { mtimeMs: modifiedMs } = await handle.stat();
        return { name, bytes: output.bytes(), sha256: output.sha256(), modifiedMs };
      } finally {
        await handle.close();
      }
    },
    abort: async () => {
      await handle.close();
      await rm(path, { force: true });
    },
  };
}

/** Gives a complete file its name, in place of an earlier one. */
export const publishFile = (folder: string, { name }: Pick<BulkPart, "name">): Promise<void> =>
  rename(join(folder, name + TEMPORARY), join(folder, name));

/** Opens a file to read if it is the one that is described; undefined if it was replaced or removed. */
export async function openPart(
  folder: string,
  { name, bytes, modifiedMs }: Pick<BulkPart, "name" | "bytes" | "modifiedMs">,
): Promise<FileHandle | undefined> {
  const handle = await open(join(folder, name)).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
  });
  if (!handle) return undefined;
  const { size, mtimeMs } = await handle.stat();
  if (size === bytes && mtimeMs === modifiedMs) return handle;
  await handle.close();
  return undefined;
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

/** The default level: of these texts, it takes no longer than the level below and makes smaller files. */
const GZIP_OPTIONS = { level: constants.Z_DEFAULT_COMPRESSION, chunkSize: 32 * 1024 };

function openGzipMember(write: WriteBytes): GzipMember {
  const gzip = createGzip(GZIP_OPTIONS);
  let written = Promise.resolve();
  gzip.on("data", (chunk: Buffer) => {
    written = written.then(() => write(chunk));
    // A failure is thrown by the next write, which waits for this one.
    written.catch(() => {});
  });
  return {
    write: async (bytes) => {
      await new Promise<void>((resolve, reject) => {
        gzip.write(bytes, (error) => (error ? reject(error) : resolve()));
      });
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
