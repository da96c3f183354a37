import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { writeWhole } from "./wholeFile.ts";

/**
 * Lines of JSON in a file that cannot be cut or altered unnoticed: the first says what the others are, the last how many
 * they are and what all of it comes to.
 */

export type Header = {
  readonly tenderhall: 1;
  readonly holds: "ledger" | "files";
  /** Of which rows of the ledger: those after this one, up to that one. */
  readonly after: number;
  readonly upTo: number;
  /** The fingerprint of the row before the first: whose history it goes on. */
  readonly follows: string | null;
  readonly secrets?: { readonly [name: string]: string };
};

export type Seal = { readonly lines: number; readonly sha256: string };

const LINE_BYTES_MAX = 256 * 1024 * 1024;

/** Answers the seal. */
export async function* sealed(header: Header, lines: AsyncIterable<string>): AsyncGenerator<string, Seal> {
  const hash = createHash("sha256");
  let count = 0;
  const said = (line: string) => {
    hash.update(line).update("\n");
    return `${line}\n`;
  };
  yield said(JSON.stringify(header));
  for await (const line of lines) {
    if (line.includes("\n")) throw new Error("a row that should be one line is several: the database is damaged");
    count += 1;
    yield said(line);
  }
  const seal: Seal = { lines: count, sha256: hash.digest("hex") };
  yield `${JSON.stringify(seal)}\n`;
  return seal;
}

export async function writeSealed(path: string, texts: AsyncGenerator<string, Seal>): Promise<Seal> {
  let seal: Seal | undefined;
  async function* noting() {
    seal = yield* texts;
  }
  await writeWhole(path, noting());
  return seal!;
}

export type Checked = { readonly header: Header; readonly lines: number; readonly sha256: string };

/** Reads all of it once; throws where it is not as it was written. */
export async function checkSealed(path: string, holds: Header["holds"]): Promise<Checked> {
  const hash = createHash("sha256");
  let header: Header | undefined;
  let last: Buffer | undefined;
  let count = 0;
  for await (const line of buffersIn(path)) {
    header ??= headerOf(path, line, holds);
    if (last) hash.update(last).update("\n");
    last = line;
    count += 1;
  }
  if (!header) throw new Error(`${path} is empty`);
  const seal = parsed(last!) as Partial<Seal> | undefined;
  if (typeof seal?.sha256 !== "string") throw new Error(`${path} is cut off: its last line is missing`);
  const lines = count - 2;
  const isWhole = seal.lines === lines && seal.sha256 === hash.digest("hex");
  if (!isWhole) throw new Error(`${path} is not as it was written: cut off, altered, or damaged on its way`);
  return { header, lines, sha256: seal.sha256 };
}

/** The lines between the first and the last. */
export async function* linesIn(path: string): AsyncGenerator<string> {
  let isFirst = true;
  let last: Buffer | undefined;
  for await (const line of buffersIn(path)) {
    if (last) yield last.toString();
    if (!isFirst) last = line;
    isFirst = false;
  }
}

function headerOf(path: string, line: Buffer, holds: Header["holds"]): Header {
  const header = parsed(line) as Partial<Header> | undefined;
  if (header?.tenderhall !== undefined && header.tenderhall !== 1)
    throw new Error(`${path} was written by a newer Tenderhall: update the program`);
  const isKnown =
    header?.tenderhall === 1 &&
    header.holds === holds &&
    Number.isSafeInteger(header.after) &&
    Number.isSafeInteger(header.upTo);
  if (!isKnown) throw new Error(`${path} is not a file of Tenderhall with its ${holds}`);
  return header as Header;
}

function parsed(line: Buffer): object | undefined {
  try {
    return JSON.parse(line.toString());
  } catch {
    return undefined;
  }
}

/** Only a line feed ends a line: texts hold whatever else could. */
async function* buffersIn(path: string): AsyncGenerator<Buffer> {
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
