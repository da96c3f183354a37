import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  answer,
  type ComplaintRole,
  cancel,
  claim,
  closedRefusal,
  type FiledComplaint,
  sentBy,
  TEXT,
} from "../../support/claims.ts";
import { DAY, MINUTE } from "../../support/examples.ts";
import {
  bidOnLots,
  expectCreated,
  FORBIDDEN,
  LOT_A,
  LOT_B,
  outcomeOf,
  reachStage,
  type StagedTender,
  type StageOptions,
  statusOf,
  twoLots,
  WRONG_ROLE,
} from "../../support/stages.ts";
import { type Api, expectStatus, type RequestOptions, sharedWorld, type World } from "../../support/world.ts";

const placeOf = ({ path, award }: StagedTender): string => `${path}/awards/${award}/complaints`;

async function contest(api: Api, tender: StagedTender, more: object = {}): Promise<FiledComplaint> {
  const { token } = tender.bids[0]!;
  const complaint = await expectCreated(api.post(placeOf(tender), claim(more), { token }));
  return { ...tender, complaint, at: `${placeOf(tender)}/${complaint.id}` };
}

async function contestedAs(api: Api, tender: StagedTender, status: string): Promise<FiledComplaint> {
  const filed = await contest(api, tender, status === "draft" ? { status } : {});
  if (status === "answered" || status === "resolved")
    expectStatus(200, await api.patch(filed.at, answer(), sentBy(filed, "buyer")));
  if (status === "resolved")
    expectStatus(200, await api.patch(filed.at, { satisfied: true, status }, sentBy(filed, "complainant")));
  return filed;
}

describe("a complaint about an award is filed", async () => {
  const world = await sharedWorld();
  const api = world.api("2.5");
  const tender = await reachStage(world, "active.qualification");
  const token = tender.bids[0]!.token;

  it("by a bidder with the token of the bid, and its author is always visible", async () => {
    const response = expectStatus(201, await api.post(placeOf(tender), claim(), { token }));
    const { data, access } = response.body;
    assert.equal(response.headers.get("location"), `${api.root}${placeOf(tender)}/${data.id}`);
    assert.match(access.token, /^[0-9a-f]{32}$/);
    assert.equal(data.complaintID, `${tender.response.body.data.tenderID}.1`);
    const award = (await api.get(`${tender.path}/awards/${tender.award}`)).body.data;
    const whole = (await api.get(tender.path)).body.data;
    const alone = (await api.get(`${placeOf(tender)}/${data.id}`)).body.data;
    for (const seen of [data, award.complaints[0], whole.awards[0].complaints[0], alone]) {
      assert.ok(seen.author, JSON.stringify(seen));
      for (const secret of ["owner", "owner_token", "tokenHash"]) assert.ok(!(secret in seen));
    }
  });

  const REFUSED: readonly (readonly [who: string, sent: RequestOptions])[] = [
    ["a broker without a bid", {}],
    ["the buyer", { token: tender.token }],
    ["another broker with the token of the bid", { key: "broker2", token }],
    ["a reviewer", { key: "reviewer" }],
  ];
  for (const [who, sent] of REFUSED)
    it(`but not by ${who}`, async () => {
      assert.equal(outcomeOf(await api.post(placeOf(tender), claim(), sent)), FORBIDDEN);
    });

  it("by admins", async () => {
    expectStatus(201, await api.post(placeOf(tender), claim(), { key: "token" }));
  });

  it("but not about an unknown award", async () => {
    const nowhere = `${tender.path}/awards/${"0".repeat(32)}/complaints`;
    assert.equal(outcomeOf(await api.post(nowhere, claim(), { token })), "404 url/award_id: Not Found");
  });
});

