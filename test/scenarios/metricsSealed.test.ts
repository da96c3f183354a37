import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { hashOf } from "../../src/base/secrets.ts";
import { REDACTIONS } from "../../src/server/redactedMetrics.ts";
import { md5Of } from "../support/documentService.ts";
import { bidOf, publishForBids } from "../support/examples.ts";
import { reachFirstTurn, secretIn } from "../support/liveAuctions.ts";
import { type MetricsSnapshot, readMetrics } from "../support/prometheus.ts";
import { expectStatus, openWorld, type World } from "../support/world.ts";

/** Remote readers of metrics must not learn that somebody has bid. */

const folder = mkdtempSync(join(tmpdir(), "tenderhall-metrics-sealed-"));
after(() => rmSync(folder, { recursive: true }));
const ACCOUNTS_FILE = join(folder, "accounts.json");
const ACCOUNTS = ["broker", "metrics", "admins"].map((name) => ({
  ...(name === "broker" ? { name, group: "brokers", levels: "12" } : { name, group: name }),
  keyHash: hashOf(`key of ${name}`),
}));
writeFileSync(ACCOUNTS_FILE, JSON.stringify(ACCOUNTS));

type Reader = { readonly [header: string]: string };
const FAR = { "X-Forwarded-For": "203.0.113.9" };

async function scrape(world: World, headers: Reader): Promise<MetricsSnapshot> {
  const response = await fetch(`${world.url}/metrics`, { headers });
  const text = await response.text();
  assert.equal(response.status, 200, text);
  return readMetrics(text);
}

/** Counters and gauges. Durations vary and are left out. */
const countsIn = ({ series }: MetricsSnapshot): ReadonlyMap<string, number> =>
  new Map(
    series
      .filter(
        ({ name }) => !/_(sum|bucket)$/.test(name) && !/_(bytes|active_seconds_total|cpu_seconds_total)$/.test(name),
      )
      .map(({ name, labels, value }) => [`${name} ${JSON.stringify(labels)}`, value]),
  );

/** The series that changed between two scrapes, except those that every scrape changes. */
async function movedBy(world: World, reader: Reader, act: () => Promise<unknown>): Promise<readonly string[]> {
  // The first scrape creates the series that scrapes change.
  await scrape(world, reader);
  const [before, quiet] = [countsIn(await scrape(world, reader)), countsIn(await scrape(world, reader))];
  await act();
  const later = countsIn(await scrape(world, reader));
  return [...later.keys()].filter(
    (name) => later.get(name)! - (quiet.get(name) ?? 0) !== (quiet.get(name) ?? 0) - (before.get(name) ?? 0),
  );
}

async function bidInFull(world: World, path: string, key?: string): Promise<void> {
  const api = world.api("2.5");
  const sent = { key };
  const { data, access } = expectStatus(201, await api.post(`${path}/bids`, bidOf(400_000), sent)).body;
  const [bid, token] = [`${path}/bids/${data.id}`, access.token];
  const own = { ...sent, token };
  expectStatus(200, await api.patch(bid, { value: { amount: 390_000 } }, own));
  const file = { name: "a.txt", content: "a" };
  const { url } = expectStatus(201, await api.upload(`${bid}/documents`, file, own)).body.data;
  const sentOn = expectStatus(302, await api.get(url, { ...own }));
  expectStatus(200, await api.get(sentOn.headers.get("location")!, sent));
  expectStatus(201, await api.post(`${world.url}/register`, { hash: `md5:${md5Of("b")}` }, sent));
  expectStatus(200, await api.upload(`${world.url}/upload`, { name: "b.txt", content: "b" }, sent));
  expectStatus(200, await api.get(bid, own));
  expectStatus(403, await api.get(bid, { key: null }));
  expectStatus(200, await api.delete(bid, own));
  const again = { ...sent, headers: { "Idempotency-Key": "a key of its own" } };
  expectStatus(201, await api.post(`${path}/bids`, bidOf(380_000), again));
}

