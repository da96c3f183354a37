import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, type TestContext, test } from "node:test";
import { start } from "../../app/start.ts";
import { systemClock } from "../../app/systemClock.ts";
import { hashOf } from "../../base/secrets.ts";
import { type Config, configOf, type Environment } from "../../config/config.ts";
import { cachedBodyText } from "../../http/responses.ts";
import { openLog } from "../../ops/log.ts";
import type { Language } from "../layout/languages.ts";
import type { PageRequest } from "../layout/pageRequest.ts";
import { basePathOf } from "../markup.ts";
import type { HomePorts } from "./homeData.ts";
import { HOME_ROUTES } from "./homeRoutes.ts";

type Hall = {
  readonly url: string;
  /** The page in English. */
  readonly page: () => Promise<string>;
  readonly send: (method: string, path: string, data: object) => Promise<Sent>;
  readonly publish: (data: object) => Promise<Sent>;
};
type Sent = { readonly data: { readonly [field: string]: string }; readonly access: { readonly token: string } };

const LONG_AGO = { startDate: "2020-01-01T00:00:00+02:00", endDate: "2020-02-01T00:00:00+02:00" };
const STILL_OPEN = { startDate: "2020-01-01T00:00:00+02:00", endDate: "2199-02-01T00:00:00+02:00" };

async function temporaryFolder(t: TestContext): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), "home-page-"));
  t.after(() => rm(path, { recursive: true, force: true }));
  return path;
}

function configFrom(environment: Environment): Config {
  const config = configOf({ PORT: "0", LOG: "off", ...environment });
  assert.ok("port" in config, String(config));
  return config;
}

async function openHall(t: TestContext, environment: Environment = {}): Promise<Hall> {
  const path = await mkdtemp(join(tmpdir(), "home-page-"));
  const config = configFrom({ DATA_DIR: path, ...environment });
  const { url, stop } = await start(config, { clock: systemClock, log: openLog(() => {}, { info: false }) });
  t.after(() => stop().finally(() => rm(path, { recursive: true, force: true })));
  const send = async (method: string, path: string, data: object): Promise<Sent> => {
    const headers = { Authorization: `Basic ${btoa("broker:")}`, "Content-Type": "application/json" };
    const response = await fetch(`${url}/api/2.3${path}`, { method, headers, body: JSON.stringify({ data }) });
    assert.ok(response.ok, await response.clone().text());
    return (await response.json()) as Sent;
  };
  return {
    url,
    page: async () => (await fetch(`${url}/en`)).text(),
    send,
    publish: (data) => send("POST", "/tenders", data),
  };
}

const account = { name: "buyer", group: "brokers", levels: "1234", keyHash: hashOf("a secret key") };

async function accountsFile(t: TestContext): Promise<string> {
  const file = join(await temporaryFolder(t), "accounts.json");
  await writeFile(file, JSON.stringify([account]));
  return file;
}

