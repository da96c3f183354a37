import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { hashOf } from "../../src/base/secrets.ts";
import { SEGMENTS } from "../../src/dialects/dialects.ts";
import { RENAMED_PAGES } from "../../src/portal/docs/contents.ts";
import type { SearchEntry } from "../../src/portal/docs/searchIndex.ts";
import {
  codeIn,
  crawl,
  idsIn,
  linksIn,
  loadedAssets,
  operationsIn,
  referenceOf,
  samplesIn,
} from "../support/htmlPages.ts";
import { missingPrograms } from "../support/programs.ts";
import { runSamples } from "../support/samples.ts";
import { expectStatus, openWorld, sharedWorld } from "../support/world.ts";

const POLICY =
  /^default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self' data:; .*frame-ancestors 'none'$/;

/** The ranking of the search, read from the script of the pages, which runs in browsers and exports nothing. */
const rankMatches = new Function(
  "parts",
  "typed",
  `${/^function matching\(.*?^}$/ms.exec(readFileSync("docs/assets/docs.js", "utf8"))![0]}; return matching(parts, typed);`,
) as (parts: readonly SearchEntry[], typed: string) => readonly SearchEntry[];

const entryOf = (path: string, rank: number, isBackground?: true): SearchEntry => ({
  ...{ path, page: "page", heading: "heading", text: "the same words", rank },
  ...(isBackground && { isBackground }),
});

const BROWSERS_ACCEPT = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

