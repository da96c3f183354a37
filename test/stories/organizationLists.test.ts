import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { fullTender, publish, school } from "../support/examples.ts";
import { assertSound, visibleText } from "../support/tenderPages.ts";
import { sharedWorld } from "../support/world.ts";

// The lists of buyers and suppliers, and names in the fields of the search.

const world = await sharedWorld();
const api = world.api("2.5");

const publishAs = (id: string, name: string, overrides: object = {}) =>
  publish(api, {
    ...fullTender(world.clock.now),
    procuringEntity: { ...school, name, name_en: `${name} EN`, identifier: { scheme: "UA-EDR", id, legalName: name } },
    ...overrides,
  });

await publishAs("10000001", "Лікарня <b>імені</b> Ґалаґана");
await publishAs("10000001", "Лікарня <b>імені</b> Ґалаґана", { title: "Бинти" });
await publishAs("10000002", "Лікарня-диспансер");
await publishAs("10000003", "Тестова лікарня", { mode: "test" });
await publishAs("10000004", "Лікарня чернетки", { status: "draft" });

async function load(path: string) {
  const response = await fetch(world.url + path, { redirect: "manual" });
  return { status: response.status, text: await response.text() };
}

describe("the list of buyers", () => {
  it("has everybody with a real tender that is published, the most tenders first", async () => {
    const { status, text } = await load("/en/buyers?q=лікарні");
    assert.equal(status, 200);
    assertSound(text);
    assert.match(visibleText(text), /2 organisations found.*UA-EDR-10000001 2 .*UA-EDR-10000002 1 /s);
    assert.doesNotMatch(text, /10000003|10000004|<b>імені/);
    assert.match(text, /<a href="\/en\/buyers\/UA-EDR-10000001"><bdi lang="">Лікарня &lt;b&gt;/);
    assert.match(text, /<a href="\/en\/tenders\?buyer=UA-EDR-10000001">2<\/a>/);
    const all = await load("/buyers");
    assert.match(all.text, /UA-EDR-10000002/);
    assert.doesNotMatch(all.text, /noindex/);
    assert.match((await load("/buyers?q=10000002")).text, /Знайдено 1 організацію/);
    assert.match((await load("/suppliers?q=лікарні")).text, /Нікого не знайдено/);
  });

  it("names parameters that are wrong", async () => {
    for (const query of ["q=!!!", "page=0", "page=2", "page=x", "sort=name", "q=a&q=b", `q=${"x".repeat(501)}`]) {
      const { status, text } = await load(`/en/suppliers?${query}`);
      assert.equal(status, 400, query);
      assertSound(text);
      assert.match(visibleText(text), /(q|page|sort): /, query);
    }
    assert.equal((await load("/suppliers?utm_source=x&q=")).status, 200);
  });
});

describe("a name in a field of the search", () => {
  it("leads to the organisations that have it, as links that filter and keep the other conditions", async () => {
    const { status, text } = await load("/en/tenders?q=бинти&status=&buyer=лікарня&supplier=");
    assert.equal(status, 200);
    assertSound(text);
    assert.match(visibleText(text), /Buyers for “лікарня”/);
    assert.match(text, /name="buyer" value="лікарня"/);
    const [, href = ""] = /<a href="([^"]*buyer=UA-EDR-10000001[^"]*)" rel="nofollow"/.exec(text) ?? [];
    const found = await load(href.replaceAll("&amp;", "&"));
    assert.equal(found.status, 200);
    assert.match(visibleText(found.text), /1 tender found/);
  });

  it("may look like a key, and two names stay until both are chosen", async () => {
    const { text } = await load("/en/tenders?buyer=Лікарня-диспансер");
    assert.match(visibleText(text), /Buyers for “Лікарня-диспансер” .*Nothing found/s);
    assert.match(text, /href="\/en\/tenders\?buyer=UA-EDR-10000002"/);
    const both = await load("/en/tenders?buyer=галаган&buyer=диспансер");
    assert.equal(both.text.match(/aria-labelledby="choice-/g)?.length, 2);
    assert.match(both.text, /buyer=UA-EDR-10000002&amp;buyer=%D0%B3%D0%B0%D0%BB%D0%B0%D0%B3%D0%B0%D0%BD"/);
  });

  it("of nobody is named as wrong, and other forms take keys only", async () => {
    const { status, text } = await load("/en/tenders?buyer=ніхто&supplier=лікарня");
    assert.equal(status, 400);
    assert.match(visibleText(text), /Buyer \(buyer\): “ніхто” leads to no organisation/);
    assert.equal((await load("/tenders.csv?buyer=лікарня")).status, 400);
    assert.equal((await load("/api/2.5/search?buyer=лікарня")).status, 422);
  });
});
