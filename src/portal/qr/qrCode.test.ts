import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type QrCode, qrCodeOf } from "./qrCode.ts";
import { formatBits, lengthBitsOf, MASKS, QR_VERSIONS, type QrVersion, versionBits } from "./qrLayout.ts";
import { penaltyOf } from "./qrPenalty.ts";
import { qrSvgOf } from "./qrSvg.ts";
import { errorCorrectionOf, multiply } from "./reedSolomon.ts";

const bits = (value: number, length: number) => value.toString(2).padStart(length, "0");

describe("the tables of QR codes", () => {
  it("have the error correction that the standard gives as an example", () => {
    // The data of "HELLO WORLD" in version 1, level M.
    const data = Uint8Array.of(32, 91, 11, 120, 209, 114, 220, 77, 67, 64, 236, 17, 236, 17, 236, 17);
    assert.deepEqual([...errorCorrectionOf(data, 10)], [196, 35, 39, 119, 235, 215, 231, 226, 93, 23]);
    // Annex I of ISO/IEC 18004: "01234567" in version 1, level M.
    const annex = Uint8Array.of(16, 32, 12, 86, 97, 128, 236, 17, 236, 17, 236, 17, 236, 17, 236, 17);
    assert.deepEqual([...errorCorrectionOf(annex, 10)], [165, 36, 212, 193, 237, 54, 199, 135, 44, 85]);
  });

  it("have the bits of formats and versions that the standard lists", () => {
    assert.deepEqual(
      MASKS.map((_, mask) => bits(formatBits(mask), 15)),
      [
        "101010000010010",
        "101000100100101",
        "101111001111100",
        "101101101001011",
        "100010111111001",
        "100000011001110",
        "100111110010111",
        "100101010100000",
      ],
    );
    assert.equal(bits(versionBits(7), 18), "000111110010010100");
    assert.equal(bits(versionBits(10), 18), "001010010011010011");
  });

  it("fill each symbol: as many codewords as it has space for", () => {
    const totals = QR_VERSIONS.map(({ blocks, correctionLength }) =>
      blocks.reduce((sum, { count, dataLength }) => sum + count * (dataLength + correctionLength), 0),
    );
    assert.deepEqual(totals, [26, 44, 70, 100, 134, 172, 196, 242, 292, 346]);
  });
});

/** A reader of symbols, written independently of the writer: it finds the fixed modules by the geometry of the standard. */
function read(code: QrCode): string {
  const { size, modules } = code;
  const at = (row: number, column: number) => modules[row * size + column] ?? 0;
  const version = QR_VERSIONS[(size - 17) / 4 - 1]!;
  const format = [0, 1, 2, 3, 4, 5, 7, 8]
    .map((column) => at(8, column))
    .concat([7, 5, 4, 3, 2, 1, 0].map((row) => at(row, 8)));
  const copy = [1, 2, 3, 4, 5, 6, 7]
    .map((i) => at(size - i, 8))
    .concat([8, 7, 6, 5, 4, 3, 2, 1].map((i) => at(8, size - i)));
  assert.deepEqual(copy, format, "both copies of the format agree");
  const unmasked = Number.parseInt(format.join(""), 2) ^ 0b101010000010010;
  assert.equal(unmasked >> 13, 0b00, "level M");
  const isInverted = MASKS[(unmasked >> 10) & 7]!;
  const stream: number[] = [];
  let column = size - 1;
  for (let pair = 0; column > 0; pair++, column -= 2) {
    if (column === 6) column = 5;
    for (let i = 0; i < size; i++) {
      const row = pair % 2 === 0 ? size - 1 - i : i;
      for (const x of [column, column - 1])
        if (!isReserved(version, size, row, x)) stream.push(at(row, x) ^ Number(isInverted(row, x)));
    }
  }
  return textOf(version, stream);
}

function isReserved({ number, alignment }: QrVersion, size: number, row: number, column: number): boolean {
  const isCorner = (row < 9 && (column < 9 || column >= size - 8)) || (row >= size - 8 && column < 9);
  const isTiming = row === 6 || column === 6;
  const isVersion = number >= 7 && ((row < 6 && column >= size - 11) || (column < 6 && row >= size - 11));
  const end = alignment.at(-1);
  const isAligning = alignment.some((y) =>
    alignment.some((x) => {
      const isFinder = (y === 6 && x === 6) || (y === 6 && x === end) || (y === end && x === 6);
      return !isFinder && Math.abs(row - y) <= 2 && Math.abs(column - x) <= 2;
    }),
  );
  return isCorner || isTiming || isVersion || isAligning;
}

