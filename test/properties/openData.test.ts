import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { checkProcess } from "../../src/ocds/coherence.ts";
import { compileReleases, withoutHead } from "../../src/ocds/merge.ts";
import { embeddedRecord, linkedRecord, recordPackage, releasePackage } from "../../src/ocds/packages.ts";
import { NO_OCDS_FILES } from "../support/ocdsFiles.ts";
import { openOcdsValidator } from "../support/ocdsValidator.ts";
import { OCDS_SETTINGS, stepsOf, versionsOfWalk } from "../support/ocdsWalks.ts";
import { shareRuns, walksOf, widerWalksOf } from "../support/randomWalks.ts";
import { runs } from "../support/tier.ts";

const URI = "https://tenders.example/ocds/releases";

describe("the releases of any tender", () => {
  for (const { procedure, numRuns } of shareRuns(runs(200))) {
    const walks = fc.oneof(walksOf(procedure), widerWalksOf(procedure));

    it(`merge into the content of the newest version: ${procedure}`, () => {
      fc.assert(
        fc.property(walks, (steps) => {
          const all = stepsOf(versionsOfWalk(steps));
          for (const [i, { state }] of all.entries()) {
            const releases = all.slice(0, i + 1).map(({ release }) => release);
            assert.deepEqual(withoutHead(compileReleases(releases)), state.content);
          }
        }),
        { numRuns },
      );
    });

    it(`are coherent: ${procedure}`, () => {
      fc.assert(
        fc.property(walks, (steps) => {
          const releases = stepsOf(versionsOfWalk(steps)).map(({ release }) => release);
          if (releases.length > 0) assert.deepEqual(checkProcess(releases), []);
        }),
        { numRuns },
      );
    });

    it(`match the schemas of OCDS, with their packages and records: ${procedure}`, { skip: NO_OCDS_FILES }, () => {
      const { errorsOf } = openOcdsValidator();
      fc.assert(
        fc.property(walks, (steps) => {
          const releases = stepsOf(versionsOfWalk(steps)).map(({ release }) => release);
          if (releases.length === 0) return;
          const embedded = embeddedRecord(releases);
          const linked = linkedRecord(releases, ({ id }) => `${URI}/${id}`);
          for (const release of [...releases, embedded.compiledRelease])
            assert.deepEqual(errorsOf("release", release), []);
          assert.deepEqual(errorsOf("releasePackage", releasePackage(releases, URI, OCDS_SETTINGS)), []);
          assert.deepEqual(errorsOf("recordPackage", recordPackage([embedded], URI, OCDS_SETTINGS)), []);
          assert.deepEqual(errorsOf("recordPackage", recordPackage([linked], URI, OCDS_SETTINGS)), []);
        }),
        { numRuns },
      );
    });
  }
});
