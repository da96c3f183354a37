import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { answer, fileComplaint, sentBy } from "../support/claims.ts";
import { cook, DAY, formatTime } from "../support/examples.ts";
import { bidOnLots, LOT_A, LOT_B, reachStage, twoLots } from "../support/stages.ts";
import { expectStatus, sharedWorld, type TestResponse } from "../support/world.ts";

/** The end of the permitted time where the tender, a lot or a claim has ended, by time or by others. */

const windowIn = ({ body }: TestResponse): readonly unknown[] => {
  const [{ rule, allowedFrom, allowedUntil }] = body.errors;
  return [rule, allowedFrom, allowedUntil];
};

describe("after the end, an error says when it was:", async () => {
  const world = await sharedWorld();
  const api = world.api("2.5");
  const upload = { name: "a.txt", content: "a" };
  const seen = async (path: string) => expectStatus(200, await api.get(path)).body.data;

  for (const status of ["unsuccessful", "complete", "cancelled"] as const)
    it(`a tender that is ${status} cannot be edited, planned or cancelled`, async () => {
      let cancellation = "";
      const { path, token } = await reachStage(world, status, {
        duringEnquiries: async (tender) => {
          const sent = { reason: "-", status: "pending" };
          const made = await api.post(`${tender.path}/cancellations`, sent, { token: tender.token });
          cancellation = `${tender.path}/cancellations/${expectStatus(201, made).body.data.id}`;
        },
      });
      world.clock.forward(DAY);
      const over = ["wrong-status", undefined, (await seen(path)).date];
      const planned = { auctionPeriod: { startDate: formatTime(world.clock.now + DAY) } };
      for (const refused of [
        await api.patch(path, { title: "?" }, { token }),
        await api.patch(path, planned, { key: "chronograph" }),
        await api.post(`${path}/cancellations`, { reason: "-" }, { token }),
        await api.patch(cancellation, { status: "active" }, { token }),
        await api.upload(`${cancellation}/documents`, upload, { token }),
      ])
        assert.deepEqual(windowIn(expectStatus(403, refused)), over);
    });

  it("a lot without bids gets no awards and cannot be cancelled", async () => {
    const bids = [400, 500].map((amount) => bidOnLots(amount, LOT_A));
    const { path, token } = await reachStage(world, "active.auction", { more: twoLots(), bids });
    world.clock.forward(DAY);
    const { lots } = await seen(path);
    const { date, status } = lots.find(({ id }: { id: string }) => id === LOT_B);
    assert.equal(status, "unsuccessful");
    const sent = { reason: "-", cancellationOf: "lot", relatedLot: LOT_B };
    const refused = expectStatus(403, await api.post(`${path}/cancellations`, sent, { token }));
    assert.deepEqual(windowIn(refused), ["lot-not-active", undefined, date]);
    const late = await api.patch(`${path}/auction/${LOT_B}`, {}, { key: "auction" });
    assert.equal(windowIn(expectStatus(403, late))[0], "lot-not-active");
  });

  it("no questions are accepted about a cancelled lot", async () => {
    const { path, token } = await reachStage(world, "active.enquiries", { more: twoLots() });
    const sent = { reason: "-", status: "active", cancellationOf: "lot", relatedLot: LOT_B };
    expectStatus(201, await api.post(`${path}/cancellations`, sent, { token }));
    world.clock.forward(DAY);
    const { lots, enquiryPeriod } = await seen(path);
    const question = { title: "?", author: cook, questionOf: "lot", relatedItem: LOT_B };
    const refused = expectStatus(403, await api.post(`${path}/questions`, question));
    assert.deepEqual(windowIn(refused), ["lot-not-active", enquiryPeriod.startDate, lots[1].date]);
  });

  it("an answer that was not contested in time has settled the claim", async () => {
    const filed = await fileComplaint(api, await reachStage(world, "active.tendering"));
    expectStatus(200, await api.patch(filed.at, answer(), sentBy(filed, "buyer")));
    world.clock.forward(6 * DAY);
    const { status, date, dateAnswered } = await seen(filed.at);
    assert.equal(status, "resolved");
    const late = await api.patch(filed.at, { satisfied: false }, sentBy(filed, "complainant"));
    assert.deepEqual(windowIn(expectStatus(403, late)), ["wrong-role", dateAnswered, date]);
    const document = await api.upload(`${filed.at}/documents`, upload, sentBy(filed, "complainant"));
    assert.deepEqual(windowIn(expectStatus(403, document)), ["wrong-status", dateAnswered, date]);
    const back = { status: "cancelled", cancellationReason: "-" };
    const withdrawn = await api.patch(filed.at, back, sentBy(filed, "complainant"));
    assert.deepEqual(windowIn(expectStatus(403, withdrawn)), ["wrong-status", undefined, date]);
  });

  it("a contract is signed between its stand-still and now, and a test clock moves only forward", async () => {
    const { path, token, contract, award } = await reachStage(world, "active.awarded");
    const { endDate } = (await seen(`${path}/awards/${award}`)).complaintPeriod;
    world.clock.forward(10 * DAY);
    const future = { status: "active", dateSigned: formatTime(world.clock.now + DAY) };
    const refused = expectStatus(422, await api.patch(`${path}/contracts/${contract}`, future, { token }));
    const [rule, from, until] = windowIn(refused);
    assert.deepEqual([rule, until], ["signed-in-future", formatTime(world.clock.now + 1)]);
    assert.ok(String(from) > endDate);
    const clock = expectStatus(201, await api.post(`${world.url}/sandbox/clocks`, {})).body.data;
    const back = { to: formatTime(world.clock.now - DAY) };
    const moved = await api.post(`${world.url}/sandbox/clocks/${clock.id}/advance`, back);
    assert.deepEqual(windowIn(expectStatus(422, moved)), ["clock-move", clock.now, undefined]);
  });
});
