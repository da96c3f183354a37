import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ADMINISTRATOR, BIDDER, CHRONOGRAPH, windowIn } from "../../../test/support/decisions.ts";
import {
  DEADLINE,
  editTender,
  money,
  placeBid,
  START,
  TENDERING,
  twoLots,
} from "../../../test/support/domainCommands.ts";
import { school } from "../../../test/support/organizations.ts";
import { closed, plain, published, SCENES, STATUSES, tendering } from "../../../test/support/scenes.ts";
import type { Patch, TenderInput } from "../model/commands.ts";
import { problem } from "../model/refusals.ts";
import { TENDER_STATUSES } from "../model/tender.ts";
import { DAY, MINUTE } from "../values/time.ts";

const start = DEADLINE + 2 * DAY;
const unread = problem(["colour"], "Rogue field", "unknown-field", "shape");
const repaired = (fields: Patch<TenderInput>, scene = tendering().tick()) =>
  scene.later(MINUTE).send(ADMINISTRATOR, editTender(fields)).tender;

describe("an Administrator repairs a tender:", () => {
  it("the buyer, key by key and its kind too, and the mode with its marks", () => {
    const { procuringEntity, mode, title } = repaired({
      procuringEntity: { name: "Школа №11", kind: "defense" },
      mode: "test",
    });
    assert.deepEqual(procuringEntity, { ...school, name: "Школа №11", kind: "defense" });
    assert.equal(mode, "test");
    assert.equal(title, "[ТЕСТУВАННЯ] Послуги шкільних їдалень");
  });

  it("the begin of its auction", () => {
    assert.deepEqual(repaired({ auctionPeriod: { startDate: start } }).auctionPeriod, { startDate: start });
  });

  it("and nothing else", () => {
    const scene = tendering().tick();
    const fields = { title: "Інше", value: money("1"), tenderPeriod: { endDate: START }, items: [] };
    assert.equal(scene.later(MINUTE).send(ADMINISTRATOR, editTender(fields)).stored, scene.stored);
  });

  it("only so far that it is still a tender, with everything that could not be read", () => {
    const fields = { procuringEntity: { address: { countryName: null } } };
    const reason = tendering().outcome(ADMINISTRATOR, { kind: "edit tender", sent: { fields, problems: [unread] } });
    assert.equal(reason, "colour: Rogue field; procuringEntity.address.countryName: This field is required.");
  });

  it("also one that has ended", () => {
    for (const status of ["complete", "cancelled", "unsuccessful"] as const)
      assert.equal(repaired({ procuringEntity: { name: "Х" } }, SCENES[status]()).procuringEntity!.name, "Х");
  });
});

describe("the status that an Administrator sets", () => {
  it("is dated, and the same one again is not", () => {
    const scene = closed(["1", "2"]).later(MINUTE);
    const { tender } = scene.send(ADMINISTRATOR, editTender({ status: "active.qualification" }));
    assert.deepEqual([tender.status, tender.date, tender.bids.length], ["active.qualification", scene.now, 2]);
    assert.equal(scene.send(ADMINISTRATOR, editTender({ status: "active.auction" })).stored, scene.stored);
  });

  it("is ignored if it leads back to enquiries or to a draft", () => {
    const scene = tendering().tick();
    for (const status of ["draft", "active.enquiries"] as const)
      assert.equal(scene.send(ADMINISTRATOR, editTender({ status })).stored, scene.stored);
  });

  it("is ignored if the procedure does not have it", () => {
    const scene = plain();
    for (const status of TENDER_STATUSES) {
      const { tender } = scene.send(ADMINISTRATOR, editTender({ status }));
      const known = !["draft", "active", "active.auction", "active.awarded"].includes(status);
      assert.equal(tender.status, known ? status : "active.enquiries");
    }
  });

  it("drops sealed bids if it ends the tender, also after the deadline", () => {
    const waiting = tendering(["1", "2"]);
    const inAuction = closed(["1", "2"]);
    for (const scene of [waiting, inAuction])
      for (const status of ["cancelled", "unsuccessful"] as const) {
        const { tender } = scene.send(ADMINISTRATOR, editTender({ status }));
        assert.deepEqual([tender.status, tender.bids], [status, []]);
      }
  });

  it("keeps bids that are open already, whatever it is", () => {
    const scene = SCENES["active.qualification"]();
    for (const status of ["cancelled", "unsuccessful", "complete", "active.awarded"] as const)
      assert.equal(scene.send(ADMINISTRATOR, editTender({ status })).tender.bids.length, 1);
  });

  it("brings the tender on after the deadline, with its bids", () => {
    const { tender } = closed(["1", "2"]).send(ADMINISTRATOR, editTender({ status: "active.qualification" }));
    assert.deepEqual([tender.status, tender.bids.length], ["active.qualification", 2]);
  });

  it("begins bidding early, but bids still wait for their period", () => {
    const early = published().send(ADMINISTRATOR, editTender({ status: "active.tendering" }));
    assert.equal(early.tender.status, "active.tendering");
    assert.match(early.outcome(BIDDER, placeBid("1")), /^Bid can be added only during the tendering period: from/);
  });
});

