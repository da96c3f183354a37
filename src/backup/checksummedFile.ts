import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { writeFileAtomically } from "./atomicFile.ts";

/**
 * Checksummed files: JSON lines of which the first is a header that describes the others, and the last has their number and the
 * SHA-256 of everything before it, so that truncation and alteration are detected.
 */

/** The first line. */
export type ChecksummedHeader = {
  readonly tenderhall: 1;
  readonly holds: "ledger" | "files";
  /** The file is about the rows `after + 1` to `upTo` of the ledger. */
  readonly after: number;
  readonly upTo: number;
  /** The fingerprint of row `after`, which identifies the history that the file continues. */
  readonly follows: string | null;
  readonly secrets?: { readonly [name: string]: string };
};

/** The last line. `lines` does not count the first and the last. */
export type FileChecksum = { readonly lines: number; readonly sha256: string };

const LINE_BYTES_MAX = 256 * 1024 * 1024;

/** Yields the text of a checksummed file; returns its checksum. */
export async function* checksummedLines(
  header: ChecksummedHeader,
  lines: AsyncIterable<string>,
): AsyncGenerator<string, FileChecksum> {
  const hash = createHash("sha256");
  let count = 0;
  const hashedLine = (line: string) => {
    hash.update(line).update("\n");
    return `${line}\n`;
  };
  yield hashedLine(JSON.stringify(header));
  for await (const line of lines) {
    if (line.includes("\n")) throw new Error("a row of the ledger contains a line break: the database is damaged");
    count += 1;
    yield hashedLine(line);
  }
  const checksum: FileChecksum = { lines: count, sha256: hash.digest("hex") };
  yield `${JSON.stringify(checksum)}\n`;
  return checksum;
}

/** Writes the texts of `checksummedLines` to a file atomically, and returns the checksum. */
export async function writeChecksummedFile(
  path: string,
  texts: AsyncGenerator<string, FileChecksum>,
): Promise<FileChecksum> {
  let checksum: FileChecksum | undefined;
  async function* capturing() {
    checksum = yield* texts;
  }
  await writeFileAtomically(path, capturing());
  if (!checksum) throw new Error(`${path} was not written completely`);
  return checksum;
}

/** A file that was verified. `lines` does not count the first and the last. */
export type ChecksummedFile = { readonly header: ChecksummedHeader; readonly lines: number; readonly sha256: string };

/** Reads the whole file and verifies its checksum. Throws if it is damaged, incomplete or of another kind. */
export async function verifyChecksummedFile(path: string, holds: ChecksummedHeader["holds"]): Promise<ChecksummedFile> {
  const hash = createHash("sha256");
  let header: ChecksummedHeader | undefined;
  let last: Buffer | undefined;
  let count = 0;
  for await (const line of readLineBuffers(path)) {
    header ??= headerOf(path, line, holds);
    if (last) hash.update(last).update("\n");
    last = line;
    count += 1;
  }
  if (!header || !last) throw new Error(`${path} is empty`);
  const checksum = parseLine<FileChecksum>(last);
  if (typeof checksum?.sha256 !== "string") throw new Error(`${path} is truncated: its last line is missing`);
  const lines = count - 2;
  const isIntact = checksum.lines === lines && checksum.sha256 === hash.digest("hex");
  if (!isIntact) throw new Error(`${path} is truncated, altered or damaged`);
  return { header, lines, sha256: checksum.sha256 };
}

/** The lines between the first and the last. Does not verify the checksum. */
export async function* readLines(path: string): AsyncGenerator<string> {
  let isFirst = true;
  let last: Buffer | undefined;
  for await (const line of readLineBuffers(path)) {
    if (last) yield last.toString();
    if (!isFirst) last = line;
    isFirst = false;
  }
}

function headerOf(path: string, line: Buffer, holds: ChecksummedHeader["holds"]): ChecksummedHeader {
  const header = parseLine<ChecksummedHeader>(line);
  if (header?.tenderhall !== undefined && header.tenderhall !== 1)
    throw new Error(`${path} was written by a newer Tenderhall: update the program`);
  const isKnown =
    header?.tenderhall === 1 &&
    header.holds === holds &&
    Number.isSafeInteger(header.after) &&
    Number.isSafeInteger(header.upTo);
  if (!isKnown) throw new Error(`${path} is not a Tenderhall file of kind "${holds}"`);
  // What writes these four properties also writes `follows`.
  return header as ChecksummedHeader;
}

/** The properties of a line, of which any may be missing from a damaged file. */
function parseLine<Properties>(line: Buffer): Partial<Properties> | undefined {
  try {
    return JSON.parse(line.toString());
  } catch {
    return undefined;
  }
}

/** Splits at line feeds only: texts may contain other line separators of Unicode. */
async function* readLineBuffers(path: string): AsyncGenerator<Buffer> {
  let rest: Buffer[] = [];
  let length = 0;
  // A stream without an encoding yields buffers.
  const chunks: AsyncIterable<Buffer> = createReadStream(path, { highWaterMark: 1 << 20 });
  for await (const chunk of chunks) {
    let from = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
      yield Buffer.concat([...rest, chunk.subarray(from, end)]);
      rest = [];
      length = 0;
      from = end + 1;
    }
    rest.push(chunk.subarray(from));
    length += chunk.length - from;
    if (length > LINE_BYTES_MAX) throw new Error(`${path} is not a Tenderhall file: it has a line without end`);
  }
  if (length > 0) throw new Error(`${path} is truncated in the middle of a line`);
}
