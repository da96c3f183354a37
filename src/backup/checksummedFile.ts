import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { writeFileAtomically } from "./atomicFile.ts";

/**
 * Lines of JSON in a file that cannot be cut or altered unnoticed: the first says what the others are, the last how many
 * they are and what all of it comes to.
 */

export type ChecksummedHeader = {
  readonly tenderhall: 1;
  readonly holds: "ledger" | "files";
  /** Of which rows of the ledger: those after this one, up to that one. */
  readonly after: number;
  readonly upTo: number;
  /** The fingerprint of the row before the first: whose history it goes on. */
  readonly follows: string | null;
  readonly secrets?: { readonly [name: string]: string };
};

export type FileChecksum = { readonly lines: number; readonly sha256: string };

const LINE_BYTES_MAX = 256 * 1024 * 1024;

/** Answers the seal. */
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
    if (line.includes("\n")) throw new Error("a row that should be one line is several: the database is damaged");
    count += 1;
    yield hashedLine(line);
  }
  const checksum: FileChecksum = { lines: count, sha256: hash.digest("hex") };
  yield `${JSON.stringify(checksum)}\n`;
  return checksum;
}

export async function writeChecksummedFile(
  path: string,
  texts: AsyncGenerator<string, FileChecksum>,
): Promise<FileChecksum> {
  let checksum: FileChecksum | undefined;
  async function* capturing() {
    checksum = yield* texts;
  }
  await writeFileAtomically(path, capturing());
  return checksum!;
}

export type ChecksummedFile = { readonly header: ChecksummedHeader; readonly lines: number; readonly sha256: string };

/** Reads all of it once; throws where it is not as it was written. */
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
  if (!header) throw new Error(`${path} is empty`);
  const checksum = parseLine(last!) as Partial<FileChecksum> | undefined;
  if (typeof checksum?.sha256 !== "string") throw new Error(`${path} is cut off: its last line is missing`);
  const lines = count - 2;
  const isIntact = checksum.lines === lines && checksum.sha256 === hash.digest("hex");
  if (!isIntact) throw new Error(`${path} is not as it was written: cut off, altered, or damaged on its way`);
  return { header, lines, sha256: checksum.sha256 };
}

/** The lines between the first and the last. */
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
  const header = parseLine(line) as Partial<ChecksummedHeader> | undefined;
  if (header?.tenderhall !== undefined && header.tenderhall !== 1)
    throw new Error(`${path} was written by a newer Tenderhall: update the program`);
  const isKnown =
    header?.tenderhall === 1 &&
    header.holds === holds &&
    Number.isSafeInteger(header.after) &&
    Number.isSafeInteger(header.upTo);
  if (!isKnown) throw new Error(`${path} is not a file of Tenderhall with its ${holds}`);
  return header as ChecksummedHeader;
}

function parseLine(line: Buffer): object | undefined {
  try {
    return JSON.parse(line.toString());
  } catch {
    return undefined;
  }
}

/** Only a line feed ends a line: texts hold whatever else could. */
async function* readLineBuffers(path: string): AsyncGenerator<Buffer> {
  let rest: Buffer[] = [];
  let length = 0;
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 }) as AsyncIterable<Buffer>) {
    let from = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
      yield Buffer.concat([...rest, chunk.subarray(from, end)]);
      rest = [];
      length = 0;
      from = end + 1;
    }
    rest.push(chunk.subarray(from));
    length += chunk.length - from;
    if (length > LINE_BYTES_MAX) throw new Error(`${path} is not a file of Tenderhall: a line of it has no end`);
  }
  if (length > 0) throw new Error(`${path} is cut off in the middle of a line`);
}
