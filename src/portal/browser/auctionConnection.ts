import {
  type AuctionEventMessage,
  type AuctionSnapshotMessage,
  CHANGE_EVENT,
  readEventMessage,
  readSnapshotMessage,
  SNAPSHOT_EVENT,
} from "../auctions/auctionStream.ts";

/** The stream of an auction. */

export type ConnectionState = "connecting" | "live" | "lost" | "over";

export type ConnectionHandlers = {
  readonly onState: (state: ConnectionState) => void;
  readonly onSnapshot: (message: AuctionSnapshotMessage) => void;
  /** Returns whether the event could be applied; otherwise a snapshot is requested. */
  readonly onEvent: (id: string, message: AuctionEventMessage) => boolean;
};

export type AuctionConnection = {
  /** Connects anew, and begins with a snapshot. */
  readonly reconnect: () => void;
  /** Ends the connection for good. */
  readonly close: () => void;
};

const FIRST_RETRY_MS = 1000;
const LAST_RETRY_MS = 15_000;

/**
 * Opens the stream and keeps it open. A browser reconnects by itself after a broken connection and sends the last id; after an error
 * response it gives up, so this tries again with growing pauses.
 */
export function openConnection(url: string, { onState, onSnapshot, onEvent }: ConnectionHandlers): AuctionConnection {
  let source: EventSource | undefined;
  let retryTimer: ReturnType<typeof setTimeout> | undefined;
  let retryMs = FIRST_RETRY_MS;

  function connect(): void {
    stop();
    const opened = new EventSource(url);
    source = opened;
    opened.onopen = () => {
      retryMs = FIRST_RETRY_MS;
      onState("live");
    };
    opened.onerror = () => {
      onState("lost");
      if (opened.readyState === EventSource.CLOSED && source === opened) retryLater();
    };
    opened.addEventListener(SNAPSHOT_EVENT, ({ data }: MessageEvent<string>) => {
      onState("live");
      onSnapshot(readSnapshotMessage(data));
    });
    opened.addEventListener(CHANGE_EVENT, ({ data, lastEventId }: MessageEvent<string>) => {
      if (source === opened && !onEvent(lastEventId, readEventMessage(data))) connect();
    });
  }

  function stop(): void {
    clearTimeout(retryTimer);
    source?.close();
    source = undefined;
  }

  function retryLater(): void {
    // After a restart of the service, not all pages must come back at the same moment.
    retryTimer = setTimeout(connect, retryMs * (0.5 + Math.random() / 2));
    retryMs = Math.min(LAST_RETRY_MS, retryMs * 2);
  }

  onState("connecting");
  connect();
  return {
    reconnect: () => {
      onState("lost");
      connect();
    },
    close: () => {
      stop();
      onState("over");
    },
  };
}