describe("a complaint about an award can be filed", async () => {
  const world = await sharedWorld();
  const api = world.api("2.5");

  it("in active.awarded until the stand-still ends", async () => {
    const tender = await reachStage(world, "active.awarded");
    const filed = await contest(api, tender, { status: "draft" });
    world.clock.forward(5 * DAY);
    const { token } = tender.bids[0]!;
    const late = "403 body/data: Can add complaint only in complaintPeriod";
    assert.equal(outcomeOf(await api.post(placeOf(tender), claim(), { token })), late);
    for (const sent of [{ status: "claim" }, { title: "Інше" }])
      assert.equal(
        outcomeOf(await api.patch(filed.at, sent, sentBy(filed, "complainant"))),
        "403 body/data: Can't update complaint",
      );
    expectStatus(200, await api.patch(filed.at, cancel, sentBy(filed, "complainant")));
  });

  for (const status of ["complete", "cancelled"] as const)
    it(`but neither filed nor edited in ${status}`, async () => {
      let filed!: FiledComplaint;
      const afterAwards = async (staged: StagedTender) => {
        filed = await contest(api, staged);
      };
      const tender =
        status === "complete"
          ? await reachStage(world, status, { afterAwards })
          : await reachCancelled(world, { afterAwards });
      const { token } = tender.bids[0]!;
      const expected = (doing: string) =>
        `403 body/data: Can't ${doing} complaint in current (${status}) tender status`;
      assert.equal(outcomeOf(await api.post(placeOf(tender), claim(), { token })), expected("add"));
      assert.equal(outcomeOf(await api.patch(filed.at, cancel, sentBy(filed, "complainant"))), expected("update"));
      const expectedStatus = status === "complete" ? "ignored" : "claim";
      assert.equal((await api.get(filed.at)).body.data.status, expectedStatus);
    });

  async function reachCancelled(tenderWorld: World, options: StageOptions): Promise<StagedTender> {
    const tender = await reachStage(tenderWorld, "active.qualification", options);
    const { path, token } = tender;
    await expectCreated(api.post(`${path}/cancellations`, { reason: "-", status: "active" }, { token }));
    return tender;
  }
});

type Move = readonly [sentence: string, from: string, who: ComplaintRole, sent: object, expected: string];
const NO = "403 body/data: Can't update complaint";
const MOVES: readonly Move[] = [
  ["its author edits a draft", "draft", "complainant", { title: "Інше" }, "200 draft"],
  ["its author submits a draft", "draft", "complainant", { status: "claim" }, "200 claim"],
  ["its author cancels a claim", "claim", "complainant", cancel, "200 cancelled"],
  ["its author cancels an answered one", "answered", "complainant", cancel, "200 cancelled"],
  ["the buyer acts on a claim", "claim", "buyer", { tendererAction: "-" }, "200 claim"],
  ["the buyer answers a claim", "claim", "buyer", answer(), "200 answered"],
  ["a short answer has the general text", "claim", "buyer", answer({ resolution: "й".repeat(19) }), NO],
  [
    "its author resolves it in spite of all",
    "answered",
    "complainant",
    { satisfied: false, status: "resolved" },
    "200 resolved",
  ],
  ["it is not resolved in silence", "answered", "complainant", { status: "resolved" }, NO],
  ["it is not escalated", "answered", "complainant", { satisfied: false, status: "pending" }, NO],
  ["a claim is not edited by its author", "claim", "complainant", { title: "Інше" }, WRONG_ROLE],
  ["the buyer does not resolve it", "claim", "buyer", { status: "resolved" }, NO],
  [
    "an answer has a kind",
    "claim",
    "buyer",
    { status: "answered", resolution: TEXT },
    '422 body/resolutionType: ["This field is required."]',
  ],
  ["a resolved one is over", "resolved", "complainant", cancel, closedRefusal("resolved")],
  ["a reviewer decides nothing", "claim", "reviewer", { status: "resolved" }, WRONG_ROLE],
  ["a stranger touches nothing", "claim", "stranger", cancel, FORBIDDEN],
];

describe("in the life of a complaint about an award", async () => {
  const world = await sharedWorld();
  const api = world.api("2.5");
  const tender = await reachStage(world, "active.qualification");
  for (const [sentence, from, who, sent, expected] of MOVES)
    it(sentence, async () => {
      const filed = await contestedAs(api, tender, from);
      const response = await api.patch(filed.at, sent, sentBy(filed, who));
      assert.equal(response.status === 200 ? `200 ${response.body.data.status}` : outcomeOf(response), expected);
    });
});

