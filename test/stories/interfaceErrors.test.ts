import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { cook } from "../support/examples.ts";
import { bidIn, publishForBidsIn, publishIn, VERSIONS } from "../support/versionNames.ts";
import { errorsOf, expectStatus, sharedWorld, type TestResponse, withoutRule } from "../support/world.ts";

const WRONG_TYPE = ["header/Content-Type: Content-Type header should be one of ['application/json']"];
const NO_JSON = ["body/data: No JSON object could be decoded"];
const NOBODY = "0".repeat(32);

/** Asserts the error body that the interface prescribes. */
function assertError(status: number, response: TestResponse): TestResponse {
  const { body, headers } = expectStatus(status, response);
  assert.equal(headers.get("content-type"), "application/json; charset=UTF-8");
  assert.deepEqual(Object.keys(body).sort(), ["errors", "status"]);
  assert.equal(body.status, "error");
  assert.ok(body.errors.length > 0);
  for (const entry of body.errors) {
    assert.deepEqual(Object.keys(withoutRule(entry)).sort(), ["description", "location", "name"]);
    for (const part of Object.values(entry)) assert.equal(typeof part, "string");
    assert.ok(["header", "body", "url", "params"].includes(entry.location));
  }
  return response;
}

for (const names of VERSIONS) {
  const { version, bids, total, price, items, parties } = names;

  describe(`errors under ${version}`, async () => {
    const world = await sharedWorld();
    const api = world.api(version);

    it("7: a POST or PATCH without a JSON content type is 415", async () => {
      const { path, token } = await publishForBidsIn(world, names);
      const raw = JSON.stringify({ data: {} });
      const types = ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", ""];
      for (const [method, at] of [
        ["POST", "/tenders"],
        ["PATCH", path],
        ["POST", `${path}/questions`],
        ["POST", `${path}/${bids}`],
        ["POST", `${path}/awards`],
        ["PATCH", `${path}/auction`],
      ] as const)
        for (const type of types) {
          const refused = await api.request(method, at, { token, raw, headers: { "Content-Type": type } });
          assert.deepEqual(errorsOf(assertError(415, refused)), WRONG_TYPE);
        }
      const none = await api.request("POST", "/tenders", { raw: new Uint8Array([123, 125]) });
      assert.deepEqual(errorsOf(assertError(415, none)), WRONG_TYPE);
    });

    it("8: a JSON content type may have parameters", async () => {
      const headers = { "Content-Type": "Application/JSON; charset=utf-8" };
      expectStatus(201, await api.request("POST", "/tenders", { raw: '{"data": {}}', headers }));
    });

    it("7: a missing body, or one that is not a JSON object with an object `data`, is 422", async () => {
      const { path, token } = await publishForBidsIn(world, names);
      const bodies = ["", "data", "{", '{"data": {}', "[]", "null", "1", '"data"', "{}", '{"other": {}}'];
      const noObjects = ['{"data": null}', '{"data": []}', '{"data": "text"}', '{"data": 1}'];
      const headers = { "Content-Type": "application/json" };
      for (const [method, at] of [
        ["POST", "/tenders"],
        ["PATCH", path],
        ["POST", `${path}/${bids}`],
      ] as const)
        for (const raw of [...bodies, ...noObjects])
          assert.deepEqual(errorsOf(assertError(422, await api.request(method, at, { token, raw, headers }))), NO_JSON);
    });

    it("7: an unknown object is 404, the outermost first", async () => {
      const { path } = await publishIn(world, names);
      const missing = [
        [`/tenders/${NOBODY}`, "tender_id"],
        [`/tenders/${NOBODY}/${bids}/${NOBODY}/documents/${NOBODY}`, "tender_id"],
        [`${path}/questions/${NOBODY}`, "question_id"],
        [`${path}/${bids}/${NOBODY}`, "bid_id"],
        [`${path}/${bids}/${NOBODY}/documents`, "bid_id"],
        [`${path}/awards/${NOBODY}`, "award_id"],
        [`${path}/documents/${NOBODY}`, "document_id"],
      ] as const;
      for (const [at, name] of missing)
        assert.deepEqual(errorsOf(assertError(404, await api.get(at, { key: null }))), [`url/${name}: Not Found`]);
      for (const at of ["/", "/tender", "/tenders/", `${path}/nothing`, `${path}/questions/${NOBODY}/answer`])
        assertError(404, await api.get(at));
    });

    it("7: an unsupported method is 405 with the allowed ones", async () => {
      const { path } = await publishIn(world, names);
      for (const [method, at] of [
        ["DELETE", path],
        ["PUT", path],
        ["PUT", "/tenders"],
        ["DELETE", `${path}/questions`],
        ["DELETE", `${path}/auction`],
      ] as const) {
        const refused = assertError(405, await api.request(method, at, { body: { data: {} } }));
        assert.match(refused.headers.get("allow")!, /GET/);
      }
    });

    it("7: every invalid field is named by its path, in the terms of the version", async () => {
      const wrong = {
        [total]: { amount: "much" },
        minimalStep: { amount: -1 },
        tenderPeriod: { endDate: "2027-02-31" },
        [items]: [{}, { quantity: "many" }],
        procuringEntity: { address: { planet: "Mars" } },
        nonsense: 1,
      };
      const refused = assertError(422, await api.post("/tenders", wrong));
      assert.deepEqual(
        refused.body.errors.map(({ name }: { name: string }) => name).sort(),
        [
          `${total}.amount`,
          "minimalStep.amount",
          "tenderPeriod.endDate",
          `${items}.1.quantity`,
          "procuringEntity.address.planet",
          "nonsense",
        ].sort(),
      );
      assert.ok(refused.body.errors.every(({ location }: { location: string }) => location === "body"));
    });

    it("7: an invalid field of a bid is named in the terms of the version", async () => {
      const { path } = await publishForBidsIn(world, names);
      const bid = { ...bidIn(names, 1), [price]: { amount: "low" }, [parties]: [{ ...names.party(cook), moon: 1 }] };
      const refused = assertError(422, await api.post(`${path}/${bids}`, bid));
      assert.deepEqual(
        refused.body.errors.map(({ name }: { name: string }) => name).sort(),
        [`${parties}.0.moon`, `${price}.amount`].sort(),
      );
    });

    it("7: the checks have this order: 404, 405, 415, 401, 422 for the body, 403, 422 for the fields, 403 for the rules", async () => {
      const { path, token } = await publishIn(world, names);
      const typed = { "Content-Type": "text/plain" };
      const at = `${path}/${bids}`;
      assertError(404, await api.request("PUT", `/tenders/${NOBODY}`, { key: null, raw: "x", headers: typed }));
      assertError(405, await api.request("PUT", path, { key: null, raw: "x", headers: typed }));
      assertError(415, await api.request("POST", at, { key: null, raw: "x", headers: typed }));
      assertError(401, await api.request("POST", at, { key: null, body: {} }));
      assertError(422, await api.request("PATCH", path, { body: {} }));
      assertError(403, await api.patch(path, { nonsense: 1 }));
      assertError(422, await api.patch(path, { nonsense: 1 }, { token }));
      assertError(422, await api.post(at, { nonsense: 1 }));
      assertError(403, await api.post(at, bidIn(names, 1)));
    });

    it("7: an invalid offset is 404", async () => {
      assert.deepEqual(errorsOf(assertError(404, await api.get("/tenders?offset=never"))), [
        "params/offset: Offset expired/invalid",
      ]);
    });

    it("7: a refused request stores nothing", async () => {
      const before = (await api.get("/tenders")).body;
      await api.post("/tenders", { nonsense: 1 });
      await api.post("/tenders", {}, { key: null });
      assert.deepEqual((await api.get("/tenders")).body, before);
    });
  });
}
