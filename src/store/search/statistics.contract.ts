import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Award, Contract, Organization, Tender } from "../../domain/model/tender.ts";
import { decimal } from "../../domain/values/decimal.ts";
import { recount, sortContributions } from "../../indexing/contributionSums.ts";
import { DIMENSIONS } from "../../indexing/statistics.ts";
import { searchTermsOf } from "../../indexing/words.ts";
import { edit, make, type OpenTestStore, type Proof, withOpenStore } from "../store.contract.ts";
import type { Store } from "../store.ts";

/** The part of the contract about sums of the statistics and names of organisations. */
export function statisticsContract(name: string, open: OpenTestStore): void {
  const proves = (sentence: string, proof: Proof) => test(sentence, () => withOpenStore(open, proof));
  describe(`${name}: statistics`, () => {
    testSums(proves);
    testNames(proves);
  });
}

type Proves = (sentence: string, proof: Proof) => void;

const organization = (id: string, name: string): Organization => ({ name, identifier: { scheme: "UA-EDR", id } });
const value = (amount: string, currency = "UAH") => ({ amount: decimal(amount), currency });
const REAL: Partial<Tender> = {
  status: "active",
  procedure: "reporting",
  tenderID: "UA-2026-01-15-000001",
  value: value("100.10"),
  procuringEntity: organization("1", "Школа"),
};
const AWARD: Award = {
  ...{ id: "w", date: 1, status: "active", documents: [], complaints: [] },
  suppliers: [organization("2", "Постачальник")],
};
const CONTRACT: Contract = {
  ...{ id: "c", date: 1, status: "active", awardID: "w", contractID: "C", documents: [] },
  ...{ value: value("99.95"), suppliers: [organization("2", "Постачальник")] },
};

/** Proves that the sums are those of all tenders. */
export async function assertCountsAll(store: Store): Promise<void> {
  const sums = (await Promise.all(DIMENSIONS.map((dimension) => store.statistics({ dimension })))).flat();
  const scan = await store.scan();
  try {
    const rows = await Array.fromAsync(scan.tenders());
    const tenders = await Promise.all(rows.map(async ({ id }) => (await store.find(id))?.tender));
    assert.deepEqual(sortContributions(sums), recount(tenders.filter((tender) => tender !== undefined)));
  } finally {
    await scan.close();
  }
}

function testSums(proves: Proves): void {
  proves("sums may have more digits than any of their parts", async (store) => {
    const amounts = ["9007199254740993", "0.1234567890123456789", "123456789012345678.01", "9".repeat(34)];
    for (const [i, amount] of amounts.entries()) await make(store, `t${i}`, { ...REAL, value: value(amount) });
    await assertCountsAll(store);
  });

  proves("sums are exact after every change, also of several in one commit", async (store, reopen) => {
    await make(store, "a", REAL);
    await assertCountsAll(store);
    await Promise.all([
      edit(store, "a", { value: value("0.1") }),
      make(store, "b", { ...REAL, value: value("0.2"), tenderID: "UA-2026-02-01-000001" }),
      make(store, "c", { ...REAL, value: value("12345678901234567890.01", "EUR") }),
      make(store, "d", { ...REAL, mode: "test" }),
      make(store, "e", { ...REAL, status: "draft" }),
      edit(store, "b", { awards: [AWARD], contracts: [CONTRACT] }),
    ]);
    await assertCountsAll(store);
    const reopened = await reopen();
    await edit(reopened, "e", { status: "active" });
    await edit(reopened, "c", { mode: "test" });
    await edit(reopened, "d", { mode: undefined, procuringEntity: organization("3", "Інша") });
    await assertCountsAll(reopened);
    await edit(reopened, "a", { status: "draft" });
    await assertCountsAll(reopened);
    const [all] = await reopened.statistics({ dimension: "all", from: "2026-02", to: "2026-02" });
    assert.equal(all?.counts.tenders, 1);
  });

  proves("sums are selected by key, by the beginning of the key, and by month", async (store) => {
    await make(store, "a", { ...REAL, awards: [AWARD], contracts: [CONTRACT] });
    await make(store, "b", { ...REAL, tenderID: "UA-2026-03-15-000001", procuringEntity: organization("12", "Б") });
    const keysOf = async (query: Parameters<Store["statistics"]>[0]) =>
      (await store.statistics(query)).map(({ key, month, currency }) => [key, month, currency].join(" ").trim());
    assert.deepEqual(await keysOf({ dimension: "all" }), [...["2026-01", "2026-01 UAH", "2026-03", "2026-03 UAH"]]);
    assert.deepEqual(await keysOf({ dimension: "all", to: "2026-02" }), ["2026-01", "2026-01 UAH"]);
    assert.deepEqual(await keysOf({ dimension: "buyer", key: "UA-EDR-1" }), ["UA-EDR-1", "UA-EDR-1  UAH"]);
    assert.deepEqual(await keysOf({ dimension: "pair", keyPrefix: "UA-EDR-1|" }), [
      ...["UA-EDR-1|UA-EDR-2", "UA-EDR-1|UA-EDR-2  UAH"],
    ]);
    assert.deepEqual(await keysOf({ dimension: "pair of supplier", keyPrefix: "UA-EDR-1|" }), []);
    assert.deepEqual(await keysOf({ dimension: "buyer", key: "\0'" }), []);
  });
}

