import { addDays, addWorkingDays, nextMidnight } from "./values/calendar.ts";
import { DAY, type Instant, MINUTE, type Zone } from "./values/time.ts";

/** The intervals of a procedure, and what tenders in a sandbox say to make them short. */

const AWARD_WORKING_DAYS = 2;
const COMPLAINT_DAYS = 3;
const BIDDER_TIME = 6 * MINUTE;
const SERVICE_TIME = 9 * MINUTE;
const AUCTION_STAND_STILL = 15 * MINUTE;

// The established system wants a character in front, so a text that starts with the word accelerates nothing.
const ACCELERATOR = /.accelerator=(\d+)/;

/** As in "quick, accelerator=1440"; zero accelerates nothing. */
export function acceleratorOf(procurementMethodDetails: string | undefined): number | undefined {
  const digits = ACCELERATOR.exec(procurementMethodDetails ?? "")?.[1];
  return Number(digits ?? 0) || undefined;
}

/** When an award may no longer be complained about, or an answered complaint no longer be disputed. */
export function standStillEnd(
  from: Instant,
  kind: "award" | "complaint",
  procurementMethodDetails: string | undefined,
  sandbox: boolean,
  zone: Zone,
): Instant {
  const days = kind === "award" ? AWARD_WORKING_DAYS : COMPLAINT_DAYS;
  const accelerator = sandbox ? acceleratorOf(procurementMethodDetails) : undefined;
  // An accelerated day is a part of 24 hours, whatever day it is, for tests run at weekends too.
  if (accelerator !== undefined) return from + Math.floor((days * DAY) / accelerator);
  return kind === "award" ? addWorkingDays(from, days, zone) : addDays(from, days, zone);
}

export function isQuick(submissionMethodDetails: string | undefined, sandbox: boolean): boolean {
  return sandbox && (submissionMethodDetails ?? "").includes("quick");
}

/** What the auction is asked to do instead of waiting for bidders: end at once, or run through its rounds. */
export function auctionMode(
  submissionMethodDetails: string | undefined,
  sandbox: boolean,
): "no-auction" | "fast-forward" | undefined {
  if (!sandbox) return undefined;
  if (submissionMethodDetails === "quick(mode:no-auction)") return "no-auction";
  return submissionMethodDetails === "quick(mode:fast-forward)" ? "fast-forward" : undefined;
}

/** An auction without results by then has failed. */
export function auctionEndEstimate(start: Instant, bids: number): Instant {
  return start + bids * BIDDER_TIME + SERVICE_TIME + AUCTION_STAND_STILL;
}

/**
 * Auctions are planned for the days after. The midnight is that of the registry's zone: an instant does not remember
 * the offset it was written with, in which the established system looks for midnight.
 */
export function shouldStartAfter(
  base: Instant,
  submissionMethodDetails: string | undefined,
  sandbox: boolean,
  zone: Zone,
): Instant {
  return isQuick(submissionMethodDetails, sandbox) ? base : nextMidnight(base, zone);
}
