import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import { systemClock } from "../../src/app/systemClock.ts";
import type { Instant } from "../../src/domain/values/time.ts";
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
import { waitUntil } from "../support/processes.ts";
import { type Api, errorsOf, expectStatus, openWorld, sharedWorld, type World } from "../support/world.ts";

const WEEK = 7 * DAY;
const question = { title: "?", description: "?", author: cook };

describe("a deadline is exact for writers:", async () => {
  const world = await sharedWorld();
  const api = world.api("2.3");

  for (const [type, make, start, end] of [
    ["belowThreshold", fullTender, WEEK, 2 * WEEK],
    ["no type", plainTender, DAY, 2 * DAY],
  ] as const)
    it(`a bid is accepted from the start of the tender period until a microsecond before its end (${type})`, async () => {
      const made = world.clock.now;
      const { path } = await publish(api, make(made));
      const bidAt = (at: number) => {
        world.clock.now = at;
        return api.post(`${path}/bids`, bidOf(1));
      };
      const early = ["body/data: Can't add bid in current (active.enquiries) tender status"];
      assert.deepEqual(errorsOf(expectStatus(403, await bidAt(made + start - 1))), early);
      expectStatus(201, await bidAt(made + start));
      expectStatus(201, await bidAt(made + end - 1));
      const late = errorsOf(expectStatus(403, await bidAt(made + end)));
      assert.match(
        late[0]!,
        /^body\/data: Can't add bid in current \(active\.(auction|qualification)\) tender status$/,
      );
    });

  it("a bid is changed, documented and withdrawn before the deadline, and not at it", async () => {
    const { path } = await publishForBids(world);
    expectStatus(201, await api.post(`${path}/bids`, bidOf(11)));
    const { data, access } = expectStatus(201, await api.post(`${path}/bids`, bidOf(10))).body;
    const bid = `${path}/bids/${data.id}`;
    const { token } = access;
    const file = { name: "a.txt", content: "a" };
    world.clock.forward(WEEK - 10);
    expectStatus(200, await api.patch(bid, { value: { amount: 9 } }, { token }));
    expectStatus(201, await api.upload(`${bid}/documents`, file, { token }));
    world.clock.forward(10);
    const cannot = (doing: string) => [`body/data: Can't ${doing} in current (active.auction) tender status`];
    assert.deepEqual(errorsOf(await api.patch(bid, { value: { amount: 8 } }, { token })), cannot("update bid"));
    assert.deepEqual(errorsOf(await api.upload(`${bid}/documents`, file, { token })), cannot("add document"));
    assert.deepEqual(errorsOf(await api.delete(bid, { token })), cannot("delete bid"));
  });

  it("a question may be asked at the end of enquiries, and not a microsecond later", async () => {
    const made = world.clock.now;
    const tenderPeriod = { startDate: formatTime(made + WEEK + DAY), endDate: formatTime(made + 2 * WEEK) };
    const { path } = await publish(api, { ...fullTender(made), tenderPeriod });
    world.clock.now = made + WEEK;
    expectStatus(201, await api.post(`${path}/questions`, question));
    world.clock.forward(1);
    const late = expectStatus(403, await api.post(`${path}/questions`, question));
    assert.deepEqual(errorsOf(late), ["body/data: Can add question only in enquiryPeriod"]);
    assert.equal((await api.get(path)).body.data.status, "active.enquiries", "until the tender period begins");
  });

  it("the owner edits and answers until the tender period starts", async () => {
    const { path, token } = await publish(api, fullTender(world.clock.now));
    const created = expectStatus(201, await api.post(`${path}/questions`, question)).body.data;
    world.clock.forward(WEEK);
    const { data } = expectStatus(200, await api.patch(path, { title: "Інше" }, { token })).body;
    assert.deepEqual([data.status, data.title], ["tendering", fullTender().title]);
    const response = await api.patch(`${path}/questions/${created.id}`, { answer: "!" }, { token });
    const late = ["body/data: Can't update question in current (tendering) tender status"];
    assert.deepEqual(errorsOf(expectStatus(403, response)), late);
  });

  it("a PATCH that moves a start into the past returns the state after it", async () => {
    const { path, token, response } = await publish(api, fullTender(world.clock.now));
    const { startDate } = response.body.data.enquiryPeriod;
    world.clock.forward(DAY);
    const sent = {
      enquiryPeriod: { endDate: startDate },
      tenderPeriod: { startDate: formatTime(world.clock.now - MINUTE) },
    };
    const { data } = expectStatus(200, await api.patch(path, sent, { token })).body;
    assert.equal(data.status, "tendering");
    assert.deepEqual((await api.get(path)).body.data, data);
  });
});

/** A tender with a question and a single bid with a document, a microsecond before its tender period ends. */
async function aboutToClose(world: World) {
  const api = world.api("2.3");
  const tender = await publish(api, fullTender(world.clock.now));
  expectStatus(201, await api.post(`${tender.path}/questions`, question));
  world.clock.forward(WEEK);
  const { data, access } = expectStatus(201, await api.post(`${tender.path}/bids`, bidOf(1))).body;
  const documents = `${tender.path}/bids/${data.id}/documents`;
  expectStatus(201, await api.upload(documents, { name: "a.txt", content: "a" }, { token: access.token }));
  world.clock.forward(WEEK - 100);
  return { ...tender, bid: data.id as string };
}

