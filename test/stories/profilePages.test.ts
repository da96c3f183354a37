import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { bidOf, cook, directTender, fullTender, publish, school } from "../support/examples.ts";
import { loadPage, mainText } from "../support/portalPages.ts";
import {
  decideLast,
  endTendering,
  finishAuction,
  passStandStill,
  reachTendering,
  signContract,
} from "../support/procedure.ts";
import { expectStatus, sharedWorld } from "../support/world.ts";

// The profiles of buyers and suppliers.

const world = await sharedWorld();
const SCHOOL = "UA-EDR-21725150";
const COOK = "UA-EDR-00137256";
const baker = { ...cook, name: "ТОВ <b>Хліб</b>", identifier: { scheme: "UA-EDR", id: "1/2 ?|#%" } };
const BAKER = encodeURIComponent("UA-EDR-1/2 ?_#%");

const load = (path: string) => loadPage(world, path);
const dataOf = async (path: string) => JSON.parse((await load(path)).text).data;

describe("the profile of an organisation", () => {
  it("does not exist before something public names it", async () => {
    for (const path of [
      `/buyers/${SCHOOL}`,
      `/suppliers/${COOK}`,
      "/buyers/%E0%A4%A",
      "/suppliers/%00",
      "/buyers/__proto__",
    ]) {
      const { status, text } = await load(path);
      assert.equal(status, 404, path);
      assert.match(mainText(text), /Перевірте адресу/);
    }
    assert.equal((await load(`/buyers/${SCHOOL}.json`)).status, 404);
  });

  it("shows a buyer's tenders at once, and suppliers when their bids are opened", async () => {
    const story = await reachTendering(world);
    const buyer = mainText((await load(`/buyers/${SCHOOL}`)).text);
    assert.match(buyer, /Школа №10/);
    assert.match(buyer, /Послуги шкільних їдалень/);
    const before = [await load(`/buyers/${SCHOOL}`), await load(`/buyers/${SCHOOL}.json`)].map(({ text }) => text);
    await story.placeBid(bidOf(400000));
    await story.placeBid(bidOf(450000, { tenderers: [baker] }));
    const after = [await load(`/buyers/${SCHOOL}`), await load(`/buyers/${SCHOOL}.json`)].map(({ text }) => text);
    assert.deepEqual(after, before, "sealed bids must not change the profile of the buyer");
    await endTendering(story);
    for (const key of [COOK, BAKER]) assert.equal((await load(`/suppliers/${key}`)).status, 404, key);
    expectStatus(200, await finishAuction(story));
    for (const key of [COOK, BAKER]) assert.equal((await load(`/suppliers/${key}`)).status, 200, key);
    assert.match(mainText((await load(`/suppliers/${COOK}`)).text), /Пропозиція: 400 000,00 грн/);
    const considered = mainText((await load(`/en/suppliers/${COOK}`)).text);
    assert.match(considered, /Opened bids 1 Decided bids 0 Bids under consideration 1 Bids that won 0 Awards/);
    assert.match(mainText((await load(`/buyers/${SCHOOL}`)).text), /2 пропозиції/);
    await decideLast(story, "active");
    await passStandStill(story);
    expectStatus(200, await signContract(story));
  });

  it("has the totals, the success rate and whom a supplier deals with", async () => {
    const winner = await dataOf(`/suppliers/${COOK}.json`);
    assert.deepEqual(
      [
        winner.name,
        winner.counts.bids,
        winner.counts.decidedBids,
        winner.counts.wonBids,
        winner.counts.contracts,
        winner.successRate,
      ],
      ["ТОВ Смачно", 1, 1, 1, 1, 1],
    );
    assert.deepEqual(winner.amounts[0].contractedValue, "400000");
    assert.deepEqual(
      winner.partners.map((partner: { key: string; name: string }) => [partner.key, partner.name]),
      [[SCHOOL, "Школа №10"]],
    );
    assert.deepEqual((await dataOf(`/suppliers/${BAKER}.json`)).successRate, 0);
    const page = await load(`/en/suppliers/${COOK}`);
    const text = mainText(page.text);
    assert.match(text, /Success rate 100 %/);
    assert.match(text, /Contract: Signed, UAH 400,000\.00/);
    assert.ok(page.text.includes(`href="/en/buyers/${SCHOOL}"`));
    assert.ok(page.text.includes(`href="/en/tenders.atom?supplier=${COOK}"`));
  });

  it("shows names as text, under the address of any id", async () => {
    const { status, text } = await load(`/suppliers/${BAKER}`);
    assert.equal(status, 200);
    assert.ok(text.includes("ТОВ &lt;b&gt;Хліб&lt;/b&gt;"));
    assert.ok((await load(`/buyers/${SCHOOL}`)).text.includes(`href="/suppliers/${COOK}"`));
  });

  it("has every tender once, in pages, without drafts and tests", async () => {
    const api = world.api("2.5");
    const tender = fullTender(world.clock.now);
    for (let i = 0; i < 21; i++) await publish(api, { ...tender, title: `Закупівля ${i}.` });
    await publish(api, { ...tender, title: "Чернетка", status: "draft" });
    await publish(api, { ...tender, title: "Тест", mode: "test" });
    const [first, second] = [await load(`/buyers/${SCHOOL}`), await load(`/buyers/${SCHOOL}?page=2`)];
    const links = [first, second].map(({ text }) => new Set(text.match(/\/tenders\/[0-9a-f]{32}/g)));
    assert.deepEqual(
      links.map(({ size }) => size),
      [20, 2],
    );
    assert.doesNotMatch(first.text + second.text, /Чернетка|>Тест</);
    assert.ok(mainText(first.text).indexOf("Закупівля 20.") < mainText(first.text).indexOf("Закупівля 3."));
  });

  it("exists for a supplier of an award that is not decided yet, without any totals", async () => {
    const florist = { ...cook, name: "ФОП Квітка", identifier: { scheme: "UA-EDR", id: "22222222" } };
    const { path, token } = await publish(world.api("2.5"), directTender("reporting", world.clock.now));
    const award = { suppliers: [florist], value: { amount: 5 }, qualified: true };
    expectStatus(201, await world.api("2.5").post(`${path}/awards`, award, { token }));
    const { status, text } = await load("/en/suppliers/UA-EDR-22222222");
    assert.equal(status, 200);
    assert.match(mainText(text), /ФОП Квітка .* Awards 0 Contracts 0 .* 1 found .* Decision: Awaiting/);
  });

  it("names a parameter that is wrong", async () => {
    for (const [query, message] of [
      ["page=0", "page: “0” is not the number of a page"],
      ["page=501", "page: “501” is not the number of a page"],
      ["page=1&page=2", "page: “1” is not the number of a page"],
      ["page=400", "page: there is no page 400"],
      ["sort=value", "sort: there is no such parameter"],
    ] as const) {
      const { status, text } = await load(`/en/buyers/${SCHOOL}?${query}`);
      assert.equal(status, 400, query);
      assert.ok(text.includes(message), query);
    }
  });

  it("has the name that was last seen", async () => {
    const renamed = { ...school, name: "Ліцей №10", name_en: "Lyceum 10" };
    await publish(world.api("2.5"), { ...fullTender(world.clock.now), procuringEntity: renamed });
    assert.match((await load(`/buyers/${SCHOOL}`)).text, /<h1><bdi lang="">Ліцей №10<\/bdi><\/h1>/);
    assert.match((await load(`/en/buyers/${SCHOOL}`)).text, /<h1><bdi lang="">Lyceum 10<\/bdi><\/h1>/);
  });
});
