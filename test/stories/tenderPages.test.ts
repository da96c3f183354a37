import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { bidOf, DAY, directTender, formatTime, fullTender } from "../support/examples.ts";
import { reachFirstTurn } from "../support/liveAuctions.ts";
import { reachEnquiries, reachTendering, UNKNOWN_ID } from "../support/procedure.ts";
import { assertSound, sectionText, visibleText } from "../support/tenderPages.ts";
import { expectStatus, sharedWorld } from "../support/world.ts";

// The page of a tender as anybody reads it.

const world = await sharedWorld({ AUCTIONS: "builtin" });

async function load(path: string, headers: Record<string, string> = {}) {
  const response = await fetch(world.url + path, { redirect: "manual", headers });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

const idOf = ({ path }: { readonly path: string }): string => path.replace("/tenders/", "");

describe("the page of a tender", () => {
  it("is found by id and by number, in both languages, and both lead to one address", async () => {
    const story = await reachEnquiries(world);
    const id = idOf(story);
    const { tenderID, title } = await story.fetchTender();
    const page = await load(`/tenders/${id}`);
    assert.equal(page.status, 200);
    assertSound(page.text);
    assert.match(page.headers.get("content-type") ?? "", /^text\/html/);
    assert.ok(visibleText(page.text).includes(title));
    assert.match((await load(`/en/tenders/${id}`)).text, /<html lang="en">/);
    for (const number of [tenderID, tenderID.toLowerCase()]) {
      const { status, headers } = await load(`/en/tenders/${number}?show=items`);
      assert.deepEqual([status, headers.get("location")], [301, `/en/tenders/${id}?show=items`]);
    }
    assert.equal((await load(`/tenders/${id.toUpperCase()}`)).headers.get("location"), `/tenders/${id}`);
    const head = await fetch(`${world.url}/tenders/${id}`, { method: "HEAD" });
    assert.deepEqual([head.status, await head.text()], [200, ""]);
  });

  it("is the same until something changes, and is new at once then", async () => {
    const story = await reachEnquiries(world);
    const path = `/tenders/${idOf(story)}`;
    const first = await load(path);
    const etag = first.headers.get("etag") ?? "";
    assert.equal((await load(path, { "If-None-Match": etag })).status, 304);
    expectStatus(
      201,
      await story.as("broker2", "POST", "/questions", { title: "Чи є каша?", author: fullTender(0).procuringEntity }),
    );
    assert.match(sectionText((await load(path)).text, "questions"), /Чи є каша\?/);
    assert.equal((await load(path, { "If-None-Match": etag })).status, 200);
  });

  for (const clock of ["real", "test"] as const)
    it(`has the moment of the publication, not of the draft, before and after the end, on a ${clock} clock`, async () => {
      const api = world.api("2.5");
      const ofSandbox = (path: string) => `${world.url}/sandbox/clocks${path}`;
      const now = formatTime(Date.UTC(2027, 2, 1, 8) * 1000);
      const id = clock === "real" ? undefined : expectStatus(201, await api.post(ofSandbox(""), { now })).body.data.id;
      const passDays = async (days: number) => {
        if (id === undefined) world.clock.forward(days * DAY);
        else expectStatus(200, await api.post(ofSandbox(`/${id}/advance`), { by: `P${days}D` }));
      };
      const body = { ...directTender("negotiation", world.clock.now), status: "draft" };
      const headers: Record<string, string> = id === undefined ? {} : { "X-Test-Clock": id };
      const { data, access } = expectStatus(201, await api.post("/tenders", body, { headers })).body;
      const [path, { token }] = [`/tenders/${data.id}`, access];
      await passDays(3);
      const { date } = expectStatus(200, await api.patch(path, { status: "active" }, { token })).body.data;
      const assertPublication = async (query = "") => {
        const { text } = await load(`/en${path}${query}`);
        const [, shown] = /The tender was published<.*?<time datetime="([^"]+)"/s.exec(text) ?? [];
        assert.equal(Date.parse(shown ?? ""), Date.parse(date));
      };
      await assertPublication();
      await passDays(2);
      const cancellation = { reason: "-", status: "active" };
      expectStatus(201, await api.post(`${path}/cancellations`, cancellation, { token }));
      const ended = expectStatus(200, await api.get(path)).body.data;
      assert.equal(ended.status, "cancelled");
      await assertPublication();
      await assertPublication(`?at=${encodeURIComponent(ended.dateModified)}`);
    });

  it("counts the time that is left down while nothing else changes", async () => {
    const story = await reachTendering(world, []);
    const path = `/en/tenders/${idOf(story)}`;
    const before = sectionText((await load(path)).text, "summary");
    assert.equal(sectionText((await load(path)).text, "summary"), before);
    world.clock.forward(3_600_000_000);
    assert.notEqual(sectionText((await load(path)).text, "summary"), before);
  });

  it("does not exist for drafts and unknown ids, and then helps to find another", async () => {
    const api = world.api("2.5");
    const draft = expectStatus(201, await api.post("/tenders", { ...fullTender(world.clock.now), status: "draft" }))
      .body.data;
    for (const name of [draft.id, draft.tenderID, UNKNOWN_ID, "UA-1999-01-01-000001", "%3Cscript%3E", "%", "%00"]) {
      for (const suffix of ["", ".ics", "/qr.svg"]) {
        const { status, text } = await load(`/en/tenders/${name}${suffix}`);
        assert.equal(status, 404, name + suffix);
        assert.match(text, /Tender not found.*<form class="search-box"/s);
        assert.doesNotMatch(text, /<script>|\u0000/);
      }
    }
  });

  it("names a wrong parameter with status 400", async () => {
    const { status, text } = await load(`/en/tenders/${idOf(await reachEnquiries(world))}?show=all&x=1`);
    assert.equal(status, 400);
    assert.match(visibleText(text), /The parameter “x” is unknown.*show: “all” cannot be shown/);
  });

  it("shows no trace of a sealed bid", async () => {
    const story = await reachTendering(world, []);
    const path = `/en/tenders/${idOf(story)}`;
    const before = await load(path);
    await story.placeBid(bidOf(417_123));
    const after = await load(path);
    assert.equal(after.text, before.text);
    assert.equal(after.headers.get("etag"), before.headers.get("etag"));
  });

  it("has a calendar and a QR code", async () => {
    const id = idOf(await reachEnquiries(world));
    const calendar = await load(`/en/tenders/${id}.ics`);
    assert.match(calendar.headers.get("content-type") ?? "", /^text\/calendar/);
    assert.match(calendar.text, /BEGIN:VEVENT\r\n/);
    assert.match(calendar.text.replaceAll("\r\n ", ""), new RegExp(`URL:${world.url}/en/tenders/${id}\r\n`));
    const qr = await load(`/en/tenders/${id}/qr.svg`);
    assert.equal(qr.headers.get("content-type"), "image/svg+xml");
    assert.match(qr.text, /^<svg /);
  });

  it("shows prices before and after the auction, with a chart", async () => {
    const story = await reachFirstTurn(world);
    const path = `/en/tenders/${story.tender}`;
    const during = await load(path);
    assert.match(sectionText(during.text, "bids"), /Bids are sealed/);
    assert.doesNotMatch(visibleText(during.text), /480,000|490,000/);
    const bidder = story.bidders[1];
    assert.ok(bidder);
    expectStatus(201, await story.place(bidder, 470000));
    while ((await story.fetchAuction()).phase !== "announcement") await story.nextStage();
    const after = await load(path);
    assertSound(after.text);
    const bids = sectionText(after.text, "bids");
    assert.match(bids, /UAH 490,000\.00 UAH 470,000\.00 UAH 20,000\.00 −4\.1 %/);
    assert.match(bids, /UAH 480,000\.00 UAH 480,000\.00 unchanged/);
    assert.match(after.text, /<svg class="chart"[^>]*role="img"/);
    assert.match(after.text, new RegExp(`href="/en/auctions/${story.tender}"`));
  });
});
