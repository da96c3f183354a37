import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { BIDDER, OWNER, RIVAL, zone } from "../../test/support/decisions.ts";
import { DEADLINE, placeBid, START, sent, TENDERING, tenderFields } from "../../test/support/domainCommands.ts";
import { DEFAULT_PLANNING, slotsAfter } from "../domain/auctions/planning.ts";
import { DEFAULT_AUCTION_SETTINGS } from "../domain/auctions/tenderAuctions.ts";
import type { Actor } from "../domain/model/actors.ts";
import type { TenderInput } from "../domain/model/commands.ts";
import { decimal } from "../domain/values/decimal.ts";
import { DAY, dayOf, formatInstant, HOUR, type Instant, MINUTE, SECOND } from "../domain/values/time.ts";
import { openSqlite } from "../store/sqlite/sqlite.ts";
import { listMissing } from "./auctionListings.ts";
import { planForOperator } from "./auctionOperations.ts";
import { openRegistry, type Registry } from "./registry.ts";

const limits = { bidsPerAccountMax: 10, bidBytesPerAccountMax: 1e6, tenderBytesMax: 1e6, storedBytesMax: 1e7 };

const folder = mkdtempSync(join(tmpdir(), "tenderhall-auctions-"));
const closing: (() => Promise<void>)[] = [];
after(async () => {
  for (const close of closing) await close();
  rmSync(folder, { recursive: true, force: true });
});

type Setup = {
  readonly startsPerSlotMax?: number;
  readonly builtin?: boolean;
  readonly onFailure?: (error: unknown) => void;
};

const failTest = (error: unknown) => assert.fail(String(error));

/** A registry on SQLite with a clock that the test moves. Without timers: whoever reads or writes applies what is due. */
function open({ startsPerSlotMax = 10, builtin = true, onFailure = failTest }: Setup = {}) {
  const clock = { now: START };
  const store = openSqlite({
    dataDir: mkdtempSync(join(folder, "data-")),
    clock: () => clock.now,
    recentBytesMax: 1e6,
  });
  const auctions = { planning: { ...DEFAULT_PLANNING, startsPerSlotMax }, settings: DEFAULT_AUCTION_SETTINGS };
  const start = (isBuiltin = builtin, runsTimer = false): Registry =>
    openRegistry({
      ...{ store, zone, sandbox: false, limits, runsTimer },
      auctions: isBuiltin ? auctions : undefined,
      onTickFailure: onFailure,
    });
  const registry = start();
  closing.push(async () => {
    await registry.stop();
    await store.close();
  });

  async function published(fields: TenderInput = {}): Promise<string> {
    const publication = { procedure: "belowThreshold" as const, sent: sent(tenderFields(fields)) };
    return accepted(registry.publish(publication, OWNER)).then(({ tender }) => tender.id);
  }

  async function tendered(id: string, amounts: readonly string[]): Promise<readonly string[]> {
    clock.now = Math.max(clock.now, TENDERING);
    await registry.tender(id);
    const bids: string[] = [];
    for (const [i, amount] of amounts.entries()) {
      const { id: bid } = await accepted(registry.change(id, placeBid(amount), [BIDDER, RIVAL][i % 2] as Actor));
      bids.push(bid!);
    }
    return bids;
  }

  /** The tender at the start of its auction, which somebody looks at. */
  async function atStart(id: string): Promise<Instant> {
    clock.now = DEADLINE;
    const startDate = (await registry.tender(id))?.auctionPeriod?.startDate;
    assert.ok(startDate !== undefined);
    clock.now = startDate;
    assert.equal((await registry.auctions.find(id))?.state.status, "running");
    return startDate;
  }

  /** Lets time pass with the service at work, as its timers would. */
  async function pass(id: string, micros: number): Promise<void> {
    for (const end = clock.now + micros; clock.now < end; clock.now += 4 * SECOND) await registry.auctions.find(id);
  }

  return { clock, store, registry, start, published, tendered, atStart, pass };
}

async function accepted(writing: ReturnType<Registry["change"]>) {
  const result = await writing;
  assert.ok(result !== "moved" && "ok" in result && result.ok, JSON.stringify(result));
  return result.value;
}

const price = (bid: string, amount: string) => ({ kind: "place price", bid, amount: decimal(amount) }) as const;

