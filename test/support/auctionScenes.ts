import assert from "node:assert/strict";
import { bidOf, DAY, formatTime, fullTender, type PublishedTender } from "./examples.ts";
import { expectStatus, START, type World } from "./world.ts";

/** Tenders on test clocks whose auctions the service holds. The world needs `AUCTIONS: "builtin"`. */

export type PublishedIds = Pick<PublishedTender, "id" | "path" | "token">;
/** A tender on a test clock. */
export type ClockedTender = PublishedIds & {
  readonly clock: string;
  readonly advance: (move: object) => Promise<void>;
  readonly status: () => Promise<string>;
};

/** A tender on a test clock with two bids, whose tender period has ended. */
export async function inAuction(
  world: Pick<World, "api">,
  tender: object = {},
  bids: readonly object[] = TWO_BIDS,
  inEnquiries: (ids: PublishedIds) => Promise<void> = async () => {},
): Promise<ClockedTender> {
  const api = world.api("2.5");
  const clock = expectStatus(201, await api.post("/../../sandbox/clocks", { now: formatTime(START) })).body.data.id;
  const created = expectStatus(
    201,
    await api.post("/tenders", { ...fullTender(START), ...tender }, { headers: { "X-Test-Clock": clock } }),
  ).body;
  const { id } = created.data;
  const path = `/tenders/${id}`;
  const advance = async (move: object) =>
    void expectStatus(200, await api.post(`/../../sandbox/clocks/${clock}/advance`, move));
  await inEnquiries({ id, path, token: created.access.token });
  await advance({ to: formatTime(START + 7 * DAY) });
  for (const bid of bids) expectStatus(201, await api.post(`${path}/bids`, bid, { key: "broker2" }));
  await advance({ to: formatTime(START + 14 * DAY) });
  const status = async () => expectStatus(200, await api.get(path)).body.data.status;
  assert.equal(await status(), "active.auction");
  return { id, path, token: created.access.token, clock, advance, status };
}

export const TWO_BIDS = [bidOf(480000), bidOf(475000)];

/** Goes from stage to stage until the auction is over. */
export async function untilQualified({ advance, status }: ClockedTender): Promise<void> {
  while ((await status()) === "active.auction") await advance({ next: true });
}
