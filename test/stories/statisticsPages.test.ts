import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { fullTender, publish } from "../support/examples.ts";
import { csvRows, loadPage, mainText } from "../support/portalPages.ts";
import {
  bidsOf,
  claimOf,
  decideLast,
  endTendering,
  finishAuction,
  passStandStill,
  reachEnquiries,
  reachTendering,
  signContract,
} from "../support/procedure.ts";
import { expectStatus, sharedWorld } from "../support/world.ts";

// The page of statistics and its tables, which are right after every change.

const world = await sharedWorld();
const PERIOD = "from=2026-11&to=2027-02";

const tableOf = async (name: string) => csvRows((await loadPage(world, `/statistics/${name}.csv?${PERIOD}`)).text);
const month = async () => (await tableOf("months")).find((row) => row.month === "2026-11") ?? {};
const amounts = async () => (await tableOf("months-values")).filter((row) => row.month === "2026-11");
const pages = async () =>
  Promise.all(
    [
      "/statistics",
      "/en/statistics",
      ...["months", "procedures", "divisions", "regions"].map((name) => `/statistics/${name}.csv`),
    ].map(async (path) => (await loadPage(world, path)).text),
  );

describe("the statistics", () => {
  it("begin with nothing", async () => {
    const page = await loadPage(world, "/statistics");
    assert.equal(page.status, 200);
    assert.match(mainText(page.text), /За цей період закупівель немає/);
    assert.equal((await month()).tenders, "0");
  });

  it("follow a tender from its publication to its contract", async () => {
    const story = await reachTendering(world);
    assert.deepEqual(
      [(await month()).tenders, (await month()).bids, (await amounts())[0]?.expected_value],
      ["1", "0", "500000"],
    );
    const before = await pages();
    for (const bid of bidsOf(400000, 450000.5)) await story.placeBid(bid);
    assert.deepEqual(await pages(), before, "sealed bids must not change anything");
    await endTendering(story);
    assert.equal((await month()).bids, "0", "bids stay sealed in the auction");
    expectStatus(200, await finishAuction(story));
    const opened = await month();
    assert.deepEqual([opened.bids, opened.bids_per_tender, opened.single_bid_share], ["2", "2.0000", "0.0000"]);
    await decideLast(story, "active");
    await passStandStill(story);
    expectStatus(200, await signContract(story));
    const [inHryvnias] = await amounts();
    assert.deepEqual(
      [inHryvnias?.contracts_value, inHryvnias?.savings, inHryvnias?.savings_share],
      ["400000", "100000", "0.2000"],
    );
    const signed = await month();
    assert.equal(signed.contracts, "1");
    assert.ok(Number(signed.days_to_contract) >= 14, `after ${signed.days_to_contract} days`);
  });

  it("count by procedure, division and region", async () => {
    const rows = async (table: string) => (await tableOf(table)).map((row) => Object.values(row).slice(0, 3).join(" "));
    assert.deepEqual(await rows("procedures"), ["belowThreshold Допорогова закупівля 1"]);
    assert.match((await rows("divisions")).join(), /^55 .+ 1$/);
    assert.deepEqual(await rows("regions"), ["vinnytsia Вінницька область 1"]);
  });

  it("never mix currencies", async () => {
    const inEuros = (amount: number) => ({ amount, currency: "EUR", valueAddedTaxIncluded: true });
    const story = await reachEnquiries(world, { value: inEuros(1000.25), minimalStep: inEuros(1) });
    expectStatus(201, await story.as("broker2", "POST", "/complaints", claimOf({ status: "claim" })));
    const all = await tableOf("months-values");
    assert.deepEqual(
      all.map((row) => `${row.currency} ${row.expected_value}`),
      ["UAH 500000", "EUR 1000.25"],
    );
    const complaints = (await tableOf("months")).reduce((sum, row) => sum + Number(row.complaints), 0);
    assert.equal(complaints, 1);
  });

  it("leave out drafts and tests", async () => {
    const before = await tableOf("procedures");
    const tender = fullTender(world.clock.now);
    await publish(world.api("2.5"), { ...tender, status: "draft" });
    await publish(world.api("2.5"), { ...tender, mode: "test" });
    assert.deepEqual(await tableOf("procedures"), before);
  });

  it("are drawn in both languages, with a table for every chart", async () => {
    for (const [path, title] of [
      [`/statistics?${PERIOD}`, "Статистика закупівель"],
      [`/en/statistics?${PERIOD}`, "Procurement statistics"],
    ]) {
      const { status, text } = await loadPage(world, path ?? "");
      assert.equal(status, 200);
      assert.ok(mainText(text).includes(title ?? ""));
      assert.ok((text.match(/<svg class="chart"/g)?.length ?? 0) >= 6);
      assert.equal(text.match(/<table/g)?.length, 12, "counts and two currencies for four sections");
      assert.doesNotMatch(text, /\sstyle=|<script(?! type="application\/ld\+json")/);
    }
  });

  it("draw each measure of procedures, divisions and regions, for which the reader asks in the address", async () => {
    const drawn = async (measure: string) => {
      const { status, text } = await loadPage(world, `/en/statistics?${PERIOD}&measure=${measure}`);
      assert.equal(status, 200, measure);
      const section = text.slice(
        text.indexOf('aria-labelledby="procedures"'),
        text.indexOf('aria-labelledby="divisions"'),
      );
      assert.ok(text.includes(`<input type="hidden" name="measure" value="${measure}">`));
      return [...section.matchAll(/<figcaption>(.*?)<\/figcaption>/g)].map(([, title]) => title);
    };
    assert.deepEqual(await drawn("competition"), ["Bids per tender", "Share of tenders with a single bid"]);
    assert.deepEqual((await drawn("savings")).slice(0, 2), [
      "Savings, UAH",
      "Savings as a share of the expected value (UAH)",
    ]);
    assert.deepEqual((await drawn("time")).slice(0, 2), ["Signed contracts", "Days from publication to contract"]);
    assert.deepEqual(await drawn("complaints"), ["Claims and complaints"]);
    const { text } = await loadPage(world, `/en/statistics?${PERIOD}`);
    assert.ok(text.includes(`href="/en/statistics?${PERIOD.replace("&", "&amp;")}&amp;measure=savings#measure"`));
  });

  it("are the same after a restart", async () => {
    const tables = () => Promise.all(["months", "procedures-values", "divisions", "regions"].map(tableOf));
    const before = await tables();
    await world.restart();
    assert.deepEqual(await tables(), before);
  });

  it("name every parameter that is wrong", async () => {
    const wrong = await loadPage(world, "/en/statistics?from=%3Cscript%3E&colour=red&to=2026-11");
    assert.equal(wrong.status, 400);
    assert.ok(wrong.text.includes("from: “&lt;script&gt;” is not a month"));
    assert.ok(wrong.text.includes("colour: there is no such parameter"));
    assert.doesNotMatch(wrong.text, /<script>/);
    const price = await loadPage(world, `/en/statistics?${PERIOD}&measure=price`);
    assert.equal(price.status, 400);
    assert.ok(price.text.includes("measure: “price” is not possible"));
    const file = await loadPage(world, "/en/statistics/months.csv?to=2026-13");
    assert.equal(file.status, 400);
    assert.match(file.text, /^to: “2026-13” is not a month/);
    for (const path of ["/statistics/unknown.csv", "/statistics/months.json", "/statistics/months/"])
      assert.equal((await loadPage(world, path)).status, 404, path);
  });
});
