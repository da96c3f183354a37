import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { openClient } from "../../src/client/index.ts";
import { cook, fullTender, publish, school } from "../support/examples.ts";
import { bidsOf, endTendering, finishAuction, reachTendering } from "../support/procedure.ts";
import { assertSound, visibleText } from "../support/tenderPages.ts";
import { expectStatus, sharedWorld } from "../support/world.ts";

// The search for tenders: the page, its other forms, the API and the client.

const world = await sharedWorld();
const api = world.api("2.5");

const item = (description: string, id: string) => ({
  ...fullTender(0).items[0],
  description,
  classification: { scheme: "ДК021", id, description },
});
const tenderOf = (overrides: object) => ({ ...fullTender(world.clock.now), ...overrides });
const buyer = (id: string, name: string, region: string) => ({
  ...school,
  name,
  identifier: { scheme: "UA-EDR", id, legalName: name },
  address: { ...school.address, region },
});

const repair = await publish(
  api,
  tenderOf({
    title: "Ремонт покрівлі ліцею",
    value: { amount: 900000.5, currency: "UAH", valueAddedTaxIncluded: true },
    procuringEntity: buyer("00037256", "Ліцей імені Ґалаґана", "Львівська область"),
    items: [item("Покрівельні роботи", "45260000-7")],
  }),
);
const meals = await publish(
  api,
  tenderOf({
    title: '=2+2;"Послуги, харчування" <b>',
    procuringEntity: buyer("21725150", "Комп’ютерна школа", "Вінницька область"),
  }),
);
const test = await publish(api, tenderOf({ title: "Ремонт тестовий", mode: "test" }));
const draft = await publish(api, tenderOf({ title: "Ремонт чернетка", status: "draft" }));

const SUPPLIER_KEY = encodeURIComponent(`${cook.identifier.scheme}-${cook.identifier.id}`);

async function load(path: string, headers: Record<string, string> = {}) {
  const response = await fetch(world.url + path, { redirect: "manual", headers });
  return { status: response.status, headers: response.headers, text: await response.text() };
}
/** The ids of the tenders on the page, in its order. */
const idsOn = (page: string): readonly string[] =>
  [...page.matchAll(/<h3><a href="\/(?:en\/)?tenders\/([0-9a-f]{32})"/g)].map(([, id = ""]) => id);
const foundBy = async (query: string) => {
  const { status, text } = await load(`/tenders?${query}`);
  assert.equal(status, 200, query);
  return idsOn(text);
};

