import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { AUCTION, BIDDER, OWNER, type Scene } from "../../test/support/decisions.ts";
import { accepted, complain, direct, supplier } from "../../test/support/directScenes.ts";
import {
  addCancellation,
  addDocument,
  answerQuestion,
  askQuestion,
  changeAward,
  DEADLINE,
  editTender,
  finishAuction,
  LOT_A,
  LOT_B,
  meals,
  money,
  onBoth,
  placeBid,
  removeLot,
  signContract,
  TENDERING,
  twoLots,
  withdrawBid,
} from "../../test/support/domainCommands.ts";
import { OCDS_SETTINGS, releasesOfScenes } from "../../test/support/ocdsWalks.ts";
import { cook } from "../../test/support/organizations.ts";
import { zone } from "../../test/support/randomWalks.ts";
import { awarded, decided, plain, published, signed, standStillEndOf, tendering } from "../../test/support/scenes.ts";
import { MINUTE } from "../domain/values/time.ts";
import { publicTender } from "../views/publicTender.ts";
import { checkProcess } from "./coherence/coherence.ts";
import { compileReleases, withoutHead } from "./merge.ts";
import { objectAt, objectsIn } from "./ocdsValues.ts";
import { isPublished, nextRelease } from "./release.ts";

const lastTags = (...scenes: readonly Scene[]): readonly string[] => releasesOfScenes(scenes).at(-1)?.tag ?? [];
const COOK_ID = "UA-EDR-00137256";
const OTHER_COOK = { ...cook, name: "ТОВ Ситно", identifier: { scheme: "UA-EDR", id: "82222222" } };
const OTHER_COOK_ID = "UA-EDR-82222222";

/** The tender in qualification, after an auction in which no price changed. */
function opened(scene: Scene): Scene {
  const lots = scene.tender.lots.length > 0 ? [LOT_A, LOT_B] : [undefined];
  return lots.reduce(
    (current, lot) => current.send(AUCTION, finishAuction({}, lot)),
    scene.at(DEADLINE).tick().later(MINUTE),
  );
}

const minuteLater = (scene: Scene): Scene => scene.later(MINUTE);

describe("the tags of a release", () => {
  it("say what happened to a tender", () => {
    const start = published();
    const asked = minuteLater(start).send(BIDDER, askQuestion());
    const answered = minuteLater(asked).send(OWNER, answerQuestion(asked.id, "Так"));
    assert.deepEqual(lastTags(start), ["tender"]);
    assert.deepEqual(lastTags(start, asked), ["tenderUpdate"]);
    assert.deepEqual(lastTags(asked, answered), ["tenderUpdate"]);
    assert.deepEqual(lastTags(start, minuteLater(start).send(OWNER, addDocument())), ["tenderUpdate"]);
    assert.deepEqual(lastTags(start, minuteLater(start).send(OWNER, editTender({ title: "Інша" }))), [
      "tenderAmendment",
    ]);
    assert.deepEqual(lastTags(start, start.at(TENDERING)), ["tenderUpdate"]);
    const cancelled = minuteLater(start).send(OWNER, addCancellation({ status: "active" }));
    assert.deepEqual(lastTags(start, cancelled), ["tenderCancellation"]);
    assert.deepEqual(lastTags(cancelled), ["tender", "tenderCancellation"]);
    const withoutBids = tendering();
    assert.deepEqual(lastTags(withoutBids, withoutBids.at(DEADLINE).tick()), ["tenderUpdate"]);
  });

  it("say what happened to awards and contracts", () => {
    const sealed = tendering(["400", "500"]);
    const qualification = opened(sealed);
    const rejected = decided(minuteLater(qualification), "unsuccessful");
    const won = decided(minuteLater(qualification), "active");
    assert.deepEqual(lastTags(sealed, qualification), ["tenderUpdate", "award"]);
    assert.deepEqual(lastTags(qualification, rejected), ["tenderUpdate", "award", "awardUpdate"]);
    assert.deepEqual(lastTags(qualification, won), ["tenderUpdate", "awardUpdate"]);
    assert.deepEqual(lastTags(won, signed(won)), ["tenderUpdate", "contract"]);
    const direct = accepted("reporting");
    const award = direct.tender.awards[0]?.id ?? "";
    const revoked = minuteLater(direct).send(OWNER, changeAward(award, { status: "cancelled" }));
    assert.deepEqual(lastTags(direct, revoked), ["awardCancellation"]);
    const negotiated = accepted("negotiation");
    const complained = minuteLater(negotiated).send(BIDDER, complain(negotiated.tender.awards[0]?.id ?? ""));
    assert.deepEqual(lastTags(negotiated, complained), ["awardUpdate"]);
  });
});