function testNames(proves: Proves): void {
  proves("organisations with a profile are listed by role, without those of test tenders and drafts", async (store) => {
    const buyer = (id: string, more: Partial<Tender> = {}) => ({
      ...REAL,
      procuringEntity: organization(id, id),
      ...more,
    });
    await make(store, "a", { ...buyer("30"), awards: [AWARD], contracts: [CONTRACT] });
    await make(store, "b", buyer("4"));
    await make(store, "c", buyer("30"));
    await make(store, "d", buyer("5", { mode: "test" }));
    await make(store, "e", buyer("6", { status: "draft" }));
    const keysOf = (role: "buyer" | "supplier", offset = 0, limit = 10) => store.profileKeys({ role, offset, limit });
    assert.deepEqual(await keysOf("buyer"), ["UA-EDR-30", "UA-EDR-4"]);
    assert.deepEqual(await keysOf("buyer", 1, 1), ["UA-EDR-4"]);
    assert.deepEqual(await keysOf("supplier"), ["UA-EDR-2"]);
    assert.deepEqual([await store.profileCount("buyer"), await store.profileCount("supplier")], [2, 1]);
  });

  proves("an organisation has the name that was last seen in a real public tender", async (store) => {
    await make(store, "draft", { ...REAL, status: "draft" });
    await make(store, "test", { ...REAL, mode: "test" });
    assert.equal(await store.organizationName("UA-EDR-1"), undefined);
    await edit(store, "draft", { status: "active" });
    assert.deepEqual(await store.organizationName("UA-EDR-1"), { name: "Школа" });
    await make(store, "b", { ...REAL, procuringEntity: { ...organization("1", "Ліцей\0"), name_en: "Lyceum" } });
    assert.deepEqual(await store.organizationName("UA-EDR-1"), { name: "Ліцей\0", name_en: "Lyceum" });
    await edit(store, "draft", { awards: [AWARD] });
    assert.deepEqual(await store.organizationName("UA-EDR-2"), { name: "Постачальник" });
    assert.deepEqual(await store.organizationName("UA-EDR-1"), { name: "Ліцей\0", name_en: "Lyceum" });
    assert.equal(await store.organizationName("\0"), undefined);
  });

  proves("a category keeps the first name that a real public tender gave it", async (store, reopen) => {
    const named = (name: string, id = "45260000-7") => ({
      items: [{ classification: { scheme: "ДК021", id, description: name } }],
    });
    const names = async (opened: Store) => Object.fromEntries(await opened.categoryNames(["4526", "336", "\0"]));
    await make(store, "draft", { ...REAL, ...named("Чернетка"), status: "draft" });
    await make(store, "test", { ...REAL, ...named("Тестова"), mode: "test" });
    assert.deepEqual(await names(store), {});
    await Promise.all([
      make(store, "a", { ...REAL, ...named("Покрівельні роботи") }),
      make(store, "b", { ...REAL, ...named("Інші роботи") }),
    ]);
    await edit(store, "a", named("Фармацевтична продукція", "33600000-6"));
    assert.deepEqual(await names(store), { "336": "Фармацевтична продукція", "4526": "Покрівельні роботи" });
    const reopened = await reopen();
    await edit(reopened, "draft", { status: "active" });
    assert.deepEqual(await names(reopened), { "336": "Фармацевтична продукція", "4526": "Покрівельні роботи" });
    assert.deepEqual(await reopened.categoryNames([]), new Map());
  });

  proves("organisations are listed by role and found by words of their names and by their codes", async (store) => {
    const supplied = (id: string, name: string): Award => ({ ...AWARD, suppliers: [organization(id, name)] });
    const school = organization("00037256", "Школа №5 імені Ґалаґана");
    await make(store, "a", { ...REAL, procuringEntity: school, awards: [supplied("7", "ТОВ «Хліб»")] });
    await make(store, "b", { ...REAL, procuringEntity: school });
    await make(store, "c", { ...REAL, awards: [supplied("00037256", "Школа"), supplied("7", "ТОВ «Хліб і сіль»")] });
    await make(store, "draft", { ...REAL, status: "draft", procuringEntity: organization("8", "Чернетка школи") });
    await make(store, "test", { ...REAL, mode: "test", procuringEntity: organization("9", "Тест школи") });
    const list = async (role: "buyer" | "supplier", q = "", page: { offset?: number; limit?: number } = {}) => {
      const query = { role, terms: searchTermsOf(q), offset: 0, limit: 10, ...page };
      const { organizations, count, isMore } = await store.organizations(query);
      assert.equal(isMore, false);
      return [count, ...organizations.map(({ key, name, tenders }) => `${key} ${name.name} ${tenders}`)];
    };
    assert.deepEqual(await list("buyer"), [2, "UA-EDR-00037256 Школа 2", "UA-EDR-1 Школа 1"]);
    assert.deepEqual(await list("buyer", "", { offset: 1, limit: 1 }), [2, "UA-EDR-1 Школа 1"]);
    assert.deepEqual(await list("buyer", "школи", { limit: 1 }), [2, "UA-EDR-00037256 Школа 2"]);
    assert.deepEqual(await list("buyer", "галаган"), [0]);
    assert.deepEqual(await list("buyer", "00037256"), [1, "UA-EDR-00037256 Школа 2"]);
    assert.deepEqual(await list("buyer", "хліб"), [0]);
    assert.deepEqual(await list("supplier", "сіль ХЛІБА"), [1, "UA-EDR-7 ТОВ «Хліб і сіль» 2"]);
    assert.deepEqual(await list("supplier", "UA-EDR-7"), [1, "UA-EDR-7 ТОВ «Хліб і сіль» 2"]);
    assert.deepEqual(await list("supplier", "near( :* & | '"), [0]);
    await edit(store, "c", { mode: "test" });
    assert.deepEqual(await list("buyer"), [1, "UA-EDR-00037256 Школа 2"]);
    assert.deepEqual(await list("supplier"), [1, "UA-EDR-7 ТОВ «Хліб і сіль» 1"]);
    assert.deepEqual(await list("supplier", "школа"), [0]);
  });
}
