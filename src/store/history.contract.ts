import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { facetsOf } from "./facets.ts";
import { keyValuesContract } from "./keyValues.contract.ts";
import { searchContract } from "./search.contract.ts";
import { edit, make, type OpenTestStore, type Proof, storeContract, withOpenStore } from "./store.contract.ts";
import type { PastChange, Position, Scan, Store } from "./store.ts";

/** What every adapter does for whoever moves a registry or looks it over: past changes, the whole of it, its secrets. */
export function historyContract(name: string, open: OpenTestStore): void {
  const proves = (sentence: string, proof: Proof) => test(sentence, () => withOpenStore(open, proof));
  describe(`${name}, for whoever moves it or looks it over`, () => {
    appending(proves, open);
    scanning(proves);
    keepingSecrets(proves);
  });
}

/** Everything that is asked of a store. */
export function allContracts(name: string, open: OpenTestStore): void {
  storeContract(name, open);
  searchContract(name, open);
  historyContract(name, open);
  keyValuesContract(name, open);
}

type Proves = (sentence: string, proof: Proof) => void;

/** As an import has them: every row of a store, with the states before and after it. */
async function pastOf(store: Store): Promise<readonly PastChange[]> {
  const last = new Map<string, PastChange["before"]>();
  return (await store.ledger(0, 1000)).map(({ sequence, at, tender: id, actor, act, patch }) => {
    const before = last.get(id);
    const fields = Object.fromEntries(
      (JSON.parse(patch) as { path: string; value: unknown }[]).map(({ path, value }) => [path.slice(1), value]),
    );
    const tender = before ? { ...before.tender, ...fields } : (fields[""] as NonNullable<typeof before>["tender"]);
    last.set(id, { tender, revision: (before?.revision ?? 0) + 1 });
    const change = { tender, document: JSON.stringify(tender), wakeAt: tender.date, actor, act, patch, files: [] };
    return { sequence, at, change, before, taken: { day: "2026-01-15", number: sequence } };
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

async function withScan<Answer>(store: Store, read: (scan: Scan) => Promise<Answer>): Promise<Answer> {
  const scan = await store.scan();
  return read(scan).finally(scan.close);
}

const scanAll = (store: Store) =>
  withScan(store, async (scan) => ({
    position: scan.position,
    places: await collect(scan.positions()),
    histories: await collect(scan.histories(0)),
    tenders: await collect(scan.tenders()),
    files: await collect(scan.files()),
    statuses: await scan.statuses(),
  }));

function appending(proves: Proves, open: OpenTestStore): void {
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
    "rows that were appended are the rows and the tenders that they were, also after a new start",
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

  provesOnCopy("what follows them follows in number, in time and in the numbers of the day", async (past, store) => {
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
    "rows that leave a hole, come again or go back in time are refused with nothing written",
    async (past, store) => {
      await store.append(past.slice(0, 1));
      const early = { ...past[1]!, at: past[0]!.at };
      for (const wrong of [past.slice(2), past.slice(0, 1), past, [early], [past[1]!, past[3]!]])
        await assert.rejects(store.append(wrong), /^Error: (the ledger stands at row \d|row \d is not later)/);
      assert.equal(await store.position(), 1);
      await store.append(past.slice(1));
    },
  );

  provesOnCopy("a row that was made of another state is refused with the rows beside it", async (past, store) => {
    await store.append(past.slice(0, 4));
    const mismatched = { ...past[4]!, before: { ...past[4]!.before!, revision: 7 } };
    await assert.rejects(store.append([mismatched]));
    assert.equal(await store.position(), 4);
    await store.append(past.slice(4));
  });

  provesOnCopy("rows and decisions that come at once keep one order", async (past, store) => {
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

function scanning(proves: Proves): void {
  proves("a scan of nothing is empty", async (store) => {
    const { position, ...rest } = await scanAll(store);
    assert.deepEqual(position, { sequence: 0, at: 0 });
    assert.deepEqual(rest, { places: [], histories: [], tenders: [], files: [], statuses: new Map() });
  });

  proves("a scan has every tender with all that is kept beside it, in the order of their ids", async (store) => {
    // Where alphabets disagree with bytes.
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
      },
    );
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

  proves("a scan has the ledger by tender, and can leave out those that did not change since", async (store) => {
    await writeSamples(store);
    const rows = await store.ledger(0, 10);
    const of = (id: string) => rows.filter(({ tender }) => tender === id);
    await withScan(store, async (scan) => {
      assert.deepEqual(await collect(scan.histories(0)), [...of("a"), ...of("b")]);
      assert.deepEqual(await collect(scan.histories(4)), of("b"));
      assert.deepEqual(await collect(scan.histories(5)), []);
      assert.deepEqual(
        await collect(scan.positions()),
        rows.map(({ sequence, at }): Position => ({ sequence, at })),
      );
    });
  });

  proves("a scan is as of one moment, whatever is written while it lasts", async (store) => {
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

  proves("a scan that was left in the middle is over", async (store) => {
    for (let i = 0; i < 500; i++) void make(store, `t${i}`);
    await make(store, "last");
    const scan = await store.scan();
    for await (const _row of scan.tenders()) break;
    await scan.close();
    await scan.close();
    await edit(store, "last");
  });
}

function keepingSecrets(proves: Proves): void {
  proves("secrets can be told all, and put in the place of others", async (store, reopen) => {
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
