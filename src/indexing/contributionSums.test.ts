import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Scene } from "../../test/support/decisions.ts";
import { money } from "../../test/support/domainCommands.ts";
import { cook } from "../../test/support/organizations.ts";
import { awarded, published, signed } from "../../test/support/scenes.ts";
import { contributionDifference, recount, sumContributions } from "./contributionSums.ts";
import { type Contribution, haveSameContributions, tenderContributions } from "./statistics.ts";

const sumsOf = ({ tender }: Scene): readonly Contribution[] => recount([tender]);

describe("a change", () => {
  it("of a title, a question or a document is known to contribute nothing", () => {
    const { tender } = signed(awarded());
    assert.ok(
      haveSameContributions(tender, { ...tender, title: "Інша", questions: [], documents: [], dateModified: 1 }),
    );
    assert.ok(!haveSameContributions(tender, { ...tender, contracts: [...tender.contracts] }));
  });

  it("contributes the difference, which leads from one sum to the other", () => {
    const before = sumsOf(awarded(["400.1"]));
    const after = sumsOf(signed(awarded(["400.1"])));
    const difference = contributionDifference(before, after);
    assert.ok(difference.every(({ counts }) => counts.tenders === undefined));
    assert.deepEqual(contributionDifference(sumContributions([...before, ...difference]), after), []);
    assert.deepEqual(contributionDifference(after, after), []);
  });

  it("costs in proportion to the lots of the tender, each with an award and a contract of another supplier", () => {
    const { tender } = signed(awarded());
    const [award, contract] = [tender.awards[0]!, tender.contracts[0]!];
    const withLots = (count: number) => {
      const numbers = Array.from({ length: count }, (_, i) => String(i));
      const suppliers = numbers.map((id) => [{ ...cook, identifier: { scheme: "UA-EDR", id } }]);
      return {
        ...tender,
        lots: numbers.map((id) => ({ id, status: "complete" as const, date: 0, value: money("10") })),
        awards: numbers.map((id, i) => ({ ...award, id, lotID: id, suppliers: suppliers[i] })),
        contracts: numbers.map((id, i) => ({
          ...contract,
          id,
          awardID: id,
          suppliers: suppliers[i],
          value: money("9"),
        })),
      };
    };
    const [small, large] = [withLots(50), withLots(1000)];
    const timeOf = (contributor: typeof small, times: number) => {
      const { user } = process.cpuUsage();
      for (let i = 0; i < times; i++) tenderContributions(contributor);
      return process.cpuUsage().user - user;
    };
    timeOf(small, 400);
    const ratio = timeOf(large, 40) / timeOf(small, 800);
    assert.ok(ratio < 5, `${ratio} times as much for each lot of 1,000 as for each of 50`);
    const all = sumContributions(tenderContributions(large)).find(
      ({ dimension, currency }) => dimension === "all" && currency === "UAH",
    );
    assert.deepEqual([all?.amounts.expectedValue, all?.amounts.comparedValue], ["10000", "9000"]);
  });

  it("contributes exact sums of amounts that doubles would round", () => {
    const contributions = tenderContributions(published({ value: money("9007199254740993.1") }).tender);
    const all = sumContributions([...contributions, ...contributions]).find(
      ({ dimension, currency }) => dimension === "all" && currency === "UAH",
    );
    assert.deepEqual(all?.amounts, { value: "18014398509481986.2" });
  });
});
