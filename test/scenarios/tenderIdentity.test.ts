import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { DAY, fullTender, publish } from "../support/examples.ts";
import { expectStatus, sharedWorld, type World } from "../support/world.ts";

const MARKS = { title: "[ТЕСТУВАННЯ]", title_en: "[TESTING]", title_ru: "[ТЕСТИРОВАНИЕ]" };

describe("a tender in mode test", async () => {
  const world = await sharedWorld();
  const api = world.api("2.3");
  const test = (more: object = {}) => publish(api, { ...fullTender(world.clock.now), mode: "test", ...more });

  it("is marked in its titles in three languages", async () => {
    const { data } = (await test({ title: "Обіди", title_en: "Lunches" })).response.body;
    assert.equal(data.mode, "test");
    assert.equal(data.title, `${MARKS.title} Обіди`);
    assert.equal(data.title_en, `${MARKS.title_en} Lunches`);
    assert.equal(data.title_ru, `${MARKS.title_ru} `);
  });

  it("is not marked twice", async () => {
    const marked = { title: `Обіди ${MARKS.title}`, title_en: MARKS.title_en, title_ru: `${MARKS.title_ru} Обеды` };
    const { data } = (await test(marked)).response.body;
    assert.deepEqual({ title: data.title, title_en: data.title_en, title_ru: data.title_ru }, marked);
  });

  it("is marked again when a PATCH removes the marks", async () => {
    const { path, token } = await test();
    const { data } = expectStatus(200, await api.patch(path, { title: "Вечері", title_ru: "Ужины" }, { token })).body;
    assert.equal(data.title, `${MARKS.title} Вечері`);
    assert.equal(data.title_en, `${MARKS.title_en} `);
    assert.equal(data.title_ru, `${MARKS.title_ru} Ужины`);
    world.clock.forward(1000);
    const again = await api.patch(path, { title: "Вечері", mode: null }, { token });
    assert.deepEqual(again.body.data, data, "the same title without its mark changes nothing");
  });

  it("is marked even if it names no procedure type", async () => {
    const { data } = (await publish(api, { mode: "test", title: "Обіди" })).response.body;
    assert.equal(data.title, `${MARKS.title} Обіди`);
  });

  it("is listed only with the mode parameter, and real tenders are not marked", async () => {
    const { id } = await test();
    const real = await publish(api, fullTender(world.clock.now));
    assert.equal(real.response.body.data.title, fullTender().title);
    const ids = async (mode: string) =>
      (await api.get(`/tenders?mode=${mode}`)).body.data.map((entry: { id: string }) => entry.id);
    assert.ok(!(await ids("")).includes(id));
    assert.ok((await ids("test")).includes(id));
    assert.ok(!(await ids("test")).includes(real.id));
    for (const tenderId of [id, real.id]) assert.ok((await ids("_all_")).includes(tenderId));
  });
});

const numberOf = (tenderID: string) => Number(/^UA-\d{4}-\d\d-\d\d-(\d{6})$/.exec(tenderID)?.[1]);

describe("tenderID", async () => {
  const world: World = await sharedWorld();
  const api = world.api("2.3");
  const publishNow = async (more: object = {}) =>
    (await publish(api, { ...fullTender(world.clock.now), ...more })).response.body.data.tenderID;

  it("counts from 1 each day, and a refused request uses no number", async () => {
    assert.equal(await publishNow(), "UA-2026-11-16-000001");
    expectStatus(422, await api.post("/tenders", { ...fullTender(), title: undefined }));
    expectStatus(422, await api.post("/tenders", { ...fullTender(), enquiryPeriod: { endDate: "2020-01-01" } }));
    expectStatus(401, await api.post("/tenders", fullTender(), { key: null }));
    expectStatus(403, await api.post("/tenders", fullTender(), { key: "broker2" }));
    expectStatus(403, await api.post("/tenders", fullTender(), { key: "broker1t" }));
    expectStatus(415, await api.post("/tenders", { procurementMethodType: "none" }));
    expectStatus(415, await api.request("POST", "/tenders", { raw: "{}", headers: { "Content-Type": "text/plain" } }));
    assert.equal(await publishNow(), "UA-2026-11-16-000002");
    assert.equal(await publishNow({ status: "draft" }), "UA-2026-11-16-000003");
    assert.equal(await publishNow({ mode: "test" }), "UA-2026-11-16-000004");
  });

  it("is one sequence for all versions, each of which has its own format", async () => {
    const old = expectStatus(201, await world.api("0.1").post("/tenders", {})).body.data;
    assert.equal(old.tenderID, `UA-${old.id}`);
    assert.equal((await api.get(`/tenders/${old.id}`)).body.data.tenderID, "UA-2026-11-16-000005");
  });

  it("has neither gaps nor duplicates when many publish at once and some are refused", async () => {
    const all = await Promise.all(
      Array.from({ length: 40 }, (_, i) =>
        api.post("/tenders", { ...fullTender(world.clock.now), ...(i % 4 === 0 && { title: undefined }) }),
      ),
    );
    const taken = all.filter(({ status }) => status === 201).map(({ body }) => numberOf(body.data.tenderID));
    assert.deepEqual(
      taken.sort((a, b) => a - b),
      Array.from({ length: 30 }, (_, i) => 6 + i),
    );
  });

  it("starts at 1 on a new day in the registry's time zone, even after a restart", async () => {
    const midnight = Date.UTC(2026, 10, 16, 22) * 1000;
    world.clock.now = midnight - 1000;
    assert.equal(await publishNow(), "UA-2026-11-16-000036");
    world.clock.now = midnight;
    assert.equal(await publishNow(), "UA-2026-11-17-000001");
    await world.restart();
    assert.equal(await publishNow(), "UA-2026-11-17-000002");
    world.clock.forward(DAY);
    assert.equal(await publishNow(), "UA-2026-11-18-000001");
  });

  it("is changed by no PATCH", async () => {
    const { path, token, response } = await publish(api, fullTender(world.clock.now));
    const { data } = expectStatus(200, await api.patch(path, { tenderID: "UA-0", title: "Інше" }, { token })).body;
    assert.equal(data.tenderID, response.body.data.tenderID);
  });
});

describe("a tender from the established system's database", async () => {
  const world = await sharedWorld();

  it("may contain that system's internal fields, which are ignored", async () => {
    const stored = { _id: "1".repeat(32), _rev: "3-abc", doc_id: "1".repeat(32), doc_type: "Tender", _attachments: {} };
    for (const version of ["2.3", "2.5"]) {
      const { id, response } = await publish(world.api(version), {
        ...fullTender(world.clock.now),
        ...stored,
      });
      assert.notEqual(id, stored._id);
      for (const name of Object.keys(stored)) assert.ok(!(name in response.body.data), name);
    }
  });
});
