import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  bidOf,
  cook,
  DAY,
  formatTime,
  fullTender,
  MINUTE,
  plainTender,
  publish,
  publishForBids,
} from "../support/examples.ts";
import { errorsOf, expectStatus, START, sharedWorld } from "../support/world.ts";

describe("next_check", async () => {
  const world = await sharedWorld();
  const api = world.api("2.3");
  const nextOf = async (path: string) => (await api.get(path)).body.data.next_check;

  it("is the start of the tender period, then its end, then absent", async () => {
    const { path, response } = await publish(api, fullTender(world.clock.now));
    const { tenderPeriod, next_check } = response.body.data;
    assert.equal(next_check, tenderPeriod.startDate);
    world.clock.forward(7 * DAY);
    assert.equal(await nextOf(path), tenderPeriod.endDate);
    const [entry] = (await api.get("/tenders?opt_fields=next_check&descending=1")).body.data;
    assert.equal(entry.next_check, tenderPeriod.endDate);
    world.clock.forward(7 * DAY);
    assert.equal(await nextOf(path), undefined);
  });

  it("is the end of enquiries if no start is given, and absent if no deadline follows", async () => {
    const enquiryPeriod = { endDate: formatTime(world.clock.now + DAY) };
    const { path, response } = await publish(api, { enquiryPeriod });
    assert.equal(response.body.data.next_check, enquiryPeriod.endDate);
    world.clock.forward(DAY);
    assert.equal((await api.get(path)).body.data.status, "tendering");
    assert.equal(await nextOf(path), undefined);
    assert.ok(!("next_check" in (await publish(api, {})).response.body.data));
  });

  it("follows a PATCH, and is absent after cancellation", async () => {
    const { path, token } = await publish(api, fullTender(world.clock.now));
    const startDate = formatTime(world.clock.now + 8 * DAY);
    const { data } = expectStatus(200, await api.patch(path, { tenderPeriod: { startDate } }, { token })).body;
    assert.equal(data.next_check, startDate);
    expectStatus(200, await api.patch(path, { status: "cancelled" }, { token }));
    assert.equal(await nextOf(path), undefined);
  });
});

describe("dateModified", async () => {
  const world = await sharedWorld();
  const api = world.api("2.3");

  it("is unique and strictly increasing, even while the clock stands still and many write at once", async () => {
    const made = await Promise.all(Array.from({ length: 20 }, () => publish(api, {})));
    const edits = await Promise.all(made.map(({ path, token }, i) => api.patch(path, { title: `${i}` }, { token })));
    const all = [...made.map(({ response }) => response), ...edits].map(({ body }) => body.data.dateModified);
    assert.equal(new Set(all).size, 40);
    const { data } = (await api.get("/tenders?limit=1000")).body;
    const listed = data.map(({ dateModified }: { dateModified: string }) => dateModified);
    assert.deepEqual(listed, [...listed].sort());
    const last = all.slice(20).sort();
    assert.deepEqual(listed, last);
  });

  it("never decreases, even if the clock goes back and the server restarts", async () => {
    const first = (await publish(api, {})).response.body.data;
    world.clock.forward(-MINUTE);
    const second = (await publish(api, {})).response.body.data;
    assert.ok(second.dateModified > first.dateModified);
    await world.restart();
    const third = (await publish(api, {})).response.body.data;
    assert.ok(third.dateModified > second.dateModified);
    world.clock.forward(2 * MINUTE);
  });

  it("changes with every public change", async () => {
    const { path, token, response } = await publish(api, fullTender(world.clock.now));
    let last = response.body.data.dateModified;
    const moved = async (change: string) => {
      const { dateModified } = (await api.get(path)).body.data;
      assert.ok(dateModified > last, change);
      assert.equal(dateModified, formatTime(world.clock.now), change);
      last = dateModified;
      world.clock.forward(MINUTE);
    };
    world.clock.forward(MINUTE);
    const question = expectStatus(201, await api.post(`${path}/questions`, { title: "?", author: cook })).body.data;
    await moved("a question");
    expectStatus(200, await api.patch(`${path}/questions/${question.id}`, { answer: "!" }, { token }));
    await moved("an answer");
    expectStatus(201, await api.upload(`${path}/documents`, { name: "a.txt", content: "a" }, { token }));
    await moved("a document");
    expectStatus(200, await api.patch(path, { description: "-" }, { token }));
    await moved("an edit");
    world.clock.now = START + 20 * DAY;
    await api.get(path);
    await moved("a deadline");
  });

  it("does not change with a PATCH that changes nothing", async () => {
    const tender = fullTender(world.clock.now);
    const { path, token, response } = await publish(api, tender);
    const { next_page } = (await api.get("/tenders?limit=1000")).body;
    world.clock.forward(MINUTE);
    const utc = new Date(Date.parse(tender.tenderPeriod.endDate)).toISOString();
    const same = utc.replace("Z", `${tender.tenderPeriod.endDate.slice(23, 26)}Z`);
    for (const sent of [
      {},
      tender,
      { value: { amount: "500000.00" }, minimalStep: {} },
      { items: [{}] },
      { items: [{ quantity: 5, unit: { name: "item" } }] },
      { tenderPeriod: { endDate: same } },
      { dateModified: formatTime(0), next_check: null, status: "active.enquiries" },
    ])
      assert.deepEqual(expectStatus(200, await api.patch(path, sent, { token })).body, { data: response.body.data });
    const after = (await api.get(next_page.uri)).body;
    assert.deepEqual([after.data, after.next_page.offset], [[], next_page.offset]);
  });

  it("does not change with an answer, document metadata or an open bid that stays the same", async () => {
    const { path, token } = await publish(api, plainTender(world.clock.now));
    const question = expectStatus(201, await api.post(`${path}/questions`, { title: "?" })).body.data;
    const file = { name: "a.txt", content: "a" };
    const document = expectStatus(201, await api.upload(`${path}/documents`, file, { token })).body.data;
    const answer = () => api.patch(`${path}/questions/${question.id}`, { answer: "!" }, { token });
    const response = expectStatus(200, await answer()).body;
    world.clock.forward(DAY);
    const bid = expectStatus(201, await api.post(`${path}/bids`, bidOf(1))).body;
    const before = (await api.get(path)).body.data;
    assert.equal(before.dateModified, bid.data.date, "an open bid is public");
    world.clock.forward(MINUTE);
    assert.deepEqual(expectStatus(200, await answer()).body, response);
    expectStatus(200, await api.patch(`${path}/documents/${document.id}`, { title: "a.txt" }, { token }));
    const sent = { token: bid.access.token };
    expectStatus(200, await api.patch(`${path}/bids/${bid.data.id}`, { value: { amount: 1 } }, sent));
    assert.deepEqual((await api.get(path)).body.data, before);
  });
});

