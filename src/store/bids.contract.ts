import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { runs } from "../../test/support/tier.ts";
import type { BidTotals } from "../domain/model/sizeLimits.ts";
import type { Bid, Tender } from "../domain/model/tender.ts";
import { bidTotalsOf } from "../domain/tender/sizeRules.ts";
import { decimal } from "../domain/values/decimal.ts";
import { tenderAfter } from "../ledger/tenderHistory.ts";
import { tenderPatch } from "../ledger/tenderPatch.ts";
import { make, type OpenTestStore, type Proof, withOpenStore } from "./store.contract.ts";
import type { BidSelection, Decision, Store, StoredTender } from "./store.ts";

/** The contract of bids, which are rows of their own: what is read of them, and what their changes write. */
export function bidsContract(name: string, open: OpenTestStore): void {
  const proves = (sentence: string, proof: Proof) => test(sentence, () => withOpenStore(open, proof));
  describe(name, () => {
    testRandomChanges(open);
    testSelections(proves);
    testLedgerRows(proves);
  });
}

const idOf = (number: number): string => number.toString(16).padStart(32, "b");
const bidOf = (number: number, amount: number): Bid => ({
  id: idOf(number),
  owner: `broker${number % 3}`,
  tokenHash: "hash",
  date: 1,
  status: "active",
  value: { amount: decimal(String(amount)) },
  tenderers: [{ name: `Постачальник ${number}` }],
  documents: [],
});

type BidCommand = {
  readonly kind: "place" | "change" | "remove" | "edit" | "clear" | "reverse";
  readonly bid: number;
  readonly amount: number;
};

/** The bids that a command needs, as few as possible. */
function neededBy({ kind, bid }: BidCommand, bids: readonly Bid[] | undefined): BidSelection {
  if (kind === "place") return { bid: bids?.some(({ id }) => id === idOf(bid)) ? idOf(bid) : undefined };
  if (kind === "change" || kind === "remove") return { bid: idOf(bid) };
  return kind === "edit" ? "none" : "all";
}

/** The bids after a command, by those that are there before it: all of them, or the one that it is about. */
function bidsAfter({ kind, bid, amount }: BidCommand, bids: readonly Bid[]): readonly Bid[] {
  const id = idOf(bid);
  if (kind === "place") return bids.some((existing) => existing.id === id) ? bids : [...bids, bidOf(bid, amount)];
  if (kind === "change") return bids.map((existing) => (existing.id === id ? bidOf(bid, amount) : existing));
  if (kind === "remove") return bids.filter((existing) => existing.id !== id);
  if (kind === "clear") return [];
  return kind === "reverse" ? bids.toReversed() : bids;
}

const satisfies = ({ bids }: StoredTender, needed: BidSelection): boolean =>
  bids === "all" ||
  needed === "none" ||
  (typeof bids === "object" && "bid" in bids && typeof needed === "object" && bids.bid === needed.bid);

/** Decides a command on as few bids as possible. */
const decisionOf =
  (command: BidCommand): Decision<void> =>
  (current, { at }) => {
    assert.ok(current);
    const needed = command.kind === "place" ? { bid: idOf(command.bid) } : neededBy(command, undefined);
    if (needed !== "none" && !satisfies(current, needed)) return { needs: needed };
    if (current.bids !== "all" && typeof current.bids === "object") assert.ok(current.bidTotals);
    const { tender } = current;
    const bids = bidsAfter(command, tender.bids);
    const isPublic = command.kind === "edit" || command.kind === "clear" || command.kind === "reverse";
    const after: Tender = {
      ...tender,
      bids,
      ...(isPublic && { title: `${command.kind} ${command.amount}`, dateModified: at }),
    };
    return { result: undefined, change: changeTo(tender, after) };
  };

function changeTo(before: Tender, tender: Tender) {
  const document = JSON.stringify({ ...tender, bids: undefined });
  const { kind, patch } = tenderPatch(before, tender);
  const change = { tender, kind, document, wakeAt: undefined, actor: "broker", act: "change bid", patch, files: [] };
  return patch === "[]" ? undefined : change;
}

