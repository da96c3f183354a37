import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { NO_OCDS_FILES } from "../../test/support/ocdsFiles.ts";
import { patchedPackageSchema } from "../../test/support/ocdsValidator.ts";
import { OCDS_SETTINGS } from "../../test/support/ocdsWalks.ts";
import { publishedPackage } from "./publication.ts";

describe("a package that is a page of a list", () => {
  for (const contents of ["release", "record"] as const)
    it(`has no field that neither the standard nor our extension describes: ${contents}s`, {
      skip: NO_OCDS_FILES,
    }, () => {
      const [uri, publishedDate] = ["https://tenders.example/ocds", "2026-11-16T08:00:00.000000Z"];
      const links = { next: `${uri}?offset=2`, prev: `${uri}?descending=1` };
      const page = { kind: `${contents}s`, elements: ["{}"], links } as const;
      const { releases, records, ...head } = JSON.parse(
        publishedPackage({ uri, publishedDate }, page, OCDS_SETTINGS) ?? "",
      );
      assert.deepEqual(releases ?? records, [{}]);
      const { properties } = patchedPackageSchema(contents);
      assert.deepEqual(
        Object.keys(head).filter((name) => !Object.hasOwn(Object(properties), name)),
        [],
      );
      const declaredLinks = Object(Object(properties).links).properties;
      assert.deepEqual(Object.keys(head.links), Object.keys(declaredLinks));
    });
});