describe("the built-in auction", () => {
  it("is planned when tendering begins, into a slot of the first working day after the deadline", async () => {
    const { clock, registry, published } = open();
    const id = await published();
    assert.equal((await registry.tender(id))?.auctionPeriod?.startDate, undefined);
    clock.now = TENDERING;
    const planned = await registry.tender(id);
    const { startDate } = (await untilPlanned(registry, id))?.auctionPeriod ?? {};
    assert.equal(planned?.status, "active.tendering");
    assert.ok(startDate !== undefined && startDate > DEADLINE);
    assert.match(formatInstant(startDate, zone), /^2026-12-01T1[1-5]:/);
    assert.deepEqual(
      (await registry.auctions.list({ limit: 10 })).map(({ auction, start, status }) => ({ auction, start, status })),
      [{ auction: id, start: startDate, status: "planned" }],
    );
  });

  it("takes durable prices in turns, and leads to awards", async () => {
    const { clock, registry, published, tendered, atStart, pass } = open();
    const id = await published();
    const [low, high] = await tendered(id, ["400000", "410000"]);
    const start = await atStart(id);
    clock.now = start + 5 * MINUTE;
    await accepted(registry.auctions.place(id, price(high!, "390000")));
    const late = await registry.auctions.place(id, price(low!, "380000"));
    assert.ok(late !== "moved" && "ok" in late && !late.ok && late.refused.kind === "rule");
    assert.equal(late.refused.rule, "not-your-turn");
    const found = await registry.auctions.find(id);
    assert.equal(found?.state.unpublished?.amount, "390000");
    assert.equal(found?.state.inputs.at(-1)?.refused, "not-your-turn");
    await pass(id, HOUR);
    const tender = await registry.tender(id);
    assert.equal(tender?.status, "active.qualification");
    assert.equal(tender?.awards[0]?.bid_id, high);
    assert.deepEqual(
      (await registry.auctions.list({ status: "ended", limit: 10 })).map(({ auction }) => auction),
      [id],
    );
  });

  it("never starts more often in a slot than is allowed", async () => {
    const { registry, published, clock } = open({ startsPerSlotMax: 1 });
    const ids: string[] = [];
    for (let i = 0; i < 12; i++) ids.push(await published());
    clock.now = TENDERING;
    await Promise.all(ids.map((id) => registry.tender(id)));
    const starts = await Promise.all(
      ids.map(async (id) => (await untilPlanned(registry, id))?.auctionPeriod?.startDate),
    );
    const slots = starts.map((start) => Math.floor(start! / (30 * MINUTE)));
    assert.equal(new Set(slots).size, 12);
    // Ten slots a day, so two of them are on the next day.
    assert.deepEqual(new Set(starts.map((start) => dayOf(start!, zone))), new Set(["2026-12-01", "2026-12-02"]));
  });

  it("gives a turn again after an outage of the whole service, to every auction that ran", async () => {
    const { clock, registry, start: startServer, published, tendered, atStart } = open();
    const id = await published();
    const [, high] = await tendered(id, ["400000", "410000"]);
    const begin = await atStart(id);
    clock.now = begin + 5 * MINUTE;
    await accepted(registry.auctions.place(id, price(high!, "390000")));
    // Nobody is there for a minute; then another server starts, and somebody looks at the auction.
    clock.now += MINUTE;
    const other = startServer();
    const found = await other.auctions.find(id);
    clock.now += 2 * MINUTE - SECOND;
    const placed = await other.auctions.place(id, price(high!, "380000"));
    await other.stop();
    assert.ok(placed !== "moved" && "ok" in placed && placed.ok, JSON.stringify(placed));
    assert.equal(found?.state.unpublished?.amount, "390000");
  });

  it("is planned again by an operator, which discards its prices", async () => {
    const { clock, registry, published, tendered, atStart } = open();
    const id = await published();
    const [, high] = await tendered(id, ["400000", "410000"]);
    clock.now = (await atStart(id)) + 5 * MINUTE;
    await accepted(registry.auctions.place(id, price(high!, "390000")));
    const start = await registry.auctions.replan(id);
    assert.ok(start !== undefined && start > clock.now);
    const found = await registry.auctions.find(id);
    assert.deepEqual(
      [found?.state.status, found?.state.unpublished, found?.tender.auctionPeriod?.startDate],
      ["planned", undefined, start],
    );
    assert.equal(await registry.auctions.replan(id, clock.now + DAY), clock.now + DAY);
    assert.equal(await registry.auctions.replan("f".repeat(32)), undefined);
  });

  it("is not planned by an operator before the end of the tender period", async () => {
    const { clock, registry, published } = open();
    const id = await published();
    clock.now = TENDERING;
    await registry.tender(id);
    await untilPlanned(registry, id);
    const start = await registry.auctions.replan(id);
    assert.ok(start !== undefined && start > DEADLINE, formatInstant(start ?? 0, zone));
    const format = { time: (at: Instant) => formatInstant(at, zone), readTime: () => DEADLINE - 1 };
    const reply = await planForOperator({ registry, format }, id, { at: "2026-11-30", force: true });
    assert.ok(!reply.ok);
    assert.match(reply.problems.join(), /before the end of the tender period/);
    assert.equal((await registry.auctions.find(id))?.state.plannedStart, start);
  });

  it("does not exist if other programs hold auctions", async () => {
    const { clock, registry, published, tendered } = open({ builtin: false });
    const id = await published();
    await tendered(id, ["400000", "410000"]);
    clock.now = DEADLINE + DAY;
    const tender = await registry.tender(id);
    assert.deepEqual([tender?.status, tender?.auctionPeriod?.startDate], ["active.auction", undefined]);
    assert.equal(await registry.auctions.find(id), undefined);
  });
});

