import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { OWNER, type Scene, zone } from "../../../test/support/decisions.ts";
import { decideAward, LOT_A, LOT_B, onBoth, twoLots } from "../../../test/support/domainCommands.ts";
import { awarded, lastAward, qualifying, signed } from "../../../test/support/scenes.ts";
import { SITE, visibleText } from "../../../test/support/tenderPages.ts";
import { decimal } from "../../domain/values/decimal.ts";
import { tenderView } from "../../views/visibility.ts";
import { EMPTY_MARKUP } from "../markup.ts";
import { decisionOf } from "./decisions.ts";
import { homePage } from "./homePage.ts";

const decisionIn = ({ tender, now }: Scene) => decisionOf(tenderView(tender, { now, zone, sandbox: false }));
const textOf = (scene: Scene) => {
  const decision = decisionIn(scene);
  if (!decision) return "nothing";
  const amounts = decision.amounts.map(({ amount, currency }) => `${amount} ${currency}`).join(" + ");
  return `${decision.isSigned ? "contract" : "award"} ${amounts}, winners: ${decision.winners.length}`;
};

describe("recent decisions on the first page", () => {
  it("name the winners and what they get", () => {
    const winner = (name: string) => ({ key: `UA-EDR-${name.length}`, name: { name, name_en: `${name} Ltd` } });
    const tender = {
      ...{ id: "0".repeat(32), title: "Chalk", buyer: "School", status: "complete" },
      value: { amount: decimal("500"), currency: "UAH" },
      decision: {
        winners: ["A", "<b>", "Four", "Fifth", "Sixth."].map(winner),
        isSigned: true,
        amounts: [{ amount: decimal("390.5"), currency: "UAH" }],
      },
    };
    const data = {
      closing: [],
      newest: [],
      decided: [tender],
      auctionsToday: { auctions: [], count: 0, isMore: false },
      counts: new Map([["complete", 1]]),
    };
    const screen = {
      data,
      site: SITE,
      language: "en",
      now: 0,
      clockTimes: new Map(),
      zoneName: zone.name,
      developersPart: EMPTY_MARKUP,
    } as const;
    const { markup } = homePage(screen).content;
    const section = markup.slice(markup.indexOf('id="decided"'), markup.indexOf('id="statuses"'));
    const text = visibleText(`<main>${section}`);
    assert.match(text, /Winner: A Ltd , <b> Ltd , Four Ltd and 2 more Contract: UAH 390.50 expected UAH 500.00/);
    assert.ok(section.includes('href="/en/suppliers/UA-EDR-4"'));
  });
});

describe("the decision of a tender", () => {
  it("is the accepted award, and then its contract", () => {
    assert.equal(textOf(qualifying(["400"])), "nothing");
    assert.equal(textOf(awarded(["400", "500"])), "award 400 UAH, winners: 1");
    const contract = signed(awarded(["400", "500"]));
    assert.equal(textOf(contract), "contract 400 UAH, winners: 1");
    const [first] = contract.tender.contracts;
    assert.ok(first);
    const cheaper = contract.with({ contracts: [{ ...first, value: { ...first.value, amount: decimal("390.5") } }] });
    assert.equal(textOf(cheaper), "contract 390.5 UAH, winners: 1");
  });

  it("is the sum of the lots, with each winner once", () => {
    const scene = qualifying([onBoth("300", "200")], twoLots);
    const one = scene.send(OWNER, decideAward(lastAward(scene, LOT_A).id, "active"));
    assert.equal(textOf(one), "award 300 UAH, winners: 1");
    const both = one.send(OWNER, decideAward(lastAward(one, LOT_B).id, "active"));
    assert.equal(textOf(both), "award 500 UAH, winners: 1");
  });

  it("never mixes currencies", () => {
    const scene = awarded(["400"]);
    const [award] = scene.tender.awards;
    assert.ok(award);
    const other = { ...award, id: "f".repeat(32), value: { ...award.value, currency: "EUR" } };
    assert.equal(textOf(scene.with({ awards: [award, other] })), "award 400 UAH + 400 EUR, winners: 1");
  });
});
