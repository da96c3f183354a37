import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { claim, fileComplaint } from "../../support/claims.ts";
import { bidOf, formatTime, fullTender, MINUTE, publish, school } from "../../support/examples.ts";
import { ENDED, FORBIDDEN, LOT_A, lotOf, outcomeOf, reachStage, twoLots } from "../../support/stages.ts";
import { expectStatus, sharedWorld } from "../../support/world.ts";

const paper = { name: "папір.txt", content: "Папір" };
const NOT_AUTHOR = "403 url/role: Can update document only author";

describe("an Administrator", async () => {
  const world = await sharedWorld();
  const api = world.api("2.5");
  const by = { key: "administrator" };
  const start = "2030-01-01T12:00:00+02:00";

  it("changes only status, mode, buyer and the auction plan", async () => {
    const { path } = await reachStage(world, "active.tendering");
    const before = (await api.get(path)).body.data;
    const sent = {
      title: "Інше",
      value: { amount: 1 },
      items: [{ description: "Інше" }],
      tenderPeriod: { endDate: formatTime(world.clock.now + MINUTE) },
      procuringEntity: { name: "Школа №11" },
      auctionPeriod: { startDate: start },
    };
    const after = expectStatus(200, await api.patch(path, sent, by)).body.data;
    for (const name of ["title", "value", "items", "tenderPeriod"]) assert.deepEqual(after[name], before[name], name);
    assert.deepEqual([after.procuringEntity.name, after.auctionPeriod.startDate], ["Школа №11", start]);
    assert.equal(after.procuringEntity.identifier.id, school.identifier.id);
    const marked = expectStatus(200, await api.patch(path, { mode: "test" }, by)).body.data;
    assert.match(marked.title, /^\[ТЕСТУВАННЯ\] /);
    const moved = expectStatus(200, await api.patch(path, { status: "unsuccessful" }, by)).body.data;
    assert.equal(moved.status, "unsuccessful");
  });

  for (const status of ENDED)
    it(`repairs a tender that is ${status}`, async () => {
      const { path } = await reachStage(world, status);
      const entity = { procuringEntity: { name: "Школа №11" } };
      assert.equal(expectStatus(200, await api.patch(path, entity, by)).body.data.procuringEntity.name, "Школа №11");
      const to = status === "cancelled" ? "unsuccessful" : "cancelled";
      assert.equal(expectStatus(200, await api.patch(path, { status: to }, by)).body.data.status, to);
    });

  it("cannot move a tender back to enquiries, and can only publish a draft", async () => {
    const { path } = await reachStage(world, "active.tendering");
    const same = expectStatus(200, await api.patch(path, { status: "active.enquiries" }, by));
    assert.equal(same.body.data.status, "active.tendering");
    const draft = await reachStage(world, "draft");
    const expected = "403 body/data: Can't update tender in current (draft) status";
    assert.equal(outcomeOf(await api.patch(draft.path, { mode: "test" }, by)), expected);
    const sent = { status: "active.enquiries", mode: "test" };
    const { data } = expectStatus(200, await api.patch(draft.path, sent, by)).body;
    assert.deepEqual([data.status, data.mode], ["active.enquiries", undefined], "other keys are ignored");
  });

  it("changes an award's complaint period but not its status", async () => {
    const { path, award } = await reachStage(world, "active.qualification");
    const endDate = formatTime(world.clock.now + MINUTE);
    const sent = { status: "active", title: "Інше", complaintPeriod: { endDate } };
    const { data } = expectStatus(200, await api.patch(`${path}/awards/${award}`, sent, by)).body;
    assert.deepEqual([data.status, data.title, data.complaintPeriod.endDate], ["pending", undefined, endDate]);
  });

  it("plans the auction of a lot, and changes nothing else of it, during enquiries", async () => {
    const { path } = await reachStage(world, "active.enquiries", { more: twoLots() });
    const sent = { title: "Інший", auctionPeriod: { startDate: start } };
    const { data } = expectStatus(200, await api.patch(`${path}/lots/${LOT_A}`, sent, by)).body;
    assert.deepEqual([data.title, data.auctionPeriod.startDate], ["Лот", start]);
  });

  for (const status of ["active.tendering", "unsuccessful"] as const)
    it(`cannot change a lot by its own URL in ${status}`, async () => {
      const { path } = await reachStage(world, status, { more: twoLots() });
      const expected = `403 body/data: Can't update lot in current (${status}) tender status`;
      const sent = { auctionPeriod: { startDate: start } };
      assert.equal(outcomeOf(await api.patch(`${path}/lots/${LOT_A}`, sent, by)), expected);
    });

  it("cannot upload documents", async () => {
    const { path } = await reachStage(world, "active.enquiries");
    assert.equal(outcomeOf(await api.upload(`${path}/documents`, paper, by)), FORBIDDEN);
  });
});

