import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ADMIN, ADMINISTRATOR, BIDDER, OTHERS, OWNER, STRANGER, windowIn } from "../../../test/support/decisions.ts";
import {
  answerQuestion,
  askQuestion,
  cancelLot,
  DEADLINE,
  LOT_A,
  LOT_B,
  lotOf,
  meals,
  NOBODY,
  START,
  TENDERING,
} from "../../../test/support/domainCommands.ts";
import { cook } from "../../../test/support/organizations.ts";
import { plain, published, SCENES, STATUSES } from "../../../test/support/scenes.ts";
import type { QuestionInput, TenderCommand } from "../model/commands.ts";
import { problem } from "../model/refusals.ts";
import { DAY, MINUTE } from "../values/time.ts";

const REQUIRED = "This field is required.";
const LATE = "Can add question only in enquiryPeriod";
const unread = problem(["colour"], "Rogue field", "unknown-field", "shape");

/** Two lots with an item each, and an item of no lot. */
const split = published({
  lots: [lotOf(LOT_A), lotOf(LOT_B)],
  items: [
    { ...meals, id: "1", relatedLot: LOT_A },
    { ...meals, id: "2", relatedLot: LOT_B },
    { ...meals, id: "3" },
  ],
});

describe("a question", () => {
  it("is dated, concerns the tender by default, and has no answer", () => {
    const scene = published()
      .later(MINUTE)
      .send(BIDDER, askQuestion({ description: "?", answer: "Так" }));
    const [question] = scene.tender.questions;
    assert.deepEqual(question, {
      ...{ id: scene.id, date: START + MINUTE, questionOf: "tender" },
      ...{ title: "Чому?", description: "?", author: cook },
    });
  });

  it("is added after the existing ones", () => {
    const scene = published()
      .send(BIDDER, askQuestion({ title: "1" }))
      .send(STRANGER, askQuestion({ title: "2" }));
    assert.deepEqual(
      scene.tender.questions.map(({ title }) => title),
      ["1", "2"],
    );
  });

  it("needs a title, and below the thresholds an author in full", () => {
    const nothing: TenderCommand = { kind: "ask question", sent: { fields: {}, problems: [unread] } };
    assert.equal(published().outcome(BIDDER, nothing), `colour: Rogue field; title: ${REQUIRED}; author: ${REQUIRED}`);
    assert.equal(plain().outcome(BIDDER, nothing), `colour: Rogue field; title: ${REQUIRED}`);
    const vague = askQuestion({ author: { ...cook, address: {} } });
    assert.equal(published().outcome(BIDDER, vague), `author.address.countryName: ${REQUIRED}`);
    assert.equal(plain().outcome(BIDDER, vague), "ok");
  });

  it("may be about an item or a lot that is there", () => {
    const about = (questionOf: QuestionInput["questionOf"], relatedItem?: string) =>
      split.outcome(BIDDER, askQuestion({ questionOf, relatedItem }));
    assert.deepEqual([about("item", "1"), about("lot", LOT_A), about("tender")], ["ok", "ok", "ok"]);
    assert.equal(about("item"), `relatedItem: ${REQUIRED}`);
    assert.equal(about("lot", NOBODY), "relatedItem: relatedItem should be one of lots");
  });
});

describe("questions are asked until enquiries end:", () => {
  it("at the end itself bidding begins, and no questions are accepted", () => {
    const scene = published();
    assert.equal(scene.at(TENDERING - 1).outcome(BIDDER, askQuestion()), "ok");
    assert.equal(scene.at(TENDERING).outcome(BIDDER, askQuestion()), LATE);
  });

  it("if bidding begins later, they are asked at the end itself, and not a microsecond after it", () => {
    const scene = published({ tenderPeriod: { startDate: TENDERING + 2 * DAY, endDate: DEADLINE } });
    assert.equal(scene.at(TENDERING).outcome(BIDDER, askQuestion()), "ok");
    const late = scene.at(TENDERING + 1);
    assert.equal(late.tender.status, "active.enquiries");
    assert.equal(late.outcome(BIDDER, askQuestion()), LATE);
    assert.deepEqual(windowIn(late.refusal(BIDDER, askQuestion())), { from: START, until: TENDERING });
  });

  it("if enquiries have no end, they are asked until bidding begins", () => {
    const scene = plain({ enquiryPeriod: {} });
    assert.equal(scene.at(TENDERING - 1).outcome(BIDDER, askQuestion()), "ok");
    assert.equal(scene.at(TENDERING).outcome(BIDDER, askQuestion()), LATE);
  });

  it("in no other status", () => {
    for (const status of STATUSES)
      assert.equal(
        SCENES[status]().outcome(BIDDER, askQuestion()),
        status === "active.enquiries" ? "ok" : LATE,
        status,
      );
  });

  it("a refusal says when it was allowed, if it ever was", () => {
    const window = (status: (typeof STATUSES)[number]) => windowIn(SCENES[status]().refusal(BIDDER, askQuestion()));
    assert.deepEqual(window("active.tendering"), { from: START, until: TENDERING });
    assert.deepEqual(window("unsuccessful"), { from: START, until: TENDERING });
    assert.equal(window("draft"), undefined);
  });
});

