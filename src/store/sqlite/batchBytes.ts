import type { ChangeRow } from "../changeRows.ts";
import type { EntryRow } from "../engine.ts";
import type { BackfillBatch } from "../search/backfillBatch.ts";
import type { IndexTotals } from "../search/indexChanges.ts";

/**
 * Batches on their way to the writer thread. Structured clone would copy each text three times: out of one heap, into the other, and
 * there into UTF-8. Instead, texts are written once as UTF-8 into memory that both threads share, one after another; the rest of
 * the batch follows as JSON, with the number of bytes of each text.
 */

/** What a commit writes. */
export type Batch<Text = string> = {
  readonly rows: readonly ChangeRow<Text>[];
  readonly entries: readonly EntryRow<Text>[];
  readonly backfill?: BackfillBatch<Text> | undefined;
  /** What the rows add to sums; absent if that depends on which tenders are indexed, which the writer then finds out. */
  readonly totals?: IndexTotals | undefined;
};

export type EncodedBatch = {
  readonly memory: SharedArrayBuffer;
  /** Where the texts end and the JSON begins. */
  readonly textsEnd: number;
  readonly end: number;
};

/**
 * The batch without its texts, and how many bytes they have, in their order. The last text is the JSON of the totals, which has names:
 * the rest is nearly always ASCII, which is several times faster to write and to parse.
 */
type BatchHeader = Omit<Batch<null>, "totals"> & { readonly lengths: readonly number[] };

const FIRST_MEMORY_BYTES = 256 * 1024;
/** Larger memory is not used again, so that one large batch does not occupy it for good. */
const KEPT_MEMORY_BYTES_MAX = 8 * 1024 * 1024;
/** A UTF-16 code unit has at most this many bytes as UTF-8. */
const UNIT_BYTES_MAX = 3;

/** Returns a function that encodes batches. It uses the same memory again, so a batch must be committed before the next is encoded. */
export function openBatchEncoder(): (batch: Batch) => EncodedBatch {
  let kept = Buffer.from(new SharedArrayBuffer(FIRST_MEMORY_BYTES));
  return (batch) => {
    const texts: string[] = [];
    const { totals, ...rest } = mapTexts(batch, (text) => {
      texts.push(text);
      return null;
    });
    texts.push(totals ? JSON.stringify(totals) : "");
    let memory = withCapacity(kept, bytesOfTexts(texts, kept.length), 0);
    let textsEnd = 0;
    const lengths = texts.map((text) => {
      const length = memory.write(text, textsEnd);
      textsEnd += length;
      return length;
    });
    const header: BatchHeader = { ...rest, lengths };
    const json = JSON.stringify(header);
    memory = withCapacity(memory, textsEnd + json.length * UNIT_BYTES_MAX, textsEnd);
    const end = textsEnd + memory.write(json, textsEnd);
    if (memory.length <= KEPT_MEMORY_BYTES_MAX) kept = memory;
    return { memory: memory.buffer, textsEnd, end };
  };
}

/** The most that the texts may take. They are measured exactly only if they might take more than there is. */
function bytesOfTexts(texts: readonly string[], available: number): number {
  const estimate = texts.reduce((sum, { length }) => sum + length * UNIT_BYTES_MAX, 0);
  return estimate <= available ? estimate : texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
}

/** This memory, or larger memory with the same first bytes. */
function withCapacity(memory: Buffer<SharedArrayBuffer>, bytes: number, used: number): Buffer<SharedArrayBuffer> {
  if (memory.length >= bytes) return memory;
  const larger = Buffer.from(new SharedArrayBuffer(2 ** Math.ceil(Math.log2(bytes))));
  memory.copy(larger, 0, 0, used);
  return larger;
}

/** The batch, with its texts as bytes in the shared memory: they must be used before the next batch is encoded. */
export function decodeBatch({ memory, textsEnd, end }: EncodedBatch): Batch<Uint8Array> {
  const bytes = Buffer.from(memory);
  const { lengths, ...batch }: BatchHeader = JSON.parse(bytes.toString("utf8", textsEnd, end));
  let [text, start] = [0, 0];
  const nextText = () => {
    const textStart = start;
    start += lengths[text++] ?? 0;
    return bytes.subarray(textStart, start);
  };
  const decoded = mapTexts(batch, nextText);
  const totals = nextText();
  return totals.length === 0 ? decoded : { ...decoded, totals: JSON.parse(totals.toString()) };
}

/** The batch with another form of each text, always in the same order. */
const mapTexts = <From, To>({ rows, entries, backfill, totals }: Batch<From>, map: (text: From) => To): Batch<To> => ({
  rows: rows.map((row) => ({
    ...row,
    patch: map(row.patch),
    tender: row.tender && { ...row.tender, document: map(row.tender.document) },
    bids: row.bids.map((bid) => ("owner" in bid ? { ...bid, document: map(bid.document) } : bid)),
    searchRow: row.searchRow && { ...row.searchRow, tokens: map(row.searchRow.tokens) },
  })),
  entries: entries.map((entry) => ({ ...entry, text: entry.text === undefined ? undefined : map(entry.text) })),
  totals,
  backfill: backfill && {
    ...backfill,
    searchWrites: backfill.searchWrites.map((write) => ({
      ...write,
      row: write.row && { ...write.row, tokens: map(write.row.tokens) },
    })),
  },
});
