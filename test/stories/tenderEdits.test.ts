import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  bidOf,
  DAY,
  formatTime,
  fullTender,
  MINUTE,
  type PublishedTender,
  publish,
  publishForBids,
} from "../support/examples.ts";
import { errorsOf, expectStatus, sharedWorld, type TestResponse } from "../support/world.ts";

const LOT = "a".repeat(32);
const feature = { code: "a", title: "Якість", enum: [{ title: "-", value: 0.1 }] };

describe("PATCH of a belowThreshold tender during enquiries", async () => {
  const world = await sharedWorld();
  const api = world.api("2.3");
  const made = (more: object = {}) => publish(api, { ...fullTender(world.clock.now), ...more });
  const patch = ({ path, token }: PublishedTender, data: object) => api.patch(path, data, { token });
  const patched = async (tender: PublishedTender, data: object) =>
    expectStatus(200, await patch(tender, data)).body.data;

  it("changes the given fields and keeps the others, objects key by key", async () => {
    const tender = await made({ guarantee: { amount: 12 } });
    const before = tender.response.body.data;
    const after = await patched(tender, { title: "Інше", guarantee: { currency: "USD" } });
    assert.notEqual(after.dateModified, before.dateModified);
    const changed = { title: "Інше", guarantee: { amount: 12, currency: "USD" }, dateModified: after.dateModified };
    assert.deepEqual(after, { ...before, ...changed });
  });

  it("adds an object with its defaults", async () => {
    const after = await patched(await made(), { guarantee: { amount: 55 } });
    assert.deepEqual(after.guarantee, { amount: 55, currency: "UAH" });
  });

  it("merges lists by position: {} keeps, longer appends, shorter truncates", async () => {
    const tender = await made();
    const [first] = tender.response.body.data.items;
    const second = { description: "Сніданки", classification: { id: "55521000-8", description: "-" } };
    const two = (await patched(tender, { items: [{}, second] })).items;
    assert.deepEqual(two[0], first);
    assert.equal(two[1].description, "Сніданки");
    assert.match(two[1].id, /^[0-9a-f]{32}$/);
    const changed = (await patched(tender, { items: [{ quantity: 6 }, {}] })).items;
    assert.deepEqual(changed, [{ ...first, quantity: 6 }, two[1]]);
    assert.deepEqual((await patched(tender, { items: [{}] })).items, [{ ...first, quantity: 6 }]);
  });

  it("empties a list with [], which is allowed for features and refused for items", async () => {
    const tender = await made({ features: [feature] });
    assert.ok(!("features" in (await patched(tender, { features: [] }))));
    const refused = expectStatus(422, await patch(tender, { items: [] }));
    assert.deepEqual(errorsOf(refused), ["body/items: Please provide at least 1 item."]);
  });

  it("clears a value inside a field with null, or restores its default", async () => {
    const tender = await made({ value: { amount: 500000, currency: "UAH", valueAddedTaxIncluded: true } });
    const after = await patched(tender, {
      procuringEntity: { contactPoint: { telephone: null } },
      value: { currency: null, valueAddedTaxIncluded: null },
      items: [{ additionalClassifications: null, unit: { code: null } }],
    });
    assert.deepEqual(after.procuringEntity.contactPoint, { name: "Куца Світлана" });
    assert.deepEqual(after.value, { amount: 500000, currency: "UAH", valueAddedTaxIncluded: true });
    assert.deepEqual(after.items[0].unit, { name: "item" });
    assert.ok(!("additionalClassifications" in after.items[0]));
  });

  it("ignores null for a field of the tender itself", async () => {
    const tender = await made({ guarantee: { amount: 12 }, features: [feature], description: "-" });
    const { data } = tender.response.body;
    const nothing = { guarantee: null, features: null, description: null, title: null, value: null, items: null };
    assert.deepEqual(await patched(tender, { ...nothing, enquiryPeriod: null, status: null, mode: null }), data);
  });

  it("refuses null for a required value inside a field", async () => {
    const refused = expectStatus(422, await patch(await made(), { value: { amount: null } }));
    assert.deepEqual(errorsOf(refused), ["body/value.amount: This field is required."]);
  });

  it("cannot delete the start of either period", async () => {
    const sent = { enquiryPeriod: { startDate: null }, tenderPeriod: { startDate: null } };
    assert.deepEqual(errorsOf(expectStatus(422, await patch(await made(), sent))).sort(), [
      "body/enquiryPeriod.startDate: This field cannot be deleted",
      "body/tenderPeriod.startDate: This field cannot be deleted",
    ]);
  });

  it("changes the end of a period and keeps its start", async () => {
    const tender = await made();
    const { tenderPeriod } = tender.response.body.data;
    const endDate = formatTime(world.clock.now + 20 * DAY);
    const after = await patched(tender, { tenderPeriod: { endDate } });
    assert.deepEqual(after.tenderPeriod, { ...tenderPeriod, endDate });
  });

  it("ignores read-only fields", async () => {
    const tender = await made({ lots: [{ id: LOT, title: "Лот", value: { amount: 9 }, minimalStep: { amount: 1 } }] });
    const { data } = tender.response.body;
    const after = await patched(tender, {
      ...{ status: "tendering", mode: "test", procurementMethodType: "other", lots: [], owner: "me", id: LOT },
      ...{ procuringEntity: { kind: "defense" }, procurementMethod: "limited", dateModified: formatTime(0) },
      ...{
        enquiryPeriod: { startDate: formatTime(0) },
        bids: [],
        numberOfBids: 7,
        next_check: formatTime(0),
        tenderID: "UA-1",
      },
    });
    assert.deepEqual(after, data);
  });

  it("is validated as a whole: the result must be a valid tender", async () => {
    const tender = await made({ items: [{ ...fullTender().items[0], id: "1" }] });
    const related = { ...feature, featureOf: "item", relatedItem: "1" };
    expectStatus(200, await patch(tender, { features: [related] }));
    const refused = expectStatus(422, await patch(tender, { items: [{ id: "2" }], value: { amount: 1 } }));
    assert.deepEqual(errorsOf(refused).sort(), [
      "body/features.0.relatedItem: relatedItem should be one of items",
      "body/minimalStep: value should be less than value of tender",
    ]);
    const unknown = expectStatus(422, await patch(tender, { items: [{ colour: "red" }], planet: 1 }));
    assert.deepEqual(errorsOf(unknown), ["body/items.0.colour: Rogue field", "body/planet: Rogue field"]);
  });

  it("may send back everything that was read, which changes nothing", async () => {
    const tender = await made({ features: [feature], guarantee: { amount: 1.5 } });
    world.clock.forward(MINUTE);
    for (const version of ["2.3", "0", "0.2", "0.1"]) {
      const versionApi = world.api(version);
      const read = (await versionApi.get(tender.path)).body;
      const back = expectStatus(200, await versionApi.patch(tender.path, read.data, { token: tender.token }));
      assert.deepEqual(back.body, read, version);
    }
    assert.deepEqual((await api.get(tender.path)).body.data, tender.response.body.data);
  });
});

