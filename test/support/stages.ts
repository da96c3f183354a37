import { bidOf, DAY, fullTender, type PublishedTender, publish } from "./examples.ts";
import { type Api, expectStatus, type TestResponse, type World } from "./world.ts";

/** A tender brought to where a story begins. */

export type Owned = { readonly id: string; readonly token: string };
export type Staged = PublishedTender & {
  readonly bids: readonly Owned[];
  readonly award: string;
  readonly contract: string;
};

export const ENDED = ["complete", "unsuccessful", "cancelled"] as const;
export const ACTIVE = [
  "active.enquiries",
  "active.tendering",
  "active.auction",
  "active.qualification",
  "active.awarded",
] as const;
export type StageName = "draft" | (typeof ACTIVE)[number] | (typeof ENDED)[number];

export type StageOptions = {
  readonly more?: object;
  /** What happens while enquiries last. */
  readonly first?: (tender: PublishedTender) => Promise<unknown>;
  /** What happens once there are awards. */
  readonly then?: (tender: Staged) => Promise<unknown>;
  /** How many bid; as many as the way to the status needs, unless told. */
  readonly bids?: readonly object[];
};

/** Tells an answer in a line: its status, and the errors of a refusal. */
export function outcomeOf({ status, body }: TestResponse): string {
  const errors: readonly { location: string; name: string; description: unknown }[] = body?.errors ?? [];
  const lines = errors.map(({ location, name, description }) => {
    const text = typeof description === "string" ? description : JSON.stringify(description);
    return `${location}/${name}: ${text}`;
  });
  return [status, ...lines].join(" ");
}

export const FORBIDDEN = "403 url/permission: Forbidden";
export const WRONG_ROLE = "403 url/role: Forbidden";

export async function created(response: Promise<TestResponse>): Promise<Owned> {
  const { body } = expectStatus(201, await response);
  return { id: body.data.id, token: body.access?.token ?? "" };
}

const placed = (api: Api, path: string, bids: readonly object[]): Promise<readonly Owned[]> =>
  bids.reduce<Promise<readonly Owned[]>>(
    async (before, bid) => [...(await before), await created(api.post(`${path}/bids`, bid))],
    Promise.resolve([]),
  );

const ONE = [bidOf(400000)];
const TWO = [bidOf(400000), bidOf(450000)];

const BIDS: { readonly [name in StageName]?: readonly object[] } = {
  "active.auction": TWO,
  "active.qualification": ONE,
  "active.awarded": ONE,
  complete: ONE,
};

/** Publishes a tender under 2.5 and leads it to a status the way its owner, its bidders and time would. */
export async function bring(world: World, to: StageName, options: StageOptions = {}): Promise<Staged> {
  const api = world.api("2.5");
  const status = to === "draft" ? { status: "draft" } : {};
  const published = await publish(api, { ...fullTender(world.clock.now), ...options.more, ...status });
  const begun: Staged = { ...published, bids: [], award: "", contract: "" };
  if (to === "draft") return begun;
  await options.first?.(published);
  if (to === "active.enquiries") return begun;
  const { path, token } = published;
  if (to === "cancelled") {
    await created(api.post(`${path}/cancellations`, { reason: "-", status: "active" }, { token }));
    return begun;
  }
  world.clock.forward(7 * DAY + 1000);
  const bids = await placed(api, path, options.bids ?? BIDS[to] ?? []);
  if (to === "active.tendering") return { ...begun, bids };
  world.clock.forward(7 * DAY);
  if (to === "active.auction" || to === "unsuccessful") return { ...begun, bids };
  return decided(world, to, { ...begun, bids }, options);
}

async function decided(world: World, to: StageName, begun: Staged, { then }: StageOptions): Promise<Staged> {
  const api = world.api("2.5");
  const { path, token } = begun;
  const found = (await api.get(`${path}/awards`)).body.data;
  const judged: Staged = { ...begun, award: found[0]?.id ?? "" };
  await then?.(judged);
  if (to === "active.qualification") return judged;
  expectStatus(200, await api.patch(`${path}/awards/${judged.award}`, { status: "active" }, { token }));
  const contract = (await api.get(`${path}/contracts`)).body.data[0].id;
  if (to === "complete") {
    world.clock.forward(5 * DAY);
    expectStatus(200, await api.patch(`${path}/contracts/${contract}`, { status: "active" }, { token }));
  }
  return { ...judged, contract };
}

export const LOT_A = "a".repeat(32);
export const LOT_B = "b".repeat(32);

export const lotOf = (id: string, amount: number, more: object = {}) => ({
  id,
  title: "Лот",
  value: { amount },
  minimalStep: { amount: amount / 100 },
  ...more,
});

/** A tender of two lots with an item each. */
export const twoLots = () => ({
  lots: [lotOf(LOT_A, 300000), lotOf(LOT_B, 200000)],
  items: [LOT_A, LOT_B].map((relatedLot) => ({ ...fullTender().items[0], relatedLot })),
});

export const bidOnLots = (amount: number, ...lots: readonly string[]) => {
  const { value: _whole, ...bid } = bidOf(amount);
  return { ...bid, lotValues: lots.map((relatedLot) => ({ relatedLot, value: { amount } })) };
};

export async function statusOf(api: Api, path: string): Promise<string> {
  return (await api.get(path)).body.data.status;
}