describe("the documentation", async () => {
  const world = await sharedWorld();
  const pageOf = async (path: string) => (await fetch(world.url + path)).text();

  it("links to every page from its first one, and has no broken link or anchor", async () => {
    const pages = await crawl(`${world.url}/docs`, `${world.url}/docs`);
    const paths = [...pages.keys()].map((url) => url.slice(world.url.length));
    for (const segment of SEGMENTS) assert.ok(paths.includes(`/docs/api/${segment}`), segment);
    for (const guide of [
      "first-tender",
      "bidding",
      "following-the-feed",
      "from-polling-to-push",
      "going-to-production",
    ])
      assert.ok(paths.includes(`/docs/guides/${guide}`), guide);
    for (const path of [
      "/docs/errors",
      "/docs/procedures",
      "/docs/procedures/basic",
      "/docs/operations",
      "/docs/settings",
      "/docs/scale",
      "/docs/versions",
      "/docs/glossary",
      "/docs/architecture",
      "/docs/decisions",
    ])
      assert.ok(paths.includes(path), path);
    const others = new Map<string, number>();
    for (const [url, html] of pages)
      for (const link of [...linksIn(html), ...loadedAssets(html)]) {
        if (link.startsWith("data:")) continue;
        const target = new URL(link, url);
        assert.equal(target.origin, world.url, `${url} links to ${link}`);
        const { hash } = target;
        target.hash = "";
        const page = pages.get(target.href);
        if (hash) assert.ok(page && idsIn(page).includes(hash.slice(1)), `${url} links to ${link}`);
        if (!page) others.set(target.href, others.get(target.href) ?? (await fetch(target)).status);
      }
    for (const [url, status] of others) assert.equal(status, 200, url);
  });

  it("lists the versions on its first page, newest first, each with its feed and descriptions", async () => {
    const html = await pageOf("/docs");
    assert.match(html, /Write new clients for 2\.5, the current version, which the guides use too/);
    const versions = [...html.matchAll(/<th scope="row"><code>([\d.]+)<\/code>/g)].map(([, version]) => version);
    assert.deepEqual(versions, ["2.5", "2.3", "0", "0.2", "0.1"]);
    for (const segment of SEGMENTS)
      for (const path of [`/api/${segment}/tenders`, `/api/${segment}/openapi.json`, `/docs/api/${segment}`])
        assert.ok(linksIn(html).includes(path), path);
  });

  it("has a strict content security policy, and no inline scripts or styles", async () => {
    for (const [url, html] of await crawl(`${world.url}/docs`, `${world.url}/docs`)) {
      const { headers } = await fetch(url);
      assert.match(headers.get("content-security-policy")!, POLICY, url);
      assert.equal(headers.get("content-type"), "text/html; charset=UTF-8");
      const prose = html.replace(/<code.*?<\/code>/gs, "");
      assert.doesNotMatch(prose, /<style|\sstyle=|\son\w+=|<script(?![^>]*\ssrc=)|undefined|\[object/, url);
      assert.equal(html.split('class="next"').length, 2, `${url} has one next step`);
      assert.equal(new Set(idsIn(html)).size, idsIn(html).length, `${url} has each id once`);
      assert.equal(html.split("<h1").length, 2, `${url} has one title`);
    }
  });

  it("is a 304 for a client that has it, and its assets are cached permanently", async () => {
    const page = await fetch(`${world.url}/docs`);
    const again = await fetch(`${world.url}/docs`, {
      headers: { "If-None-Match": `W/"x", ${page.headers.get("etag")}` },
    });
    assert.equal(again.status, 304);
    assert.equal(await again.text(), "");
    for (const part of loadedAssets(await page.text()).filter((asset) => !asset.startsWith("data:"))) {
      const { headers } = await fetch(world.url + part);
      assert.match(headers.get("cache-control")!, /max-age=31536000/);
      const known = await fetch(world.url + part, { headers: { "If-None-Match": headers.get("etag")! } });
      assert.equal(known.status, 304);
    }
  });

  it("responds with 404 to unknown pages and accepts only reads", async () => {
    for (const path of [
      "/docs/nothing",
      "/docs/guides/..%2f..%2fpackage",
      "/docs/assets/nothing.js",
      "/docs/assets/../site.ts",
    ])
      assert.equal((await fetch(world.url + path)).status, 404, path);
    assert.match(await pageOf("/docs/<script>"), /There is no such page/);
    assert.equal((await fetch(`${world.url}/docs/`, { redirect: "manual" })).headers.get("location"), "/docs");
    assert.equal((await fetch(`${world.url}/docs`, { method: "POST" })).status, 405);
    assert.equal((await fetch(`${world.url}/docs`, { method: "HEAD" })).status, 200);
    assert.equal((await fetch(`${world.url}/documents`)).status, 404);
  });

  it("permanently redirects former page URLs to their new ones", async () => {
    assert.ok(RENAMED_PAGES.length > 0);
    for (const [from, to] of RENAMED_PAGES) {
      const { status, headers } = await fetch(world.url + from, { redirect: "manual" });
      assert.deepEqual([status, headers.get("location")], [301, to]);
      assert.equal((await fetch(world.url + to, { redirect: "manual" })).status, 200, to);
    }
  });

  it("ranks guides before the reference, and decision records last", async () => {
    const index = (await (await fetch(`${world.url}/docs/search.json`)).json()) as readonly SearchEntry[];
    for (const typed of ["idempotency", "test clock", "sealed", "webhook", "offset", "backup"]) {
      const found = rankMatches(index, typed);
      const isRecord = found.map(({ path }) => path.startsWith("/docs/decisions"));
      assert.ok(isRecord.includes(true) && isRecord.includes(false), `${typed} is on pages of both kinds`);
      assert.equal(isRecord.lastIndexOf(false) + 1, isRecord.indexOf(true), typed);
    }
    const pageOfFirst = (typed: string) => rankMatches(index, typed)[0]!.path.split("#")[0];
    assert.equal(pageOfFirst("hold the auction"), "/docs/guides/bidding");
    assert.equal(pageOfFirst("PENDING_UPLOADS_MAX"), "/docs/settings");
    const equal = [entryOf("/docs/decisions/0001", 3, true), entryOf("/docs/errors", 1), entryOf("/docs/guides/a", 0)];
    assert.deepEqual(
      rankMatches(equal, "same words").map(({ path }) => path),
      ["/docs/guides/a", "/docs/errors", "/docs/decisions/0001"],
    );
    // A better match outranks a better section, except that decision records come last.
    const better = { ...entryOf("/docs/errors", 1), heading: "same words" };
    const record = { ...entryOf("/docs/decisions/0001", 3, true), heading: "same words" };
    assert.deepEqual(
      rankMatches([record, entryOf("/docs/guides/a", 0), better], "same words").map(({ path }) => path),
      ["/docs/errors", "/docs/guides/a", "/docs/decisions/0001"],
    );
  });

  it("shows the diagram of the modules", async () => {
    const page = await pageOf("/docs/architecture");
    const [, source] = /<figure class="picture">.*?<img src="([^"]+)" alt="[^"]{20,}">/s.exec(page)!;
    const picture = await fetch(world.url + source);
    assert.deepEqual([picture.status, picture.headers.get("content-type")], [200, "image/svg+xml"]);
    assert.equal(await picture.text(), readFileSync("docs/modules.svg", "utf8"));
  });

  it("uses the newest version for newcomers", async () => {
    const newest = SEGMENTS.at(-1)!;
    for (const guide of ["first-tender", "bidding", "following-the-feed", "from-polling-to-push"]) {
      const samples = codeIn(await pageOf(`/docs/guides/${guide}`)).join("\n");
      const versions = new Set([...samples.matchAll(/\/api\/([\d.]+)/g)].map(([, version]) => version));
      assert.deepEqual([...versions], [newest], guide);
    }
  });

  it("redirects a shortened URL to the section that it belongs to", async () => {
    for (const [path, to] of [
      ["/docs/api", `/docs/api/${SEGMENTS.at(-1)}`],
      ["/docs/guides", "/docs#guides"],
    ]) {
      const { status, headers } = await fetch(world.url + path, { redirect: "manual" });
      assert.deepEqual([status, headers.get("location")], [302, to]);
    }
    assert.ok(idsIn(await pageOf("/docs")).includes("guides"));
  });

  it("shows an HTML page for an unknown URL to browsers, and JSON to programs", async () => {
    const request = (path: string, accept: string, method = "GET") =>
      fetch(world.url + path, { method, headers: { Accept: accept } });
    const seen = await request("/nothing/<here>", BROWSERS_ACCEPT);
    assert.equal(seen.status, 404);
    assert.match(seen.headers.get("content-type")!, /^text\/html/);
    assert.match(seen.headers.get("vary")!, /Accept/);
    const page = await seen.text();
    assert.match(page, /<html lang="uk">.*<h1>Сторінки не знайдено<\/h1>.*%3Chere%3E/s);
    const english = await request("/en/nothing/<here>", BROWSERS_ACCEPT);
    assert.equal(english.status, 404);
    assert.match(await english.text(), /<html lang="en">.*<h1>Page not found<\/h1>.*There is no such page/s);
    const auction = await request(`/en/auctions/${"0".repeat(32)}`, BROWSERS_ACCEPT);
    assert.equal(auction.status, 404);
    assert.match(await auction.text(), /<h1>Page not found<\/h1>/);
    assert.ok(linksIn(page).includes("/docs"));
    for (const [path, accept, method] of [
      ["/nothing", "*/*", "GET"],
      ["/nothing", "application/json", "GET"],
      ["/nothing", BROWSERS_ACCEPT, "POST"],
      ["/api", BROWSERS_ACCEPT, "GET"],
      ["/api/", BROWSERS_ACCEPT, "GET"],
      ["/api/9.9/tenders", BROWSERS_ACCEPT, "GET"],
      ["/api/2.5/nothing", BROWSERS_ACCEPT, "GET"],
      [`/auctions/${"0".repeat(32)}`, "application/json", "GET"],
    ] as const) {
      const { status, headers } = await request(path, accept, method);
      assert.equal(status, 404, path);
      assert.match(headers.get("content-type")!, /^application\/json/, `${method} ${path}`);
    }
    const icon = await request("/favicon.ico", "image/*");
    assert.deepEqual([icon.status, icon.headers.get("content-type")], [200, "image/svg+xml"]);
    assert.match(await icon.text(), /^<svg /);
  });

  it("says which server commands use by default, and how to choose this one", async () => {
    const commandsPage = await pageOf("/docs/commands");
    assert.ok(commandsPage.includes("TENDERHALL_URL or http://127.0.0.1:8080"));
    for (const page of [commandsPage, await pageOf("/docs")])
      assert.ok(page.includes(`export TENDERHALL_URL=${world.url}<`));
  });

  it("shows samples with its own base URL, and links below its base path", async () => {
    assert.ok((await pageOf("/docs/guides/first-tender")).includes(`API=${world.url}/api/2.5`));
    const below = await openWorld({ PUBLIC_URL: "https://hall.example/registry" });
    try {
      const html = await (await fetch(`${below.url}/docs/guides/bidding`)).text();
      assert.ok(html.includes("HALL=https://hall.example/registry"));
      for (const link of [...linksIn(html), ...loadedAssets(html)])
        assert.match(link, /^(\/registry\/|#|data:|https:\/\/hall\.example)/);
    } finally {
      await below.stop();
    }
  });

  for (const segment of SEGMENTS)
    it(`has a body for a tender, a question and a bid that ${segment} accepts`, async () => {
      const operations = operationsIn(await referenceOf(world.url, segment));
      const inTime = (body: unknown) =>
        JSON.parse(JSON.stringify(body), (_name, value) => {
          const [, seconds] = (typeof value === "string" && /^@\+(\d+)s$/.exec(value)) || [];
          return seconds ? new Date(world.clock.now / 1000 + Number(seconds) * 1000).toISOString() : value;
        });
      const bodyOf = (id: string) => inTime(operations.find((operation) => operation.id === id)!.body);
      const api = world.api(segment);
      const { data } = expectStatus(201, await api.post("/tenders", bodyOf("post_tenders"))).body;
      expectStatus(201, await api.post(`/tenders/${data.id}/questions`, bodyOf("post_tenders_tender_id_questions")));
      world.clock.forward(61_000_000);
      const bids = operations.find(({ id }) => /^post_tenders_tender_id_bid(s|ders)$/.test(id))!;
      expectStatus(201, await api.post(`/tenders/${data.id}/${bids.path.split("/").at(-1)}`, inTime(bids.body)));
    });

  for (const segment of [...SEGMENTS, "site"])
    it(`has a curl sample that ${segment} accepts for each operation`, {
      skip: missingPrograms("bash", "curl"),
    }, async () => {
      const samples = curlSamplesIn(await referenceOf(world.url, segment));
      const count = Object.values(
        ((await (await fetch(`${world.url}${descriptionOf(segment)}`)).json()) as Described).paths,
      )
        .flatMap((path) => Object.keys(path))
        .filter((method) => method !== "parameters").length;
      assert.equal(samples.length, count);
      const nobody = "0".repeat(32);
      const variables = [...new Set(samples.join("").match(/\$[A-Z_]+/g))].map(
        (name) => `${name.slice(1)}=${nobody}\n`,
      );
      const { id } = (await world.api("2.3").post("/tenders", { title: "For samples" })).body.data;
      const head = `${variables.join("")}TENDER_ID=${id}\necho terms > terms.txt\n`;
      // Ids below the tender are made up, so the statuses differ; what counts is that each request is valid.
      const requests = samples.map((text) =>
        text.replace("--max-time 5", "--max-time 1").replace(/^curl -s(?=N? )/, ASK),
      );
      const run = (texts: readonly string[]) => {
        const text = `${head}${texts.map(understood).join("")}`;
        return runSamples([{ heading: segment, language: "sh", note: undefined, text }], {
          names: {},
          environment: {},
        });
      };
      await run(requests);
      await assert.rejects(run([`${ASK} ${world.url}/api/2.5/tender`]), /unknown-path/);
    });
});

const curlSamplesIn = (html: string): readonly string[] =>
  samplesIn(html).flatMap(({ language, text }) => (language === "sh" ? [text] : []));

const ASK = "curl -o answer -w '%{http_code}\\n' -s";

/** An unknown id is allowed, an unknown path is not. */
const understood = (sample: string): string => `: > answer
${endless(sample)} | grep -Evx '400|405|415|5..'
if grep '"rule":"unknown-path"' answer; then exit 1; fi
`;

/** curl exits with 28 when it ends a stream after its time limit. */
const endless = (sample: string): string =>
  sample.includes("--max-time") ? `{ ${sample} || [ $? -eq 28 ]; }` : sample;

const descriptionOf = (segment: string): string =>
  segment === "site" ? "/openapi.json" : `/api/${segment}/openapi.json`;

type Described = { readonly paths: { readonly [path: string]: object } };

describe("the documentation of a registry in production", async () => {
  it("allows no writes from its pages, and says that its samples are for a sandbox", async () => {
    const folder = await openWorld();
    const accounts = join(folder.dataDir, "accounts.json");
    writeFileSync(
      accounts,
      JSON.stringify([{ name: "acme", group: "brokers", levels: "1234", keyHash: hashOf("a key of acme") }]),
    );
    const PUBLIC_URL = "https://hall.example";
    const world = await openWorld({ MODE: "production", ACCOUNTS_FILE: accounts, PUBLIC_URL });
    try {
      const html = await referenceOf(world.url, "2.5");
      assert.deepEqual([...new Set(operationsIn(html).map(({ method }) => method))], ["GET"]);
      assert.match(html, /data-key=""/);
      assert.doesNotMatch(html, /-u broker:/);
      assert.ok(curlSamplesIn(html).length > 50);
      assert.ok(curlSamplesIn(html).every((sample) => sample.includes(` "${PUBLIC_URL}/api/2.5/`)));
      const guide = await (await fetch(`${world.url}/docs/guides/first-tender`)).text();
      assert.match(guide, /API=http:\/\/127\.0\.0\.1:8080\/api\/2\.5/);
    } finally {
      await world.stop();
      await folder.stop();
    }
  });
});
