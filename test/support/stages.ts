import { bidOf, DAY, fullTender, type PublishedTender, publish } from "./examples.ts";
import { type Api, expectStatus, type TestResponse, type World } from "./world.ts";

// Helpers that take a `belowThreshold` tender to any status, with API 2.5.

export type CreatedObject = { readonly id: string; readonly token: string };
export type StagedTender = PublishedTender & {
  readonly bids: readonly CreatedObject[];
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
  /** Called during enquiries. */
  readonly duringEnquiries?: (tender: PublishedTender) => Promise<unknown>;
  /** Called once there are awards. */
  readonly afterAwards?: (tender: StagedTender) => Promise<unknown>;
  /** The bids to place; by default as many as the status requires. */
  readonly bids?: readonly object[];
};

/** The status and errors of a response on one line: `403 url/role: Forbidden`. */
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

export async function expectCreated(response: Promise<TestResponse>): Promise<CreatedObject> {
  const { body } = expectStatus(201, await response);
  return { id: body.data.id, token: body.access?.token ?? "" };
}

const placeBids = (api: Api, path: string, bids: readonly object[]): Promise<readonly CreatedObject[]> =>
  bids.reduce<Promise<readonly CreatedObject[]>>(
    async (before, bid) => [...(await before), await expectCreated(api.post(`${path}/bids`, bid))],
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

/** Publishes a tender and takes it to a status by ordinary requests and deadlines. */
export async function reachStage(world: World, to: StageName, options: StageOptions = {}): Promise<StagedTender> {
  const api = world.api("2.5");
  const status = to === "draft" ? { status: "draft" } : {};
  const published = await publish(api, { ...fullTender(world.clock.now), ...options.more, ...status });
  const started: StagedTender = { ...published, bids: [], award: "", contract: "" };
  if (to === "draft") return started;
  await options.duringEnquiries?.(published);
  if (to === "active.enquiries") return started;
  const { path, token } = published;
  if (to === "cancelled") {
    await expectCreated(api.post(`${path}/cancellations`, { reason: "-", status: "active" }, { token }));
    return started;
  }
  world.clock.forward(7 * DAY + 1000);
  const bids = await placeBids(api, path, options.bids ?? BIDS[to] ?? []);
  if (to === "active.tendering") return { ...started, bids };
  world.clock.forward(7 * DAY);
  if (to === "active.auction" || to === "unsuccessful") return { ...started, bids };
  return decideAwards(world, to, { ...started, bids }, options);
}

async function decideAwards(
  world: World,
  to: StageName,
  started: StagedTender,
  { afterAwards }: StageOptions,
): Promise<StagedTender> {
  const api = world.api("2.5");
  const { path, token } = started;
  const awards = (await api.get(`${path}/awards`)).body.data;
  const qualified: StagedTender = { ...started, award: awards[0]?.id ?? "" };
  await afterAwards?.(qualified);
  if (to === "active.qualification") return qualified;
  expectStatus(200, await api.patch(`${path}/awards/${qualified.award}`, { status: "active" }, { token }));
  const contract = (await api.get(`${path}/contracts`)).body.data[0].id;
  if (to === "complete") {
    world.clock.forward(5 * DAY);
    expectStatus(200, await api.patch(`${path}/contracts/${contract}`, { status: "active" }, { token }));
  }
  return { ...qualified, contract };
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

/** The fields of a tender with two lots, each with one item. */
export const twoLots = () => ({
  lots: [lotOf(LOT_A, 300000), lotOf(LOT_B, 200000)],
  items: [LOT_A, LOT_B].map((relatedLot) => ({ ...fullTender().items[0], relatedLot })),
});

export const bidOnLots = (amount: number, ...lots: readonly string[]) => {
  const { value: _value, ...bid } = bidOf(amount);
  return { ...bid, lotValues: lots.map((relatedLot) => ({ relatedLot, value: { amount } })) };
};

export async function statusOf(api: Api, path: string): Promise<string> {
  return (await api.get(path)).body.data.status;
}
