import type { Decimal } from "../domain/values/decimal.ts";
import { DAY, type Instant } from "../domain/values/time.ts";
import type { SearchRange } from "./searchQuery.ts";
import { propertyToken } from "./searchTokens.ts";

/**
 * Tokens of numbers, so that ranges are answered by the index of words too. A number is in a bucket, and each bucket in larger ones; it
 * has a token for each. A range is a list of buckets that contains it, as large as possible. What is in these buckets may still be
 * outside of the range, so a comparison has to follow.
 */

/** Buckets of one level, of which `size` make one of the next level; there are `count` of them. */
export type Buckets = { readonly size: number; readonly levels: number; readonly count: number };

export type RangeProperty = "amount" | "deadline";

/** Returns a function that returns the tokens of a bucket, with a space between them. They are computed once for each bucket. */
function tokensByBucket(property: RangeProperty, { size, levels }: Buckets): (bucket: number) => string {
  const known = new Map<number, string>();
  return (bucket) => {
    const found = known.get(bucket);
    if (found !== undefined) return found;
    const tokens = Array.from({ length: levels }, (_, level) =>
      propertyToken(property, `${level}.${Math.floor(bucket / size ** level)}`),
    ).join(" ");
    known.set(bucket, tokens);
    return tokens;
  };
}

function tokensBetween(
  property: RangeProperty,
  { size, levels }: Buckets,
  from: number,
  to: number,
): readonly string[] {
  const tokens: string[] = [];
  for (let bucket = from; bucket <= to; ) {
    let level = 0;
    while (level + 1 < levels && bucket % size ** (level + 1) === 0 && bucket + size ** (level + 1) - 1 <= to)
      level += 1;
    tokens.push(propertyToken(property, `${level}.${bucket / size ** level}`));
    bucket += size ** level;
  }
  return tokens;
}

/** The tokens of buckets `from` to `to`, of which every number in them has one. */
export const bucketTokens = (property: RangeProperty, from: number, to: number): readonly string[] =>
  tokensBetween(property, property === "amount" ? AMOUNTS : DEADLINES, from, to);

/** Amounts are in buckets by their number of digits and their first digit. */
export const AMOUNTS: Buckets = { size: 10, levels: 2, count: 360 };

function amountBucket(amount: Decimal): number {
  if (amount.startsWith("-")) return 0;
  const point = amount.indexOf(".");
  const digits = point < 0 ? amount.length : point;
  return Math.min(digits * 10 + Number(amount[0]), AMOUNTS.count - 1);
}

const tokensOfAmountBucket = tokensByBucket("amount", AMOUNTS);

/** The tokens of an amount, with a space between them. */
export const amountTokens = (amount: Decimal): string => tokensOfAmountBucket(amountBucket(amount));

/** The tokens of which every amount in the range has one. */
export const amountRangeTokens = ({ from, to }: SearchRange<Decimal>): readonly string[] =>
  tokensBetween(
    "amount",
    AMOUNTS,
    from === undefined ? 0 : amountBucket(from),
    to === undefined ? AMOUNTS.count - 1 : amountBucket(to),
  );

/** Deadlines are in buckets by day, from 1970 to 2149. Those before and after are in the first and the last one. */
export const DEADLINES: Buckets = { size: 16, levels: 4, count: 16 ** 4 };

/** The bucket of a deadline. */
export const deadlineBucket = (at: Instant): number => Math.max(0, Math.min(Math.floor(at / DAY), DEADLINES.count - 1));

const tokensOfDeadlineBucket = tokensByBucket("deadline", DEADLINES);

/** The tokens of a deadline, with a space between them. */
export const deadlineTokens = (at: Instant): string => tokensOfDeadlineBucket(deadlineBucket(at));

/** The tokens of which every deadline in the range has one. */
export const deadlineRangeTokens = ({ from, to }: SearchRange<Instant>): readonly string[] =>
  tokensBetween(
    "deadline",
    DEADLINES,
    from === undefined ? 0 : deadlineBucket(from),
    to === undefined ? DEADLINES.count - 1 : deadlineBucket(to),
  );
