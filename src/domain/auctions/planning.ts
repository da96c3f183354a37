import { auctionMode, isQuick } from "../acceleration.ts";
import { atTimeOfDay, isWorkingDay, startOfNextWorkingDay, timeOfDay } from "../values/calendar.ts";
import { dayOf, HOUR, type Instant, MINUTE, SECOND, type Zone } from "../values/time.ts";

/**
 * Plans when auctions start: in slots of working days, a limited number of starts in each. The same auction gets the same start
 * wherever it is computed; only the starts that were planned before make a difference.
 */

/** When auctions may start. Times of day are microseconds after midnight in `zone`. An auction may run on after the closing time. */
export type PlanningRules = {
  readonly zone: Zone;
  readonly opensAt: number;
  readonly closesAt: number;
  readonly slotMicros: number;
  readonly startsPerSlotMax: number;
};

/** The hours and slots of the established planner. */
export const DEFAULT_PLANNING: Omit<PlanningRules, "zone"> = {
  opensAt: 11 * HOUR,
  closesAt: 16 * HOUR,
  slotMicros: 30 * MINUTE,
  startsPerSlotMax: 10,
};

/** An auction that needs a start. */
export type PlanRequest = {
  readonly auctionId: string;
  /** The earliest start that the tender allows: see `shouldStartAfter` in `acceleration.ts`. */
  readonly shouldStartAfter: Instant;
  readonly mode: PlanningMode;
};

/** How the start is found: in a slot, or at once in one of the quick modes of the sandbox. */
export type PlanningMode = "slots" | "quick" | "fast-auction" | "fast-forward" | "no-auction";

const NOTICE = HOUR;
const QUICK_STEP = 15 * MINUTE;
const FAST_AUCTION_NOTICE = 5 * MINUTE;
/** The search for a slot ends after this many working days: about four years. */
const DAYS_MAX = 1000;

/** How the auctions of a tender are planned. Modes other than "slots" exist in the sandbox only. */
export const planningModeOf = (submissionMethodDetails: string | undefined, sandbox: boolean): PlanningMode =>
  auctionMode(submissionMethodDetails, sandbox) ?? (isQuick(submissionMethodDetails, sandbox) ? "quick" : "slots");

/**
 * The start of an auction. `startsIn` says how many starts are planned in the slot that begins at an instant. Returns `undefined` if
 * the tender wants no auction, or if every slot of the next 1,000 working days is full. The caller must plan one auction after
 * another, in the order of `inPlanningOrder`, and store each start in the commit in which the starts were counted.
 */
export function planStart(
  request: PlanRequest,
  now: Instant,
  rules: PlanningRules,
  startsIn: (slotStart: Instant) => number,
): Instant | undefined {
  const earliest = Math.max(request.shouldStartAfter, now);
  switch (request.mode) {
    case "no-auction":
      return undefined;
    case "fast-forward":
      return earliest;
    case "fast-auction":
      return earliest + FAST_AUCTION_NOTICE;
    case "quick":
      return (Math.floor(earliest / QUICK_STEP) + 1) * QUICK_STEP;
    case "slots": {
      for (const slot of slotsAfter(earliest + NOTICE, rules))
        if (startsIn(slot) < rules.startsPerSlotMax) return slot + offsetInSlot(request.auctionId, rules);
      return undefined;
    }
  }
}

/** The slots in which an auction may start, earliest first: from the day of `at` if that is before the opening time, else from the next working day. */
export function* slotsAfter(at: Instant, rules: PlanningRules): Generator<Instant, void> {
  const { zone, opensAt, closesAt, slotMicros } = rules;
  const isSameDay = isWorkingDay(dayOf(at, zone)) && timeOfDay(at, zone) < opensAt;
  let day = isSameDay ? at : startOfNextWorkingDay(at, zone);
  for (let days = 0; days < DAYS_MAX; days++) {
    for (let time = opensAt; time + slotMicros <= closesAt; time += slotMicros) yield atTimeOfDay(day, time, zone);
    day = startOfNextWorkingDay(day, zone);
  }
}

/** The slot in which a planned start counts, so that a store can count starts by slot; `undefined` for a start outside of all slots. */
export function slotOf(start: Instant, { zone, opensAt, closesAt, slotMicros }: PlanningRules): Instant | undefined {
  const time = timeOfDay(start, zone);
  const slotTime = opensAt + Math.floor((time - opensAt) / slotMicros) * slotMicros;
  return time >= opensAt && slotTime + slotMicros <= closesAt ? atTimeOfDay(start, slotTime, zone) : undefined;
}

/** Earlier deadlines first; equal ones by id, so that every server has the same order. */
export const inPlanningOrder = (requests: readonly PlanRequest[]): readonly PlanRequest[] =>
  requests.toSorted(
    (a, b) =>
      a.shouldStartAfter - b.shouldStartAfter || (a.auctionId < b.auctionId ? -1 : a.auctionId > b.auctionId ? 1 : 0),
  );

/** Spreads the starts of a slot over its whole seconds. */
const offsetInSlot = (auctionId: string, { slotMicros }: PlanningRules): number =>
  (fnv1a(auctionId) % Math.max(1, Math.floor(slotMicros / SECOND))) * SECOND;

/** The 32-bit FNV-1a hash of the UTF-16 units of a text. */
function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}
