import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { describe, it, type TestContext } from "node:test";
import {
  type ConnectionScript,
  type FeedItem,
  itemsOf,
  offsetOf,
  openFaultyStream,
} from "../../test/support/faultyStream.ts";
import { microsecondsOf } from "./feedPosition.ts";
import { type FollowOptions, openClient, TenderhallError } from "./index.ts";

const items = itemsOf(200);

/** Follows a stream that behaves as scripted, connection by connection, until `count` changes have come. */
async function followStream(
  t: TestContext,
  connections: readonly ConnectionScript[],
  options: FollowOptions = {},
  count = items.length,
) {
  const stream = await openFaultyStream(items, connections);
  t.after(stream.stop);
  const client = openClient({ url: stream.url, retries: { initialDelayMs: 1, max: 0 } });
  const receivedIds: string[] = [];
  const offsets: string[] = [];
  for await (const { id, offset } of client.follow(options)) {
    receivedIds.push(id);
    offsets.push(offset);
    if (receivedIds.length === count) break;
  }
  return { receivedIds, offsets, requests: stream.requests };
}

const idsOf = (feedItems: readonly FeedItem[]) => feedItems.map(({ id }) => id);

/** Sends all remaining items and keeps the connection open. */
const sendAll: ConnectionScript = ({ open, remaining, eventOf, response }) => {
  open();
  response.write(remaining.map(eventOf).join(""));
};

/** Writes the text and resolves when it has been handed to the operating system. */
const writeText = (response: ServerResponse, text: string) =>
  new Promise<void>((resolve) => response.write(text, () => resolve()));

/** Sends so many bytes of the remaining items and cuts the connection. */
const cutAfter =
  (bytes: number): ConnectionScript =>
  async ({ open, remaining, eventOf, response, cut }) => {
    open();
    await writeText(response, remaining.map(eventOf).join("").slice(0, bytes));
    cut();
  };

/** Sends all remaining items in chunks of varying size, with CRLF line ends and comments. */
const sendInChunks: ConnectionScript = async ({ open, remaining, eventOf, response }) => {
  open();
  const bytes = Buffer.from(
    `: heartbeat\n\n${remaining.map(eventOf).join(": heartbeat\r\n")}`
      .replaceAll("\n", "\r\n")
      .replaceAll("\r\r", "\r"),
  );
  for (let at = 0, size = 1; at < bytes.length; at += size, size = (size * 7) % 97 || 1) {
    response.write(bytes.subarray(at, at + size));
    if (size % 5 === 0) await new Promise(setImmediate);
  }
};

/** Ignores the requested offset and sends every item twice. */
const sendAllTwice: ConnectionScript = ({ open, eventOf, response }) => {
  open();
  response.write(items.flatMap((item) => [eventOf(item), eventOf(item)]).join(""));
};

const respondWith =
  (status: number): ConnectionScript =>
  ({ response }) => {
    response.writeHead(status, { "Content-Type": "application/json" }).end('{"status":"error","errors":[]}');
  };