describe("the chronograph", async () => {
  const world = await sharedWorld();
  const api = world.api("2.5");
  const by = { key: "chronograph" };
  const start = "2030-01-01T12:00:00+02:00";

  it("plans the start of auctions but not their end, and changes nothing else", async () => {
    const { path } = await reachStage(world, "active.tendering");
    const sent = {
      title: "Інше",
      mode: "test",
      status: "cancelled",
      auctionPeriod: { startDate: start, endDate: start },
    };
    const { data } = expectStatus(200, await api.patch(path, sent, by)).body;
    assert.deepEqual([data.title, data.mode, data.status], [fullTender().title, undefined, "active.tendering"]);
    assert.deepEqual([data.auctionPeriod.startDate, data.auctionPeriod.endDate], [start, undefined]);
  });

  it("plans the auctions of lots by position", async () => {
    const { path } = await reachStage(world, "active.tendering", { more: twoLots() });
    const lots = [{}, { title: "Інший", auctionPeriod: { startDate: start } }];
    const { data } = expectStatus(200, await api.patch(path, { lots }, by)).body;
    assert.deepEqual(
      data.lots.map((lot: { title: string; auctionPeriod: { startDate?: string } }) => [
        lot.title,
        lot.auctionPeriod.startDate,
      ]),
      [
        ["Лот", undefined],
        ["Лот", start],
      ],
    );
  });

  for (const status of ENDED)
    it(`is refused in ${status}`, async () => {
      const { path, id } = await reachStage(world, status);
      const expected = `403 body/data: Can't update tender in current (${status}) status`;
      assert.equal(outcomeOf(await api.patch(path, { id }, by)), expected);
    });

  it("sees times and numbers, but no author of a claim, no token and no bids", async () => {
    const tender = await reachStage(world, "active.tendering", { bids: [bidOf(1000), bidOf(2000)] });
    const { complaint } = await fileComplaint(api, tender);
    const { body, text } = expectStatus(200, await api.get(`${tender.path}/chronograph`, by));
    const known = ["id", "status", "enquiryPeriod", "tenderPeriod", "auctionPeriod", "complaints", "next_check"];
    assert.deepEqual(Object.keys(body.data).toSorted(), known.toSorted());
    assert.ok(!("author" in body.data.complaints[0]));
    for (const secret of [complaint.token, tender.token, "tokenHash", "owner_token"]) assert.ok(!text.includes(secret));
  });
});

describe("documents belong to the role that added them:", async () => {
  const world = await sharedWorld();
  const api = world.api("2.5");

  it("bots, owners and admins can each change only their own", async () => {
    const { path, token } = await reachStage(world, "active.enquiries");
    const roles = { bots: { key: "bot" }, tender_owner: { token }, admins: { key: "token" } };
    for (const [role, by] of Object.entries(roles)) {
      const { data } = expectStatus(201, await api.upload(`${path}/documents`, paper, by)).body;
      assert.equal(data.author, role);
      for (const [other, sent] of Object.entries(roles)) {
        const at = `${path}/documents/${data.id}`;
        const expected = role === other ? "200" : NOT_AUTHOR;
        assert.equal(
          outcomeOf(await api.upload(at, paper, { ...sent, method: "PUT" })),
          expected,
          `${other} on ${role}'s`,
        );
        assert.equal(outcomeOf(await api.patch(at, { description: other }, sent)), expected, `${other} on ${role}'s`);
      }
    }
  });

  it("a bot adds documents to an award but cannot change them", async () => {
    const { path, award, token } = await reachStage(world, "active.qualification");
    const at = `${path}/awards/${award}/documents`;
    const { data } = expectStatus(201, await api.upload(at, paper, { key: "bot" })).body;
    assert.equal(data.author, "bots");
    assert.equal(outcomeOf(await api.upload(`${at}/${data.id}`, paper, { key: "bot", method: "PUT" })), FORBIDDEN);
    assert.equal(outcomeOf(await api.patch(`${at}/${data.id}`, { description: "!" }, { token })), NOT_AUTHOR);
  });
});

describe("the same rules hold under 2.3, with its own status names:", async () => {
  const world = await sharedWorld();
  const api = world.api("2.3");

  it("in tendering no lot is added, and a claim may be filed and answered", async () => {
    const tender = await reachStage(world, "active.tendering");
    const { path, token } = tender;
    const expected = "403 body/data: Can't add lot in current (tendering) tender status";
    assert.equal(outcomeOf(await api.post(`${path}/lots`, lotOf(LOT_A, 1), { token })), expected);
    const filed = await fileComplaint(api, tender);
    const sent = { status: "answered", resolution: "й".repeat(20), resolutionType: "declined" };
    assert.equal(expectStatus(200, await api.patch(filed.at, sent, { token })).body.data.status, "answered");
    assert.equal((await api.get(filed.at)).body.data.author, undefined);
    const wrong = await api.post(`${path}/complaints`, { ...claim(), title: undefined });
    assert.equal(outcomeOf(wrong), "422 body/title: This field is required.");
  });

  it("a cancellation ends the tender, and no claim is filed after it", async () => {
    const { path, token } = await publish(api, fullTender(world.clock.now));
    const { body } = expectStatus(201, await api.post(`${path}/cancellations`, { reason: "-" }, { token }));
    const at = `${path}/cancellations/${body.data.id}`;
    expectStatus(200, await api.patch(at, { status: "active" }, { token }));
    const expected = "403 body/data: Can't add complaint in current (cancelled) tender status";
    assert.equal(outcomeOf(await api.post(`${path}/complaints`, claim())), expected);
  });
});
