import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ADMIN, AUCTION, BOT, broker, CHRONOGRAPH, REVIEWER, reasonOf } from "../../test/support/decisions.ts";
import { askQuestion, fileClaim, placeBid } from "../../test/support/domainCommands.ts";
import { published, tendering } from "../../test/support/scenes.ts";
import { participationRefusal } from "./accreditation.ts";
import type { Actor } from "./model/actors.ts";
import { PROCEDURES } from "./procedures/index.ts";

const real = published();
const test = published({ mode: "test" });

const WHO: readonly (readonly [who: string, actor: Actor, inReal: string, inTest: string])[] = [
  ["a broker of level 2", broker("b", "2"), "ok", "ok"],
  ["a broker of all levels", broker("b", "1234"), "ok", "ok"],
  ["a broker of other levels", broker("b", "134"), "accreditation", "accreditation"],
  ["a broker of level 2 that only tests", broker("b", "2t"), "mode", "ok"],
  ["a broker of level 1 that only tests", broker("b", "1t"), "accreditation", "accreditation"],
  ["a broker that may create nothing", broker("b", "2", { createsNothing: true }), "forbidden", "forbidden"],
  ["an admin", ADMIN, "ok", "ok"],
  ["somebody without a key", {}, "forbidden", "forbidden"],
  ...[AUCTION, CHRONOGRAPH, REVIEWER, BOT].map(
    (actor) => [`the group ${actor.account!.group}`, actor, "forbidden", "forbidden"] as const,
  ),
];

describe("participation in another broker's tender", () => {
  const decisionFor = (actor: Actor, scene: typeof real): string => {
    const refused = participationRefusal(PROCEDURES.belowThreshold, actor, "bid", scene.tender)?.refused;
    if (!refused) return "ok";
    return refused.kind === "not accredited" ? refused.because : refused.kind;
  };
  for (const [who, actor, inReal, inTest] of WHO)
    it(`is decided for ${who}: in a real tender ${inReal}, in a test ${inTest}`, () => {
      assert.deepEqual([decisionFor(actor, real), decisionFor(actor, test)], [inReal, inTest]);
    });

  it("needs level 2 for questions, bids and complaints, and the refusal names the action", () => {
    const [first, tester] = [broker("b", "1"), broker("b", "2t")];
    assert.equal(real.outcome(first, askQuestion()), "not accredited: question by accreditation");
    assert.equal(real.outcome(tester, askQuestion()), "not accredited: question by mode");
    assert.equal(real.outcome(first, fileClaim()), "not accredited: complaint by accreditation");
    assert.equal(real.outcome(tester, fileClaim()), "not accredited: complaint by mode");
    assert.equal(tendering().outcome(first, placeBid("1")), "not accredited: bid by accreditation");
    assert.equal(tendering().outcome(tester, placeBid("1")), "not accredited: bid by mode");
  });

  it("is decided before anything else that may be wrong", () => {
    const empty = { kind: "ask question", sent: { fields: {}, problems: [] } } as const;
    assert.equal(reasonOf(real.refusal(broker("b", "1"), empty)), "not accredited: question by accreditation");
    assert.equal(reasonOf(real.refusal(AUCTION, empty)), "forbidden");
  });
});
