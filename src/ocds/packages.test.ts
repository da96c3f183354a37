import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { OWNER } from "../../test/support/decisions.ts";
import { addDocument } from "../../test/support/domainCommands.ts";
import { NO_OCDS_FILES } from "../../test/support/ocdsFiles.ts";
import { openOcdsValidator } from "../../test/support/ocdsValidator.ts";
import {
  embeddedRecord,
  linkedRecord,
  OCDS_SETTINGS,
  packageOf,
  releasesOfScenes,
} from "../../test/support/ocdsWalks.ts";
import { published } from "../../test/support/scenes.ts";
import { MINUTE } from "../domain/values/time.ts";
import { compileReleases, versionReleases } from "./merge.ts";
import { packageText } from "./packages.ts";

const start = published();
const releases = releasesOfScenes([start, start.later(MINUTE).send(OWNER, addDocument())]);
const URI = "https://tenders.example/ocds/releases?offset=1";

describe("a package of releases", () => {
  it("says who publishes it, under which licence, and when it last changed, before its releases", () => {
    const { releases: contents, ...head } = packageOf("releases", releases, URI);
    assert.deepEqual(head, {
      uri: URI,
      version: "1.1",
      publishedDate: "2026-11-16T08:01:00.000000Z",
      publisher: { name: "Tenders of Example", uri: "https://tenders.example/" },
      license: "https://creativecommons.org/licenses/by/4.0/",
      extensions: OCDS_SETTINGS.extensions,
    });
    assert.deepEqual(contents, releases);
  });

  it("cannot be empty", () => {
    assert.throws(() => packageText({ uri: URI }, "releases", []), RangeError);
  });
});

describe("a record", () => {
  it("has its releases, or links to them", () => {
    const [embedded, linked] = [embeddedRecord(releases), linkedRecord(releases, ({ id }) => `${URI}#${id}`)];
    assert.equal(embedded.releases, releases);
    assert.deepEqual(linked.releases[1], {
      url: `${URI}#${releases[1]?.id}`,
      date: releases[1]?.date,
      tag: ["tenderUpdate"],
    });
    assert.deepEqual(linked.compiledRelease, embedded.compiledRelease);
    assert.deepEqual(linked.compiledRelease.tag, ["compiled"]);
  });

  it("has what its releases say together, although they are merged one by one", () => {
    const { compiledRelease, versionedRelease } = embeddedRecord(releases);
    assert.deepEqual(compiledRelease, compileReleases(releases));
    assert.deepEqual(versionedRelease, versionReleases(releases));
  });
});

describe("the judge of the schemas", { skip: NO_OCDS_FILES }, () => {
  const { errorsOf } = NO_OCDS_FILES ? { errorsOf: () => [] } : openOcdsValidator();
  const [release] = releases;

  it("accepts what we write", () => {
    assert.deepEqual(errorsOf("release", release ?? {}), []);
    assert.deepEqual(errorsOf("releasePackage", packageOf("releases", releases, URI)), []);
  });

  it("finds what is wrong with a release or a package", () => {
    const errorCount = (kind: "release" | "releasePackage" | "recordPackage", value: object): number =>
      errorsOf(kind, value).length;
    assert.equal(errorCount("release", { ...release, date: "2026-11-16" }), 1);
    assert.equal(errorCount("release", { ...release, tag: ["published"] }), 1);
    assert.equal(errorCount("release", { ...release, buyer: null }), 1);
    assert.equal(errorCount("release", { ...release, tender: { id: "1", value: { amount: "1" } } }), 1);
    assert.equal(errorCount("release", { ...release, tender: { id: "1", complaints: [{ id: 1 }] } }), 1);
    assert.equal(errorCount("release", { ...release, bids: { details: [{ id: "1", status: "active" }] } }), 1);
    const wholePackage = packageOf("releases", releases, URI);
    assert.equal(errorCount("releasePackage", { ...wholePackage, version: "1.1.5" }), 1);
    assert.equal(errorCount("releasePackage", { ...wholePackage, releases: [release, release] }), 1);
    assert.equal(errorCount("recordPackage", { ...wholePackage, records: [{ ocid: "1" }] }), 1);
  });
});
