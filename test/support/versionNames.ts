import assert from "node:assert/strict";
import type { Instant } from "../../src/domain/values/time.ts";
import { cook, DAY, formatTime, type PublishedTender, publish, school } from "./examples.ts";
import { expectStatus, type TestResponse, type World } from "./world.ts";

/** The field names of each version, so that a story can run under every version. */

type JsonObject = { readonly [name: string]: unknown };
export type Party = {
  readonly name: string;
  readonly identifier: {
    readonly scheme: string;
    readonly id: string;
    readonly legalName: string;
    readonly uri?: string;
  };
  readonly address: JsonObject;
  readonly contactPoint?: JsonObject;
};

/** An organisation as 0.1 and 0.2 write it. */
export function oldForm({ name, identifier: { scheme, id, uri }, address }: Party) {
  return { id: { name, scheme, uid: id, ...(uri && { uri }) }, address };
}

export type VersionNames = {
  readonly version: string;
  /** The field with the time of the last change. */
  readonly stamp: string;
  /** The value of a tender, and of a bid in the auction. */
  readonly total: string;
  readonly items: string;
  /** The path segment of bids. */
  readonly bids: string;
  /** The fields of a bid with the bidders and the value. */
  readonly parties: string;
  readonly price: string;
  readonly bidStatus: string;
  /** Writes an organisation in this version's form. */
  readonly party: (party: Party) => JsonObject;
  readonly item: (quantity: number) => JsonObject;
};

const classification = { scheme: "ДК021", id: "55523100-3", description: "Послуги з харчування у школах" };
const additional = { scheme: "ДКПП", id: "55.51.10.300", description: "Послуги шкільних їдалень" };
const description = "Послуги шкільних їдалень";

const oldItem = (quantity: number): JsonObject => ({
  description,
  quantity,
  unitOfMeasure: "item",
  primaryClassification: classification,
  additionalClassification: [additional],
});

const newItem = (quantity: number): JsonObject => ({
  id: "meals",
  description,
  quantity,
  unit: { name: "item" },
  classification,
  additionalClassifications: [additional],
});

const older = {
  items: "itemsToBeProcured",
  bids: "bidders",
  parties: "bidders",
  price: "totalValue",
  bidStatus: "registration",
  party: oldForm,
  item: oldItem,
};
const newer = {
  stamp: "dateModified",
  total: "value",
  items: "items",
  bids: "bids",
  parties: "tenderers",
  price: "value",
  party: (party: Party): JsonObject => party,
  item: newItem,
};

export const EARLIEST: VersionNames = { version: "0.1", stamp: "modified", total: "totalValue", ...older };
export const SECOND: VersionNames = { version: "0.2", stamp: "dateModified", total: "value", ...older };
export const LATER: VersionNames = { version: "0", ...newer, bidStatus: "registration" };
export const NEWEST: VersionNames = { version: "2.3", ...newer, bidStatus: "active" };
export const VERSIONS: readonly VersionNames[] = [EARLIEST, SECOND, LATER, NEWEST];
export const OLD_VERSIONS: readonly VersionNames[] = [EARLIEST, SECOND, LATER];

/** A tender with the fields that all versions have: a day for enquiries, then a day for bids. */
export const tenderIn = (names: VersionNames, now: Instant) => ({
  [names.total]: { amount: 500, currency: "UAH", valueAddedTaxIncluded: true },
  minimalStep: { amount: 35, currency: "UAH", valueAddedTaxIncluded: true },
  enquiryPeriod: { endDate: formatTime(now + DAY) },
  tenderPeriod: { startDate: formatTime(now + DAY), endDate: formatTime(now + 2 * DAY) },
  procuringEntity: names.party(school),
  [names.items]: [names.item(5)],
});

export const bidIn = (names: VersionNames, amount: number) => ({
  [names.parties]: [names.party(cook)],
  [names.price]: { amount },
});

/** Moves the clock before publishing, so that every tender has its own time. */
export function publishIn(world: World, names: VersionNames, more: object = {}): Promise<PublishedTender> {
  world.clock.forward(1_000_000);
  return publish(world.api(names.version), { ...tenderIn(names, world.clock.now), ...more });
}

export type PlacedBid = {
  readonly id: string;
  readonly token: string;
  readonly path: string;
  readonly response: TestResponse;
};

/** Places a bid with the names of a version. `path` is relative to the version's root. */
export async function placeIn(
  world: World,
  names: VersionNames,
  tender: PublishedTender,
  amount: number,
): Promise<PlacedBid> {
  const collection = `${tender.path}/${names.bids}`;
  const response = expectStatus(201, await world.api(names.version).post(collection, bidIn(names, amount)));
  const { id } = response.body.data;
  return { id, token: response.body.access.token, path: `${collection}/${id}`, response };
}

/** Publishes a tender and moves the clock to its tender period. */
export async function publishForBidsIn(world: World, names: VersionNames, more: object = {}): Promise<PublishedTender> {
  const tender = await publishIn(world, names, more);
  world.clock.forward(DAY);
  return tender;
}

export const HEX = /^[0-9a-f]{32}$/;

/** Compares up to milliseconds, because changes at the same instant get timestamps a microsecond apart. */
export function assertNow(world: World, ...stamps: readonly string[]): void {
  const upToMilliseconds = (stamp: string) => stamp.slice(0, "2026-11-16T10:00:00.123".length);
  for (const stamp of stamps) assert.equal(upToMilliseconds(stamp), upToMilliseconds(formatTime(world.clock.now)));
}
