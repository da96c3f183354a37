import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { areBidsSealed } from "../../src/domain/bids/sealing.ts";
import { decideByTime } from "../../src/domain/decide.ts";
import type { TenderCommand } from "../../src/domain/model/commands.ts";
import type { Tender } from "../../src/domain/model/tender.ts";
import { checkProcess } from "../../src/ocds/coherence/coherence.ts";
import type { CoherenceRule } from "../../src/ocds/coherence/coherenceFindings.ts";
import { contentOf } from "../../src/ocds/content/content.ts";
import { compileReleases, withoutHead } from "../../src/ocds/merge.ts";
import { parseOcds } from "../../src/ocds/ocdsValues.ts";
import type { ReleaseStep, VersionView } from "../../src/ocds/release.ts";
import { publicTender } from "../../src/views/publicTender.ts";
import { flatCompile } from "../support/flatMerge.ts";
import { NO_OCDS_FILES } from "../support/ocdsFiles.ts";
import { declaredPaths, schemaFields, undeclaredFields } from "../support/ocdsSchemaPaths.ts";
import { openOcdsValidator } from "../support/ocdsValidator.ts";
import {
  embeddedRecord,
  linkedRecord,
  OCDS_SETTINGS,
  openVersions,
  packageOf,
  stepsOf,
  versionsOfWalk,
} from "../support/ocdsWalks.ts";
import { cook } from "../support/organizations.ts";
import { randomPublicTender } from "../support/randomPublicTenders.ts";
import { shareRuns, type Walk, walk, walksOf, widerWalksOf, zone } from "../support/randomWalks.ts";
import { assertSays } from "../support/retainedContent.ts";
import { runs } from "../support/tier.ts";
import { START } from "../support/world.ts";

const URI = "https://tenders.example/ocds/releases";

/** The releases of tenders on random walks, and of tenders that no rules have checked. */
type Source = {
  readonly name: string;
  readonly numRuns: number;
  readonly versions: fc.Arbitrary<readonly VersionView[]>;
  /** What only the rules of a procedure make sure of. */
  readonly exempt: readonly CoherenceRule[];
};

/** Failures are to show the walk, not the long versions of its tender. */
const named = (versions: readonly VersionView[], steps: Walk): readonly VersionView[] =>
  Object.assign([...versions], { [fc.toStringMethod]: () => JSON.stringify(steps) });

const SOURCES: readonly Source[] = [
  ...shareRuns(runs(200)).map(({ procedure, numRuns }) => ({
    name: procedure,
    numRuns,
    versions: fc.oneof(walksOf(procedure), widerWalksOf(procedure)).map((steps) => named(versionsOfWalk(steps), steps)),
    exempt: [],
  })),
  {
    name: "tenders that nobody has checked",
    numRuns: runs(300),
    versions: fc
      .array(randomPublicTender, { minLength: 1, maxLength: 4 })
      .map((tenders) => tenders.map((tender, i) => ({ number: i + 1, at: START + i * 1e6, tender }))),
    exempt: ["contracts-have-active-awards", "dates-are-in-order", "events-precede-release"],
  },
];

const releasesIn = (steps: readonly ReleaseStep[]) => steps.map(({ release }) => release);

