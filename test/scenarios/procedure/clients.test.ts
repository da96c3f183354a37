import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { claim } from "../../support/claims.ts";
import { bidOf, cook, fullTender, publish } from "../../support/examples.ts";
import { bidOnLots, expectCreated, LOT_A, LOT_B, outcomeOf, reachStage, twoLots } from "../../support/stages.ts";
import { expectStatus, sharedWorld, type TestResponse, type World } from "../../support/world.ts";

/** The existing clients, under every alias of their API version. */

const VERSIONS = ["2.5", "2.0", "2.1", "2.2", "2.4"] as const;
const JSON_TYPE = { "Content-Type": "application/json", "X-Access-Token": "" };
const paper = { name: "умови тендеру.txt", content: "Умови" };
const untilNextCheck = async (world: World, path: string): Promise<void> => {
  const { next_check } = (await world.api("2.5").get(path)).body.data;
  world.clock.forward(Date.parse(next_check) * 1000 + 1000 - world.clock.now);
};

for (const version of VERSIONS)
  describe(`Python client 1 under ${version}`, async () => {
    const world = await sharedWorld();
    const api = world.api(version);

    it("sends HEAD spore first, and a JSON content type and an empty token with every request", async () => {
      const headers = JSON_TYPE;
      expectStatus(200, await api.request("HEAD", "/spore", { key: "broker", headers }));
      const { path } = await publish(api, fullTender(world.clock.now));
      for (const where of ["/tenders", path, `${path}/documents`, `${path}/questions`]) {
        expectStatus(200, await api.get(where, { headers }));
        expectStatus(200, await api.request("HEAD", where, { headers }));
      }
    });

    it("sends cookies back with their attributes, and can do without", async () => {
      const Cookie = "SERVER_ID=abc; Path=/; HttpOnly; Max-Age=600";
      const response = expectStatus(200, await api.get("/tenders", { headers: { ...JSON_TYPE, Cookie } }));
      assert.ok(response.headers.getSetCookie().length <= 1);
      const sent = { headers: { Cookie, "X-Access-Token": "" } };
      expectStatus(201, await api.post("/tenders", fullTender(world.clock.now), sent));
    });

    it("deletes without a body, and gets 200 with JSON", async () => {
      const { path, bids } = await reachStage(world, "active.tendering", { bids: [bidOf(1000)] });
      const { id, token } = bids[0]!;
      const headers = { "Content-Type": "application/json" };
      const gone = expectStatus(200, await api.delete(`${path}/bids/${id}`, { token, headers }));
      assert.equal(gone.body.data.id, id);
    });

    it("uploads a part `file`, and downloads a file with a name", async () => {
      const { path, token } = await publish(api, fullTender(world.clock.now));
      const { data } = expectStatus(201, await api.upload(`${path}/documents`, paper, { token })).body;
      assert.match(data.url, /(\/get\/[0-9a-f]{32}|[?&]download=)/);
      // One of them accepts only a 302.
      const response = expectStatus(302, await api.get(data.url, { headers: JSON_TYPE }));
      const file = expectStatus(200, await api.get(response.headers.get("location")!, { key: null }));
      assert.match(file.headers.get("content-disposition") ?? "", /; ?filename=/);
      assert.equal(file.text, "Умови");
      expectStatus(200, await api.upload(`${path}/documents/${data.id}`, paper, { token, method: "PUT" }));
    });
  });

