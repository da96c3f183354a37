import assert from "node:assert/strict";
import { type Instant, openZone, parseInstant } from "../../src/domain/values/time.ts";
import { bidOf, cook, DAY, fullTender, publish } from "./examples.ts";
import { type Api, expectStatus, type RequestOptions, type TestResponse, type World } from "./world.ts";

// Helpers that take a `belowThreshold` tender to each status, with API 2.5.

export const LOT_A = "a".repeat(32);
export const LOT_B = "b".repeat(32);
export const UNKNOWN_ID = "0".repeat(32);
export const REQUIRED = "This field is required.";

export const lotOf = (id: string, amount = 1000) => ({
  id,
  title: "Лот",
  value: { amount },
  minimalStep: { amount: 1 },
});

/** Two lots of 1000, the first with the tender's only item. */
export function withLots(now: Instant): object {
  const [item] = fullTender(now).items;
  return { lots: [lotOf(LOT_A), lotOf(LOT_B)], items: [{ ...item, relatedLot: LOT_A }] };
}

export const onLot = (relatedLot: string, amount: number) => ({ relatedLot, value: { amount } });
export const lotBid = (...lotValues: object[]) => ({ tenderers: [cook], lotValues });
export const onA = (amount: number) => lotBid(onLot(LOT_A, amount));
export const onB = (amount: number) => lotBid(onLot(LOT_B, amount));
export const onBoth = (a: number, b: number) => lotBid(onLot(LOT_A, a), onLot(LOT_B, b));
export const bidsOf = (...amounts: number[]): object[] => amounts.map((amount) => bidOf(amount));

// biome-ignore lint/suspicious/noExplicitAny: tests access response bodies freely.
export type AnyJson = any;
/** A bid and its owner token. */
export type Bidder = { readonly id: string; readonly token: string; readonly path: string; readonly data: AnyJson };

/** A tender in a scenario, with requests as its participants. */
export type TenderStory = {
  readonly world: World;
  readonly api: Api;
  readonly path: string;
  readonly token: string;
  readonly bidders: Bidder[];
  /** The public view of the tender. */
  readonly fetchTender: () => Promise<AnyJson>;
  /** Sends a request as the owner, to a path below the tender. */
  readonly asOwner: (method: string, path: string, data?: unknown) => Promise<TestResponse>;
  /** Sends a request with this key, to a path below the tender. */
  readonly as: (key: string, method: string, path: string, data?: unknown) => Promise<TestResponse>;
  readonly placeBid: (bid: object) => Promise<Bidder>;
};

/** Creates a tender, which is then in its enquiry period. */
export async function reachEnquiries(world: World, overrides: object = {}): Promise<TenderStory> {
  const api = world.api("2.5");
  const { path, token } = await publish(api, { ...fullTender(world.clock.now), ...overrides });
  const bidders: Bidder[] = [];
  const send = (method: string, below: string, data: unknown, options: RequestOptions) =>
    api.request(method, `${path}${below}`, { ...options, ...(data !== undefined && { body: { data } }) });
  return {
    world,
    api,
    path,
    token,
    bidders,
    fetchTender: async () => expectStatus(200, await api.get(path, { key: null })).body.data,
    asOwner: (method, below, data) => send(method, below, data, { token }),
    as: (key, method, below, data) => send(method, below, data, { key }),
    placeBid: async (bid) => {
      const { data, access } = expectStatus(201, await api.post(`${path}/bids`, bid)).body;
      const bidder = { id: data.id, token: access.token, path: `${path}/bids/${data.id}`, data };
      bidders.push(bidder);
      return bidder;
    },
  };
}

/** Creates a tender, moves the clock to its tender period and places the bids. */
export async function reachTendering(
  world: World,
  bidBodies: readonly object[] = [],
  overrides: object = {},
): Promise<TenderStory> {
  const story = await reachEnquiries(world, overrides);
  world.clock.forward(7 * DAY);
  await runScheduler(story);
  for (const bid of bidBodies) {
    await story.placeBid(bid);
    world.clock.forward(1_000_000);
  }
  return story;
}

/** Takes a tender past the end of its tender period. The next status depends on the bids. */
export async function reachTenderingEnd(
  world: World,
  bidBodies: readonly object[],
  overrides: object = {},
): Promise<TenderStory> {
  const story = await reachTendering(world, bidBodies, overrides);
  await endTendering(story);
  return story;
}

export async function endTendering(story: TenderStory): Promise<void> {
  forwardTo(story.world, (await story.fetchTender()).tenderPeriod.endDate);
  await runScheduler(story);
}

