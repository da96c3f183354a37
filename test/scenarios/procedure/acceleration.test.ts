import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { hashOf } from "../../../src/base/secrets.ts";
import { bidOf, DAY, formatTime, fullTender, publish } from "../../support/examples.ts";
import {
  type AnyJson,
  answerComplaint,
  bidsOf,
  decideLast,
  errorsWithStatus,
  fileAwardClaim,
  LOT_A,
  LOT_B,
  microsecondsOf,
  onBoth,
  passStandStill,
  reachAwarded,
  reachQualification,
  reachTendering,
  reachTenderingEnd,
  withLots,
} from "../../support/procedure.ts";
import { expectStatus, openWorld, sharedWorld, type World } from "../../support/world.ts";

describe("a tender in the sandbox", async () => {
  const world = await sharedWorld();
  const accelerated = (text: string) => ({ procurementMethodDetails: text });
  const standStill = async (more: object) => {
    const story = await reachQualification(world, bidsOf(1), more);
    const { complaintPeriod } = await decideLast(story, "active");
    return microsecondsOf(complaintPeriod.endDate) - world.clock.now;
  };

  for (const [text, parts] of [
    ["quick, accelerator=1440", 1440],
    ["quick, accelerator=2", 2],
    [" accelerator=7", 7],
  ] as const)
    it(`with the details "${text}" has its stand-still divided by ${parts}, on any day of the week`, async () => {
      assert.equal(await standStill(accelerated(text)), Math.floor((2 * DAY) / parts));
    });

  for (const text of ["accelerator=1440", "quick", "quick, accelerator=x", "quick, accelerator=0"])
    it(`with the details "${text}" is not accelerated`, async () => {
      assert.ok((await standStill(accelerated(text))) > DAY);
    });

  it("keeps its own periods when accelerated, and shows the accelerator", async () => {
    const story = await reachTendering(world, [], accelerated("quick, accelerator=1440"));
    const seen = await story.fetchTender();
    assert.equal(seen.procurementMethodDetails, "quick, accelerator=1440");
    const { startDate, endDate } = seen.tenderPeriod;
    assert.equal(microsecondsOf(endDate) - microsecondsOf(startDate), 7 * DAY);
  });

  it("settles answers sooner when accelerated", async () => {
    const story = await reachAwarded(world, bidsOf(1), accelerated("quick, accelerator=1440"));
    const [{ id }] = (await story.fetchTender()).awards;
    const { path } = await fileAwardClaim(story, id);
    const { dateAnswered } = await answerComplaint(story, path);
    const { next_check } = await story.fetchTender();
    assert.equal(microsecondsOf(next_check) - microsecondsOf(dateAnswered), (3 * DAY) / 1440);
  });

  it("ends without a contract at the accelerated end of its stand-still", async () => {
    const story = await reachQualification(world, bidsOf(1), accelerated("quick, accelerator=1440"));
    await decideLast(story, "unsuccessful");
    await passStandStill(story);
    assert.equal((await story.fetchTender()).status, "unsuccessful");
  });

  for (const details of ["quick", "quick(mode:no-auction)", "quick(mode:fast-forward)"])
    it(`with the submission details "${details}" can be auctioned as soon as bidding is closed`, async () => {
      const story = await reachTendering(world, bidsOf(1, 2), { submissionMethodDetails: details });
      const { auctionPeriod, tenderPeriod } = await story.fetchTender();
      assert.deepEqual(auctionPeriod, { shouldStartAfter: tenderPeriod.endDate });
    });

  it("that is quick without a further mode waits for its auction", async () => {
    const story = await reachTenderingEnd(world, bidsOf(1, 2), { submissionMethodDetails: "quick" });
    assert.equal((await story.fetchTender()).status, "active.auction");
  });

  for (const mode of ["no-auction", "fast-forward"]) {
    const more = { submissionMethodDetails: `quick(mode:${mode})` };

    it(`with ${mode} has its awards at the deadline, at the prices of the bids`, async () => {
      const story = await reachTenderingEnd(world, bidsOf(300, 200, 400), more);
      const { status, awards, bids: open, auctionPeriod } = await story.fetchTender();
      assert.equal(status, "active.qualification");
      assert.deepEqual([awards.length, awards[0].value.amount, awards[0].status], [1, 200, "pending"]);
      assert.deepEqual(
        open,
        story.bidders.map(({ data }) => data),
      );
      assert.equal(auctionPeriod?.shouldStartAfter, undefined);
    });

    it(`with ${mode} has an award for every lot`, async () => {
      const story = await reachTenderingEnd(world, [onBoth(3, 4), onBoth(2, 5)], {
        ...withLots(world.clock.now),
        ...more,
      });
      const { status, awards } = await story.fetchTender();
      assert.equal(status, "active.qualification");
      assert.deepEqual(
        awards.map(({ lotID, value }: AnyJson) => [lotID, value.amount]),
        [
          [LOT_A, 2],
          [LOT_B, 4],
        ],
      );
    });
  }

  it("with fast-forward says when its auction ended, also for every lot", async () => {
    const more = { submissionMethodDetails: "quick(mode:fast-forward)" };
    const tender = await (await reachTenderingEnd(world, bidsOf(1, 2), more)).fetchTender();
    assert.equal(tender.auctionPeriod.endDate, formatTime(world.clock.now));
    const split = await reachTenderingEnd(world, [onBoth(3, 4), onBoth(2, 5)], {
      ...withLots(world.clock.now),
      ...more,
    });
    for (const { auctionPeriod } of (await split.fetchTender()).lots)
      assert.equal(auctionPeriod?.endDate, formatTime(world.clock.now));
  });
});

const KEY = "a key that only this test knows";

/** A production server with one broker. */
async function production(t: TestContext): Promise<World> {
  const folder = mkdtempSync(join(tmpdir(), "tenderhall-accounts-"));
  const file = join(folder, "accounts.json");
  writeFileSync(file, JSON.stringify([{ name: "buyer", group: "brokers", levels: "1234", keyHash: hashOf(KEY) }]));
  const world = await openWorld({ MODE: "production", ACCOUNTS_FILE: file });
  t.after(async () => {
    await world.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  return world;
}

describe("a tender in production", () => {
  it("cannot be accelerated, because the field does not exist there", async (t) => {
    const world = await production(t);
    const sent = { ...fullTender(world.clock.now), procurementMethodDetails: "quick, accelerator=1440" };
    const refused = await world.api("2.5").post("/tenders", sent, { key: KEY });
    assert.deepEqual(errorsWithStatus(422, refused), [["body/procurementMethodDetails", "Rogue field"]]);
  });

  it("is neither quick nor without an auction, whatever its details say", async (t) => {
    const world = await production(t);
    const raw = world.api("2.5");
    const api = { ...raw, post: (path: string, data: unknown) => raw.post(path, data, { key: KEY }) };
    const submissionMethodDetails = "quick(mode:no-auction)";
    const { path } = await publish(api, { ...fullTender(world.clock.now), submissionMethodDetails });
    world.clock.forward(7 * DAY);
    for (const amount of [1, 2]) expectStatus(201, await api.post(`${path}/bids`, bidOf(amount)));
    const seen = async () => expectStatus(200, await api.get(path, { key: null })).body.data;
    assert.match((await seen()).auctionPeriod.shouldStartAfter, /T00:00:00\+02:00$/);
    world.clock.forward(7 * DAY);
    assert.equal((await seen()).status, "active.auction");
  });
});
