import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { bidOf, cook, DAY, fullTender, plainTender, publish, publishForBids } from "../support/examples.ts";
import { errorsOf, expectStatus, type RequestOptions, sharedWorld, type TestResponse } from "../support/world.ts";

const FORBIDDEN = ["url/permission: Forbidden"];
const basic = (text: string) => `Basic ${Buffer.from(text).toString("base64")}`;
const question = { title: "?", description: "?", author: cook };
const NOBODY = "0".repeat(32);

function expectForbidden(response: TestResponse): void {
  assert.deepEqual(errorsOf(expectStatus(403, response)), FORBIDDEN);
}

describe("a key", async () => {
  const world = await sharedWorld();
  const api = world.api("2.3");
  const publishWith = (authorization: string) =>
    api.post("/tenders", {}, { key: null, headers: { Authorization: authorization } });

  for (const authorization of [
    basic("broker:"),
    basic("broker:any password"),
    basic("broker:with:colons"),
    basic("broker:").replace("Basic", "bAsIc"),
    "Bearer broker",
    "bearer   broker",
  ])
    it(`is accepted from ${authorization}`, async () => {
      const { data } = expectStatus(201, await publishWith(authorization)).body;
      assert.equal(data.owner, "broker");
    });

  for (const authorization of [
    "Basic",
    "Basic !!!",
    basic("broker"),
    basic(":broker"),
    basic("Broker:"),
    basic("nobody:"),
    `Basic broker:`,
    "Bearer",
    "Bearer nobody",
    "Bearer broker more",
    "Digest broker",
    "broker",
    basic(`${"x".repeat(3000)}:`),
  ])
    it(`is not found in ${authorization.slice(0, 40)}, which is a 401 with WWW-Authenticate`, async () => {
      const response = expectStatus(401, await publishWith(authorization));
      assert.match(response.headers.get("www-authenticate")!, /^Basic/);
      const [error, ...more] = response.body.errors;
      assert.deepEqual([error.location, error.name, more.length], ["header", "Authorization", 0]);
      assert.equal(response.body.status, "error");
    });

  it("is not needed for reading, and an invalid one does not prevent it", async () => {
    const { path } = await publish(api, {});
    const sent: readonly Record<string, string>[] = [
      {},
      { Authorization: "Basic !!!" },
      { Authorization: "Bearer nobody" },
    ];
    for (const headers of sent)
      for (const read of [
        "/tenders",
        path,
        `${path}/bids`,
        `${path}/questions`,
        `${path}/documents`,
        `${path}/auction`,
      ])
        expectStatus(200, await api.get(read, { key: null, headers }));
  });

  it("is needed for every write, and is checked before permissions and fields", async () => {
    const { path } = await publish(api, fullTender());
    const none = { key: null };
    expectStatus(401, await api.post("/tenders", { colour: "red" }, none));
    expectStatus(401, await api.patch(path, { colour: "red" }, none));
    expectStatus(401, await api.post(`${path}/questions`, {}, none));
    expectStatus(401, await api.post(`${path}/bids`, {}, none));
    expectStatus(401, await api.patch(`${path}/auction`, {}, none));
    expectStatus(401, await api.upload(`${path}/documents`, { name: "a", content: "a" }, none));
    expectStatus(401, await api.request("POST", "/tenders", { ...none, body: {} }));
  });
});