/** Carries out due deadlines at this very time, before a timer would do it later. */
const runScheduler = (story: TenderStory) => story.as("chronograph", "PATCH", "", {});

/** Takes a tender to qualification. An auction, if there is one, ends without changed prices. */
export async function reachQualification(
  world: World,
  bidBodies: readonly object[],
  overrides: object = {},
): Promise<TenderStory> {
  const story = await reachTenderingEnd(world, bidBodies, overrides);
  const { status, lots } = await story.fetchTender();
  if (status === "active.auction")
    for (const lot of lots ?? [undefined]) expectStatus(200, await finishAuction(story, lot?.id));
  assert.equal((await story.fetchTender()).status, "active.qualification");
  return story;
}

export function finishAuction(story: TenderStory, lot?: string, data: object = {}): Promise<TestResponse> {
  advanceOneSecond(story.world);
  return story.as("auction", "POST", lot === undefined ? "/auction" : `/auction/${lot}`, data);
}

/** Moves the clock, because changes at the same time would get different timestamps. */
export const advanceOneSecond = (world: World): void => world.clock.forward(1_000_000);

/** Decides on the last award, or on the last one of a lot. */
export async function decideLast(story: TenderStory, status: string, lotID?: string): Promise<AnyJson> {
  const { awards } = await story.fetchTender();
  const award = awards.findLast((candidate: AnyJson) => candidate.lotID === lotID);
  advanceOneSecond(story.world);
  return expectStatus(200, await story.asOwner("PATCH", `/awards/${award.id}`, { status })).body.data;
}

export const reachAwarded = async (
  world: World,
  bidBodies: readonly object[],
  overrides: object = {},
): Promise<TenderStory> => {
  const story = await reachQualification(world, bidBodies, overrides);
  await decideLast(story, "active");
  return story;
};

export const microsecondsOf = (text: string): Instant => {
  const parsed = parseInstant(text, openZone("Europe/Kyiv"));
  assert.equal(typeof parsed, "number", text);
  return parsed as Instant;
};

export function forwardTo(world: World, text: string): void {
  world.clock.forward(microsecondsOf(text) - world.clock.now);
}

/** Moves the clock to the end of the last complaint period of the awards. */
export async function passStandStill(story: TenderStory): Promise<void> {
  const { awards } = await story.fetchTender();
  const ends = awards.flatMap(({ complaintPeriod }: AnyJson) => complaintPeriod?.endDate ?? []).toSorted();
  forwardTo(story.world, ends.at(-1));
}

export async function signContract(story: TenderStory, index = 0): Promise<TestResponse> {
  const { contracts } = await story.fetchTender();
  return story.asOwner("PATCH", `/contracts/${contracts.at(index).id}`, { status: "active" });
}

export const claimOf = (overrides: object = {}) => ({
  title: "Скарга",
  description: "Чому?",
  author: cook,
  ...overrides,
});

/** Files a claim of a bidder about an award. */
export async function fileAwardClaim(story: TenderStory, award: string, bidder = story.bidders[0]!): Promise<AnyJson> {
  const body = claimOf({ status: "claim" });
  const response = await story.api.post(`${story.path}/awards/${award}/complaints`, body, { token: bidder.token });
  const { data, access } = expectStatus(201, response).body;
  return { ...data, token: access.token, path: `/awards/${award}/complaints/${data.id}` };
}

export async function answerComplaint(story: TenderStory, path: string, resolutionType = "resolved"): Promise<AnyJson> {
  const body = { status: "answered", resolutionType, resolution: "Ми все перевірили ще раз і згодні." };
  return expectStatus(200, await story.asOwner("PATCH", path, body)).body.data;
}

export async function cancelLot(story: TenderStory, relatedLot: string): Promise<void> {
  const body = { reason: "не треба", status: "active", cancellationOf: "lot", relatedLot };
  expectStatus(201, await story.asOwner("POST", "/cancellations", body));
}

/** The errors of a response with their full descriptions, which can be lists and objects. */
export function errorsWithStatus(status: number, response: TestResponse): [string, unknown][] {
  return expectStatus(status, response).body.errors.map(({ location, name, description }: AnyJson) => [
    `${location}/${name}`,
    description,
  ]);
}

/** Asserts that a rule refused the request, with one text. */
export function assertRefusedByRule(response: TestResponse, text: string, name = "data"): void {
  assert.deepEqual(errorsWithStatus(403, response), [[`body/${name}`, text]]);
}

export function assertForbidden(response: TestResponse): void {
  assert.deepEqual(errorsWithStatus(403, response), [["url/permission", "Forbidden"]]);
}
