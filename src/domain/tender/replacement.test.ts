import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { BIDDER, contextOf, OWNER, reasonOf, type Scene, STRANGER } from "../../../test/support/decisions.ts";
import {
  addCancellation,
  addDocument,
  answerClaim,
  askQuestion,
  cancelTender,
  DEADLINE,
  fileClaim,
  LOT_A,
  money,
  NOBODY,
  onBoth,
  START,
  TENDERING,
  twoLots,
} from "../../../test/support/domainCommands.ts";
import {
  awarded,
  bidOf,
  closed,
  lastAward,
  placed,
  plain,
  published,
  qualifying,
  tendering,
} from "../../../test/support/scenes.ts";
import type { Tender } from "../model/tender.ts";
import { DAY, HOUR, MINUTE } from "../values/time.ts";
import { allDocuments, replaceTender } from "./replacement.ts";

type ReplacementOptions = { readonly force?: boolean; readonly hasFile?: (key: string) => boolean };

const replacing = (
  { stored, now }: Scene,
  more: Partial<Tender>,
  { force = false, hasFile = () => true }: ReplacementOptions = {},
) => replaceTender(stored, { tender: { ...stored, ...more }, force, hasFile }, contextOf(OWNER, now));

function replaced(scene: Scene, more: Partial<Tender>, options?: ReplacementOptions): Tender {
  const decided = replacing(scene, more, options);
  if (!decided.ok) assert.fail(reasonOf(decided.refused));
  return decided.value.tender;
}

function outcome(scene: Scene, more: Partial<Tender>, options?: ReplacementOptions): string {
  const decided = replacing(scene, more, options);
  return decided.ok ? "ok" : reasonOf(decided.refused);
}

const FORCE = { force: true };
const EARLY = "Bids stay sealed until the tender period ends";
const ENDED = "The tender can't go back: bids may have been placed or seen already";

describe("a replacement", () => {
  const scene = published().later(MINUTE);

  it("replaces the stored tender and gets a date", () => {
    const { title, dateModified } = replaced(scene, { title: "Інше" });
    assert.deepEqual([title, dateModified], ["Інше", scene.now]);
  });

  it("keeps the identity of the tender, whatever it contains", () => {
    const more = { id: NOBODY, tenderID: "UA-1", dateModified: 5, testClock: "other", title: "Інше" };
    const after = replaced(scene, more);
    const { id, tenderID } = scene.stored;
    assert.deepEqual([after.id, after.tenderID, after.dateModified], [id, tenderID, scene.now]);
    assert.ok(!("testClock" in after));
    const clocked = scene.with({ testClock: "own" });
    assert.equal(replaced(clocked, more).testClock, "own");
    assert.equal(replaced(clocked, { testClock: undefined, title: "Інше" }).testClock, "own");
  });

  it("that changes nothing leaves the stored tender unchanged, even if it spells out absent fields", () => {
    assert.equal(replaced(scene, {}), scene.stored);
    const withAbsent = scene.with({ description: undefined });
    assert.equal(replaced(withAbsent, {}), withAbsent.stored);
  });

  it("has the deadlines carried out that have passed", () => {
    const late = scene.at(TENDERING + MINUTE);
    const after = replaced(late, { title: "Інше" });
    assert.deepEqual([after.status, after.dateModified], ["active.tendering", late.now]);
  });

  it("may have deadlines to come, each of which is tried at its own time", () => {
    const claimed = scene.send(STRANGER, fileClaim());
    const answered = claimed.send(OWNER, answerClaim(claimed.id));
    assert.equal(replaced(answered, { title: "Інше" }).title, "Інше");
  });

  it("of sealed bids alone moves nothing that is public", () => {
    const sealed = tendering(["100", "200"]).later(MINUTE);
    const [first, second] = sealed.stored.bids;
    const bids = [{ ...first!, value: money("90", { currency: "UAH", valueAddedTaxIncluded: true }) }, second!];
    const { dateModified } = sealed.stored;
    assert.equal(replaced(sealed, { bids }).dateModified, dateModified);
    assert.equal(replaced(sealed, { bids, title: "Інше" }).dateModified, sealed.now);
    const open = qualifying(["100"]).later(MINUTE);
    const tenderers = [{ ...open.stored.bids[0]!.tenderers![0]!, name: "Інша" }];
    assert.equal(replaced(open, { bids: [{ ...open.stored.bids[0]!, tenderers }] }).dateModified, open.now);
    const overdue = sealed.at(DEADLINE);
    assert.equal(replaced(overdue, { bids }).dateModified, DEADLINE, "time has changed it as well");
  });
});

