import assert from "node:assert/strict";
import { once } from "node:events";
import { get } from "node:http";
import { text } from "node:stream/consumers";
import { describe, it } from "node:test";
import { bidOf, cook, DAY, formatTime, fullTender, plainTender, publish } from "../support/examples.ts";
import {
  type AnyJson,
  bidsOf,
  claimOf,
  microsecondsOf,
  passStandStill,
  reachAwarded,
  reachEnquiries,
  reachQualification,
  reachTendering,
  reachTenderingEnd,
  signContract,
  UNKNOWN_ID,
} from "../support/procedure.ts";
import { errorsOf, expectStatus, openWorld, START, sharedWorld, type TestResponse } from "../support/world.ts";

/** The rule of a refusal, its documentation link, and the time when the request would be allowed. */

const ruleIn = ({ body }: TestResponse): string => body.errors.map(({ rule }: AnyJson) => rule).join(" ");
const window = ({ body }: TestResponse): unknown => {
  const [{ allowedFrom, allowedUntil }] = body.errors;
  return { ...(allowedFrom && { allowedFrom }), ...(allowedUntil && { allowedUntil }) };
};

type Case = readonly [name: string, status: number, rule: string, ask: () => Promise<TestResponse>];

async function assertRules(url: string, cases: readonly Case[]): Promise<void> {
  for (const [name, status, rule, ask] of cases) {
    const response = expectStatus(status, await ask());
    assert.equal(ruleIn(response), rule, name);
    for (const entry of response.body.errors) {
      assert.equal(entry.docs, `${url}/docs/errors#${entry.rule}`, name);
      assert.equal("allowedFrom" in entry || "allowedUntil" in entry, false, name);
    }
  }
}

