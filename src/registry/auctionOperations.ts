import type { AuctionStatus } from "../domain/auctions/model.ts";
import { viewAuction } from "../domain/auctions/view.ts";
import type { Instant } from "../domain/values/time.ts";
import { listedStatus } from "../store/store.ts";
import type { AuctionListQuery } from "./auctionListings.ts";
import { errorReply, type OperatorReply, successReply } from "./operatorReply.ts";
import type { Registry } from "./registry.ts";

/** What operators may do with auctions. They see no more of a running auction than everyone: unpublished prices are for bidders only. */

export type AuctionOperationPorts = {
  readonly registry: Pick<Registry, "auctions" | "nowFor">;
  readonly format: OperatorTimeFormat;
};

/** How instants are formatted for operators and parsed from their input. */
export type OperatorTimeFormat = {
  readonly time: (at: Instant) => string;
  /** Undefined if the text is not a time. */
  readonly readTime: (text: string) => Instant | undefined;
};

/** How many auctions a list shows. */
const LISTED_MAX = 1000;

/** A listed auction as operators get it. */
export type ListedAuctionText = {
  readonly id: string;
  readonly status: string;
  readonly start: string;
  readonly isOnTestClock: boolean;
};

const jsonReply = (value: unknown): OperatorReply => successReply(`${JSON.stringify(value)}\n`);

/** Lists auctions as JSON, latest start first. */
export async function listForOperator(
  { registry, format }: AuctionOperationPorts,
  status: AuctionStatus | undefined,
): Promise<OperatorReply> {
  const query: AuctionListQuery = { descending: true, limit: LISTED_MAX };
  // Those on test clocks are listed apart, but an operator of a sandbox looks for both.
  const queries =
    status === undefined
      ? [query]
      : [{}, { isOnTestClock: true } as const].map((clock) => ({
          ...query,
          status: listedStatus({ status, ...clock }),
        }));
  const pages = await Promise.all(queries.map(registry.auctions.list));
  const auctions = pages
    .flat()
    .toSorted((a, b) => b.start - a.start)
    .slice(0, LISTED_MAX);
  return jsonReply(
    auctions.map(
      ({ auction, status: currentStatus, start, isOnTestClock }): ListedAuctionText => ({
        id: auction,
        status: currentStatus,
        start: format.time(start),
        isOnTestClock: isOnTestClock === true,
      }),
    ),
  );
}

/** Shows the public view of an auction as JSON, with instants as text. */
export async function showForOperator({ registry, format }: AuctionOperationPorts, id: string): Promise<OperatorReply> {
  const found = await registry.auctions.find(id);
  if (!found) return errorReply(`there is no auction ${id}`);
  const view = viewAuction(found.state, "everyone");
  const isInstant = (name: string, value: unknown): value is Instant =>
    typeof value === "number" && INSTANT_FIELDS.has(name);
  return {
    ok: true,
    text: `${JSON.stringify(view, (name, value) => (isInstant(name, value) ? format.time(value) : value), 2)}\n`,
  };
}

/** The fields of a view that are instants. Lengths end in `Micros` and stay numbers. */
const INSTANT_FIELDS: ReadonlySet<string> = new Set(["plannedStart", "nextChange", "start", "end", "date"]);

/** When an operator wants the auction to start (default: in the next free slot), and whether its prices may be discarded. */
export type PlanOptions = { readonly at?: string | undefined; readonly force: boolean };

/** Plans an auction again. */
export async function planForOperator(
  { registry, format }: AuctionOperationPorts,
  id: string,
  { at, force }: PlanOptions,
): Promise<OperatorReply> {
  const { areBuiltin, find, replan } = registry.auctions;
  if (!areBuiltin) return errorReply("other programs plan and hold the auctions of this registry (AUCTIONS=external)");
  const found = await find(id);
  if (!found) return errorReply(`there is no auction ${id}`);
  const { status } = found.state;
  const start = at === undefined ? undefined : format.readTime(at);
  if (at !== undefined && start === undefined)
    return errorReply(`"${at}" is not a time such as 2026-11-17T11:00:00+02:00`);
  if (start !== undefined && start <= (await registry.nowFor(found.tender))) return errorReply(`${at} has passed`);
  const { endDate } = found.tender.tenderPeriod ?? {};
  if (start !== undefined && endDate !== undefined && start < endDate)
    return errorReply(`${at} is before the end of the tender period, ${format.time(endDate)}`);
  if (status === "running" && !force)
    return errorReply(`auction ${id} has begun: to plan it again discards its prices, which needs --force`);
  const planned = await replan(id, start, force);
  if (planned !== undefined) return { ok: true, text: `Auction ${id} starts at ${format.time(planned)}.\n` };
  return errorReply(
    status === "ended" || status === "cancelled"
      ? `auction ${id} is over: it cannot be planned again`
      : `auction ${id} has changed in the meantime: look at it with auction show`,
  );
}
