import { type Found, segmentOf, toldBy } from "./calls.ts";
import { type Asking, ask, type Request, type Settings, type Writing } from "./requests.ts";
import type { Advance, Clock, ClockSent, ListedClock } from "./siteTypes.ts";

export type { Advance, Clock } from "./siteTypes.ts";

/** Test clocks: tenders created with `{clock: id}` live on one, and time passes for them when it is moved. Sandbox only. */
export type Clocks = {
  /** Makes a clock, which stands at `now`, or at this moment. */
  readonly create: (clock?: ClockSent, options?: Writing) => Promise<Found<Clock>>;
  /** Those of this account. */
  readonly list: (options?: Asking) => Promise<Found<readonly ListedClock[]>>;
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