describe("PATCH of a belowThreshold tender after enquiries", async () => {
  const world = await sharedWorld();
  const api = world.api("2.3");
  const FIELDS = { title: "Інше", value: { amount: 1 }, minimalStep: { amount: 0 }, items: [{ quantity: 9 }] };

  const unmoved = async ({ path, token }: PublishedTender) => {
    const before = (await api.get(path)).body;
    assert.deepEqual(expectStatus(200, await api.patch(path, FIELDS, { token })).body, before);
    const refused = await api.patch(path, { items: [] }, { token });
    assert.deepEqual(errorsOf(expectStatus(422, refused)), ["body/items: Please provide at least 1 item."]);
    return before.data.status;
  };

  for (const [bids, status] of [
    [-1, "tendering"],
    [2, "active.auction"],
    [1, "active.qualification"],
  ] as const)
    it(`changes nothing in ${status}, but is still validated`, async () => {
      const tender = await publishForBids(world);
      for (let i = 0; i < bids; i++) expectStatus(201, await api.post(`${tender.path}/bids`, bidOf(400000)));
      if (bids > 0) world.clock.forward(7 * DAY);
      assert.equal(await unmoved(tender), status);
    });

  it("can always cancel the tender before its end, and not after it", async () => {
    const cancelled = async ({ path, token }: PublishedTender): Promise<TestResponse> => {
      const { data } = expectStatus(200, await api.patch(path, { status: "cancelled" }, { token })).body;
      assert.equal(data.status, "cancelled");
      assert.equal(data.date, data.dateModified);
      return api.patch(path, { status: "cancelled" }, { token });
    };
    const text = "body/data: Can't update tender in current (cancelled) status";
    const early = await publish(api, fullTender(world.clock.now));
    assert.deepEqual(errorsOf(expectStatus(403, await cancelled(early))), [text]);
    const tendering = await publishForBids(world);
    assert.deepEqual(errorsOf(expectStatus(403, await cancelled(tendering))), [text]);
    const failed = await publishForBids(world);
    world.clock.forward(7 * DAY);
    const refused = await api.patch(failed.path, { status: "cancelled" }, { token: failed.token });
    const late = "body/data: Can't update tender in current (unsuccessful) status";
    assert.deepEqual(errorsOf(expectStatus(403, refused)), [late]);
    const wrong = await api.patch(failed.path, { items: [] }, { token: failed.token });
    expectStatus(422, wrong);
  });

  it("cannot set any other status", async () => {
    const { path, token } = await publishForBids(world);
    for (const status of [
      "draft",
      "active.enquiries",
      "active.auction",
      "active.qualification",
      "complete",
      "unsuccessful",
    ]) {
      const response = expectStatus(200, await api.patch(path, { status }, { token }));
      assert.equal(response.body.data.status, "tendering", status);
    }
    const refused = expectStatus(422, await api.patch(path, { status: "finished" }, { token }));
    assert.match(
      errorsOf(refused)[0]!,
      /^body\/status: Value must be one of \['draft', 'active.enquiries', 'tendering'/,
    );
  });
});

describe("a draft", async () => {
  const world = await sharedWorld();
  const api = world.api("2.3");
  const draft = () => publish(api, { ...fullTender(world.clock.now), status: "draft" });
  const listed = async () => {
    const { data } = (await api.get("/tenders?mode=_all_&limit=1000")).body;
    return data.map(({ id }: { id: string }) => id);
  };

  it("can be read by anyone who knows its id, but is on no list", async () => {
    const { id, path, response } = await draft();
    assert.equal(response.body.data.status, "draft");
    assert.ok(!("next_check" in response.body.data));
    assert.deepEqual((await api.get(path, { key: null })).body.data, response.body.data);
    for (const mode of ["", "test", "_all_"])
      for (const descending of ["", "1"]) {
        const { text } = await api.get(`/tenders?mode=${mode}&descending=${descending}&opt_fields=title`);
        assert.ok(!text.includes(id));
      }
    assert.ok(!(await (await fetch(world.url)).text()).includes(id));
  });

  it("cannot be edited or asked about, but accepts documents", async () => {
    const { path, token } = await draft();
    const text = "body/data: Can't update tender in current (draft) status";
    for (const sent of [{ title: "Інше" }, {}, { status: "draft" }, { status: "tendering" }, { status: "complete" }])
      assert.deepEqual(errorsOf(expectStatus(403, await api.patch(path, sent, { token }))), [text]);
    const author = fullTender().procuringEntity;
    const question = await api.post(`${path}/questions`, { title: "?", description: "?", author });
    assert.deepEqual(errorsOf(expectStatus(403, question)), ["body/data: Can add question only in enquiryPeriod"]);
    expectStatus(201, await api.upload(`${path}/documents`, { name: "a.txt", content: "a" }, { token }));
    expectStatus(403, await api.post(`${path}/bids`, bidOf(1)));
  });

  it("is published by its status alone, and other fields are ignored", async () => {
    const { id, path, token, response } = await draft();
    world.clock.forward(MINUTE);
    const sent = { status: "active.enquiries", title: "Інше" };
    const { data } = expectStatus(200, await api.patch(path, sent, { token })).body;
    const { date, dateModified, next_check } = data;
    assert.equal(date, dateModified);
    assert.notEqual(date, response.body.data.date);
    const moved = { status: "active.enquiries", date, dateModified, next_check };
    assert.deepEqual(data, { ...response.body.data, ...moved });
    assert.equal(next_check, data.tenderPeriod.startDate);
    assert.ok((await listed()).includes(id));
  });

  it("is not affected by deadlines, and can be cancelled", async () => {
    const { path, token } = await draft();
    world.clock.forward(30 * DAY);
    assert.equal((await api.get(path)).body.data.status, "draft");
    const { data } = expectStatus(200, await api.patch(path, { status: "cancelled" }, { token })).body;
    assert.equal(data.status, "cancelled");
  });
});
