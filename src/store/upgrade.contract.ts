import assert from "node:assert/strict";
import { fixtureRows } from "../../test/support/schemaFixtures.ts";
import type { Bid, Tender } from "../domain/model/tender.ts";
import { bidTotalsOf } from "../domain/tender/sizeRules.ts";
import type { SearchQuery } from "../indexing/searchQuery.ts";
import { searchTermsOf } from "../indexing/words.ts";
import { replayTender } from "../ledger/tenderHistory.ts";
import type { MigrationSettings } from "./migrations/schema.ts";
import { assertCountsAll } from "./search/statistics.contract.ts";
import { edit, make } from "./store.contract.ts";
import { type BidRow, documentOfFirstPatch, type LedgerRow, type Store } from "./store.ts";
import { assertHasEntries } from "./upgradedEntries.contract.ts";

type OpenUpgraded = (migration?: MigrationSettings) => Promise<Store>;

/** The tenders of a fixture, as its own version stored them. */
function tendersIn(file: string): readonly Tender[] {
  const rows = fixtureRows(file);
  const bids = rows
    .filter(({ table }) => table === "bids")
    .map(({ row }) => row as unknown as { tender_id: string; document: string });
  return rows
    .filter(({ table }) => table === "tenders")
    .map(({ row }): Tender => {
      const firstPatch = rows.find(({ table, row: { sequence } }) => table === "ledger" && sequence === row.first_row);
      const document = row.document === "" ? documentOfFirstPatch(String(firstPatch?.row.patch)) : String(row.document);
      const tender: Tender = { bids: [], ...JSON.parse(document ?? "") };
      const ownBids = bids.filter((bid) => bid.tender_id === tender.id).map((bid): Bid => JSON.parse(bid.document));
      return ownBids.length > 0 ? { ...tender, bids: ownBids } : tender;
    });
}

/** How often the bids of an account on a tender were changed on their own, by tender and account. */
const bidChangesIn = (file: string): ReadonlyMap<string, number> =>
  new Map(
    fixtureRows(file)
      .filter(({ table }) => table === "bid_totals")
      .map(({ row }) => [`${row.tender_id} ${row.owner}`, Number(row.changes)]),
  );

/** Proves that a registry of an older schema has everything it had, and can be written to. */
export async function testUpgrade(file: string, open: OpenUpgraded): Promise<void> {
  const store = await open();
  try {
    const tenders = tendersIn(file);
    assert.ok(
      tenders.some(({ bids }) => bids.length > 1),
      "the fixture has bids",
    );
    await assertHolds(store, file);
    await assertHasEntries(store, fixtureRows(file));
    const [first] = tenders;
    await edit(store, first!.id, { title: "Changed" });
    assert.equal((await store.find(first!.id))?.tender.title, "Changed");
    assert.deepEqual((await store.find(first!.id))?.tender.bids, first!.bids);
  } finally {
    await store.close();
  }
}

/** Proves that an interrupted migration continues where it stopped, that it reports progress, and that readers wait for its end. */
export async function testInterruptedUpgrade(
  file: string,
  open: OpenUpgraded,
  openReader: () => Promise<Store>,
): Promise<void> {
  const interrupted = new Error("killed");
  const steps: number[] = [];
  const interrupt = ({ done }: { readonly done: number }) => {
    steps.push(done);
    if (steps.length === 2) throw interrupted;
  };
  await assert.rejects(open({ onMigration: interrupt, migrationBatch: 4 }), interrupted);
  await assert.rejects(openReader(), /the migration of the database is not complete: start the server on it first/);
  const store = await open({ onMigration: ({ done }) => steps.push(done), migrationBatch: 4 });
  try {
    const tenders = tendersIn(file);
    const batches = Array.from({ length: Math.ceil(tenders.length / 4) }, (_, i) =>
      Math.min(4 * (i + 1), tenders.length),
    );
    assert.deepEqual(steps, [...batches, tenders.length]);
    await assertHolds(store, file);
  } finally {
    await store.close();
  }
}

