import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { bidOf, DAY, formatTime, fullTender, publish, publishForBids, school } from "../support/examples.ts";
import { errorsOf, expectStatus, START, sharedWorld } from "../support/world.ts";

const [meals] = fullTender().items;
const itemOf = (more: object = {}) => ({ ...meals, ...more });
const classified = (id: string, more: object = {}) =>
  itemOf({ classification: { id, description: "Послуги" }, additionalClassifications: undefined, ...more });
const featureOf = (code: string, values: readonly number[], more: object = {}) => ({
  code,
  title: code,
  enum: values.map((value) => ({ value, title: `${value}` })),
  ...more,
});
const LOT_A = "a".repeat(32);
const LOT_B = "b".repeat(32);
const lotOf = (id: string, amount: number, more: object = {}) => ({
  id,
  title: "Лот",
  value: { amount },
  minimalStep: { amount: amount / 100 },
  ...more,
});

describe("a belowThreshold tender is accepted when", async () => {
  const world = await sharedWorld();
  const api = world.api("2.3");
  const entity = (more: object) => ({ procuringEntity: { ...school, ...more } });

  const TAKEN: readonly (readonly [sentence: string, sent: object])[] = [
    // This case comes first, because every commit moves the time while the clock stands still.
    ["enquiries end this very moment", { enquiryPeriod: { endDate: formatTime(START) } }],
    ["the step equals the value", { minimalStep: { amount: 500000 } }],
    [
      "a step of zero is in another currency",
      { minimalStep: { amount: 0, currency: "USD", valueAddedTaxIncluded: false } },
    ],
    [
      "the tender period begins the moment enquiries end",
      { tenderPeriod: { startDate: formatTime(START + 7 * DAY), endDate: formatTime(START + 7 * DAY) } },
    ],
    ["items share the first four digits", { items: [classified("55523100-3"), classified("55521000-8")] }],
    ["medicines share the first three digits", { items: [classified("33610000-9"), classified("33690000-3")] }],
    [
      "what no code describes is classified by a special scheme",
      {
        items: [
          classified("99999999-9", { additionalClassifications: [{ scheme: "ДК003", id: "1", description: "-" }] }),
        ],
      },
    ],
    ["features weigh exactly 30 percent", { features: [featureOf("a", [0.1]), featureOf("b", [0.2, 0])] }],
    [
      "features of different lots would weigh too much together",
      {
        lots: [lotOf(LOT_A, 100), lotOf(LOT_B, 100)],
        features: [LOT_A, LOT_B].map((lot) => featureOf(lot, [0.3], { featureOf: "lot", relatedItem: lot })),
      },
    ],
    ["no item names a lot although there are some", { lots: [lotOf(LOT_A, 100)] }],
    ["every member of the contact point is left out", entity({ contactPoint: {} })],
    ["the contact point has neither telephone nor email", entity({ contactPoint: { name: "Олена" } })],
    ["a unit has no code", { items: [itemOf({ unit: { name: "item" } })] }],
    ["the identifier is of a scheme nobody listed", entity({ identifier: { scheme: "XX-ANY", id: "1" } })],
    ["the identifier is a number", entity({ identifier: { scheme: "UA-EDR", id: 0 } })],
    [
      "the primary classification is of scheme CPV",
      { items: [itemOf({ classification: { scheme: "CPV", id: "55523100-3", description: "-" } })] },
    ],
    ["the code has the form but is on no list", { items: [classified("12345678-9")] }],
    ["the title is empty", { title: "" }],
    ["numbers are sent as text", { value: { amount: "500000.00" }, numberOfBidders: "3", hasEnquiries: "true" }],
  ];
  for (const [sentence, sent] of TAKEN)
    it(sentence, async () => {
      expectStatus(201, await api.post("/tenders", { ...fullTender(), ...sent }));
    });
});