const commands = fc.array(
  fc.record({
    kind: fc.constantFrom<BidCommand["kind"]>(
      "place",
      "place",
      "place",
      "change",
      "remove",
      "edit",
      "clear",
      "reverse",
    ),
    bid: fc.nat(5),
    amount: fc.nat(1000),
  }),
  { minLength: 1, maxLength: 6 },
);
/** Batches of commands that are sent at once, so that they share commits; between them the store may be reopened. */
const batches = fc.array(fc.record({ commands, reopens: fc.boolean() }), { minLength: 1, maxLength: 6 });

async function assertHolds(store: Store, id: string, bids: readonly Bid[]): Promise<void> {
  assert.deepEqual((await store.find(id))?.tender.bids, bids);
  assert.deepEqual((await store.find(id, "none"))?.tender.bids, []);
  for (let number = 0; number < 6; number++) {
    const expected = bids.filter((bid) => bid.id === idOf(number));
    assert.deepEqual((await store.find(id, { bid: idOf(number) }))?.tender.bids, expected);
  }
  for (const owner of ["broker0", "broker1", "nobody"])
    assert.deepEqual(
      (await store.find(id, { owner }))?.tender.bids,
      bids.filter((bid) => bid.owner === owner),
    );
  const totals = await store.write<BidTotals>(id, (current) =>
    current?.bidTotals || current?.bids === "all"
      ? { result: current.bidTotals ?? bidTotalsOf(current.tender.bids) }
      : { needs: { bid: undefined } },
  );
  const counted = new Map([...totals].filter(([, { count }]) => count > 0));
  assert.deepEqual(counted, bidTotalsOf(bids));
}

/** The bids of a tender, by its rows of the ledger alone. */
async function replayedBids(store: Store, id: string): Promise<readonly Bid[] | undefined> {
  let tender: Tender | undefined;
  for (const row of await store.ledger(0, 1000)) if (row.tender === id) tender = tenderAfter(tender, row);
  return tender?.bids;
}

function testRandomChanges(open: OpenTestStore): void {
  test("bids are a list in the order of their placement, whatever decisions saw of it", () =>
    fc.assert(
      fc.asyncProperty(batches, (sent) =>
        withOpenStore(open, async (first, reopen) => {
          let store = first;
          await Promise.all([make(store, "a"), make(store, "b")]);
          let bids: readonly Bid[] = [];
          for (const { commands: together, reopens } of sent) {
            await Promise.all(together.map((command) => store.write("a", decisionOf(command))));
            bids = together.reduce((before, command) => bidsAfter(command, before), bids);
            if (reopens) store = await reopen();
            await assertHolds(store, "a", bids);
            await assertHolds(store, "b", []);
            assert.deepEqual(await replayedBids(store, "a"), bids);
          }
        }),
      ),
      { numRuns: runs(20) },
    ));
}

const place = (bid: number, amount = 1): BidCommand => ({ kind: "place", bid, amount });

