import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { cook, DAY, MINUTE } from "../support/examples.ts";
import { assertNow, bidIn, HEX, placeIn, publishForBidsIn, publishIn, VERSIONS } from "../support/versionNames.ts";
import { errorsOf, expectStatus, sharedWorld } from "../support/world.ts";

for (const names of VERSIONS) {
  const { version, bids, parties, price, bidStatus, party, total } = names;

  describe(`bids under ${version}`, async () => {
    const world = await sharedWorld();
    const api = world.api(version);

    it("4.4: a bid gets its currency and VAT by default, and is found at its Location", async () => {
      const tender = await publishForBidsIn(world, names);
      assert.deepEqual((await api.get(`${tender.path}/${bids}`, { key: null })).body, { data: [] });
      const { id, path, response } = await placeIn(world, names, tender, 475);
      const { date } = response.body.data;
      assertNow(world, date);
      const bid = {
        id,
        date,
        status: bidStatus,
        [parties]: [party(cook)],
        [price]: { amount: 475, currency: "UAH", valueAddedTaxIncluded: true },
      };
      assert.match(id, HEX);
      assert.deepEqual(response.body.data, bid);
      assert.match(response.text, /"amount": ?475\.0[,}]/);
      assert.equal(response.headers.get("location"), `${api.root}${path}`);
      assert.deepEqual((await api.get(response.headers.get("location")!, { key: null })).body, { data: bid });
      assert.deepEqual((await api.get(`${tender.path}/${bids}`, { key: null })).body, { data: [bid] });
    });

    it("4.4: a bid has the tender's currency by default", async () => {
      const value = { amount: 500, currency: "EUR", valueAddedTaxIncluded: false };
      const tender = await publishForBidsIn(world, names, { [total]: value, minimalStep: { ...value, amount: 5 } });
      const { response } = await placeIn(world, names, tender, 1);
      assert.deepEqual(response.body.data[price], { ...value, amount: 1 });
    });

    it("4.4: a PATCH of a bid is merged into it", async () => {
      const tender = await publishForBidsIn(world, names);
      const { path, token, response } = await placeIn(world, names, tender, 475);
      world.clock.forward(MINUTE);
      const changed = expectStatus(200, await api.patch(path, { [price]: { amount: 460.5 } }, { token })).body;
      const { data: before } = response.body;
      assertNow(world, changed.data.date);
      assert.deepEqual(changed.data, {
        ...before,
        date: changed.data.date,
        [price]: { ...before[price], amount: 460.5 },
      });
      assert.deepEqual((await api.get(path)).body, changed);
      expectStatus(403, await api.patch(path, { [price]: { amount: 1 } }));
      expectStatus(403, await api.patch(path, { [price]: { amount: 1 } }, { token: tender.token }));
    });

    it("4.4: a DELETE returns the bid, which then is gone", async () => {
      const tender = await publishForBidsIn(world, names);
      const other = await placeIn(world, names, tender, 470);
      const { path, token, response } = await placeIn(world, names, tender, 475);
      expectStatus(403, await api.delete(path));
      assert.deepEqual(expectStatus(200, await api.delete(path, { token })).body, { data: response.body.data });
      assert.deepEqual(errorsOf(expectStatus(404, await api.get(path))), ["url/bid_id: Not Found"]);
      assert.deepEqual((await api.get(`${tender.path}/${bids}`)).body, { data: [other.response.body.data] });
    });

    it("3: bids are placed, changed and withdrawn in the tender period only", async () => {
      const tender = await publishIn(world, names);
      const early = await api.post(`${tender.path}/${bids}`, bidIn(names, 475));
      assert.deepEqual(errorsOf(expectStatus(403, early)), [
        "body/data: Can't add bid in current (active.enquiries) tender status",
      ]);
      world.clock.forward(DAY);
      const { path, token } = await placeIn(world, names, tender, 475);
      world.clock.forward(DAY);
      expectStatus(403, await api.post(`${tender.path}/${bids}`, bidIn(names, 475)));
      expectStatus(403, await api.patch(path, { [price]: { amount: 1 } }, { token }));
      expectStatus(403, await api.delete(path, { token }));
      assert.equal((await api.get(path)).body.data[price].amount, 475);
    });

    it("2.7: the bidder is required, under the name that the version uses", async () => {
      const tender = await publishForBidsIn(world, names);
      const refused = await api.post(`${tender.path}/${bids}`, { [price]: { amount: 1 } });
      assert.deepEqual(errorsOf(expectStatus(422, refused)), [`body/${parties}: This field is required.`]);
    });

    it("4.5: the documents of a bid are added and replaced by its owner, and readable by anyone", async () => {
      const tender = await publishForBidsIn(world, names);
      const { path, token } = await placeIn(world, names, tender, 475);
      const proposal = { name: "Пропозиція.txt", content: "перша", type: "text/plain" };
      expectStatus(403, await api.upload(`${path}/documents`, proposal));
      expectStatus(403, await api.upload(`${path}/documents`, proposal, { token: tender.token }));
      const created = expectStatus(201, await api.upload(`${path}/documents`, proposal, { token }));
      const document = created.body.data;
      assert.equal(created.headers.get("location"), `${api.root}${path}/documents/${document.id}`);
      assert.equal(document.title, proposal.name);
      assert.equal((await api.get(document.url, { key: null })).text, "перша");
      world.clock.forward(MINUTE);
      const next = { name: "proposal2.txt", content: "друга", type: "text/plain" };
      const put = await api.upload(`${path}/documents/${document.id}`, next, { token, method: "PUT" });
      const replaced = expectStatus(200, put).body.data;
      assertNow(world, replaced.dateModified);
      const { id, title, datePublished } = replaced;
      assert.deepEqual([id, title, datePublished], [document.id, next.name, document.datePublished]);
      assert.equal((await api.get(replaced.url, { key: null })).text, "друга");
      assert.deepEqual((await api.get(`${path}/documents`, { key: null })).body, { data: [replaced] });
      expectStatus(200, await api.get(`${path}/documents/${document.id}`, { key: null }));
    });

    it("4.5: a bid document is found at its Location, and does not change the bid", async () => {
      const tender = await publishForBidsIn(world, names);
      const { path, token, response } = await placeIn(world, names, tender, 475);
      const created = await api.upload(`${path}/documents`, { name: "a.txt", content: "a" }, { token });
      const found = expectStatus(200, await api.get(created.headers.get("location")!)).body.data;
      assert.equal(found.id, created.body.data.id);
      const { documents: _own, ...bid } = (await api.get(path)).body.data;
      assert.deepEqual(bid, response.body.data);
    });
  });
}
