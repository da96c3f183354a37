import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { bidsContract } from "./bids.contract.ts";
import { facetsOf } from "./facets.ts";
import { keyValuesContract } from "./keyValues.contract.ts";
import { fullTextContract } from "./search/fullText.contract.ts";
import { searchRowOf } from "./search/searchRows.ts";
import { statisticsContract } from "./search/statistics.contract.ts";
import { searchContract } from "./search.contract.ts";
import { edit, make, type OpenTestStore, type Proof, storeContract, withOpenStore } from "./store.contract.ts";
import type { PastChange, Position, Scan, Store } from "./store.ts";

/** The part of the contract that backup, import and verification use: appending past changes, scans, and secrets. */
export function historyContract(name: string, open: OpenTestStore): void {
  const proves = (sentence: string, proof: Proof) => test(sentence, () => withOpenStore(open, proof));
  describe(`${name}: past changes, scans and secrets`, () => {
    testAppend(proves, open);
    testScan(proves);
    testSecrets(proves);
  });
}

/** All contracts of a store. */
export function allContracts(name: string, open: OpenTestStore): void {
  storeContract(name, open);
  bidsContract(name, open);
  searchContract(name, open);
  fullTextContract(name, open);
  statisticsContract(name, open);
  historyContract(name, open);
  keyValuesContract(name, open);
}

type Proves = (sentence: string, proof: Proof) => void;

/** All rows of a store as past changes, with the states before and after them, as an import appends them. */
async function pastOf(store: Store): Promise<readonly PastChange[]> {
  const last = new Map<string, PastChange["before"]>();
  return (await store.ledger(0, 1000)).map(({ sequence, at, tender: id, actor, act, patch }) => {
    const before = last.get(id);
    const fields = Object.fromEntries(
      (JSON.parse(patch) as { path: string; value: unknown }[]).map(({ path, value }) => [path.slice(1), value]),
    );
    const tender = before ? { ...before.tender, ...fields } : (fields[""] as NonNullable<typeof before>["tender"]);
    last.set(id, { tender, revision: (before?.revision ?? 0) + 1, bids: "all" });
    const change = { tender, document: JSON.stringify(tender), wakeAt: tender.date, actor, act, patch, files: [] };
    return { sequence, at, change, before, assigned: { day: "2026-01-15", number: sequence } };
  });
}

async function writeSamples(store: Store): Promise<void> {
  await make(store, "b", { title: "first" }, { actor: "broker", act: "publish" });
  await make(store, "a", { status: "draft" });
  await edit(store, "b", { title: "second" });
  await edit(store, "a", { status: "complete" });
  await edit(store, "b", { title: "third", mode: "test" });
}

async function collect<Row>(rows: AsyncIterable<Row>): Promise<readonly Row[]> {
  return Array.fromAsync(rows);
}

async function withScan<Result>(store: Store, read: (scan: Scan) => Promise<Result>): Promise<Result> {
  const scan = await store.scan();
  return read(scan).finally(scan.close);
}

const scanAll = (store: Store) =>
  withScan(store, async (scan) => ({
    position: scan.position,
    positions: await collect(scan.positions()),
    histories: await collect(scan.histories(0)),
    tenders: await collect(scan.tenders()),
    files: await collect(scan.files()),
    statuses: await scan.statuses(),
  }));

function testAppend(proves: Proves, open: OpenTestStore): void {
  const provesOnCopy = (
    sentence: string,
    proof: (past: readonly PastChange[], store: Store, reopen: () => Promise<Store>) => Promise<void>,
  ) =>
    proves(sentence, async (source) => {
      await writeSamples(source);
      const past = await pastOf(source);
      await withOpenStore(open, (store, reopen) => proof(past, store, reopen));
    });

  proves(
    "appending the rows of another store results in the same ledger and tenders, also after the store is reopened",
    async (source) => {
      await writeSamples(source);
      const past = await pastOf(source);
      await withOpenStore(open, async (store, reopen) => {
        await store.append(past.slice(0, 2));
        await store.append(past.slice(2));
        const agrees = async (candidate: Store) => {
          assert.deepEqual(await candidate.ledger(0, 10), await source.ledger(0, 10));
          for (const id of ["a", "b"]) assert.deepEqual(await candidate.find(id), await source.find(id));
          assert.deepEqual(await candidate.countByStatus(), await source.countByStatus());
        };
        await agrees(store);
        await agrees(await reopen());
      });
    },
  );

  provesOnCopy("further changes continue the sequence, the instants and the daily numbers", async (past, store) => {
    await store.append(past);
    const number = await store.write(undefined, (_none, { nextDailyNumber }) => ({
      result: nextDailyNumber("2026-01-15"),
    }));
    assert.equal(number, past.length + 1);
    const next = await edit(store, "b", { title: "fourth" });
    assert.ok(next.dateModified > past.at(-1)!.at);
    assert.equal(await store.position(), past.length + 1);
    assert.deepEqual((await store.find("b"))?.revision, 4);
  });

  provesOnCopy(
    "rows that leave a gap, are repeated or go back in time are rejected, and nothing is written",
    async (past, store) => {
      await store.append(past.slice(0, 1));
      const early = { ...past[1]!, at: past[0]!.at };
      for (const wrong of [past.slice(2), past.slice(0, 1), past, [early], [past[1]!, past[3]!]])
        await assert.rejects(store.append(wrong), /^Error: (the ledger ends at row \d|row \d is not later)/);
      assert.equal(await store.position(), 1);
      await store.append(past.slice(1));
    },
  );

  provesOnCopy(
    "a row that does not follow the stored revision is rejected, and nothing is written",
    async (past, store) => {
      await store.append(past.slice(0, 4));
      const mismatched = { ...past[4]!, before: { ...past[4]!.before!, revision: 7 } };
      await assert.rejects(store.append([mismatched]));
      assert.equal(await store.position(), 4);
      await store.append(past.slice(4));
    },
  );

  provesOnCopy("concurrent appends and decisions result in one order", async (past, store) => {
    const [appended, made] = await Promise.allSettled([
      store.append(past),
      ...Array.from({ length: 5 }, (_, i) => make(store, `new ${i}`)),
    ]);
    assert.equal(made!.status, "fulfilled");
    const rows = await store.ledger(0, 100);
    assert.equal(rows.length, appended!.status === "fulfilled" ? past.length + 5 : 5);
    assert.deepEqual(
      rows.map(({ sequence }) => sequence),
      rows.map((_, i) => i + 1),
    );
  });
}

