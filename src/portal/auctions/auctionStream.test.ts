import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { writeAsApi } from "../../../test/support/auctionPages.ts";
import { AUCTION_START, driveAuction, initialBid } from "../../../test/support/auctions.ts";
import { EVENTS_START, eventsAfter } from "../../domain/auctions/events.ts";
import { viewAuction } from "../../domain/auctions/view.ts";
import { MINUTE } from "../../domain/values/time.ts";
import { readEventMessage, readSnapshotMessage } from "./auctionStream.ts";

const LARGE = "12345678901234567890.12";
const DEAR = { bid: "dear" };

describe("a message of the stream", () => {
  const auction = driveAuction([initialBid("cheap", "480", 1, "20/17"), initialBid("dear", LARGE, 2)]);
  auction.place(6 * MINUTE + 123_456, "dear", "400.5");
  const serverTime = AUCTION_START + 6 * MINUTE + 123_457;

  it("becomes the view of the engine again, with every digit and microsecond", () => {
    const message = { ...viewAuction(auction.state(), DEAR), serverTime };
    const text = writeAsApi("LiveAuction", message);
    assert.match(text, /"previous":\{"amount":12345678901234567890\.12,"date":"1970-01-01T03:00:00\.000002\+03:00"\}/);
    assert.deepEqual(readSnapshotMessage(text), message);
    assert.equal(readSnapshotMessage(text).own?.previous.amount, LARGE);
  });

  it("becomes the event of the engine again, whatever its kind", () => {
    const longer = driveAuction();
    longer.place(5 * MINUTE, "dear", "450");
    longer.send(5 * MINUTE, { kind: "take back price", bid: "dear" });
    longer.send(6.5 * MINUTE, {
      kind: "report interruption",
      from: AUCTION_START + 6 * MINUTE,
      until: AUCTION_START + 6.5 * MINUTE,
    });
    longer.goTo(60 * MINUTE);
    longer.send(60 * MINUTE, {
      kind: "disclose names",
      names: [
        { bid: "cheap", name: "2026-11-17T11:00:00+02:00" },
        { bid: "dear", name: "5" },
      ],
    });
    const events = eventsAfter(longer.state(), EVENTS_START, DEAR) ?? [];
    assert.equal(new Set(events.map(({ event }) => event.kind)).size, 9);
    for (const { event } of events) {
      const message = { ...event, serverTime };
      assert.deepEqual(readEventMessage(writeAsApi("LiveAuctionEvent", message)), message);
    }
  });
});
