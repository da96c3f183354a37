import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { bidOf, cook, DAY, fullTender, type PublishedTender, publish } from "../support/examples.ts";
import {
  bidIn,
  NEWEST,
  placeIn,
  publishForBidsIn,
  publishIn,
  VERSIONS,
  type VersionNames,
} from "../support/versionNames.ts";
import { errorsOf, expectStatus, sharedWorld, type TestResponse, type World } from "../support/world.ts";

const FORBIDDEN = ["url/permission: Forbidden"];

/** Every kind of write, on a tender in the tender period with a bid, a question and a document. */
async function everyWrite(world: World, names: VersionNames) {
  const api = world.api(names.version);
  const tender = await publishIn(world, names);
  const { token } = tender;
  const asked = await api.post(`${tender.path}/questions`, { title: "?", author: names.party(cook) });
  const question = `${tender.path}/questions/${expectStatus(201, asked).body.data.id}`;
  const uploaded = await api.upload(`${tender.path}/documents`, { name: "a.txt", content: "a" }, { token });
  const document = `${tender.path}/documents/${expectStatus(201, uploaded).body.data.id}`;
  world.clock.forward(DAY);
  const bid = await placeIn(world, names, tender, 475);
  const json = [
    ["POST", "/tenders", {}],
    ["PATCH", tender.path, { [names.total]: { amount: 1 } }],
    ["POST", `${tender.path}/questions`, { title: "?", author: names.party(cook) }],
    ["PATCH", question, { answer: "!" }],
    ["POST", `${tender.path}/${names.bids}`, bidIn(names, 1)],
    ["PATCH", bid.path, { [names.price]: { amount: 1 } }],
    ["POST", `${tender.path}/awards`, { awardStatus: "pending" }],
    ["PATCH", `${tender.path}/auction`, { bids: [{ [names.total]: { amount: 1 } }] }],
  ] as const;
  const files = [
    ["POST", `${tender.path}/documents`],
    ["PUT", document],
    ["POST", `${bid.path}/documents`],
  ] as const;
  return { tender, bid, json, files };
}

for (const names of VERSIONS) {
  const { version, total, bids, price } = names;

  describe(`access under ${version}`, async () => {
    const world = await sharedWorld();
    const api = world.api(version);

    it("5.1: reading needs no credentials", async () => {
      const { tender, bid, json } = await everyWrite(world, names);
      const [questions, awards] = [`${tender.path}/questions`, `${tender.path}/awards`];
      const paths = ["/tenders", tender.path, questions, `${tender.path}/${bids}`, bid.path, awards];
      const deeper = [`${tender.path}/documents`, `${bid.path}/documents`, `${tender.path}/auction`, json[3][1]];
      for (const path of [...paths, ...deeper]) expectStatus(200, await api.get(path, { key: null }));
    });

    it("5.2: every change needs a broker's key", async () => {
      const { tender, bid, json, files } = await everyWrite(world, names);
      const before = (await api.get(tender.path)).text;
      for (const key of [null, "nobody", ""]) {
        const refused: TestResponse[] = [];
        for (const [method, path, data] of json) refused.push(await api.request(method, path, { key, body: { data } }));
        for (const [method, path] of files)
          refused.push(await api.upload(path, { name: "b.txt", content: "b" }, { key, method }));
        refused.push(await api.delete(bid.path, { key, token: bid.token }));
        for (const response of refused) {
          assert.match(errorsOf(expectStatus(401, response))[0]!, /^header\/Authorization: ./);
          assert.match(response.headers.get("www-authenticate") ?? "", /^Basic/);
        }
      }
      assert.equal((await api.get(tender.path)).text, before);
    });

    it("5.2: the key is the user name of HTTP Basic, whatever the password", async () => {
      for (const credentials of ["broker:", "broker:any password"]) {
        const Authorization = `Basic ${Buffer.from(credentials).toString("base64")}`;
        expectStatus(201, await api.post("/tenders", {}, { key: null, headers: { Authorization } }));
      }
      expectStatus(201, await api.post("/tenders", {}, { key: null, headers: { Authorization: "Bearer broker" } }));
    });

    it("5.3: the owner's token is required together with the key of the owner's broker", async () => {
      const { tender, bid, json, files } = await everyWrite(world, names);
      const owners = json.filter(([method, path]) => method === "PATCH" || path.endsWith("/awards"));
      const before = (await api.get(tender.path)).text;
      for (const [method, path, data] of owners) {
        const token = path === bid.path ? bid.token : tender.token;
        const wrong = path === bid.path ? tender.token : bid.token;
        for (const sent of [{}, { token: "0".repeat(32) }, { token: wrong }, { key: "broker1", token }])
          assert.deepEqual(
            errorsOf(expectStatus(403, await api.request(method, path, { ...sent, body: { data } }))),
            FORBIDDEN,
          );
      }
      for (const [method, path] of files)
        assert.deepEqual(
          errorsOf(expectStatus(403, await api.upload(path, { name: "b.txt", content: "b" }, { method }))),
          FORBIDDEN,
        );
      assert.deepEqual(errorsOf(expectStatus(403, await api.delete(bid.path))), FORBIDDEN);
      assert.equal((await api.get(tender.path)).text, before);
    });

    it("5.4: the token is sent in the query, the header or the body", async () => {
      const { tender, bid } = await everyWrite(world, names);
      for (const [{ path, token }, name] of [[tender, total] as const, [bid, price] as const]) {
        const data = (amount: number) => ({ [name]: { amount } });
        expectStatus(200, await api.patch(`${path}?acc_token=${token}`, data(401)));
        expectStatus(200, await api.patch(path, data(402), { headers: { "X-Access-Token": token } }));
        expectStatus(200, await api.request("PATCH", path, { body: { access: { token }, data: data(403) } }));
        assert.equal((await api.get(path)).body.data[name].amount, 403);
      }
      const award = { access: { token: tender.token }, data: { awardStatus: "pending" } };
      expectStatus(201, await api.request("POST", `${tender.path}/awards`, { body: award }));
      expectStatus(200, await api.delete(`${bid.path}?acc_token=${bid.token}`));
    });

    it("5.4: the token of an upload is sent in the query or the header", async () => {
      const { tender, files } = await everyWrite(world, names);
      const { token } = tender;
      const file = { name: "b.txt", content: "b" };
      for (const [method, path] of files.slice(0, 2)) {
        const status = method === "POST" ? 201 : 200;
        expectStatus(status, await api.upload(`${path}?acc_token=${token}`, file, { method }));
        expectStatus(status, await api.upload(path, file, { token, method }));
      }
    });

    it("5.4: the token of an upload is sent in its body, as the form field acc_token", async () => {
      const { tender, files } = await everyWrite(world, names);
      for (const [method, path] of files.slice(0, 2)) {
        const raw = new FormData();
        raw.append("acc_token", tender.token);
        raw.append("file", new Blob(["b"]), "b.txt");
        expectStatus(method === "POST" ? 201 : 200, await api.request(method, path, { raw }));
      }
    });

    it("5.4: an empty token is ignored, and the next place is read", async () => {
      const { path, token } = await publishForBidsIn(world, names);
      const body = { access: { token }, data: { [total]: { amount: 401 } } };
      expectStatus(200, await api.request("PATCH", `${path}?acc_token=`, { body, headers: { "X-Access-Token": "" } }));
    });

    it("5.3: no response to a read contains a token", async () => {
      const { tender, bid } = await everyWrite(world, names);
      for (const path of ["/tenders", tender.path, `${tender.path}/${bids}`, bid.path, `${tender.path}/auction`])
        for (const sent of [{}, { token: tender.token }, { token: bid.token }]) {
          const { text } = expectStatus(200, await api.get(path, sent));
          assert.doesNotMatch(text, /token/i);
          assert.equal(text.includes(tender.token) || text.includes(bid.token), false);
        }
    });

    it("5.5: the owner of a tender is the name of its broker", async () => {
      const { body } = expectStatus(201, await api.post("/tenders", {}, { key: "broker1" }));
      const { data } = (await world.api("2.3").get(`/tenders/${body.data.id}`)).body;
      assert.equal(data.owner, "broker1");
    });
  });
}