describe("Python client 1 sends back the whole object that it read:", async () => {
  const world = await sharedWorld();
  const api = world.api("2.5");
  const sendBack = async (at: string, change: object, token: string): Promise<TestResponse> => {
    const { data } = expectStatus(200, await api.get(at, { token })).body;
    return expectStatus(200, await api.patch(at, { ...data, ...change }, { token }));
  };

  it("a tender, its lot, its question, its cancellation, its document", async () => {
    const { path, token } = await reachStage(world, "active.enquiries", { more: twoLots() });
    const question = await expectCreated(api.post(`${path}/questions`, { author: cook, title: "?" }));
    const cancellation = await expectCreated(api.post(`${path}/cancellations`, { reason: "-" }, { token }));
    const document = expectStatus(201, await api.upload(`${path}/documents`, paper, { token })).body.data.id;
    await expectCreated(api.post(`${path}/complaints`, claim()));
    const changed = await sendBack(path, { description: "нове" }, token);
    assert.equal(changed.body.data.description, "нове");
    assert.equal((await sendBack(`${path}/lots/${LOT_A}`, { title: "Інший" }, token)).body.data.title, "Інший");
    assert.equal(
      (await sendBack(`${path}/questions/${question.id}`, { answer: "так" }, token)).body.data.answer,
      "так",
    );
    await sendBack(`${path}/documents/${document}`, { description: "копія" }, token);
    await sendBack(`${path}/cancellations/${cancellation.id}`, { status: "active" }, token);
    assert.equal((await api.get(path)).body.data.status, "cancelled");
  });

  it("a complaint, a bid, an award, a contract", async () => {
    const tender = await reachStage(world, "active.tendering", { bids: [bidOf(400000)] });
    const { path, token, bids } = tender;
    const complaint = await expectCreated(api.post(`${path}/complaints`, claim({ status: "draft" })));
    await sendBack(`${path}/complaints/${complaint.id}`, { title: "Інше" }, complaint.token);
    const bid = await sendBack(`${path}/bids/${bids[0]!.id}`, { value: { amount: 390000 } }, bids[0]!.token);
    assert.equal(bid.body.data.value.amount, 390000);
    await untilNextCheck(world, path);
    const award = (await api.get(`${path}/awards`)).body.data[0].id;
    await sendBack(path, { description: "нове" }, token);
    assert.equal((await sendBack(`${path}/awards/${award}`, { status: "active" }, token)).body.data.status, "active");
    const contract = (await api.get(`${path}/contracts`)).body.data[0].id;
    const response = await sendBack(`${path}/contracts/${contract}`, { title: "Договір" }, token);
    assert.equal(response.body.data.title, "Договір");
  });
});

for (const version of VERSIONS)
  describe(`Python client 2 and the scenario runner under ${version}`, async () => {
    const world = await sharedWorld();
    const api = world.api(version);

    it("sends HEAD tenders first", async () => {
      expectStatus(200, await api.request("HEAD", "/tenders", { headers: JSON_TYPE }));
    });

    it("requests credentials without a body, and gets a valid token", async () => {
      const { path, token } = await publish(api, fullTender(world.clock.now));
      for (const headers of [undefined, { "Content-Type": "application/json" }]) {
        const mine = await publish(api, fullTender(world.clock.now));
        const response = await api.request("PATCH", `${mine.path}/credentials?acc_token=${mine.token}`, { headers });
        const { data, access } = expectStatus(200, response).body;
        assert.equal(data.id, mine.id);
        expectStatus(200, await api.patch(mine.path, { description: "нове" }, { token: access.token }));
      }
      assert.match(outcomeOf(await api.request("PATCH", `${path}/credentials`)), /^403 /);
      expectStatus(200, await api.patch(path, { description: "нове" }, { token }));
    });

    it("sets its clock by the Date of spore", async () => {
      const { headers, body } = expectStatus(200, await api.get("/spore", { key: null }));
      assert.ok(Number.isFinite(Date.parse(headers.get("date")!)));
      assert.equal(body.version, version);
    });

    it("authenticates with a Bearer key and acc_token", async () => {
      const headers = { Authorization: "Bearer broker" };
      const { body } = expectStatus(
        201,
        await api.post("/tenders", fullTender(world.clock.now), { key: null, headers }),
      );
      const at = `/tenders/${body.data.id}?acc_token=${body.access.token}`;
      expectStatus(200, await api.patch(at, { description: "нове" }, { key: null, headers }));
    });

    it("waits until next_check and sees the new status at once, with lot ids of its own", async () => {
      const { path, response } = await publish(api, { ...fullTender(world.clock.now), ...twoLots() });
      assert.deepEqual(
        response.body.data.lots.map(({ id }: { id: string }) => id),
        [LOT_A, LOT_B],
      );
      for (const status of ["active.tendering", "unsuccessful"]) {
        await untilNextCheck(world, path);
        assert.equal((await api.get(path)).body.data.status, status);
      }
    });

    it("never gets 409 or 412 for a rule violation", async () => {
      const { path, token } = await reachStage(world, "cancelled");
      const expected = "403 body/data: Can't update tender in current (cancelled) status";
      assert.equal(outcomeOf(await api.patch(path, { description: "нове" }, { token })), expected);
    });
  });

