import type { Readable } from "node:stream";
import { errorCode } from "../base/errors.ts";

/** A received file. `size` is in bytes; the hashes are lower-case hexadecimal. */
export type FileRecord = {
  readonly key: string;
  readonly size: number;
  readonly sha256: string;
  readonly md5: string;
};

/** The metadata of an upload that waits until a document refers to it. `at` is in microseconds since the epoch. */
export type UploadRecord = FileRecord & { readonly title: string; readonly format: string; readonly at: number };

/** A range of bytes; both ends are inclusive. */
export type ByteRange = { readonly start: number; readonly end: number };

/** How long a link is valid, and the headers Content-Disposition and Content-Type of the download. */
export type LinkOptions = { readonly seconds: number; readonly disposition: string; readonly format: string };

/** Whether the error means that the file store has no space. Nothing of the file is left, and it may be sent again. */
export const isFull = (error: unknown): boolean => ["ENOSPC", "EDQUOT"].includes(errorCode(error) ?? "");

/**
 * The store of document files. A file is received first; it is kept once a stored document refers to it, or discarded. An upload of
 * the document service waits in between. A key is 32 lower-case hexadecimal digits; all methods throw for any other.
 */
export type Files = {
  /**
   * Stores and hashes a stream under the given key. Resolves once the bytes are durable, or with "too large" past `sizeMax` bytes;
   * rejects if the source fails. In both cases nothing is left behind. Of concurrent calls with one key, at least one is rejected.
   */
  receive(key: string, source: Readable, sizeMax: number): Promise<FileRecord | "too large">;

  /** Makes a file permanent, once the change that refers to it is durable. Idempotent. */
  keep(key: string): Promise<void>;

  /**
   * Marks a received file as an upload that waits for a document to refer to it; a sweep leaves it alone. Durable when it resolves.
   * Afterwards it is kept or discarded like any other.
   */
  wait(upload: UploadRecord): Promise<void>;

  /** The metadata of a file that waits, or that waited before it was kept. */
  findUpload(key: string): Promise<UploadRecord | undefined>;

  /** The keys of uploads that have been waiting since `at` (microseconds) or longer. */
  waitingSince(at: number): Promise<readonly string[]>;

  /** Removes a file whose change was refused. Idempotent; has no effect on a file that is kept. */
  discard(key: string): Promise<void>;

  /** Opens a file, or `undefined`. `size` is that of the whole file, whatever the range. The stream must be read to its end or destroyed. */
  open(key: string, range?: ByteRange): Promise<{ readonly stream: Readable; readonly size: number } | undefined>;

  /** A URL from which anyone may download the file directly for some time; `undefined` if the store has no such URLs. */
  link(key: string, options: LinkOptions): Promise<string | undefined>;

  /**
   * Cleans up after crashes: keeps received files whose change is durable (`hasRecord`), and removes other received and incomplete
   * ones. Files touched at `receivedBefore` (milliseconds since the epoch) or later are left alone, because another server may be
   * receiving them; a single server passes `Infinity` before it starts receiving. Returns how many files it kept and removed.
   */
  sweep(
    hasRecord: (keys: readonly string[]) => Promise<ReadonlySet<string>>,
    receivedBefore: number,
  ): Promise<{ readonly kept: number; readonly removed: number }>;

  /** Accesses the store; rejects if that fails. */
  ping(): Promise<void>;
};
