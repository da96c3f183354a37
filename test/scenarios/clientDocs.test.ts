import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, describe, it } from "node:test";
import { pathToFileURL } from "node:url";
import { openWorld } from "../support/world.ts";

/** The examples of docs/client.md, one after the other as one program. */

const world = await openWorld({}, true);
const folder = mkdtempSync(join(tmpdir(), "tenderhall-docs-"));
after(async () => {
  await world.stop();
  rmSync(folder, { recursive: true, force: true });
});

type Block = { readonly needs: string; readonly code: string };

const page = readFileSync("docs/client.md", "utf8");
const blocks: readonly Block[] = [...page.matchAll(/^```ts(?: ([^\n]+))?\n(.*?)^```$/gms)].map(
  ([, needs = "", code]) => ({
    needs,
    code: code!,
  }),
);

const { root, request } = world.api("2.5");
const asked = (method: string, path: string, body?: unknown) => request(method, `${world.url}${path}`, { body });

/** What an example needs of the registry beside the API itself, and how to see whether it is there. */
const NEEDS: { readonly [need: string]: () => Promise<boolean> } = {
  "": async () => true,
  clocks: async () => (await asked("POST", "/sandbox/clocks", { data: {} })).status === 201,
  webhooks: async () => (await asked("GET", "/webhooks")).status === 200,
  etags: async () => (await asked("GET", "/api/2.5/tenders")).headers.has("ETag"),
  "dry run": async () => (await asked("POST", "/api/2.5/tenders?dry_run=1", { data: {} })).headers.has("X-Dry-Run"),
};

async function programOf(wanted: readonly Block[]): Promise<string> {
  const there = await Promise.all(wanted.map(({ needs }) => NEEDS[needs]!()));
  return wanted
    .filter((_, i) => there[i])
    .map(({ code }) => code)
    .join("\n")
    .replaceAll('"tenderhall/client"', JSON.stringify(resolve("src/client/index.ts")))
    .replaceAll("http://127.0.0.1:8080", root.replace("/api/2.5", ""));
}

describe("the page on the client", () => {
  it("has examples that do what they say", async () => {
    const file = join(folder, "examples.ts");
    writeFileSync(file, await programOf(blocks));
    const said: string[] = [];
    const { log } = console;
    console.log = (...words) => said.push(words.join(" "));
    try {
      await import(pathToFileURL(file).href);
    } finally {
      console.log = log;
    }
    assert.match(said[0]!, /^UA-\d{4}-\d\d-\d\d-\d{6} active\.enquiries$/);
    assert.ok(said.includes("Умови договору"));
    assert.ok(said.some((line) => /^422 \w+/.test(line)));
    assert.equal(said.at(-1), "401");
  });

  it("has examples that the compiler has nothing against", () => {
    const file = join(folder, "typed.ts");
    const code = blocks.map(({ code }) => code).join("\n");
    writeFileSync(file, code.replaceAll('"tenderhall/client"', JSON.stringify(resolve("src/client/index.ts"))));
    const options = "--noEmit --strict --ignoreConfig --skipLibCheck --target esnext --module esnext --types node";
    const more = "--moduleResolution bundler --allowImportingTsExtensions --typeRoots";
    const { stdout, status } = spawnSync(
      process.execPath,
      ["node_modules/typescript/bin/tsc", ...`${options} ${more}`.split(" "), resolve("node_modules/@types"), file],
      { encoding: "utf8" },
    );
    assert.equal(status, 0, stdout);
  });

  it("names nothing that the registry lacks", async (t) => {
    const named = [...new Set(blocks.map(({ needs }) => needs))];
    for (const need of named) assert.ok(NEEDS[need], `nobody knows whether there are ${need}`);
    const there = await Promise.all(named.map((need) => NEEDS[need]!()));
    const lacking = named.filter((_, i) => !there[i]);
    if (lacking.length > 0)
      t.skip(`these examples were not run, as the registry cannot do it yet: ${lacking.join(", ")}`);
  });
});
