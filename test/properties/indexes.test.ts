import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import fc from "fast-check";
import { verifyAll } from "../../src/backup/verification.ts";
import { openRegistry, type Registry } from "../../src/registry/registry.ts";
import { openPostgres } from "../../src/store/postgres/postgres.ts";
import { openSqlite } from "../../src/store/sqlite/sqlite.ts";
import type { Store } from "../../src/store/store.ts";
import { completeTender } from "../support/completeTenders.ts";
import { sent } from "../support/domainCommands.ts";
import { openSchema } from "../support/engines.ts";
import { shareRuns, type Walk, walksOf, zone } from "../support/randomWalks.ts";
import { runs } from "../support/tier.ts";
import { MOVES, WALK_OWNER } from "../support/walkMoves.ts";
import { START } from "../support/world.ts";

// The search index and the statistics are right after any changes, although most of them are decided without looking at bids.

const limits = {
  bidsPerAccountMax: 1000,
  bidBytesPerAccountMax: 1 << 24,
  tenderBytesMax: 1 << 24,
  storedBytesMax: 1 << 26,
};

/** Publishes the tender of a walk; returns its id. */
async function publishIn(registry: Registry, { procedure, lots, isDraft }: Walk): Promise<string> {
  const fields = { ...completeTender(procedure, lots), ...(isDraft && { status: "draft" as const }) };
  const published = await registry.publish({ procedure, sent: sent(fields) }, WALK_OWNER);
  assert.ok(published !== "moved" && "ok" in published && published.ok, JSON.stringify(published));
  return published.value.tender.id;
}

/** Carries out the steps of a walk, except for those with files. Many commands are refused. */
async function walkIn(registry: Registry, clock: { now: number }, id: string, { steps }: Walk): Promise<void> {
  for (const { forward, action, pick = 0 } of steps) {
    clock.now += forward + 1;
    const tender = await registry.tender(id, "all");
    const act = tender && action && MOVES[action].choose(tender, pick);
    if (act && !("file" in act.command)) await registry.change(id, act.command, act.actor);
  }
}

async function problemsOf(store: Store): Promise<readonly string[]> {
  const problems: string[] = [];
  const scratch = mkdtempSync(join(tmpdir(), "tenderhall-indexes-"));
  try {
    await verifyAll({
      ...{ store, files: undefined, scratch, begin: () => ({ step: () => {}, end: () => {} }) },
      report: (problem) => problems.push(problem),
    });
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
  return problems;
}

async function assertIndexes(walks: readonly Walk[], open: (clock: () => number) => Promise<Store>): Promise<void> {
  const clock = { now: START };
  const store = await open(() => clock.now);
  const registry = openRegistry({
    ...{ store, zone, sandbox: true, limits, runsTimer: false },
    onTickFailure: (error) => assert.fail(String(error)),
  });
  try {
    const ids: string[] = [];
    for (const walk of walks) ids.push(await publishIn(registry, walk));
    for (const [i, walk] of walks.entries()) await walkIn(registry, clock, ids[i] ?? "", walk);
    assert.deepEqual(await problemsOf(store), []);
  } finally {
    await registry.stop();
    await store.close();
  }
}

describe("after random changes in a registry, the index and the statistics are those of a recount", () => {
  for (const { procedure, numRuns } of shareRuns(runs(30)))
    it(`on SQLite, of ${procedure}`, () =>
      fc.assert(
        fc.asyncProperty(walksOf(procedure), async (walk) => {
          const dataDir = mkdtempSync(join(tmpdir(), "tenderhall-indexes-"));
          try {
            await assertIndexes([walk], async (clock) => openSqlite({ dataDir, clock, recentBytesMax: 1 << 20 }));
          } finally {
            rmSync(dataDir, { recursive: true, force: true });
          }
        }),
        { numRuns },
      ));

  it("on PostgreSQL, of every procedure", { skip: !process.env.TEST_DATABASE_URL }, () =>
    fc.assert(
      fc.asyncProperty(fc.tuple(...shareRuns(1).map(({ procedure }) => walksOf(procedure))), async (walks) => {
        const { url, drop } = await openSchema();
        try {
          await assertIndexes(walks, (clock) => openPostgres({ url, clock, recentBytesMax: 1 << 20 }));
        } finally {
          await drop();
        }
      }),
      { numRuns: runs(5) },
    ),
  );
});