const textOf = (html: string): string =>
  html
    .replace(/<[^>]*>/g, "")
    .replace(
      /&(amp|lt|gt|quot|#39);/g,
      (_, name) => ({ amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" })[name as "amp"],
    )
    .replace(/\s+/g, " ");

/** The section with this heading. */
const sectionOf = (html: string, id: string): string =>
  new RegExp(`<section[^>]* aria-labelledby="${id}">.*?</section>`, "s").exec(html)?.[0] ?? "";

/** The titles of a list, by default that of new tenders. */
const titlesOf = (html: string, id = "newest"): readonly string[] =>
  [...sectionOf(html, id).matchAll(/<h3><a [^>]*><bdi lang="">(.*?)<\/bdi>/gs)].map(([, title]) => textOf(title!));

describe("the home page", () => {
  test("says what the registry is and invites the first tender while there is none, in both languages", async (t) => {
    const hall = await openHall(t);
    const html = await hall.page();
    assert.match(html, /<html lang="en">/);
    assert.match(html, /<title>Tenderhall: a public procurement registry<\/title>/);
    assert.match(html, /<h1>Public procurement<\/h1>/);
    assert.match(html, /Ready for the first tender/);
    const ukrainian = await (await fetch(hall.url)).text();
    assert.match(ukrainian, /<html lang="uk">/);
    assert.match(ukrainian, /<h1>Публічні закупівлі<\/h1>.*Тут буде перша закупівля/s);
    for (const page of [html, ukrainian]) {
      for (const landmark of ["header", "main", "footer"])
        assert.equal(page.match(new RegExp(`<${landmark}[ >]`, "g"))?.length, 1, `one ${landmark}`);
      assert.doesNotMatch(page, /class="(results|statuses|figures)"|undefined|NaN|\[object/);
    }
  });

  test("begins with the search, which leads to the list of tenders in the same language", async (t) => {
    const hall = await openHall(t);
    const form = '<form class="search-box" role="search" action="/en/tenders">';
    assert.equal((await hall.page()).split('role="search"').length, 2);
    assert.ok((await hall.page()).includes(form));
    assert.ok((await (await fetch(hall.url)).text()).includes(form.replace("/en", "")));
  });

  test("has a policy that allows nothing but what the site itself serves, and no inline scripts or styles", async (t) => {
    const { url } = await openHall(t);
    const response = await fetch(url);
    const html = await response.text();
    const policy = response.headers.get("content-security-policy")!;
    assert.equal(response.status, 200);
    assert.equal(response.headers.get("content-type"), "text/html; charset=UTF-8");
    assert.equal(response.headers.get("cache-control"), "public, no-cache");
    assert.equal(response.headers.get("set-cookie"), null);
    assert.match(policy, /^default-src 'none'; /);
    assert.doesNotMatch(policy, /unsafe|http/);
    assert.doesNotMatch(html, /<script(?! type="application\/ld\+json">)|<style|\sstyle=|\son\w+=/);
  });

  test("responds to HEAD without a body, and to other methods with the allowed ones", async (t) => {
    const { url } = await openHall(t);
    const head = await fetch(url, { method: "HEAD" });
    assert.equal(head.status, 200);
    assert.equal(await head.text(), "");
    const posted = await fetch(url, { method: "POST" });
    assert.equal(posted.status, 405);
    assert.equal(posted.headers.get("allow"), "GET, HEAD");
  });

  test("has no broken link", async (t) => {
    const hall = await openHall(t);
    await hall.publish({ title: "Road salt", tenderPeriod: STILL_OPEN });
    const html = await hall.page();
    const links = [...html.matchAll(/<a [^>]*href="([^"]*)"/g)].map(([, href]) => href!.replaceAll("&amp;", "&"));
    assert.ok(links.includes("/docs") && links.includes("/en/auctions"));
    for (const link of new Set(links))
      if (!link.startsWith("#")) assert.equal((await fetch(new URL(link, hall.url))).status, 200, link);
  });

  test("offers to fill an empty sandbox", async (t) => {
    const hall = await openHall(t);
    assert.ok(textOf(await hall.page()).includes(`npx --no-install tenderhall demo --url '${hall.url}'`));
    await hall.publish({ title: "Road salt" });
    assert.doesNotMatch(await hall.page(), /npx/);
  });

  test("is the same page until something public changes, and then another", async (t) => {
    const hall = await openHall(t);
    await hall.publish({ title: "Road salt", tenderPeriod: STILL_OPEN });
    const first = await fetch(`${hall.url}/en`);
    const tag = first.headers.get("etag")!;
    const ask = () => fetch(`${hall.url}/en`, { headers: { "If-None-Match": tag } });
    assert.equal((await ask()).status, 304);
    const drafted = await hall.publish({ title: "Hidden draft", status: "draft" });
    assert.ok(drafted.data.id);
    assert.equal((await ask()).status, 304);
    await hall.publish({ title: "Snow ploughs" });
    const changed = await ask();
    assert.equal(changed.status, 200);
    assert.notEqual(changed.headers.get("etag"), tag);
  });
});

describe("the next step on the home page", () => {
  test("is, in a sandbox, a command that publishes a tender of the current version when pasted", async (t) => {
    const hall = await openHall(t);
    const command = textOf(/<pre class="command"><code>(.*?)<\/code><\/pre>/s.exec(await hall.page())![1]!);
    const [, key, header, address, body] = /^curl -u (\w+:) -H '([^']*)' '([^']*)' -d '([^']*)'$/.exec(command)!;
    assert.equal(header, "Content-Type: application/json");
    const headers = { Authorization: `Basic ${btoa(key!)}`, "Content-Type": "application/json" };
    assert.equal((await fetch(address!, { method: "POST", headers, body })).status, 201);
    assert.deepEqual(titlesOf(await hall.page()), ["My first tender"]);
  });

  test("is, in production, to read the feed and to ask for a key", async (t) => {
    const html = await (await openHall(t, { MODE: "production", ACCOUNTS_FILE: await accountsFile(t) })).page();
    assert.match(html, /href="\/api\/2\.5\/tenders\?descending=1&amp;opt_pretty=1">The feed of changes, newest first/);
    assert.match(html, /you need a key/);
    assert.doesNotMatch(html, /curl|sandbox|broker/i);
  });

  test("offers no public key in a sandbox with its own accounts", async (t) => {
    const html = await (await openHall(t, { ACCOUNTS_FILE: await accountsFile(t) })).page();
    assert.match(html, /<span class="mode">sandbox</);
    assert.match(html, /you need a key/);
    assert.doesNotMatch(html, /curl|broker/);
  });
});

describe("the lists on the home page", () => {
  test("have the newest tenders first, with buyer, value and status, and link their pages", async (t) => {
    const hall = await openHall(t);
    const ids: string[] = [];
    for (let i = 1; i <= 8; i++)
      ids.push((await hall.publish({ title: `Tender ${i}`, value: { amount: 1000 * i } })).data.id!);
    const html = await hall.page();
    assert.deepEqual(
      titlesOf(html),
      Array.from({ length: 6 }, (_, i) => `Tender ${8 - i}`),
    );
    assert.ok(html.includes(`href="/en/tenders/${ids[7]}"`));
    assert.match(textOf(sectionOf(html, "newest")), /Tender 8 UAH.8,000.00 Enquiries Tender 7/);
  });

  test("have the tenders that close soonest first, with the deadline in the registry's time zone", async (t) => {
    const hall = await openHall(t, { TIMEZONE: "Asia/Kolkata" });
    for (const year of [2198, 2196, 2197]) {
      const endDate = `${year}-02-01T00:00:00Z`;
      await hall.publish({ title: `Until ${year}`, tenderPeriod: { ...STILL_OPEN, endDate } });
    }
    const html = await hall.page();
    assert.deepEqual(titlesOf(html, "closing"), ["Until 2196", "Until 2197", "Until 2198"]);
    assert.match(textOf(sectionOf(html, "closing")), /Bids until 1 February 2196 at 05:30/);
  });

  test("include a decision at once", async (t) => {
    const hall = await openHall(t);
    const done = await hall.publish({ title: "Done", tenderPeriod: LONG_AGO });
    assert.deepEqual(titlesOf(await hall.page(), "decided"), []);
    await hall.send("PATCH", `/tenders/${done.data.id}?acc_token=${done.access.token}`, { status: "complete" });
    assert.deepEqual(titlesOf(await hall.page(), "decided"), ["Done"]);
  });

  test("leave out drafts and test tenders", async (t) => {
    const hall = await openHall(t);
    await hall.publish({ title: "Hidden draft", status: "draft" });
    await hall.publish({ title: "Hidden test", mode: "test" });
    assert.doesNotMatch(await hall.page(), /Hidden|class="statuses"/);
  });

  test("show a hostile title as text", async (t) => {
    const hall = await openHall(t);
    const title = `</bdi></a><script>alert(1)</script><img src=x onerror="alert('2')"> & &lt; \${1}`;
    await hall.publish({ title });
    const html = await hall.page();
    assert.deepEqual(titlesOf(html), [title]);
    assert.doesNotMatch(html, /<script(?! type="application\/ld)|<img/);
  });

  test("remove line breaks, direction controls and excess combining marks from titles", async (t) => {
    const hall = await openHall(t);
    await hall.publish({ title: "\u202Efdp.\u2066exe\u200F\u061C\r\n\u0007\u2028 end" });
    await hall.publish({ title: `Z${"\u0300".repeat(500)}algo` });
    assert.deepEqual(titlesOf(await hall.page()), [`Z${"\u0300".repeat(4)}algo`, "fdp.exe end"]);
  });

  test("truncate a title of 64 KiB between characters", async (t) => {
    const hall = await openHall(t);
    await hall.publish({ title: "🏛".repeat(16 * 1024) });
    const html = await hall.page();
    assert.deepEqual(titlesOf(html), [`${"🏛".repeat(140)}…`]);
    assert.ok(html.length < 24_000, `${html.length}`);
  });

  test("show the number of a tender without a readable title", async (t) => {
    const hall = await openHall(t);
    const untitled = await hall.publish({});
    const blank = await hall.publish({ title: " \u200B\u202E\n " });
    assert.deepEqual(titlesOf(await hall.page()), [blank.data.tenderID, untitled.data.tenderID]);
  });

  test("show nothing about bids", async (t) => {
    const hall = await openHall(t);
    const { data } = await hall.publish({ title: "Ambulances", tenderPeriod: STILL_OPEN });
    const value = { amount: 987654, currency: "UAH" };
    const bid = await hall.send("POST", `/tenders/${data.id}/bids`, { tenderers: [{ name: "Bidder Ltd" }], value });
    const html = await hall.page();
    assert.deepEqual(titlesOf(html), ["Ambulances"]);
    for (const secret of ["Bidder Ltd", "987654", "987,654", bid.data.id!]) assert.ok(!html.includes(secret), secret);
  });
});

describe("the numbers on the home page", () => {
  test("are those of tenders by status, in the order of the statuses, with proportional bars", async (t) => {
    const hall = await openHall(t);
    const done = await hall.publish({ title: "Done", tenderPeriod: LONG_AGO });
    await hall.send("PATCH", `/tenders/${done.data.id}?acc_token=${done.access.token}`, { status: "complete" });
    for (let i = 0; i < 4; i++) await hall.publish({ title: "Asking" });
    for (let i = 0; i < 2; i++) await hall.publish({ title: "Bidding", tenderPeriod: STILL_OPEN });
    const html = await hall.page();
    const rows = [
      ...html.matchAll(
        /<tr><th scope="row"><a [^>]*>(.*?)<\/a>.*?<progress [^>]*max="(\d+)" value="(\d+)".*?<td class="number">(.*?)<\/td>/gs,
      ),
    ];
    assert.deepEqual(
      rows.map(([, name, max, value, number]) => [name, max, value, number]),
      [
        ["Enquiries", "4", "4", "4"],
        ["Open for bids", "4", "2", "2"],
        ["Complete", "4", "1", "1"],
      ],
    );
    const figures = textOf(/<ul class="figures".*?<\/ul>/s.exec(html)![0]);
    assert.equal(figures.trim(), "7 tenders 2 open for bids 0 auctions today 1 complete");
  });
});

describe("the URL of the registry on the home page", () => {
  const registry = {
    catchUp: async () => 0,
    isFreshAt: () => false,
    nowFor: async () => 0,
    feed: async () => [],
    search: async () => ({ ids: [], count: 0, isMore: false, facets: {} }),
    auctions: { list: async () => [] },
    countByStatus: async () => new Map([["<b>odd", 1_234_567]]),
  };

  async function pageAt(origin: string, language: Language = "en"): Promise<string> {
    const config = configFrom({});
    const site = {
      ...config.site,
      origin,
      basePath: basePathOf(origin),
      defaultLanguage: config.language,
      sandbox: true,
    };
    const request = { site, language } as unknown as PageRequest;
    const ports = { config, registry: { ...registry } } as unknown as HomePorts;
    const { text } = await HOME_ROUTES[0]!.handle(ports, request, []);
    return cachedBodyText(text!);
  }

  test("is escaped for the page and quoted for the shell", async () => {
    const html = await pageAt(`http://x'; rm -rf ~; echo '"><script>alert(1)</script>\u202E`);
    assert.doesNotMatch(html, /<script>/);
    const command = textOf(/<pre class="command"><code>(.*?)<\/code>/s.exec(html)![1]!);
    assert.ok(
      command.includes(
        String.raw` 'http://x'\''; rm -rf ~; echo '\''"><script>alert(1)</script>/api/2.5/tenders?opt_pretty=1' -d `,
      ),
    );
    assert.doesNotMatch(command, /\u202E/);
  });

  test("never makes a link leave the host of the page", async () => {
    for (const origin of ["http://evil.example", "javascript:alert(1)", "http://h:99999", "http://h//evil.example"])
      for (const [, href] of (await pageAt(origin)).matchAll(/<a [^>]*href="([^"]*)"/g))
        assert.match(href!, /^(\/[^/]|\/$|#)/);
    assert.match(await pageAt("https://city.example/tenders/"), /href="\/tenders\/api\/2\.5\/openapi\.json"/);
  });

  test("does not affect formatted numbers and unknown statuses, which are escaped", async () => {
    const html = await pageAt("http://h");
    assert.match(html, /<strong>1,234,567<\/strong> <a [^>]*>tenders</);
    assert.match(html, /&lt;b&gt;odd/);
    assert.match(await pageAt("http://h", "uk"), /<strong>1\s234\s567<\/strong> <a [^>]*>закупівель</);
  });
});