describe("a group", async () => {
  const world = await sharedWorld();
  const api = world.api("2.3");
  const OTHERS = ["auction", "chronograph", "administrator", "reviewer", "bot", "chrisr", "broker05"];

  it("creates tenders, bids and questions only if it is brokers or admins", async () => {
    const tendering = await publishForBids(world);
    const open = await publish(api, fullTender(world.clock.now));
    for (const key of OTHERS) {
      expectForbidden(await api.post("/tenders", {}, { key }));
      expectForbidden(await api.post(`${tendering.path}/bids`, bidOf(1), { key }));
      expectForbidden(await api.post(`${open.path}/questions`, question, { key }));
      expectForbidden(await api.post(`${open.path}/questions`, {}, { key }));
    }
    expectStatus(201, await api.post(`${open.path}/questions`, question, { key: "broker2" }));
    const admin = expectStatus(201, await api.post("/tenders", {}, { key: "token" })).body.data;
    assert.equal(admin.owner, "test");
    expectStatus(201, await api.post(`${tendering.path}/bids`, bidOf(1), { key: "token" }));
  });

  it("edits a tender without its token only if it is admins", async () => {
    const { path, token } = await publish(api, fullTender(world.clock.now));
    for (const key of ["broker", "broker2", "auction", "reviewer", "bot", "chrisr"])
      expectForbidden(await api.patch(path, { title: "Інше" }, { key }));
    expectForbidden(await api.patch(path, { title: "Інше" }, { key: "auction", token }));
    const { data } = expectStatus(200, await api.patch(path, { title: "Інше" }, { key: "token" })).body;
    assert.equal(data.title, "Інше");
  });

  it("Administrator marks a tender as a test and sets the kind of its buyer, and nothing else", async () => {
    const { path } = await publish(api, fullTender(world.clock.now));
    const sent = { mode: "test", procuringEntity: { kind: "defense" }, value: { amount: 1 } };
    const { data } = expectStatus(200, await api.patch(path, sent, { key: "administrator" })).body;
    assert.equal(data.mode, "test");
    assert.match(data.title, /^\[ТЕСТУВАННЯ\]/);
    assert.equal(data.procuringEntity.kind, "defense");
    assert.equal(data.value.amount, 500000);
  });

  it("chronograph may PATCH a tender, which changes none of its fields", async () => {
    const { path, response } = await publish(api, fullTender(world.clock.now));
    const sent = { title: "Інше" };
    const { data } = expectStatus(200, await api.patch(path, sent, { key: "chronograph" })).body;
    assert.deepEqual(data, response.body.data);
  });

  it("uploads tender documents if it is bots or admins during enquiries, or auction after bidding", async () => {
    const { path, token } = await publish(api, fullTender(world.clock.now));
    const upload = (key: string, more: RequestOptions = {}) =>
      api.upload(`${path}/documents`, { name: "a.txt", content: "a" }, { key, ...more });
    for (const key of ["broker", "broker2", "chronograph", "reviewer", "chrisr"]) expectForbidden(await upload(key));
    for (const [key, author] of [
      ["bot", "bots"],
      ["token", "admins"],
    ] as const)
      assert.equal(expectStatus(201, await upload(key)).body.data.author, author);
    const own = expectStatus(201, await upload("broker", { token })).body.data;
    assert.equal(own.author, "tender_owner");
    const strange = await api.patch(`${path}/documents/${own.id}`, { description: "-" }, { key: "bot" });
    assert.deepEqual(errorsOf(expectStatus(403, strange)), ["url/role: Can update document only author"]);
    const early = ["body/data: Can't add document in current (active.enquiries) tender status"];
    assert.deepEqual(errorsOf(expectStatus(403, await upload("auction"))), early);
    world.clock.forward(7 * DAY);
    for (let i = 0; i < 2; i++) expectStatus(201, await api.post(`${path}/bids`, bidOf(1)));
    const late = ["body/data: Can't add document in current (tendering) tender status"];
    assert.deepEqual(errorsOf(expectStatus(403, await upload("broker", { token }))), late);
    world.clock.forward(7 * DAY);
    expectStatus(201, await upload("auction"));
  });
});

describe("accreditation", async () => {
  const world = await sharedWorld();
  const api = world.api("2.3");
  const expectRefused = (response: TestResponse, name: string, description: string) => {
    const text = `${name}: Broker Accreditation level does not permit ${description} creation`;
    assert.ok(
      errorsOf(expectStatus(403, response)).every((error) => error.endsWith(`/${text}`)),
      response.text,
    );
  };

  it("of level 1 is needed to publish; levels are names, not an order", async () => {
    for (const key of ["broker", "broker1", "token"]) expectStatus(201, await api.post("/tenders", {}, { key }));
    for (const key of ["broker2", "broker3", "broker4", "broker2t"])
      expectRefused(await api.post("/tenders", { colour: "red" }, { key }), "accreditation", "tender");
  });

  it("of level 2 is needed to bid and to ask questions", async () => {
    const tendering = await publishForBids(world);
    const { path } = await publish(api, fullTender(world.clock.now));
    for (const key of ["broker", "broker2", "token"]) {
      expectStatus(201, await api.post(`${tendering.path}/bids`, bidOf(1), { key }));
      expectStatus(201, await api.post(`${path}/questions`, question, { key }));
    }
    for (const key of ["broker1", "broker3", "broker4", "broker1t"]) {
      expectRefused(await api.post(`${tendering.path}/bids`, {}, { key }), "accreditation", "bid");
      expectRefused(await api.post(`${path}/questions`, {}, { key }), "accreditation", "question");
    }
  });

  it("of level t allows publishing test tenders only, and is checked after the fields", async () => {
    const key = "broker1t";
    expectRefused(await api.post("/tenders", fullTender(world.clock.now), { key }), "mode", "tender");
    expectStatus(422, await api.post("/tenders", { ...fullTender(world.clock.now), title: undefined }, { key }));
    expectStatus(201, await api.post("/tenders", { ...fullTender(world.clock.now), mode: "test" }, { key }));
  });

  it("of level t allows bids and questions in test tenders only, level 2 in both", async () => {
    const key = "broker2t";
    const real = await publishForBids(world);
    const test = await publishForBids(world, { mode: "test" });
    expectRefused(await api.post(`${real.path}/bids`, bidOf(1), { key }), "mode", "bid");
    expectStatus(201, await api.post(`${test.path}/bids`, bidOf(1), { key }));
    expectStatus(201, await api.post(`${test.path}/bids`, bidOf(1), { key: "broker2" }));
    for (const mode of [undefined, "test"]) {
      const { path } = await publish(api, { ...fullTender(world.clock.now), mode });
      const asking = await api.post(`${path}/questions`, question, { key });
      if (mode) expectStatus(201, asking);
      else expectRefused(asking, "mode", "question");
    }
  });

  it("is not needed for one's own objects", async () => {
    const { body } = expectStatus(201, await api.post("/tenders", {}, { key: "broker1" }));
    const sent = { key: "broker1", token: body.access.token };
    expectStatus(200, await api.patch(`/tenders/${body.data.id}`, { title: "Інше" }, sent));
  });
});

