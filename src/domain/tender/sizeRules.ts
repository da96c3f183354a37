import { type Actor, isInGroup, owns } from "../model/actors.ts";
import type { TenderCommand } from "../model/commands.ts";
import { ruleRefusal } from "../model/refusals.ts";
import type { BidTotals, SizeLimits } from "../model/sizeLimits.ts";
import type { Bid, Tender } from "../model/tender.ts";
import { jsonText } from "../values/jsonText.ts";

/** Sizes of objects already measured. Values are never changed in place, so the cost of a new bid does not grow with their number. */
const byteCounts = new WeakMap<object, number>();

function bytesOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return textBytes(value);
  const cached = byteCounts.get(value);
  if (cached !== undefined) return cached;
  const bytes = textBytes(value);
  byteCounts.set(value, bytes);
  return bytes;
}

const textBytes = (value: unknown): number => (value === undefined ? 0 : Buffer.byteLength(JSON.stringify(value)));

/** Longer than any realistic name and address. */
const TENDERERS_FREE_BYTES = 4096;

/** The size of a bid. An award repeats the tenderers, so long ones count again for each lot that the bid could win. */
export function bidBytes(bid: Bid): number {
  const lots = bid.lotValues?.length ?? 0;
  return bytesOf(bid) + (lots > 0 ? lots * Math.max(0, bytesOf(bid.tenderers) - TENDERERS_FREE_BYTES) : 0);
}

const NO_BIDS = { count: 0, bytes: 0 };

/** The number and size of the bids of each account. */
export function bidTotalsOf(bids: readonly Bid[]): BidTotals {
  const totals = new Map<string, { readonly count: number; readonly bytes: number }>();
  for (const bid of bids) addToTotals(totals, bid, 1);
  return totals;
}

function addToTotals(totals: Map<string, typeof NO_BIDS>, bid: Bid, sign: 1 | -1): void {
  const { count, bytes } = totals.get(bid.owner) ?? NO_BIDS;
  totals.set(bid.owner, { count: count + sign, bytes: bytes + sign * bidBytes(bid) });
}

/** The totals after bids were replaced by others. Only the accounts of these bids change. */
export function totalsAfter(totals: BidTotals, removed: readonly Bid[], added: readonly Bid[]): BidTotals {
  const after = new Map(totals);
  for (const bid of removed) addToTotals(after, bid, -1);
  for (const bid of added) addToTotals(after, bid, 1);
  return after;
}

const bytesOfAll = (totals: BidTotals): number => [...totals.values()].reduce((sum, { bytes }) => sum + bytes, 0);

/** Measures lists element by element, so that existing elements are not measured again. */
function bytesWithoutBids(tender: Tender): number {
  let bytes = 0;
  for (const [name, value] of Object.entries(tender)) {
    if (name === "bids") continue;
    const isMeasured = !Array.isArray(value) || byteCounts.has(value);
    bytes += name.length + 4 + (isMeasured ? bytesOf(value) : bytesOfList(value));
  }
  return bytes;
}

function bytesOfList(list: readonly unknown[]): number {
  const bytes = list.reduce<number>((sum, element) => sum + bytesOf(element) + 1, 2);
  byteCounts.set(list, bytes);
  return bytes;
}

/** Commands without which a procedure could not end: never refused because of their size. */
const NEVER_REFUSED: ReadonlySet<TenderCommand["kind"]> = new Set<TenderCommand["kind"]>([
  "renew token",
  "withdraw bid",
  "replace link",
  "change award",
  "report auction",
  "set auction urls",
  "finish auction",
  "add cancellation",
  "edit cancellation",
]);

type SizeRefusal = ReturnType<typeof ruleRefusal>;

/**
 * Refuses a command that makes the tender too large. A command that makes it smaller is always allowed. `totals` counts all bids
 * before the command, of which the tender may have been given only those that the command is about.
 */
export function sizeRefusal(
  before: Tender,
  after: Tender,
  command: TenderCommand,
  actor: Actor,
  limits: SizeLimits,
  totals: BidTotals = bidTotalsOf(before.bids),
): SizeRefusal | undefined {
  if (after === before || NEVER_REFUSED.has(command.kind)) return undefined;
  return (
    (after.bids === before.bids ? undefined : bidSizeRefusal(before, after, limits, totals)) ??
    tenderSizeRefusal(before, after, actor, limits) ??
    storageRefusal(before, after, limits, totals)
  );
}

/** Refuses a new tender that is too large. It has no bids and is measured as a whole, which is cheaper than in parts. */
export function publicationSizeRefusal(tender: Tender, { tenderBytesMax }: SizeLimits): SizeRefusal | undefined {
  const text = jsonText(tender);
  // Counting bytes takes longer than anything else here; a UTF-16 code unit has at most three.
  const isSurelySmall = text.length * 3 <= tenderBytesMax;
  return isSurelySmall || Buffer.byteLength(text) <= tenderBytesMax ? undefined : tooLarge(tenderBytesMax);
}

function bidSizeRefusal(before: Tender, after: Tender, limits: SizeLimits, totals: BidTotals): SizeRefusal | undefined {
  const { bidsPerAccountMax: countMax, bidBytesPerAccountMax: bytesMax } = limits;
  // A command changes one bid in its place, or adds one to the end.
  const changedAt = after.bids.findIndex((bid, i) => bid !== before.bids[i]);
  const changed = after.bids[changedAt];
  if (!changed) return undefined;
  const replaced = before.bids[changedAt];
  const ofOwner = totalsAfter(totals, replaced ? [replaced] : [], [changed]).get(changed.owner) ?? NO_BIDS;
  if (!replaced && ofOwner.count > countMax)
    return ruleRefusal("too-many-bids", `An account may have no more than ${countMax} bids on a tender`, {
      name: "bid",
    });
  const isLarger = !replaced || bidBytes(changed) > bidBytes(replaced);
  return isLarger && ofOwner.bytes > bytesMax
    ? ruleRefusal("bids-too-large", `The bids of an account on a tender may take no more than ${bytesMax} bytes`, {
        name: "bid",
      })
    : undefined;
}

/** Other brokers' questions and complaints may use half of the space, so that the owner has room to answer. */
function tenderSizeRefusal(before: Tender, after: Tender, actor: Actor, { tenderBytesMax }: SizeLimits) {
  const isGuest = isInGroup(actor, "brokers") && !owns(actor, before);
  const bytesMax = isGuest ? Math.floor(tenderBytesMax / 2) : tenderBytesMax;
  const bytes = bytesWithoutBids(after);
  return bytes > bytesMax && bytes > bytesWithoutBids(before) ? tooLarge(bytesMax) : undefined;
}

/** The whole tender has to fit into memory when its bids are opened. */
function storageRefusal(before: Tender, after: Tender, { storedBytesMax }: SizeLimits, totals: BidTotals) {
  const bytesBefore = bytesWithoutBids(before) + bytesOfAll(totals);
  const isSameBids = after.bids === before.bids;
  const bytes =
    bytesWithoutBids(after) + bytesOfAll(isSameBids ? totals : totalsAfter(totals, before.bids, after.bids));
  return bytes > storedBytesMax && bytes > bytesBefore
    ? ruleRefusal("tender-full", `A tender may take no more than ${storedBytesMax} bytes with all its bids`, {
        name: "tender",
      })
    : undefined;
}

const tooLarge = (bytesMax: number) =>
  ruleRefusal("tender-too-large", `A tender may take no more than ${bytesMax} bytes without its bids`, {
    name: "tender",
  });
