import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, type TestContext, test } from "node:test";
import { start } from "../../app/start.ts";
import { systemClock } from "../../app/systemClock.ts";
import { configOf, type Environment } from "../../config/config.ts";
import { openLog } from "../../ops/log.ts";
import { LANGUAGES } from "../layout/languages.ts";
import { sitemapFile, sitemapIndex } from "./sitemap.ts";

const PATHS = ["/about", "/accessibility", "/privacy", "/status"];

async function openSite(t: TestContext, environment: Environment = {}): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "site-pages-"));
  const config = configOf({ PORT: "0", LOG: "off", DATA_DIR: folder, ...environment });
  assert.ok("port" in config, String(config));
  const { url, stop } = await start(config, { clock: systemClock, log: openLog(() => {}, { info: false }) });
  t.after(() => stop().finally(() => rm(folder, { recursive: true, force: true })));
  return url;
}

const textAt = async (address: string): Promise<string> => (await fetch(address)).text();

async function publish(url: string, data: object): Promise<string> {
  const headers = { Authorization: `Basic ${btoa("broker:")}`, "Content-Type": "application/json" };
  const response = await fetch(`${url}/api/2.3/tenders`, { method: "POST", headers, body: JSON.stringify({ data }) });
  assert.equal(response.status, 201);
  const body = (await response.json()) as { readonly data: { readonly id: string } };
  return body.data.id;
}

