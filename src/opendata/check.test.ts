import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { releaseEntryId } from "../store/store.ts";
import { checkReleases, type SchemaValidator } from "./check.ts";
import type { StoredReleases } from "./openData.ts";

const VALUES = { origin: "https://a.example", ocidPrefix: "ocds-213czf" };

/** A tender with two releases, the second of which has this date. */
function storedReleases(secondDate: string): StoredReleases {
  const release = (n: number, date: string, title: string) =>
    JSON.stringify({ ocid: "P-t", id: `P-t-${n}`, date, tag: ["tender"], tender: { id: "t", title } }).replaceAll(
      "P-",
      "\u0002-",
    );
  const templates = [release(1, "2026-01-02T00:00:00Z", "Перша"), release(2, secondDate, "Друга")];
  const rows = templates.map((template, i) => ({ id: releaseEntryId(i + 1, "t"), template }));
  return {
    releases: async ({ beyond = 0 }) => rows.filter((_row, i) => i + 1 > beyond),
    position: async () => ({ sequence: 2, at: 2 }),
    templatesOf: async () => templates,
    templatePages: async function* () {
      yield templates;
    },
    firstReleaseOf: async () => 1,
  };
}

async function problemsOf(secondDate: string, validator?: SchemaValidator): Promise<readonly string[]> {
  const settings = { openData: storedReleases(secondDate), values: VALUES, validator, onTender: () => {} };
  const found = await Array.fromAsync(checkReleases(settings));
  return found.map(({ release, path, problem }) => `${release} ${path} ${problem}`);
}

describe("the check of open data", () => {
  it("compares the compiled release that is published with what the releases say together", async () => {
    const isAboutCompiled = (problem: string) => problem.includes("compiled-is-merged");
    assert.ok(!(await problemsOf("2026-01-03T00:00:00Z")).some(isAboutCompiled));
    assert.ok((await problemsOf("2026-01-01T00:00:00Z")).some(isAboutCompiled));
  });

  it("validates each release, and a record package with the compiled and the versioned release", async () => {
    const validated: string[] = [];
    const validator: SchemaValidator = {
      release: (release) => {
        validated.push(JSON.stringify(release));
        return [];
      },
      recordPackage: (recordPackage) => {
        validated.push(JSON.stringify(recordPackage));
        return [{ path: "/records/0", problem: "schema: is invalid" }];
      },
    };
    const problems = await problemsOf("2026-01-03T00:00:00Z", validator);
    assert.ok(problems.includes("ocds-213czf-t /records/0 schema: is invalid"));
    assert.equal(validated.length, 3);
    const { records } = JSON.parse(validated[2] ?? "");
    assert.equal(records[0].compiledRelease.tender.title, "Друга");
    assert.equal(records[0].versionedRelease.tender.title.length, 2);
  });
});
