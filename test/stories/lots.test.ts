import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { fullTender } from "../support/examples.ts";
import {
  ACTIVE,
  ENDED,
  FORBIDDEN,
  LOT_A,
  LOT_B,
  lotOf,
  outcomeOf,
  reachStage,
  type StagedTender,
  twoLots,
} from "../support/stages.ts";
import { expectStatus, sharedWorld, type TestResponse } from "../support/world.ts";

const item = fullTender().items[0]!;

describe("a lot", async () => {
  const world = await sharedWorld();
  const api = world.api("2.5");

  it("is added, shown to everyone, changed and removed during enquiries", async () => {
    const { path, token } = await reachStage(world, "active.enquiries");
    const { id: _chosen, ...lot } = lotOf("", 300);
    const response = expectStatus(201, await api.post(`${path}/lots`, lot, { token }));
    const { data } = response.body;
    const at = `${path}/lots/${data.id}`;
    assert.match(data.id, /^[0-9a-f]{32}$/);
    assert.equal(response.headers.get("location"), `${api.root}${at}`);
    assert.deepEqual([data.status, !!data.date], ["active", true]);
    const changed = expectStatus(200, await api.patch(at, { title: "Інший", value: { amount: 400 } }, { token }));
    assert.equal(changed.body.data.title, "Інший");
    const read = (await api.get(at, { key: null })).body.data;
    assert.deepEqual((await api.get(`${path}/lots`, { key: null })).body.data, [read]);
    assert.equal(read.value.amount, 400);
    assert.equal(expectStatus(200, await api.delete(at, { token })).body.data.id, data.id);
    assert.equal(outcomeOf(await api.get(at)), "404 url/lot_id: Not Found");
    assert.deepEqual((await api.get(`${path}/lots`)).body.data, []);
  });

  it("may have an id chosen by the client", async () => {
    const { path, token } = await reachStage(world, "active.enquiries");
    const { data } = expectStatus(201, await api.post(`${path}/lots`, lotOf(LOT_A, 300), { token })).body;
    assert.equal(data.id, LOT_A);
    await api.patch(`${path}/lots/${LOT_A}`, { id: LOT_B }, { token });
    expectStatus(200, await api.get(`${path}/lots/${LOT_A}`));
  });

  it("cannot be cancelled or planned by its owner through a PATCH", async () => {
    const { path, token } = await reachStage(world, "active.enquiries", { more: twoLots() });
    const sent = {
      status: "cancelled",
      auctionPeriod: { startDate: "2030-01-01T00:00:00+02:00" },
      auctionUrl: "http://x.y/",
    };
    const { data } = expectStatus(200, await api.patch(`${path}/lots/${LOT_A}`, sent, { token })).body;
    assert.deepEqual([data.status, data.auctionPeriod, data.auctionUrl], ["active", undefined, undefined]);
    const lots = [{ title: "Інший" }, {}];
    const tender = expectStatus(200, await api.patch(path, { lots }, { token })).body.data;
    assert.deepEqual(
      tender.lots.map(({ title }: { title: string }) => title),
      ["Лот", "Лот"],
    );
  });

  for (const status of ["draft", ...ACTIVE.slice(1), ...ENDED] as const)
    it(`cannot be added, changed or removed in ${status}`, async () => {
      const options =
        status === "unsuccessful" || status === "draft" || status === "cancelled" ? { more: twoLots() } : {};
      const { path, token } = await reachStage(world, status, options);
      const keepsBids = (doing: string) => `403 body/data: Can't ${doing} lot in current (${status}) tender status`;
      assert.equal(outcomeOf(await api.post(`${path}/lots`, lotOf("c".repeat(32), 300), { token })), keepsBids("add"));
      if (!options.more) return;
      assert.equal(
        outcomeOf(await api.patch(`${path}/lots/${LOT_A}`, { title: "Інший" }, { token })),
        keepsBids("update"),
      );
      assert.equal(outcomeOf(await api.delete(`${path}/lots/${LOT_A}`, { token })), keepsBids("delete"));
    });

  it("can be changed only by the owner", async () => {
    const { path, token } = await reachStage(world, "active.enquiries", { more: twoLots() });
    for (const sent of [{}, { key: "broker1", token }, { key: "auction" }, { key: "reviewer" }, { key: "bot" }]) {
      assert.equal(outcomeOf(await api.post(`${path}/lots`, lotOf("c".repeat(32), 300), sent)), FORBIDDEN);
      assert.equal(outcomeOf(await api.patch(`${path}/lots/${LOT_A}`, { title: "Інший" }, sent)), FORBIDDEN);
      assert.equal(outcomeOf(await api.delete(`${path}/lots/${LOT_A}`, sent)), FORBIDDEN);
    }
    expectStatus(200, await api.patch(`${path}/lots/${LOT_A}`, { title: "Інший" }, { key: "token" }));
  });
});

