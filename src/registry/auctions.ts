import { startLoop } from "../base/loop.ts";
import { decidePrice, type PriceCommand } from "../domain/auctions/auctionPrices.ts";
import { auctionedLot, liveAuction, nextAuctionChange } from "../domain/auctions/liveAuctions.ts";
import type { AuctionState, AuctionStatus } from "../domain/auctions/model.ts";
import { decideInterruption } from "../domain/decide.ts";
import { notFound } from "../domain/model/refusals.ts";
import { ok } from "../domain/model/result.ts";
import type { Lot, Tender } from "../domain/model/tender.ts";
import { type Instant, MINUTE, SECOND } from "../domain/values/time.ts";
import type { ReadSelection, Store } from "../store/store.ts";
import { type AuctionHeartbeat, type HeartbeatSettings, openHeartbeat } from "./auctionHeartbeat.ts";
import { type AuctionListQuery, type ListedAuction, listAuctions, listMissing } from "./auctionListings.ts";
import { type BuiltinAuctions, openAuctionPlanner, type PlannerSettings } from "./auctionPlanner.ts";
import { visitTenders } from "./tenderSearch.ts";
import type { WriteOptions, WriteRequest, WriteResult } from "./tenderWrites.ts";

/** The live auctions of a registry. They are parts of their tenders; this is what else the service does about them. */

/** An auction as of now, with its tender without bids. */
export type FoundAuction = { readonly tender: Tender; readonly lot: Lot | undefined; readonly state: AuctionState };

/** The auctions that the service holds. */
export type Auctions = {
  /** Whether the service holds auctions itself. Those that it has held before can be read in any case. */
  readonly areBuiltin: boolean;
  readonly find: (id: string) => Promise<FoundAuction | undefined>;
  /** The position of the last change of any tender, also of those that the public does not see. */
  readonly position: Store["position"];
  readonly list: (query: AuctionListQuery) => Promise<readonly ListedAuction[]>;
  /** Places a price or takes it back. The caller has checked that it comes from the bidder. */
  readonly place: (id: string, command: PriceCommand, options?: WriteOptions) => Promise<WriteResult>;
  /** Plans an auction again, for an operator: see `AuctionPlanner`. */
  readonly replan: (id: string, start?: Instant, mayDiscard?: boolean) => Promise<Instant | undefined>;
  /** How many auctions there are in each status that is not final. */
  readonly count: () => Promise<ReadonlyMap<OpenAuctionStatus, number>>;
  /** What is late, as this server knows: a stage by more than `LATE_MAX`, or the plan of an auction. */
  readonly findDelays: () => Promise<AuctionDelays>;
  /** Sets what is called after each write of a tender with an auction that is over and whose bidders' names are public. */
  readonly onDisclosed: (listener: DisclosureListener) => void;
};

/** What happens to auctions, for metrics. */
export type AuctionObserver = {
  /** This server has found that the service could not be reached. */
  readonly onInterruption: () => void;
  readonly onPlanFailure: () => void;
};

const OPEN_STATUSES = ["planned", "running", "interrupted"] as const satisfies readonly AuctionStatus[];
export type OpenAuctionStatus = (typeof OPEN_STATUSES)[number];

export type AuctionDelays = { readonly areStagesLate: boolean; readonly isPlannerLate: boolean };

/** Called with the tender after a write; on a test clock the write waits for the promise. */
export type DisclosureListener = (tender: Tender) => Promise<void> | undefined;

export type AuctionsSettings = Omit<PlannerSettings, "auctions" | "store"> & {
  readonly store: Store;
  /** Undefined if other programs hold auctions. */
  readonly auctions: BuiltinAuctions | undefined;
  readonly tender: (id: string, bids: ReadSelection) => Promise<Tender | undefined>;
  readonly onFailure: (error: unknown) => void;
  readonly auctionObserver?: AuctionObserver | undefined;
  /** A command of an operator plans only what it is asked to plan: see `RegistrySettings`. */
  readonly isServer: boolean;
  /** Whether timers run: see `RegistrySettings`. */
  readonly runsTimer: boolean;
};

/** What the registry calls. */
export type AuctionService = {
  readonly port: Auctions;
  /** Called after each write. Returns a promise for a tender on a test clock, where nothing happens in the background. */
  readonly followUp: (tender: Tender) => Promise<void> | undefined;
  readonly stop: () => Promise<void>;
};

const BEAT_MS = 1000;
/** How far back tenders are looked through for auctions without a plan, which a server may have left when it was killed. */
const SEARCHED = 3 * MINUTE;
const SEARCH_MS = 60_000;
const SEARCH_PAGE = 1000;
const ID_LENGTH = 32;
/** How late a stage or a plan may be before it counts as delayed. */
const LATE_MAX = 5 * SECOND;
/** How many tenders are looked at for late stages. If more are late, so are these. */
const LATE_TENDERS_MAX = 100;
const COUNT_MAX = 1_000_000;

/** The id of the tender of an auction. */
const tenderOf = (auction: string): string => auction.slice(0, ID_LENGTH);

const isDisclosed = ({ auctions = [] }: Tender): boolean => auctions.some(({ names }) => names !== undefined);

