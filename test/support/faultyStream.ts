import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** An entry of the feed. */
export type FeedItem = { readonly id: string; readonly dateModified: string; readonly title: string };

/** What the server does on one connection. */
export type ConnectionScript = (connection: StreamConnection) => void | Promise<void>;

/** A connection of a reader, for a script. */
export type StreamConnection = {
  readonly response: ServerResponse;
  /** The items after the `Last-Event-ID` of the reader. */
  readonly remaining: readonly FeedItem[];
  readonly eventOf: (item: FeedItem) => string;
  /** Sends the head of the response. */
  readonly open: () => void;
  /** Cuts the connection. */
  readonly cut: () => void;
};

/** A request that the server received. */
export type StreamRequest = { readonly lastEventId: string | undefined; readonly url: string };

/** Items with unique times. */
export const itemsOf = (count: number): readonly FeedItem[] =>
  Array.from({ length: count }, (_, i) => ({
    id: String(i).padStart(32, "0"),
    title: "Їжа 🍲",
    // One microsecond apart, across the end of daylight saving time.
    dateModified: `2026-10-25T0${i < count / 2 ? "3:59:59" : "3:00:00"}.${String(i).padStart(6, "0")}+0${i < count / 2 ? 3 : 2}:00`,
  }));

export const offsetOf = ({ id }: FeedItem): string => `1793000000.${String(Number(id)).padStart(6, "0")}`;

/** Starts a server of the stream whose n-th connection follows the n-th script; the last script is used for all further ones. */
export async function openFaultyStream(items: readonly FeedItem[], connections: readonly ConnectionScript[]) {
  const requests: StreamRequest[] = [];
  const server = createServer(async (request: IncomingMessage, response: ServerResponse) => {
    const lastEventId = request.headers["last-event-id"] as string | undefined;
    const script = connections[Math.min(requests.length, connections.length - 1)]!;
    requests.push({ lastEventId, url: request.url! });
    const from = lastEventId === undefined ? 0 : items.findIndex((item) => offsetOf(item) === lastEventId) + 1;
    await script({
      response,
      remaining: items.slice(from),
      eventOf: (item) => `id: ${offsetOf(item)}\ndata: ${JSON.stringify(item)}\n\n`,
      open: () => {
        response.writeHead(200, { "Content-Type": "text/event-stream; charset=UTF-8", "Cache-Control": "no-store" });
        response.write("retry: 1\n\n");
      },
      cut: () => request.socket.destroy(),
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: requests,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