describe("the rule of an error", async () => {
  const world = await sharedWorld();
  const api = world.api("2.5");
  const plain = { "Content-Type": "text/plain" };
  const json = { "Content-Type": "application/json" };
  const post = (raw: string, headers = json) => api.request("POST", "/tenders", { raw, headers });

  it("identifies what is wrong with a request", async () => {
    const { path, token } = await publish(api, fullTender(world.clock.now));
    await assertRules(world.url, [
      ["path", 404, "unknown-path", () => api.get("/nothing")],
      ["path beside the API", 404, "unknown-path", () => api.get(`${world.url}/nothing`)],
      ["version", 404, "unknown-version", () => api.get(`${world.url}/api/9.9/tenders`)],
      ["tender", 404, "not-found", () => api.get(`/tenders/${UNKNOWN_ID}`)],
      ["award", 404, "not-found", () => api.get(`${path}/awards/${UNKNOWN_ID}`)],
      ["method", 405, "method-not-allowed", () => api.delete(path, { token })],
      ["method of a page", 405, "method-not-allowed", () => api.delete(`${world.url}/health`)],
      ["type", 415, "content-type", () => post("{}", plain)],
      ["no JSON", 422, "not-json", () => post("{")],
      ["no data", 422, "no-data", () => post("{}")],
      ["a key twice", 422, "duplicate-key", () => post('{"data":{"a":1,"a":2}}')],
      ["no key", 401, "key-needed", () => api.post("/tenders", {}, { key: null })],
      ["callback", 400, "bad-callback", () => api.get("/tenders?opt_jsonp=1")],
      ["offset", 404, "bad-offset", () => api.get("/tenders?offset=x")],
      [
        "form",
        422,
        "form-malformed",
        () =>
          api.request("POST", `${path}/documents`, {
            token,
            raw: "x",
            headers: { "Content-Type": "multipart/form-data" },
          }),
      ],
      ["somebody else's", 403, "forbidden", () => api.patch(path, { title: "x" }, { key: "broker2" })],
      ["procedure", 415, "unknown-procedure", () => api.post("/tenders", { procurementMethodType: "other" })],
    ]);
  });

  it("identifies what is wrong with each field of a tender under 2.3", async () => {
    const value = { amount: 500000, currency: "UAH", valueAddedTaxIncluded: true };
    const old = world.api("2.3");
    const send = (more: object) => () => old.post("/tenders", { ...fullTender(world.clock.now), ...more });
    const [item] = fullTender().items;
    const other = { ...item!.classification, id: "44617100-9" };
    await assertRules(world.url, [
      ["missing", 422, "field-required", send({ title: null })],
      ["unknown", 422, "unknown-field", send({ colour: "red" })],
      ["no object", 422, "wrong-type", send({ procuringEntity: "school" })],
      ["no number", 422, "wrong-type", send({ value: { ...value, amount: "much" } })],
      ["negative", 422, "amount-negative", send({ guarantee: { amount: -1 } })],
      ["currency", 422, "currency-differs", send({ minimalStep: { ...value, amount: 1, currency: "USD" } })],
      ["VAT", 422, "vat-differs", send({ minimalStep: { ...value, amount: 1, valueAddedTaxIncluded: false } })],
      ["step", 422, "step-exceeds-value", send({ minimalStep: { ...value, amount: 500001 } })],
      ["date", 422, "bad-date", send({ enquiryPeriod: { endDate: "soon" } })],
      [
        "order",
        422,
        "period-order",
        send({ tenderPeriod: { startDate: formatTime(START + 20 * DAY), endDate: formatTime(START + 19 * DAY) } }),
      ],
      [
        "overlap",
        422,
        "periods-overlap",
        send({ tenderPeriod: { startDate: formatTime(START + DAY), endDate: formatTime(START + 20 * DAY) } }),
      ],
      ["no items", 422, "too-few-items", send({ items: [] })],
      ["code", 422, "classification-code", send({ items: [{ ...item, classification: { ...other, id: "1" } }] })],
      ["classes", 422, "items-of-one-class", send({ items: [item, { ...item, classification: other }] })],
      ["lot", 422, "unknown-reference", send({ items: [{ ...item, relatedLot: UNKNOWN_ID }] })],
      [
        "address",
        422,
        "url-format",
        send({ items: [{ ...item, classification: { ...item!.classification, uri: "x" } }] }),
      ],
    ]);
    const both = await old.post("/tenders", { ...fullTender(world.clock.now), title: null, colour: "red" });
    assert.deepEqual(ruleIn(expectStatus(422, both)).split(" ").toSorted(), ["field-required", "unknown-field"]);
  });

  it("is the rule of the first problem if 2.5 reports several in one entry", async () => {
    const sent = { ...fullTender(world.clock.now), procuringEntity: { contactPoint: { email: "nobody" } } };
    const response = expectStatus(422, await api.post("/tenders", sent));
    assert.equal(response.body.errors.length, 1);
    assert.equal(response.body.errors[0].name, "procuringEntity");
    assert.equal(ruleIn(response), "field-required");
  });

  it("identifies what is wrong with a bid", async () => {
    const story = await reachTendering(world);
    const value = { amount: 500000 };
    const send = (bid: object) => () => api.post(`${story.path}/bids`, bid);
    await assertRules(world.url, [
      ["too high", 422, "bid-exceeds-value", send(bidOf(500001))],
      ["currency", 422, "currency-differs", send({ tenderers: [cook], value: { ...value, currency: "USD" } })],
      ["two", 422, "too-many-items", send({ tenderers: [cook, cook], value })],
      ["nobody", 422, "field-required", send({ value })],
    ]);
    const { path, token } = await story.placeBid(bidOf(1));
    const back = await api.patch(path, { status: "draft" }, { token });
    assert.deepEqual(
      [ruleIn(expectStatus(403, back)), errorsOf(back)],
      ["bid-status", ["body/bid: Can't update bid to (draft) status"]],
    );
    assert.equal(ruleIn(expectStatus(403, await api.get(`${story.path}/bids`))), "sealed-bids");
  });

  it("is present under every version, with an unchanged description", async () => {
    for (const version of ["0.1", "0.2", "0", "2.3", "2.5"]) {
      const response = expectStatus(404, await world.api(version).get(`/tenders/${UNKNOWN_ID}`));
      const docs = `${world.url}/docs/errors#not-found`;
      const entry = { location: "url", name: "tender_id", description: "Not Found", rule: "not-found", docs };
      assert.deepEqual(response.body, { status: "error", errors: [entry] });
    }
  });
});

