import { type BidChange, bidChangesBetween } from "../domain/bids/bidChanges.ts";
import type { BidTotals } from "../domain/model/sizeLimits.ts";
import type { Bid, Tender } from "../domain/model/tender.ts";
import { bidTotalsOf, totalsAfter } from "../domain/tender/sizeRules.ts";
import { detach } from "../domain/values/detach.ts";
import type { Engine } from "./engine.ts";
import type { BidSelection, StoredTender, TenderChange } from "./store.ts";
import { type KnownTender, knownTenderOf, type openTenderCache } from "./tenderCache.ts";

/** A tender as the decisions of a group have left it. Their changes are not in the database yet. */
type GroupTender = {
  readonly known: KnownTender;
  /** Bids that the group has changed; `undefined` if it removed them. They are in the order in which they were added. */
  readonly changedBids: ReadonlyMap<string, Bid | undefined>;
  /** Bids that the group has removed, also if it has added them again: their place in the list is then the last. */
  readonly removedBids: ReadonlySet<string>;
  readonly isChanged: boolean;
  /** Whether a decision of the group has changed it with all its bids, which later decisions of the group then continue. */
  readonly isWhole: boolean;
};

/** The tenders of a commit group: what later decisions of the group see, and what the cache holds after the commit. */
export type GroupTenders = {
  /** The tender without its bids: most decisions need none or one of them, and ask for those that they need. */
  readonly find: (id: string) => Promise<StoredTender | undefined> | StoredTender | undefined;
  /** The tender with the selected bids. */
  readonly select: (id: string, bids: BidSelection) => Promise<StoredTender>;
  /** Adds a change and returns the new state of the tender. */
  readonly add: (change: TenderChange, before: StoredTender | undefined) => Tender;
  /** What is known of the tenders that changed. */
  readonly changed: () => ReadonlyMap<string, KnownTender>;
};

/** Opens the tenders of a group. All of its decisions are made while nobody else can write. */
export function openGroupTenders(engine: Engine, tenderCache: ReturnType<typeof openTenderCache>): GroupTenders {
  const tenders = new Map<string, GroupTender>();

  function find(id: string): Promise<StoredTender | undefined> | StoredTender | undefined {
    const inGroup = tenders.get(id);
    if (inGroup) return inGroup.known.tender;
    const known = tenderCache.current(id);
    return known instanceof Promise ? known.then((found) => found && start(id, found)) : known && start(id, known);
  }

  function start(id: string, known: KnownTender): StoredTender {
    const tender = tenders.get(id) ?? {
      known,
      changedBids: new Map(),
      removedBids: new Set(),
      isChanged: false,
      isWhole: false,
    };
    tenders.set(id, tender);
    return tender.known.tender;
  }

  function requireTender(id: string): GroupTender {
    const tender = tenders.get(id);
    if (!tender) throw new Error(`tender ${id} was not found before its bids were selected`);
    return tender;
  }

  async function select(id: string, bids: BidSelection): Promise<StoredTender> {
    if (bids === "none") return requireTender(id).known.tender;
    if (bids === "all") return selectAll(id);
    const totals = requireTender(id).known.totals ?? (await loadTotals(id));
    const { known, changedBids } = requireTender(id);
    const { tender, withBids } = known;
    tenders.set(id, { ...requireTender(id), known: { ...known, totals } });
    const selected = await bidWithId(id, bids.bid, withBids, changedBids);
    return { ...tender, tender: { ...tender.tender, bids: selected ? [selected] : [] }, bids, bidTotals: totals };
  }

  /** Totals from the database do not count changes of the group: those have either loaded totals before, or all bids. */
  async function loadTotals(id: string): Promise<BidTotals> {
    const { withBids } = requireTender(id).known;
    return withBids ? bidTotalsOf(withBids.tender.bids) : engine.bidTotals(id);
  }

  async function bidWithId(
    tender: string,
    id: string | undefined,
    withBids: StoredTender | undefined,
    changedBids: ReadonlyMap<string, Bid | undefined>,
  ): Promise<Bid | undefined> {
    if (id === undefined) return undefined;
    if (withBids) return withBids.tender.bids.find((bid) => bid.id === id);
    if (changedBids.has(id)) return changedBids.get(id);
    const [bid] = await tenderCache.bidsWithId(tender, id);
    return bid;
  }

  async function selectAll(id: string): Promise<StoredTender> {
    const { known, changedBids, removedBids, isChanged, isWhole } = requireTender(id);
    if (known.withBids) return known.withBids;
    const row = await engine.loadWithBids(id);
    const stored = row && knownTenderOf(row).withBids;
    // Only changes of single bids are possible here: after any other, all bids are known.
    const bids = withChanges(stored?.tender.bids ?? [], changedBids, removedBids);
    const changes = (stored?.bidChanges ?? 0) + (known.bidChanges ?? 0);
    const { tender } = known;
    const withBids: StoredTender = {
      ...tender,
      tender: { ...tender.tender, bids },
      bids: "all",
      bidChanges: changes,
    };
    tenders.set(id, { known: { ...known, withBids }, changedBids, removedBids, isChanged, isWhole });
    return withBids;
  }

  function add(change: TenderChange, before: StoredTender | undefined): Tender {
    const { id } = change.tender;
    const inGroup = tenders.get(id);
    const tender = detachedAfter(change, before, inGroup?.isChanged === true);
    const { changes } = bidChangesBetween(before?.tender.bids ?? [], tender.bids);
    const isWhole = !before || before.bids === "all";
    const wasWhole = inGroup?.isWhole === true;
    const allBids = isWhole ? tender.bids : wasWhole ? changedList(inGroup.known.withBids, changes) : undefined;
    const known = knownAfter(change, changes, allBids, tender, before, inGroup?.known);
    const changedBids = new Map(inGroup?.changedBids);
    const removedBids = new Set(inGroup?.removedBids);
    for (const { id: bidId, bid } of changes) {
      // A bid that is added again after its removal is the last.
      if (!changedBids.get(bidId)) changedBids.delete(bidId);
      changedBids.set(bidId, bid);
      if (!bid) removedBids.add(bidId);
    }
    tenders.set(id, { known, changedBids, removedBids, isChanged: true, isWhole: isWhole || wasWhole });
    return tender;
  }

  function changed(): ReadonlyMap<string, KnownTender> {
    const changedTenders = [...tenders].filter(([, { isChanged }]) => isChanged);
    return new Map(changedTenders.map(([id, { known }]) => [id, { ...known, bidChanges: 0 }]));
  }

  return { find, select, add, changed };
}

