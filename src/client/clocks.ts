import type { ApiResponse, Calls, ReadResponse } from "./calls.ts";
import type { ReadOptions, RequestOptions, WriteOptions } from "./requests.ts";
import type { Advance, Clock, ClockSent, ListedClock, SiteOperations } from "./siteTypes.ts";

export type { Advance, Clock, ClockSent, ListedClock } from "./siteTypes.ts";

/**
 * Test clocks. Sandbox only. The deadlines of a tender created with `{ clock: id }` follow that clock, so that a test
 * goes through a procedure of weeks in seconds.
 *
 * @example
 * const { data: clock } = await client.clocks.create();
 * await client.tenders.create(tender, { clock: clock.id });
 * await client.clocks.advance(clock.id, { next: true }); // to the next deadline
 */
export type Clocks = {
  /** Creates a clock that is set to `now`, by default to the current time. A clock moves only when it is advanced. */
  readonly create: (clock?: ClockSent, options?: WriteOptions) => Promise<ApiResponse<Clock>>;
  /** Lists the clocks of this account. */
  readonly list: <Options extends ReadOptions = RequestOptions>(
    options?: Options,
  ) => Promise<ReadResponse<readonly ListedClock[], Options>>;
  /** Returns a clock with its time and the tenders on it. */
  readonly get: <Options extends ReadOptions = RequestOptions>(
    id: string,
    options?: Options,
  ) => Promise<ReadResponse<Clock, Options>>;
  /** Moves a clock forward (`to`, `by` or `next`) and carries out everything that falls due, in order. */
  readonly advance: (id: string, advance: Advance, options?: WriteOptions) => Promise<ApiResponse<Clock>>;
};

/** The methods on `client.clocks`. */
export const openClocks = ({ read, write }: Calls<SiteOperations>): Clocks => ({
  create: (clock = {}, options) => write("POST /sandbox/clocks", {}, clock, options),
  list: (options) => read("GET /sandbox/clocks", {}, options),
  get: (clock_id, options) => read("GET /sandbox/clocks/{clock_id}", { clock_id }, options),
  advance: (clock_id, advance, options) =>
    write("POST /sandbox/clocks/{clock_id}/advance", { clock_id }, advance, options),
});