describe("the link of an error", () => {
  /** Sends a Host header of its own, which `fetch` does not allow. */
  async function linkFor(url: string, host: string): Promise<string> {
    const asking = get(`${url}/nothing`, { headers: { Host: host }, agent: false });
    const [response] = await once(asking, "response");
    return JSON.parse(await text(response)).errors[0].docs;
  }

  it("uses the requested host, unless that is not a valid host", async (t) => {
    const world = await openWorld();
    t.after(world.stop);
    assert.equal(await linkFor(world.url, "city.example:81"), "http://city.example:81/docs/errors#unknown-path");
    assert.equal(await linkFor(world.url, 'x"><script>'), `${world.url}/docs/errors#unknown-path`);
  });

  it("uses PUBLIC_URL if it is set", async (t) => {
    const world = await openWorld({ PUBLIC_URL: "https://city.example", RATE_LIMIT_PER_MINUTE: "1" });
    t.after(world.stop);
    assert.equal(await linkFor(world.url, "other.example"), "https://city.example/docs/errors#unknown-path");
    const tooMany = expectStatus(429, await world.api("2.5").get("/tenders"));
    assert.equal(tooMany.body.errors[0].docs, "https://city.example/docs/errors#too-many-requests");
  });
});

describe("the times in a refusal", async () => {
  const world = await sharedWorld();
  const api = world.api("2.5");
  const question = { title: "Чому?", author: cook };

  it("say when bidding is allowed, both before and after the tender period", async () => {
    const { path, fetchTender: seen } = await reachEnquiries(world);
    const { enquiryPeriod, tenderPeriod } = await seen();
    const open = { allowedFrom: enquiryPeriod.endDate, allowedUntil: tenderPeriod.endDate };
    const early = expectStatus(403, await api.post(`${path}/bids`, bidOf(1)));
    assert.deepEqual([ruleIn(early), window(early)], ["wrong-status", open]);
    assert.deepEqual(errorsOf(early), ["body/data: Can't add bid in current (active.enquiries) tender status"]);
    world.clock.forward(7 * DAY);
    const { data, access } = expectStatus(201, await api.post(`${path}/bids`, bidOf(1))).body;
    world.clock.forward(7 * DAY);
    const late = expectStatus(403, await api.post(`${path}/bids`, bidOf(1)));
    assert.deepEqual([ruleIn(late), window(late)], ["wrong-status", open]);
    for (const ask of [
      () => api.patch(`${path}/bids/${data.id}`, { value: { amount: 2 } }, { token: access.token }),
      () => api.delete(`${path}/bids/${data.id}`, { token: access.token }),
    ])
      assert.deepEqual(window(expectStatus(403, await ask())), open);
  });

  it("say when questions were allowed", async () => {
    const { path, fetchTender: seen } = await reachTendering(world);
    const { enquiryPeriod } = await seen();
    const late = expectStatus(403, await api.post(`${path}/questions`, question));
    assert.equal(ruleIn(late), "outside-enquiry-period");
    assert.deepEqual(window(late), { allowedFrom: enquiryPeriod.startDate, allowedUntil: enquiryPeriod.endDate });
  });

  it("say when questions were allowed, even if bidding starts later than enquiries end", async () => {
    const { now } = world.clock;
    const gap = { startDate: formatTime(now + 9 * DAY), endDate: formatTime(now + 14 * DAY) };
    const { path, fetchTender: seen } = await reachEnquiries(world, { tenderPeriod: gap });
    world.clock.forward(8 * DAY);
    const { enquiryPeriod, status } = await seen();
    assert.equal(status, "active.enquiries");
    const late = expectStatus(403, await api.post(`${path}/questions`, question));
    assert.deepEqual(window(late), { allowedFrom: enquiryPeriod.startDate, allowedUntil: enquiryPeriod.endDate });
    const early = expectStatus(403, await api.post(`${path}/bids`, bidOf(1)));
    assert.deepEqual(window(early), { allowedFrom: gap.startDate, allowedUntil: gap.endDate });
  });

  it("say when complaints about the tender and changes to its lots and documents were allowed", async () => {
    const story = await reachTenderingEnd(world, bidsOf(1, 2));
    const { enquiryPeriod, tenderPeriod } = await story.fetchTender();
    const complained = expectStatus(403, await api.post(`${story.path}/complaints`, claimOf()));
    assert.deepEqual(window(complained), { allowedFrom: enquiryPeriod.startDate, allowedUntil: tenderPeriod.endDate });
    const enquiries = { allowedFrom: enquiryPeriod.startDate, allowedUntil: enquiryPeriod.endDate };
    const lot = await story.asOwner("POST", "/lots", {
      title: "Лот",
      value: { amount: 1 },
      minimalStep: { amount: 1 },
    });
    assert.deepEqual(window(expectStatus(403, lot)), enquiries);
    const file = { name: "a.txt", content: "a" };
    const uploaded = await api.upload(`${story.path}/documents`, file, { token: story.token });
    assert.deepEqual(window(expectStatus(403, uploaded)), enquiries);
  });

  it("say when the auction starts at the earliest, and when it ended", async () => {
    const story = await reachTendering(world, bidsOf(1, 2));
    const { tenderPeriod } = await story.fetchTender();
    const early = expectStatus(403, await story.as("auction", "POST", "/auction", {}));
    assert.deepEqual(window(early), { allowedFrom: tenderPeriod.endDate });
    assert.deepEqual(window(expectStatus(403, await story.as("auction", "GET", "/auction"))), window(early));
    const later = await reachQualification(world, bidsOf(1, 2));
    const { tenderPeriod: bidding, awardPeriod } = await later.fetchTender();
    const late = expectStatus(403, await later.as("auction", "POST", "/auction", {}));
    assert.deepEqual(window(late), { allowedFrom: bidding.endDate, allowedUntil: awardPeriod.startDate });
  });

  it("say when a contract may be signed and an award contested", async () => {
    const story = await reachAwarded(world, bidsOf(1, 2));
    const { awards, contracts } = await story.fetchTender();
    const { startDate, endDate } = awards.at(-1).complaintPeriod;
    const early = expectStatus(403, await signContract(story));
    assert.deepEqual([ruleIn(early), window(early)], ["stand-still", { allowedFrom: endDate }]);
    const dated = { status: "active", dateSigned: startDate };
    const wrong = expectStatus(422, await story.asOwner("PATCH", `/contracts/${contracts[0].id}`, dated));
    const afterIt = formatTime(microsecondsOf(endDate) + 1);
    assert.deepEqual([ruleIn(wrong), window(wrong)], ["signed-in-stand-still", { allowedFrom: afterIt }]);
    await passStandStill(story);
    world.clock.forward(1);
    const { token } = story.bidders[0]!;
    const late = await api.post(`${story.path}/awards/${awards.at(-1).id}/complaints`, claimOf(), { token });
    assert.equal(ruleIn(expectStatus(403, late)), "outside-complaint-period");
    assert.deepEqual(window(late), { allowedFrom: startDate, allowedUntil: endDate });
    expectStatus(200, await signContract(story));
    const { date } = await story.fetchTender();
    const over = expectStatus(403, await signContract(story));
    assert.equal(window(over) && over.body.errors[0].allowedUntil, date);
  });

  it("are absent if the action will never be allowed, in a cancelled tender or a draft", async () => {
    const story = await reachEnquiries(world);
    expectStatus(200, await story.asOwner("PATCH", "", { status: "cancelled" }));
    const refused = expectStatus(403, await api.post(`${story.path}/bids`, bidOf(1)));
    assert.deepEqual([ruleIn(refused), window(refused)], ["wrong-status", {}]);
    const { enquiryPeriod, date } = await story.fetchTender();
    const refusedQuestion = expectStatus(403, await api.post(`${story.path}/questions`, question));
    assert.deepEqual(window(refusedQuestion), { allowedFrom: enquiryPeriod.startDate, allowedUntil: date });
    const draft = await reachEnquiries(world, { status: "draft" });
    assert.deepEqual(window(expectStatus(403, await api.post(`${draft.path}/questions`, question))), {});
  });

  it("are in the form and time zone of every version", async () => {
    for (const version of ["0.1", "0.2", "0", "2.3"]) {
      const old = world.api(version);
      const sent = plainTender(world.clock.now);
      const { value: _total, ...periods } = sent;
      const { path } = await publish(old, periods);
      const response = expectStatus(403, await old.post(`${path}/bids`, { tenderers: [cook] }));
      assert.deepEqual(window(response), {
        allowedFrom: sent.tenderPeriod.startDate,
        allowedUntil: sent.tenderPeriod.endDate,
      });
    }
  });

  it("say when a link to a file expired", async () => {
    const form = new FormData();
    form.append("file", new Blob(["a"]), "a.txt");
    const { get_url } = expectStatus(200, await api.request("POST", `${world.url}/upload`, { raw: form })).body;
    expectStatus(200, await api.get(get_url));
    world.clock.forward(DAY);
    const late = expectStatus(403, await api.get(get_url));
    const expires = Number(new URL(get_url).searchParams.get("Expires")) * 1_000_000;
    assert.deepEqual([ruleIn(late), window(late)], ["link-expired", { allowedUntil: formatTime(expires) }]);
  });

  it("reveal nothing about a sealed bid to other brokers", async () => {
    for (const reach of [reachTendering, reachTenderingEnd]) {
      const story = await reach(world, bidsOf(1, 2));
      for (const [method, data] of [["PATCH", { value: { amount: 2 } }], ["DELETE"]] as const) {
        const [there, nowhere] = [story.bidders[0]!.id, UNKNOWN_ID].map((id) =>
          story.as("broker2", method, `/bids/${id}`, data),
        );
        const response = expectStatus(403, await there!);
        assert.deepEqual([ruleIn(response), window(response)], ["forbidden", {}]);
        assert.equal(response.text, (await nowhere!).text);
      }
    }
  });
});

