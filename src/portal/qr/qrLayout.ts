/** The tables of ISO/IEC 18004 for versions 1 to 10 with error correction level M, which restores 15 percent of the symbol. */

/** Blocks of the same length: how many, and the data codewords of each. */
type BlockGroup = { readonly count: number; readonly dataLength: number };

/** How the codewords of a version are divided. */
export type QrVersion = {
  readonly number: number;
  /** Error correction codewords of each block. */
  readonly correctionLength: number;
  readonly blocks: readonly BlockGroup[];
  /** The centres of alignment patterns, in rows and columns. */
  readonly alignment: readonly number[];
};

const version = (
  number: number,
  correctionLength: number,
  blocks: readonly (readonly [count: number, dataLength: number])[],
  alignment: readonly number[],
): QrVersion => ({
  number,
  correctionLength,
  blocks: blocks.map(([count, dataLength]) => ({ count, dataLength })),
  alignment,
});

/** The versions, smallest first. */
export const QR_VERSIONS: readonly QrVersion[] = [
  version(1, 10, [[1, 16]], []),
  version(2, 16, [[1, 28]], [6, 18]),
  version(3, 26, [[1, 44]], [6, 22]),
  version(4, 18, [[2, 32]], [6, 26]),
  version(5, 24, [[2, 43]], [6, 30]),
  version(6, 16, [[4, 27]], [6, 34]),
  version(7, 18, [[4, 31]], [6, 22, 38]),
  version(
    8,
    22,
    [
      [2, 38],
      [2, 39],
    ],
    [6, 24, 42],
  ),
  version(
    9,
    22,
    [
      [3, 36],
      [2, 37],
    ],
    [6, 26, 46],
  ),
  version(
    10,
    26,
    [
      [4, 43],
      [1, 44],
    ],
    [6, 28, 50],
  ),
];

/** Modules along a side. */
export const sizeOf = ({ number }: Pick<QrVersion, "number">): number => 17 + 4 * number;

/** All data codewords of a version. */
export const dataLengthOf = ({ blocks }: QrVersion): number =>
  blocks.reduce((sum, { count, dataLength }) => sum + count * dataLength, 0);

/** Bits of the number of bytes: 8 up to version 9. */
export const lengthBitsOf = ({ number }: Pick<QrVersion, "number">): number => (number < 10 ? 8 : 16);

/** The 8 masks: which modules of the data a mask inverts. */
export const MASKS: readonly ((row: number, column: number) => boolean)[] = [
  (row, column) => (row + column) % 2 === 0,
  (row) => row % 2 === 0,
  (_row, column) => column % 3 === 0,
  (row, column) => (row + column) % 3 === 0,
  (row, column) => (Math.floor(row / 2) + Math.floor(column / 3)) % 2 === 0,
  (row, column) => ((row * column) % 2) + ((row * column) % 3) === 0,
  (row, column) => (((row * column) % 2) + ((row * column) % 3)) % 2 === 0,
  (row, column) => (((row + column) % 2) + ((row * column) % 3)) % 2 === 0,
];

const remainderOf = (value: number, bits: number, generator: number): number => {
  let remainder = value;
  for (let i = 0; i < bits; i++) remainder = (remainder << 1) ^ ((remainder >> (bits - 1)) & 1 ? generator : 0);
  return remainder & ((1 << bits) - 1);
};

/** The 15 bits that say level M and the mask, with their own error correction. */
export const formatBits = (mask: number): number => ((mask << 10) | remainderOf(mask, 10, 0x537)) ^ 0x5412;

/** The 18 bits that say the version, with their own error correction; versions below 7 have none. */
export const versionBits = (number: number): number => (number << 12) | remainderOf(number, 12, 0x1f25);
