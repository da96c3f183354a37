import type { TimeContext } from "./model/commands.ts";
import type { Interval } from "./procedures/procedure.ts";
import { addDays, addWorkingDays, nextMidnight, startOfNextDay } from "./values/calendar.ts";
import { DAY, type Instant, MINUTE, type Zone } from "./values/time.ts";

/** Statutory intervals of a procedure, and the fields with which a tender in the sandbox shortens them. */

const BIDDER_TIME = 6 * MINUTE;
const SERVICE_TIME = 9 * MINUTE;
const AUCTION_STAND_STILL = 15 * MINUTE;

// The established system requires a character before the word, so a text that starts with "accelerator=" has no effect.
const ACCELERATOR = /.accelerator=(\d+)/;

/**
 * The factor by which `procurementMethodDetails` (such as "quick, accelerator=1440") shortens the stand-still, or `undefined`
 * if it names none or zero. Callers ignore it outside the sandbox.
 */
export function acceleratorOf(procurementMethodDetails: string | undefined): number | undefined {
  const digits = ACCELERATOR.exec(procurementMethodDetails ?? "")?.[1];
  return Number(digits ?? 0) || undefined;
}

/**
 * The end of an interval of the procedure that begins at `from`. In the sandbox, `procurementMethodDetails` may shorten it, and any
 * such text lets it begin at once.
 */
export function intervalEnd(
  from: Instant,
  { days, counted, startsNextDay }: Interval,
  procurementMethodDetails: string | undefined,
  { sandbox, zone }: Pick<TimeContext, "sandbox" | "zone">,
): Instant {
  const accelerator = sandbox ? acceleratorOf(procurementMethodDetails) : undefined;
  // Accelerated days are fractions of 24 hours and ignore the calendar, so that tests behave the same at weekends.
  if (accelerator !== undefined) return from + Math.floor((days * DAY) / accelerator);
  const isRounded = startsNextDay && !(sandbox && procurementMethodDetails);
  const start = isRounded ? startOfNextDay(from, zone) : from;
  return counted === "working" ? addWorkingDays(start, days, zone) : addDays(start, days, zone);
}

/** Whether a tender in the sandbox asks for auctions that need not wait for the next day. */
export function isQuick(submissionMethodDetails: string | undefined, sandbox: boolean): boolean {
  return sandbox && (submissionMethodDetails ?? "").includes("quick");
}

/** How a tender in the sandbox changes its auction; see `auctionMode`. */
export type AuctionMode = "no-auction" | "fast-forward" | "fast-auction";

const AUCTION_MODES: { readonly [submissionMethodDetails: string]: AuctionMode | undefined } = {
  "quick(mode:no-auction)": "no-auction",
  "quick(mode:fast-forward)": "fast-forward",
  "quick(mode:fast-auction)": "fast-auction",
};

/**
 * How a tender in the sandbox changes its auction: "no-auction" skips it, "fast-forward" ends it as soon as it begins, and
 * "fast-auction" begins it after five minutes; `undefined` for a normal auction.
 */
export function auctionMode(submissionMethodDetails: string | undefined, sandbox: boolean): AuctionMode | undefined {
  if (!sandbox || submissionMethodDetails === undefined) return undefined;
  return Object.hasOwn(AUCTION_MODES, submissionMethodDetails) ? AUCTION_MODES[submissionMethodDetails] : undefined;
}

/** The latest time at which an auction that began at `start` should have reported its results; after it, the auction has failed. */
export function auctionEndEstimate(start: Instant, bids: number): Instant {
  return start + bids * BIDDER_TIME + SERVICE_TIME + AUCTION_STAND_STILL;
}

/**
 * The earliest time for which an auction may be planned: the first midnight at or after `base`, or `base` itself for a quick
 * tender in the sandbox. Midnight is that of the registry's zone; the established system uses the offset in which the date was
 * written, which an `Instant` does not carry.
 */
export function shouldStartAfter(
  base: Instant,
  submissionMethodDetails: string | undefined,
  sandbox: boolean,
  zone: Zone,
): Instant {
  return isQuick(submissionMethodDetails, sandbox) ? base : nextMidnight(base, zone);
}