const REQUIRED = '["This field is required."]';

describe("a change of a lot is refused", async () => {
  const world = await sharedWorld();
  const api = world.api("2.5");
  const { path, token } = await reachStage(world, "active.enquiries", { more: twoLots() });
  const C = "c".repeat(32);

  const WRONG: readonly (readonly [sentence: string, sent: object, ...expected: string[]])[] = [
    [
      "without title, value and step",
      {},
      `body/minimalStep: ${REQUIRED}`,
      `body/value: ${REQUIRED}`,
      `body/title: ${REQUIRED}`,
    ],
    [
      "with a step above its value",
      lotOf(C, 100, { minimalStep: { amount: 101 } }),
      'body/minimalStep: ["value should be less than value of lot"]',
    ],
    ["with an id that is taken", lotOf(LOT_A, 100), 'body/lots: ["Lot id should be uniq for all lots"]'],
    ["with an id of a wrong length", lotOf("abc", 100), 'body/id: ["Hash value is wrong length."]'],
    ["with an id that is no number", lotOf("z".repeat(32), 100), 'body/id: ["Hash value is not hexadecimal."]'],
    ["with an empty title", lotOf(C, 100, { title: "" }), 'body/title: ["String value is too short."]'],
    ["with a field nobody knows", lotOf(C, 100, { price: 1 }), "body/price: Rogue field"],
  ];
  for (const [sentence, sent, ...expected] of WRONG)
    it(sentence, async () => {
      const response = await api.post(`${path}/lots`, sent, { token });
      const entries = outcomeOf(response)
        .replace(/^422 /, "")
        .split(/ (?=body\/)/);
      assert.deepEqual(entries.toSorted(), expected.toSorted());
    });

  it("if its step exceeds its value", async () => {
    const expected = '422 body/minimalStep: ["value should be less than value of lot"]';
    assert.equal(outcomeOf(await api.patch(`${path}/lots/${LOT_A}`, { value: { amount: 1 } }, { token })), expected);
  });

  it("if it is removed while an item refers to it", async () => {
    const expected = '422 body/items: [{"relatedLot":["relatedLot should be one of lots"]}]';
    assert.equal(outcomeOf(await api.delete(`${path}/lots/${LOT_A}`, { token })), expected);
  });

  it("if it is removed while a feature refers to it", async () => {
    const feature = { code: "f", featureOf: "lot", relatedItem: LOT_A, title: "-", enum: [{ value: 0.1, title: "-" }] };
    const more = { lots: [lotOf(LOT_A, 300)], features: [feature] };
    const other = await reachStage(world, "active.enquiries", { more });
    const expected = '422 body/features: [{"relatedItem":["relatedItem should be one of lots"]}]';
    assert.equal(outcomeOf(await api.delete(`${other.path}/lots/${LOT_A}`, { token: other.token })), expected);
  });

  it("if an item refers to an unknown lot", async () => {
    const sent = { items: [{ ...item, relatedLot: C }, {}] };
    const response = await api.patch(path, sent, { token });
    assert.match(outcomeOf(response), /^422 body\/items: .*relatedLot should be one of lots/);
  });

  it("if guarantees are in different currencies", async () => {
    const lots = [
      lotOf(LOT_A, 300, { guarantee: { amount: 1, currency: "USD" } }),
      lotOf(LOT_B, 300, { guarantee: { amount: 1, currency: "EUR" } }),
    ];
    const expected = '422 body/lots: ["lot guarantee currency should be identical to tender guarantee currency"]';
    assert.equal(outcomeOf(await api.post("/tenders", { ...fullTender(world.clock.now), lots })), expected);
  });

  it("if its guarantee is in another currency than the other lots', and the tender has none of its own", async () => {
    const lots = [lotOf(LOT_A, 300, { guarantee: { amount: 1, currency: "USD" } })];
    const other = await reachStage(world, "active.enquiries", { more: { lots } });
    const sent = lotOf(LOT_B, 300, { guarantee: { amount: 1, currency: "EUR" } });
    const expected = '422 body/lots: ["lot guarantee currency should be identical to tender guarantee currency"]';
    assert.equal(outcomeOf(await api.post(`${other.path}/lots`, sent, { token: other.token })), expected);
  });
});