describe("a field of a belowThreshold tender is refused when", async () => {
  const world = await sharedWorld();
  const api = world.api("2.3");
  const entity = (more: object) => ({ procuringEntity: { ...school, ...more } });

  const WRONG: readonly (readonly [sentence: string, sent: object, wrong: string])[] = [
    [
      "text stands for an object",
      { value: "x" },
      "value: Please use a mapping for this field or Value instance instead of unicode.",
    ],
    [
      "a list stands for an object",
      { procuringEntity: [] },
      "procuringEntity: Please use a mapping for this field or ProcuringEntity instance instead of list.",
    ],
    ["a fraction is sent as text", { title: 1.5 }, "title: Couldn't interpret '1.5' as string."],
    ["a mode is not test", { mode: "real" }, "mode: Value must be one of ['test']."],
    [
      "a kind is unknown",
      entity({ kind: "secret" }),
      "procuringEntity.kind: Value must be one of ['general', 'special', 'defense', 'other'].",
    ],
    [
      "an amount is below zero",
      { value: { amount: -1 }, minimalStep: { amount: 0 } },
      "value.amount: Float value should be greater than 0.",
    ],
    [
      "a currency is too short",
      { value: { amount: 500000, currency: "UA" }, minimalStep: { amount: 0 } },
      "value.currency: String value is too short.",
    ],
    [
      "a currency is too long",
      { value: { amount: 500000, currency: "UAHS" }, minimalStep: { amount: 0 } },
      "value.currency: String value is too long.",
    ],
    [
      "VAT is neither true nor false",
      { value: { amount: 500000, valueAddedTaxIncluded: "perhaps" } },
      "value.valueAddedTaxIncluded: Must be either true or false.",
    ],
    ["a number of bidders is no whole number", { numberOfBidders: "few" }, "numberOfBidders: Value 'few' is not int."],
    [
      "an address of the web is none",
      entity({ contactPoint: { url: "nowhere" } }),
      "procuringEntity.contactPoint.url: Not a well formed URL.",
    ],
    [
      "an email address is none",
      entity({ contactPoint: { email: "nobody" } }),
      "procuringEntity.contactPoint.email: Not a well formed email address.",
    ],
    [
      "an identifier's scheme is empty",
      entity({ identifier: { scheme: "", id: "1" } }),
      "procuringEntity.identifier.scheme: String value is too short.",
    ],
    ["a lot's id is too short", { lots: [lotOf("abc", 100)] }, "lots.0.id: Hash value is wrong length."],
    [
      "a lot's id is not hexadecimal",
      { lots: [lotOf("z".repeat(32), 100)] },
      "lots.0.id: Hash value is not hexadecimal.",
    ],
    [
      "a lot's title is empty",
      { lots: [lotOf(LOT_A, 100, { title: "" })] },
      "lots.0.title: String value is too short.",
    ],
    [
      "a guarantee speaks of VAT",
      { guarantee: { amount: 1, valueAddedTaxIncluded: true } },
      "guarantee.valueAddedTaxIncluded: Rogue field",
    ],
  ];
  for (const [sentence, sent, wrong] of WRONG)
    it(sentence, async () => {
      const response = expectStatus(422, await api.post("/tenders", { ...fullTender(), ...sent }));
      assert.deepEqual(errorsOf(response), [`body/${wrong}`]);
    });

  for (const id of ["5552310-3", "55523100", "55523100-33", "food"])
    it(`a code is given as ${id}`, async () => {
      const response = await api.post("/tenders", { ...fullTender(), items: [classified(id)] });
      assert.deepEqual(expectStatus(422, response).body.errors[0].name, "items.0.classification.id");
    });

  it("an object is sent instead of a list", async () => {
    const response = await api.post("/tenders", { ...fullTender(), items: { 0: meals } });
    assert.equal(expectStatus(422, response).body.errors[0].name, "items");
  });

  it("the primary classification uses another scheme", async () => {
    const other = itemOf({ classification: { scheme: "ДКПП", id: "55523100-3", description: "-" } });
    const response = await api.post("/tenders", { ...fullTender(), items: [other] });
    assert.match(
      errorsOf(expectStatus(422, response))[0]!,
      /^body\/items\.0\.classification\.scheme: Value must be one of/,
    );
  });

  it("the procedure type is unknown", async () => {
    const response = await api.post("/tenders", { ...fullTender(), procurementMethodType: "aboveThreshold" });
    assert.equal(expectStatus(415, response).body.errors[0].name, "procurementMethodType");
  });
});

