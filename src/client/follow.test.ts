import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
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

async function followed(
  t: TestContext,
  connections: readonly ConnectionScript[],
  wishes: FollowOptions = {},
  count = items.length,
) {
  const stream = await openFaultyStream(items, connections);
  t.after(stream.stop);
  const client = openClient({ url: stream.url, retries: { initialDelayMs: 1, max: 0 } });
  const given: string[] = [];
  const offsets: string[] = [];
  for await (const { id, offset } of client.follow(wishes)) {
    given.push(id);
    offsets.push(offset);
    if (given.length === count) break;
  }
  return { given, offsets, asked: stream.asked };
}

const ids = (some: readonly FeedItem[]) => some.map(({ id }) => id);

/** Everything that is left, then silence. */
const whole: ConnectionScript = ({ open, remaining: rest, eventOf, response }) => {
  open();
  response.write(rest.map(eventOf).join(""));
};

/** So many bytes of what is left, and then the line is dead. */
const cutAfter =
  (bytes: number): ConnectionScript =>
  async ({ open, remaining: rest, eventOf, response, cut }) => {
    open();
    response.write(rest.map(eventOf).join("").slice(0, bytes));
    await pause(5);
    cut();
  };

const garbled: ConnectionScript = async ({ open, remaining: rest, eventOf, response }) => {
  open();
  const bytes = Buffer.from(
    `: heart-beat\n\n${rest.map(eventOf).join(": heart-beat\r\n")}`.replaceAll("\n", "\r\n").replaceAll("\r\r", "\r"),
  );
  for (let at = 0, size = 1; at < bytes.length; at += size, size = (size * 7) % 97 || 1) {
    response.write(bytes.subarray(at, at + size));
    if (size % 5 === 0) await pause(0);
  }
};

const repeating: ConnectionScript = ({ open, eventOf, response }) => {
  open();
  // From the beginning, whatever was asked for, and everything twice.
  response.write(items.flatMap((item) => [eventOf(item), eventOf(item)]).join(""));
};

const refusing =
  (status: number): ConnectionScript =>
  ({ response }) => {
    response.writeHead(status, { "Content-Type": "application/json" }).end('{"status":"error","errors":[]}');
  };