describe("of a draft an Administrator", () => {
  const draft = SCENES.draft().later(MINUTE);

  it("can only publish it, and other fields are ignored", () => {
    const { tender } = draft.send(ADMINISTRATOR, editTender({ status: "active.enquiries", mode: "test" }));
    assert.deepEqual([tender.status, tender.mode, tender.date], ["active.enquiries", undefined, START + MINUTE]);
  });

  it("publishes nothing if something could not be read", () => {
    const sent = { fields: { status: "active.enquiries" }, problems: [unread] } as const;
    assert.equal(draft.outcome(ADMINISTRATOR, { kind: "edit tender", sent }), "colour: Rogue field");
  });

  it("changes nothing else", () => {
    const expected = "Can't update tender in current (draft) status";
    for (const fields of [{}, { mode: "test" }, { status: "cancelled" }, { status: "draft" }] as const)
      assert.equal(draft.outcome(ADMINISTRATOR, editTender(fields)), expected);
  });
});

describe("the scheduler", () => {
  const planned = (fields: Patch<TenderInput>, scene = tendering().tick()) =>
    scene.later(MINUTE).send(CHRONOGRAPH, editTender(fields)).tender;

  it("plans the start of the auction, not its end, and keeps the plan if nothing is sent", () => {
    const scene = tendering()
      .later(MINUTE)
      .send(CHRONOGRAPH, editTender({ auctionPeriod: { startDate: start } }));
    assert.deepEqual(scene.tender.auctionPeriod, { startDate: start });
    for (const fields of [{}, { auctionPeriod: {} }, { auctionPeriod: null }, { auctionPeriod: { endDate: start } }])
      assert.equal(scene.send(CHRONOGRAPH, editTender(fields)).stored, scene.stored);
    const over = SCENES["active.qualification"]().with({ auctionPeriod: { endDate: start } });
    assert.deepEqual(planned({ auctionPeriod: { startDate: 5 } }, over).auctionPeriod, {
      startDate: 5,
      endDate: start,
    });
  });

  it("changes nothing else", () => {
    const scene = tendering().tick();
    const fields = { title: "Інше", mode: "test", status: "cancelled", value: money("1") } as const;
    assert.equal(scene.send(CHRONOGRAPH, editTender(fields)).stored, scene.stored);
  });

  it("plans those of lots by position, and none for the whole tender", () => {
    const fields = {
      auctionPeriod: { startDate: start },
      lots: [{}, { title: "!", auctionPeriod: { startDate: start } }],
    };
    const scene = tendering([], twoLots);
    const { lots, auctionPeriod } = planned(fields, scene);
    assert.equal(auctionPeriod, undefined);
    assert.deepEqual(lots[0], scene.stored.lots[0]);
    assert.deepEqual(lots[1], { ...scene.stored.lots[1], auctionPeriod: { startDate: start } });
    assert.deepEqual(planned({ lots: [{}] }, scene).lots, scene.stored.lots);
  });

  it("is refused for a draft and after the end, which the refusal dates", () => {
    const refused = STATUSES.filter((status) => SCENES[status]().outcome(CHRONOGRAPH, editTender({})) !== "ok");
    assert.deepEqual(refused, ["draft", "complete", "cancelled", "unsuccessful"]);
    const over = SCENES.unsuccessful().later(DAY);
    assert.equal(over.outcome(CHRONOGRAPH, editTender({})), "Can't update tender in current (unsuccessful) status");
    assert.deepEqual(windowIn(over.refusal(CHRONOGRAPH, editTender({}))), { until: DEADLINE });
    assert.equal(windowIn(SCENES.draft().refusal(CHRONOGRAPH, editTender({}))), undefined);
  });

  it("is refused if something could not be read, and only asks how things stand otherwise", () => {
    const reason = tendering().outcome(CHRONOGRAPH, { kind: "edit tender", sent: { fields: {}, problems: [unread] } });
    assert.equal(reason, "colour: Rogue field");
    const { stored } = published().at(TENDERING).send(CHRONOGRAPH, editTender({}));
    assert.equal(stored.status, "active.tendering");
  });
});
