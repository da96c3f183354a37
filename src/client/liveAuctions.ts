import { type ApiResponse, apiPath, type Calls, fillPath } from "./calls.ts";
import { TenderhallError } from "./errors.ts";
import { readEventStream } from "./eventStream.ts";
import { openFeedPosition } from "./feedPosition.ts";
import { type ClientSettings, connectionError, type RequestOptions, type WriteOptions } from "./requests.ts";
import { isTransient, pause, retryDelayMs } from "./retries.ts";
import type {
  AuctionPrice,
  ListedAuction,
  LiveAuction,
  LiveAuctionEvent,
  LiveAuctionOwn,
  Operations,
  ParticipationLink,
} from "./types.ts";

/**
 * Who takes part in an auction: the `participationUrl` of a bid, or the id of a bid whose owner token this client knows. Without it,
 * a method shows what everyone sees.
 */
export type AuctionBidder = { readonly link: string } | { readonly bid: string };

/** The parameters of `auctions.list`. */
export type ListAuctionsParams = RequestOptions & {
  /** Only auctions with this status. */
  readonly status?: LiveAuction["status"] | undefined;
  /** Only the auctions of this tender. */
  readonly tender?: string | undefined;
  /** `test` lists test auctions only, `_all_` test and real ones. Default: real ones only. */
  readonly mode?: "test" | "_all_" | undefined;
  /** The latest start first. */
  readonly descending?: boolean | undefined;
  /** `next_page.offset` of the page before. */
  readonly offset?: string | undefined;
  /** The number of auctions on a page. */
  readonly limit?: number | undefined;
};

/** A page of the list of auctions. */
export type AuctionPage = ApiResponse<readonly ListedAuction[]> &
  Pick<Operations["GET /auctions"]["answer"], "next_page">;

/** What the stream of an auction sends: the whole auction, at first and after a gap, or one change. */
export type AuctionMessage =
  | { readonly id: string; readonly snapshot: LiveAuction }
  | { readonly id: string; readonly event: LiveAuctionEvent };

/** The options of `auctions.follow`. */
export type FollowAuctionOptions = {
  /** Ends the loop, without an error, when it is aborted. */
  readonly signal?: AbortSignal | undefined;
  readonly bidder?: AuctionBidder | undefined;
  /** The id of the last message that was handled, to continue after it. */
  readonly lastEventId?: string | undefined;
  /** After how many milliseconds without data a stream counts as broken. Default: 45 000, three heartbeats. */
  readonly idleTimeoutMs?: number | undefined;
  /** How many retries in a row may fail before the loop throws the error. Default: no limit. */
  readonly retries?: number | undefined;
  /** Called with every error after which the loop continues. */
  readonly onRetry?: ((error: unknown) => void) | undefined;
};

/**
 * Auctions that the registry itself holds.
 *
 * @example
 * for await (const message of client.auctions.follow(id, { bidder: { bid } })) {
 *   if ("snapshot" in message && message.snapshot.own?.isOwnTurn)
 *     await client.auctions.placePrice(id, { bid }, { amount: 470000 });
 * }
 */
export type LiveAuctions = {
  /** Returns a page of auctions by their start. */
  readonly list: (params?: ListAuctionsParams) => Promise<AuctionPage>;
  /** Returns an auction; for a bidder with its own part. */
  readonly get: (
    id: string,
    options?: RequestOptions & { readonly bidder?: AuctionBidder | undefined },
  ) => Promise<ApiResponse<LiveAuction>>;
  /**
   * Iterates over an auction: first the whole of it, then every change as it happens, also across lost connections. Ends when nothing
   * more can change, with `break`, or when the `signal` is aborted.
   */
  readonly follow: (id: string, options?: FollowAuctionOptions) => AsyncGenerator<AuctionMessage, void, undefined>;
  /** Places a price in the bidder's turn. It is stored when the promise resolves. */
  readonly placePrice: (
    id: string,
    bidder: AuctionBidder,
    price: AuctionPrice,
    options?: WriteOptions,
  ) => Promise<ApiResponse<LiveAuctionOwn>>;
  /** Takes back the price of the running turn. */
  readonly takeBackPrice: (
    id: string,
    bidder: AuctionBidder,
    options?: WriteOptions,
  ) => Promise<ApiResponse<LiveAuctionOwn>>;
  /** Replaces the participation links of a bid whose owner token this client knows. Returns the new link to this auction. */
  readonly replaceLink: (id: string, bid: string, options?: WriteOptions) => Promise<ApiResponse<ParticipationLink>>;
  /** Returns the replayable record, byte for byte, once it is public. */
  readonly record: (id: string, options?: RequestOptions) => Promise<string>;
};