describe("a time", async () => {
  const world = await sharedWorld();
  const api = world.api("2.3");
  const endOf = (endDate: unknown) => api.post("/tenders", { enquiryPeriod: { endDate } });

  for (const [sent, shown] of [
    ["2026-12-01T12:00:00", "2026-12-01T12:00:00+02:00"],
    ["2027-07-01T12:00:00", "2027-07-01T12:00:00+03:00"],
    ["2026-12-01T10:00:00Z", "2026-12-01T12:00:00+02:00"],
    ["2026-12-01T10:00:00.5+00:00", "2026-12-01T12:00:00.500000+02:00"],
    ["2026-12-01 12:00:00,000001", "2026-12-01T12:00:00.000001+02:00"],
    ["2026-12-01T12:00:00.123456789", "2026-12-01T12:00:00.123456+02:00"],
    ["20261201T120000+0200", "2026-12-01T12:00:00+02:00"],
    ["2026-12-01T12:00+02", "2026-12-01T12:00:00+02:00"],
    ["2026-12-01T12", "2026-12-01T12:00:00+02:00"],
    ["2026-12-01", "2026-12-01T00:00:00+02:00"],
    ["2028-02-29T00:00:00", "2028-02-29T00:00:00+02:00"],
    ["2027-10-31T03:30:00+02:00", "2027-10-31T03:30:00+02:00"],
    ["2027-10-31T03:30:00+03:00", "2027-10-31T03:30:00+03:00"],
  ])
    it(`sent as ${sent} is shown as ${shown}`, async () => {
      const { data } = expectStatus(201, await endOf(sent)).body;
      assert.equal(data.enquiryPeriod.endDate, shown);
    });

  for (const sent of [
    "2027-02-31T12:00:00",
    "2027-02-29T12:00:00",
    "2026-13-01T12:00:00",
    "2026-12-00T12:00:00",
    "2026-12-01T25:00:00",
    "2026-12-01T24:00:00",
    "2026-12-01T12:60:00",
    "2026-12-01T12:00:61",
    "2027-03-28T03:30:00",
    "2026-12-01T12:00:00+99:00",
    "tomorrow",
    "",
    "12:00",
  ])
    it(`sent as "${sent}" is refused, because it does not exist`, async () => {
      const wrong = [`body/enquiryPeriod.endDate: Could not parse ${sent}. Should be ISO8601.`];
      assert.deepEqual(errorsOf(expectStatus(422, await endOf(sent))), wrong);
    });

  for (const sent of [1796119200, true, {}, ["2026-12-01"]])
    it(`is refused if it is sent as ${JSON.stringify(sent)}`, async () => {
      assert.equal(expectStatus(422, await endOf(sent)).body.errors[0].name, "enquiryPeriod.endDate");
    });

  it("set by the service has an offset and six fractional digits or none", async () => {
    const { path } = await publishForBids(world);
    const bid = expectStatus(201, await api.post(`${path}/bids`, bidOf(1))).body.data;
    const { data } = (await api.get(path)).body;
    const shown = [data.date, data.dateModified, data.enquiryPeriod.startDate, data.next_check, bid.date];
    for (const time of shown) assert.match(time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{6})?\+0[23]:00$/);
    world.clock.now = Math.ceil((world.clock.now + 1) / DAY) * DAY;
    const { dateModified } = (await publish(api, {})).response.body.data;
    assert.equal(dateModified, formatTime(world.clock.now));
    assert.match(dateModified, /T\d\d:00:00\+0[23]:00$/, "no digits when they are zero");
  });
});