describe("the rule of a refusal", async () => {
  const world = await sharedWorld();
  const api = world.api("2.5");

  it("identifies who lacks permission and which fields are read-only", async () => {
    const story = await reachAwarded(world, bidsOf(1, 2));
    const { awards, contracts } = await story.fetchTender();
    const contract = `/contracts/${contracts[0].id}`;
    const award = `/awards/${awards.at(-1).id}`;
    const value = { ...contracts[0].value, amount: 600000 };
    const { token } = story.bidders[0]!;
    const filed = await api.post(`${story.path}${award}/complaints`, claimOf({ status: "claim" }), { token });
    const complaint = `${award}/complaints/${expectStatus(201, filed).body.data.id}`;
    const answer = { status: "answered", resolutionType: "resolved", resolution: "Ми все перевірили ще раз." };
    await assertRules(world.url, [
      ["role", 403, "wrong-role", () => story.as("administrator", "PATCH", contract, {})],
      ["dearer", 403, "contract-exceeds-award", () => story.asOwner("PATCH", contract, { value })],
      [
        "money",
        403,
        "contract-value",
        () => story.asOwner("PATCH", contract, { value: { ...value, currency: "USD" } }),
      ],
      ["back", 403, "contract-move", () => story.asOwner("PATCH", contract, { status: "cancelled" })],
      ["award", 403, "wrong-status", () => story.asOwner("PATCH", award, { status: "pending" })],
      ["move", 403, "complaint-move", () => story.asOwner("PATCH", complaint, { status: "resolved" })],
      ["level", 403, "accreditation-level", () => story.as("broker1", "POST", "/questions", {})],
    ]);
    expectStatus(200, await story.asOwner("PATCH", complaint, answer));
    await passStandStill(story);
    await assertRules(world.url, [["disputed", 403, "complaints-open", () => signContract(story)]]);
  });
});