describe("a replacement is refused, unless by force,", () => {
  it("if the procedure has no such status", () => {
    const scene = plain();
    const expected = "status: the procedure basic has no such status";
    assert.equal(outcome(scene, { status: "active.auction" }), expected);
    assert.equal(outcome(scene, { status: "active.auction" }, FORCE), "ok");
  });

  it("if the tender or a bid breaks the rules of the procedure", () => {
    assert.equal(outcome(published(), { title: undefined }), "title: This field is required.");
    assert.equal(outcome(published(), { title: undefined }, FORCE), "ok");
    const scene = qualifying(["400"]);
    const bids = [{ ...scene.stored.bids[0]!, value: money("500001") }];
    assert.equal(outcome(scene, { bids }), "bids.0.value: value of bid should be less than value of tender");
  });

  it("if something is there twice", () => {
    const scene = qualifying(["400"]);
    const { bids, awards } = scene.stored;
    assert.equal(outcome(scene, { bids: [bids[0]!, bids[0]!] }), "bids.1.id: is not unique");
    for (const id of [bids[0]!.id, "7"])
      assert.equal(
        outcome(scene, { bids: [bids[0]!, { ...bids[0]!, id }] }, FORCE),
        "each bid needs an id of its own, of 32 hex digits",
      );
    assert.equal(outcome(scene, { awards: [awards[0]!, awards[0]!] }), "awards.1.id: is not unique");
    const { questions } = published().send(STRANGER, askQuestion()).stored;
    assert.equal(outcome(published(), { questions: [...questions, ...questions] }), "questions.1.id: is not unique");
  });

  it("if it opens bids by its end that waited for their auction", () => {
    const scene = closed(["100", "200"]).later(MINUTE);
    const expected = "status: would open sealed bids: leave out the bids, or the change";
    for (const status of ["cancelled", "unsuccessful"] as const) {
      assert.equal(outcome(scene, { status }), expected);
      assert.equal(outcome(scene, { status }, FORCE), "ok");
      assert.equal(outcome(scene, { status, bids: [] }), "ok");
    }
    assert.equal(outcome(scene, { status: "active.qualification" }), "ok");
    assert.equal(outcome(qualifying(["1"]), { status: "cancelled" }), "ok", "they were open already");
  });

  it("if it refers to an unknown object", () => {
    const scene = qualifying([onBoth("1", "2")], twoLots);
    const award = lastAward(scene, LOT_A);
    const withAward = (more: object) => ({ awards: [{ ...award, ...more }] });
    assert.equal(outcome(scene, withAward({ bid_id: NOBODY })), "awards.0.bid_id: should be one of bids");
    assert.equal(outcome(scene, withAward({ lotID: NOBODY })), "awards.0.lotID: should be one of lots");
    assert.equal(outcome(scene, withAward({ bid_id: undefined })), "ok");
    const [contract] = awarded().stored.contracts;
    assert.equal(outcome(scene, { contracts: [contract!] }), "contracts.0.awardID: should be one of awards");
    const [complaint] = published().send(STRANGER, fileClaim()).stored.complaints;
    const strange = { ...complaint!, relatedLot: NOBODY };
    assert.equal(outcome(scene, { complaints: [strange] }), "complaints.0.relatedLot: should be one of lots");
    assert.equal(
      outcome(scene, withAward({ complaints: [strange] })),
      "awards.0.complaints.0.relatedLot: should be one of lots",
    );
    assert.equal(outcome(scene, { complaints: [{ ...complaint!, relatedLot: LOT_A }] }), "ok");
    const [cancellation] = published().send(OWNER, addCancellation()).stored.cancellations;
    const cancellations = [{ ...cancellation!, relatedLot: NOBODY }];
    assert.equal(outcome(scene, { cancellations }), "cancellations.0.relatedLot: should be one of lots");
    const [question] = published().send(STRANGER, askQuestion()).stored.questions;
    const questions = [{ ...question!, questionOf: "lot" as const, relatedItem: NOBODY }];
    assert.equal(outcome(scene, { questions }), "questions.0.relatedItem: relatedItem should be one of lots");
  });

  it("but in a plain tender an award may name any bid", () => {
    const award = { id: "1", date: 1, status: "pending", bid_id: NOBODY, documents: [], complaints: [] } as const;
    assert.equal(outcome(plain(), { awards: [award] }), "ok");
    assert.equal(outcome(plain(), { awards: [{ ...award, lotID: NOBODY }] }), "awards.0.lotID: should be one of lots");
  });

  it("if an answered complaint does not say how it is resolved", () => {
    const [complaint] = published().send(STRANGER, fileClaim()).stored.complaints;
    const answered = { ...complaint!, status: "answered" } as const;
    const expected = "complaints.0.resolutionType: is required for an answered claim";
    assert.equal(outcome(published(), { complaints: [answered] }), expected);
    assert.equal(outcome(published(), { complaints: [{ ...answered, resolutionType: "declined" }] }), "ok");
    assert.equal(outcome(published(), { complaints: [complaint!] }), "ok");
  });

  it("if a document has no file, or concerns an unknown object", () => {
    const { documents } = published().send(OWNER, addDocument()).stored;
    const hasFile = (key: string) => key !== documents[0]!.key;
    assert.equal(outcome(published(), { documents }), "ok");
    assert.equal(outcome(published(), { documents }, { hasFile }), "documents.0.key: no file has this key");
    const about = [{ ...documents[0]!, documentOf: "lot" as const, relatedItem: NOBODY }];
    assert.equal(
      outcome(published(), { documents: about }),
      "documents.0.relatedItem: relatedItem should be one of lots",
    );
  });

  it("and every document is checked, wherever it is", () => {
    const [document] = published().send(OWNER, addDocument()).stored.documents;
    const [complaint] = published().send(STRANGER, fileClaim()).stored.complaints;
    const scene = awarded();
    const documents = [document!];
    const { bids, awards, contracts } = scene.stored;
    const [cancellation] = published().send(OWNER, addCancellation()).stored.cancellations;
    const filed = { ...complaint!, documents };
    const tender: Tender = {
      ...scene.stored,
      documents,
      bids: [{ ...bids[0]!, documents }],
      awards: [{ ...awards[0]!, documents, complaints: [filed] }],
      contracts: [{ ...contracts[0]!, documents }],
      cancellations: [{ ...cancellation!, documents }],
      complaints: [filed],
    };
    assert.deepEqual(
      allDocuments(tender).map(({ path }) => path.join(".")),
      [
        ...["documents.0", "complaints.0.documents.0", "bids.0.documents.0", "awards.0.documents.0"],
        ...["awards.0.complaints.0.documents.0", "contracts.0.documents.0", "cancellations.0.documents.0"],
      ],
    );
  });
});

