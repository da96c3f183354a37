/** The number and the size of all bids on a tender, by account. */
export type BidTotals = ReadonlyMap<string, { readonly count: number; readonly bytes: number }>;

/**
 * Size limits of a tender. Sizes are bytes of JSON text in UTF-8, which is how tenders are stored. No limit is shared between
 * accounts: one broker could use it up to lock out rivals, or learn from it that they have bid. The only exception is a tender
 * that could not be stored at all.
 */
export type SizeLimits = {
  /** The number of bids of one account on one tender. */
  readonly bidsPerAccountMax: number;
  /** Bytes of those bids, including the awards that may result from them. */
  readonly bidBytesPerAccountMax: number;
  /** Bytes of a tender without its bids. */
  readonly tenderBytesMax: number;
  /** Bytes of a tender with all its bids: the most that this server can store. */
  readonly storedBytesMax: number;
};