describe("a search", () => {
  it("finds tenders by forms of words, buyers, numbers and filters, and never a draft", async () => {
    const { tenderID } = repair.response.body.data;
    const searches: readonly (readonly [query: string, ids: readonly string[]])[] = [
      ["q=ремонту", [repair.id]],
      ["q=галаган", [repair.id]],
      ["q=комп'ютерні+шкіл", [meals.id]],
      [`q=${tenderID}`, [repair.id]],
      ["q=чернетка", []],
      ["cpv=45", [repair.id]],
      ["cpv=45000000-7,55", [meals.id, repair.id]],
      ["buyer=21725150", [meals.id]],
      ["region=lviv", [repair.id]],
      ["value_min=600000", [repair.id]],
      ["value_max=600000", [meals.id]],
      ["status=active.enquiries&sort=value", [repair.id, meals.id]],
      ["procedure=reporting", []],
      ["mode=test", [test.id]],
      ["deadline_to=2026-01-01", []],
      ["q=ремонт&cpv=55", []],
    ];
    for (const [query, ids] of searches) assert.deepEqual(await foundBy(query), ids, query);
    assert.equal((await load(`/tenders?q=${draft.id}`)).text.includes("чернетка"), false);
  });

  it("has a page with chips, facets, the tree of categories and other forms", async () => {
    const { text, headers } = await load("/en/tenders?status=active.enquiries&cpv=45");
    assertSound(text);
    const visible = visibleText(text);
    assert.match(visible, /1 tender found/);
    assert.match(visible, /All divisions .*45 Construction work 1 .*452 Works for complete or part construction.* 1 /);
    assert.doesNotMatch(visible, /451 Site preparation work/);
    assert.match(
      text,
      /<a class="chip" href="\/en\/tenders\?status=active\.enquiries" aria-label="Remove the condition: 45 Constr/,
    );
    assert.match(text, /href="\/en\/tenders\?cpv=45" rel="nofollow" aria-current="true"/);
    for (const form of ["csv", "json", "atom", "ics"])
      assert.ok(text.includes(`href="/en/tenders.${form}?status=active.enquiries&amp;cpv=45"`), form);
    assert.match(text, /<meta name="robots" content="noindex/);
    assert.equal(headers.get("content-language"), "en");
    assert.doesNotMatch((await load("/tenders?cpv=45")).text, /noindex/);
    assert.match(visible, /Bids are accepted until .*\(/);
  });

  it("names categories in Ukrainian as tenders do, and others in English", async () => {
    const { text } = await load("/tenders?cpv=452");
    assert.match(text, /452 <span lang="en">Works for complete or part construction/);
    assert.match(
      text,
      /href="\/tenders\?cpv=4526" rel="nofollow"><span>4526 Покрівельні роботи<\/span> <span class="count">1</,
    );
    const english = await load("/en/tenders?cpv=452");
    assert.match(english.text, /<span>4526 Roof works/);
  });

  it("shows texts of users as text", async () => {
    const { text } = await load(`/tenders?q=${encodeURIComponent("харчування <script>")}`);
    assert.doesNotMatch(text, /<script>/);
    assert.ok((await load("/tenders?q=харчування")).text.includes("=2+2;&quot;Послуги, харчування&quot; &lt;b&gt;"));
  });

  it("has one canonical address, to which a form with empty fields leads", async () => {
    const { status, headers } = await load("/en/tenders?q=%20ремонт&status=&value_min=1%20000&cpv=45000000-7&sort=");
    assert.equal(status, 302);
    const location = headers.get("location") ?? "";
    assert.equal(decodeURI(location), "/en/tenders?q=ремонт&cpv=45&value_min=1000");
    assert.equal((await load(location)).status, 200);
  });

  it("names what is wrong with the address, and keeps what was sent", async () => {
    const page = await load("/en/tenders?status=x&value_min=much&foo=1&utm_source=y&deadline_from=never");
    assert.equal(page.status, 400);
    assertSound(page.text);
    for (const name of ["Status (status)", "Value from (value_min)", "foo:", "Deadline from (deadline_from)"])
      assert.ok(visibleText(page.text).includes(name), name);
    assert.doesNotMatch(page.text, /utm_source/);
    assert.match(page.text, /name="value_min" value="much" aria-invalid="true"/);
    for (const form of ["csv", "atom", "ics", "json"]) {
      const { status, text } = await load(`/en/tenders.${form}?status=x&page=0`);
      assert.equal(status, 400, form);
      assert.match(text, /Status \(status\)/);
    }
    for (const form of ["csv", "atom", "ics"]) {
      const { status, text } = await load(`/en/tenders.${form}?page=2`);
      assert.equal(status, 400, form);
      assert.match(text, /^Page \(page\): there is no such parameter\. A search has the parameters q, [^.]*, sort\.$/m);
    }
  });

  it("says that currencies are not converted where amounts are compared, unless one is chosen", async () => {
    const hasNote = async (query: string) => (await load(`/en/tenders?${query}`)).text.includes("without conversion");
    for (const query of ["sort=value", "value_min=1", "value_max=1000000000"]) {
      assert.ok(await hasNote(query), query);
      assert.ok(!(await hasNote(`${query}&currency=UAH`)), query);
    }
    for (const query of ["", "sort=deadline", "currency=UAH"]) assert.ok(!(await hasNote(query)), query);
  });

  it("is cached until something changes", async () => {
    const path = "/tenders?q=покрівля";
    const { headers } = await load(path);
    const etag = headers.get("etag") ?? "";
    assert.equal((await load(path, { "If-None-Match": etag })).status, 304);
    const changed = { title: "Ремонт покрівлі ліцею у Львові" };
    expectStatus(200, await api.patch(`${repair.path}?acc_token=${repair.token}`, changed));
    assert.match((await load(path)).text, /у Львові/);
    assert.deepEqual(await foundBy("q=львів+покрівля"), [repair.id]);
  });

  it("finds a supplier only after the bids are opened", async () => {
    const story = await reachTendering(world, bidsOf(480000, 470000));
    const id = story.path.replace("/tenders/", "");
    const isFound = async () => [
      (await foundBy(`supplier=${SUPPLIER_KEY}`)).includes(id),
      (await foundBy(`q=${cook.identifier.id}`)).includes(id),
    ];
    assert.deepEqual(await isFound(), [false, false]);
    await endTendering(story);
    assert.deepEqual(await isFound(), [false, false]);
    await finishAuction(story);
    assert.deepEqual(await isFound(), [true, true]);
  });
});

describe("the other forms of a search", () => {
  it("have all results as a table that spreadsheets do not run", async () => {
    const { text, headers } = await load("/tenders.csv?sort=value");
    assert.match(headers.get("content-type") ?? "", /^text\/csv; charset=UTF-8/i);
    const lines = text.split("\r\n");
    assert.match(lines[0] ?? "", /^(?:\ufeff)?tenderID,id,title,/);
    assert.match(lines[0] ?? "", /,url,datePublished,winners,contractAmount,contractCurrency$/);
    assert.ok(
      lines.some(
        (line) => line.includes(repair.id) && line.includes("900000.5,UAH") && /,\d{4}-\d\d-\d\dT[^,]+,,,$/.test(line),
      ),
    );
    assert.ok(lines.some((line) => line.includes(`,"'=2+2;""Послуги, харчування"" <b>",`)));
    assert.equal(
      lines.some((line) => line.includes(draft.id) || line.includes(test.id)),
      false,
    );
    const head = await fetch(`${world.url}/tenders.csv`, { method: "HEAD" });
    assert.deepEqual([head.status, await head.text()], [200, ""]);
  });

  it("are a feed and a calendar with stable ids", async () => {
    const atom = await load("/en/tenders.atom?q=ремонт");
    assert.match(atom.headers.get("content-type") ?? "", /^application\/atom\+xml/);
    const uuid = repair.id.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
    assert.ok(atom.text.includes(`<id>urn:uuid:${uuid}</id>`));
    const ics = await load("/en/tenders.ics?q=ремонт");
    assert.match(ics.headers.get("content-type") ?? "", /^text\/calendar/);
    assert.ok(ics.text.replaceAll("\r\n ", "").includes(`UID:${repair.id}-deadline@`));
  });
});

describe("the search of the API", () => {
  it("takes the same parameters, counts facets and pages through the results", async () => {
    const { body } = expectStatus(200, await api.get("/search?sort=value&limit=1&opt_fields=title"));
    assert.deepEqual(Object.keys(body.data[0]).sort(), ["dateModified", "id", "title"]);
    assert.equal(body.data[0].id, repair.id);
    assert.equal(body.more, false);
    assert.ok(
      body.facets.region.some(({ value, count }: { value: string; count: number }) => value === "lviv" && count === 1),
    );
    const second = expectStatus(200, await api.get(body.next_page.path.replace("/api/2.5", ""))).body;
    assert.equal(second.prev_page.page, 1);
    assert.notEqual(second.data[0].id, repair.id);
    const json = JSON.parse((await load("/tenders.json?sort=value")).text);
    assert.equal(json.data[0].title, "Ремонт покрівлі ліцею у Львові");
    assert.equal(json.total, body.total);
  });

  it("refuses what makes no sense, and names parameters that it ignores", async () => {
    const { body } = expectStatus(422, await api.get("/search?cpv=x&limit=1000&page=0&region=mars"));
    assert.deepEqual(
      body.errors.map(({ location, name, rule }: { location: string; name: string; rule: string }) => [
        location,
        name,
        rule,
      ]),
      ["cpv", "region", "page", "limit"].map((name) => ["params", name, "bad-filter"]),
    );
    const { headers } = expectStatus(200, await api.get("/search?foo=1"));
    assert.equal(headers.get("x-ignored-parameters"), "foo");
    for (const version of ["0", "0.1", "0.2", "2.3"])
      assert.equal((await world.api(version).get("/search")).status, 404, version);
  });

  it("is a function of the client, which also walks all pages", async () => {
    const client = openClient({ url: world.url });
    const page = await client.search({ q: "ремонт", cpv: ["45"], value_min: 1 });
    assert.deepEqual([page.total, page.data[0]?.id], [1, repair.id]);
    const ids: string[] = [];
    for await (const { id } of client.searchAll({ sort: "newest", limit: 1 })) ids.push(id);
    assert.deepEqual(ids, [...new Set(ids)]);
    assert.equal(ids.length, (await client.search()).total);
  });
});