describe("a lot whose guarantee has no currency", async () => {
  const world = await sharedWorld();
  const api = world.api("2.5");
  const DIFFERS = '422 body/lots: ["lot guarantee currency should be identical to tender guarantee currency"]';
  const inDollars = { guarantee: { amount: 1, currency: "USD" } };
  const inNothing = { guarantee: { amount: 1 } };

  it("counts as UAH when lots are compared, whatever the currency of the tender's guarantee", async () => {
    const lots = [lotOf(LOT_A, 300, inDollars), lotOf(LOT_B, 300, inNothing)];
    for (const guarantee of [undefined, { amount: 1, currency: "USD" }])
      assert.equal(outcomeOf(await api.post("/tenders", { ...fullTender(world.clock.now), lots, guarantee })), DIFFERS);
    const flat = await world.api("2.3").post("/tenders", { ...fullTender(world.clock.now), lots });
    assert.equal(expectStatus(422, flat).body.errors.length, 1);
  });

  it("cannot join lots in another currency, but can join lots in UAH", async () => {
    const dollars = await reachStage(world, "active.enquiries", { more: { lots: [lotOf(LOT_A, 300, inDollars)] } });
    const sent = lotOf(LOT_B, 300, inNothing);
    assert.equal(outcomeOf(await api.post(`${dollars.path}/lots`, sent, { token: dollars.token })), DIFFERS);
    const hryvnias = await reachStage(world, "active.enquiries", { more: { lots: [lotOf(LOT_A, 300, inNothing)] } });
    const { data } = expectStatus(201, await api.post(`${hryvnias.path}/lots`, sent, { token: hryvnias.token })).body;
    assert.deepEqual(data.guarantee, { amount: 1, currency: "UAH" });
  });
});

describe("a step above the value of the only lot", async () => {
  const world = await sharedWorld();
  const api = world.api("2.5");
  const dear = lotOf(LOT_A, 100, { minimalStep: { amount: 101 } });
  const text = "value should be less than value of lot";

  it("is reported once, with its lot, when the tender is published", async () => {
    const sent = { ...fullTender(world.clock.now), lots: [dear] };
    assert.equal(outcomeOf(await api.post("/tenders", sent)), `422 body/lots: [{"minimalStep":["${text}"]}]`);
    assert.equal(outcomeOf(await world.api("2.3").post("/tenders", sent)), `422 body/lots.0.minimalStep: ${text}`);
  });

  it("is reported once when the lot is added or changed", async () => {
    const { path, token } = await reachStage(world, "active.enquiries");
    assert.equal(outcomeOf(await api.post(`${path}/lots`, dear, { token })), `422 body/minimalStep: ["${text}"]`);
    expectStatus(201, await api.post(`${path}/lots`, lotOf(LOT_A, 100), { token }));
    const sent = { minimalStep: { amount: 101 } };
    assert.equal(
      outcomeOf(await api.patch(`${path}/lots/${LOT_A}`, sent, { token })),
      `422 body/minimalStep: ["${text}"]`,
    );
  });
});

