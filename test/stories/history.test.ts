import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { bidOf, cook, DAY, fullTender, plainTender, publish } from "../support/examples.ts";
import {
  type AnyJson,
  endTendering,
  finishAuction,
  forwardTo,
  reachTendering,
  UNKNOWN_ID,
} from "../support/procedure.ts";
import { outcomeOf } from "../support/stages.ts";
import { expectStatus, sharedWorld } from "../support/world.ts";

const world = await sharedWorld();
const api = world.api("2.5");
const anonymously = { key: null };
const read = async (path: string) => expectStatus(200, await api.get(path, anonymously));
const historyOf = async (path: string, query = ""): Promise<AnyJson[]> =>
  (await read(`${path}/history${query}`)).body.data;
const actsOf = (versions: AnyJson[]) => versions.map(({ number, act }) => `${number} ${act}`);
const atTime = (path: string, at: string) => `${path}?at=${encodeURIComponent(at)}`;

describe("the history of a tender", () => {
  it("has a version for each public change, with its time, its act and what became different", async () => {
    const { path, token } = await publish(api, fullTender(world.clock.now));
    world.clock.forward(DAY);
    await api.patch(path, { title: "Обіди", value: { amount: 600000.1 } }, { token });
    const asked = await api.post(`${path}/questions`, { title: "Калорійність", description: "Яка?", author: cook });
    const { id } = asked.body.data;
    await api.patch(`${path}/questions/${id}`, { answer: "700 ккал" }, { token });
    const versions = await historyOf(path);
    assert.deepEqual(actsOf(versions), ["1 publish tender", "2 edit tender", "3 ask question", "4 answer question"]);
    assert.equal(versions[0].changes, undefined);
    assert.deepEqual(versions[1].changes, [
      { path: "/title", before: fullTender().title, after: "Обіди" },
      { path: "/value/amount", before: fullTender().value.amount, after: 600000.1 },
    ]);
    assert.deepEqual(
      versions[2].changes.map(({ path: place, after }: AnyJson) => [place, after.title]),
      [[`/questions/${id}`, "Калорійність"]],
    );
    assert.deepEqual(versions[3].changes[0], { path: `/questions/${id}/answer`, after: "700 ккал" });
    assert.equal(versions[3].date, (await read(path)).body.data.dateModified);
    assert.match((await read(`${path}/history`)).text, /"after":600000\.1\b/);
  });

  it("comes in pages, in either order", async () => {
    const { path, token } = await publish(api, fullTender(world.clock.now));
    for (const title of ["a", "b", "c", "d"]) await api.patch(path, { title }, { token });
    const numbersFrom = async (query: string) => {
      const pages: number[][] = [];
      for (let next = `${path}/history?${query}`; ; ) {
        const { data, next_page } = (await read(next)).body;
        if (data.length === 0) return pages;
        pages.push(data.map(({ number }: AnyJson) => number));
        next = next_page.uri;
      }
    };
    assert.deepEqual(await numbersFrom("limit=2"), [[1, 2], [3, 4], [5]]);
    assert.deepEqual(await numbersFrom("limit=2&descending=1"), [[5, 4], [3, 2], [1]]);
    assert.deepEqual(await numbersFrom("offset=3"), [[4, 5]]);
    const [full, last] = [await read(`${path}/history?limit=2`), await read(`${path}/history?limit=2&offset=4`)];
    assert.match(full.headers.get("cache-control")!, /max-age/, "a full page of the first versions never changes");
    assert.equal(last.headers.get("cache-control"), "no-cache");
  });

  it("has shorter pages if the changes are long", async () => {
    const { path, token } = await publish(api, fullTender(world.clock.now));
    for (let i = 0; i < 12; i++)
      expectStatus(200, await api.patch(path, { description: String(i % 10).repeat(60_000) }, { token }));
    const first = await historyOf(path, "?limit=1000");
    assert.ok(first.length > 5 && first.length < 13, String(first.length));
    const all = [...first];
    while (all.length < 13) all.push(...(await historyOf(path, `?limit=1000&offset=${all.length}`)));
    assert.deepEqual(
      all.map(({ number }) => number),
      Array.from({ length: 13 }, (_, i) => i + 1),
    );
  });

  it("shows nothing of sealed bids, not even as a gap, until one version opens all of them", async () => {
    const story = await reachTendering(world, []);
    const texts = async () => [await read(`${story.path}/history`), await read(`${story.path}/history?descending=1`)];
    const before = (await texts()).map(({ text, headers }) => [text, headers.get("etag")]);
    const owned = [];
    for (const amount of [400, 300]) {
      const { body } = expectStatus(201, await api.post(`${story.path}/bids`, bidOf(amount)));
      owned.push({ path: `${story.path}/bids/${body.data.id}`, token: body.access.token, id: body.data.id });
    }
    const [first] = owned;
    expectStatus(200, await api.patch(first!.path, { value: { amount: 350 } }, { token: first!.token }));
    expectStatus(201, await api.upload(`${first!.path}/documents`, { name: "bid.txt", content: "secret" }, first));
    assert.deepEqual(
      (await texts()).map(({ text, headers }) => [text, headers.get("etag")]),
      before,
    );
    await endTendering(story);
    const inAuction = await read(`${story.path}/history`);
    for (const { id } of owned) assert.ok(!inAuction.text.includes(id));
    expectStatus(200, await finishAuction(story));
    const versions = await historyOf(story.path);
    assert.deepEqual(
      versions.map(({ number }) => number),
      versions.map((_, i) => i + 1),
    );
    const opening = versions.filter(({ changes = [] }) =>
      changes.some(({ path }: AnyJson) => path.startsWith("/bids/")),
    );
    assert.equal(opening.length, 1);
    assert.deepEqual(
      opening[0].changes.filter(({ path }: AnyJson) => path.startsWith("/bids/")).map(({ path }: AnyJson) => path),
      owned.map(({ id }) => `/bids/${id}`),
    );
    const earlier = await read(atTime(story.path, versions[1].date));
    assert.equal(earlier.body.data.bids, undefined);
    assert.doesNotMatch(JSON.stringify(versions), /tokenHash|sequence|"broker"/);
  });

  it("begins with the publication: a draft has none", async () => {
    const { path, token } = await publish(api, { ...fullTender(world.clock.now), status: "draft" });
    assert.deepEqual(await historyOf(path), []);
    const { dateModified } = (await read(path)).body.data;
    assert.equal(outcomeOf(await api.get(atTime(path, dateModified))), "404 url/tender_id: Not Found");
    world.clock.forward(1);
    expectStatus(200, await api.patch(path, { status: "active.enquiries" }, { token }));
    assert.deepEqual(actsOf(await historyOf(path)), ["1 publish tender"]);
  });

  it("is in the newest version only, and says what is wrong with a request", async () => {
    const { path } = await publish(api, fullTender(world.clock.now));
    assert.equal(outcomeOf(await world.api("2.3").get(`${path}/history`)), "404 url/path: Not Found");
    assert.equal(outcomeOf(await api.get(`/tenders/${UNKNOWN_ID}/history`)), "404 url/tender_id: Not Found");
    assert.equal(outcomeOf(await api.get(`${path}/history?offset=x`)), "404 params/offset: Offset expired/invalid");
    assert.match(outcomeOf(await api.get(`${path}/history?limit=0`)), /^422 params\/limit: /);
    assert.equal((await read(`${path}/history?ofset=1`)).headers.get("x-ignored-parameters"), "ofset");
  });
});

