import {
  dataLengthOf,
  formatBits,
  lengthBitsOf,
  MASKS,
  QR_VERSIONS,
  type QrVersion,
  sizeOf,
  versionBits,
} from "./qrLayout.ts";
import { penaltyOf } from "./qrPenalty.ts";
import { errorCorrectionOf } from "./reedSolomon.ts";

/** QR codes (ISO/IEC 18004) of short texts: byte mode, error correction level M, versions 1 to 10. */

/** A symbol. `modules` has a row after the other, 1 for dark. */
export type QrCode = {
  readonly version: number;
  readonly mask: number;
  /** Modules along a side. */
  readonly size: number;
  readonly modules: Uint8Array;
};

/** The QR code of a text in UTF-8, with the mask that is read best; undefined for more than 213 bytes. */
export function qrCodeOf(text: string): QrCode | undefined {
  const bytes = Buffer.from(text);
  const version = QR_VERSIONS.find(
    (candidate) => 4 + lengthBitsOf(candidate) + 8 * bytes.length <= 8 * dataLengthOf(candidate),
  );
  if (!version) return undefined;
  const size = sizeOf(version);
  const frame = drawFrame(version);
  const codewords = interleave(version, dataCodewords(version, bytes));
  let best: (QrCode & { readonly penalty: number }) | undefined;
  for (let mask = 0; mask < MASKS.length; mask++) {
    const modules = drawSymbol(frame, codewords, mask, size);
    const penalty = penaltyOf(modules, size);
    if (!best || penalty < best.penalty) best = { version: version.number, mask, size, modules, penalty };
  }
  return best;
}

/** The data codewords: mode, length, bytes, then padding. */
function dataCodewords(version: QrVersion, bytes: Uint8Array): Uint8Array {
  const codewords = new Uint8Array(dataLengthOf(version));
  let position = 0;
  const write = (value: number, bits: number): void => {
    for (let bit = bits - 1; bit >= 0; bit--, position++)
      if ((value >> bit) & 1) codewords[position >> 3] = (codewords[position >> 3] ?? 0) | (0x80 >> (position & 7));
  };
  write(0b0100, 4);
  write(bytes.length, lengthBitsOf(version));
  for (const byte of bytes) write(byte, 8);
  // The terminator is four zeros, or as many as there is space for; the rest of its byte is zero too.
  const used = Math.ceil(Math.min(position + 4, 8 * codewords.length) / 8);
  for (let i = used; i < codewords.length; i++) codewords[i] = (i - used) % 2 === 0 ? 0xec : 0x11;
  return codewords;
}

/** The codewords in the order of the symbol: the first of each block, the second of each, and so on; then the error correction. */
function interleave(version: QrVersion, data: Uint8Array): Uint8Array {
  const blocks: Uint8Array[] = [];
  let start = 0;
  for (const { count, dataLength } of version.blocks)
    for (let i = 0; i < count; i++, start += dataLength) blocks.push(data.subarray(start, start + dataLength));
  const corrections = blocks.map((block) => errorCorrectionOf(block, version.correctionLength));
  return Uint8Array.from([...byColumn(blocks), ...byColumn(corrections)]);
}

function byColumn(blocks: readonly Uint8Array[]): readonly number[] {
  const length = Math.max(...blocks.map((block) => block.length));
  return Array.from({ length }, (_, i) => blocks.flatMap((block) => block[i] ?? [])).flat();
}

/** The parts of a symbol that do not depend on its data. `isFixed` marks their modules, and those of the format. */
type Frame = { readonly modules: Uint8Array; readonly isFixed: Uint8Array };

function drawFrame(version: QrVersion): Frame {
  const size = sizeOf(version);
  const modules = new Uint8Array(size * size);
  const isFixed = new Uint8Array(size * size);
  const set = (row: number, column: number, isDark: boolean): void => {
    if (row < 0 || column < 0 || row >= size || column >= size) return;
    modules[row * size + column] = isDark ? 1 : 0;
    isFixed[row * size + column] = 1;
  };
  for (let i = 0; i < size; i++) {
    set(6, i, i % 2 === 0);
    set(i, 6, i % 2 === 0);
  }
  const drawSquare = (row: number, column: number, radius: number, isLight: (distance: number) => boolean): void => {
    for (let y = -radius; y <= radius; y++)
      for (let x = -radius; x <= radius; x++) set(row + y, column + x, !isLight(Math.max(Math.abs(x), Math.abs(y))));
  };
  // Finder patterns with their light border.
  for (const [row, column] of [
    [3, 3],
    [3, size - 4],
    [size - 4, 3],
  ] as const)
    drawSquare(row, column, 4, (distance) => distance === 2 || distance === 4);
  const { alignment } = version;
  const last = alignment.at(-1);
  for (const row of alignment)
    for (const column of alignment) {
      const isFinder = (row === 6 && (column === 6 || column === last)) || (row === last && column === 6);
      if (!isFinder) drawSquare(row, column, 2, (distance) => distance === 1);
    }
  for (const { row, column } of formatPositions(size)) set(row, column, false);
  set(size - 8, 8, true);
  if (version.number >= 7) drawVersion(version.number, size, set);
  return { modules, isFixed };
}

function drawVersion(number: number, size: number, set: (row: number, column: number, isDark: boolean) => void): void {
  const bits = versionBits(number);
  for (let i = 0; i < 18; i++) {
    const isDark = ((bits >> i) & 1) === 1;
    const [near, far] = [Math.floor(i / 3), size - 11 + (i % 3)];
    set(near, far, isDark);
    set(far, near, isDark);
  }
}

type FormatPosition = { readonly row: number; readonly column: number; readonly bit: number };

/** Where the 15 bits of the format stand, each twice. */
function formatPositions(size: number): readonly FormatPosition[] {
  return Array.from({ length: 15 }, (_, bit) => {
    // Row and column 6 have the timing pattern.
    const around = bit < 6 ? bit : bit < 8 ? bit + 1 : undefined;
    const first =
      around !== undefined ? { row: around, column: 8, bit } : { row: 8, column: bit === 8 ? 7 : 14 - bit, bit };
    const second = bit < 8 ? { row: 8, column: size - 1 - bit, bit } : { row: size - 15 + bit, column: 8, bit };
    return [first, second];
  }).flat();
}

/** The symbol with its data under a mask. */
function drawSymbol({ modules: frame, isFixed }: Frame, codewords: Uint8Array, mask: number, size: number): Uint8Array {
  const modules = frame.slice();
  const isInverted = MASKS[mask];
  let position = 0;
  const place = (row: number, column: number): void => {
    const index = row * size + column;
    if (isFixed[index]) return;
    // The few modules that are left over at the end are light.
    const bit = ((codewords[position >> 3] ?? 0) >> (7 - (position & 7))) & 1;
    position++;
    modules[index] = bit ^ (isInverted?.(row, column) ? 1 : 0);
  };
  // Two columns at a time from the right, upwards and downwards in turn. The column of the timing pattern is skipped.
  for (let right = size - 1, isUpward = true; right > 0; right -= 2, isUpward = !isUpward) {
    if (right === 6) right--;
    for (let i = 0; i < size; i++) {
      const row = isUpward ? size - 1 - i : i;
      place(row, right);
      place(row, right - 1);
    }
  }
  const format = formatBits(mask);
  for (const { row, column, bit } of formatPositions(size)) modules[row * size + column] = (format >> bit) & 1;
  return modules;
}