describe("a complaint about an award delays the end:", async () => {
  const world = await sharedWorld();
  const api = world.api("2.5");
  const signed = { status: "active" };

  it("an answered complaint prevents signing, a claim does not", async () => {
    const tender = await reachStage(world, "active.awarded");
    const filed = await contest(api, tender);
    world.clock.forward(5 * DAY);
    expectStatus(200, await api.patch(filed.at, answer(), sentBy(filed, "buyer")));
    const contract = `${tender.path}/contracts/${tender.contract}`;
    const expected = "403 body/data: Can't sign contract before reviewing all complaints";
    assert.equal(outcomeOf(await api.patch(contract, signed, { token: tender.token })), expected);
    world.clock.forward(3 * DAY);
    expectStatus(200, await api.patch(contract, signed, { token: tender.token }));
    assert.equal(await statusOf(api, tender.path), "complete");
    assert.equal((await api.get(filed.at)).body.data.status, "resolved");
  });

  const rejected = async (): Promise<FiledComplaint & StagedTender> => {
    const tender = await reachStage(world, "active.qualification");
    const { path, award, token } = tender;
    expectStatus(200, await api.patch(`${path}/awards/${award}`, { status: "unsuccessful" }, { token }));
    return { ...tender, ...(await contest(api, tender)) };
  };

  /** An answer a minute before the end of the stand-still can be contested for three days. */
  const answeredLate = async (): Promise<FiledComplaint & StagedTender> => {
    const filed = await rejected();
    const { endDate } = (await api.get(`${filed.path}/awards/${filed.award}`)).body.data.complaintPeriod;
    world.clock.forward(Date.parse(endDate) * 1000 - world.clock.now - MINUTE);
    expectStatus(200, await api.patch(filed.at, answer(), sentBy(filed, "buyer")));
    world.clock.forward(2 * MINUTE);
    assert.equal(await statusOf(api, filed.path), "active.awarded");
    return filed;
  };

  it("a contested rejection is not final until the answer is settled", async () => {
    const filed = await answeredLate();
    world.clock.forward(3 * DAY - 3 * MINUTE);
    assert.equal(await statusOf(api, filed.path), "active.awarded");
    world.clock.forward(2 * MINUTE);
    assert.equal(await statusOf(api, filed.path), "unsuccessful");
  });

  for (const [how, sent] of [
    ["withdrawn", cancel],
    ["resolved", { satisfied: true, status: "resolved" }],
  ] as const)
    it(`the tender ends at once when the last complaint is ${how} after the stand-still`, async () => {
      const filed = await answeredLate();
      expectStatus(200, await api.patch(filed.at, sent, sentBy(filed, "complainant")));
      assert.equal(await statusOf(api, filed.path), "unsuccessful");
    });

  it("an unanswered claim becomes ignored when the tender ends", async () => {
    const filed = await rejected();
    world.clock.forward(6 * DAY);
    assert.equal(await statusOf(api, filed.path), "unsuccessful");
    assert.equal((await api.get(filed.at)).body.data.status, "ignored");
  });

  it("a rejection can be taken back only after a complaint, which is closed with it", async () => {
    const quiet = await reachStage(world, "active.qualification");
    const reject = (staged: StagedTender, status: string) =>
      api.patch(`${staged.path}/awards/${staged.award}`, { status }, { token: staged.token });
    expectStatus(200, await reject(quiet, "unsuccessful"));
    const expected = "403 body/data: Can't update award in current (unsuccessful) status";
    assert.equal(outcomeOf(await reject(quiet, "cancelled")), expected);
    const filed = await rejected();
    expectStatus(200, await reject(filed, "cancelled"));
    const { status, cancellationReason, dateCanceled } = (await api.get(filed.at)).body.data;
    assert.deepEqual([status, cancellationReason, !!dateCanceled], ["cancelled", "cancelled", true]);
    assert.equal(await statusOf(api, filed.path), "active.qualification");
  });
});

describe("a complaint about an award of a lot", async () => {
  const world = await sharedWorld();
  const api = world.api("2.5");
  const bids = [bidOnLots(100000, LOT_A, LOT_B)];

  it("always concerns that lot, and is closed with it", async () => {
    const tender = await reachStage(world, "active.qualification", { more: twoLots(), bids });
    const { path, token, award } = tender;
    const { lotID } = (await api.get(`${path}/awards/${award}`)).body.data;
    const filed = await contest(api, tender, { relatedLot: lotID === LOT_A ? LOT_B : LOT_A, status: "draft" });
    assert.equal((await api.get(filed.at)).body.data.relatedLot, lotID);
    const sent = { reason: "-", status: "active", cancellationOf: "lot", relatedLot: lotID };
    await expectCreated(api.post(`${path}/cancellations`, sent, { token }));
    const expected = (doing: string) => `403 body/data: Can ${doing} only in active lot status`;
    const mine = { token: tender.bids[0]!.token };
    assert.equal(outcomeOf(await api.post(placeOf(tender), claim(), mine)), expected("add complaint"));
    assert.equal(
      outcomeOf(await api.patch(filed.at, cancel, sentBy(filed, "complainant"))),
      expected("update complaint"),
    );
    const upload = await api.upload(
      `${filed.at}/documents`,
      { name: "a.txt", content: "a" },
      sentBy(filed, "complainant"),
    );
    assert.equal(outcomeOf(upload), expected("add document"));
  });
});
