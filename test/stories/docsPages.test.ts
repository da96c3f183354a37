import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { SEGMENTS } from "../../src/dialects/dialects.ts";
import { linksIn, loadedAssets } from "../support/htmlPages.ts";
import { sharedWorld } from "../support/world.ts";

/** test/docs/site.test.ts follows every link; this story follows those of the first page. */

describe("the documentation", async () => {
  const world = await sharedWorld();
  const read = async (path: string) => {
    const response = await fetch(world.url + path);
    assert.equal(response.status, 200, path);
    return { response, html: await response.text() };
  };

  it("is served as pages without inline scripts, with their styles and scripts", async () => {
    const { response, html } = await read("/docs");
    assert.equal(response.headers.get("content-type"), "text/html; charset=UTF-8");
    assert.match(response.headers.get("content-security-policy")!, /^default-src 'none'; /);
    assert.doesNotMatch(html.replace(/<code.*?<\/code>/gs, ""), /\son\w+=|<script(?![^>]*\ssrc=)/);
    const parts = loadedAssets(html).filter((part) => !part.startsWith("data:"));
    assert.ok(parts.length > 0);
    for (const part of parts) await read(part);
  });

  it("links from its first page to pages that exist", async () => {
    const links = linksIn((await read("/docs")).html).map((link) => new URL(link, `${world.url}/docs`).pathname);
    const pages = new Set(links.filter((path) => path.startsWith("/docs")));
    assert.ok(pages.size > 10, `${pages.size} pages`);
    for (const page of pages) assert.match((await read(page)).html, /<h1/, page);
  });

  it("has a reference for every version", async () => {
    for (const segment of SEGMENTS) assert.match((await read(`/docs/api/${segment}`)).html, /<h1/, segment);
  });

  it("is a 304 for a client that has it", async () => {
    const { response } = await read("/docs");
    const headers = { "If-None-Match": response.headers.get("etag")! };
    assert.equal((await fetch(`${world.url}/docs`, { headers })).status, 304);
  });

  it("responds with 404 to unknown pages and accepts only reads", async () => {
    assert.equal((await fetch(`${world.url}/docs/nothing`)).status, 404);
    assert.equal((await fetch(`${world.url}/docs`, { method: "POST" })).status, 405);
  });
});
