import { type Found, segmentOf, toldBy } from "./calls.ts";
import { type Asking, ask, type Request, type Settings, type Writing } from "./requests.ts";
import type { Tender, Timestamp } from "./types.ts";

/** A test clock of the sandbox, and the tenders that live on it. */
export type Clock = {
  readonly id: string;
  readonly now: Timestamp;
  /** When the next thing happens on it by itself. */
  readonly next_check?: Timestamp;
  readonly tenders: readonly {
    readonly id: string;
    readonly tenderID: string;
    readonly status: Tender["status"];
    readonly next_check?: Timestamp;
  }[];
};

/** How far to move: to a moment, by a duration (`PT1H`, or seconds), or to the next thing that happens by itself. */
export type Advance = { readonly to: Timestamp } | { readonly by: string | number } | { readonly next: true };

/** Test clocks: tenders created with `{clock: id}` live on one, and time passes for them when it is moved. Sandbox only. */
export type Clocks = {
  /** Makes a clock, which stands at `now`, or at this moment. */
  readonly create: (clock?: { readonly now?: Timestamp }, options?: Writing) => Promise<Found<Clock>>;
  /** Those of this account. */
  readonly list: (options?: Asking) => Promise<Found<readonly Pick<Clock, "id" | "now">[]>>;
  /** The time on it, and the tenders. */
  readonly get: (id: string, options?: Asking) => Promise<Found<Clock>>;
  /** Moves a clock on, never back, and carries out all that falls due, in order. */
  readonly advance: (id: string, how: Advance, options?: Writing) => Promise<Found<Clock>>;
};

export function openClocks(settings: Settings): Clocks {
  const send = async (request: Request) => toldBy(await ask(settings, request)) as Found<never>;
  const pathOf = (id: string) => `/sandbox/clocks/${segmentOf(id, "clock")}`;
  return {
    create: (data = {}, options) => send({ method: "POST", path: "/sandbox/clocks", json: { data }, options }),
    list: (options) => send({ method: "GET", path: "/sandbox/clocks", options }),
    get: (id, options) => send({ method: "GET", path: pathOf(id), options }),
    advance: (id, how, options) =>
      send({ method: "POST", path: `${pathOf(id)}/advance`, json: { data: how }, options }),
  };
}
