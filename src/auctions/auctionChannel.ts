import {
  type AuctionAudience,
  EVENTS_START,
  eventsAfter,
  eventsBetween,
  formatPosition,
  lastPosition,
  type NumberedEvent,
  parsePosition,
} from "../domain/auctions/events.ts";
import type { AuctionState } from "../domain/auctions/model.ts";
import type { Instant } from "../domain/values/time.ts";
import type { Channel, EventChunk } from "../feed/stream/channel.ts";
import type { FoundAuction } from "../registry/auctions.ts";

/**
 * The events of one auction for one audience, as they are sent. Each is rendered once for all streams of the audience; what differs
 * is only the time at which it is sent.
 */
export type AuctionChannel = Pick<Channel, "after" | "backfill"> & {
  /** Takes a later state of the auction; returns whether there is something new for the audience. */
  readonly update: (found: FoundAuction) => boolean;
  /** The position after the event with this id; that of a new stream if the audience has not seen this course of events. */
  readonly positionAfter: (eventId: string) => number;
};

/** How the views and events of auctions are written as JSON. The texts lack the time of sending, which is added to them. */
export type AuctionRenderer = {
  readonly view: (found: FoundAuction, audience: AuctionAudience) => string;
  readonly event: (numbered: NumberedEvent) => string;
  readonly time: (at: Instant) => string;
};

export type AuctionChannelSettings = {
  readonly audience: AuctionAudience;
  readonly found: FoundAuction;
  /** The present on the clock of the auction. */
  readonly now: () => Instant;
  readonly render: AuctionRenderer;
};

/** The position of a stream that has received nothing yet: it gets a snapshot. */
export const NEW_STREAM = -1;

/** A stream that is woken up with others gets the same bytes; a later one gets its own, because they contain the time. */
const SHARED_MICROS = 20_000;
/** Positions count events within one course. An auction that is dropped and planned anew begins another one. */
const COURSE_SIZE = 1_000_000_000;

/** Opens the channel of an audience on the present state of the auction. */
export function openAuctionChannel({ audience, found, now, render }: AuctionChannelSettings): AuctionChannel {
  let current = found;
  let course = 0;
  const renderAll = (numbered: readonly NumberedEvent[]): readonly RenderedEvent[] =>
    numbered.map((event) => ({ id: event.id, json: render.event(event) }));
  let events = renderAll(eventsAfter(found.state, EVENTS_START, audience) ?? []);
  let view: string | undefined;
  let shared: { readonly position: number; readonly at: Instant; readonly chunk: EventChunk } | undefined;

  const head = () => course * COURSE_SIZE + events.length;

  function update(next: FoundAuction): boolean {
    const before = current.state;
    current = next;
    if (next.state === before) return false;
    view = undefined;
    shared = undefined;
    if (!isContinued(before, next.state)) {
      course += 1;
      events = renderAll(eventsAfter(next.state, EVENTS_START, audience) ?? []);
      return true;
    }
    const following = eventsBetween(before, next.state, audience);
    events = [...events, ...renderAll(following)];
    return following.length > 0;
  }

  function after(position: number): EventChunk | undefined {
    if (position === head()) return undefined;
    const at = now();
    if (shared?.position === position && at - shared.at < SHARED_MICROS) return shared.chunk;
    const isBehind = position !== NEW_STREAM && Math.floor(position / COURSE_SIZE) === course && position < head();
    const text = isBehind ? eventsText(events.slice(position % COURSE_SIZE), at) : snapshotText(at);
    const chunk = { bytes: Buffer.from(text), upTo: head() };
    shared = { position, at, chunk };
    return chunk;
  }

  const withTime = (json: string, at: Instant): string => `${json.slice(0, -1)},"serverTime":"${render.time(at)}"}`;

  function snapshotText(at: Instant): string {
    view ??= render.view(current, audience);
    return messageOf("snapshot", formatPosition(lastPosition(current.state, audience), audience), withTime(view, at));
  }

  const eventsText = (following: readonly RenderedEvent[], at: Instant): string =>
    following.map(({ id, json }) => messageOf("change", id, withTime(json, at))).join("");

  /** Only what was sent to this audience identifies a position: another id means that the client needs a snapshot. */
  function positionAfter(eventId: string): number {
    const parsed = parsePosition(eventId);
    const count = parsed ? parsed.shared + parsed.own : NEW_STREAM;
    const known = count > 0 ? events[count - 1]?.id : undefined;
    return known === eventId ? course * COURSE_SIZE + count : NEW_STREAM;
  }

  // The whole course is in memory, so nothing has to be read again.
  return { after, update, positionAfter, backfill: async () => after(NEW_STREAM) ?? { bytes: EMPTY, upTo: head() } };
}

type RenderedEvent = { readonly id: string; readonly json: string };

const EMPTY = Buffer.alloc(0);

const messageOf = (name: string, id: string, json: string): string => `id: ${id}\nevent: ${name}\ndata: ${json}\n\n`;

/** Whether one state is a later one of the same course. */
const isContinued = (before: AuctionState, after: AuctionState): boolean =>
  after.events.length >= before.events.length &&
  after.events[0]?.at === before.events[0]?.at &&
  after.events[before.events.length - 1]?.at === before.events.at(-1)?.at;
