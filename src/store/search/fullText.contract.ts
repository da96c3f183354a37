import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Award, Bid, Organization, Tender } from "../../domain/model/tender.ts";
import { decimal } from "../../domain/values/decimal.ts";
import { DAY } from "../../domain/values/time.ts";
import { SEARCH_FACETS, type SearchFacet, type SearchFilter, type SearchQuery } from "../../indexing/searchQuery.ts";
import { searchTermsOf } from "../../indexing/words.ts";
import { tenderPatch } from "../../ledger/tenderPatch.ts";
import { edit, make, type OpenTestStore, type Proof, withOpenStore } from "../store.contract.ts";
import type { Store } from "../store.ts";

type Proves = (sentence: string, proof: Proof) => void;
type Asked = Partial<Omit<SearchFilter, "terms">> & Partial<Omit<SearchQuery, "filter">> & { readonly q?: string };

/** The part of the contract about the search of tenders, the calendar and lists of what is published. */
export function fullTextContract(name: string, open: OpenTestStore): void {
  const proves: Proves = (sentence, proof) => test(sentence, () => withOpenStore(open, proof));
  describe(`${name}: search`, () => {
    testWords(proves);
    testFilters(proves);
    testTreeFacets(proves);
    testRanking(proves);
    testUpdates(proves);
    testOtherLists(proves);
  });
}

const queryOf = ({
  q = "",
  sort = "relevance",
  offset = 0,
  limit = 20,
  facets = [],
  ...filter
}: Asked): SearchQuery => ({
  filter: { terms: searchTermsOf(q), mode: "real", ...filter },
  ...{ sort, offset, limit, facets },
});

const search = (store: Store, asked: Asked) => store.search(queryOf(asked));
const idsOf = async (store: Store, asked: Asked) => (await search(store, asked)).ids.join(" ");

const organization = (id: string, name: string): Organization => ({ name, identifier: { scheme: "UA-EDR", id } });
const item = (id: string, description: string) => ({ description, classification: { scheme: "CPV", id } });
const value = (amount: string, currency = "UAH") => ({ amount: decimal(amount), currency });

/** Changes a tender by a decision on all its bids. */
const editWithBids = (store: Store, id: string, fields: Partial<Tender>) =>
  store.write<void>(id, (current, { at }) => {
    if (current?.bids !== "all") return { needs: "all" };
    const tender = { ...current.tender, dateModified: at, ...fields };
    const document = JSON.stringify({ ...tender, bids: undefined });
    const { patch } = tenderPatch(current.tender, tender);
    const change = { tender, document, patch, wakeAt: undefined, actor: undefined, act: "edit", files: [] };
    return { result: undefined, change };
  });

const OPEN: Partial<Tender> = { status: "active.tendering", procedure: "belowThreshold" };

async function makeLibrary(store: Store): Promise<void> {
  await make(store, "repair", {
    ...OPEN,
    tenderID: "UA-2026-01-15-000007",
    title: "Ремонт школи №5",
    title_en: "Repair of a school",
    description: "Капітальний ремонт даху",
    procuringEntity: {
      ...organization("00037256", "Управління освіти м. Львова"),
      address: { region: "Львівська область" },
    },
    items: [item("45260000-7", "Покрівельні роботи")],
    value: value("150000.5"),
    tenderPeriod: { endDate: 40 * DAY },
  });
  await make(store, "food", {
    ...OPEN,
    status: "complete",
    title: "Послуги харчування",
    description: "для школи",
    procuringEntity: organization("00037256", "Управління освіти м. Львова"),
    items: [item("55320000-9", "Обіди"), item("15000000-8", "М'ясо")],
    value: value("90", "EUR"),
    tenderPeriod: { endDate: 20 * DAY },
    date: 25 * DAY,
  });
  await make(store, "drugs", {
    ...OPEN,
    procedure: "reporting",
    status: "active",
    title: "Ліки",
    title_en: "Medicines for the schools",
    procuringEntity: organization("_x y|Ї", "Лікарня №1 «Ґанок»"),
    items: [item("33600000-6", "Аспірин")],
  });
  await make(store, "draft", { ...OPEN, status: "draft", title: "Ремонт школи" });
  await make(store, "test", { ...OPEN, mode: "test", title: "Ремонт школи", value: value("5") });
}

