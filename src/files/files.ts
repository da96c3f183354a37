import type { Readable } from "node:stream";

/** Both hashes are lower-case hexadecimal. */
export type FileRecord = {
  readonly key: string;
  readonly size: number;
  readonly sha256: string;
  readonly md5: string;
};

/** What came with a file that waits for a document to name it; `at` is in microseconds since the epoch. */
export type UploadRecord = FileRecord & { readonly title: string; readonly format: string; readonly at: number };

/** Both ends are inclusive. */
export type ByteRange = { readonly start: number; readonly end: number };

/** How a file is presented to whoever follows a link to it. */
export type LinkOptions = { readonly seconds: number; readonly disposition: string; readonly format: string };

/** The place of files has no room for one. Nothing of it is left there, and it may be sent again. */
export const isFull = (error: unknown): boolean =>
  ["ENOSPC", "EDQUOT"].includes((error as NodeJS.ErrnoException | undefined)?.code ?? "");

/** Where the contents of documents live. A key is 32 lower-case hexadecimal digits; any other is refused by a throw. */
export type Files = {
  /**
   * Streams to the store while hashing; the bytes are durable when it resolves, under the key chosen by the caller.
   * Past `sizeMax` it answers "too large", and it rejects if the source fails; either way nothing is left behind.
   * Two under one key at once never mix: one of them at least is refused.
   */
  receive(key: string, source: Readable, sizeMax: number): Promise<FileRecord | "too large">;

  /** Called once the record that names the file is durable. Idempotent. */
  keep(key: string): Promise<void>;

  /**
   * A received file waits for a document that will name it later, and a start leaves it alone. Durable when it resolves.
   * From here it is kept or discarded as any other.
   */
  wait(upload: UploadRecord): Promise<void>;

  /** What came with a file that waits, or that waited before it was kept. */
  findUpload(key: string): Promise<UploadRecord | undefined>;

  /** The keys of what has been waiting since `at` or longer. */
  waitingSince(at: number): Promise<readonly string[]>;

  /** Called when the change that would have named the file was refused. Idempotent; a kept file stays. */
  discard(key: string): Promise<void>;

  /** `size` is that of the whole file, whatever the range. The stream must be read to its end or destroyed. */
  open(key: string, range?: ByteRange): Promise<{ readonly stream: Readable; readonly size: number } | undefined>;

  /** An address from which anyone may download for some seconds, past us; nothing where the files have none. */
  link(key: string, options: LinkOptions): Promise<string | undefined>;

  /**
   * Everything received that is neither kept nor waiting is either kept, if its record is durable, or removed, and so is
   * what is half-written. Answers how many of each. What was touched at `receivedBefore` (milliseconds since the epoch)
   * or later is left alone: another server may be receiving it. One that is alone says `Infinity`, before it receives.
   */
  sweep(
    hasRecord: (keys: readonly string[]) => Promise<ReadonlySet<string>>,
    receivedBefore: number,
  ): Promise<{ readonly kept: number; readonly removed: number }>;

  /** Asks the place itself; rejects when it cannot answer. */
  ping(): Promise<void>;
};
