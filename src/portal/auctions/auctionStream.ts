import type { AuctionEvent } from "../../domain/auctions/model.ts";
import type { LiveAuctionView } from "../../domain/auctions/view.ts";
import { parseDecimal } from "../../domain/values/decimal.ts";
import { type Instant, parseCommonForm } from "../../domain/values/time.ts";
import type { AuctionScreen } from "./auctionScreen.ts";

/**
 * What the scripts of the auction page receive. The stream of an auction (Server-Sent Events) begins with a snapshot, or with the
 * events after `Last-Event-ID`. Each message has the id of the last event that it includes.
 */

/** The name of the message with the whole view. */
export const SNAPSHOT_EVENT = "snapshot";
/** The name of a message with one event. */
export const CHANGE_EVENT = "change";

/** The data of a snapshot. `serverTime` is the time of the auction's clock when the message was sent. */
export type AuctionSnapshotMessage = LiveAuctionView & { readonly serverTime: Instant };
/** The data of an event. */
export type AuctionEventMessage = AuctionEvent & { readonly serverTime: Instant };

/** What the page has in its element `auction-state`. */
export type EmbeddedAuction = {
  readonly screen: AuctionScreen;
  readonly tenderID: string;
  readonly origin: string;
  readonly siteName: string;
};

/** The fields that the API writes as numbers, which are exact decimals here. */
const AMOUNT_FIELDS = new Set(["amount", "minimalStep", "confirmedDrop", "highestAllowed", "confirmBelow"]);
/** The fields that the API writes as text with the offset of the zone, which are instants here. */
const INSTANT_FIELDS = new Set([
  ...["at", "serverTime", "plannedStart", "nextChange", "start", "end", "date", "from", "until"],
]);

/** Browsers that can tell pass the digits of a number as they were written. */
const sourceOf = (context: unknown, value: number): string =>
  typeof context === "object" && context !== null && "source" in context && typeof context.source === "string"
    ? context.source
    : String(value);

function readValue(key: string, value: unknown, context: unknown): unknown {
  if (typeof value === "number" && AMOUNT_FIELDS.has(key)) return parseDecimal(sourceOf(context, value));
  if (typeof value === "string" && INSTANT_FIELDS.has(key)) return parseCommonForm(value);
  return value;
}

const readMessage = (data: string) =>
  JSON.parse(data, (key: string, value: unknown, ...context: unknown[]) => readValue(key, value, context[0]));

/** Reads the data of a snapshot as the API writes it. It is trusted, because it comes from the service that sent the page. */
export const readSnapshotMessage = (data: string): AuctionSnapshotMessage => readMessage(data);

/** Reads the data of an event as the API writes it. */
export const readEventMessage = (data: string): AuctionEventMessage => readMessage(data);