function testWords(proves: Proves): void {
  proves("a tender is found by words of its texts, in any form and case, and by prefixes", async (store) => {
    await makeLibrary(store);
    const expected: readonly (readonly [q: string, ids: string])[] = [
      ["ремонт", "repair"],
      ["РЕМОНТУ", "repair"],
      ["рем", "repair"],
      ["ре", ""],
      ["послуга", "food"],
      ["обіди", "food"],
      ["м’яса", "food"],
      ["ганок", "drugs"],
      ["аспірин", "drugs"],
      ["школа", "repair food"],
      ["школа ремонт", "repair"],
      ["школа ліки", ""],
      ["schools", "drugs repair"],
      ["00037256", "food repair"],
      ["33600000-6", "drugs"],
      ["336", "drugs"],
      ["UA-2026-01-15-000007", "repair"],
      ["UA-2026-01", "repair"],
      ["000007", "repair"],
      ["2026", ""],
      ["управління освіти", "food repair"],
      ["nothing", ""],
    ];
    for (const [q, ids] of expected) assert.equal(await idsOf(store, { q }), ids, q);
  });

  proves("words match whatever operators of the databases they look like", async (store) => {
    await make(store, "b", {
      ...OPEN,
      title: "!",
      title_en: "",
      description: " \0 ",
      lots: [],
      items: [item("", "…")],
    });
    await make(store, "a", { ...OPEN, title: "AND or NOT near( :* & | ! <-> \\ 'x' \"y\" ~title s:complete" });
    for (const q of ["and", "NOT", "near", "title", "s:complete", "'x'", '"y"', "or & not | !near"])
      assert.equal(await idsOf(store, { q }), "a", q);
    assert.equal(await idsOf(store, { q: "and", statuses: ["complete"] }), "");
  });

  proves("drafts are never found, and tests only among tests", async (store) => {
    await makeLibrary(store);
    assert.equal(await idsOf(store, { q: "школи", sort: "newest" }), "food repair");
    assert.equal(await idsOf(store, { sort: "newest" }), "drugs food repair");
    assert.equal(await idsOf(store, { q: "школи", mode: "test" }), "test");
    assert.equal(await idsOf(store, { mode: "test" }), "test");
    assert.equal(await idsOf(store, { mode: "test", sort: "value" }), "test");
  });
}

