import assert from "node:assert/strict";
import { globSync } from "node:fs";
import { resolve } from "node:path";
import { describe, it } from "node:test";
import type { Node } from "typescript/unstable/ast";
import { isAsExpression, isNonNullExpression } from "typescript/unstable/ast/is";
import { API } from "typescript/unstable/sync";

type Counts = { readonly as: number; readonly nonNull: number };
const NONE: Counts = { as: 0, nonNull: 0 };

/**
 * The most type assertions (`value as Type`) and non-null assertions (`value!`) that a module may have. The numbers only go down:
 * use a type guard, a narrower type, or `required()` of `base/required.ts`, which says what is missing. What stays is safe by the
 * lines around it, or has a comment that says why. Modules without a row have none.
 */
const COUNTS_MAX: { readonly [module: string]: Counts } = {
  accounts: { as: 1, nonNull: 0 },
  api: { as: 3, nonNull: 0 },
  backup: { as: 2, nonNull: 0 },
  base: { as: 1, nonNull: 0 },
  cli: { as: 2, nonNull: 1 },
  client: { as: 18, nonNull: 0 },
  config: { as: 1, nonNull: 0 },
  dialects: { as: 12, nonNull: 4 },
  documents: { as: 2, nonNull: 1 },
  domain: { as: 17, nonNull: 16 },
  feed: { as: 1, nonNull: 2 },
  http: { as: 0, nonNull: 6 },
  ledger: { as: 2, nonNull: 0 },
  openapi: { as: 0, nonNull: 1 },
  ops: { as: 1, nonNull: 2 },
  portal: { as: 3, nonNull: 0 },
  server: { as: 1, nonNull: 6 },
  store: { as: 6, nonNull: 1 },
  views: { as: 1, nonNull: 0 },
  webhooks: { as: 1, nonNull: 1 },
};

/** The assertions of a syntax tree; `as const` asserts nothing. */
function countIn(node: Node, text: string): Counts {
  let as = isAsExpression(node) && text.slice(node.type.pos, node.type.end).trim() !== "const" ? 1 : 0;
  let nonNull = isNonNullExpression(node) ? 1 : 0;
  node.forEachChild((child) => {
    const inner = countIn(child, text);
    as += inner.as;
    nonNull += inner.nonNull;
  });
  return { as, nonNull };
}

function countByModule(): ReadonlyMap<string, Counts> {
  const api = new API({ cwd: resolve(".") });
  try {
    api.updateSnapshot({ openProject: resolve("tsconfig.json") });
    // Scripts of pages are a project of their own, because they have the types of a browser.
    const projects = api.updateSnapshot({ openProject: resolve("tsconfig.browser.json") }).getProjects();
    assert.equal(projects.length, 2);
    const counts = new Map<string, Counts>();
    for (const file of globSync("src/**/*.ts").filter((name) => !/\.(test|contract)\.ts$/.test(name))) {
      const source = projects.map(({ program }) => program.getSourceFile(resolve(file))).find(Boolean);
      assert.ok(source, file);
      const module = file.split("/")[1] ?? "";
      const [before, added] = [counts.get(module) ?? NONE, countIn(source, source.text)];
      counts.set(module, { as: before.as + added.as, nonNull: before.nonNull + added.nonNull });
    }
    return counts;
  } finally {
    api.close();
  }
}

describe("type assertions and non-null assertions", () => {
  it("do not become more in any module", () => {
    const counts = countByModule();
    for (const [module, { as, nonNull }] of counts) {
      const max = COUNTS_MAX[module] ?? NONE;
      assert.ok(as <= max.as, `${module} has ${as} type assertions; at most ${max.as} are allowed`);
      assert.ok(
        nonNull <= max.nonNull,
        `${module} has ${nonNull} non-null assertions; at most ${max.nonNull} are allowed`,
      );
    }
    for (const module of Object.keys(COUNTS_MAX)) assert.ok(counts.has(module), `there is no module ${module}`);
  });
});
