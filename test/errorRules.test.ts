import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { FILE, renderErrorsPage } from "../scripts/errors.ts";
import { allRules } from "../src/http/errorRules.ts";
import { STATUS_HELP } from "../src/portal/docs/errorsIntroduction.ts";

const CATALOGUES = ["src/domain/model/rules.ts", "src/http/errorRules.ts"];

type Described = {
  readonly parameters?: readonly { readonly $ref?: string; readonly name?: string }[];
  readonly responses: object;
};

function* describedOperations(): Generator<readonly [string, Described]> {
  for (const file of globSync("docs/api/*.json")) {
    const { paths } = JSON.parse(readFileSync(file, "utf8")) as { paths: { [path: string]: object } };
    for (const [path, item] of Object.entries(paths))
      for (const [method, operation] of Object.entries(item))
        if (method !== "parameters") yield [`${file} ${method} ${path}`, operation];
  }
}

describe("the list of rules", () => {
  const ids = allRules().map(({ id }) => id);

  it("has each rule once, named with words and hyphens", () => {
    assert.deepEqual(ids.toSorted(), [...new Set(ids)].toSorted());
    for (const id of ids) assert.match(id, /^[a-z]+(-[a-z]+)*$/);
  });

  it("explains each rule and says what to do", () => {
    for (const { id, title, text } of allRules()) {
      assert.match(title, /^[A-Z][^\n]+[^.]$/, id);
      assert.match(text, /^[A-Za-z][^\n]+\.$/, id);
    }
  });

  it("has no rule that is never used", () => {
    const files = globSync("src/**/*.ts").filter((file) => !/\.test\.ts$/.test(file) && !CATALOGUES.includes(file));
    const source = files.map((file) => readFileSync(file, "utf8")).join("\n");
    assert.deepEqual(
      ids.filter((id) => !source.includes(`"${id}"`)),
      [],
    );
  });

  it("has a line of help for each status", () => {
    const statuses = new Set(allRules().flatMap((rule) => rule.statuses));
    assert.deepEqual(
      STATUS_HELP.map(([status]) => status),
      [...statuses].toSorted((a, b) => a - b),
    );
  });

  it("has every error status of the API descriptions, and 412 exactly for conditional requests", () => {
    const statuses = new Set(allRules().flatMap((rule) => rule.statuses));
    for (const [name, { parameters = [], responses }] of describedOperations()) {
      const named = Object.keys(responses).map(Number);
      for (const status of named) assert.ok(!(status >= 400) || statuses.has(status), `${name} ${status}`);
      const isConditional = parameters.some(({ $ref = "", name = "" }) => `${$ref}${name}`.endsWith("If-Match"));
      assert.equal(named.includes(412), isConditional, `${name} 412`);
    }
  });

  it("is completely in the documentation: npm run errors writes it", () => {
    const page = readFileSync(FILE, "utf8");
    assert.equal(page, renderErrorsPage());
    for (const id of ids) assert.ok(page.includes(`\n### ${id}\n`), id);
  });
});
