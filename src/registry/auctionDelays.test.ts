import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { BIDDER, OWNER, RIVAL, zone } from "../../test/support/decisions.ts";
import { DEADLINE, placeBid, START, sent, TENDERING, tenderFields } from "../../test/support/domainCommands.ts";
import { DEFAULT_PLANNING } from "../domain/auctions/planning.ts";
import { DEFAULT_AUCTION_SETTINGS } from "../domain/auctions/tenderAuctions.ts";
import { MINUTE, SECOND } from "../domain/values/time.ts";
import { openSqlite } from "../store/sqlite/sqlite.ts";
import type { Store } from "../store/store.ts";
import { openRegistry, type Registry } from "./registry.ts";

const limits = { bidsPerAccountMax: 10, bidBytesPerAccountMax: 1e6, tenderBytesMax: 1e6, storedBytesMax: 1e7 };

/** A registry with a clock that the test moves, whose store can be made to fail. */
function open() {
  const dataDir = mkdtempSync(join(tmpdir(), "tenderhall-delays-"));
  const clock = { now: START };
  const database = openSqlite({ dataDir, clock: () => clock.now, recentBytesMax: 1e6 });
  const fault = { writesUntil: Number.POSITIVE_INFINITY };
  const write: Store["write"] = (id, decision, keys) => {
    fault.writesUntil -= 1;
    return fault.writesUntil < 0 ? Promise.reject(new Error("the disk is gone")) : database.write(id, decision, keys);
  };
  const store: Store = { ...database, write };
  const counts = { interruptions: 0, planFailures: 0 };
  const failures: unknown[] = [];
  const start = (isServer = true): Registry =>
    openRegistry({
      ...{ store, zone, sandbox: false, limits, runsTimer: false, isServer },
      auctions: { planning: DEFAULT_PLANNING, settings: DEFAULT_AUCTION_SETTINGS },
      auctionObserver: {
        onInterruption: () => (counts.interruptions += 1),
        onPlanFailure: () => (counts.planFailures += 1),
      },
      onTickFailure: (error) => failures.push(error),
    });
  const registry = start();
  after(async () => {
    await registry.stop();
    await database.close();
    rmSync(dataDir, { recursive: true, force: true });
  });
  async function publish(): Promise<string> {
    const created = await registry.publish({ procedure: "belowThreshold", sent: sent(tenderFields({})) }, OWNER);
    assert.ok(created !== "moved" && "ok" in created && created.ok);
    return created.value.tender.id;
  }
  return { clock, store, fault, counts, failures, registry, start, publish };
}

describe("a delay of auctions", () => {
  it("is a plan that could not be made, until it is made", async () => {
    const { clock, fault, counts, failures, registry, publish } = open();
    const id = await publish();
    clock.now = TENDERING;
    // The first write begins tendering, the second is the plan.
    fault.writesUntil = 1;
    await registry.tender(id);
    while (failures.length === 0) await new Promise(setImmediate);
    assert.deepEqual([counts.planFailures, (await registry.auctions.findDelays()).isPlannerLate], [1, false]);
    clock.now += 6 * SECOND;
    assert.equal((await registry.auctions.findDelays()).isPlannerLate, true);
    fault.writesUntil = Number.POSITIVE_INFINITY;
    // Any further write of the tender is followed by another attempt.
    await registry.change(id, placeBid("400000"), BIDDER);
    while ((await registry.tender(id))?.auctionPeriod?.startDate === undefined) await new Promise(setImmediate);
    assert.equal((await registry.auctions.findDelays()).isPlannerLate, false);
    assert.equal((await registry.auctions.count()).get("planned"), 1);
  });

  it("is a stage that nobody has ended for more than 5 seconds", async () => {
    const { clock, registry, publish } = open();
    const id = await publish();
    clock.now = TENDERING;
    await registry.change(id, placeBid("400000"), BIDDER);
    await registry.change(id, placeBid("410000"), RIVAL);
    clock.now = DEADLINE;
    const start = (await registry.tender(id))?.auctionPeriod?.startDate ?? assert.fail("it is planned");
    clock.now = start + 5 * SECOND - 1;
    assert.equal((await registry.auctions.findDelays()).areStagesLate, false);
    clock.now = start + 5 * SECOND;
    assert.equal((await registry.auctions.findDelays()).areStagesLate, true);
    await registry.tender(id);
    assert.equal((await registry.auctions.findDelays()).areStagesLate, false);
    assert.equal((await registry.auctions.count()).get("running"), 1);
  });
});

describe("the command of an operator", () => {
  it("does not hide an outage: the heartbeat is that of servers", async () => {
    const { clock, store, counts, registry, start, publish } = open();
    const id = await publish();
    clock.now = TENDERING;
    await registry.change(id, placeBid("400000"), BIDDER);
    await registry.change(id, placeBid("410000"), RIVAL);
    clock.now = DEADLINE;
    const begin = (await registry.tender(id))?.auctionPeriod?.startDate ?? assert.fail("it is planned");
    for (clock.now = begin; clock.now <= begin + 5 * MINUTE; clock.now += 2 * SECOND) await registry.auctions.find(id);
    const lastBeat = (await heartbeatOf(store))?.at;
    // The servers are gone. The operator looks at the auction after the first turn would have ended.
    clock.now = begin + 8 * MINUTE;
    const command = start(false);
    const seen = await command.auctions.find(id);
    assert.deepEqual([seen?.state.stages[1]?.kind, seen?.state.current], ["turn", 2]);
    const repeated = seen?.state.stages[2];
    assert.deepEqual([repeated?.kind === "turn" && repeated.bidder, repeated?.start], [1, begin + 8 * MINUTE]);
    assert.deepEqual([(await heartbeatOf(store))?.at, counts.interruptions], [lastBeat, 0]);
    // A server finds the whole outage, and gives the turn again from then on.
    clock.now = begin + 9 * MINUTE;
    const server = start();
    const found = await server.auctions.find(id);
    assert.deepEqual((await heartbeatOf(store))?.interruption, { from: lastBeat, until: clock.now });
    assert.equal(counts.interruptions, 1);
    const again = found?.state.stages[found.state.current ?? 0];
    assert.equal(again?.kind === "turn" && again.bidder, 1);
    await command.stop();
    await server.stop();
  });
});

const heartbeatOf = async ({ keyValues }: Store) =>
  (await keyValues.find({ kind: "heartbeat", id: "auctions" }))?.value;