/** The bids after changes of single ones: those that are new come last. */
function withChanges(
  before: readonly Bid[],
  changes: ReadonlyMap<string, Bid | undefined>,
  removed: ReadonlySet<string> = new Set(),
): readonly Bid[] {
  const bids = before.filter(({ id }) => !removed.has(id));
  const stored = new Set(bids.map(({ id }) => id));
  const kept = bids.flatMap((bid) => (changes.has(bid.id) ? (changes.get(bid.id) ?? []) : [bid]));
  const added = [...changes].flatMap(([id, bid]) => (bid && !stored.has(id) ? [bid] : []));
  return [...kept, ...added];
}

const changedList = (stored: StoredTender | undefined, changes: readonly BidChange[]): readonly Bid[] =>
  withChanges(stored?.tender.bids ?? [], new Map(changes.map(({ id, bid }) => [id, bid])));

/** What is known after a change: the tender, the totals if the decision had them, and all bids if the group has to track them. */
function knownAfter(
  { kind }: TenderChange,
  changes: readonly BidChange[],
  allBids: readonly Bid[] | undefined,
  tender: Tender,
  before: StoredTender | undefined,
  known: KnownTender | undefined,
): KnownTender {
  const revision = (before?.revision ?? 0) + (kind === "bid" ? 0 : 1);
  const isSameTender = kind === "bid" && known !== undefined;
  const withoutBids: StoredTender = isSameTender
    ? known.tender
    : { tender: { ...tender, bids: [] }, revision, bids: "none" };
  const addedChanges = kind === "bid" ? 1 : 0;
  const removed = changes.flatMap((change) => change.before ?? []);
  const added = changes.flatMap(({ bid }) => bid ?? []);
  const totals = known?.totals && totalsAfter(known.totals, removed, added);
  if (!allBids) return { tender: withoutBids, totals, bidChanges: (known?.bidChanges ?? 0) + addedChanges };
  const bidChanges = (known?.withBids?.bidChanges ?? 0) + addedChanges;
  const whole: Tender = { ...withoutBids.tender, bids: allBids };
  return { tender: withoutBids, totals, withBids: { tender: whole, revision, bids: "all", bidChanges } };
}

/**
 * The tender in a form that may stay in memory: strings from a request are copied, so that they do not keep its body alive. A new
 * tender is not cached until it is read, so it is copied only if it changes again in the same group.
 */
function detachedAfter({ tender }: TenderChange, before: StoredTender | undefined, isChangedAgain: boolean): Tender {
  if (!before) return tender;
  const isNew = before.revision === 1 && isChangedAgain;
  return detach(tender, isNew ? undefined : before.tender);
}
