import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { listOcdsFiles, NO_OCDS_FILES, readOcdsFile } from "../../test/support/ocdsFiles.ts";
import { compileReleases, type Release, versionReleases } from "./merge.ts";
import { ExactNumber, parseOcds } from "./ocdsValues.ts";

const CASES = NO_OCDS_FILES
  ? []
  : listOcdsFiles("merge-cases").flatMap((file) => /^(.*)-compiled\.json$/.exec(file)?.[1] ?? []);

describe("the reference cases of merging", { skip: NO_OCDS_FILES }, () => {
  it("are all there", () => {
    assert.equal(CASES.length, 17);
  });

  for (const name of CASES) {
    it(`${name}: the compiled release is the expected one`, () => {
      const releases = readOcdsFile(`merge-cases/${name}.json`);
      assert.deepEqual(compileReleases(releases), readOcdsFile(`merge-cases/${name}-compiled.json`));
    });

    it(`${name}: the versioned release is the expected one`, () => {
      const releases = readOcdsFile(`merge-cases/${name}.json`);
      assert.deepEqual(versionReleases(releases), readOcdsFile(`merge-cases/${name}-versioned.json`));
    });
  }
});

const releaseOf = (id: string, date: string, content: object): Release => ({
  ocid: "ocds-213czf-1",
  id,
  date,
  tag: ["tender"],
  ...content,
});

describe("compileReleases", () => {
  it("merges in the order of dates, whatever their zones and the order of the list", () => {
    const late = releaseOf("2", "2026-10-25T03:30:00+02:00", { tender: { id: "1", title: "late" } });
    const early = releaseOf("1", "2026-10-25T03:45:00+03:00", { tender: { id: "1", title: "early" } });
    const compiled = compileReleases([late, early]);
    assert.deepEqual(compiled.tender, { id: "1", title: "late" });
    assert.equal(compiled.id, "ocds-213czf-1-2026-10-25T03:30:00+02:00");
  });

  it("removes an object whose fields are all null", () => {
    const compiled = compileReleases([
      releaseOf("1", "2026-01-01T00:00:00Z", { tender: { id: "1", value: { amount: 1, currency: "UAH" } } }),
      releaseOf("2", "2026-01-02T00:00:00Z", { tender: { id: "1", value: { amount: null, currency: null } } }),
    ]);
    assert.deepEqual(compiled.tender, { id: "1" });
  });

  it("replaces a list whose elements have no id", () => {
    const listed = (...parts: readonly object[]) => ({ tender: { id: "1", parts } });
    const compiled = compileReleases([
      releaseOf("1", "2026-01-01T00:00:00Z", listed({ a: 1 }, { b: 2 })),
      releaseOf("2", "2026-01-02T00:00:00Z", listed({ c: 3 })),
    ]);
    assert.deepEqual(compiled.tender, { id: "1", parts: [{ c: 3 }] });
  });

  it("refuses to merge nothing", () => {
    assert.throws(() => compileReleases([]), RangeError);
  });
});

describe("numbers of a release", () => {
  it("keep every digit when they are read, merged and written", () => {
    const text = '{"amount":12345678901234567890.12,"quantity":0.1,"whole":9007199254740993}';
    const value = parseOcds(text);
    assert.ok(value.amount instanceof ExactNumber);
    assert.equal(value.quantity, 0.1);
    assert.equal(JSON.stringify(value), text);
  });
});
