import type { ApiResponse, Calls, ReadResponse } from "./calls.ts";
import type { ReadOptions, RequestOptions, WriteOptions } from "./requests.ts";
import type { Advance, Clock, ClockSent, ListedClock, SiteOperations } from "./siteTypes.ts";

export type { Advance, Clock, ClockSent, ListedClock } from "./siteTypes.ts";

/** Test clocks: tenders created with `{clock: id}` live on one, and time passes for them when it is moved. Sandbox only. */
export type Clocks = {
  /** Makes a clock, which stands at `now`, or at this moment. */
  readonly create: (clock?: ClockSent, options?: WriteOptions) => Promise<ApiResponse<Clock>>;
  /** Those of this account. */
  readonly list: <Options extends ReadOptions = RequestOptions>(
    options?: Options,
  ) => Promise<ReadResponse<readonly ListedClock[], Options>>;
  /** The time on it, and the tenders. */
  readonly get: <Options extends ReadOptions = RequestOptions>(
    id: string,
    options?: Options,
  ) => Promise<ReadResponse<Clock, Options>>;
  /** Moves a clock on, never back, and carries out all that falls due, in order. */
  readonly advance: (id: string, advance: Advance, options?: WriteOptions) => Promise<ApiResponse<Clock>>;
};

export const openClocks = ({ read, write }: Calls<SiteOperations>): Clocks => ({
  create: (clock = {}, options) => write("POST /sandbox/clocks", {}, clock, options),
  list: (options) => read("GET /sandbox/clocks", {}, options),
  get: (clock_id, options) => read("GET /sandbox/clocks/{clock_id}", { clock_id }, options),
  advance: (clock_id, advance, options) =>
    write("POST /sandbox/clocks/{clock_id}/advance", { clock_id }, advance, options),
});