describe("the pages about the site", () => {
  test("say that bids are sealed in some procedures and open in others", async (t) => {
    const url = await openSite(t);
    assert.match(
      await textAt(`${url}/en/about`),
      /In procedures with sealed bids, nobody.* In procedures with open bids/,
    );
    assert.match(await textAt(`${url}/about`), /У процедурах із закритими пропозиціями.* із відкритими пропозиціями/);
  });

  test("exist in both languages, with a title, a canonical address and the address in the other language", async (t) => {
    const url = await openSite(t);
    for (const path of PATHS)
      for (const language of LANGUAGES) {
        const page = await textAt(url + (language === "uk" ? path : `/en${path}`));
        assert.match(page, new RegExp(`<html lang="${language}">.*<title>[^<]+ · Tenderhall</title>`, "s"), path);
        assert.ok(page.includes(`<link rel="canonical" href="${url}${language === "uk" ? "" : "/en"}${path}">`), path);
        assert.ok(page.includes(`hreflang="x-default" href="${url}${path}"`), path);
        assert.doesNotMatch(page, /undefined|\[object/);
      }
  });

  test("name the site, the operator and the contact of the settings, as text", async (t) => {
    const operator = "ДП «Приклад» <b>";
    const url = await openSite(t, { SITE_NAME: "Зала & Ко", OPERATOR: operator, CONTACT: "help@example.org" });
    for (const path of ["/", ...PATHS]) {
      const page = await textAt(url + path);
      assert.match(page, /<title>[^<]*Зала &amp; Ко[^<]*<\/title>/, path);
      assert.ok(page.includes("ДП «Приклад» &lt;b&gt;"), path);
      assert.ok(page.includes('<a href="mailto:help@example.org">help@example.org</a>'), path);
      assert.doesNotMatch(page, /<title>[^<]*Tenderhall/);
    }
    const opensearch = await textAt(`${url}/opensearch.xml`);
    assert.match(opensearch, /<ShortName>Зала &amp; Ко<\/ShortName>/);
    assert.ok(opensearch.includes(`template="${url}/tenders?q={searchTerms}"`));
    assert.match(await textAt(`${url}/docs`), /Operated by <bdi lang="">ДП «Приклад» &lt;b&gt;<\/bdi>/);
  });

  test("refuse a contact that is neither an email address nor a web page", () => {
    for (const contact of ["javascript:alert(1)", "somewhere", "a b@c"])
      assert.match(String(configOf({ CONTACT: contact })), /CONTACT must be an email address/, contact);
  });

  test("say what this server logs", async (t) => {
    const silent = await openSite(t);
    assert.match(await textAt(`${silent}/en/privacy`), /keeps no log of requests/);
    const logging = await openSite(t, { LOG: "on", LOG_ADDRESSES: "off" });
    assert.match(await textAt(`${logging}/en/privacy`), /IP addresses are not logged/);
  });

  test("are a 304 for a reader who has them, except the status", async (t) => {
    const url = await openSite(t);
    for (const path of PATHS.slice(0, 3)) {
      const { headers } = await fetch(url + path);
      assert.equal(headers.get("cache-control"), "public, no-cache");
      const again = await fetch(url + path, { headers: { "If-None-Match": headers.get("etag")! } });
      assert.equal(again.status, 304, path);
    }
    const status = await fetch(`${url}/en/status`);
    assert.equal(status.headers.get("cache-control"), "no-store");
    assert.match(await status.text(), /Everything works/);
  });
});

describe("a wrong parameter of the list of auctions", () => {
  test("is named on the page, which is not listed by search engines", async (t) => {
    const url = await openSite(t);
    for (const [query, name] of [
      ["offset=x", "offset"],
      ["offset=%00%3Cscript%3E", "offset"],
      ["mode=all", "mode"],
    ] as const) {
      const response = await fetch(`${url}/en/auctions?${query}`);
      const page = await response.text();
      assert.equal(response.status, 400, query);
      assert.match(page, new RegExp(`role="alert".*The parameter “${name}” has a wrong value.*<h1>Auctions</h1>`, "s"));
      assert.match(page, /<meta name="robots" content="noindex, follow">/);
    }
    assert.equal((await fetch(`${url}/auctions?mode=test`)).status, 200);
  });
});

describe("what search engines read", () => {
  test("lists published tenders in both languages, but no drafts or test tenders", async (t) => {
    const url = await openSite(t);
    const id = await publish(url, { title: "Road salt" });
    const hidden = [
      await publish(url, { title: "Draft", status: "draft" }),
      await publish(url, { title: "Test", mode: "test" }),
    ];
    const index = await textAt(`${url}/sitemap.xml`);
    assert.deepEqual(
      [...index.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, address]) => address),
      [`${url}/sitemap-pages.xml`, `${url}/sitemap-1.xml`],
    );
    const tenders = await textAt(`${url}/sitemap-1.xml`);
    assert.deepEqual(
      [...tenders.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, address]) => address),
      [`${url}/tenders/${id}`, `${url}/en/tenders/${id}`],
    );
    for (const other of hidden) assert.ok(!tenders.includes(other));
    const pages = await textAt(`${url}/sitemap-pages.xml`);
    for (const [, address] of pages.matchAll(/<loc>(.*?)<\/loc>/g))
      assert.equal((await fetch(address!)).status, 200, String(address));
    for (const name of ["2", "0", "x", "99999", "1e3"])
      assert.equal((await fetch(`${url}/sitemap-${name}.xml`)).status, 404, name);
  });

  test("lists the profiles of buyers and suppliers, but not those of test tenders, and the open data", async (t) => {
    const url = await openSite(t);
    const buyer = (id: string) => ({ name: "School", identifier: { scheme: "UA-EDR", id } });
    await publish(url, { title: "Road salt", procuringEntity: buyer("7 & 8") });
    await publish(url, { title: "Test", mode: "test", procuringEntity: buyer("666") });
    assert.match(await textAt(`${url}/sitemap.xml`), /sitemap-buyers-1\.xml/);
    const profiles = await textAt(`${url}/sitemap-buyers-1.xml`);
    assert.deepEqual(
      [...profiles.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, address]) => address),
      [`${url}/buyers/UA-EDR-7%20%26%208`, `${url}/en/buyers/UA-EDR-7%20%26%208`],
    );
    for (const name of ["buyers-2", "buyers-0", "suppliers-1"])
      assert.equal((await fetch(`${url}/sitemap-${name}.xml`)).status, 404, name);
    assert.ok((await textAt(`${url}/sitemap-pages.xml`)).includes(`<loc>${url}/en/data</loc>`));
  });

  test("is linked from the footer of pages that do not exist, as far as it is open data", async (t) => {
    const url = await openSite(t);
    for (const path of ["/nothing", "/en/nothing", "/en/auctions/00000000000000000000000000000000"]) {
      const response = await fetch(url + path, { headers: { Accept: "text/html" } });
      assert.equal(response.status, 404, path);
      assert.match(await response.text(), /<footer.*href="(?:\/en)?\/data".*<\/footer>/s, path);
    }
  });

  test("keeps sandboxes out of results, and allows the pages of production", async (t) => {
    assert.match(await textAt(`${await openSite(t)}/robots.txt`), /^User-agent: \*\nDisallow: \/\n/);
  });

  test("has files within the limits for a million tenders", async () => {
    const id = "0123456789abcdef".repeat(2);
    const registry = {
      publishedCount: async () => 1_000_000,
      profileCount: async () => 0,
      profileKeys: async () => [],
      publishedPage: async ({ offset, limit }: { readonly offset: number; readonly limit: number }) =>
        Array.from({ length: Math.max(0, Math.min(limit, 1_000_000 - offset)) }, (_, i) => ({
          id,
          dateModified: (offset + i) * 1000,
        })),
    };
    const site = {
      ...{ name: "Tenderhall", origin: "https://tenders.example.org/registry", basePath: "/registry" },
      ...{ defaultLanguage: "uk" as const, sandbox: false },
    };
    const { text: index } = await sitemapIndex(registry, site);
    const names = [...(index?.latin1 ?? "").matchAll(/sitemap-(\d+)\.xml/g)].map(([, name]) => name!);
    assert.equal(names.length, 400);
    const { text: last } = await sitemapFile(registry, site, names.at(-1)!);
    assert.equal(last?.latin1.match(/<url>/g)?.length, 5000);
    assert.ok((last?.latin1.length ?? 0) < 50 * 1024 * 1024);
    assert.equal((await sitemapFile(registry, site, String(names.length + 1))).status, 404);
  });
});

describe("links to pages in other services", () => {
  test("have a picture of the site or of the tender", async (t) => {
    const url = await openSite(t);
    const id = await publish(url, { title: "Road salt" });
    for (const path of ["/", "/en/about", `/en/tenders/${id}`]) {
      const page = await textAt(url + path);
      const [, address = ""] = /<meta property="og:image" content="([^"]+)">/.exec(page) ?? [];
      assert.ok(address.startsWith(url), path);
      const picture = await fetch(address);
      assert.deepEqual([picture.status, picture.headers.get("content-type")], [200, "image/png"], path);
      assert.equal(address.includes(id), path.includes(id));
    }
    const draft = await publish(url, { title: "Draft", status: "draft" });
    for (const unknown of [draft, "0".repeat(32)])
      assert.equal((await fetch(`${url}/tenders/${unknown}/preview.png`)).status, 404);
  });
});