describe("a deadline is exact for the first reader", async () => {
  const world = await sharedWorld();
  const api = world.api("2.3");

  for (const version of ["2.3", "0", "0.2", "0.1"])
    it(`of the tender under ${version}`, async () => {
      const { path } = await aboutToClose(world);
      assert.equal((await world.api(version).get(path)).body.data.status, "tendering");
      world.clock.forward(100);
      assert.equal((await world.api(version).get(path)).body.data.status, "active.qualification");
    });

  for (const read of ["/questions", "/bids", "/auction", "/bids/{bid}", "/bids/{bid}/documents"])
    it(`of its ${read}`, async () => {
      const { path, bid } = await aboutToClose(world);
      const at = `${path}${read.replace("{bid}", bid)}`;
      const sealed = await api.get(at, { key: null });
      world.clock.forward(100);
      const open = expectStatus(200, await api.get(at, { key: null }));
      assert.notEqual(open.text, sealed.text);
      if (read === "/questions") assert.deepEqual(open.body.data[0].author, cook);
      else assert.ok(open.text.includes(read === "/auction" ? `"amount":1.0` : bid), open.text);
    });

  for (const query of ["?opt_fields=status&descending=1", "?opt_fields=status,bids&descending=1&limit=3"])
    it(`of the feed with ${query}`, async () => {
      const { id } = await aboutToClose(world);
      world.clock.forward(100);
      const [first] = (await api.get(`/tenders${query}`)).body.data;
      assert.deepEqual([first.id, first.status], [id, "active.qualification"]);
      assert.equal(first.dateModified, formatTime(world.clock.now));
    });

  it("of a feed that was followed to its end before", async () => {
    const { id } = await aboutToClose(world);
    const { next_page } = (await api.get("/tenders?limit=1000")).body;
    world.clock.forward(99);
    assert.deepEqual((await api.get(next_page.uri)).body.data, []);
    world.clock.forward(1);
    const { data } = (await api.get(next_page.uri)).body;
    assert.deepEqual(data, [{ id, dateModified: formatTime(world.clock.now) }]);
  });

  it("of the first page", async () => {
    const { path } = await aboutToClose(world);
    const page = async () => (await fetch(world.url)).text();
    const before = await page();
    world.clock.forward(100);
    const after = await page();
    assert.notEqual(after, before);
    assert.equal((await api.get(path)).body.data.status, "active.qualification");
    assert.equal(await page(), after);
  });
});

describe("a server that was down for a month", async () => {
  const world = await sharedWorld();
  const api = world.api("2.3");

  it("starts with every tender in its current status, in the tender and in the feed", async () => {
    const made = world.clock.now;
    const expected = new Map<string, string>();
    const add = async (status: string, data: object) => {
      const tender = await publish(api, data);
      expected.set(tender.id, status);
      return tender;
    };
    await add("unsuccessful", fullTender(made));
    await add("active.qualification", plainTender(made));
    await add("tendering", { ...fullTender(made), tenderPeriod: { endDate: formatTime(made + 90 * DAY) } });
    await add("active.enquiries", {});
    const { path } = await add("active.auction", fullTender(made));
    const draft = await publish(api, { ...fullTender(made), status: "draft" });
    world.clock.forward(WEEK);
    for (const amount of [1, 2]) expectStatus(201, await api.post(`${path}/bids`, bidOf(amount)));
    world.clock.forward(30 * DAY);
    const down = world.clock.now;
    await world.restart();
    const { data } = (await api.get("/tenders?opt_fields=status,date")).body;
    const status = new Map(data.map((entry: { id: string; status: string }) => [entry.id, entry.status]));
    assert.deepEqual(status, new Map(data.map(({ id }: { id: string }) => [id, expected.get(id)])));
    assert.equal(data.length, expected.size);
    for (const entry of data)
      if (!["active.enquiries", "tendering"].includes(entry.status)) {
        assert.equal(entry.date, entry.dateModified);
        assert.ok(entry.dateModified >= formatTime(down) && entry.dateModified < formatTime(down + 1000));
      }
    for (const id of expected.keys())
      assert.equal((await api.get(`/tenders/${id}`)).body.data.status, expected.get(id));
    assert.equal((await api.get(draft.path)).body.data.status, "draft");
  });
});

/** Publishes a tender with deadlines soon after. Tries later ones if the machine is too slow to publish before them. */
async function publishWithDeadlinesSoon(
  api: Api,
  soon = 500_000,
): Promise<{ id: string; start: Instant; end: Instant }> {
  const now = systemClock();
  const [start, end] = [now + soon, now + 2 * soon];
  const periods = { enquiryPeriod: { endDate: formatTime(start) }, tenderPeriod: { endDate: formatTime(end) } };
  const response = await api.post("/tenders", { ...fullTender(now), ...periods });
  // The test has to read the tender before the first deadline, too.
  if (response.status !== 201 || systemClock() > start - soon / 2) return publishWithDeadlinesSoon(api, 2 * soon);
  return { id: response.body.data.id, start, end };
}

describe("with a running clock", () => {
  it("a deadline is stored and appears in the feed without any request", async (t: TestContext) => {
    const world = await openWorld({}, true);
    t.after(world.stop);
    const api = world.api("2.3");
    const { id, start, end } = await publishWithDeadlinesSoon(api);
    const stored = async () =>
      (await world.database.query("select status, date_modified as at from tenders where id = $1", id))[0];
    for (const [status, moment] of [
      ["active.tendering", start],
      ["unsuccessful", end],
    ] as const) {
      await waitUntil(
        async () => (await stored())?.status === status,
        () => `${status} to be stored`,
      );
      const late = Number((await stored())?.at) - moment;
      assert.ok(late >= 0);
      t.diagnostic(`${status} was stored ${late / 1000} ms after its moment`);
    }
    const [first] = (await api.get("/tenders?descending=1&limit=1&opt_fields=status")).body.data;
    assert.deepEqual(
      [first.id, first.status, first.dateModified],
      [id, "unsuccessful", formatTime(Number((await stored())?.at))],
    );
  });
});