function testFilters(proves: Proves): void {
  proves("filters match any of their values, and all filters together", async (store) => {
    await makeLibrary(store);
    const expected: readonly (readonly [asked: Asked, ids: string])[] = [
      [{ statuses: ["complete"] }, "food"],
      [{ statuses: ["complete", "active"] }, "drugs food"],
      [{ statuses: ["active.tendering", "never"], q: "школа" }, "repair"],
      [{ procedures: ["reporting"] }, "drugs"],
      [{ classifications: ["45"] }, "repair"],
      [{ classifications: ["150", "33600000"] }, "drugs food"],
      [{ classifications: ["33600001"] }, ""],
      [{ buyers: ["UA-EDR-00037256"] }, "food repair"],
      [{ buyers: ["ua-edr-00037256"] }, ""],
      [{ buyers: ["UA-EDR-_x y_Ї"] }, "drugs"],
      [{ regions: ["lviv"] }, "repair"],
      [{ value: { from: decimal("90") } }, "food repair"],
      [{ value: { from: decimal("90.01") } }, "repair"],
      [{ value: { to: decimal("150000.5") } }, "food repair"],
      [{ value: { to: decimal("100000") }, q: "школа" }, "food"],
      [{ currency: "EUR" }, "food"],
      [{ deadline: { from: 20 * DAY, to: 30 * DAY } }, "food"],
      [{ deadline: { from: 20 * DAY + 1 } }, "repair"],
      [{ deadline: { to: 20 * DAY - 1 } }, ""],
      [{ statuses: [], buyers: [] }, "drugs food repair"],
      [{ buyers: ["x".repeat(100_000)], suppliers: ["\0'\\\ud800"] }, ""],
      [{ currency: "\0\ud800", regions: ["' | 'a"], procedures: [""] }, ""],
    ];
    for (const [asked, ids] of expected) {
      assert.equal(await idsOf(store, asked), ids, JSON.stringify(asked));
      const { count, isMore } = await search(store, { ...asked, limit: 1 });
      assert.deepEqual({ count, isMore }, { count: ids === "" ? 0 : ids.split(" ").length, isMore: false });
    }
  });

  proves(
    "a range of days finds what became public then, however long it was a draft",
    async (store, _reopen, clock) => {
      await make(store, "late", { ...OPEN, status: "draft" });
      clock.now = 10 * DAY;
      await make(store, "early", OPEN);
      clock.now = 20 * DAY;
      await edit(store, "late", { status: "active.tendering" });
      clock.now = 30 * DAY;
      await edit(store, "early", { title: "Змінено" });
      const published = (from?: number, to?: number) => idsOf(store, { published: { from, to } });
      assert.equal(await published(), "late early");
      assert.equal(await published(10 * DAY, 10 * DAY), "early");
      assert.equal(await published(10 * DAY + 1), "late");
      assert.equal(await published(undefined, 20 * DAY), "late early");
      assert.equal(await published(undefined, 20 * DAY - 1), "early");
      assert.equal(await published(25 * DAY), "");
      assert.equal(await idsOf(store, { q: "змінено", published: { to: 15 * DAY } }), "early");
    },
  );

  proves("facets are counted without their own filter, the highest first", async (store) => {
    await makeLibrary(store);
    const { facets } = await search(store, { statuses: ["complete"], facets: SEARCH_FACETS });
    const counts = (name: keyof typeof facets) =>
      facets[name]?.map(({ value: facetValue, count }) => `${facetValue} ${count}`).join(", ");
    assert.deepEqual(
      SEARCH_FACETS.map((name) => counts(name)),
      ["active 1, active.tendering 1, complete 1", "belowThreshold 1", "15 1, 55 1", "", "", "UA-EDR-00037256 1", ""],
    );
    const all = await search(store, { facets: ["buyer", "procedure"] });
    assert.deepEqual(all.facets, {
      buyer: [
        { value: "UA-EDR-00037256", count: 2 },
        { value: "UA-EDR-_x y_Ї", count: 1 },
      ],
      procedure: [
        { value: "belowThreshold", count: 2 },
        { value: "reporting", count: 1 },
      ],
    });
  });
}

function testTreeFacets(proves: Proves): void {
  const countsOf = async (store: Store, facet: SearchFacet, asked: Asked) =>
    ((await search(store, { ...asked, facets: [facet] })).facets[facet] ?? [])
      .map(({ value: facetValue, count }) => `${facetValue} ${count}`)
      .join(", ");

  proves("results are counted by the nearest categories below those of the search, each tender once", async (store) => {
    const withCodes = (...codes: readonly string[]) => ({ ...OPEN, items: codes.map((code) => item(code, "Роботи")) });
    await make(store, "a", withCodes("45261000-4", "45262000-1", "45310000-3"));
    await make(store, "b", withCodes("45260000-7"));
    await make(store, "c", withCodes("45000000-7", "33600000-6"));
    await make(store, "d", withCodes("45261100-5", "wrong", "4"));
    await make(store, "e", withCodes("30192121-5"));
    await make(store, "test", { ...withCodes("45110000-1"), mode: "test" });
    const below = (...classifications: readonly string[]) => countsOf(store, "category", { classifications });
    assert.equal(await below(), "");
    assert.equal(await below("45"), "452 3, 453 1");
    assert.equal(await below("452"), "4526 3");
    assert.equal(await below("4526"), "45261 2, 45262 1");
    assert.equal(await below("45261"), "452611 1");
    assert.equal(await below("452611"), "");
    // The CPV has no category 3019212.
    assert.equal(await below("301921"), "30192121 1");
    assert.equal(await below("45", "33"), "452 3, 336 1, 453 1");
    assert.equal(await countsOf(store, "division", { classifications: ["336"] }), "45 4, 30 1, 33 1");
    assert.equal(await countsOf(store, "category", { classifications: ["45"], mode: "test" }), "451 1");
    await edit(store, "a", withCodes("45310000-3"));
    assert.equal(await below("45"), "452 2, 453 1");
  });

  proves("a tender with very many codes is counted in all its divisions", async (store) => {
    const codes = Array.from({ length: 2000 }, (_, i) => `${30 + (i % 20)}${String(i * 37).padStart(6, "1")}`);
    await make(store, "a", { ...OPEN, items: codes.map((code) => item(code, "Різне")) });
    assert.equal((await search(store, { facets: ["division"] })).facets.division?.length, 20);
    assert.equal(await idsOf(store, { classifications: [codes[1999] ?? ""] }), "a");
  });

  proves("results are counted by suppliers that are public, without the filter by suppliers", async (store) => {
    const bid = (id: string, key: string): Bid => ({
      ...{ id, date: 1, status: "active", owner: "broker", tokenHash: "h", documents: [] },
      tenderers: [organization(key, "Постачальник")],
    });
    const bids = [bid("1", "11"), bid("2", "_x y|Ї"), bid("3", "11")];
    const bySupplier = (asked: Asked = {}) => countsOf(store, "supplier", asked);
    await make(store, "a", { ...OPEN, bids });
    await make(store, "test", { ...OPEN, status: "complete", mode: "test", bids });
    assert.equal(await bySupplier(), "");
    await editWithBids(store, "a", { status: "active.qualification" });
    await make(store, "b", { ...OPEN, status: "complete", bids: [bid("1", "11")] });
    assert.equal(await bySupplier(), "UA-EDR-11 2, UA-EDR-_x y_Ї 1");
    assert.equal(await bySupplier({ suppliers: ["UA-EDR-_x y_Ї"] }), "UA-EDR-11 2, UA-EDR-_x y_Ї 1");
    assert.equal(await bySupplier({ statuses: ["complete"] }), "UA-EDR-11 1");
    assert.equal(await bySupplier({ mode: "test" }), "UA-EDR-11 1, UA-EDR-_x y_Ї 1");
  });
}