describe("a release", () => {
  it("is numbered by the public versions, and dated when its change was committed", () => {
    const start = published();
    const releases = releasesOfScenes([start, minuteLater(start).send(OWNER, addDocument())]);
    const ocid = `ocds-213czf-${start.tender.id}`;
    assert.deepEqual(
      releases.map(({ ocid, id, date }) => ({ ocid, id, date })),
      [
        { ocid, id: `${ocid}-1`, date: "2026-11-16T08:00:00.000000Z" },
        { ocid, id: `${ocid}-2`, date: "2026-11-16T08:01:00.000000Z" },
      ],
    );
  });

  it("has what changed, and not what stayed the same", () => {
    const start = published(twoLots);
    const [, update] = releasesOfScenes([start, minuteLater(start).send(OWNER, addDocument())]);
    const tender = objectAt(update ?? {}, "tender");
    assert.equal(objectsIn(tender.documents).length, 1);
    assert.equal(tender.lots, undefined);
    assert.equal(tender.items, undefined);
    assert.equal(tender.title, start.tender.title);
  });

  it("describes every organisation that it refers to", () => {
    const qualification = opened(tendering(["400", "500"]));
    const [, award] = releasesOfScenes([qualification, decided(minuteLater(qualification), "active")]);
    const party = objectsIn(award?.parties).find(({ id }) => id === COOK_ID);
    assert.deepEqual(party?.roles, ["tenderer", "supplier"]);
    assert.equal(party?.name, cook.name);
  });

  it("repeats what makes it understandable by itself: references for each role, and the awards of contracts", () => {
    const won = decided(minuteLater(opened(tendering(["400", "500"]))), "active");
    const [, contract] = releasesOfScenes([won, signed(won)]);
    const [award] = won.tender.awards;
    assert.deepEqual(contract?.awards, [{ id: award?.id, status: "active" }]);
    assert.equal(objectsIn(objectAt(contract ?? {}, "tender").tenderers).length, 1);
    assert.equal(objectAt(contract ?? {}, "tender").numberOfTenderers, undefined);
  });

  it("sets values to null that are no longer there", () => {
    const start = published({ description: "Обіди", guarantee: money("100") });
    const releases = releasesOfScenes([
      start,
      minuteLater(start).with({ description: undefined, guarantee: undefined }),
    ]);
    const tender = objectAt(releases[1] ?? {}, "tender");
    assert.equal(tender.description, null);
    assert.deepEqual(tender.guarantee, { amount: null, currency: null });
    const compiled = objectAt(compileReleases(releases), "tender");
    assert.ok(!("description" in compiled) && !("guarantee" in compiled));
  });

  it("leaves a removed lot as its id and as cancelled", () => {
    const start = published(twoLots);
    const releases = releasesOfScenes([start, minuteLater(start).send(OWNER, removeLot(LOT_B))]);
    const lots = objectsIn(objectAt(compileReleases(releases), "tender").lots);
    assert.deepEqual(lots[1], { id: LOT_B, status: "cancelled" });
  });

  it("gives an organisation its present name also in what is left of removed elements", () => {
    const start = published();
    const question = { id: "1", date: start.now, author: cook };
    const asked = start.with({ status: "unsuccessful", questions: [question] });
    const renamed = { ...question, id: "2", author: { ...cook, name: "Смачно" } };
    const releases = releasesOfScenes([asked, minuteLater(asked).with({ questions: [renamed] })]);
    const enquiries = objectsIn(objectAt(compileReleases(releases), "tender").enquiries);
    assert.deepEqual(
      enquiries.map((enquiry) => [enquiry.id, objectAt(enquiry, "author").name]),
      [
        ["1", "Смачно"],
        ["2", "Смачно"],
      ],
    );
    assert.deepEqual(checkProcess(releases), []);
  });

  it("leaves a withdrawn bid as its id and as withdrawn, and does not count its bidder as a tenderer", () => {
    const start = plain().at(TENDERING).tick();
    const bid = minuteLater(start).send(BIDDER, placeBid("400"));
    const withdrawn = minuteLater(bid).send(BIDDER, withdrawBid(bid.id));
    const again = minuteLater(withdrawn).send(BIDDER, placeBid("500", { tenderers: [OTHER_COOK] }));
    const releases = releasesOfScenes([start, bid, withdrawn, again, again.at(DEADLINE).tick()]);
    const compiled = compileReleases(releases);
    const [details] = objectsIn(objectAt(compiled, "bids").details);
    assert.deepEqual(details, { id: bid.id, status: "withdrawn", tenderers: [{ id: COOK_ID }] });
    const { numberOfTenderers, tenderers } = objectAt(compiled, "tender");
    assert.equal(numberOfTenderers, 1);
    assert.deepEqual(tenderers, [{ id: OTHER_COOK_ID, name: OTHER_COOK.name }]);
    assert.deepEqual(objectsIn(compiled.parties)[0], { id: COOK_ID, roles: ["tenderer"] });
    assert.deepEqual(checkProcess(releases), []);
  });

  it("leaves of a supplier who was replaced a void reference, and a party without a name", () => {
    const recorded = minuteLater(direct("reporting")).send(OWNER, supplier());
    const awards = recorded.tender.awards.map((award) => ({ ...award, suppliers: [OTHER_COOK] }));
    const releases = releasesOfScenes([recorded, minuteLater(recorded).with({ awards })]);
    const compiled = compileReleases(releases);
    assert.deepEqual(objectsIn(compiled.awards)[0]?.suppliers, [
      { id: COOK_ID },
      { id: OTHER_COOK_ID, name: OTHER_COOK.name },
    ]);
    assert.deepEqual(
      objectsIn(compiled.parties).filter(({ name }) => name === undefined),
      [{ id: COOK_ID, roles: ["supplier"] }],
    );
    assert.deepEqual(checkProcess(releases), []);
  });

  it("does not count tenderers if one of them was removed after the opening", () => {
    const known = opened(tendering(["400", "500"]));
    const bids = known.stored.bids.map((bid) => ({ ...bid, tenderers: [OTHER_COOK] }));
    const releases = releasesOfScenes([known, minuteLater(known).with({ bids })]);
    assert.equal(objectAt(releases[0] ?? {}, "tender").numberOfTenderers, 1);
    const { numberOfTenderers, tenderers } = objectAt(compileReleases(releases), "tender");
    assert.equal(numberOfTenderers, undefined);
    assert.equal(objectsIn(tenderers).length, 2);
    assert.deepEqual(checkProcess(releases), []);
  });

  it("lists amendments, each with the release that it amends", () => {
    const start = published();
    const asked = minuteLater(start).send(BIDDER, askQuestion());
    const edited = minuteLater(asked).send(OWNER, editTender({ title: "Інша" }));
    const again = minuteLater(edited).send(OWNER, editTender({ items: [{ ...meals, description: "Сніданки" }] }));
    const releases = releasesOfScenes([start, asked, edited, again]);
    const [, second, third, fourth] = releases.map(({ id }) => id);
    const amendments = objectsIn(objectAt(compileReleases(releases), "tender").amendments);
    assert.deepEqual(
      amendments.map(({ id, releaseID, amendsReleaseID, description }) => ({
        id,
        releaseID,
        amendsReleaseID,
        description,
      })),
      [
        { id: "amendment-3", releaseID: third, amendsReleaseID: second, description: "tender: title" },
        { id: "amendment-4", releaseID: fourth, amendsReleaseID: third, description: "tender: items" },
      ],
    );
  });

  it("does not exist for a change that OCDS cannot express, but its number is taken", () => {
    const start = published();
    const settings = { now: start.now, zone, sandbox: false };
    const first = nextRelease(
      undefined,
      { number: 1, at: start.now, tender: publicTender(start.tender, settings) },
      OCDS_SETTINGS,
    );
    assert.ok(first);
    const recalculated = { ...publicTender(start.tender, settings), next_check: DEADLINE + 1 };
    assert.equal(
      nextRelease(first.state, { number: 2, at: start.now + 1, tender: recalculated }, OCDS_SETTINGS),
      undefined,
    );
  });

  it("does not exist for drafts and tests", () => {
    assert.ok(!isPublished(published({ status: "draft" }).tender));
    assert.deepEqual(releasesOfScenes([published({ mode: "test" })]), []);
    assert.ok(isPublished(published().tender));
  });

  it("can be made from the stored compiled release alone", () => {
    const sealed = tendering(["400", "500"]);
    const scenes = [sealed, opened(sealed)];
    const [first, second] = releasesOfScenes(scenes);
    assert.ok(first && second);
    const state = { content: withoutHead(compileReleases([first])), releaseID: first.id, date: first.date };
    const { tender, now } = scenes[1] ?? assert.fail();
    const view = publicTender(tender, { now, zone, sandbox: true });
    assert.deepEqual(nextRelease(state, { number: 2, at: now, tender: view }, OCDS_SETTINGS)?.release, second);
  });

  it("of a tender on a test clock is not earlier than what happened in it", () => {
    const onClock = (scene: Scene): Scene => scene.with({ testClock: "c".repeat(32) });
    const later = onClock(awarded(["400"]));
    const at = published().now;
    const settings = { now: later.now, zone, sandbox: true };
    const step = nextRelease(undefined, { number: 1, at, tender: publicTender(later.tender, settings) }, OCDS_SETTINGS);
    const [award] = objectsIn(step?.release.awards);
    assert.ok(step && step.release.date >= String(award?.date));
    const next = publicTender({ ...later.tender, title: "Інша" }, settings);
    const following = nextRelease(step.state, { number: 2, at: at + 1, tender: next }, OCDS_SETTINGS);
    assert.ok(following && following.release.date > step.release.date);
  });
});

