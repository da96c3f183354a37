import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { describe, it } from "node:test";

/** Tenderhall is not on npm: a command that downloads a package of that name would run unrelated code. */

const TEXTS = [
  "*.md",
  "docs/**/*.md",
  "packages/**/*.md",
  "deploy/**",
  "scripts/*",
  "src/**/*.ts",
  "package.json",
  "packages/*/package.json",
];

/** Whether a command may download the package: `npx` or an equivalent without `--no-install`. */
const FETCHES: readonly RegExp[] = [
  /\b(?:npx|npm (?:exec|x))\s+(?!--no(?:-install)?\s)(?:-\S+\s+)*tenderhall\b/,
  /\bnpm (?:install|i|add)\s+(?:-\S+\s+)*tenderhall(?:-client)?(?=["'`\s@]|$)/m,
];

const fetches = (text: string): boolean => FETCHES.some((pattern) => pattern.test(text));

describe("commands that a reader may paste", () => {
  it("never install an unrelated package of the same name", () => {
    const files = globSync(TEXTS, { exclude: (name) => /node_modules|(^|\/)dist$/.test(name) });
    assert.ok(files.length > 200);
    for (const file of files.filter((path) => /\.[a-z]+$|(^|\/)[A-Z]\w+$/.test(path))) {
      const line = readFileSync(file, "utf8").split("\n").find(fetches);
      assert.equal(line, undefined, file);
    }
  });

  it("are classified by whether they would download a package", () => {
    for (const text of [
      ...["npx tenderhall serve", "DATA_DIR=x npx  tenderhall import -", "npx -y tenderhall", "npm exec tenderhall"],
      ...["npm install tenderhall", "npm i --silent tenderhall-client"],
    ])
      assert.ok(fetches(text), text);
    for (const text of [
      ...["npx --no-install tenderhall serve", "npx --no tenderhall", "node_modules/.bin/tenderhall"],
      ...["npm install --silent ./tenderhall-*.tgz", "npm pack ~/tenderhall"],
    ])
      assert.ok(!fetches(text), text);
  });
});