describe("a new belowThreshold tender", async () => {
  const world = await sharedWorld();
  const api = world.api("2.3");
  const created = async (more: object = {}) =>
    (await publish(api, { ...fullTender(world.clock.now), ...more })).response.body.data;

  it("gets defaults for omitted fields", async () => {
    const tender = await created({
      value: { amount: 500000 },
      minimalStep: { amount: 5000 },
      items: [classified("55523100-3", { quantity: 2.5 })],
      features: [{ title: "Якість", enum: [{ title: "-", value: 0.1 }] }],
    });
    assert.deepEqual(tender.value, { amount: 500000, currency: "UAH", valueAddedTaxIncluded: true });
    assert.deepEqual(tender.minimalStep, { amount: 5000, currency: "UAH", valueAddedTaxIncluded: true });
    assert.equal(tender.procuringEntity.kind, "general");
    assert.match(tender.items[0].id, /^[0-9a-f]{32}$/);
    assert.equal(tender.items[0].classification.scheme, "ДК021");
    assert.equal(tender.items[0].quantity, 2.5);
    assert.match(tender.features[0].code, /^[0-9a-f]{32}$/);
    assert.equal(tender.features[0].featureOf, "tenderer");
    assert.equal(tender.tenderPeriod.startDate, tender.enquiryPeriod.endDate);
    assert.equal(tender.enquiryPeriod.startDate, tender.date);
    assert.equal(tender.date, tender.dateModified);
  });

  it("contains exactly the documented fields", async () => {
    const names = `awardCriteria date dateModified enquiryPeriod id items minimalStep next_check owner procurementMethod
      procurementMethodType procuringEntity status submissionMethod tenderID tenderPeriod title value`;
    assert.deepEqual(Object.keys(await created()).sort(), names.split(/\s+/));
  });

  it("ignores fields that only the service sets", async () => {
    const tender = await created({
      ...{
        id: LOT_A,
        tenderID: "UA-1",
        owner: "me",
        date: formatTime(0),
        dateModified: formatTime(0),
        next_check: formatTime(0),
      },
      ...{ numberOfBids: 9, bids: [{}], questions: [{}], documents: [{}], awards: [{}], awardPeriod: {} },
      ...{ procurementMethod: "limited", awardCriteria: "bestProposal", submissionMethod: "written" },
      ...{
        status: "complete",
        enquiryPeriod: { startDate: formatTime(0), endDate: formatTime(world.clock.now + 7 * DAY) },
      },
    });
    assert.notEqual(tender.id, LOT_A);
    assert.equal(tender.owner, "broker");
    assert.equal(tender.status, "active.enquiries");
    assert.equal(tender.enquiryPeriod.startDate, tender.date);
    assert.equal(tender.procurementMethod, "open");
    assert.equal(tender.awardCriteria, "lowestCost");
    assert.equal(tender.submissionMethod, "electronicAuction");
    for (const name of ["bids", "numberOfBids", "questions", "documents", "awards"]) assert.ok(!(name in tender), name);
  });

  it("derives its amounts from its lots: the sum of values, the smallest step, the sum of guarantees", async () => {
    const tender = await created({
      value: { amount: 1, currency: "USD", valueAddedTaxIncluded: false },
      minimalStep: { amount: 1, currency: "USD", valueAddedTaxIncluded: false },
      lots: [
        lotOf(LOT_A, 100.1, { guarantee: { amount: 0.1, currency: "EUR" }, status: "complete" }),
        lotOf(LOT_B, 200.2, { guarantee: { amount: 0.2, currency: "EUR" }, id: undefined }),
      ],
    });
    const inMoney = (amount: number) => ({ amount, currency: "USD", valueAddedTaxIncluded: false });
    assert.deepEqual(tender.value, inMoney(300.3));
    assert.deepEqual(tender.minimalStep, inMoney(1.001));
    assert.deepEqual(tender.guarantee, { amount: 0.3, currency: "EUR" });
    assert.deepEqual(tender.lots[0].value, inMoney(100.1), "a lot is in the tender's money");
    assert.equal(tender.lots[0].id, LOT_A);
    assert.match(tender.lots[1].id, /^[0-9a-f]{32}$/);
    assert.deepEqual(
      tender.lots.map(({ status, date }: { status: string; date: string }) => [status, date]),
      [
        ["active", tender.date],
        ["active", tender.date],
      ],
    );
  });

  it("accepts its own JSON when it is posted again", async () => {
    const first = await created({ features: [featureOf("a", [0.1])], lots: [lotOf(LOT_A, 500000)] });
    const second = await created(first);
    assert.notEqual(second.id, first.id);
    assert.deepEqual(second.items, first.items);
    assert.deepEqual(second.lots[0].value, first.lots[0].value);
  });
});

