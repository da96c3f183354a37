import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, type TestContext, test } from "node:test";
import { start } from "../app/start.ts";
import { systemClock } from "../app/systemClock.ts";
import { hashOf } from "../base/secrets.ts";
import { type Config, configOf, type Environment } from "../config/config.ts";
import { SEGMENTS } from "../dialects/dialects.ts";
import { openLog } from "../ops/log.ts";
import { type HomePagePorts, showHomePage } from "./homePage.ts";

type Hall = {
  readonly url: string;
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
    page: async () => (await fetch(url)).text(),
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

const titlesOf = (html: string): readonly string[] =>
  [...html.matchAll(/<bdi lang="">(.*?)<\/bdi>/gs)].map(([, title]) => textOf(title!));

describe("the home page", () => {
  test("says what the registry is and invites the first tender while there is none", async (t) => {
    const html = await (await openHall(t)).page();
    assert.match(html, /<html lang="en">/);
    assert.match(html, /<h1>Tenderhall<\/h1>/);
    assert.match(html, /A public procurement registry/);
    assert.match(html, /Ready for the first tender/);
    for (const landmark of ["header", "main", "footer"])
      assert.equal(html.split(`<${landmark}>`).length, 2, `one ${landmark}`);
    assert.doesNotMatch(html, /<ol|class="statuses"|undefined|NaN|\[object/);
  });

  test("has a policy that allows its own style and no scripts", async (t) => {
    const { url } = await openHall(t);
    const response = await fetch(url);
    const html = await response.text();
    const style = /<style>(.*)<\/style>/s.exec(html)![1]!;
    const policy = response.headers.get("content-security-policy")!;
    assert.equal(response.status, 200);
    assert.equal(response.headers.get("content-type"), "text/html; charset=UTF-8");
    assert.equal(response.headers.get("cache-control"), "no-cache");
    assert.equal(response.headers.get("referrer-policy"), "no-referrer");
    assert.match(policy, /^default-src 'none'; /);
    assert.ok(policy.includes(`style-src 'sha256-${createHash("sha256").update(style).digest("base64")}'`));
    assert.doesNotMatch(policy, /script-src|unsafe/);
    assert.doesNotMatch(html, /<script|\sstyle=|\son\w+=/);
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

  test("links the feed and description of every version, and no link is broken", async (t) => {
    const hall = await openHall(t);
    await hall.publish({ title: "Road salt" });
    const html = await hall.page();
    const links = [...html.matchAll(/<a [^>]*href="([^"]*)"/g)].map(([, href]) => href!.replaceAll("&amp;", "&"));
    for (const segment of SEGMENTS)
      for (const path of ["tenders", "openapi.json"]) assert.ok(links.includes(`/api/${segment}/${path}`), segment);
    for (const link of links) assert.equal((await fetch(new URL(link, hall.url))).status, 200, link);
  });
});

describe("the home page", () => {
  test("links the auctions and the documentation, and offers to fill an empty sandbox", async (t) => {
    const hall = await openHall(t);
    const html = await hall.page();
    assert.match(
      html,
      /<h1>Tenderhall<\/h1> <a href="\/en\/auctions">Auctions<\/a> <a href="\/docs">Documentation<\/a>/,
    );
    assert.ok(textOf(html).includes(`npx --no-install tenderhall demo --url '${hall.url}'`));
    await hall.publish({ title: "Road salt" });
    assert.doesNotMatch(await hall.page(), /npx/);
  });

  test("says which version is current, newest first", async (t) => {
    const html = await (await openHall(t)).page();
    assert.match(textOf(html), /Write new clients for 2\.5, the current version, which the guides use too/);
    const versions = [...html.matchAll(/<th scope="row"><code>([\d.]+)<\/code>/g)].map(([, version]) => version);
    assert.deepEqual(versions, ["2.5", "2.3", "0", "0.2", "0.1"]);
  });
});

describe("the next step on the home page", () => {
  test("is, in a sandbox, a command that publishes a tender of the current version when pasted", async (t) => {
    const hall = await openHall(t);
    const command = textOf(/<pre><code>(.*?)<\/code><\/pre>/s.exec(await hall.page())![1]!);
    const [, key, header, address, body] = /^curl -u (\w+:) -H '([^']*)' '([^']*)' -d '([^']*)'$/.exec(command)!;
    assert.equal(header, "Content-Type: application/json");
    const headers = { Authorization: `Basic ${btoa(key!)}`, "Content-Type": "application/json" };
    assert.equal((await fetch(address!, { method: "POST", headers, body })).status, 201);
    assert.deepEqual(titlesOf(await hall.page()), ["My first tender"]);
  });

  test("is, in production, to read the feed and to ask for a key", async (t) => {
    const html = await (await openHall(t, { MODE: "production", ACCOUNTS_FILE: await accountsFile(t) })).page();
    assert.match(html, /Next step: read the feed/);
    assert.match(html, /you need a key/);
    assert.doesNotMatch(html, /curl|sandbox|broker/i);
  });

  test("offers no public key in a sandbox with its own accounts", async (t) => {
    const html = await (await openHall(t, { ACCOUNTS_FILE: await accountsFile(t) })).page();
    assert.match(html, /A sandbox/);
    assert.match(html, /you need a key/);
    assert.doesNotMatch(html, /curl|broker/);
  });
});

describe("the newest changes on the home page", () => {
  test("are the ten newest, newest first, with status, time in the registry's time zone and link", async (t) => {
    const hall = await openHall(t, { TIMEZONE: "Asia/Kolkata" });
    const ids: string[] = [];
    for (let i = 1; i <= 12; i++) ids.push((await hall.publish({ title: `Tender ${i}` })).data.id!);
    const html = await hall.page();
    assert.deepEqual(
      titlesOf(html),
      Array.from({ length: 10 }, (_, i) => `Tender ${12 - i}`),
    );
    assert.ok(html.includes(`href="/api/2.5/tenders/${ids[11]}?opt_pretty=1"`));
    assert.match(
      html,
      /Open for questions, <time datetime="[^"]+\+05:30">\d{1,2} [A-Z][a-z]{2} \d{4}, \d\d:\d\d<\/time>/,
    );
  });

  test("include a change at once", async (t) => {
    const hall = await openHall(t);
    const first = await hall.publish({ title: "First" });
    await hall.publish({ title: "Second" });
    assert.deepEqual(titlesOf(await hall.page()), ["Second", "First"]);
    await hall.send("PATCH", `/tenders/${first.data.id}?acc_token=${first.access.token}`, { status: "cancelled" });
    const html = await hall.page();
    assert.deepEqual(titlesOf(html), ["First", "Second"]);
    assert.match(html, /Cancelled, <time/);
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
    assert.doesNotMatch(html, /<script|<img/);
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
    assert.ok(html.length < 16_000, `${html.length}`);
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

describe("the tenders by status on the home page", () => {
  test("are counted in the order of the statuses, with proportional bars", async (t) => {
    const hall = await openHall(t);
    const done = await hall.publish({ title: "Done", tenderPeriod: LONG_AGO });
    await hall.send("PATCH", `/tenders/${done.data.id}?acc_token=${done.access.token}`, { status: "complete" });
    for (let i = 0; i < 4; i++) await hall.publish({ title: "Asking" });
    for (let i = 0; i < 2; i++) await hall.publish({ title: "Bidding", tenderPeriod: STILL_OPEN });
    const html = await hall.page();
    const rows = [...html.matchAll(/<tr><th scope="row">(.*?)<span class="bar".*?(bar-\d+).*?<td>(.*?)<\/td>/gs)];
    assert.deepEqual(
      rows.map(([, name, bar, number]) => [textOf(name!).trim(), bar, number]),
      [
        ["Open for questions active.enquiries", "bar-20", "4"],
        ["Open for bids active.tendering", "bar-10", "2"],
        ["Complete", "bar-5", "1"],
      ],
    );
    assert.match(html, /7 tenders by status/);
    for (const [, , bar] of rows) assert.ok(html.includes(`.${bar}{width:`));
  });
});

describe("the URL of the registry on the home page", () => {
  const registry = {
    catchUp: async () => 0,
    nowFor: async () => 0,
    feed: async () => [],
    countByStatus: async () => new Map([["<b>odd", 1_234_567]]),
  } as unknown as HomePagePorts["registry"];

  async function pageAt(origin: string): Promise<string> {
    const config = configFrom({});
    const { bytes } = await showHomePage({ config, registry }, origin);
    return String(bytes);
  }

  test("is escaped for the page and quoted for the shell", async () => {
    const html = await pageAt(`http://x'; rm -rf ~; echo '"><script>alert(1)</script>\u202E`);
    assert.doesNotMatch(html, /<script|\u202E/);
    const command = textOf(/<pre><code>(.*?)<\/code>/s.exec(html)![1]!);
    assert.ok(
      command.includes(
        String.raw` 'http://x'\''; rm -rf ~; echo '\''"><script>alert(1)</script>/api/2.5/tenders?opt_pretty=1' -d `,
      ),
    );
  });

  test("never makes a link leave the host of the page", async () => {
    for (const origin of ["http://evil.example", "javascript:alert(1)", "http://h:99999", "http://h//evil.example"])
      for (const [, href] of (await pageAt(origin)).matchAll(/<a [^>]*href="([^"]*)"/g)) assert.match(href!, /^\/[^/]/);
    assert.match(await pageAt("https://city.example/tenders/"), /href="\/tenders\/api\/2\.3\/openapi\.json"/);
  });

  test("does not affect formatted numbers and unknown statuses, which are escaped", async () => {
    const html = await pageAt("http://h");
    assert.match(html, /1,234,567 tenders by status/);
    assert.match(html, /&lt;b&gt;odd/);
  });
});
