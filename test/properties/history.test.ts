import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { areBidsSealed } from "../../src/domain/bids/sealing.ts";
import type { Tender } from "../../src/domain/model/tender.ts";
import { isPlainObject } from "../../src/domain/values/merge.ts";
import { changedJson, changesBetween, pointerOf } from "../../src/history/publicChanges.ts";
import { type PublicVersion, publicVersions, viewOfState } from "../../src/history/publicVersions.ts";
import { versionAt } from "../../src/history/versionQueries.ts";
import type { LedgerRow } from "../../src/store/store.ts";
import { publicTender } from "../../src/views/publicTender.ts";
import { dialects, shareRuns, walksOf, zone } from "../support/randomWalks.ts";
import { runs } from "../support/tier.ts";
import { readerOf, type WalkState, walkLedger } from "../support/walkLedger.ts";

// The public history of a tender, replayed from its ledger, on random walks through every procedure.

const dialect = dialects.get("2.5")!;
const settings = { zone, sandbox: true };
const ROOT = "http://localhost/api/2.5";
const print = (view: object) => dialect.write("Tender", view, ROOT);
const viewAt = (tender: Tender, now: number) => print(publicTender(tender, { ...settings, now }));

/** The version as it is published: everything but the states behind it. */
function publishedForm(version: PublicVersion): object {
  const { number, at, act, before } = version;
  const view = viewOfState(version, settings);
  const changes = changesBetween(before && viewOfState(before, settings), view).map(
    ({ path, before: old, after, format }) => ({
      path: pointerOf(path),
      before: changedJson(dialect, format, old, ROOT),
      after: changedJson(dialect, format, after, ROOT),
    }),
  );
  return { number, at, act, view: print(view), changes };
}

const historyOf = async (rows: readonly LedgerRow[], tender: Tender) =>
  (await Array.fromAsync(publicVersions(readerOf(rows), tender))).map(publishedForm);

async function checkWalks(
  check: (rows: readonly LedgerRow[], states: readonly WalkState[]) => Promise<void>,
  numRuns = runs(200),
): Promise<void> {
  for (const share of shareRuns(numRuns))
    await fc.assert(
      fc.asyncProperty(walksOf(share.procedure), async (randomWalk) => {
        const { rows, states } = walkLedger(randomWalk);
        await check(rows, states);
      }),
      { numRuns: share.numRuns },
    );
}

/** The views that the API showed on the way, one for each time that it changed, not counting what changes with time alone. */
function shownViews(states: readonly WalkState[]): readonly string[] {
  return states.flatMap(({ tender, at }, i) => {
    const before = states[i - 1]?.tender;
    const wasShown = before && before.status !== "draft" && viewAt(before, at) === viewAt(tender, at);
    return tender.status === "draft" || wasShown ? [] : [viewAt(tender, at)];
  });
}

