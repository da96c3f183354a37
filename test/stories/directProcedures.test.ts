import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { DIRECT_PROCEDURES, NEGOTIATIONS } from "../support/directScenes.ts";
import { cook, DAY, directTender, fullTender, MINUTE, publish } from "../support/examples.ts";
import { type Api, errorsOf, expectStatus, sharedWorld } from "../support/world.ts";

/** Procedures without competition, as far as only HTTP shows it. The rules are tested beside the code. */

const supplier = (more: object = {}) => ({ suppliers: [cook], value: { amount: 400000 }, ...more });
const REVIEWERS = { key: "aboveThresholdReviewers" };

describe("a procedure without competition", async () => {
  const world = await sharedWorld();
  const api = world.api("2.5");
  const made = (procedure: string, more: object = {}, by: Api = api) =>
    publish(by, { ...directTender(procedure, world.clock.now), ...more });

  for (const procedure of DIRECT_PROCEDURES) {
    for (const version of ["2.3", "2.5"])
      it(`is chosen by its name, and shows no more than it has: ${procedure} in ${version}`, async () => {
        const { data } = (await made(procedure, {}, world.api(version))).response.body;
        const cause = procedure === "reporting" ? [] : ["cause", "causeDescription"];
        const always = [
          "id",
          "date",
          "dateModified",
          "tenderID",
          "status",
          "items",
          "value",
          "procuringEntity",
          "owner",
        ];
        const method = ["procurementMethod", "procurementMethodType", "title"];
        assert.deepEqual(Object.keys(data).toSorted(), [...always, ...method, ...cause].toSorted());
        assert.deepEqual(
          [data.status, data.procurementMethod, data.procurementMethodType],
          ["active", "limited", procedure],
        );
      });

    it(`shows its status unchanged in every older version: ${procedure}`, async () => {
      const { path } = await made(procedure);
      for (const version of ["0.1", "0.2", "0", "2.3"])
        assert.equal((await world.api(version).get(path)).body.data.status, "active", version);
    });

    it(`has no address for what it does not have: ${procedure}`, async () => {
      const { path, token } = await made(procedure);
      const award = expectStatus(201, await api.post(`${path}/awards`, supplier(), { token })).body.data.id;
      const absent = ["bids", "auction", "questions", "complaints"];
      const ofReports = procedure === "reporting" ? ["lots", `awards/${award}/complaints`] : [];
      for (const name of [...absent, ...ofReports])
        for (const response of [
          await api.get(`${path}/${name}`),
          await api.post(`${path}/${name}`, {}, { token }),
          await api.get(`${path}/${name}/${"0".repeat(32)}`),
          await world.api("0").get(`${path}/${name}`),
        ])
          assert.deepEqual([response.status, errorsOf(response)], [404, ["url/path: Not Found"]], name);
      for (const name of ["documents", "awards", "contracts", "cancellations"])
        expectStatus(200, await api.get(`${path}/${name}`));
    });

    it(`leads from the supplier to the contract: ${procedure}`, async () => {
      const { path, token } = await made(procedure);
      const recorded = expectStatus(201, await api.post(`${path}/awards`, supplier({ qualified: true }), { token }));
      const award = recorded.body.data.id;
      assert.match(recorded.headers.get("location")!, new RegExp(`${path}/awards/${award}$`));
      expectStatus(200, await api.patch(`${path}/awards/${award}`, { status: "active" }, { token }));
      world.clock.forward(12 * DAY);
      const [contract] = (await api.get(`${path}/contracts`)).body.data;
      const unit = { value: { amount: 80000 } };
      const priced = await api.patch(`${path}/contracts/${contract.id}`, { items: [{ unit }] }, { token });
      assert.deepEqual(expectStatus(200, priced).body.data.items[0].unit.value, {
        amount: 80000,
        currency: "UAH",
        valueAddedTaxIncluded: true,
      });
      expectStatus(200, await api.patch(`${path}/contracts/${contract.id}`, { status: "active" }, { token }));
      assert.equal((await api.get(path)).body.data.status, "complete");
      assert.equal((await world.api("0.1").get(path)).body.data.status, "complete");
    });

    it(`refuses the scheduler: ${procedure}`, async () => {
      const { path } = await made(procedure);
      const response = await api.patch(path, {}, { key: "chronograph" });
      assert.deepEqual(errorsOf(expectStatus(403, response)), ["body/data: Chronograph has no power over me!"]);
    });

    it(`does not know the fields of other procedures: ${procedure}`, async () => {
      const { minimalStep, enquiryPeriod, tenderPeriod } = fullTender(world.clock.now);
      const others = {
        minimalStep,
        enquiryPeriod,
        tenderPeriod,
        features: [],
        guarantee: { amount: 1 },
        auctionPeriod: {},
      };
      const owned = { awardPeriod: {}, bids: [], questions: [], complaints: [] };
      const ofReports = procedure === "reporting" ? { lots: [], cause: "noCompetition", causeDescription: "-" } : {};
      for (const [name, value] of Object.entries({ ...others, ...owned, ...ofReports })) {
        const sent = { ...directTender(procedure, world.clock.now), [name]: value };
        assert.deepEqual(errorsOf(expectStatus(422, await api.post("/tenders", sent))), [`body/${name}: Rogue field`]);
      }
      const { path, token } = await made(procedure);
      const patched = await api.patch(path, { tenderPeriod }, { token });
      assert.deepEqual(errorsOf(expectStatus(422, patched)), ["body/tenderPeriod: Rogue field"]);
    });
  }

  it("is read by its id while it is a draft, and listed from its publication on", async () => {
    const { id, path, token } = await made("negotiation", { status: "draft" });
    const isListed = async () =>
      (await api.get("/tenders?descending=1&limit=1")).body.data.some((entry: { id: string }) => entry.id === id);
    assert.equal((await api.get(path, { key: null })).body.data.status, "draft");
    assert.equal(await isListed(), false);
    expectStatus(200, await api.patch(path, { status: "active" }, { token }));
    assert.equal(await isListed(), true);
  });

  it("is listed in the feed, and found by its status", async () => {
    const { id } = await made("reporting");
    const { data } = (await api.get("/tenders?status=active&descending=1&limit=1")).body;
    assert.equal(data[0].id, id);
  });

  it("has fields that the others do not know", async () => {
    for (const name of ["cause", "causeDescription", "causeDescription_en"]) {
      const response = await api.post("/tenders", { ...fullTender(world.clock.now), [name]: "noCompetition" });
      assert.deepEqual(errorsOf(expectStatus(422, response)), [`body/${name}: Rogue field`]);
    }
    const { path, token } = await publish(api, fullTender(world.clock.now));
    const cancelled = await api.post(`${path}/cancellations`, { reason: "-", reasonType: "cancelled" }, { token });
    assert.deepEqual(errorsOf(expectStatus(422, cancelled)), ["body/reasonType: Rogue field"]);
  });

  it("names what is wrong with the cause and the buyer where the protocol does", async () => {
    const sent = directTender("negotiation", world.clock.now);
    const { cause: _cause, ...causeless } = sent;
    const required = expectStatus(422, await api.post("/tenders", causeless)).body.errors[0];
    assert.deepEqual([required.name, required.description], ["cause", ["This field is required."]]);
    const other = { ...sent, procuringEntity: { ...sent.procuringEntity, kind: "other" } };
    assert.deepEqual(errorsOf(expectStatus(403, await api.post("/tenders", other))), [
      "body/kind: u'other' procuringEntity cannot publish this type of procedure. Only general, special, defense are allowed.",
    ]);
    const lot = { ...sent, procurementMethodType: "reporting", cause: undefined, causeDescription: undefined };
    const items = [{ ...sent.items[0], relatedLot: "a".repeat(32) }];
    const [problem] = expectStatus(422, await api.post("/tenders", { ...lot, items })).body.errors;
    assert.deepEqual(
      [problem.name, problem.description],
      ["items", [{ relatedLot: ["This option is not available"] }]],
    );
  });

  it("accepts the levels of the sandbox accounts that it names", async () => {
    const publishBy = async (procedure: string, key: string) =>
      (await api.post("/tenders", directTender(procedure, world.clock.now), { key })).status;
    const keys = ["broker1", "broker2", "broker3", "broker4"];
    const statuses = (procedure: string) => Promise.all(keys.map((key) => publishBy(procedure, key)));
    assert.deepEqual(await statuses("reporting"), [201, 403, 201, 403]);
    for (const procedure of NEGOTIATIONS) assert.deepEqual(await statuses(procedure), [403, 403, 201, 403]);
  });
});