describe("the releases of any tender", () => {
  for (const { name, numRuns, versions, exempt } of SOURCES) {
    it(`merge into the content of each version: ${name}`, () => {
      fc.assert(
        fc.property(versions, (all) => {
          const steps = stepsOf(all);
          for (const [i, { state }] of steps.entries()) {
            const releases = releasesIn(steps.slice(0, i + 1));
            assert.deepEqual(withoutHead(compileReleases(releases)), state.content);
          }
        }),
        { numRuns },
      );
    });

    it(`say what each version says, and nothing else: ${name}`, () => {
      fc.assert(
        fc.property(versions, (all) => {
          for (const { release, state } of stepsOf(all)) {
            const version = all.find(({ number }) => release.id.endsWith(`-${number}`));
            assert.ok(version);
            assertSays(state.content, contentOf(version.tender, OCDS_SETTINGS));
          }
        }),
        { numRuns },
      );
    });

    it(`are coherent: ${name}`, () => {
      fc.assert(
        fc.property(versions, (all) => {
          const releases = releasesIn(stepsOf(all));
          const findings = releases.length > 0 ? checkProcess(releases) : [];
          assert.deepEqual(
            findings.filter(({ rule }) => !exempt.includes(rule)),
            [],
          );
        }),
        { numRuns },
      );
    });

    it(`are the same when they are written and read again: ${name}`, () => {
      fc.assert(
        fc.property(versions, (all) => {
          for (const { release } of stepsOf(all)) {
            const text = JSON.stringify(release);
            assert.deepEqual(parseOcds(text), release);
            assert.equal(JSON.stringify(parseOcds(text)), text);
          }
        }),
        { numRuns: Math.ceil(numRuns / 4) },
      );
    });

    it(`match the schemas of OCDS, with their packages and records: ${name}`, { skip: NO_OCDS_FILES }, () => {
      const { errorsOf } = openOcdsValidator();
      fc.assert(
        fc.property(versions, (all) => {
          const releases = releasesIn(stepsOf(all));
          if (releases.length === 0) return;
          const embedded = embeddedRecord(releases);
          const linked = linkedRecord(releases, ({ id }) => `${URI}/${id}`);
          for (const release of [...releases, embedded.compiledRelease])
            assert.deepEqual(errorsOf("release", release), []);
          assert.deepEqual(errorsOf("releasePackage", packageOf("releases", releases, URI)), []);
          assert.deepEqual(errorsOf("recordPackage", packageOf("records", [embedded], URI)), []);
          assert.deepEqual(errorsOf("recordPackage", packageOf("records", [linked], URI)), []);
        }),
        { numRuns },
      );
    });

    it(`have no field that neither the standard nor an extension describes: ${name}`, { skip: NO_OCDS_FILES }, () => {
      const declared = declaredPaths();
      fc.assert(
        fc.property(versions, (all) => {
          for (const { release } of stepsOf(all)) assert.deepEqual(undeclaredFields(release, declared), []);
        }),
        { numRuns: Math.ceil(numRuns / 4) },
      );
    });

    it(`are compiled as another implementation compiles them: ${name}`, { skip: NO_OCDS_FILES }, () => {
      const wholeLists = new Set(schemaFields().flatMap(({ path, list }) => (list === "whole" ? [path] : [])));
      fc.assert(
        fc.property(versions, (all) => {
          const releases = releasesIn(stepsOf(all));
          if (releases.length > 0) assert.deepEqual(compileReleases(releases), flatCompile(releases, wholeLists));
        }),
        { numRuns },
      );
    });
  }
});

const BID_COMMANDS: readonly TenderCommand["kind"][] = ["place bid", "change bid", "withdraw bid"];

describe("the releases of a tender with sealed bids", () => {
  const walks = fc.oneof(walksOf("belowThreshold"), widerWalksOf("belowThreshold"));
  const contentAt = (tender: Tender, now: number): string =>
    JSON.stringify(contentOf(publicTender(tender, { now, zone, sandbox: true }), OCDS_SETTINGS));

  it("are the same as without these bids, and name no bidder", () => {
    let sealedCount = 0;
    fc.assert(
      fc.property(walks, (steps) =>
        walk(steps, (_before, after, at) => {
          if (!areBidsSealed(after) || after.bids.length === 0) return;
          sealedCount++;
          const content = contentAt(after, at);
          assert.equal(content, contentAt({ ...after, bids: [] }, at));
          assert.ok(!content.includes(cook.identifier.id), content);
        }),
      ),
      { numRuns: runs(200) },
    );
    assert.ok(sealedCount > runs(200), `${sealedCount} tenders with sealed bids`);
  });

  it("leave no gaps for them: a sealed bid makes no version", () => {
    let bidCount = 0;
    fc.assert(
      fc.property(walks, (steps) => {
        const { versions, add } = openVersions();
        walk(steps, (stored, after, at, act) => {
          // A deadline that is due makes its version, also if a bid is what comes first after it.
          const before = decideByTime(stored, { at, zone, sandbox: true, newId: () => "0".repeat(32) });
          add(before, at);
          const count = versions.length;
          add(after, at);
          const isBid = act !== undefined && BID_COMMANDS.includes(act.command.kind);
          if (!isBid || !areBidsSealed(before) || after.status !== before.status || after.bids === before.bids) return;
          bidCount++;
          assert.equal(versions.length, count);
        });
      }),
      { numRuns: runs(200) },
    );
    // How many there are depends on chance; that there are some does not.
    assert.ok(bidCount > 0);
  });
});