function testScan(proves: Proves): void {
  proves("a scan of an empty store is empty", async (store) => {
    const { position, ...rest } = await scanAll(store);
    assert.deepEqual(position, { sequence: 0, at: 0 });
    assert.deepEqual(rest, { positions: [], histories: [], tenders: [], files: [], statuses: new Map() });
  });

  proves("a scan has every tender with all its columns, in the order of their ids", async (store) => {
    // Ids whose order by bytes differs from the alphabetical one.
    for (const id of ["b", "B", "a", "ä", "Z", "aa", "_"])
      await make(store, id, {}, { wakeAt: id === "a" ? 7 : undefined });
    await edit(store, "a", { status: "complete" }, { wakeAt: 8, files: ["f2", "f1"] });
    const { tenders, histories, files, statuses } = await scanAll(store);
    const order = ["B", "Z", "_", "a", "aa", "b", "ä"];
    assert.deepEqual(
      tenders.map(({ id }) => id),
      order,
    );
    assert.deepEqual([...new Set(histories.map(({ tender }) => tender))], order);
    const { tender, revision } = (await store.find("a"))!;
    const { tokens, ...search } = searchRowOf(tender);
    assert.deepEqual(
      tenders.find(({ id }) => id === "a"),
      {
        id: "a",
        revision,
        document: JSON.stringify(tender),
        status: "complete",
        listing: "real",
        dateModified: tender.dateModified,
        wakeAt: 8,
        clock: undefined,
        facets: facetsOf(tender),
        search: { ...search, publicRow: 3 },
      },
    );
    const scan = await store.scan();
    assert.ok(await scan.hasTokens(3, tokens.split(" ")));
    assert.ok(!(await scan.hasTokens(3, [...tokens.split(" "), "more"])));
    assert.equal(await scan.indexedCount(), 7);
    await scan.close();
    assert.deepEqual(files, [
      { tender: "a", key: "f1" },
      { tender: "a", key: "f2" },
    ]);
    assert.deepEqual(
      statuses,
      new Map([
        ["active.enquiries", 6],
        ["complete", 1],
      ]),
    );
  });

  proves(
    "a scan has the ledger by tender, and can leave out tenders that did not change since a row",
    async (store) => {
      await writeSamples(store);
      const rows = await store.ledger(0, 10);
      const rowsOf = (id: string) => rows.filter(({ tender }) => tender === id);
      await withScan(store, async (scan) => {
        assert.deepEqual(await collect(scan.histories(0)), [...rowsOf("a"), ...rowsOf("b")]);
        assert.deepEqual(await collect(scan.histories(4)), rowsOf("b"));
        assert.deepEqual(await collect(scan.histories(5)), []);
        assert.deepEqual(
          await collect(scan.positions()),
          rows.map(({ sequence, at }): Position => ({ sequence, at })),
        );
      });
    },
  );

  proves("a scan is a snapshot, whatever is written while it is open", async (store) => {
    await writeSamples(store);
    const before = await scanAll(store);
    await withScan(store, async (scan) => {
      const histories = scan.histories(0)[Symbol.asyncIterator]();
      await histories.next();
      await make(store, "c", {}, { files: ["f"] });
      await edit(store, "b", { title: "later" });
      assert.deepEqual(scan.position, before.position);
      assert.deepEqual(await collect(scan.tenders()), before.tenders);
      assert.deepEqual(await collect(scan.histories(0)), before.histories);
      assert.deepEqual(await collect(scan.files()), []);
      assert.deepEqual(await scan.statuses(), before.statuses);
    });
  });

  proves("a scan can be closed before its end, and twice, and does not block writes", async (store) => {
    for (let i = 0; i < 500; i++) void make(store, `t${i}`);
    await make(store, "last");
    const scan = await store.scan();
    for await (const _row of scan.tenders()) break;
    await scan.close();
    await scan.close();
    await edit(store, "last");
  });
}

function testSecrets(proves: Proves): void {
  proves("secrets can be listed and replaced", async (store, reopen) => {
    assert.deepEqual(await store.secrets(), new Map());
    await store.secret("b", () => "made");
    await store.putSecret("a", "put");
    await store.putSecret("b", "in its place");
    assert.deepEqual(
      await (await reopen()).secrets(),
      new Map([
        ["a", "put"],
        ["b", "in its place"],
      ]),
    );
  });
}