describe("a question about a lot that is over", () => {
  const scene = split.later(MINUTE).send(OWNER, cancelLot(LOT_B)).later(MINUTE);
  const over = "Can add question only in active lot status";
  const about = (questionOf: QuestionInput["questionOf"], relatedItem?: string) =>
    scene.outcome(BIDDER, askQuestion({ questionOf, relatedItem }));

  it("is not asked, neither about the lot nor about an item of it", () => {
    assert.deepEqual([about("lot", LOT_B), about("item", "2")], [over, over]);
  });

  it("is accepted about other objects: another lot, an item without a lot, the tender", () => {
    for (const [subject, id] of [["lot", LOT_A], ["item", "1"], ["item", "3"], ["tender"], ["tender", "2"]] as const)
      assert.equal(about(subject, id), "ok", `${subject} ${id}`);
  });

  it("was possible until the lot ended", () => {
    const refusal = scene.refusal(BIDDER, askQuestion({ questionOf: "lot", relatedItem: LOT_B }));
    assert.deepEqual(windowIn(refusal), { from: START, until: START + MINUTE });
  });

  it("is not answered any more", () => {
    const asking = split.send(BIDDER, askQuestion({ questionOf: "item", relatedItem: "2" }));
    const later = asking.later(MINUTE).send(OWNER, cancelLot(LOT_B));
    const answer = answerQuestion(asking.id, "Так");
    assert.equal(later.outcome(OWNER, answer), "Can update question only in active lot status");
    assert.deepEqual(windowIn(later.refusal(OWNER, answer)), { from: START, until: START + MINUTE });
  });
});

describe("an answer", () => {
  const scene = published().send(STRANGER, askQuestion()).send(BIDDER, askQuestion()).later(MINUTE);
  const answer = answerQuestion(scene.id, "Так");

  it("is given by the owner or an admin, and dated", () => {
    for (const actor of [OWNER, ADMIN]) {
      const { tender, id } = scene.send(actor, answer);
      const { answer: text, dateAnswered } = tender.questions[1]!;
      assert.deepEqual([text, dateAnswered, id], ["Так", START + MINUTE, scene.id]);
      assert.deepEqual(tender.questions[0], scene.tender.questions[0]);
    }
  });

  it("is given by nobody else; an Administrator has the wrong role", () => {
    for (const actor of OTHERS)
      assert.equal(scene.outcome(actor, answer), actor === ADMINISTRATOR ? "wrong role" : "forbidden");
    const owner = { ...OWNER, account: { name: "owner", group: "Administrator" } } as const;
    assert.equal(scene.outcome(owner, answer), "ok");
  });

  it("replaces the earlier one, and gets a new date", () => {
    const again = scene.send(OWNER, answer).later(MINUTE).send(OWNER, answerQuestion(scene.id, "Ні"));
    const { answer: text, dateAnswered } = again.tender.questions[1]!;
    assert.deepEqual([text, dateAnswered], ["Ні", START + 2 * MINUTE]);
  });

  it("that is the same, null or absent changes nothing", () => {
    const answered = scene.send(OWNER, answer).later(MINUTE);
    for (const text of [undefined, null, "Так"])
      assert.equal(answered.send(OWNER, answerQuestion(scene.id, text)).stored, answered.stored);
    for (const text of [undefined, null])
      assert.equal(scene.send(OWNER, answerQuestion(scene.id, text)).stored, scene.stored);
  });

  it("changes nothing else of the question", () => {
    const fields = { answer: "Так", title: "Інше", author: null };
    const command: TenderCommand = { kind: "answer question", question: scene.id, sent: { fields, problems: [] } };
    const { title, author } = scene.send(OWNER, command).tender.questions[1]!;
    assert.deepEqual([title, author], ["Чому?", cook]);
  });

  it("is refused if something could not be read, or the question is not there", () => {
    const sent = { fields: {}, problems: [unread] };
    assert.equal(scene.outcome(OWNER, { kind: "answer question", question: scene.id, sent }), "colour: Rogue field");
    assert.equal(scene.outcome({}, answerQuestion(NOBODY, "Так")), "not found: question");
  });

  it("is given in enquiries only, also after their end if bidding has not begun", () => {
    const gap = published({ tenderPeriod: { startDate: TENDERING + DAY, endDate: DEADLINE } }).send(
      BIDDER,
      askQuestion(),
    );
    assert.equal(gap.at(TENDERING + 1).outcome(OWNER, answerQuestion(gap.id, "Так")), "ok");
    const late = scene.at(TENDERING);
    assert.equal(late.outcome(OWNER, answer), "Can't update question in current (active.tendering) tender status");
    assert.deepEqual(windowIn(late.refusal(OWNER, answer)), { from: START, until: TENDERING });
  });

  it("is given in a plain tender also later", () => {
    const asking = plain().send(BIDDER, askQuestion());
    for (const instant of [TENDERING, DEADLINE])
      assert.equal(asking.at(instant).outcome(OWNER, answerQuestion(asking.id, "Так")), "ok");
  });
});
