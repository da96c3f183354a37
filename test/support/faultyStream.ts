import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A stream of changes as the registry sends it, over a line that does its worst. */

export type Item = { readonly id: string; readonly dateModified: string; readonly title: string };

/** What happens to one connection: what is sent is up to it. */
export type Connection = (line: Line) => void | Promise<void>;

export type Line = {
  readonly response: ServerResponse;
  /** The items after the place that the reader names. */
  readonly rest: readonly Item[];
  readonly eventOf: (item: Item) => string;
  readonly open: () => void;
  readonly cut: () => void;
};

export type Asked = { readonly lastEventId: string | undefined; readonly url: string };

export const itemsOf = (count: number): readonly Item[] =>
  Array.from({ length: count }, (_, i) => ({
    id: String(i).padStart(32, "0"),
    title: "Їжа 🍲",
    // Microseconds apart, over the change of the hour's length.
    dateModified: `2026-10-25T0${i < count / 2 ? "3:59:59" : "3:00:00"}.${String(i).padStart(6, "0")}+0${i < count / 2 ? 3 : 2}:00`,
  }));

export const offsetOf = ({ id }: Item): string => `1793000000.${String(Number(id)).padStart(6, "0")}`;

export async function openFaultyStream(items: readonly Item[], connections: readonly Connection[]) {
  const asked: Asked[] = [];
  const server = createServer(async (request: IncomingMessage, response: ServerResponse) => {
    const lastEventId = request.headers["last-event-id"] as string | undefined;
    const turn = connections[Math.min(asked.length, connections.length - 1)]!;
    asked.push({ lastEventId, url: request.url! });
    const from = lastEventId === undefined ? 0 : items.findIndex((item) => offsetOf(item) === lastEventId) + 1;
    await turn({
      response,
      rest: items.slice(from),
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
    asked,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