for (const version of VERSIONS)
  describe(`the auction service and the scheduler under ${version}`, async () => {
    const world = await sharedWorld();
    const api = world.api(version);
    const key = "auction";

    it("the auction reads the tender, sets its URLs, and reports its results", async () => {
      const { path, bids } = await reachStage(world, "active.auction");
      expectStatus(200, await api.get(path, { key }));
      const before = expectStatus(200, await api.get(`${path}/auction`, { key })).body.data;
      assert.deepEqual(
        before.bids.map(({ id }: { id: string }) => id),
        bids.map(({ id }) => id),
      );
      const url = "http://auction.example/tenders/0123456789abcdef0123456789abcdef";
      const sent = { auctionUrl: url, bids: [{ participationUrl: `${url}?bidder_id=1` }, {}] };
      const auction = expectStatus(200, await api.patch(`${path}/auction`, sent, { key })).body.data;
      assert.deepEqual([auction.auctionUrl, auction.bids[1].participationUrl], [url, undefined]);
      const results = bids.map(({ id }, i) => ({ id, value: { amount: 300000 - i * 10000 } }));
      const after = expectStatus(200, await api.post(`${path}/auction`, { bids: results }, { key })).body.data;
      assert.equal(after.status, "active.qualification");
      assert.equal(after.awards[0].value.amount, 290000);
      const { data } = expectStatus(201, await api.upload(`${path}/documents`, paper, { key })).body;
      expectStatus(200, await api.upload(`${path}/documents/${data.id}`, paper, { key, method: "PUT" }));
    });

    it("the auction may set one bid and leave the other unchanged", async () => {
      const { path, bids } = await reachStage(world, "active.auction");
      const participationUrl = "http://auction.example/tenders/0?bidder_id=1";
      const sent = { bids: [{ id: bids[0]!.id, participationUrl }, {}] };
      const { data } = expectStatus(200, await api.patch(`${path}/auction`, sent, { key })).body;
      assert.equal(data.bids[0].participationUrl, participationUrl);
    });

    it("the auction of a lot may do the same for that lot", async () => {
      const lots = [bidOnLots(100000, LOT_A, LOT_B), bidOnLots(90000, LOT_A, LOT_B)];
      const { path, bids } = await reachStage(world, "active.auction", { more: twoLots(), bids: lots });
      const url = "http://auction.example/tenders/0123456789abcdef0123456789abcdef";
      for (const [i, lot] of [LOT_A, LOT_B].entries()) {
        const lotValues = [{}, {}].with(i, { participationUrl: `${url}?bidder_id=1` });
        const where = { lots: [{}, {}].with(i, { auctionUrl: url }), bids: [{ lotValues }, {}] };
        expectStatus(200, await api.patch(`${path}/auction/${lot}`, where, { key }));
        const prices = [LOT_A, LOT_B].map((relatedLot) => ({ relatedLot, value: { amount: 80000 } }));
        const sent = { bids: bids.map(({ id }) => ({ id, lotValues: prices })) };
        expectStatus(200, await api.post(`${path}/auction/${lot}`, sent, { key }));
      }
      const seen = (await api.get(path)).body.data;
      assert.equal(seen.status, "active.qualification");
      assert.deepEqual(
        seen.bids[0].lotValues.map((lotValue: { participationUrl: string }) => lotValue.participationUrl),
        [`${url}?bidder_id=1`, `${url}?bidder_id=1`],
      );
      assert.deepEqual(
        seen.lots.map(({ auctionUrl }: { auctionUrl: string }) => auctionUrl),
        [url, url],
      );
    });

    for (const below of ["", "/chronograph"])
      it(`the scheduler reads and writes ${below || "the tender"}, and gets the status and next_check`, async () => {
        const sent = { key: "chronograph" };
        const { path, id } = await reachStage(world, "active.tendering", { bids: [bidOf(1000), bidOf(2000)] });
        const read = expectStatus(200, await api.get(`${path}${below}`, sent)).body.data;
        assert.deepEqual([read.id, read.status], [id, "active.tendering"]);
        assert.equal(read.next_check, read.tenderPeriod.endDate);
        assert.ok(read.auctionPeriod.shouldStartAfter);
        assert.ok(!("bids" in read) && !("numberOfBids" in read));
        const auctionPeriod = { startDate: read.auctionPeriod.shouldStartAfter };
        const planned = expectStatus(200, await api.patch(`${path}${below}`, { id, auctionPeriod }, sent)).body.data;
        assert.equal(planned.auctionPeriod.startDate, auctionPeriod.startDate);
        await untilNextCheck(world, path);
        const checked = expectStatus(200, await api.patch(`${path}${below}`, { id }, sent)).body.data;
        assert.deepEqual([checked.status, checked.next_check], ["active.auction", auctionPeriod.startDate]);
        assert.equal((await api.get(`${path}${below}`, sent)).body.data.numberOfBids, 2);
      });
  });
