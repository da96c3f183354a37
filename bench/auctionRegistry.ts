import { cpSync } from "node:fs";
import { Agent } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { bidBody, tenderBody } from "./bodies.ts";
import { dataDirOf, type ServerProcess } from "./children.ts";
import { type BenchRequest, fetchCanned, fetchData, type PublishedTender, publish, TENDERS } from "./requests.ts";
import { waitForStatus } from "./rows/writes.ts";
import type { RowContext } from "./rows.ts";

// A registry with tenders whose auctions are planned for a later day. Rows copy it, and start some of its auctions at once.

/** A bid that takes part in an auction. */
export type AuctionBid = { readonly id: string; readonly token: string };

/** An auction; its id is that of its tender. Bids are in the order of the bidders' numbers: the highest amount first. */
export type BenchAuction = { readonly id: string; readonly bids: readonly AuctionBid[] };

/** A registry that was filled and stopped. */
export type AuctionRegistry = {
  readonly auctions: readonly BenchAuction[];
  /** Starts a server on a copy of the registry. */
  readonly startServer: (name: string) => Promise<ServerProcess>;
};

export const AUCTIONS_AT_ONCE = 200;
export const BIDDERS = 10;
export const TURN_MS = 4000;
const MINIMAL_STEP = 5000;
const FIRST_AMOUNT = 490_000;
const AMOUNT_DIFFERENCE = 100;
const ENQUIRIES_MS = 5000;
const BIDDING_MS = 25_000;
const STATUS_MS_MAX = 60_000;
const API = "/api/2.5";

const ENVIRONMENT = { STREAMS_MAX: "100000" };

let registry: Promise<AuctionRegistry> | undefined;

/** Fills the registry on first use. */
export function auctionRegistry(context: RowContext): Promise<AuctionRegistry> {
  registry ??= fillRegistry(context);
  return registry;
}

async function fillRegistry({ servers }: RowContext): Promise<AuctionRegistry> {
  const name = "planned auctions";
  // The lengths of stages are fixed when an auction is planned, so later servers need not set them.
  const server = await servers.startProduct(name, ENVIRONMENT, ["--turn-ms", String(TURN_MS)]);
  const auctions = await planAuctions(server.url);
  await server.stop();
  let copies = 0;
  return {
    auctions,
    startServer: (as) => {
      const copy = dataDirOf(servers.folder, `${name} ${copies++}`);
      cpSync(dataDirOf(servers.folder, name), copy, { recursive: true });
      return servers.startProduct(as, { ...ENVIRONMENT, DATA_DIR: copy });
    },
  };
}

/** Publishes tenders, places bids and waits until bidding has ended. */
async function planAuctions(url: string): Promise<readonly BenchAuction[]> {
  const enquiriesEnd = Date.now() + ENQUIRIES_MS;
  const biddingEnd = enquiriesEnd + BIDDING_MS;
  const tenders = await publish(url, AUCTIONS_AT_ONCE, tenderBody(enquiriesEnd, undefined, biddingEnd));
  await waitForAll(url, tenders, "tendering");
  const auctions = await Promise.all(tenders.map(async ({ id }) => ({ id, bids: await placeBids(url, id) })));
  if (Date.now() > biddingEnd) throw new Error(`placing the bids of auctions takes longer than ${BIDDING_MS} ms`);
  await waitForAll(url, tenders, "auction");
  for (const auction of auctions) await waitForPlan(url, auction);
  return auctions;
}

async function waitForAll(url: string, tenders: readonly PublishedTender[], status: string): Promise<void> {
  const giveUpAt = performance.now() + STATUS_MS_MAX;
  for (const { id } of tenders) await waitForStatus(url, id, status, giveUpAt);
}

/** The planner works in the background, and an auction can be followed once it is planned. */
async function waitForPlan(url: string, auction: BenchAuction): Promise<void> {
  const giveUpAt = performance.now() + STATUS_MS_MAX;
  for (;;) {
    const { status, body } = await fetchCanned(url, { method: "GET", path: auctionPath(auction) });
    if (status === 200) return;
    if (performance.now() > giveUpAt) throw new Error(`an auction is not planned: ${status} ${body}`);
    await pause(100);
  }
}