/** Opens the auctions of a registry. `heartbeat` is undefined if other programs hold them. */
export function openAuctions(settings: AuctionsSettings, heartbeat: AuctionHeartbeat | undefined): AuctionService {
  const {
    store,
    write,
    auctions,
    onFailure,
    tender: readTender,
    runsTimer,
    isServer,
    auctionObserver: observer,
  } = settings;
  const planner = auctions && openAuctionPlanner({ ...settings, auctions });
  /** The tenders that are being planned. */
  const planning = new Map<string, Promise<void>>();
  /** Since when tenders wait for their plan. One that could not be planned stays here, and is tried again. */
  const waiting = new Map<string, Instant>();

  function planTender(id: string): Promise<void> {
    const known = planning.get(id);
    if (known) return known;
    if (!waiting.has(id)) waiting.set(id, store.clock());
    const running = runPlanner(id).finally(() => planning.delete(id));
    planning.set(id, running);
    return running;
  }

  async function runPlanner(id: string): Promise<void> {
    try {
      await planner?.planTender(id);
      waiting.delete(id);
    } catch (error) {
      observer?.onPlanFailure();
      throw error;
    }
  }

  let onDisclosed: DisclosureListener = () => undefined;

  function followUp(tender: Tender): Promise<void> | undefined {
    const following = isDisclosed(tender) ? onDisclosed(tender) : planIfNeeded(tender);
    if (tender.testClock !== undefined) return following;
    following?.catch(onFailure);
    return undefined;
  }

  function planIfNeeded(tender: Tender): Promise<void> | undefined {
    // A plan is a write, too, which is followed up while it is in progress.
    return isServer && planner?.mayNeedPlan(tender) && !planning.has(tender.id) ? planTender(tender.id) : undefined;
  }

  /** Plans what was left without a plan: by a server that was killed, or by a version without a planner. */
  async function search(since: Instant | undefined): Promise<void> {
    // One tender that cannot be planned must not keep the others from their plans.
    for (const id of waiting.keys()) await planTender(id).catch(onFailure);
    await visitTenders(store, { statuses: ["active.tendering", "active.auction"], since }, async (tender) => {
      // Starts are counted and auctions are listed in one commit: one that is not listed was imported without its count.
      for (const { plannedStart } of await listMissing(store, tender))
        if (tender.testClock === undefined) await planner?.countStart(plannedStart);
      if (planner?.mayNeedPlan(tender)) await planTender(tender.id).catch(onFailure);
    });
  }

  async function beat(): Promise<void> {
    const interruption = await heartbeat?.beat();
    if (interruption) await applyInterruption();
  }

  /** Applies it to all auctions at once, so that bidders see at once that they have their turn again. */
  async function applyInterruption(): Promise<void> {
    for (let beyond: string | undefined; ; ) {
      const page = await listAuctions(store.keyValues, { status: "running", beyond, limit: SEARCH_PAGE });
      for (const id of new Set(page.map(({ tender }) => tender)))
        await write(id, { actor: {}, act: () => ({ kind: "report interruption" }) }, (tender, context) =>
          tender ? ok({ tender: decideInterruption(tender, context) }) : notFound("tender"),
        );
      beyond = page.at(-1)?.position;
      if (page.length < SEARCH_PAGE) return;
    }
  }

  async function find(id: string): Promise<FoundAuction | undefined> {
    await heartbeat?.ensureFresh();
    const tender = await readTender(tenderOf(id), "none");
    const state = tender && liveAuction(tender, id);
    return state && { tender, state, lot: auctionedLot(tender, id) };
  }

  async function place(id: string, command: PriceCommand, options: WriteOptions = {}): Promise<WriteResult> {
    await heartbeat?.ensureFresh();
    const testClock = (await store.find(tenderOf(id), "none"))?.tender.testClock;
    const request: WriteRequest = {
      actor: {},
      act: () => ({ kind: command.kind }),
      bidsNeeded: () => "none",
      options: { ...options, testClock },
    };
    return write(tenderOf(id), request, (tender, context) =>
      tender ? decidePrice(tender, id, command, context) : notFound("auction"),
    );
  }

  async function areStagesLate(): Promise<boolean> {
    const by = store.clock() - LATE_MAX;
    for (const id of await store.due(by, LATE_TENDERS_MAX)) {
      const tender = (await store.find(id, "none"))?.tender;
      const next = tender && nextAuctionChange(tender);
      if (next !== undefined && next <= by) return true;
    }
    return false;
  }

  async function count(): Promise<ReadonlyMap<OpenAuctionStatus, number>> {
    const query = { kind: "auction listing", limit: COUNT_MAX } as const;
    const counts = OPEN_STATUSES.map(
      async (status) => [status, await store.keyValues.count({ ...query, where: { status } })] as const,
    );
    return new Map(await Promise.all(counts));
  }

  const searchRecent = () => search(store.clock() - SEARCHED);
  const isRunning = planner !== undefined && runsTimer;
  const loops = isRunning ? [startLoop(beat, BEAT_MS, onFailure), startLoop(searchRecent, SEARCH_MS, onFailure)] : [];
  if (isRunning) search(undefined).catch(onFailure);

  return {
    port: {
      areBuiltin: planner !== undefined,
      find,
      position: store.position,
      list: (query) => listAuctions(store.keyValues, query),
      place,
      replan: async (id, start, mayDiscard) => planner?.replan(tenderOf(id), id, start, mayDiscard),
      count,
      findDelays: async () => ({
        areStagesLate: planner !== undefined && (await areStagesLate()),
        isPlannerLate: [...waiting.values()].some((since) => since <= store.clock() - LATE_MAX),
      }),
      onDisclosed: (listener) => {
        onDisclosed = listener;
      },
    },
    followUp,
    stop: async () => {
      await Promise.all(loops.map((loop) => loop.stop()));
      await Promise.allSettled(planning.values());
    },
  };
}

/** The heartbeat of a registry that holds auctions. */
export const openAuctionHeartbeat = (
  store: Store,
  { settings }: BuiltinAuctions,
  { isServer, onInterruption }: Pick<HeartbeatSettings, "isServer" | "onInterruption">,
): AuctionHeartbeat => openHeartbeat({ store, pauseMicrosMax: settings.turnLossMicrosMax, isServer, onInterruption });