function testSelections(proves: (sentence: string, proof: Proof) => void): void {
  proves(
    "a bid that is removed and added again in one commit is the last, also for later decisions of it",
    async (store) => {
      await make(store, "a");
      for (const bid of [2, 0]) await store.write("a", decisionOf(place(bid)));
      const together: BidCommand[] = [
        { kind: "remove", bid: 2, amount: 0 },
        place(2),
        { kind: "reverse", bid: 0, amount: 0 },
      ];
      await Promise.all(together.map((command) => store.write("a", decisionOf(command))));
      assert.deepEqual(
        (await store.find("a"))?.tender.bids.map(({ id }) => id),
        [idOf(2), idOf(0)],
      );
    },
  );

  proves("a decision sees no bids before it asks for them, unless they are in memory", async (store, reopen) => {
    await make(store, "a");
    await store.write("a", decisionOf(place(1)));
    const reopened = await reopen();
    const seen: StoredTender["bids"][] = [];
    await reopened.write("a", (current) => {
      seen.push(current?.bids ?? "none");
      return current?.bids === "all" ? { result: undefined } : { needs: "all" };
    });
    assert.deepEqual(seen, ["none", "all"]);
  });

  proves("a decision must ask for the bids that it changes", async (store, reopen) => {
    await make(store, "a");
    const careless: Decision<void> = (current) => {
      const { tender } = current!;
      return { result: undefined, change: changeTo(tender, { ...tender, bids: [bidOf(1, 1)] }) };
    };
    await assert.rejects((await reopen()).write("a", careless), /changed bids that it had not asked for/);
  });

  proves("a change of a bid leaves the tender itself the same object", async (store) => {
    await make(store, "a");
    await store.write("a", decisionOf({ kind: "edit", bid: 0, amount: 0 }));
    await store.find("a", "none");
    const before = await store.find("a", "none");
    await store.write("a", decisionOf(place(1)));
    assert.equal((await store.find("a", "none"))?.revision, before?.revision);
    assert.deepEqual((await store.find("a", "none"))?.tender, before?.tender);
    const all = await store.find("a");
    assert.deepEqual([all?.revision, all?.bidChanges], [before?.revision, 1]);
  });

  proves("two stores on one database see each other's bids", async (store, reopen) => {
    await make(store, "a");
    for (const number of [1, 2, 3]) {
      const next = await reopen();
      await next.write("a", decisionOf(place(number)));
      assert.equal((await next.find("a"))?.tender.bids.length, number);
      assert.equal((await next.find("a"))?.tender.bids.length, number);
    }
  });
}

function testLedgerRows(proves: (sentence: string, proof: Proof) => void): void {
  proves("a bid that changes alone has rows of its own, which do not move the feed", async (store) => {
    const { dateModified } = await make(store, "a");
    await store.write("a", decisionOf(place(1)));
    await store.write("a", decisionOf({ kind: "change", bid: 1, amount: 2 }));
    await store.write("a", decisionOf({ kind: "remove", bid: 1, amount: 0 }));
    await store.write("a", decisionOf({ kind: "edit", bid: 0, amount: 0 }));
    const rows = (await store.ledger(0, 10)).map(({ kind, tender, record }) => [kind, tender, record]);
    const ofBid = ["bid", "a", idOf(1)];
    assert.deepEqual(rows, [["tender", "a", "a"], ofBid, ofBid, ofBid, ["tender", "a", "a"]]);
    const [, placed, changed, removed] = await store.ledger(0, 10);
    assert.match(placed!.patch, /^\[\{"op":"add","path":"","value":\{"id"/);
    assert.equal(changed!.patch, '[{"op":"replace","path":"/value/amount","value":"2"}]');
    assert.equal(removed!.patch, '[{"op":"remove","path":""}]');
    assert.ok((await store.find("a"))!.tender.dateModified > dateModified);
  });

  proves("the rows of one tender are read in order and in pages, with or without those of its bids", async (store) => {
    for (const id of ["a", "b"]) await make(store, id);
    const edited: BidCommand = { kind: "edit", bid: 0, amount: 0 };
    for (const command of [place(1), edited, place(2), { ...edited, amount: 1 }, place(3)])
      await Promise.all(["b", "a"].map((id) => store.write(id, decisionOf(command))));
    const rows = (await store.ledger(0, 100)).filter(({ tender }) => tender === "a");
    assert.deepEqual(
      rows.map(({ kind }) => kind),
      ["tender", "bid", "tender", "bid", "tender", "bid"],
    );
    const pages = { all: rows, tender: rows.filter(({ kind }) => kind === "tender") };
    const instants = [0, ...rows.map(({ at }) => at)];
    for (const kinds of ["all", "tender"] as const)
      for (const limit of [1, 2, 4, 10])
        for (const after of instants)
          for (const upTo of instants)
            assert.deepEqual(
              await store.ledgerOf("a", { after, upTo, limit, kinds }),
              pages[kinds].filter(({ at }) => at > after && at <= upTo).slice(0, limit),
            );
    assert.deepEqual(await store.ledgerOf("c", { after: 0, upTo: 1e15, limit: 10, kinds: "all" }), []);
  });
}