describe("a complaint about an award of a negotiation", async () => {
  const world = await sharedWorld();
  const api = world.api("2.5");

  it("goes from a broker by the reviewers to the owner, and holds the contract up meanwhile", async () => {
    const { path, token, response } = await publish(api, directTender("negotiation", world.clock.now));
    const made = await api.post(`${path}/awards`, supplier({ qualified: true }), { token });
    const award = `${path}/awards/${expectStatus(201, made).body.data.id}`;
    expectStatus(200, await api.patch(award, { status: "active" }, { token }));
    world.clock.forward(MINUTE);
    const complaint = { author: cook, title: "Скарга", status: "pending" };
    const filed = expectStatus(201, await api.post(`${award}/complaints`, complaint, { key: "broker4" }));
    const { id, complaintID, type, author } = filed.body.data;
    assert.deepEqual([complaintID, type, author.name], [`${response.body.data.tenderID}.1`, "complaint", cook.name]);
    const at = `${award}/complaints/${id}`;
    const patch = async (data: object, by: object) => expectStatus(200, await api.patch(at, data, by)).body.data;
    expectStatus(422, await api.patch(at, { rejectReason: "?" }, REVIEWERS));
    assert.equal((await patch({ status: "accepted" }, REVIEWERS)).acceptance, true);
    assert.equal((await patch({ reviewPlace: "Київ" }, REVIEWERS)).reviewPlace, "Київ");
    expectStatus(201, await api.upload(`${at}/documents`, { name: "рішення.txt", content: "-" }, REVIEWERS));
    await patch({ status: "satisfied", decision: "Задоволено" }, REVIEWERS);
    world.clock.forward(12 * DAY);
    const [contract] = (await api.get(`${path}/contracts`)).body.data;
    const sign = () => api.patch(`${path}/contracts/${contract.id}`, { status: "active" }, { token });
    assert.deepEqual(errorsOf(expectStatus(403, await sign())), [
      "body/data: Can't sign contract before reviewing all complaints",
    ]);
    await patch({ status: "resolved", tendererAction: "Виправлено" }, { token });
    expectStatus(200, await sign());
    const shown = (await api.get(path, { key: null })).body.data;
    assert.equal(shown.awards[0].complaints[0].author.name, cook.name);
    for (const version of ["0", "2.3"]) expectStatus(200, await world.api(version).get(path));
  });

  it("shows its author to everybody, even as a draft", async () => {
    const { path, token } = await publish(api, directTender("negotiation", world.clock.now));
    const award = expectStatus(201, await api.post(`${path}/awards`, supplier(), { token })).body.data.id;
    const sent = { title: "Скарга", author: cook };
    const { id } = expectStatus(201, await api.post(`${path}/awards/${award}/complaints`, sent)).body.data;
    const complaint = (await api.get(`${path}/awards/${award}/complaints/${id}`, { key: null })).body.data;
    const tender = (await api.get(path, { key: null })).body.data;
    assert.equal(complaint.status, "draft");
    for (const shown of [complaint, tender.awards[0].complaints[0]]) assert.equal(shown.author.name, cook.name);
  });

  it("is not for the reviewers of other procedures", async () => {
    const { path, token } = await publish(api, directTender("negotiation.quick", world.clock.now));
    const made = await api.post(`${path}/awards`, supplier(), { token });
    const award = `${path}/awards/${expectStatus(201, made).body.data.id}`;
    const filed = await api.post(`${award}/complaints`, { author: cook, title: "Скарга", status: "pending" });
    const at = `${award}/complaints/${expectStatus(201, filed).body.data.id}`;
    expectStatus(403, await api.patch(at, { status: "accepted" }, { key: "reviewer" }));
  });
});
