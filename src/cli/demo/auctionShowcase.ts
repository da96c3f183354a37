import { setTimeout as pause } from "node:timers/promises";
import { required } from "../../base/required.ts";
import { segmentFor } from "../../dialects/dialects.ts";
import type { RemoteRegistry } from "../remote.ts";
import { type DemoAuction, type DemoBid, fetchAuction, lowerPrice, planAuctions } from "./auctionScenario.ts";
import { DAY, PLAN_TEMPLATES, plansFor, type TenderPlan } from "./plans.ts";
import type { Random } from "./random.ts";
import { specificationOf } from "./scenarios.ts";
import { publishScene, type TenderScene } from "./scene.ts";
import { bidBodyOf, isoOf, tenderBodyOf } from "./tenders.ts";

/** Auctions that stand in each of their phases, each on a test clock of its own, and one that runs in step with real time. */

/** The phases that the demo shows. */
export const SHOWN_PHASES = ["planned", "pause", "turn", "pre-announcement", "announcement"] as const;
export type ShownPhase = (typeof SHOWN_PHASES)[number];

/** An auction of the demo with its clock. */
export type ShownAuction = {
  readonly id: string;
  readonly scene: TenderScene;
  readonly bids: readonly DemoBid[];
  readonly random: Random;
  /** Moves the clock of this auction. */
  readonly advance: (
    move: { readonly to: string } | { readonly by: number } | { readonly next: true },
  ) => Promise<void>;
  readonly fetch: () => Promise<DemoAuction>;
};

export type ShowcaseSettings = {
  readonly remote: RemoteRegistry;
  readonly endAt: number;
  readonly random: Random;
  /** The keys of a publisher, of a participant and of the planner of auctions. */
  readonly keys: { readonly publisher: string; readonly participant: string; readonly planner: string };
};

const BIDDERS_MIN = 2;

/** A tender whose bidding has just ended, and whose auction starts at `endAt`. */
function planOf(endAt: number, random: Random): TenderPlan {
  const plans = plansFor(PLAN_TEMPLATES.length, endAt, random);
  const plan = plans.find(
    ({ status, lots, sellers }) => status === "active.auction" && !lots && sellers.length >= BIDDERS_MIN,
  );
  const times = { publishedAt: endAt - 9 * DAY, enquiriesEndAt: endAt - 5 * DAY, tenderingEndsAt: endAt - DAY };
  return { ...required(plan, "a tender with an auction"), ...times, isTest: false };
}

/** Whether the registry holds auctions itself: only then does it report whether they are on time. */
export const hasOwnAuctions = async ({ client }: RemoteRegistry): Promise<boolean> =>
  (await client.health.ready()).body?.checks?.auctions !== undefined;

/** Creates an auction that has reached the phase, in a registry that holds auctions itself. */
export async function showAuction(settings: ShowcaseSettings, phase: ShownPhase): Promise<ShownAuction> {
  const { remote, endAt, keys } = settings;
  const plan = planOf(endAt, settings.random);
  const { clocks } = remote.client;
  const { data: clock } = await clocks.create({ now: isoOf(plan.publishedAt) });
  const version = segmentFor(plan.procedure);
  const scene = await publishScene({ remote, clock: clock.id, version, key: keys.publisher }, tenderBodyOf(plan));
  await scene.attach(scene.buyer, {}, specificationOf(plan));
  const advance: ShownAuction["advance"] = async (move) => void (await clocks.advance(clock.id, move));
  await advance({ to: isoOf(plan.enquiriesEndAt) });
  const bids = await placeBids(scene, plan, keys.participant);
  await advance({ to: isoOf(plan.tenderingEndsAt) });
  const fetch = async () => required(await fetchAuction(scene.buyer, scene.id), "the auction");
  const auction: ShownAuction = { id: scene.id, scene, bids, random: plan.random, advance, fetch };
  if (phase !== "planned") {
    await planAuctions(scene, scene.participant(keys.planner), endAt);
    await advance({ to: isoOf(endAt) });
    await playUntil(auction, phase);
  }
  return auction;
}

async function placeBids(scene: TenderScene, plan: TenderPlan, key: string): Promise<readonly DemoBid[]> {
  const client = scene.participant(key);
  const bids: DemoBid[] = [];
  for (const seller of plan.sellers) {
    const { data, token } = await client.bids.create(scene.id, bidBodyOf(plan, seller, {}));
    bids.push({ id: data.id, token, client });
  }
  return bids;
}

async function playUntil({ id, bids, random, advance, fetch }: ShownAuction, phase: ShownPhase): Promise<void> {
  for (let current = (await fetch()).phase; current !== phase; current = (await fetch()).phase) {
    if (current === "turn") await lowerPrice(id, bids, random);
    await advance({ next: true });
  }
  // So that its bidder sees an unpublished price, and nobody else does.
  if (phase === "turn") await lowerPrice(id, bids, random);
}

const STEP_MS = 1000;

/** Lets the auction run in step with real time until it is over; bidders act in the middle of their turns. */
export async function runInRealTime({ id, bids, random, advance, fetch }: ShownAuction): Promise<void> {
  let actedIn: number | undefined;
  for (let previous = Date.now(); ; ) {
    await pause(STEP_MS);
    const now = Date.now();
    await advance({ by: (now - previous) / 1000 });
    previous = now;
    const { status, phase, current } = await fetch();
    if (status !== "running") return;
    if (phase !== "turn" || current === actedIn || random.fraction() < 0.98) continue;
    actedIn = current;
    await lowerPrice(id, bids, random);
  }
}
