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
import { changeOf } from "../../src/registry/tenderChange.ts";
import { openPostgres } from "../../src/store/postgres/postgres.ts";
import { openSqlite } from "../../src/store/sqlite/sqlite.ts";
import type { Store } from "../../src/store/store.ts";
import { openSchema } from "../support/engines.ts";
import { steps, walk } from "../support/randomWalks.ts";
import { runs } from "../support/tier.ts";

// A registry can be rebuilt from its ledger alone, on any engine.

const noProgress = () => ({ step: () => {}, end: () => {} });
const hex = (number: number) => number.toString(16).padStart(32, "0");

/** One more document with every fifth step, so that changes name files. */
const documentsAt = (tenderNumber: number, step: number): readonly Document[] =>
  Array.from({ length: Math.floor(step / 5) }, (_, i) => ({
    ...{ id: `document ${i}`, title: "\u2028\u0000ї", format: "text/plain", datePublished: 1, dateModified: i },
    ...{ key: hex(tenderNumber * 1000 + i), hash: `md5:${i}`, sha256: String(i), size: i },
  }));

type WalkSteps = Parameters<typeof walk>[1];

/** All versions of a tender in a walk, with an id of its own. */
function versionsOf(walkSteps: WalkSteps, lots: number, number: number): readonly Tender[] {
  const states: Tender[] = [];
  walk(lots, walkSteps, (before, after) => {
    if (states.length === 0) states.push(before);
    if (after !== states.at(-1)) states.push(after);
  });
  return states.map((tender, step) => ({ ...tender, id: hex(number), documents: documentsAt(number, step) }));
}

/** Writes the versions of all tenders to the store, interleaved. */
async function writeVersions(store: Store, tenders: readonly (readonly Tender[])[]): Promise<void> {
  const longest = Math.max(...tenders.map((versions) => versions.length));
  for (let step = 0; step < longest; step++)
    for (const [number, versions] of tenders.entries()) {
      const version = versions[step];
      if (version) await write(store, version, documentsAt(number, step), documentsAt(number, step - 1));
    }
}

const write = (store: Store, version: Tender, documents: readonly Document[], before: readonly Document[]) =>
  store.write(version.id, (current, { nextDailyNumber }) => {
    if (current && current.bids !== "all") return { needs: "all" };
    const day = "2026-11-16";
    const tenderID = current?.tender.tenderID ?? `UA-${day}-${String(nextDailyNumber(day)).padStart(6, "0")}`;
    const files = documents.slice(before.length).map(({ key }) => key);
    return {
      result: undefined,
      change: changeOf(current?.tender, { ...version, tenderID }, {}, { kind: "edit tender" }, files),
    };
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

/** Runs a check with a source store on SQLite and an empty target, on PostgreSQL if there is one. */
async function withStores(check: (source: Store, target: Store, folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "tenderhall-moving-"));
  const settings = { clock: () => 1_000_000, recentBytesMax: 1 << 20 };
  const schema = process.env.TEST_DATABASE_URL ? await openSchema() : undefined;
  const source = openSqlite({ ...settings, dataDir: join(folder, "source") });
  const target = schema
    ? await openPostgres({ ...settings, url: schema.url })
    : openSqlite({ ...settings, dataDir: join(folder, "target") });
  try {
    await check(source, target, folder);
  } finally {
    await source.close();
    await target.close();
    await schema?.drop();
    rmSync(folder, { recursive: true, force: true });
  }
}

describe("a registry after any history", () => {
  it("is equal after an export and import, in one part or in two", () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.constantFrom(0, 1, 2), steps), { minLength: 1, maxLength: 4 }),
        fc.nat(),
        (walks, cut) =>
          withStores(async (source, target, folder) => {
            await writeVersions(
              source,
              walks.map(([lots, walkSteps], number) => versionsOf(walkSteps, lots, number)),
            );
            const upTo = await source.position();
            const middle = cut % upTo;
            for (const [after, end] of [
              [0, middle],
              [middle, upTo],
            ] as const) {
              if (after === end) continue;
              const path = join(folder, `${after}.jsonl`);
              const range = { after, upTo: end, withSecrets: false };
              await writeFileAtomically(path, await exportLedger(source, range, noProgress()));
              await importLedger(target, path, noProgress);
            }
            assert.deepEqual(await tablesOf(target), await tablesOf(source));
            for (const store of [source, target]) {
              const problems: string[] = [];
              const report = (problem: string) => void problems.push(problem);
              await verifyAll({ store, files: undefined, scratch: folder, begin: noProgress, report });
              assert.deepEqual(problems, []);
            }
          }),
      ),
      { numRuns: runs(8) },
    ));
});
