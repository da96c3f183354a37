import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { LOT_A, LOT_B, twoLots } from "../../../test/support/domainCommands.ts";
import { published } from "../../../test/support/scenes.ts";
import { HOUR, type Instant } from "../../domain/values/time.ts";
import { plannedAuctions, tenderEvent } from "./tenderEvents.ts";

const SITE = {
  ...{ name: "Tenderhall", origin: "https://tenders.example/registry", basePath: "/registry" },
  ...{ defaultLanguage: "uk" as const, sandbox: false },
};
const START: Instant = Date.UTC(2026, 11, 1, 9) * 1000;

const { tender: TENDER } = published(twoLots);

const withAuctions = (starts: { readonly [lot: string]: Instant }, end?: Instant) => {
  const lots = TENDER.lots.map((lot) => {
    const startDate = starts[lot.id];
    return startDate === undefined
      ? lot
      : { ...lot, auctionPeriod: { startDate, ...(end !== undefined && { endDate: end }) } };
  });
  return { ...TENDER, lots };
};

describe("the event of a tender", () => {
  it("has a UID of what happens, which stays the same when the time changes", () => {
    const uids = [START, START + HOUR].map((start) => {
      const tender = withAuctions({ [LOT_A]: START - HOUR, [LOT_B]: start });
      return plannedAuctions(tender).map((event) => tenderEvent(tender, event, { site: SITE, language: "en" }).uid);
    });
    const expected = [LOT_A, LOT_B].map((lot) => `${TENDER.id}-auction-${lot}@tenders.example`);
    assert.deepEqual(uids, [expected, expected]);
  });

  it("is one for all lots whose auctions begin together, and lasts until the last has ended", () => {
    const tender = withAuctions({ [LOT_A]: START, [LOT_B]: START }, START + HOUR);
    assert.deepEqual(plannedAuctions(tender), [{ kind: "auction", at: START, subject: LOT_A, end: START + HOUR }]);
  });

  it("says in words what happens, to which tender and whose", () => {
    const { tender } = published({ title: "Обіди\u202e\n", title_en: " " });
    const event = tenderEvent(tender, { kind: "deadline", at: START }, { site: SITE, language: "en" });
    assert.equal(event.summary, "Deadline for bids: Обіди");
    assert.equal(event.url, `https://tenders.example/registry/en/tenders/${tender.id}`);
    assert.match(event.description ?? "", new RegExp(`^${tender.tenderID} · .+\\n.+`));
  });
});