describe("the planner", () => {
  it("lists and counts auctions that were imported without their listing when a server starts", async () => {
    const { clock, store, registry, start, published } = open({ startsPerSlotMax: 1 });
    const first = await published();
    const second = await published();
    clock.now = TENDERING;
    await registry.tender(first);
    const planned = (await untilPlanned(registry, first))?.auctionPeriod?.startDate;
    assert.ok(planned !== undefined);
    // What an import of the ledger alone does not bring.
    for (const kind of ["auction listing", "auction slots"] as const)
      for (const { id, revision } of await store.keyValues.list({ kind, limit: 10 }))
        await store.keyValues.put([{ kind, id, value: undefined, before: revision }]);
    const restarted = start(true, true);
    while ((await restarted.auctions.list({ limit: 10 })).length === 0) await new Promise(setImmediate);
    await restarted.tender(second);
    const other = (await untilPlanned(restarted, second))?.auctionPeriod?.startDate;
    await restarted.stop();
    const slotOfStart = (at: Instant | undefined) => Math.floor((at ?? 0) / (30 * MINUTE));
    assert.notEqual(slotOfStart(other), slotOfStart(planned));
  });

  it("does not list a start that was changed after the tender was read", async () => {
    const { clock, store, registry, published } = open();
    const id = await published();
    clock.now = TENDERING;
    await registry.tender(id);
    const stale = await untilPlanned(registry, id);
    assert.ok(stale);
    const start = await registry.auctions.replan(id, DEADLINE + 5 * DAY);
    assert.deepEqual(await listMissing(store, stale), []);
    assert.deepEqual(
      (await registry.auctions.list({ limit: 10 })).map((listed) => listed.start),
      [start],
    );
  });

  it("plans nothing, rather than too many starts, if every slot of 1,000 days is taken", async () => {
    const failures: string[] = [];
    const { clock, store, registry, published } = open({
      startsPerSlotMax: 1,
      onFailure: (error) => void failures.push(String(error)),
    });
    const id = await published();
    const writes = new Map<string, { readonly [slot: string]: number }>();
    for (const from of [START, START + 1000 * DAY])
      for (const slot of slotsAfter(from, { ...DEFAULT_PLANNING, startsPerSlotMax: 1, zone }))
        writes.set(dayOf(slot, zone), { ...writes.get(dayOf(slot, zone)), [slot]: 1 });
    await store.keyValues.put(
      [...writes].map(([day, value]) => ({
        kind: "auction slots" as const,
        id: day,
        before: 0,
        value,
      })),
    );
    clock.now = TENDERING;
    await registry.tender(id);
    await registry.stop();
    assert.match(failures.join(), /there is no free slot/);
    assert.equal((await store.find(id, "none"))?.tender.auctionPeriod?.startDate, undefined);
  });

  it("plans the auctions of tenders that already wait for one when the service begins to hold them", async () => {
    const { clock, registry, start, published, tendered } = open({ builtin: false });
    const id = await published();
    await tendered(id, ["400000", "410000"]);
    clock.now = DEADLINE + DAY;
    assert.equal((await registry.tender(id))?.status, "active.auction");
    const upgraded = start(true, true);
    const { auctionPeriod } = (await untilPlanned(upgraded, id)) ?? {};
    assert.ok(auctionPeriod?.startDate !== undefined && auctionPeriod.startDate > clock.now);
    assert.equal((await upgraded.auctions.find(id))?.state.bids.length, 2);
    await upgraded.stop();
  });
});

/** The tender once it is planned, which happens right after tendering has begun. */
async function untilPlanned(registry: Registry, id: string) {
  for (;;) {
    const tender = await registry.tender(id);
    if (tender?.auctionPeriod?.startDate !== undefined) return tender;
    await new Promise(setImmediate);
  }
}
