import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import fc from "fast-check";
import { writeFileAtomically } from "../../src/backup/atomicFile.ts";
import { exportLedger } from "../../src/backup/ledgerExport.ts";
import { importLedger } from "../../src/backup/ledgerImport.ts";
import { verifyAll } from "../../src/backup/verification.ts";
import type { Document, Tender } from "../../src/domain/model/tender.ts";
import { changeOf } from "../../src/registry/registry.ts";
import { openPostgres } from "../../src/store/postgres/postgres.ts";
import { openSqlite } from "../../src/store/sqlite/sqlite.ts";
import type { Store } from "../../src/store/store.ts";
import { openSchema } from "../support/engines.ts";
import { steps, walk } from "../support/randomWalks.ts";
import { runs } from "../support/tier.ts";

/** Whatever a registry has lived through, its ledger alone makes the same registry on any engine. */

const quiet = () => ({ step: () => {}, end: () => {} });
const hex = (number: number) => number.toString(16).padStart(32, "0");

/** A document with every fifth step of a life, so that files are named along the way. */
const documentsAt = (life: number, step: number): readonly Document[] =>
  Array.from({ length: Math.floor(step / 5) }, (_, i) => ({
    ...{ id: `document ${i}`, title: "\u2028\u0000ї", format: "text/plain", datePublished: 1, dateModified: i },
    ...{ key: hex(life * 1000 + i), hash: `md5:${i}`, sha256: String(i), size: i },
  }));

type Life = Parameters<typeof walk>[1];

/** All states of a life, under an id of its own. */
function statesOf(life: Life, lots: number, number: number): readonly Tender[] {
  const states: Tender[] = [];
  walk(lots, life, (before, after) => {
    if (states.length === 0) states.push(before);
    if (after !== states.at(-1)) states.push(after);
  });
  return states.map((tender, step) => ({ ...tender, id: hex(number), documents: documentsAt(number, step) }));
}

/** The lives of all, step by step in turn. */
async function tell(store: Store, lives: readonly (readonly Tender[])[]): Promise<void> {
  const longest = Math.max(...lives.map((states) => states.length));
  for (let step = 0; step < longest; step++)
    for (const [number, states] of lives.entries()) {
      const state = states[step];
      if (state) await write(store, state, documentsAt(number, step), documentsAt(number, step - 1));
    }
}

const write = (store: Store, state: Tender, documents: readonly Document[], before: readonly Document[]) =>
  store.write(state.id, (current, { nextDailyNumber: numberOfDay }) => {
    const day = "2026-11-16";
    const tenderID = current?.tender.tenderID ?? `UA-${day}-${String(numberOfDay(day)).padStart(6, "0")}`;
    const files = documents.slice(before.length).map(({ key }) => key);
    return { result: undefined, change: changeOf(current?.tender, { ...state, tenderID }, {}, "act", files) };
  });

const tablesOf = async (store: Store) => {
  const scan = await store.scan();
  const tenders = (await Array.fromAsync(scan.tenders())).map((row) => ({
    ...row,
    document: JSON.parse(row.document),
  }));
  const rest = [await Array.fromAsync(scan.histories(0)), await Array.fromAsync(scan.files())];
  const counts = [await scan.days(), await scan.statuses(), scan.position];
  await scan.close();
  return { tenders, rest, counts };
};

async function opened(proof: (source: Store, target: Store, folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "tenderhall-moving-"));
  const settings = { clock: () => 1_000_000, recentBytesMax: 1 << 20 };
  const schema = process.env.TEST_DATABASE_URL ? await openSchema() : undefined;
  const source = openSqlite({ ...settings, dataDir: join(folder, "source") });
  const target = schema
    ? await openPostgres({ ...settings, url: schema.url })
    : openSqlite({ ...settings, dataDir: join(folder, "target") });
  try {
    await proof(source, target, folder);
  } finally {
    await source.close();
    await target.close();
    await schema?.drop();
    rmSync(folder, { recursive: true, force: true });
  }
}

describe("whatever a registry has lived through", () => {
  it("an export and an import make an equal one of it, in one piece or in two", () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.constantFrom(0, 1, 2), steps), { minLength: 1, maxLength: 4 }),
        fc.nat(),
        (lives, cut) =>
          opened(async (source, target, folder) => {
            await tell(
              source,
              lives.map(([lots, life], number) => statesOf(life, lots, number)),
            );
            const upTo = await source.position();
            const middle = cut % upTo;
            for (const [after, end] of [
              [0, middle],
              [middle, upTo],
            ] as const) {
              if (after === end) continue;
              const path = join(folder, `${after}.jsonl`);
              const asked = { after, upTo: end, withSecrets: false };
              await writeFileAtomically(path, await exportLedger(source, asked, quiet()));
              await importLedger(target, path, quiet);
            }
            assert.deepEqual(await tablesOf(target), await tablesOf(source));
            for (const store of [source, target]) {
              const problems: string[] = [];
              const report = (problem: string) => void problems.push(problem);
              await verifyAll({ store, files: undefined, scratch: folder, begin: quiet, report });
              assert.deepEqual(problems, []);
            }
          }),
      ),
      { numRuns: runs(8) },
    ));
});