describe("the amounts of a tender with lots", async () => {
  const world = await sharedWorld();
  const api = world.api("2.5");
  const amounts = async ({ path }: StagedTender) => {
    const { value, minimalStep, guarantee } = (await api.get(path)).body.data;
    return [value.amount, minimalStep.amount, guarantee?.amount];
  };
  const add = ({ path, token }: StagedTender, lot: object): Promise<TestResponse> =>
    api.post(`${path}/lots`, lot, { token });

  it("are exactly the sum of values, the smallest step, and the sum of guarantees", async () => {
    const tender = await reachStage(world, "active.enquiries");
    const guarantee = (amount: number) => ({ guarantee: { amount, currency: "USD" } });
    expectStatus(201, await add(tender, lotOf(LOT_A, 0.1, { minimalStep: { amount: 0.03 }, ...guarantee(0.1) })));
    expectStatus(201, await add(tender, lotOf(LOT_B, 0.2, { minimalStep: { amount: 0.02 }, ...guarantee(0.2) })));
    assert.deepEqual(await amounts(tender), [0.3, 0.02, 0.3]);
    assert.equal((await api.get(tender.path)).body.data.guarantee.currency, "USD");
    const { path, token } = tender;
    expectStatus(200, await api.patch(`${path}/lots/${LOT_A}`, { value: { amount: 5 } }, { token }));
    assert.deepEqual(await amounts(tender), [5.2, 0.02, 0.3]);
    expectStatus(200, await api.patch(path, { value: { amount: 77 } }, { token }));
    assert.deepEqual((await amounts(tender))[0], 5.2, "whatever the owner writes over it");
    for (const lot of [LOT_B, LOT_A]) expectStatus(200, await api.delete(`${path}/lots/${lot}`, { token }));
    assert.deepEqual((await amounts(tender)).slice(0, 2), [5, 0.03], "and stay when the last lot is gone");
  });

  it("need no step of the tender's own: it is the smallest of the lots', in the currency of the value", async () => {
    const value = { amount: 500, currency: "EUR", valueAddedTaxIncluded: false };
    const { minimalStep: _left, ...rest } = { ...fullTender(world.clock.now), value };
    const { data } = expectStatus(201, await api.post("/tenders", { ...rest, ...twoLots() })).body;
    assert.deepEqual(data.minimalStep, { ...value, amount: 2000 });
    assert.equal(outcomeOf(await api.post("/tenders", rest)), `422 body/minimalStep: ${REQUIRED}`);
    const { minimalStep: _none, ...stepless } = lotOf(LOT_A, 100);
    const expected = `422 body/lots: [{"minimalStep":${REQUIRED}}]`;
    assert.equal(outcomeOf(await api.post("/tenders", { ...rest, lots: [stepless] })), expected);
  });

  it("determine the currency and VAT of the lots", async () => {
    const value = { amount: 500, currency: "EUR", valueAddedTaxIncluded: false };
    const more = { value, minimalStep: { ...value, amount: 5 }, guarantee: { amount: 1, currency: "GBP" } };
    const tender = await reachStage(world, "active.enquiries", { more });
    const other = { amount: 300, currency: "USD", valueAddedTaxIncluded: true };
    const sent = lotOf(LOT_A, 300, { value: other, guarantee: { amount: 2, currency: "USD" } });
    const { data } = expectStatus(201, await add(tender, sent)).body;
    const { currency, valueAddedTaxIncluded } = data.value;
    assert.deepEqual([currency, valueAddedTaxIncluded, data.minimalStep.currency], ["EUR", false, "EUR"]);
    assert.equal(data.guarantee.currency, "GBP");
  });
});