describe("following a stream", () => {
  it("gives every item once, with the place to resume from", async (t) => {
    const { given, offsets } = await followed(t, [whole]);
    assert.deepEqual(given, ids(items));
    assert.deepEqual(offsets, items.map(offsetOf));
  });

  it("goes on where it was when the line is cut, also in the middle of an event", async (t) => {
    const { given, asked } = await followed(t, [...[1, 40, 500, 777, 5000, 123].map(cutAfter), whole]);
    assert.deepEqual(given, ids(items));
    assert.equal(asked[0]!.lastEventId, undefined);
    assert.ok(asked.at(-1)!.lastEventId);
  });

  it("is not troubled by pieces of any size, returns, comments and letters of several bytes", async (t) => {
    assert.deepEqual((await followed(t, [garbled])).given, ids(items));
  });

  it("gives nothing twice, whatever is sent twice", async (t) => {
    const { given } = await followed(t, [cutAfter(3000), repeating]);
    assert.deepEqual(given, ids(items));
  });

  it("comes back after refusals that pass", async (t) => {
    const { given } = await followed(t, [...[503, 502, 429].map(refusing), cutAfter(900), refusing(503), whole]);
    assert.deepEqual(given, ids(items));
  });

  it("comes back when what was sent is no JSON", async (t) => {
    const broken: ConnectionScript = ({ open, remaining: rest, eventOf, response }) => {
      open();
      response.write(`${eventOf(rest[0]!)}id: 1\ndata: {"id"\n\n`);
    };
    const seen: unknown[] = [];
    const { given } = await followed(t, [broken, whole], { onRetry: (error) => seen.push(error) });
    assert.deepEqual(given, ids(items));
    assert.ok(seen[0] instanceof SyntaxError);
  });

  it("comes back when the registry has fallen silent", async (t) => {
    const silent: ConnectionScript = ({ open, remaining: rest, eventOf, response }) => {
      open();
      response.write(rest.slice(0, 7).map(eventOf).join(""));
    };
    const { given, asked } = await followed(t, [silent, () => {}, whole], { silentMs: 500 });
    assert.deepEqual(given, ids(items));
    assert.equal(asked[1]!.lastEventId, offsetOf(items[6]!));
  });

  it("throws refusals that stay", async (t) => {
    for (const status of [401, 403, 422])
      await assert.rejects(
        followed(t, [refusing(status)]),
        (error) => error instanceof TenderhallError && error.status === status,
      );
  });

  it("gives up after as many failures in a row as wanted, by pushes and by pages", async (t) => {
    const failures: unknown[] = [];
    const wishes = { retries: 2, pollMs: 1, onRetry: (error: unknown) => failures.push(error) };
    const cutting: ConnectionScript = async (line) => {
      await whole(line);
      await pause(5);
      line.cut();
    };
    const lines = [refusing(503), cutting, refusing(503), refusing(502)];
    await assert.rejects(followed(t, lines, wishes, 1e9), { name: "TenderhallError", status: 502 });
    assert.equal(failures.length, 3);
    const nowhere = openClient({ url: "http://127.0.0.1:1", retries: { initialDelayMs: 1 } });
    for (const push of [true, false]) {
      failures.length = 0;
      await assert.rejects(nowhere.follow({ ...wishes, push }).next(), { name: "TenderhallError", status: 0 });
      assert.equal(failures.length, 2);
    }
  });

  it("begins at the offset that it is given, with the filters and fields it is asked for", async (t) => {
    const offset = offsetOf(items[99]!);
    const wishes = {
      offset,
      status: ["complete", "cancelled"],
      opt_fields: ["title", "status"],
      value_min: 5,
    } as const;
    const { given, asked } = await followed(t, [whole], wishes, 100);
    assert.deepEqual(given, ids(items.slice(100)));
    assert.equal(
      asked[0]!.url,
      `/api/2.5/tenders/stream?offset=${offset}&status=complete%2Ccancelled&opt_fields=title%2Cstatus&value_min=5`,
    );
  });

  it("moves on by ids without items", async (t) => {
    const quiet: ConnectionScript = async ({ open, response, cut }) => {
      open();
      response.write(`id: ${offsetOf(items[149]!)}\n\n`);
      await pause(5);
      cut();
    };
    assert.deepEqual((await followed(t, [quiet, whole], {}, 50)).given, ids(items.slice(150)));
  });

  it("ends quietly by its signal, while it waits for an event and while it waits to come back", async (t) => {
    for (const connection of [whole, refusing(503)]) {
      const { given } = await followed(t, [connection], { signal: AbortSignal.timeout(300) }, 1e9);
      assert.deepEqual(given, connection === whole ? ids(items).slice(0, given.length) : []);
    }
  });

  it("gives nothing more once its signal has said so, whatever has come already", async (t) => {
    const stream = await openFaultyStream(items, [whole]);
    t.after(stream.stop);
    const controller = new AbortController();
    const given: string[] = [];
    for await (const { id } of openClient({ url: stream.url }).follow({ signal: controller.signal })) {
      given.push(id);
      if (given.length === 3) controller.abort();
    }
    assert.equal(given.length, 3);
  });

  it("lets the line go when the loop is left", async (t) => {
    let closed = false;
    const watched: ConnectionScript = (line) => {
      void whole(line);
      line.response.on("close", () => {
        closed = true;
      });
    };
    await followed(t, [watched], {}, 3);
    for (let i = 0; i < 100 && !closed; i++) await pause(10);
    assert.ok(closed);
  });
});

describe("the time of a change", () => {
  it("is told apart to the microsecond, in any zone", () => {
    const times = [
      "2026-10-25T03:59:59.999999+03:00",
      "2026-10-25T03:00:00+02:00",
      "2026-10-25T01:00:00.000001Z",
      "2026-10-25T03:00:00.1+02:00",
    ];
    const told = times.map(microsecondsOf);
    assert.deepEqual(
      told.map((at) => at - told[0]!),
      [0, 1, 2, 100_001],
    );
  });
});