function textOf(version: QrVersion, stream: readonly number[]): string {
  const codewords = Array.from({ length: Math.floor(stream.length / 8) }, (_, i) =>
    Number.parseInt(stream.slice(8 * i, 8 * i + 8).join(""), 2),
  );
  const lengths = version.blocks.flatMap(({ count, dataLength }) => Array.from({ length: count }, () => dataLength));
  const blocks = lengths.map((): number[] => []);
  let next = 0;
  for (let i = 0; i < Math.max(...lengths); i++)
    blocks.forEach((block, b) => {
      if (i < lengths[b]!) block.push(codewords[next++]!);
    });
  const data = blocks.map((block) => [...block]);
  for (let i = 0; i < version.correctionLength; i++) for (const block of blocks) block.push(codewords[next++]!);
  for (const block of blocks) assertSyndromesAreZero(block, version.correctionLength);
  const text = data
    .flat()
    .map((byte) => bits(byte, 8))
    .join("");
  assert.equal(text.slice(0, 4), "0100", "byte mode");
  const start = 4 + lengthBitsOf(version);
  const length = Number.parseInt(text.slice(4, start), 2);
  return Buffer.from(
    Array.from({ length }, (_, i) => Number.parseInt(text.slice(start + 8 * i, start + 8 * i + 8), 2)),
  ).toString();
}

/** A block is right if it is divisible by the generator: if every power of 2 up to its degree is a root. */
function assertSyndromesAreZero(block: readonly number[], degree: number): void {
  for (let i = 0, root = 1; i < degree; i++, root = multiply(root, 2))
    assert.equal(
      block.reduce((sum, coefficient) => multiply(sum, root) ^ coefficient, 0),
      0,
    );
}

describe("a QR code", () => {
  it("is read as the text that it was made of, in every version", () => {
    const seen = new Set<number>();
    for (let length = 0; length <= 213; length++) {
      const text = "https://tenders.example/tenders/".repeat(7).slice(0, length);
      const code = qrCodeOf(text)!;
      seen.add(code.version);
      assert.equal(read(code), text);
    }
    assert.deepEqual([...seen], [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    assert.equal(read(qrCodeOf("Закупівля № 1")!), "Закупівля № 1");
  });

  it("is as small as the capacities of the standard allow", () => {
    const capacities = [14, 26, 42, 62, 84, 106, 122, 152, 180, 213];
    const versions = (lengths: readonly number[]) => lengths.map((length) => qrCodeOf("x".repeat(length))?.version);
    assert.deepEqual(versions(capacities), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    assert.deepEqual(versions(capacities.map((capacity) => capacity + 1)), [2, 3, 4, 5, 6, 7, 8, 9, 10, undefined]);
    assert.equal(qrSvgOf("x".repeat(214)), undefined);
  });

  it("has finder patterns in three corners, timing patterns and the dark module", () => {
    const { modules, size } = qrCodeOf("https://tenders.example")!;
    const row = (y: number) => [...modules.subarray(y * size, (y + 1) * size)].join("");
    assert.ok(row(0).startsWith("11111110") && row(0).endsWith("01111111"));
    assert.ok(row(3).startsWith("10111010") && row(3).endsWith("01011101"));
    assert.ok(row(size - 1).startsWith("11111110"));
    assert.equal(row(6).slice(6, size - 6), "10".repeat((size - 12) / 2) + "1");
    assert.equal(modules[(size - 8) * size + 8], 1);
  });

  it("has the mask with the lowest penalty", () => {
    // A plain field: runs of 5 and more in each line, all squares, and 100 percent of one colour.
    const size = 21;
    const lines = 2 * size * (3 + (size - 5));
    assert.equal(penaltyOf(new Uint8Array(size * size), size), lines + 3 * (size - 1) ** 2 + 100);
    // A chessboard has no run and no square; its balance is within five percent.
    assert.equal(
      penaltyOf(
        Uint8Array.from({ length: size * size }, (_, i) => i % 2),
        size,
      ),
      0,
    );
    const finder = new Uint8Array(size * size).fill(0);
    finder.set([1, 0, 1, 1, 1, 0, 1], 5);
    const without = new Uint8Array(size * size).fill(0);
    without.set([1, 0, 1, 1, 0, 1, 1], 5);
    // Four light modules on both sides count twice. The runs of one and three columns make up the rest.
    assert.ok(penaltyOf(finder, size) - penaltyOf(without, size) >= 80);
  });

  it("is drawn as an SVG with a light border", () => {
    const svg = qrSvgOf("https://tenders.example")!;
    const { size, modules } = qrCodeOf("https://tenders.example")!;
    assert.match(svg, new RegExp(`^<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size + 8} ${size + 8}"`));
    const drawn = new Uint8Array(size * size);
    for (const [, x = "", y = "", length = ""] of svg.matchAll(/M(\d+) (\d+)h(\d+)v1h-\d+z/g))
      drawn.fill(1, (Number(y) - 4) * size + Number(x) - 4, (Number(y) - 4) * size + Number(x) - 4 + Number(length));
    assert.deepEqual(drawn, modules);
  });
});