describe("the public history of a tender", () => {
  it("has one version for each change of the public view, as it was shown then", () =>
    checkWalks(async (rows, states) => {
      const { tender } = states.at(-1)!;
      const versions = await Array.fromAsync(publicVersions(readerOf(rows), tender));
      assert.deepEqual(
        versions.map((version) => print(viewOfState(version, settings))),
        shownViews(states),
      );
      assert.deepEqual(
        versions.map(({ number }) => number),
        versions.map((_, i) => i + 1),
      );
      const last = versions.at(-1);
      if (last) assert.equal(viewAt(tender, last.at), print(viewOfState(last, settings)));
    }));

  it("never changes: what it says at any time is how it begins later, when bids are open", () =>
    checkWalks(async (rows, states) => {
      const whole = await historyOf(rows, states.at(-1)!.tender);
      for (const { tender, rows: count } of states) {
        const then = await historyOf(rows.slice(0, count), tender);
        assert.deepEqual(then, whole.slice(0, then.length));
      }
    }, runs(60)));

  it("is the same with and without sealed bids", () =>
    checkWalks(async (rows, states) => {
      const sealed = states.findLast(({ tender }) => areBidsSealed(tender) && tender.status !== "active.auction");
      if (!sealed) return;
      const written = rows.slice(0, sealed.rows);
      const withoutBids = written.filter(({ kind }) => kind === "tender").map(withoutBidOperations);
      assert.deepEqual(
        await historyOf(written, sealed.tender),
        await historyOf(withoutBids, { ...sealed.tender, bids: [] }),
      );
    }));

  it("says what changed: the changes turn each version into the next", () =>
    checkWalks(async (rows, states) => {
      for await (const version of publicVersions(readerOf(rows), states.at(-1)!.tender)) {
        if (!version.before) continue;
        const [before, after] = [version.before, version].map((state) => viewOfState(state, settings));
        const changed = byKeys(JSON.parse(print(before!)));
        for (const { path, after: value, format } of changesBetween(before, after!))
          setAt(changed, path, byKeys(JSON.parse(changedJson(dialect, format, value, ROOT) ?? "null")));
        changed.dateModified = JSON.parse(print(after!)).dateModified;
        assert.deepEqual(withoutEmpty(changed), withoutEmpty(byKeys(JSON.parse(print(after!)))));
      }
    }));

  it("has the version of any instant: the last one up to it, and none before the publication", () =>
    checkWalks(async (rows, states) => {
      const { tender } = states.at(-1)!;
      const reader = readerOf(rows);
      const versions = await Array.fromAsync(publicVersions(reader, tender));
      for (const [i, { at, number }] of versions.entries()) {
        const isLast = i === versions.length - 1;
        for (const instant of [at, (versions[i + 1]?.at ?? at + 2) - 1]) {
          const found = await versionAt(reader, tender, instant);
          assert.deepEqual([found?.version.number, found?.isLast], [number, isLast]);
        }
      }
      assert.equal(await versionAt(reader, tender, (versions[0]?.at ?? 1) - 1), undefined);
    }, runs(40)));
});

/** The row that a deadline alone would have written, without the command of a bidder that was decided in the same commit. */
function withoutBidOperations(row: LedgerRow): LedgerRow {
  const operations: readonly { readonly path: string }[] = JSON.parse(row.patch);
  const others = operations.filter(({ path }) => path !== "/bids" && !path.startsWith("/bids/"));
  const isOfBidder = others.length < operations.length && / (bid|document)$/.test(row.act);
  return { ...row, patch: JSON.stringify(others), ...(isOfBidder && { act: "advance" }) };
}

type Keyed = { [name: string]: unknown };

/** Lists as objects, by the keys of their elements, as paths of changes name them. */
function byKeys(value: unknown): Keyed;
function byKeys(value: unknown): unknown {
  if (Array.isArray(value)) {
    const keyed: Keyed = {};
    for (const [i, element] of value.entries()) {
      const key = element?.id ?? element?.code ?? element?.relatedLot ?? String(i);
      const count = value.slice(0, i).filter((other) => (other?.id ?? other?.code ?? other?.relatedLot) === key).length;
      keyed[count === 0 ? key : `${key}.${count + 1}`] = byKeys(element);
    }
    return keyed;
  }
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, byKeys(inner)]));
}

function setAt(object: Keyed, [step, ...rest]: readonly string[], value: unknown): void {
  if (step === undefined) return;
  if (rest.length > 0) {
    object[step] ??= {};
    setAt(object[step] as Keyed, rest, value);
  } else if (value === null) delete object[step];
  else object[step] = value;
}

/** Objects that became empty are not shown. */
function withoutEmpty(value: unknown): unknown {
  if (!isPlainObject(value)) return value;
  const fields = Object.entries(value).map(([name, inner]) => [name, withoutEmpty(inner)] as const);
  return Object.fromEntries(fields.filter(([, inner]) => !isPlainObject(inner) || Object.keys(inner).length > 0));
}
