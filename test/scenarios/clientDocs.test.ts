import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, describe, it } from "node:test";
import { pathToFileURL } from "node:url";
import { openClient } from "../../src/client/index.ts";
import { openWorld } from "../support/world.ts";

/** Runs the examples of docs/client.md in order, as one program. */

const world = await openWorld({}, true);
const folder = mkdtempSync(join(tmpdir(), "tenderhall-docs-"));
after(async () => {
  await world.stop();
  rmSync(folder, { recursive: true, force: true });
});

const page = readFileSync("docs/client.md", "utf8");
const blocks = [...page.matchAll(/^```ts(?: [^\n]+)?\n(.*?)^```$/gms)].map(([, code]) => code!);

const program = (): string =>
  blocks
    .join("\n")
    .replaceAll('"tenderhall-client"', JSON.stringify(resolve("src/client/index.ts")))
    .replaceAll("http://127.0.0.1:8080", world.url);

describe("the documentation of the client", () => {
  it("names every part of the client", () => {
    const parts = Object.keys(openClient({ url: world.url }));
    assert.deepEqual(
      parts.filter((part) => !page.includes(`client.${part}`) && !page.includes(`\`${part}\``)),
      [],
    );
  });

  it("has examples that do what the text says", async () => {
    const file = join(folder, "examples.ts");
    writeFileSync(file, program());
    const printed: string[] = [];
    const { log } = console;
    console.log = (...words) => printed.push(words.join(" "));
    try {
      await import(pathToFileURL(file).href);
    } finally {
      console.log = log;
    }
    assert.match(printed[0]!, /^UA-\d{4}-\d\d-\d\d-\d{6} active\.enquiries$/);
    assert.ok(printed.includes("Умови договору"));
    assert.ok(printed.some((line) => /^ocds-213czf-\w+-1 tender$/.test(line)));
    assert.ok(printed.some((line) => /^422 \w+/.test(line)));
    assert.equal(printed.at(-1), "401");
  });

  it("has examples that compile", () => {
    const file = join(folder, "typed.ts");
    writeFileSync(file, program());
    const options = "--noEmit --strict --ignoreConfig --skipLibCheck --target esnext --module esnext --types node";
    const more = "--moduleResolution bundler --allowImportingTsExtensions --typeRoots";
    const { stdout, status } = spawnSync(
      process.execPath,
      ["node_modules/typescript/bin/tsc", ...`${options} ${more}`.split(" "), resolve("node_modules/@types"), file],
      { encoding: "utf8" },
    );
    assert.equal(status, 0, stdout);
  });
});