async function placeBids(url: string, tender: string): Promise<readonly AuctionBid[]> {
  const bids: AuctionBid[] = [];
  for (let i = 0; i < BIDDERS; i++) {
    const body = bidBody(FIRST_AMOUNT - i * AMOUNT_DIFFERENCE);
    const response = await fetchCanned(url, { method: "POST", path: `${TENDERS}/${tender}/bids`, body });
    if (response.status !== 201) throw new Error(`placing a bid: ${response.status} ${response.body}`);
    const { data, access } = JSON.parse(response.body);
    bids.push({ id: data.id, token: access.token });
  }
  return bids;
}

/** Sets when the auction begins with its first pause, in milliseconds since 1970. */
export async function startAuction(url: string, { id }: BenchAuction, at: number): Promise<void> {
  const body = JSON.stringify({ data: { auctionPeriod: { startDate: new Date(at).toISOString() } } });
  await fetchData(url, { method: "PATCH", path: `${API}/tenders/${id}`, body, key: "chronograph" }, 200);
}

const auctionPath = ({ id }: BenchAuction): string => `${API}/auctions/${id}`;

/** The requests that open so many streams of an auction: one for each bidder, the others for watchers. */
export const streamRequests = (auction: BenchAuction, count: number): readonly BenchRequest[] =>
  Array.from({ length: count }, (_, i) => {
    const bid = auction.bids[i];
    const path = `${auctionPath(auction)}/events`;
    return bid
      ? { method: "GET", path: `${path}?bid=${bid.id}&acc_token=${bid.token}`, key: "broker" }
      : { method: "GET", path };
  });

/** The first event of a stream. */
export const SNAPSHOT = "event: snapshot";

type AuctionView = {
  readonly stages: readonly { readonly kind: string; readonly bidder?: number; readonly end: string }[];
  readonly current?: number;
  readonly offers: readonly { readonly bidder: number; readonly amount: number }[];
};

/** The turn that runs: whose it is, the published price of that bidder, and when it ends in milliseconds since 1970. */
type RunningTurn = { readonly bid: AuctionBid; readonly amount: number; readonly end: number };

const connections = new Agent({ keepAlive: true });

/** Reads whose turn it is; undefined in a pause. */
async function readTurn(url: string, auction: BenchAuction): Promise<RunningTurn | undefined> {
  const path = auctionPath(auction);
  const { stages, current, offers } = await fetchData<AuctionView>(url, { method: "GET", path }, 200, connections);
  const stage = current === undefined ? undefined : stages[current];
  if (stage?.kind !== "turn" || stage.bidder === undefined) return undefined;
  const bid = auction.bids[stage.bidder - 1];
  const offer = offers.find(({ bidder }) => bidder === stage.bidder);
  return bid && offer && { bid, amount: offer.amount, end: Date.parse(stage.end) };
}

/** Places a price, and returns after how many milliseconds the response came. A price that comes too late may be refused. */
async function placePrice(
  url: string,
  auction: BenchAuction,
  { id, token }: AuctionBid,
  amount: number,
): Promise<number> {
  const path = `${auctionPath(auction)}/bids?bid=${id}&acc_token=${token}`;
  const request = { method: "POST", path, body: JSON.stringify({ data: { amount } }) };
  const started = performance.now();
  const { status, body } = await fetchCanned(url, request, connections);
  const taken = performance.now() - started;
  const isLate = taken > MARGIN_MS && LATE_RULES.some((rule) => body.includes(rule));
  if (status === 201 || isLate) return taken;
  throw new Error(`placing a price: ${status} ${body}`);
}

const LATE_RULES = ['"rule":"turn-ended"', '"rule":"not-your-turn"'];
/** No price is sent closer than this to the end of a turn, so that one is late only if the server is as slow as that. */
const MARGIN_MS = 500;

/** Places prices in the turns of an auction until a time in milliseconds since 1970; returns the latencies. */
export async function placePrices(
  url: string,
  auction: BenchAuction,
  intervalMs: number,
  until: number,
): Promise<readonly number[]> {
  const times: number[] = [];
  let turn: RunningTurn | undefined;
  // At random times, so that the bidders of many auctions do not act in unison.
  for (await pause(Math.random() * intervalMs); Date.now() < until; await pause(intervalMs * (0.5 + Math.random()))) {
    turn ??= await readTurn(url, auction);
    const remainingMs = turn ? turn.end - Date.now() : 0;
    if (turn && remainingMs > MARGIN_MS) {
      const amount = turn.amount - MINIMAL_STEP - (times.length % AMOUNT_DIFFERENCE);
      times.push(await placePrice(url, auction, turn.bid, amount));
    } else {
      await pause(Math.max(remainingMs, 0));
      turn = undefined;
    }
  }
  return times;
}