describe("a replacement is refused, also by force,", () => {
  const sealed = tendering(["100", "200"]).later(MINUTE);

  it("if it would open bids before their deadline", () => {
    const past = { tenderPeriod: { startDate: TENDERING, endDate: sealed.now } };
    for (const status of ["active.auction", "active.qualification", "cancelled", "unsuccessful"] as const)
      assert.equal(outcome(sealed, { status }, FORCE), EARLY, status);
    assert.equal(outcome(sealed, past, FORCE), EARLY);
    assert.equal(outcome(sealed, { tenderPeriod: { ...past.tenderPeriod, endDate: sealed.now + 1 } }, FORCE), "ok");
    for (const status of ["cancelled", "unsuccessful"] as const)
      assert.equal(outcome(sealed, { status, bids: [] }, FORCE), "ok");
  });

  it("if bidding would go on after its deadline", () => {
    const late = closed(["100", "200"]).later(HOUR);
    const later = { tenderPeriod: { startDate: TENDERING, endDate: late.now + 1 } };
    for (const more of [later, { status: "active.tendering" }, { status: "active.enquiries" }] as const)
      assert.equal(outcome(late, more, FORCE), ENDED);
    assert.equal(outcome(late, { tenderPeriod: { startDate: TENDERING, endDate: late.now } }, FORCE), "ok");
  });

  it("if it is of another procedure once bids may be placed", () => {
    const expected = "the procedure can't be changed once bids may be placed";
    assert.equal(outcome(sealed, { procedure: "basic" }, FORCE), expected);
    assert.equal(outcome(placed(plain().at(TENDERING), ["1"]), { procedure: "belowThreshold" }, FORCE), expected);
    assert.equal(outcome(published(), { procedure: "basic" }, FORCE), "ok");
    const { bids } = sealed.stored;
    assert.equal(outcome(published(), { procedure: "basic", bids }, FORCE), expected);
  });

  it("but a plain tender has nothing to open", () => {
    const open = placed(plain().at(TENDERING), ["1"]);
    assert.equal(outcome(open, { status: "active.qualification" }), "ok");
    assert.equal(outcome(open, { tenderPeriod: { endDate: START } }), "ok");
  });

  it("and nothing is sealed before there are bids", () => {
    assert.equal(outcome(published(), { tenderPeriod: { startDate: TENDERING, endDate: DEADLINE + DAY } }), "ok");
    assert.equal(outcome(published(), { status: "draft" }), "ok");
    const cancelled = published().send(OWNER, cancelTender);
    assert.equal(outcome(cancelled, { status: "active.enquiries" }), "ok", "nothing was seen");
  });

  it("if its deadlines would throw or never end", () => {
    const own = bidOf(sealed, BIDDER);
    const worthless = { bids: [{ ...own, value: undefined }] };
    assert.match(outcome(sealed, worthless, FORCE), /^the deadlines of this tender would fail: Cannot read/);
    const late = closed(["100", "200"]).later(HOUR);
    const complaintPeriod = { startDate: late.now, endDate: late.now };
    const award = {
      id: "a",
      date: late.now,
      status: "unsuccessful",
      complaintPeriod,
      documents: [],
      complaints: [],
    } as const;
    const awards = [award, { ...award, lotID: "none", status: "pending" }] as const;
    const stuck = outcome(late, { status: "active.awarded", awards }, FORCE);
    assert.equal(stuck, "the deadlines of this tender would fail: they would never end");
  });
});
