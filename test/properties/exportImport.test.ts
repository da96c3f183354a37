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
import { PROCEDURE_NAMES, type ProcedureName } from "../../src/domain/procedures/names.ts";
import { changeOf } from "../../src/registry/tenderChange.ts";
import { openPostgres } from "../../src/store/postgres/postgres.ts";
import { openSqlite } from "../../src/store/sqlite/sqlite.ts";
import type { Store } from "../../src/store/store.ts";
import { openSchema } from "../support/engines.ts";
import { shareRuns, type Walk, walk, walksOf } from "../support/randomWalks.ts";
import { published } from "../support/scenes.ts";
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

/** The tender with file keys that no other tender has. */
const withOwnKeys = (tender: Tender, number: number): Tender =>
  JSON.parse(JSON.stringify(tender), (name, value) =>
    name === "key" ? hex(number + 1).slice(-4) + value.slice(4) : value,
  );

/** All versions of a tender in a walk, with an id of its own. */
function versionsOf(randomWalk: Walk, number: number): readonly Tender[] {
  const states: Tender[] = [];
  walk(randomWalk, (before, after) => {
    if (states.length === 0) states.push(before);
    if (after !== states.at(-1)) states.push(after);
  });
  return states.map((tender, step) => ({
    ...withOwnKeys(tender, number),
    id: hex(number),
    documents: documentsAt(number, step),
  }));
}

/** The keys of all files that the tender names. */
const fileKeysOf = (tender: Tender | undefined): readonly string[] =>
  Array.from(JSON.stringify(tender ?? {}).matchAll(/"key":"(\w+)"/g), ([, key]) => key ?? "");

/** Writes the versions of all tenders to the store, interleaved. */
async function writeVersions(store: Store, tenders: readonly (readonly Tender[])[]): Promise<void> {
  const longest = Math.max(...tenders.map((versions) => versions.length));
  for (let step = 0; step < longest; step++)
    for (const versions of tenders) {
      const version = versions[step];
      if (version) await write(store, version);
    }
}

const write = (store: Store, version: Tender) =>
  store.write(version.id, (current, { nextDailyNumber }) => {
    if (current && current.bids !== "all") return { needs: "all" };
    const day = "2026-11-16";
    const tenderID = current?.tender.tenderID ?? `UA-${day}-${String(nextDailyNumber(day)).padStart(6, "0")}`;
    const known = fileKeysOf(current?.tender);
    const files = fileKeysOf(version).filter((key) => !known.includes(key));
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

/** Exports everything in two parts, divided at a random position, imports both, and compares the registries. */
async function checkMove(source: Store, target: Store, folder: string, cut: number): Promise<void> {
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
}

/** One to four tenders, the first of this procedure, the others of any. */
const historiesWith = (procedure: ProcedureName): fc.Arbitrary<readonly Walk[]> =>
  fc
    .tuple(walksOf(procedure), fc.array(fc.oneof(...PROCEDURE_NAMES.map(walksOf)), { maxLength: 3 }))
    .map(([first, others]) => [first, ...others]);

describe("a tender that never changed", () => {
  it("is stored in the same way after an export and import", () =>
    withStores(async (source, target, folder) => {
      const { tender } = published();
      await writeVersions(source, [[tender]]);
      await checkMove(source, target, folder, 0);
    }));
});

describe("a registry after any history", () => {
  for (const { procedure, numRuns } of shareRuns(runs(8)))
    it(`with tenders of ${procedure} is equal after an export and import, in one part or in two`, () =>
      fc.assert(
        fc.asyncProperty(historiesWith(procedure), fc.nat(), (histories, cut) =>
          withStores(async (source, target, folder) => {
            await writeVersions(source, histories.map(versionsOf));
            await checkMove(source, target, folder, cut);
          }),
        ),
        { numRuns },
      ));
});
