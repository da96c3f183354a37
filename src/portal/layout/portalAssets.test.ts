import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, describe, it } from "node:test";
import { pathToFileURL } from "node:url";
import { driveAuction } from "../../../test/support/auctions.ts";
import { recordOf, recordText } from "../../domain/auctions/record.ts";
import { replayText } from "../../domain/auctions/replay.ts";
import { MINUTE } from "../../domain/values/time.ts";
import { assetPath, handlePortalAssets, scriptPaths } from "./portalAssets.ts";

const ENTRY = "portal/browser/auctionPage.js";
const ENGINE = "domain/auctions/replay.js";
const folder = mkdtempSync(join(tmpdir(), "tenderhall-assets-"));
after(() => rmSync(folder, { recursive: true, force: true }));

function load(path: string): string {
  const response = handlePortalAssets(path);
  assert.equal(response?.status, 200, path);
  assert.equal(response.headers?.["Content-Type"], "text/javascript; charset=UTF-8");
  return String(response.bytes);
}

const IMPORT = /^(?:(?:import|export)\b[^;"]*?\bfrom|import)\s*"([^"\n]+)"|\bimport\(\s*"([^"\n]+)"/gm;

const importsIn = (text: string): readonly string[] =>
  [...text.matchAll(IMPORT)].map(([, fixed, dynamic]) => fixed ?? dynamic ?? "");

/** Everything that a browser can load from the entry on, as it finds it: by the addresses in imports. */
function loadGraph(): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const visit = (path: string): void => {
    if (found.has(path)) return;
    const text = load(path);
    found.set(path, text);
    for (const from of importsIn(text)) visit(new URL(from, `http://host${path}`).pathname);
  };
  visit(assetPath("", ENTRY));
  return found;
}

describe("the scripts of the portal", () => {
  it("import nothing but each other, and use nothing of Node", () => {
    const graph = loadGraph();
    assert.ok(graph.has(assetPath("", ENGINE)), "the engine is among them");
    for (const [path, text] of graph) {
      for (const from of importsIn(text)) assert.match(from, /^\.{1,2}\/[\w./]+\.js$/, path);
      assert.doesNotMatch(text, /\b(?:process|Buffer|require)\b[.(]/, path);
    }
  });

  it("are preloaded as far as the page needs them at its start: without the engine's replay", () => {
    const paths = scriptPaths(ENTRY);
    assert.ok(paths.includes("portal/auctions/liveView.js") && paths.includes("domain/auctions/order.js"));
    assert.ok(!paths.includes(ENGINE));
    assert.equal(new Set(paths).size, paths.length);
  });

  it("include the engine, which replays a record as it does here", async () => {
    for (const [path, text] of loadGraph()) {
      const file = join(folder, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
    }
    writeFileSync(join(folder, "package.json"), '{"type": "module"}');
    const served: { replayText: typeof replayText } = await import(
      pathToFileURL(join(folder, assetPath("", ENGINE))).href
    );
    const auction = driveAuction();
    auction.place(5 * MINUTE, "dear", "432.1");
    const text = recordText(recordOf(auction.goTo(30 * MINUTE)));
    assert.deepEqual(served.replayText(text), replayText(text));
    assert.deepEqual(served.replayText(text).differences, []);
    const changed = text.replaceAll('"432.1"', '"432.2"');
    assert.ok(served.replayText(changed).differences.length > 0);
  });

  it("may be cached for good under the version of their content only", () => {
    const path = assetPath("", ENTRY);
    const headers = handlePortalAssets(path)?.headers;
    assert.equal(headers?.["Cache-Control"], "public, max-age=31536000, immutable");
    assert.match(headers?.ETag ?? "", /^"[\w-]{22}"$/);
    const ofOldPage = handlePortalAssets(path.replace(/^\/assets\/[^/]+/, "/assets/olderVersion"));
    assert.equal(ofOldPage?.status, 200);
    assert.equal(ofOldPage?.headers?.["Cache-Control"], "no-cache");
  });

  it("are the only files of the source that can be loaded", () => {
    const [, version] = /^\/assets\/([^/]+)/.exec(assetPath("", ENTRY)) ?? [];
    for (const name of [
      "main.js",
      "portal/../main.js",
      "../package.json",
      "portal/layout/portalAssets.js",
      "",
      ENGINE + "/",
    ])
      assert.equal(handlePortalAssets(`/assets/${version}/${name}`)?.status, 404, name);
    assert.equal(handlePortalAssets("/assets/")?.status, 404);
    assert.equal(handlePortalAssets("/auctions"), undefined);
    assert.throws(() => assetPath("", "main.js"), /no asset main\.js/);
  });

  it("come with a style sheet", () => {
    const response = handlePortalAssets(assetPath("", "portal/layout/portal.css"));
    assert.equal(response?.headers?.["Content-Type"], "text/css; charset=UTF-8");
    assert.match(String(response?.bytes), /prefers-color-scheme: dark/);
  });
});
