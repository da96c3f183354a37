import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  ADMIN,
  ADMINISTRATOR,
  AUCTION,
  BOT,
  broker,
  CHRONOGRAPH,
  contextOf,
  member,
  OWNER,
  REVIEWER,
  reasonOf,
  STRANGER,
  tryToPublish,
} from "../../../test/support/decisions.ts";
import {
  LOT_A,
  lotOf,
  meals,
  money,
  START,
  sent,
  TENDERING,
  tenderFields,
} from "../../../test/support/domainCommands.ts";
import { published, publishedAs, SCENES } from "../../../test/support/scenes.ts";
import type { Actor } from "../model/actors.ts";
import type { Publication, TenderInput } from "../model/commands.ts";
import { problem } from "../model/refusals.ts";
import { DAY, HOUR, SECOND } from "../values/time.ts";
import { publish } from "./publishing.ts";

const outcomeOf = (actor: Actor, publication: Publication): string => {
  const decided = tryToPublish(actor, publication, START);
  return decided.ok ? "ok" : reasonOf(decided.refused);
};
const full = (more: TenderInput = {}): Publication => ({
  procedure: "belowThreshold",
  sent: sent(tenderFields(more)),
});
const empty: Publication = { procedure: "basic", sent: sent({}) };

describe("a tender is published", () => {
  for (const [who, actor, expected] of [
    ["a broker of level 1", broker("b", "1"), "ok"],
    ["an admin", ADMIN, "ok"],
    ["the group competitive_dialogue", member("competitive_dialogue"), "ok"],
    ["a broker of other levels", broker("b", "234"), "not accredited: tender by accreditation"],
    ["a broker that may create nothing", broker("b", "1", { createsNothing: true }), "forbidden"],
    ["somebody without a key", {}, "forbidden"],
    ["the auction", AUCTION, "forbidden"],
    ["the chronograph", CHRONOGRAPH, "forbidden"],
    ["an Administrator", ADMINISTRATOR, "forbidden"],
    ["a reviewer", REVIEWER, "forbidden"],
    ["a bot", BOT, "forbidden"],
  ] as const)
    it(`by ${who}: ${expected}`, () => {
      assert.equal(outcomeOf(actor, empty), expected);
    });

  it("as a test, and not otherwise, by a broker that only tests", () => {
    const tester = broker("b", "1t");
    assert.equal(outcomeOf(tester, full()), "not accredited: tender by mode");
    assert.equal(outcomeOf(tester, full({ mode: "test" })), "ok");
    assert.equal(outcomeOf(broker("b", "1"), full({ mode: "test" })), "ok");
  });

  it("with the checks in their order: the right, the procedure, the level, the fields, the mode", () => {
    const unknown: Publication = { procedure: "unknown", sent: sent({}) };
    assert.equal(outcomeOf(BOT, unknown), "forbidden");
    assert.equal(outcomeOf(broker("b", "2"), unknown), "unknown procedure");
    const wrong = full({ title: undefined });
    assert.equal(outcomeOf(broker("b", "2t"), wrong), "not accredited: tender by accreditation");
    assert.equal(outcomeOf(broker("b", "1t"), wrong), "title: This field is required.");
  });

  it("only if everything could be read, and every problem is reported together with those of the checks", () => {
    const unread = problem(["colour"], "Rogue field", "unknown-field", "shape");
    const fields = tenderFields({ title: undefined });
    const reason = outcomeOf(OWNER, { procedure: "belowThreshold", sent: { fields, problems: [unread] } });
    assert.equal(reason, "colour: Rogue field; title: This field is required.");
  });

  it("with guarantees of its lots in one currency, and the refusal names that once", () => {
    const lots = ["USD", "EUR"].map((currency, i) =>
      lotOf(`${i}`.repeat(32), "9", { guarantee: money("1", { currency }) }),
    );
    const text = "lots: lot guarantee currency should be identical to tender guarantee currency";
    assert.equal(outcomeOf(OWNER, full({ lots })), text);
    const guarantee = { amount: money("1").amount!, currency: "GBP" };
    assert.equal(outcomeOf(OWNER, full({ lots, guarantee })), text);
  });
});