function testRanking(proves: Proves): void {
  proves(
    "titles count more than other texts, words more than their forms, and then the newest comes first",
    async (store) => {
      await make(store, "title", { ...OPEN, title: "Ремонт" });
      await make(store, "form of title", { ...OPEN, title: "Ремонти" });
      await make(store, "word", { ...OPEN, title: "Інше", description: "ремонт" });
      await make(store, "form", { ...OPEN, title: "Інше", description: "ремонтів" });
      await make(store, "newer title", { ...OPEN, title_en: "ремонт" });
      await make(store, "both", { ...OPEN, title: "Ремонт дахів" });
      const ids = ["both", "newer title", "title", "form of title", "word", "form"];
      assert.deepEqual((await search(store, { q: "ремонт" })).ids, ids);
      assert.deepEqual((await search(store, { q: "ремонт", offset: 2, limit: 3 })).ids, ids.slice(2, 5));
      assert.deepEqual((await search(store, { q: "ремонт даху" })).ids, ["both"]);
      assert.equal(await idsOf(store, { sort: "relevance", limit: 2 }), "both newer title");
    },
  );

  proves("results are sorted by value, by deadline and by publication", async (store, _reopen, clock) => {
    const withAmount = (amount: string | undefined, endDate: number | undefined) => ({
      ...OPEN,
      title: "Папір",
      ...(amount !== undefined && { value: value(amount) }),
      ...(endDate !== undefined && { tenderPeriod: { endDate: endDate * DAY } }),
    });
    await make(store, "a", withAmount("99.5", 12));
    await make(store, "b", withAmount("1000", 3));
    await make(store, "c", withAmount(undefined, 11));
    await make(store, "d", withAmount("99.49", undefined));
    await make(store, "e", withAmount("0", 9));
    clock.now = 10 * DAY;
    for (const q of ["", "папір"]) {
      assert.equal(await idsOf(store, { q, sort: "value" }), "b a d e c");
      assert.equal(await idsOf(store, { q, sort: "deadline" }), "c a e b d");
      assert.equal(await idsOf(store, { q, sort: "newest" }), "e d c b a");
      assert.equal(await idsOf(store, { q, sort: "value", offset: 1, limit: 2 }), "a d");
    }
  });
}