describe("metrics for remote readers", () => {
  it("do not change when a sealed bid is placed, changed or withdrawn, for any reader with METRICS=public", async () => {
    const world = await openWorld({ METRICS: "public" });
    after(world.stop);
    const { path } = await publishForBids(world);
    // Carries out due deadlines, which are public.
    expectStatus(200, await world.api("2.5").get(path));
    for (const reader of [{}, FAR, { ...FAR, Authorization: "Bearer token" }]) {
      assert.deepEqual(await movedBy(world, reader, () => bidInFull(world, path)), []);
    }
    const title = () => world.api("2.5").post("/tenders", { title: "x" });
    assert.notDeepEqual(await movedBy(world, FAR, title), [], "what is public is counted");
  });

  it("do not change when a price is placed in an auction, by a program or with the form of the page", async () => {
    const world = await openWorld({ METRICS: "public", AUCTIONS: "builtin" });
    after(world.stop);
    const story = await reachFirstTurn(world);
    const [, high] = story.bidders;
    const link = await high!.link();
    const bearer = await high!.bearer();
    const Cookie = `auction_bidder=${secretIn(link)}`;
    const sendForm = (prefix: string) =>
      fetch(`${world.url}${prefix}/auctions/${story.tender}/bids`, {
        method: "POST",
        headers: { Cookie, "Sec-Fetch-Site": "same-origin" },
        body: new URLSearchParams({ action: "place", amount: "470000" }),
        redirect: "manual",
      });
    const bid = async () => {
      assert.equal((await fetch(link, { redirect: "manual" })).status, 303);
      expectStatus(201, await world.api("2.5").post(`${story.path()}/bids`, { amount: 471000 }, bearer));
      for (const prefix of ["", "/en"]) assert.equal((await sendForm(prefix)).status, 303);
    };
    assert.deepEqual(await movedBy(world, FAR, bid), []);
  });

  it("do not change with a key of metrics or admins either, but do on the server's own machine", async () => {
    const world = await openWorld({ METRICS: "local" });
    after(world.stop);
    const { path } = await publishForBids(world);
    // Carries out due deadlines, which are public.
    expectStatus(200, await world.api("2.5").get(path));
    for (const key of ["metrics", "token"]) {
      const reader = { ...FAR, Authorization: `Bearer ${key}` };
      assert.deepEqual(await movedBy(world, reader, () => bidInFull(world, path)), []);
    }
    const here = await movedBy(world, {}, () => bidInFull(world, path));
    assert.ok(
      here.some((name) => name.includes("/bids")),
      here.join("\n"),
    );
    assert.ok(
      here.some((name) => name.startsWith("tenderhall_ledger_position")),
      here.join("\n"),
    );
  });

  it("do not reveal a bid through the cost of following the feed", async () => {
    const world = await openWorld({ METRICS: "public" });
    after(world.stop);
    const { path } = await publishForBids(world);
    const api = world.api("2.5");
    expectStatus(200, await api.get(path));
    const leaving = new AbortController();
    after(() => leaving.abort());
    const stream = await fetch(`${world.url}/api/2.5/tenders/stream`, { signal: leaving.signal });
    assert.equal(stream.status, 200);
    const follow = async () => expectStatus(200, await api.get("/tenders?descending=1", { key: null }));
    await follow();
    const reads = await movedBy(world, FAR, follow);
    const bidThenRead = async () => {
      await bidInFull(world, path);
      await follow();
    };
    assert.deepEqual(await movedBy(world, FAR, bidThenRead), reads);
  });

  it("have a redaction decision for every metric family, and expose no other", async () => {
    const world = await openWorld({ METRICS: "public" });
    after(world.stop);
    const { types } = await scrape(world, {});
    for (const family of types.keys()) assert.ok(Object.hasOwn(REDACTIONS, family), family);
  });
});

describe("an account of the group metrics", async () => {
  const world = await openWorld({ MODE: "production", ACCOUNTS_FILE });
  after(world.stop);
  const api = world.api("2.5");
  const options = { key: "key of metrics" };

  it("reads /metrics from any address", async () => {
    await scrape(world, { ...FAR, Authorization: "Bearer key of metrics" });
  });

  it("may not write anything, and reads only public data", async () => {
    const hash = `md5:${md5Of("b")}`;
    expectStatus(403, await api.post("/tenders", { title: "x" }, options));
    expectStatus(403, await api.post(`${world.url}/register`, { hash }, options));
    expectStatus(403, await api.upload(`${world.url}/upload`, { name: "b.txt", content: "b" }, options));
    expectStatus(403, await api.post(`${world.url}/webhooks`, { url: "https://hooks.example/" }, options));
    expectStatus(403, await api.get(`${world.url}/webhooks`, options));
    const repeated = { ...options, headers: { "Idempotency-Key": "1" } };
    for (let i = 0; i < 2; i++) expectStatus(403, await api.post("/tenders", { title: "x" }, repeated));
    expectStatus(200, await api.get("/tenders", options));
  });
});
