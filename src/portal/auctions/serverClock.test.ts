import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { AUCTION_START } from "../../../test/support/auctions.ts";
import { SECOND } from "../../domain/values/time.ts";
import { openServerClock } from "./serverClock.ts";

/** The clocks of a device, which the test moves. The device is on for an hour, and its time is right. */
function openDevice() {
  let passedMs = 0;
  let errorMs = 0;
  return {
    clocks: { monotonicMs: () => 3_600_000 + passedMs, wallMs: () => AUCTION_START / 1000 + passedMs + errorMs },
    pass: (ms: number) => {
      passedMs += ms;
    },
    moveWallClock: (ms: number) => {
      errorMs += ms;
    },
  };
}

describe("the clock of an auction in a browser", () => {
  it("goes on from the time of the server, whatever happens to the clock of the device", () => {
    const device = openDevice();
    const clock = openServerClock(AUCTION_START, false, device.clocks);
    device.pass(1500);
    device.moveWallClock(-86_400_000);
    assert.equal(clock.now(), AUCTION_START + 1.5 * SECOND);
  });

  it("believes the message that was fastest", () => {
    const device = openDevice();
    // The page took two seconds to load, and the first message 200 ms.
    const clock = openServerClock(AUCTION_START - 2 * SECOND, false, device.clocks);
    clock.adjust(AUCTION_START - 0.2 * SECOND);
    assert.equal(clock.now(), AUCTION_START - 0.2 * SECOND);
    device.pass(1000);
    clock.adjust(AUCTION_START - 4 * SECOND);
    assert.equal(clock.now(), AUCTION_START + 0.8 * SECOND);
    clock.reset(AUCTION_START);
    assert.equal(clock.now(), AUCTION_START);
  });

  it("stands still between messages on a test clock, which may be days away", () => {
    const device = openDevice();
    const clock = openServerClock(AUCTION_START + 1_000_000 * SECOND, true, device.clocks);
    device.pass(60_000);
    assert.equal(clock.now(), AUCTION_START + 1_000_000 * SECOND);
    clock.adjust(AUCTION_START);
    assert.equal(clock.now(), AUCTION_START);
    assert.equal(clock.deviceErrorSeconds(), 0);
  });

  it("knows by how much the clock of the device is wrong, and forgives a slow message", () => {
    const device = openDevice();
    const clock = openServerClock(AUCTION_START, false, device.clocks);
    device.moveWallClock(9000);
    assert.equal(clock.deviceErrorSeconds(), 0);
    device.moveWallClock(-30_000);
    assert.equal(clock.deviceErrorSeconds(), 21);
  });
});