function testUpdates(proves: Proves): void {
  proves("many changes of what is indexed do not disturb later writes", async (store) => {
    for (let i = 0; i < 40; i++) await make(store, `t${i}`, { ...OPEN, title: `початок ${i}` });
    for (let i = 0; i < 40; i++) await edit(store, `t${i}`, { title: `зміна ${i}` });
    assert.equal((await search(store, { q: "зміна" })).count, 40);
    assert.equal((await search(store, { q: "початок" })).count, 0);
  });

  proves("a search sees every change at once, also after the store is reopened", async (store, reopen) => {
    await make(store, "a", { ...OPEN, title: "Цемент", value: value("5") });
    await edit(store, "a", { title: "Пісок", status: "complete", value: value("7") });
    assert.equal(await idsOf(store, { q: "цемент" }), "");
    const reopened = await reopen();
    assert.equal(await idsOf(reopened, { q: "пісок", statuses: ["complete"], value: { from: decimal("6") } }), "a");
    assert.equal(await idsOf(reopened, { statuses: ["active.tendering"] }), "");
    await edit(reopened, "a", { mode: "test" });
    assert.equal(await idsOf(reopened, { q: "пісок" }), "");
    assert.equal(await idsOf(reopened, { q: "пісок", mode: "test" }), "a");
    await edit(reopened, "a", { status: "draft", mode: undefined });
    assert.equal((await search(reopened, {})).count, 0);
    await edit(reopened, "a", { status: "complete" });
    assert.equal(await idsOf(reopened, { q: "пісок" }), "a");
  });

  proves("changes of one commit count together", async (store) => {
    await make(store, "a", { ...OPEN, status: "draft", title: "Перше" });
    await Promise.all([
      edit(store, "a", { status: "active.tendering" }),
      edit(store, "a", { title: "Друге" }),
      edit(store, "a", { questions: [] }),
      make(store, "b", { ...OPEN, title: "Друге" }),
      edit(store, "a", { status: "draft" }),
      edit(store, "a", { status: "complete" }),
    ]);
    assert.equal(await idsOf(store, { q: "друге" }), "a b");
    assert.equal(await idsOf(store, { q: "перше" }), "");
    assert.equal(await idsOf(store, { statuses: ["complete"] }), "a");
  });

  proves("suppliers are found once they are public, and bids that are sealed never", async (store) => {
    const bid = (id: string, name: string): Bid => ({
      ...{ id, date: 1, status: "active", owner: "broker", tokenHash: "h", documents: [] },
      tenderers: [organization(id, name)],
    });
    const award: Award = {
      ...{ id: "w", date: 1, status: "pending", documents: [], complaints: [] },
      suppliers: [organization("33", "Третій")],
    };
    await make(store, "a", { ...OPEN, bids: [bid("11", "Перший")] });
    assert.equal(await idsOf(store, { q: "перший" }), "");
    assert.equal(await idsOf(store, { suppliers: ["UA-EDR-11"] }), "");
    await editWithBids(store, "a", {
      status: "active.qualification",
      bids: [bid("11", "Перший"), bid("22", "Другий")],
    });
    assert.equal(await idsOf(store, { q: "перший", suppliers: ["UA-EDR-22"] }), "a");
    await editWithBids(store, "a", { awards: [award] });
    assert.equal(await idsOf(store, { q: "третій", suppliers: ["UA-EDR-33", "UA-EDR-44"] }), "a");
    assert.equal(await idsOf(store, { suppliers: ["UA-EDR-11"] }), "a");
  });

  proves("a tender with very many words is found by the first ones", async (store) => {
    const words = Array.from({ length: 4000 }, (_, i) => `слово${i}`.padEnd(40, "ж")).join(" ");
    const items = Array.from({ length: 8 }, (_, i) => item("33600000-6", words.replaceAll("слово", `річ${i}`)));
    await make(store, "a", { ...OPEN, title: "Початок", description: words, items });
    assert.equal(await idsOf(store, { q: "початок", classifications: ["336"] }), "a");
    assert.equal(await idsOf(store, { q: "слово0" }), "a");
  });
}