/** Proves that large tenders are migrated in batches of their own, as many of them would not fit into memory. */
export async function testLargeUpgrade(file: string, open: OpenUpgraded): Promise<void> {
  const steps: number[] = [];
  const store = await open({ onMigration: ({ done }) => steps.push(done), migrationBytes: 1 });
  try {
    const tenders = tendersIn(file);
    assert.deepEqual(steps, [...tenders.map((_, i) => i + 1), tenders.length]);
    await assertHolds(store, file);
  } finally {
    await store.close();
  }
}

async function assertHolds(store: Store, file: string): Promise<void> {
  const tenders = tendersIn(file);
  const changesBefore = bidChangesIn(file);
  for (const tender of tenders) {
    assert.deepEqual((await store.find(tender.id))?.tender, tender);
    assert.deepEqual((await store.find(tender.id, "none"))?.tender.bids, []);
    for (const bid of tender.bids) assert.deepEqual((await store.find(tender.id, { bid: bid.id }))?.tender.bids, [bid]);
  }
  const scan = await store.scan();
  try {
    const rows = await Array.fromAsync(scan.bids());
    assert.equal(
      rows.length,
      tenders.reduce((sum, { bids }) => sum + bids.length, 0),
    );
    for (const { tender, owner, count, bytes, changes } of await Array.fromAsync(scan.bidTotals())) {
      const stored = rows.filter((row) => row.tender === tender).map((row: BidRow): Bid => JSON.parse(row.document));
      assert.deepEqual({ count, bytes }, bidTotalsOf(stored).get(owner) ?? { count: 0, bytes: 0 });
      assert.equal(changes, changesBefore.get(`${tender} ${owner}`) ?? 0);
    }
    const histories = Map.groupBy(await Array.fromAsync(scan.histories(0)), ({ tender }: LedgerRow) => tender);
    for (const tender of tenders) assert.deepEqual(replayTender(histories.get(tender.id) ?? []).tender, tender);
  } finally {
    await scan.close();
  }
}

/**
 * Proves that the tenders of a registry without a search index are added to it while it is changed, also if servers are stopped in
 * between, and that everything counts once.
 */
export async function testBackfill(open: OpenUpgraded, openOther?: OpenUpgraded): Promise<void> {
  const all: SearchQuery = {
    filter: { terms: [], mode: "real" },
    ...{ sort: "newest", offset: 0, limit: 1000, facets: [] },
  };
  let store = await open();
  try {
    const listed = (await store.feed({ modes: "real", descending: false, beyond: undefined, limit: 1000 })).map(
      ({ id }) => id,
    );
    assert.ok(listed.length > 5, "the fixture has tenders");
    assert.deepEqual(await store.search(all), { ids: [], count: 0, isMore: false, facets: {}, isIncomplete: true });
    const [first = "", second = ""] = listed;
    await edit(store, first, { title: "Змінено до індексу" });
    await make(store, "new", { status: "complete", title: "Новий" });
    assert.deepEqual((await store.search(all)).ids, ["new"]);
    const { done: firstDone, total } = (await store.backfillIndex(2)) ?? { done: 0, total: 0 };
    await store.close();
    store = await open();
    await edit(store, second, { title: "Змінено після перезапуску" });
    // A batch may have fewer tenders, as its time is limited.
    const progress = (await store.backfillIndex(2)) ?? { done: 0, total: 0 };
    assert.ok(0 < firstDone && firstDone < progress.done && progress.done <= 4);
    assert.equal(progress.total, total);
    const others = openOther ? [await openOther(), await openOther()] : [];
    while ((await Promise.all([store, ...others].map((server) => server.backfillIndex(3)))).some(Boolean));
    for (const other of others) await other.close();
    await edit(store, listed.at(-1) ?? "", { title: "Змінено в індексі" });
    const result = await store.search(all);
    assert.deepEqual([...result.ids].sort(), [...listed, "new"].sort());
    assert.equal(result.isIncomplete, undefined);
    assert.deepEqual(
      (await store.search({ ...all, filter: { terms: searchTermsOf("змінено"), mode: "real" } })).count,
      3,
    );
    await assertCountsAll(store);
  } finally {
    await store.close();
  }
}