describe("a tender at a time", () => {
  it("is what everybody saw then, in every version of the API", async () => {
    const plain = await publish(world.api("0.2"), plainTender(world.clock.now));
    const full = await publish(api, fullTender(world.clock.now));
    for (const [versions, { path, token }] of [
      [["0", "0.1", "0.2"], plain] as const,
      [["2.3", "2.5"], full] as const,
    ]) {
      const shown: { version: string; at: string; text: string }[] = [];
      for (const amount of [400_000, 300_000, 200_000]) {
        world.clock.forward(1000);
        expectStatus(200, await world.api(versions[0]!).patch(path, { value: { amount } }, { token }));
        for (const version of versions) {
          const { text, body } = await world.api(version).get(path);
          shown.push({ version, text, at: body.data.dateModified ?? body.data.modified });
        }
      }
      world.clock.forward(1_000_000);
      for (const { version, at, text } of shown)
        assert.equal((await world.api(version).get(atTime(path, at))).text, text, `${version} at ${at}`);
    }
  });

  it("is the version before if nothing has changed yet, and absent before its publication", async () => {
    const { path, token, response } = await publish(api, fullTender(world.clock.now));
    const first = response.body.data.dateModified;
    forwardTo(world, first);
    world.clock.forward(1000);
    await api.patch(path, { title: "Пізніше" }, { token });
    const later = (await read(path)).body.data.dateModified;
    world.clock.forward(DAY);
    const titleAt = async (microseconds: number, from: string) => {
      const at = new Date(Date.parse(from)).toISOString().replace(/\.\d+Z/, "");
      const fraction = Number(/\.(\d{6})/.exec(from)?.[1] ?? 0) + microseconds;
      return api.get(`${path}?at=${at}.${String(fraction).padStart(6, "0")}Z`);
    };
    assert.equal((await titleAt(0, first)).body.data.title, response.body.data.title);
    assert.equal((await titleAt(-1, later)).body.data.title, response.body.data.title);
    assert.equal((await titleAt(0, later)).body.data.title, "Пізніше");
    assert.equal(outcomeOf(await titleAt(-1, first)), "404 url/tender_id: Not Found");
  });

  it("may be cached once nothing can be added before that time", async () => {
    const { path, response } = await publish(api, fullTender(world.clock.now));
    const at = response.body.data.dateModified;
    assert.equal((await read(atTime(path, at))).headers.get("cache-control"), "no-cache");
    world.clock.forward(DAY);
    assert.equal((await read(atTime(path, at))).headers.get("cache-control"), "public, max-age=86400");
  });

  it("is found by a time whose plus was not encoded, which a query reads as a space", async () => {
    const { path, id } = await publish(api, fullTender(world.clock.now));
    const { dateModified } = (await read(path)).body.data;
    assert.match(dateModified, /\+02:00$/);
    for (const version of ["0.2", "2.3", "2.5"])
      expectStatus(200, await world.api(version).get(`${path}?at=${dateModified}`));
    assert.equal((await fetch(`${world.url}/tenders/${id}?at=${dateModified}`)).status, 200);
    for (const at of ["2026-11-16T10:00:00 2:00", "2026-11-16T10:00:00  02:00"])
      assert.match(outcomeOf(await api.get(`${path}?at=${at}`)), /^422 params\/at: Must be a time/, at);
  });

  it("is refused if the time is none or in the future, in every version", async () => {
    const { path } = await publish(world.api("0.2"), plainTender(world.clock.now));
    const future = new Date(world.clock.now / 1000 + 60_000).toISOString();
    for (const version of ["0", "0.1", "0.2", "2.3", "2.5"])
      for (const at of ["", "yesterday", "2026-13-01", "%00", future])
        assert.match(
          outcomeOf(await world.api(version).get(`${path}?at=${at}`)),
          /^422 params\/at: Must /,
          `${version} ${at}`,
        );
  });

  it("of a tender on a test clock is by real time, as its dateModified is", async () => {
    const site = (path: string) => `${world.url}/sandbox${path}`;
    const { body } = await api.post(site("/clocks"), { now: "2029-01-01T00:00:00Z" });
    const clock = { "X-Test-Clock": body.data.id };
    const sent = { ...fullTender(Date.UTC(2029, 0, 1) * 1000) };
    const made = expectStatus(201, await api.post("/tenders", sent, { headers: clock })).body.data;
    world.clock.forward(1_000_000);
    expectStatus(200, await api.post(site(`/clocks/${body.data.id}/advance`), { to: made.tenderPeriod.startDate }));
    const path = `/tenders/${made.id}`;
    const versions = await historyOf(path);
    assert.deepEqual(actsOf(versions), ["1 publish tender", "2 advance"]);
    assert.equal((await read(atTime(path, versions[0].date))).body.data.status, "active.enquiries");
    assert.deepEqual((await read(atTime(path, versions[1].date))).body, (await read(path)).body);
  });
});
