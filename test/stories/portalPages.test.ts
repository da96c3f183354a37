import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { brotliCompressSync } from "node:zlib";
import { htmlProblems } from "../support/htmlValidation.ts";
import { populate } from "../support/populatedRegistry.ts";
import { type CrawledResource, crawlPortal, isPortalPage } from "../support/portalCrawl.ts";
import { sharedWorld } from "../support/world.ts";

// Every page of the portal of a registry with tenders in all statuses, as a visitor who follows every link finds it.

const world = await sharedWorld({ PUBLIC_URL: "http://tenderhall.example" });

/** A page with its styles, and one with its scripts too, in compressed bytes. */
const PAGE_BYTES_MAX = 60_000;
const PAGE_WITH_SCRIPTS_BYTES_MAX = 100_000;

describe("the pages of the portal", () => {
  let crawled: ReadonlyMap<string, CrawledResource> = new Map();
  let pages: readonly CrawledResource[] = [];

  before(async () => {
    await populate(world);
    crawled = await crawlPortal(world.url, ["/", "/en", "/uk", "/sitemap.xml"], "http://tenderhall.example");
    pages = [...crawled.values()].filter(isPortalPage);
  });

  it("are all reached from the first one, in every language", () => {
    const kinds = new Set(pages.map(({ path }) => path.replace(/\?.*/, "").replaceAll(/[0-9a-f]{32}/g, "ID")));
    for (const path of ["/", "/tenders", "/auctions", "/calendar", "/statistics", "/about", "/privacy", "/status"])
      for (const address of path === "/" ? ["/", "/en"] : [path, `/en${path}`])
        assert.ok(kinds.has(address), `${address} is not linked`);
  });

  it("lead to the lists of buyers and suppliers from the first page and from the footer of each", () => {
    const partsOf = (body: string, element: string) =>
      new RegExp(`<${element}[ >].*</${element}>`, "s").exec(body)?.[0] ?? "";
    for (const { path, body } of pages) {
      const prefix = /^\/en(?:\/|$)/.test(path) ? "/en" : "";
      const isFirst = path === "/" || path === "/en";
      for (const element of isFirst ? ["main", "footer"] : ["footer"])
        for (const list of ["/buyers", "/suppliers"])
          assert.ok(
            partsOf(body.toString(), element).includes(`href="${prefix}${list}"`),
            `${path}: ${list}, ${element}`,
          );
    }
  });

  it("link only to addresses that exist", () => {
    const broken = [...crawled.values()].filter(({ status }) => status >= 400);
    assert.deepEqual(
      broken.map(({ path, from, status }) => `${status} ${path} (linked from ${from})`),
      [],
    );
  });

  it("are valid HTML", async () => {
    const problems = await Promise.all(
      pages.map(async ({ path, body }) => (await htmlProblems(body.toString())).map((problem) => `${path} ${problem}`)),
    );
    assert.deepEqual(problems.flat().slice(0, 20), []);
  });

  it("have a title, a description, the right language and a canonical address each", () => {
    for (const { path, body } of pages) {
      const page = body.toString();
      assert.match(page, /<title>[^<]+<\/title>/, path);
      assert.match(page, /<meta name="description" content="[^"]+">/, path);
      assert.match(
        page,
        /<link rel="canonical" href="http:\/\/tenderhall\.example|<meta name="robots" content="noindex/,
        path,
      );
      assert.ok(page.includes(`<html lang="${path === "/en" || path.startsWith("/en/") ? "en" : "uk"}"`), path);
    }
  });

  it("weigh at most 60 KB with their styles and 100 KB with their scripts, compressed", () => {
    const weightOf = (path: string) => brotliCompressSync(crawled.get(path)?.body ?? Buffer.alloc(0)).length;
    for (const { path, body } of pages) {
      const page = body.toString();
      const loaded = (pattern: RegExp) => [...new Set([...page.matchAll(pattern)].map(([, file = ""]) => file))];
      const sum = (files: readonly string[]) => files.reduce((total, file) => total + weightOf(file), 0);
      const bytes = weightOf(path) + sum(loaded(/<link rel="stylesheet" href="([^"]+)"/g));
      assert.ok(bytes <= PAGE_BYTES_MAX, `${path} weighs ${bytes} bytes with its styles`);
      const scripts = loaded(/(?:<script type="module" src|<link rel="modulepreload" href)="([^"]+)"/g);
      const total = bytes + sum(scripts);
      assert.ok(total <= PAGE_WITH_SCRIPTS_BYTES_MAX, `${path} weighs ${total} bytes with its scripts`);
    }
  });

  it("can be cached by anyone, and revalidated", () => {
    for (const { path, headers } of pages) {
      // The status of the service is that of this moment.
      if (path.endsWith("/status")) continue;
      const values = new Map(headers);
      assert.ok(values.has("etag"), `${path} has no ETag`);
      assert.match(values.get("cache-control") ?? "", /public/, path);
      assert.ok(!values.has("set-cookie"), path);
    }
  });
});