function testOtherLists(proves: Proves): void {
  proves(
    "the calendar has what took place or will, in order, and nothing after the end of a tender or lot",
    async (store) => {
      const start = (endDate: number) => ({ endDate });
      await make(store, "a", {
        ...OPEN,
        enquiryPeriod: start(5),
        tenderPeriod: start(9),
        auctionPeriod: { startDate: 12 },
      });
      await make(store, "b", { ...OPEN, tenderPeriod: start(7) });
      const cancelled = { ...OPEN, status: "cancelled", enquiryPeriod: start(5), tenderPeriod: start(8) } as const;
      await make(store, "c", { ...cancelled, date: 4, auctionPeriod: { startDate: 9 } });
      await make(store, "f", { ...cancelled, date: 6 });
      await make(store, "g", { ...cancelled, status: "unsuccessful", date: 8, auctionPeriod: { startDate: 9 } });
      await make(store, "h", { ...OPEN, status: "active.qualification", awardPeriod: { startDate: 13 } });
      await make(store, "i", { ...OPEN, status: "active.auction", awardPeriod: { startDate: 13 } });
      await make(store, "d", { ...OPEN, status: "draft", tenderPeriod: start(8) });
      await make(store, "e", { ...OPEN, mode: "test", tenderPeriod: start(8) });
      const lot = (id: string, startDate: number) =>
        ({ id, status: "active", date: 1, auctionPeriod: { startDate } }) as const;
      const cancelledLot = { ...lot("4", 10), status: "cancelled", date: 9 } as const;
      await edit(store, "b", { lots: [lot("1", 30), lot("2", 11), lot("3", 11), cancelledLot] });
      const calendar = async (from: number, to: number, mode: "real" | "test" = "real", limit = 10) =>
        (await store.calendar({ from, to, mode, limit })).map(({ id, kind, at }) => `${at} ${id} ${kind}`);
      assert.deepEqual(await calendar(5, 30), [
        ...[
          "5 a enquiries end",
          "5 f enquiries end",
          "5 g enquiries end",
          "7 b deadline",
          "8 g deadline",
          "9 a deadline",
        ],
        ...["11 b auction", "12 a auction", "13 h opening"],
      ]);
      assert.deepEqual(await calendar(6, 8), ["7 b deadline"]);
      assert.deepEqual(await calendar(0, 99, "real", 2), ["5 a enquiries end", "5 f enquiries end"]);
      assert.deepEqual(await calendar(0, 99, "test"), ["8 e deadline"]);
      await edit(store, "a", { auctionPeriod: { startDate: 40 } });
      assert.deepEqual(await calendar(10, 99), ["11 b auction", "13 h opening", "30 b auction", "40 a auction"]);
    },
  );

  proves("a tender that ended before its deadline has none to be sorted or found by", async (store) => {
    const tenderPeriod = { endDate: 40 * DAY };
    await make(store, "cancelled", { ...OPEN, tenderPeriod });
    await make(store, "open", { ...OPEN, tenderPeriod });
    await make(store, "none", OPEN);
    assert.equal(await idsOf(store, { deadline: { from: 40 * DAY } }), "open cancelled");
    assert.equal(await idsOf(store, { sort: "deadline" }), "cancelled open none");
    await edit(store, "cancelled", { status: "cancelled", date: 30 * DAY });
    assert.equal(await idsOf(store, { deadline: { from: 40 * DAY } }), "open");
    assert.equal(await idsOf(store, { sort: "deadline" }), "open none cancelled");
    // It resumes, or an operator corrects when it ended.
    await edit(store, "cancelled", { date: 50 * DAY });
    assert.equal(await idsOf(store, { deadline: { from: 40 * DAY } }), "open cancelled");
  });

  proves("what is published is listed in its order, and found by its number", async (store) => {
    await make(store, "c", { ...OPEN, status: "draft" });
    await makeLibrary(store);
    await edit(store, "c", { status: "complete" });
    await edit(store, "repair", { title: "Ще раз" });
    const pages = await Promise.all([0, 2, 4].map((offset) => store.publishedPage({ offset, limit: 2 })));
    assert.deepEqual(
      pages.map((page) => page.map(({ id }) => id)),
      [["repair", "food"], ["drugs", "c"], []],
    );
    assert.equal(pages[0]?.[0]?.dateModified, (await store.find("repair"))?.tender.dateModified);
    assert.equal(await store.publishedCount(), 4);
    const times = await store.publicationTimes(["repair", "c", "draft", "nobody"]);
    const changed = async (id: string) => (await store.find(id))?.tender.dateModified ?? 0;
    assert.deepEqual([...times.keys()].sort(), ["c", "repair"]);
    assert.equal(times.get("c"), await changed("c"));
    assert.ok((times.get("repair") ?? 0) < (times.get("c") ?? 0) && (await changed("repair")) > (times.get("c") ?? 0));
    assert.equal(await store.findByNumber("UA-food"), "food");
    assert.equal(await store.findByNumber("UA-draft"), undefined);
    assert.equal(await store.findByNumber("UA-test"), "test");
    assert.equal(await store.findByNumber("UA-\0"), undefined);
  });
}
