import assert from "node:assert/strict";
import { bidOf, fullTender } from "./examples.ts";
import type { AnyJson } from "./procedure.ts";
import { expectStatus, type RequestOptions, START, type TestResponse, type World } from "./world.ts";

// Helpers that take a tender to an auction that the service itself holds, on a test clock of the sandbox.

/** A bidder of the auction: its bid, its owner token, and the secret of its link. */
export type AuctionBidder = {
  readonly id: string;
  readonly token: string;
  readonly path: string;
  /** The bid as its owner sees it now. */
  readonly fetchBid: () => Promise<AnyJson>;
  /** The participation URL of the auction. */
  readonly link: (auction?: string) => Promise<URL>;
  /** A header with the secret of the link. */
  readonly bearer: (auction?: string) => Promise<RequestOptions>;
};

/** A tender whose auction the service holds. */
export type AuctionStory = {
  readonly world: World;
  readonly clock: string;
  readonly tender: string;
  readonly token: string;
  readonly bidders: readonly AuctionBidder[];
  /** The path of an auction below the API; by default of the auction of the tender. */
  readonly path: (auction?: string) => string;
  readonly advance: (move: object) => Promise<AnyJson>;
  /** Moves the clock to the end of the running stage. */
  readonly nextStage: () => Promise<AnyJson>;
  /** The auction as this caller sees it; by default as everyone does. */
  readonly fetchAuction: (options?: RequestOptions, auction?: string) => Promise<AnyJson>;
  readonly place: (bidder: AuctionBidder, amount: unknown, more?: object) => Promise<TestResponse>;
  readonly takeBack: (bidder: AuctionBidder) => Promise<TestResponse>;
};

const asBearer = (secret: string): RequestOptions => ({ key: null, headers: { Authorization: `Bearer ${secret}` } });

/** The secret in a participation URL. */
export function secretIn(link: URL): string {
  const secret = link.searchParams.get("signature");
  assert.ok(secret, "the link has no secret");
  return secret;
}

/** A tender in `active.auction`, whose auction is planned. The bids are given from the first on: a second has passed between them. */
export async function reachAuction(
  world: World,
  bids: readonly object[] = [bidOf(480000), bidOf(490000)],
  overrides: object = {},
): Promise<AuctionStory> {
  const api = world.api("2.5");
  const site = (path: string) => `${world.url}/sandbox${path}`;
  const now = new Date(START / 1000).toISOString();
  const clock: string = expectStatus(201, await api.post(site("/clocks"), { now })).body.data.id;
  const advance = async (move: object) =>
    expectStatus(200, await api.post(site(`/clocks/${clock}/advance`), move)).body.data;
  const published = expectStatus(
    201,
    await api.post("/tenders", { ...fullTender(START), ...overrides }, { headers: { "X-Test-Clock": clock } }),
  ).body;
  const tender: string = published.data.id;
  await advance({ next: true });
  const bidders: AuctionBidder[] = [];
  for (const bid of bids) {
    bidders.push(await placeBid(world, tender, bid));
    await advance({ by: "PT1S" });
  }
  const endOfTendering = expectStatus(200, await api.get(`/tenders/${tender}`)).body.data.tenderPeriod.endDate;
  await advance({ to: endOfTendering });
  const path = (auction = tender) => `/auctions/${auction}`;
  return {
    world,
    clock,
    tender,
    token: published.access.token,
    bidders,
    path,
    advance,
    nextStage: () => advance({ next: true }),
    fetchAuction: async (options = { key: null }, auction = tender) =>
      expectStatus(200, await api.get(path(auction), options)).body.data,
    place: async (bidder, amount, more = {}) => api.post(`${path()}/bids`, { amount, ...more }, await bidder.bearer()),
    takeBack: async (bidder) => api.delete(`${path()}/bids/current`, await bidder.bearer()),
  };
}

async function placeBid(world: World, tender: string, bid: object): Promise<AuctionBidder> {
  const api = world.api("2.5");
  const { data, access } = expectStatus(201, await api.post(`/tenders/${tender}/bids`, bid)).body;
  const path = `/tenders/${tender}/bids/${data.id}`;
  const fetchBid = async () => expectStatus(200, await api.get(path, { token: access.token })).body.data;
  const link = async (auction = tender): Promise<URL> => {
    const { participationUrl, lotValues = [] } = await fetchBid();
    const urls: string[] = [participationUrl, ...lotValues.map((value: AnyJson) => value.participationUrl)];
    const url = urls.find((candidate) => candidate?.includes(`/auctions/${auction}/`));
    assert.ok(url, `the bid has no link to ${auction}`);
    return new URL(url);
  };
  return {
    ...{ id: data.id, token: access.token, path, fetchBid, link },
    bearer: async (auction) => asBearer(secretIn(await link(auction))),
  };
}

/** A tender in the first turn of its auction: it is the turn of the bidder with the worst offer. */
export async function reachFirstTurn(
  ...[world, bids, overrides]: Parameters<typeof reachAuction>
): Promise<AuctionStory> {
  const story = await reachAuction(world, bids, overrides);
  await story.nextStage();
  await story.nextStage();
  assert.equal((await story.fetchAuction()).phase, "turn");
  return story;
}
