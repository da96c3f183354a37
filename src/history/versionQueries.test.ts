import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { published } from "../../test/support/scenes.ts";
import { readerOf } from "../../test/support/walkLedger.ts";
import type { Tender } from "../domain/model/tender.ts";
import { tenderPatch } from "../ledger/tenderPatch.ts";
import { firstPatch, type LedgerQuery, type LedgerRow } from "../store/store.ts";
import type { LedgerReader } from "./publicVersions.ts";
import { TooManyReplaysError } from "./replayLimit.ts";
import { versionAt, versionsAfter, versionsBefore, versionsNumbered } from "./versionQueries.ts";

/** A tender whose title was changed so often. */
function historyWith(changes: number): { readonly rows: readonly LedgerRow[]; readonly tender: Tender } {
  const first = published().tender;
  const { id, dateModified } = first;
  const row = { tender: id, record: id, kind: "tender", actor: "broker" } as const;
  const rows: LedgerRow[] = [
    { ...row, sequence: 1, at: dateModified, act: "publish tender", patch: firstPatch(JSON.stringify(first)) },
  ];
  let tender = first;
  for (let i = 1; i <= changes; i++) {
    const next: Tender = { ...tender, title: `Назва ${i}`, dateModified: dateModified + i };
    rows.push({ ...row, sequence: 3 * i, at: next.dateModified, act: "edit tender", ...tenderPatch(tender, next) });
    tender = next;
  }
  return { rows, tender };
}

/** The reader with the queries that it got. */
function observed(rows: readonly LedgerRow[]) {
  const queries: LedgerQuery[] = [];
  const { ledgerOf } = readerOf(rows);
  return {
    queries,
    reader: {
      ledgerOf: (id: string, query: LedgerQuery) => {
        queries.push(query);
        return ledgerOf(id, query);
      },
    },
  };
}

const numbersOf = (versions: readonly { readonly number: number }[]) => versions.map(({ number }) => number);

describe("the history of a tender with many changes", () => {
  const { rows, tender } = historyWith(950);

  test("is read in pages of rows, no further than it must be", async () => {
    const { reader, queries } = observed(rows);
    assert.deepEqual(numbersOf(await versionsAfter(reader, tender, 120, 3)), [121, 122, 123]);
    assert.deepEqual(
      queries.map(({ limit, kinds, upTo }) => [limit, kinds, upTo === tender.dateModified]),
      [
        [100, "tender", true],
        [100, "tender", true],
      ],
    );
    queries.length = 0;
    assert.equal((await versionAt(reader, tender, tender.dateModified - 940))?.version.number, 11);
    assert.equal(queries.length, 1);
  });

  test("is read from the end, or by numbers", async () => {
    const reader = readerOf(rows);
    assert.deepEqual(numbersOf(await versionsBefore(reader, tender, undefined, 3)), [951, 950, 949]);
    assert.deepEqual(numbersOf(await versionsBefore(reader, tender, 3, 10)), [2, 1]);
    const found = await versionsNumbered(reader, tender, [5, 700, 2000]);
    assert.deepEqual([...found.keys()], [5, 700]);
    assert.equal(found.get(700)?.tender.title, "Назва 699");
    assert.equal(found.get(700)?.before?.tender.title, "Назва 698");
  });
});

describe("very long histories", () => {
  const { rows, tender } = historyWith(1100);

  test("are replayed one at a time; too many requests are rejected, and short histories do not wait", async () => {
    const gate = Promise.withResolvers<void>();
    const { ledgerOf } = readerOf(rows);
    const reader: LedgerReader = {
      ledgerOf: async (id, query) => {
        if (query.after >= (rows[1000]?.at ?? 0)) await gate.promise;
        return ledgerOf(id, query);
      },
    };
    const all = Array.from({ length: 40 }, () => versionsBefore(reader, tender, undefined, 1));
    const rejected = await Promise.race([
      Promise.allSettled(all.slice(33)),
      Promise.all(all.slice(0, 33)).then(() => assert.fail("nothing waits")),
    ]);
    for (const result of rejected) {
      assert.equal(result.status, "rejected");
      assert.ok(result.status === "rejected" && result.reason instanceof TooManyReplaysError);
    }
    assert.equal((await versionAt(reader, tender, tender.dateModified - 1000))?.version.number, 101);
    gate.resolve();
    for (const versions of await Promise.all(all.slice(0, 33))) assert.deepEqual(numbersOf(versions), [1101]);
    assert.equal((await versionsBefore(reader, tender, undefined, 1)).length, 1, "the limit is free again");
  });

  test("that are abandoned make place for others", async () => {
    const { reader } = observed(rows);
    for (let i = 0; i < 5; i++) assert.deepEqual(numbersOf(await versionsAfter(reader, tender, 1050, 1)), [1051]);
  });
});