describe("a token", async () => {
  const world = await sharedWorld();
  const api = world.api("2.3");

  it("works only with the key of the broker that created the object", async () => {
    const { path, token } = await publish(api, fullTender(world.clock.now));
    for (const key of ["broker1", "broker2", "auction"])
      expectForbidden(await api.patch(path, { title: "-" }, { key, token }));
    expectStatus(401, await api.patch(path, { title: "-" }, { key: null, token }));
    expectStatus(200, await api.patch(path, { title: "-" }, { token }));
  });

  it("gives access to its own object only", async () => {
    const first = await publish(api, plainTender(world.clock.now));
    const other = await publish(api, plainTender(world.clock.now));
    world.clock.forward(DAY);
    const bid = expectStatus(201, await api.post(`${first.path}/bids`, bidOf(1))).body;
    const rival = expectStatus(201, await api.post(`${first.path}/bids`, bidOf(2))).body;
    const path = `${first.path}/bids/${bid.data.id}`;
    const file = { name: "a.txt", content: "a" };
    for (const token of [other.token, bid.access.token, NOBODY, first.token.toUpperCase(), `${first.token} x`]) {
      expectForbidden(await api.patch(first.path, { title: "-" }, { token }));
      expectForbidden(await api.upload(`${first.path}/documents`, file, { token }));
      expectForbidden(await api.post(`${first.path}/awards`, { awardStatus: "active" }, { token }));
      expectForbidden(await api.patch(`${first.path}/auction`, { bids: [] }, { token }));
    }
    for (const token of [first.token, rival.access.token, NOBODY]) {
      expectForbidden(await api.patch(path, { value: { amount: 3 } }, { token }));
      expectForbidden(await api.upload(`${path}/documents`, file, { token }));
      expectForbidden(await api.delete(path, { token }));
    }
    expectStatus(200, await api.delete(path, { token: bid.access.token }));
  });

  it("is read from the query, then the header, then the body; empty ones are ignored", async () => {
    const { path, token } = await publish(api, fullTender(world.clock.now));
    const send = (query: string | undefined, header: string | undefined, inBody: unknown) =>
      api.request("PATCH", query === undefined ? path : `${path}?acc_token=${query}`, {
        headers: { ...(header !== undefined && { "X-Access-Token": header }) },
        body: { data: {}, ...(inBody !== undefined && { access: { token: inBody } }) },
      });
    for (const [query, header, inBody] of [
      [token, undefined, undefined],
      [undefined, token, undefined],
      [undefined, undefined, token],
      [token, NOBODY, NOBODY],
      [undefined, token, NOBODY],
      ["", token, undefined],
      ["", "", token],
    ] as const)
      expectStatus(200, await send(query, header, inBody));
    for (const [query, header, inBody] of [
      [undefined, undefined, undefined],
      [NOBODY, token, token],
      [undefined, NOBODY, token],
      ["", "", ""],
      [undefined, undefined, [token]],
      [undefined, undefined, null],
      [undefined, undefined, { token }],
    ] as const)
      expectForbidden(await send(query, header, inBody));
  });

  it("is issued with tenders and bids, not with questions and documents", async () => {
    const { path, token } = await publish(api, fullTender(world.clock.now));
    assert.match(token, /^[0-9a-f]{32}$/);
    const created = expectStatus(201, await api.post(`${path}/questions`, question)).body;
    assert.ok(!("access" in created));
    const uploaded = await api.upload(`${path}/documents`, { name: "a.txt", content: "a" }, { token });
    assert.ok(!("access" in expectStatus(201, uploaded).body));
    const answer = { answer: "!" };
    expectForbidden(await api.patch(`${path}/questions/${created.data.id}`, answer));
    expectStatus(200, await api.patch(`${path}/questions/${created.data.id}`, answer, { token }));
  });
});
