import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { hashOf } from "../../../src/base/secrets.ts";
import { auditPath } from "../../../src/ops/audit.ts";
import { bidOf, fullTender, plainTender, publish } from "../../support/examples.ts";
import { bidsOf, reachTenderingEnd } from "../../support/procedure.ts";
import { errorsOf, expectStatus, sharedWorld, type TestResponse } from "../../support/world.ts";

/** Requirements of single existing clients. */

const ASCII = /^[\x20-\x7e\n]*$/;

describe("responses of /auction", async () => {
  const world = await sharedWorld();
  const assertAscii = ({ text }: TestResponse): void => assert.match(text, ASCII);

  it("are ASCII under 2.5, whatever their content and indentation", async () => {
    const story = await reachTenderingEnd(world, bidsOf(100, 200));
    const shown = expectStatus(200, await story.as("auction", "GET", "/auction"));
    assertAscii(shown);
    assert.match(shown.text, /\\u041f\\u043e/);
    assert.match(shown.body.data.items[0].description, /^Послуги/);
    const pretty = expectStatus(200, await story.as("auction", "GET", "/auction?opt_pretty=1"));
    assertAscii(pretty);
    assert.deepEqual(pretty.body, shown.body);
    assertAscii(await story.as("auction", "GET", "/auction?opt_jsonp=f"));
    assertAscii(expectStatus(422, await story.as("auction", "PATCH", "/auction", { їжа: 1 })));
    assertAscii(expectStatus(403, await story.as("broker", "GET", "/auction")));
    const patched = await story.as("auction", "PATCH", "/auction", { auctionUrl: "http://a.example/їжа" });
    assertAscii(expectStatus(200, patched));
    const ended = expectStatus(200, await story.as("auction", "POST", "/auction", {}));
    assertAscii(ended);
    assert.match(ended.body.data.title, /^Послуги/);
  });

  it("preserve characters outside the basic plane, and match their ETag", async () => {
    const story = await reachTenderingEnd(world, bidsOf(100, 200), { title: "🍲 Їжа", description: "🍲" });
    const { headers } = expectStatus(200, await story.as("auction", "GET", "/auction"));
    const request = (etag: string) =>
      story.api.request("PATCH", `${story.path}/auction`, {
        key: "auction",
        headers: { "If-Match": etag },
        body: { data: { auctionUrl: "http://a.example" } },
      });
    expectStatus(412, await request('"other"'));
    expectStatus(200, await request(headers.get("etag")!));
    const ended = expectStatus(200, await story.as("auction", "POST", "/auction", {}));
    assertAscii(ended);
    assert.equal(ended.body.data.title, "🍲 Їжа");
  });

  for (const version of ["2.3", "0", "0.1", "0.2"])
    it(`are ASCII under ${version}`, async () => {
      const api = world.api(version);
      const { path, token } = await publish(world.api("2.3"), plainTender(world.clock.now));
      assertAscii(expectStatus(200, await api.get(`${path}/auction`)));
      assertAscii(expectStatus(422, await api.patch(`${path}/auction`, { їжа: 1 }, { token })));
    });

  it("are the only ASCII ones: others are UTF-8", async () => {
    const { path } = await publish(world.api("2.5"), fullTender(world.clock.now));
    assert.match((await world.api("2.5").get(path)).text, /Послуги/);
  });
});

describe("the credentials of a tender", async () => {
  const world = await sharedWorld();
  const api = world.api("2.5");
  const recorded = () => (existsSync(auditPath(world.dataDir)) ? readFileSync(auditPath(world.dataDir), "utf8") : "");

  for (const version of ["2.3", "2.5"])
    it(`are shown to the group contracting under ${version}: the owner and the stored hash of the token`, async () => {
      const { id, path, token } = await publish(api, fullTender(world.clock.now));
      const before = recorded().length;
      const response = await world.api(version).get(`${path}/extract_credentials`, { key: "contracting" });
      assert.deepEqual(expectStatus(200, response).body, {
        data: { id, owner: "broker", tender_token: hashOf(token) },
      });
      assert.equal(response.headers.get("cache-control"), "no-store");
      const [line, ...more] = recorded().slice(before).trim().split("\n");
      assert.deepEqual(more, []);
      const { actor, group, act, outcome } = JSON.parse(line!);
      assert.deepEqual(
        [actor, group, act, outcome],
        ["contracting", "contracting", `GET /api/${version}${path}/extract_credentials`, 200],
      );
      assert.ok(!line!.includes(hashOf(token)));
    });

  it("change with a new token, and cannot be used as a token", async () => {
    const { path, token } = await publish(api, fullTender(world.clock.now));
    const { access } = expectStatus(200, await api.request("PATCH", `${path}/credentials`, { token })).body;
    const { data } = (await api.get(`${path}/extract_credentials`, { key: "contracting" })).body;
    assert.equal(data.tender_token, hashOf(access.token));
    expectStatus(403, await api.patch(path, { title: "x" }, { token: data.tender_token }));
  });

  it("are shown to no other group", async () => {
    const { path, token } = await publish(api, fullTender(world.clock.now));
    const before = recorded();
    const ask = (key: string | null, more = {}) => api.get(`${path}/extract_credentials`, { key, ...more });
    assert.deepEqual(errorsOf(expectStatus(401, await ask(null))), ["header/Authorization: A known API key is needed"]);
    for (const key of ["token", "administrator", "auction", "chronograph", "reviewer", "bot", "chrisr", "broker2"])
      assert.deepEqual(errorsOf(expectStatus(403, await ask(key))), ["url/permission: Forbidden"]);
    expectStatus(403, await ask("broker", { token }));
    assert.equal(recorded(), before);
    expectStatus(404, await world.api("0.1").get(`${path}/extract_credentials`, { key: "contracting" }));
  });

  it("are all that the group contracting may access in addition", async () => {
    const { path } = await publish(api, fullTender(world.clock.now));
    const sent = { key: "contracting" };
    expectStatus(403, await api.patch(path, { title: "x" }, sent));
    expectStatus(403, await api.post("/tenders", fullTender(world.clock.now), sent));
    expectStatus(403, await api.post(`${path}/bids`, bidOf(1), sent));
  });
});

describe("a belowThreshold draft", async () => {
  const world = await sharedWorld();
  const api = world.api("2.5");
  const file = { name: "умови.txt", content: "Умови" };

  it("accepts documents, their versions and metadata from its owner only", async () => {
    const draft = await publish(api, { ...fullTender(world.clock.now), status: "draft" });
    const documents = `${draft.path}/documents`;
    const { token } = draft;
    const { data } = expectStatus(201, await api.upload(documents, file, { token })).body;
    assert.equal(data.author, "tender_owner");
    expectStatus(200, await api.upload(`${documents}/${data.id}`, file, { token, method: "PUT" }));
    expectStatus(200, await api.patch(`${documents}/${data.id}`, { description: "Так" }, { token }));
    expectStatus(403, await api.upload(documents, file, { key: "broker2" }));
    const published = expectStatus(200, await api.patch(draft.path, { status: "active.enquiries" }, { token })).body
      .data;
    assert.deepEqual([published.status, published.documents.length], ["active.enquiries", 2]);
  });

  it("accepts no documents from the auction", async () => {
    const { path } = await publish(api, { ...fullTender(world.clock.now), status: "draft" });
    const response = await api.upload(`${path}/documents`, file, { key: "auction" });
    assert.deepEqual(errorsOf(expectStatus(403, response)), [
      "body/data: Can't add document in current (draft) tender status",
    ]);
  });
});
