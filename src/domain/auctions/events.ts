import type { AuctionEvent, AuctionState } from "./model.ts";

/**
 * The numbered events of an auction for one audience. Events that only one bidder may see have a number of their own, so that the
 * numbers of the public ones have no gaps, from which others could tell that a price was placed.
 */

/** Who looks at the auction: everyone, or the bidder with this bid. */
export type AuctionAudience = "everyone" | { readonly bid: string };

/** How many public events, and how many of the bidder's own, an audience has seen. */
export type EventPosition = { readonly shared: number; readonly own: number };

/** An event with its number, which a client sends back to continue after it: "12" for everyone, "12.3" for a bidder. */
export type NumberedEvent = { readonly id: string; readonly event: AuctionEvent };

export const EVENTS_START: EventPosition = { shared: 0, own: 0 };

const POSITION = /^(\d{1,9})(?:\.(\d{1,9}))?$/;

/** The position as the id of an event. */
export const formatPosition = ({ shared, own }: EventPosition, audience: AuctionAudience): string =>
  audience === "everyone" ? String(shared) : `${shared}.${own}`;

/** Reads an id of an event, also one of another audience: what is missing is then sent again. `undefined` if it is none. */
export function parsePosition(text: string): EventPosition | undefined {
  const [, shared, own = "0"] = POSITION.exec(text) ?? [];
  return shared === undefined ? undefined : { shared: Number(shared), own: Number(own) };
}

/** Whether the event is for this audience alone. */
const isOwn = ({ onlyTo }: AuctionEvent, audience: AuctionAudience): boolean =>
  onlyTo !== undefined && audience !== "everyone" && onlyTo === audience.bid;

/** The position after the last event of this state. */
export function lastPosition(state: AuctionState, audience: AuctionAudience): EventPosition {
  const shared = state.events.filter(({ onlyTo }) => onlyTo === undefined).length;
  const own = state.events.filter((event) => isOwn(event, audience)).length;
  return { shared, own };
}

/**
 * The events that follow a position, oldest first. `undefined` if the position is after the last event: the client has seen another
 * auction, and needs the whole state.
 */
export function eventsAfter(
  state: AuctionState,
  position: EventPosition,
  audience: AuctionAudience,
): readonly NumberedEvent[] | undefined {
  const last = lastPosition(state, audience);
  const isKnown = position.shared <= last.shared && (audience === "everyone" || position.own <= last.own);
  if (!isKnown) return undefined;
  const following: NumberedEvent[] = [];
  let { shared, own } = EVENTS_START;
  for (const event of state.events) {
    if (event.onlyTo === undefined) shared++;
    else if (isOwn(event, audience)) own++;
    else continue;
    const isNew = event.onlyTo === undefined ? shared > position.shared : own > position.own;
    if (isNew) following.push({ id: formatPosition({ shared, own }, audience), event });
  }
  return following;
}

/** What changed for the audience from one state of an auction to a later one. */
export const eventsBetween = (
  before: AuctionState,
  after: AuctionState,
  audience: AuctionAudience,
): readonly NumberedEvent[] => eventsAfter(after, lastPosition(before, audience), audience) ?? [];