describe("what a release says about bids", () => {
  it("is nothing while they are sealed, and everything once they are opened", () => {
    const sealed = tendering([onBoth("900", "800"), onBoth("700", "600")], twoLots);
    const releases = releasesOfScenes([sealed, opened(sealed)]);
    assert.equal(releases[0]?.bids, undefined);
    assert.equal(objectAt(releases[0] ?? {}, "tender").numberOfTenderers, undefined);
    assert.doesNotMatch(JSON.stringify(releases[0]), new RegExp(cook.identifier.id));
    const details = objectsIn(objectAt(releases[1] ?? {}, "bids").details);
    assert.deepEqual(
      details.map((bid) => objectAt(bid, "value").amount),
      [1700, 1300],
    );
    assert.deepEqual(details[0]?.relatedLots, [LOT_A, LOT_B]);
    // Both bids are of the same company.
    assert.equal(objectAt(releases[1] ?? {}, "tender").numberOfTenderers, 1);
  });

  it("does not change with bids that are sealed", () => {
    const { tender } = tendering([]);
    const { bids } = tendering(["400", "500"]).tender;
    const [none, some] = [tender, { ...tender, bids }].map((each) => {
      const view = publicTender(each, { now: TENDERING + MINUTE, zone, sandbox: false });
      return nextRelease(undefined, { number: 1, at: TENDERING, tender: view }, OCDS_SETTINGS);
    });
    assert.equal(bids.length, 2);
    assert.equal(JSON.stringify(some), JSON.stringify(none));
  });
});

describe("what a release says about contracts", () => {
  it("is nothing before they are signed", () => {
    const won = awarded(["400"]);
    assert.equal(won.tender.contracts.length, 1);
    const [before, after] = releasesOfScenes([
      won,
      won.at(standStillEndOf(won)).send(OWNER, signContract(won.tender.contracts[0]?.id ?? "")),
    ]);
    assert.equal(before?.contracts, undefined);
    const [contract] = objectsIn(after?.contracts);
    assert.equal(contract?.status, "active");
    assert.equal(contract?.awardID, won.tender.awards[0]?.id);
  });

  it("starts with an award, which makes the tender complete", () => {
    const start = direct("reporting");
    const [first, second] = releasesOfScenes([start, minuteLater(start).send(OWNER, supplier())]);
    assert.equal(objectAt(first ?? {}, "tender").status, "active");
    assert.equal(objectAt(second ?? {}, "tender").status, "complete");
    assert.equal(objectAt(second ?? {}, "tender").statusDetails, "active");
  });
});