describe("client.follow", () => {
  it("yields every item once, with the offset to resume from", async (t) => {
    const { receivedIds, offsets } = await followStream(t, [sendAll]);
    assert.deepEqual(receivedIds, idsOf(items));
    assert.deepEqual(offsets, items.map(offsetOf));
  });

  it("resumes where it was when the connection is cut, also in the middle of an event", async (t) => {
    const { receivedIds, requests } = await followStream(t, [...[1, 40, 500, 777, 5000, 123].map(cutAfter), sendAll]);
    assert.deepEqual(receivedIds, idsOf(items));
    assert.equal(requests[0]!.lastEventId, undefined);
    assert.ok(requests.at(-1)!.lastEventId);
  });

  it("handles chunks of any size, CRLF line ends, comments and multi-byte characters", async (t) => {
    assert.deepEqual((await followStream(t, [sendInChunks])).receivedIds, idsOf(items));
  });

  it("yields nothing twice when the registry sends items twice", async (t) => {
    const { receivedIds } = await followStream(t, [cutAfter(3000), sendAllTwice]);
    assert.deepEqual(receivedIds, idsOf(items));
  });

  it("reconnects after transient errors", async (t) => {
    const { receivedIds } = await followStream(t, [
      ...[503, 502, 429].map(respondWith),
      cutAfter(900),
      respondWith(503),
      sendAll,
    ]);
    assert.deepEqual(receivedIds, idsOf(items));
  });

  it("reconnects when an event is not JSON", async (t) => {
    const broken: ConnectionScript = ({ open, remaining, eventOf, response }) => {
      open();
      response.write(`${eventOf(remaining[0]!)}id: 1\ndata: {"id"\n\n`);
    };
    const errors: unknown[] = [];
    const { receivedIds } = await followStream(t, [broken, sendAll], { onRetry: (error) => errors.push(error) });
    assert.deepEqual(receivedIds, idsOf(items));
    assert.ok(errors[0] instanceof SyntaxError);
  });

  it("reconnects when no data has arrived for idleTimeoutMs", async (t) => {
    const silent: ConnectionScript = ({ open, remaining, eventOf, response }) => {
      open();
      response.write(remaining.slice(0, 7).map(eventOf).join(""));
    };
    const { receivedIds, requests } = await followStream(t, [silent, () => {}, sendAll], { idleTimeoutMs: 500 });
    assert.deepEqual(receivedIds, idsOf(items));
    assert.equal(requests[1]!.lastEventId, offsetOf(items[6]!));
  });

  it("throws errors that are not transient", async (t) => {
    for (const status of [401, 403, 422])
      await assert.rejects(
        followStream(t, [respondWith(status)]),
        (error) => error instanceof TenderhallError && error.status === status,
      );
  });

  it("throws after `retries` failures in a row, when streaming and when polling", async (t) => {
    const failures: unknown[] = [];
    const options = { retries: 2, pollMs: 1, onRetry: (error: unknown) => failures.push(error) };
    const sendAllAndCut: ConnectionScript = async ({ open, remaining, eventOf, response, cut }) => {
      open();
      await writeText(response, remaining.map(eventOf).join(""));
      cut();
    };
    const connections = [respondWith(503), sendAllAndCut, respondWith(503), respondWith(502)];
    await assert.rejects(followStream(t, connections, options, 1e9), { name: "TenderhallError", status: 502 });
    assert.equal(failures.length, 3);
    const unreachable = openClient({ url: "http://127.0.0.1:1", retries: { initialDelayMs: 1 } });
    for (const push of [true, false]) {
      failures.length = 0;
      await assert.rejects(unreachable.follow({ ...options, push }).next(), { name: "TenderhallError", status: 0 });
      assert.equal(failures.length, 2);
    }
  });

  it("starts at `offset` and sends the filters and fields", async (t) => {
    const offset = offsetOf(items[99]!);
    const options = {
      offset,
      status: ["complete", "cancelled"],
      opt_fields: ["title", "status"],
      value_min: 5,
    } as const;
    const { receivedIds, requests } = await followStream(t, [sendAll], options, 100);
    assert.deepEqual(receivedIds, idsOf(items.slice(100)));
    assert.equal(
      requests[0]!.url,
      `/api/2.5/tenders/stream?offset=${offset}&status=complete%2Ccancelled&opt_fields=title%2Cstatus&value_min=5`,
    );
  });

  it("moves its position by events that have only an id", async (t) => {
    const idOnly: ConnectionScript = async ({ open, response, cut }) => {
      open();
      await writeText(response, `id: ${offsetOf(items[149]!)}\n\n`);
      cut();
    };
    assert.deepEqual((await followStream(t, [idOnly, sendAll], {}, 50)).receivedIds, idsOf(items.slice(150)));
  });

  it("ends without an error when its signal is aborted while it waits for an event", async (t) => {
    const stream = await openFaultyStream(items, [sendAll]);
    t.after(stream.stop);
    const controller = new AbortController();
    const receivedIds: string[] = [];
    for await (const { id } of openClient({ url: stream.url }).follow({ signal: controller.signal })) {
      receivedIds.push(id);
      if (receivedIds.length === items.length) setImmediate(() => controller.abort());
    }
    assert.deepEqual(receivedIds, idsOf(items));
  });

  it("ends without an error when its signal is aborted before a retry", { timeout: 30_000 }, async (t) => {
    const controller = new AbortController();
    const retryLater: ConnectionScript = ({ response }) => void response.writeHead(503, { "Retry-After": "60" }).end();
    const options = { signal: controller.signal, onRetry: () => setImmediate(() => controller.abort()) };
    const { receivedIds, requests } = await followStream(t, [retryLater], options);
    assert.deepEqual([receivedIds.length, requests.length], [0, 1]);
  });

  it("yields nothing after its signal is aborted, even if more items have arrived", async (t) => {
    const stream = await openFaultyStream(items, [sendAll]);
    t.after(stream.stop);
    const controller = new AbortController();
    const receivedIds: string[] = [];
    for await (const { id } of openClient({ url: stream.url }).follow({ signal: controller.signal })) {
      receivedIds.push(id);
      if (receivedIds.length === 3) controller.abort();
    }
    assert.equal(receivedIds.length, 3);
  });

  it("closes the connection when the loop is left", async (t) => {
    const closed = Promise.withResolvers<void>();
    const sendAllAndWatch: ConnectionScript = (connection) => {
      void sendAll(connection);
      connection.response.on("close", closed.resolve);
    };
    await followStream(t, [sendAllAndWatch], {}, 3);
    await closed.promise;
  });
});

describe("microsecondsOf", () => {
  it("is exact to the microsecond in any time zone", () => {
    const times = [
      "2026-10-25T03:59:59.999999+03:00",
      "2026-10-25T03:00:00+02:00",
      "2026-10-25T01:00:00.000001Z",
      "2026-10-25T03:00:00.1+02:00",
    ];
    const microseconds = times.map(microsecondsOf);
    assert.deepEqual(
      microseconds.map((at) => at - microseconds[0]!),
      [0, 1, 2, 100_001],
    );
  });
});
