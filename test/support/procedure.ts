import assert from "node:assert/strict";
import { type Instant, openZone, parseInstant } from "../../src/domain/time.ts";
import { bidOf, cook, DAY, fullTender, publish } from "./examples.ts";
import { type Answered, type Api, expectStatus, type Sent, type World } from "./world.ts";

/** How stories of the whole procedure are told under 2.5: a tender, those who bid for it, and where it stands. */

export const LOT_A = "a".repeat(32);
export const LOT_B = "b".repeat(32);
export const NOBODY = "0".repeat(32);
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
export const bids = (...amounts: number[]): object[] => amounts.map((amount) => bidOf(amount));

// biome-ignore lint/suspicious/noExplicitAny: what a server answered is looked into freely.
export type Seen = any;
export type Bidder = { readonly id: string; readonly token: string; readonly path: string; readonly data: Seen };

export type Story = {
  readonly world: World;
  readonly api: Api;
  readonly path: string;
  readonly token: string;
  readonly bidders: Bidder[];
  /** The tender as anyone sees it. */
  readonly seen: () => Promise<Seen>;
  /** A request by the tender's owner to a path below the tender. */
  readonly own: (method: string, path: string, data?: unknown) => Promise<Answered>;
  /** A request with somebody's key to a path below the tender. */
  readonly as: (key: string, method: string, path: string, data?: unknown) => Promise<Answered>;
  readonly place: (bid: object) => Promise<Bidder>;
};

export async function published(world: World, more: object = {}): Promise<Story> {
  const api = world.api("2.5");
  const { path, token } = await publish(api, { ...fullTender(world.clock.now), ...more });
  const bidders: Bidder[] = [];
  const send = (method: string, below: string, data: unknown, sent: Sent) =>
    api.request(method, `${path}${below}`, { ...sent, ...(data !== undefined && { body: { data } }) });
  return {
    world,
    api,
    path,
    token,
    bidders,
    seen: async () => expectStatus(200, await api.get(path, { key: null })).body.data,
    own: (method, below, data) => send(method, below, data, { token }),
    as: (key, method, below, data) => send(method, below, data, { key }),
    place: async (bid) => {
      const { data, access } = expectStatus(201, await api.post(`${path}/bids`, bid)).body;
      const bidder = { id: data.id, token: access.token, path: `${path}/bids/${data.id}`, data };
      bidders.push(bidder);
      return bidder;
    },
  };
}

export async function tendering(world: World, sent: readonly object[] = [], more: object = {}): Promise<Story> {
  const story = await published(world, more);
  world.clock.forward(7 * DAY);
  await asked(story);
  for (const bid of sent) {
    await story.place(bid);
    world.clock.forward(1_000_000);
  }
  return story;
}

/** The tender period is over: what that means, the bids decide. */
export async function closed(world: World, sent: readonly object[], more: object = {}): Promise<Story> {
  const story = await tendering(world, sent, more);
  await endTendering(story);
  return story;
}

export async function endTendering(story: Story): Promise<void> {
  forwardTo(story.world, (await story.seen()).tenderPeriod.endDate);
  await asked(story);
}

/** The scheduler asks at that very moment, so that no timer dates it later. */
const asked = (story: Story) => story.as("chronograph", "PATCH", "", {});

/** Awards are to be decided; where there had to be an auction, nobody changed a price. */
export async function qualifying(world: World, sent: readonly object[], more: object = {}): Promise<Story> {
  const story = await closed(world, sent, more);
  const { status, lots } = await story.seen();
  if (status === "active.auction")
    for (const lot of lots ?? [undefined]) expectStatus(200, await auctioned(story, lot?.id));
  assert.equal((await story.seen()).status, "active.qualification");
  return story;
}

export function auctioned(story: Story, lot?: string, data: object = {}): Promise<Answered> {
  moveOn(story.world);
  return story.as("auction", "POST", lot === undefined ? "/auction" : `/auction/${lot}`, data);
}

/** Two changes in one instant would be dated apart, since no two of them are at the same time. */
export const moveOn = (world: World): void => world.clock.forward(1_000_000);

/** The decision on the last award, or on the last one of a lot. */
export async function decideLast(story: Story, status: string, lotID?: string): Promise<Seen> {
  const { awards } = await story.seen();
  const award = awards.findLast((one: Seen) => one.lotID === lotID);
  moveOn(story.world);
  return expectStatus(200, await story.own("PATCH", `/awards/${award.id}`, { status })).body.data;
}

export const awarded = async (world: World, sent: readonly object[], more: object = {}): Promise<Story> => {
  const story = await qualifying(world, sent, more);
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

/** To the very moment at which nobody may object to any award any more. */
export async function passStandStill(story: Story): Promise<void> {
  const { awards } = await story.seen();
  const ends = awards.flatMap(({ complaintPeriod }: Seen) => complaintPeriod?.endDate ?? []).toSorted();
  forwardTo(story.world, ends.at(-1));
}

export async function sign(story: Story, at = 0): Promise<Answered> {
  const { contracts } = await story.seen();
  return story.own("PATCH", `/contracts/${contracts.at(at).id}`, { status: "active" });
}

export const claimOf = (more: object = {}) => ({ title: "Скарга", description: "Чому?", author: cook, ...more });

/** A claim of a bidder against an award. */
export async function claim(story: Story, award: string, bidder = story.bidders[0]!): Promise<Seen> {
  const sent = claimOf({ status: "claim" });
  const answered = await story.api.post(`${story.path}/awards/${award}/complaints`, sent, { token: bidder.token });
  const { data, access } = expectStatus(201, answered).body;
  return { ...data, token: access.token, path: `/awards/${award}/complaints/${data.id}` };
}

export async function answer(story: Story, path: string, resolutionType = "resolved"): Promise<Seen> {
  const sent = { status: "answered", resolutionType, resolution: "Ми все перевірили ще раз і згодні." };
  return expectStatus(200, await story.own("PATCH", path, sent)).body.data;
}

export async function cancelLot(story: Story, relatedLot: string): Promise<void> {
  const sent = { reason: "не треба", status: "active", cancellationOf: "lot", relatedLot };
  expectStatus(201, await story.own("POST", "/cancellations", sent));
}

/** The errors of an answer with their whole descriptions, which may be lists and objects. */
export function refusal(status: number, answered: Answered): [string, unknown][] {
  return expectStatus(status, answered).body.errors.map(({ location, name, description }: Seen) => [
    `${location}/${name}`,
    description,
  ]);
}

/** A rule's refusal: one text about the whole. */
export function refusedBy(answered: Answered, text: string, name = "data"): void {
  assert.deepEqual(refusal(403, answered), [[`body/${name}`, text]]);
}

export function assertForbidden(answered: Answered): void {
  assert.deepEqual(refusal(403, answered), [["url/permission", "Forbidden"]]);
}