/** The methods on `client.auctions`. */
export function openLiveAuctions(settings: ClientSettings, { read, text, write }: Calls): LiveAuctions {
  const as = <Options extends RequestOptions>(bidder: AuctionBidder | undefined, options: Options): Options =>
    bidder ? { ...options, ...accessOf(settings, bidder, options) } : options;
  return {
    list: ({ status, tender, mode, descending, offset, limit, ...options } = {}) =>
      read("GET /auctions", {}, options, { status, tender, mode, descending, offset, limit }),
    get: (auction_id, { bidder, ...options } = {}) =>
      read("GET /auctions/{auction_id}", { auction_id }, as(bidder, options)),
    follow: (id, options) => followAuction(settings, id, options),
    placePrice: (auction_id, bidder, price, options = {}) =>
      write("POST /auctions/{auction_id}/bids", { auction_id }, price, as(bidder, options)),
    takeBackPrice: (auction_id, bidder, options = {}) =>
      write("DELETE /auctions/{auction_id}/bids/current", { auction_id }, undefined, as(bidder, options)),
    replaceLink: (auction_id, bid, options = {}) =>
      write("POST /auctions/{auction_id}/links", { auction_id }, undefined, as({ bid }, options)),
    record: (auction_id, options) => text("GET /auctions/{auction_id}/record", { auction_id }, options),
  };
}

/** The token of the bid, or the secret of the link in place of the API key. Throws if neither is known. */
function accessOf(
  { tokens }: ClientSettings,
  bidder: AuctionBidder,
  { headers, token }: RequestOptions,
): RequestOptions {
  if ("bid" in bidder) {
    const known = token ?? tokens.get(bidder.bid);
    if (known === undefined) throw new TypeError(`The owner token of bid ${bidder.bid} is not known`);
    return { token: known };
  }
  const secret = new URL(bidder.link).searchParams.get("signature");
  if (!secret) throw new TypeError("The link of a bidder must be its participationUrl");
  return { token: "", headers: { ...headers, Authorization: `Bearer ${secret}` } };
}

const MAX_RETRY_DELAY_MS = 10_000;

async function* followAuction(
  settings: ClientSettings,
  id: string,
  options: FollowAuctionOptions = {},
): AsyncGenerator<AuctionMessage, void, undefined> {
  const { signal, bidder, idleTimeoutMs, onRetry } = options;
  const position = openFeedPosition(options.lastEventId);
  const path = apiPath(settings, fillPath("/auctions/{auction_id}/events", { auction_id: id }));
  const access = bidder ? accessOf(settings, bidder, {}) : {};
  while (!signal?.aborted) {
    let retryAfterMs = 0;
    try {
      for await (const { id: eventId = "", data } of readEventStream(
        settings,
        path,
        { query: {}, idleTimeoutMs, signal, access, isOnlyWay: true },
        position,
      )) {
        if (signal?.aborted) return;
        if (data === undefined) continue;
        const message = messageOf(eventId, JSON.parse(data));
        position.moveTo(eventId);
        yield message;
        if (isLast(message)) return;
      }
    } catch (error) {
      if (signal?.aborted) return;
      const failure =
        error instanceof TenderhallError
          ? error
          : connectionError("Following the auction", new URL(settings.url), error, undefined);
      if (!isTransient(failure.status) || position.failures() >= (options.retries ?? Number.POSITIVE_INFINITY))
        throw failure;
      onRetry?.(error);
      retryAfterMs = failure.retryAfterMs;
    }
    const firstMs = position.retryMs() ?? settings.retries.initialDelayMs;
    const delays = { ...settings.retries, initialDelayMs: firstMs, maxDelayMs: MAX_RETRY_DELAY_MS };
    await pause(retryDelayMs(position.recordFailure(), delays, retryAfterMs), signal).catch(() => {});
  }
}

/** Only changes have a kind. */
const messageOf = (id: string, data: LiveAuction | LiveAuctionEvent): AuctionMessage =>
  "kind" in data ? { id, event: data } : { id, snapshot: data };

/** Whether nothing can change after this message: the auction is cancelled, or it has ended and names are public. */
function isLast(message: AuctionMessage): boolean {
  if ("event" in message) return message.event.kind === "names" || message.event.kind === "cancelled";
  const { status, offers } = message.snapshot;
  return status === "cancelled" || (status === "ended" && offers.some(({ name }) => name !== undefined));
}