describe("a new tender", () => {
  it("gets its owner, token, dates, status and the start of enquiries from the service", () => {
    const { tender } = published({ enquiryPeriod: { startDate: 1, endDate: TENDERING } });
    assert.deepEqual([tender.owner, tender.tokenHash], ["owner", OWNER.tokenHash]);
    assert.deepEqual([tender.date, tender.dateModified], [START, START]);
    assert.deepEqual(tender.enquiryPeriod, { startDate: START, endDate: TENDERING });
    assert.deepEqual([tender.status, tender.procedure], ["active.enquiries", "belowThreshold"]);
    assert.ok(!("mode" in tender));
    const { bids, questions, documents, awards, contracts, complaints, cancellations } = tender;
    assert.deepEqual([bids, questions, documents, awards, contracts, complaints, cancellations].flat(), []);
  });

  it("has a start of enquiries even if it is empty", () => {
    const { tender } = publishedAs("basic", {});
    assert.deepEqual([tender.enquiryPeriod, tender.status], [{ startDate: START }, "active.enquiries"]);
  });

  it("is a draft if its status says so, and otherwise in enquiries", () => {
    assert.equal(SCENES.draft().tender.status, "draft");
    for (const status of ["complete", "active.tendering", "cancelled"] as const)
      assert.equal(published({ status }).tender.status, "active.enquiries");
  });

  it("is numbered by the day in the registry's zone, with six digits", () => {
    const days: string[] = [];
    const idAt = (at: number, number: number): string => {
      const decided = publish(empty, contextOf(OWNER, at), (day) => {
        days.push(day);
        return number;
      });
      assert.ok(decided.ok);
      return decided.value.tenderID;
    };
    assert.equal(idAt(START, 7), "UA-2026-11-16-000007");
    assert.equal(idAt(START + 14 * HOUR - SECOND, 123456), "UA-2026-11-16-123456");
    assert.equal(idAt(START + 14 * HOUR, 1), "UA-2026-11-17-000001");
    assert.deepEqual(days, ["2026-11-16", "2026-11-16", "2026-11-17"]);
  });

  it("is refused without using up a number", () => {
    const decided = publish(full({ title: undefined }), contextOf(OWNER, START), () => assert.fail("no number"));
    assert.ok(!decided.ok);
  });

  it("has active lots, with the ids they were sent with or new ones, and no auction planned", () => {
    const planned = { ...lotOf(LOT_A), auctionPeriod: { startDate: START + DAY }, status: "complete" } as const;
    const { id: _new, ...nameless } = lotOf("");
    const { lots } = published({ lots: [planned, nameless], auctionPeriod: { startDate: START } }).tender;
    assert.deepEqual(
      lots.map(({ status, date, auctionPeriod }) => [status, date, auctionPeriod]),
      [
        ["active", START, undefined],
        ["active", START, undefined],
      ],
    );
    assert.equal(lots[0]!.id, LOT_A);
    assert.match(lots[1]!.id, /^[0-9a-f]{32}$/);
    assert.equal(published({ auctionPeriod: { startDate: START } }).tender.auctionPeriod, undefined);
  });

  it("that is a test is marked in its titles in three languages, once", () => {
    const { title, title_en, title_ru, mode } = published({ mode: "test", title_en: "[TESTING] Meals" }).tender;
    assert.deepEqual(
      [title, title_en, title_ru, mode],
      ["[ТЕСТУВАННЯ] Послуги шкільних їдалень", "[TESTING] Meals", "[ТЕСТИРОВАНИЕ] ", "test"],
    );
    assert.equal(published().tender.title, "Послуги шкільних їдалень");
  });

  it("takes only known fields of its items", () => {
    assert.deepEqual(published({ items: [{ ...meals, id: "1" }] }).tender.items, [{ ...meals, id: "1" }]);
  });
});

describe("the token of a tender", () => {
  const scene = published();

  it("is renewed by its owner, and the old one becomes invalid", () => {
    const renewed = scene.send(OWNER, { kind: "renew token" }, { newTokenHash: "new" });
    assert.equal(renewed.outcome(OWNER, { kind: "renew token" }), "forbidden");
    assert.equal(renewed.outcome({ ...OWNER, tokenHash: "new" }, { kind: "renew token" }), "ok");
  });

  it("is renewed by nobody else, not even admins", () => {
    for (const actor of [STRANGER, ADMIN, ADMINISTRATOR, {}])
      assert.equal(scene.outcome(actor, { kind: "renew token" }), "forbidden");
  });
});
