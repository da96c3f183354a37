import { type Client, TenderhallError } from "../../client/index.ts";
import type { Random } from "./random.ts";
import type { TenderScene } from "./scene.ts";
import type { Scenario } from "./schedule.ts";

/** The auctions of the demo that the service itself holds. Bidders lower their prices in some of their turns. */

/** A bid, with the client that placed it and its owner token. */
export type DemoBid = { readonly id: string; readonly token: string; readonly client: Client };

type AuctionStageView = { readonly kind: string; readonly start: string; readonly bidder?: number };

/** The parts of an auction that the demo reads. `own` is there for a bidder. */
export type DemoAuction = {
  readonly id: string;
  readonly status: string;
  readonly phase: string;
  readonly plannedStart: string;
  readonly current?: number;
  readonly stages: readonly AuctionStageView[];
  readonly own?: { readonly bidder: number; readonly isOwnTurn: boolean; readonly highestAllowed?: number };
};

/** The share of turns in which a bidder lowers the price. */
const ACTIVE_SHARE = 0.5;

/** The ids of the auctions of a tender: its own, or those of its active lots. */
export async function auctionIdsOf({ id, fetchTender }: TenderScene): Promise<readonly string[]> {
  const { lots } = await fetchTender();
  return lots ? lots.filter(({ status }) => status === "active").map((lot) => `${id}_${lot.id}`) : [id];
}

/** An auction as everyone sees it, or as the bidder does; undefined if other programs hold the auctions of the registry. */
export async function fetchAuction(client: Client, id: string, bid?: DemoBid): Promise<DemoAuction | undefined> {
  const query = bid && { bid: bid.id, acc_token: bid.token };
  try {
    return (await client.request<DemoAuction>("GET", `/auctions/${id}`, { query })).data;
  } catch (error) {
    if (error instanceof TenderhallError && error.status === 404) return undefined;
    throw error;
  }
}

/** Lowers the price of the bidder whose turn it is, if it can be lowered further. Returns the new price. */
export async function lowerPrice(
  auction: string,
  bids: readonly DemoBid[],
  random: Random,
): Promise<number | undefined> {
  for (const bid of bids) {
    const { own } = (await fetchAuction(bid.client, auction, bid)) ?? {};
    if (!own?.isOwnTurn || own.highestAllowed === undefined) continue;
    const amount = Math.floor(own.highestAllowed * (0.985 + random.fraction() * 0.015) * 100) / 100;
    const query = { bid: bid.id, acc_token: bid.token };
    await bid.client.request("POST", `/auctions/${auction}/bids`, { query, data: { amount } });
    return amount;
  }
  return undefined;
}

/** Sets the planned start of all auctions of the tender, with the key of the group `chronograph`. */
export async function planAuctions({ id, fetchTender }: TenderScene, planner: Client, startAt: number): Promise<void> {
  const auctionPeriod = { startDate: new Date(startAt).toISOString() };
  const { lots } = await fetchTender();
  const changes = lots
    ? { lots: lots.map(({ status }) => (status === "active" ? { auctionPeriod } : {})) }
    : { auctionPeriod };
  await planner.request("PATCH", `/tenders/${id}/chronograph`, { data: changes });
}

/** Takes part in all auctions of the tender from their planned start on. The service does the rest. */
export async function* playAuctions(
  scene: TenderScene,
  bids: readonly DemoBid[],
  startAt: number,
  random: Random,
): Scenario {
  const ids = await auctionIdsOf(scene);
  yield { exactly: startAt };
  const turns: { readonly id: string; readonly at: number }[] = [];
  for (const id of ids)
    for (const { kind, start } of (await fetchAuction(scene.buyer, id))?.stages ?? [])
      if (kind === "turn" && random.fraction() < ACTIVE_SHARE) turns.push({ id, at: Date.parse(start) });
  for (const { id, at } of turns.toSorted((a, b) => a.at - b.at)) {
    yield { exactly: at };
    await lowerPrice(id, bids, random);
  }
}