describe("when the tender period of a belowThreshold tender ends", async () => {
  const world = await sharedWorld();
  const api = world.api("2.3");

  for (const [bids, status] of [
    [0, "unsuccessful"],
    [1, "active.qualification"],
    [2, "active.auction"],
  ] as const)
    it(`a tender with ${bids} bids becomes ${status}`, async () => {
      const { path } = await publishForBids(world);
      for (let i = 0; i < bids; i++) expectStatus(201, await api.post(`${path}/bids`, bidOf(400000)));
      expectStatus(201, await api.post(`${path}/bids`, bidOf(300000, { status: "draft" })));
      world.clock.forward(7 * DAY);
      const { data } = (await api.get(path)).body;
      assert.equal(data.status, status);
      assert.equal(data.date, data.dateModified);
    });

  it("lots are closed separately: a lot without bids is unsuccessful, two bids on one lot lead to an auction", async () => {
    const lots = [lotOf(LOT_A, 100), lotOf(LOT_B, 100)];
    const { path } = await publishForBids(world, { lots, items: [itemOf({ relatedLot: LOT_A })] });
    const bid = bidOf(0, { value: undefined, lotValues: [{ relatedLot: LOT_A, value: { amount: 90 } }] });
    for (let i = 0; i < 2; i++) expectStatus(201, await api.post(`${path}/bids`, bid));
    world.clock.forward(7 * DAY);
    const { data } = (await api.get(path)).body;
    assert.equal(data.status, "active.auction");
    assert.deepEqual(
      data.lots.map(({ status }: { status: string }) => status),
      ["active", "unsuccessful"],
    );
    assert.equal(data.lots[1].date, data.date);
  });

  it("one bid on each lot leads to no auction", async () => {
    const { path } = await publishForBids(world, { lots: [lotOf(LOT_A, 100), lotOf(LOT_B, 100)] });
    for (const lot of [LOT_A, LOT_B]) {
      const bid = bidOf(0, { value: undefined, lotValues: [{ relatedLot: lot, value: { amount: 90 } }] });
      expectStatus(201, await api.post(`${path}/bids`, bid));
    }
    world.clock.forward(7 * DAY);
    assert.equal((await api.get(path)).body.data.status, "active.qualification");
  });

  it("a tender whose lots have no bids becomes unsuccessful", async () => {
    const { path } = await publishForBids(world, { lots: [lotOf(LOT_A, 100)] });
    world.clock.forward(7 * DAY);
    assert.equal((await api.get(path)).body.data.status, "unsuccessful");
  });
});
