import assert from "node:assert/strict";
import type { Readable } from "node:stream";
import { after, describe, it } from "node:test";
import { AUCTION_START, driveAuction } from "../../test/support/auctions.ts";
import { closed } from "../../test/support/scenes.ts";
import type { AuctionAudience } from "../domain/auctions/events.ts";
import { viewAuction } from "../domain/auctions/view.ts";
import { MINUTE, SECOND } from "../domain/values/time.ts";
import type { FoundAuction } from "../registry/auctions.ts";
import {
  type AuctionStreams,
  type AuctionStreamsSettings,
  type AuctionSubscription,
  openAuctionStreams,
} from "./auctionStreams.ts";

const opened: AuctionStreams[] = [];
after(() => Promise.all(opened.map((streams) => streams.close())));

const BEFORE_TURN = 5 * MINUTE;

/** Streams of one auction that the test drives. Only what the streams use of a registry exists. */
function openStage(settings: Partial<AuctionStreamsSettings> = {}) {
  const driver = driveAuction();
  const { tender } = closed(["100", "200"]);
  let reads = 0;
  let position = 0;
  const listeners = new Set<(id: string) => void>();
  const foundAuction = (): FoundAuction => ({ tender, lot: undefined, state: driver.state() });
  const registry = {
    auctions: {
      position: async () => position,
      find: async () => {
        reads += 1;
        return foundAuction();
      },
    },
    onChange: (listener: (id: string) => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    nowFor: async () => AUCTION_START,
    tender: async () => tender,
  };
  const failures: unknown[] = [];
  const streams = openAuctionStreams({
    // The streams use nothing else of the registry.
    registry: registry as unknown as AuctionStreamsSettings["registry"],
    clock: () => AUCTION_START,
    render: {
      view: ({ state }, audience) => JSON.stringify(viewAuction(state, audience)),
      event: ({ event }) => JSON.stringify(event),
      time: String,
    },
    ...{ max: 1000, maxPerClient: 0, heartbeatMs: 60_000, onFailure: (error) => failures.push(error) },
    ...settings,
  });
  const open = (audience: AuctionAudience = "everyone", more: Partial<AuctionSubscription> = {}): Readable => {
    const stream = streams.open({
      ...{ auction: foundAuction(), now: AUCTION_START, audience, lastEventId: undefined, clients: [] },
      ...{ isAuthorized: () => true, linkNumber: undefined },
      ...more,
    });
    assert.ok(typeof stream === "object", String(stream));
    return stream;
  };
  /** Tells the streams that the auction has changed, as the registry does after a write; waits until they have read it. */
  const notify = async () => {
    position += 1;
    for (const listener of listeners) listener(tender.id);
    await new Promise((resolve) => setImmediate(resolve));
  };
  opened.push(streams);
  return { ...driver, streams, open, notify, failures, readCount: () => reads };
}

/** Collects what a stream sends. */
function textOf(stream: Readable): () => string {
  let text = "";
  stream.on("data", (chunk) => {
    text += chunk;
  });
  return () => text;
}

describe("the streams of an auction", () => {
  it("share one read of the auction for each change, however many there are", async () => {
    const { open, notify, goTo, readCount, streams } = openStage();
    const texts = Array.from({ length: 100 }, () => textOf(open()));
    await notify();
    const before = readCount();
    goTo(BEFORE_TURN);
    await notify();
    assert.equal(readCount() - before, 1);
    for (const text of texts) assert.match(text(), /event: snapshot[\s\S]*"kind":"begun"[\s\S]*"kind":"stage"/);
    assert.equal(streams.count(), 100);
    await streams.close();
    assert.equal(streams.count(), 0);
  });

  it("hold at most one chunk for a reader that does not read, which gets the present state when it does", async () => {
    const { open, notify, goTo, place, send } = openStage();
    goTo(BEFORE_TURN);
    const stalled = open({ bid: "dear" });
    const reader = textOf(open({ bid: "dear" }));
    await notify();
    for (let i = 0; i < 500; i++) {
      place(BEFORE_TURN + i, "dear", "400");
      if (i % 2 === 0) send(BEFORE_TURN + i, { kind: "take back price", bid: "dear" });
      await notify();
    }
    assert.equal(reader().match(/"kind":"price placed"/g)?.length, 500);
    assert.ok(stalled.readableLength < 10_000, String(stalled.readableLength));
    const late = textOf(stalled);
    for (let step = 0; step < 100 && !late().includes("snapshot"); step++) await notify();
    assert.match(late(), /event: snapshot[\s\S]*"unpublished":\{"amount":"400"/);
    assert.doesNotMatch(late(), /event: change/);
  });

  it("go on after the last event that a client has received, without a snapshot", async () => {
    const { open, notify, goTo, state } = openStage();
    goTo(BEFORE_TURN);
    const { lastEvent } = viewAuction(state(), "everyone");
    const resumed = textOf(open("everyone", { lastEventId: lastEvent }));
    await notify();
    assert.doesNotMatch(resumed(), /snapshot/);
    goTo(BEFORE_TURN + 2 * MINUTE + SECOND);
    await notify();
    assert.match(resumed(), /"kind":"turn result"/);
  });
});