/** Creates a tender under 2.3 in each status that is not final. */
const OPEN: { readonly [status: string]: (world: World) => Promise<PublishedTender> } = {
  draft: (world) => publishIn(world, NEWEST, { status: "draft" }),
  "active.enquiries": (world) => publishIn(world, NEWEST),
  tendering: (world) => publishForBidsIn(world, NEWEST),
  "active.auction": async (world) => {
    const api = world.api("2.3");
    const tender = await publish(api, fullTender(world.clock.now));
    world.clock.forward(7 * DAY);
    for (const amount of [475000, 480000]) expectStatus(201, await api.post(`${tender.path}/bids`, bidOf(amount)));
    world.clock.forward(7 * DAY);
    return tender;
  },
  "active.qualification": async (world) => {
    const tender = await publishForBidsIn(world, NEWEST);
    world.clock.forward(DAY);
    return tender;
  },
};

for (const { version, stamp } of VERSIONS) {
  describe(`cancelling under ${version}`, async () => {
    const world = await sharedWorld();
    const api = world.api(version);

    for (const [status, reach] of Object.entries(OPEN))
      it(`3: the owner cancels a tender in ${status}, which updates its date and ends it`, async () => {
        const { path, token } = await reach(world);
        const before = (await api.get(path)).body.data;
        assert.equal(before.status, status);
        expectStatus(403, await api.patch(path, { status: "cancelled" }));
        const { data } = expectStatus(200, await api.patch(path, { status: "cancelled" }, { token })).body;
        assert.equal(data.status, "cancelled");
        assert.ok(data[stamp] > before[stamp]);
        assert.deepEqual((await api.get(path)).body.data, data);
        const again = await api.patch(path, { status: "cancelled" }, { token });
        assert.deepEqual(errorsOf(expectStatus(403, again)), [
          "body/data: Can't update tender in current (cancelled) status",
        ]);
        world.clock.forward(30 * DAY);
        assert.deepEqual((await api.get(path)).body.data, data);
      });

    for (const final of ["complete", "unsuccessful"])
      it(`3: a tender that is ${final} cannot be cancelled`, async () => {
        const { path, token } = await OPEN["active.qualification"]!(world);
        expectStatus(200, await api.patch(path, { status: final }, { token }));
        expectStatus(403, await api.patch(path, { status: "cancelled" }, { token }));
        assert.equal((await api.get(path)).body.data.status, final);
      });

    it("3: the owner can set no other status", async () => {
      const { path, token } = await OPEN["active.enquiries"]!(world);
      for (const status of ["draft", "tendering", "active.auction", "active.qualification", "complete", "unsuccessful"])
        await api.patch(path, { status }, { token });
      assert.equal((await api.get(path)).body.data.status, "active.enquiries");
    });
  });
}
