import type { AuctionCommand, AuctionRules, InitialBid } from "../../src/domain/auctions/model.ts";

/**
 * Computes an auction in the plainest way, without the engine: it looks at the whole list of commands for every turn, and counts
 * money in millionths. Slow, but easy to check against the rules in words.
 */

/** A command as it was sent, in the order of commit. */
export type SentCommand = { readonly at: number; readonly command: AuctionCommand };

export type OracleTurn = {
  readonly round: number;
  readonly bid: string;
  readonly start: number;
  readonly end: number;
  /** What the bidder's price is after the turn; absent if the turn was interrupted. */
  readonly price?: OraclePrice;
};
type OraclePrice = { readonly millionths: bigint; readonly date: number };

export type OracleResult = {
  readonly status: "planned" | "running" | "interrupted" | "ended" | "cancelled";
  /** The turns that were over, of each attempt that had begun. */
  readonly attempts: readonly (readonly OracleTurn[])[];
  /** The bids, best first, by the prices of the last attempt. */
  readonly ranking: readonly string[];
  /** The indexes of the prices, withdrawals of prices, plans and cancellations that were accepted. */
  readonly accepted: ReadonlySet<number>;
};

type Course = {
  readonly turns: readonly OracleTurn[];
  readonly brokenOffAt?: number;
  readonly announcedAt?: number;
};

export function millionthsOf(amount: string): bigint {
  const [whole = "", places = ""] = amount.split(".");
  return BigInt(whole + places.padEnd(6, "0"));
}

/** Follows an auction with these bids up to an instant. The first command is the plan; all bids are known before the start. */
export function followAuction(
  rules: AuctionRules,
  bids: readonly InitialBid[],
  sent: readonly SentCommand[],
  until: number,
): OracleResult {
  const accepted = new Set([0]);
  const attempts: OracleTurn[][] = [];
  let [start, first] = [planOf(sent[0]), 1];
  for (let i = 1; ; i++) {
    const entry = sent[i];
    if (entry && entry.command.kind !== "plan" && entry.command.kind !== "cancel") continue;
    // What the auction is when the plan or cancellation comes, or at the end.
    const now = entry?.at ?? until;
    const course = courseOf(rules, bids, sent, first, i, start, accepted);
    const hasBegun = start <= now;
    const hasEnded = course.announcedAt !== undefined && course.announcedAt <= now;
    const over = course.turns.filter(({ end }) => end <= now);
    if (entry && hasEnded) continue;
    if (hasBegun) attempts.push(over);
    if (entry) accepted.add(i);
    if (entry?.command.kind === "plan") {
      [start, first] = [Math.max(planOf(entry), entry.at), i + 1];
      continue;
    }
    const running = hasEnded ? "ended" : hasBegun ? "running" : "planned";
    const status = entry ? "cancelled" : course.brokenOffAt === undefined ? running : "interrupted";
    return { status, attempts, ranking: rankingOf(bids, hasBegun ? over : []), accepted };
  }
}

const planOf = (entry: SentCommand | undefined): number => (entry?.command.kind === "plan" ? entry.command.start : 0);

/** The course of one attempt, by the commands with indexes from `first` to before `end`. */
function courseOf(
  rules: AuctionRules,
  bids: readonly InitialBid[],
  sent: readonly SentCommand[],
  first: number,
  end: number,
  start: number,
  accepted: Set<number>,
): Course {
  const turns: OracleTurn[] = [];
  let time = start;
  for (let round = 1; round <= rules.rounds; round++) {
    const order = rankingOf(bids, turns).toReversed();
    time += round === 1 ? rules.firstPauseMicros : rules.pauseMicros;
    for (const bid of order) {
      let placed: OraclePrice | undefined;
      let isOver = false;
      while (!isOver) {
        const [from, to] = [time, time + rules.turnMicros];
        const outage = firstOutage(rules, sent, first, end, from, to);
        for (let i = first; i < (outage?.index ?? end); i++) {
          const entry = sent[i];
          if (!entry || entry.at < from || entry.at >= to) continue;
          const { command, at } = entry;
          if (command.kind === "place price" && command.bid === bid) {
            if (!isAllowed(rules, priceOf(bids, turns, bid).millionths, command)) continue;
            placed = { millionths: millionthsOf(command.amount), date: at };
            accepted.add(i);
          } else if (command.kind === "take back price" && command.bid === bid && placed) {
            placed = undefined;
            accepted.add(i);
          }
        }
        if (outage && outage.until - outage.from > rules.interruptionMicrosMax)
          return { turns, brokenOffAt: outage.until };
        if (outage) turns.push({ round, bid, start: from, end: outage.until });
        else turns.push({ round, bid, start: from, end: to, price: placed ?? priceOf(bids, turns, bid) });
        time = outage?.until ?? to;
        isOver = outage === undefined;
      }
    }
  }
  return { turns, announcedAt: time + rules.preAnnouncementMicros };
}

/** The first interruption that took too much of a turn, as far as the service had not just been in use. */
function firstOutage(
  rules: AuctionRules,
  sent: readonly SentCommand[],
  first: number,
  end: number,
  turnStart: number,
  turnEnd: number,
) {
  for (let index = first; index < end; index++) {
    const entry = sent[index];
    if (entry?.command.kind !== "report interruption") continue;
    const from = Math.max(entry.command.from, sent[index - 1]?.at ?? 0);
    const { until } = entry.command;
    if (Math.min(turnEnd, until) - Math.max(turnStart, from) > rules.turnLossMicrosMax) return { index, from, until };
  }
  return undefined;
}

const priceOf = (bids: readonly InitialBid[], turns: readonly OracleTurn[], bid: string): OraclePrice => {
  const last = turns.findLast((turn) => turn.bid === bid && turn.price)?.price;
  const initial = bids.find(({ id }) => id === bid);
  return last ?? { millionths: millionthsOf(initial?.amount ?? "0"), date: initial?.date ?? 0 };
};

function isAllowed(
  rules: AuctionRules,
  previous: bigint,
  { amount, confirmed }: Extract<AuctionCommand, { kind: "place price" }>,
): boolean {
  const price = millionthsOf(amount);
  if (price <= 0n || price % 10_000n !== 0n || price > previous - millionthsOf(rules.minimalStep)) return false;
  // The walks have the usual limit of 30 percent.
  return confirmed === true || price * 10n >= previous * 7n;
}

/** The bids, best first: insertion sort by pairwise comparison. */
function rankingOf(bids: readonly InitialBid[], turns: readonly OracleTurn[]): readonly string[] {
  const ranked: InitialBid[] = [];
  for (const bid of bids) {
    const worse = ranked.findIndex((other) => isBetter(bid, other));
    ranked.splice(worse < 0 ? ranked.length : worse, 0, bid);
  }
  return ranked.map(({ id }) => id);

  function isBetter(a: InitialBid, b: InitialBid): boolean {
    const [priceA, priceB] = [priceOf(bids, turns, a.id), priceOf(bids, turns, b.id)];
    // amount / (n / d) < amount' / (n' / d')
    const [left, right] = [weighted(priceA, a, b), weighted(priceB, b, a)];
    return left < right || (left === right && priceA.date < priceB.date);
  }

  function weighted({ millionths }: OraclePrice, own: InitialBid, other: InitialBid): bigint {
    const [, ownDenominator = "1"] = own.coefficient.split("/");
    const [otherNumerator = "1"] = other.coefficient.split("/");
    return millionths * BigInt(ownDenominator) * BigInt(otherNumerator);
  }
}
