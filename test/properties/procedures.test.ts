import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { openDialects } from "../../src/dialects/dialects.ts";
import { advance, nextDeadline } from "../../src/domain/deadlines.ts";
import { decide, decideByTime } from "../../src/domain/decide.ts";
import type { Account, Actor } from "../../src/domain/model/actors.ts";
import type { CommandContext, TenderCommand } from "../../src/domain/model/commands.ts";
import type { Refusal } from "../../src/domain/model/refusals.ts";
import { PROCEDURE_NAMES, type Tender } from "../../src/domain/model/tender.ts";
import { PROCEDURES, procedureOf } from "../../src/domain/procedures/index.ts";
import { isFinal, statusTransitions } from "../../src/domain/procedures/procedure.ts";
import { publish } from "../../src/domain/publishing.ts";
import { areBidsSealed } from "../../src/domain/sealing.ts";
import { type Decimal, decimal } from "../../src/domain/values/decimal.ts";
import { openZone } from "../../src/domain/values/time.ts";
import { publicTender } from "../../src/views/publicTender.ts";
import { auctionView, tenderView, visibleBids } from "../../src/views/visibility.ts";
import { checkResponse } from "../support/apiDescription.ts";
import { cook, DAY, fullTender } from "../support/examples.ts";
import { runs } from "../support/tier.ts";
import { START } from "../support/world.ts";

/** Random lives of tenders: whatever is done to them, in whatever order, with time jumping. */

const zone = openZone("Europe/Kyiv");
const dialects = openDialects({ zone, sandbox: true, textBytesMax: 65536, listMax: 1000 });
const broker = (name: string): Account => ({ name, group: "brokers", levels: "1234" });
const OWNER: Actor = { account: broker("owner"), tokenHash: "tender token" };

type Step = { readonly forward: number; readonly command: TenderCommand; readonly actor: Actor };

const amounts = fc.constantFrom("0", "1", "499999.99", "500000", "500000.01").map(decimal);
const actors = fc.constantFrom<Actor>(
  OWNER,
  OWNER,
  OWNER,
  {},
  { account: broker("rival"), tokenHash: "rival token" },
  { account: { name: "auction", group: "auction", levels: "1234" } },
  { account: { name: "root", group: "admins", levels: "1234" } },
  { account: { name: "repairs", group: "Administrator", levels: "1234" } },
  { account: { name: "clock", group: "chronograph", levels: "1234" } },
);
const bidOf = (amount: Decimal) => ({ tenderers: [cook], value: { amount } });
const sent = (fields: object) => ({ fields, problems: [] });
const file = { title: "a.txt", format: "text/plain", key: "0".repeat(32), hash: "md5:0", sha256: "0", size: 1 };
const holders = fc.constantFrom({}, { bid: "id-3" }, { bid: "id-5" });

const ofBids = fc.oneof(
  { weight: 4, arbitrary: amounts.map((amount): TenderCommand => ({ kind: "place bid", sent: sent(bidOf(amount)) })) },
  fc
    .record({ amount: amounts, bid: fc.constantFrom("id-3", "id-4", "id-5") })
    .map(({ amount, bid }): TenderCommand => ({ kind: "change bid", bid, sent: sent({ value: { amount } }) })),
  fc.constantFrom("id-3", "id-4").map((bid): TenderCommand => ({ kind: "withdraw bid", bid })),
  amounts.map(
    (amount): TenderCommand => ({ kind: "report auction", sent: sent({ bids: [{ value: { amount } }, {}] }) }),
  ),
  holders.map((of): TenderCommand => ({ kind: "add document", of, file })),
);
const ofTender = fc.oneof(
  fc
    .constantFrom<object>({ title: "other", items: [{}] }, { status: "active.tendering" }, {})
    .map((fields): TenderCommand => ({ kind: "edit tender", sent: sent(fields) })),
  fc.constant<TenderCommand>({ kind: "ask question", sent: sent({ title: "Why?", author: cook }) }),
  fc.constant<TenderCommand>({ kind: "answer question", question: "id-3", sent: sent({ answer: "Because" }) }),
  fc
    .constantFrom("pending", "active")
    .map((status): TenderCommand => ({ kind: "record award", sent: sent({ status }) as never })),
);
const endings = fc
  .constantFrom("cancelled", "complete", "unsuccessful", "active.qualification", "active.awarded")
  .map((status): TenderCommand => ({ kind: "edit tender", sent: sent({ status }) as never }));
const commands: fc.Arbitrary<TenderCommand> = fc.oneof(
  { weight: 12, arbitrary: ofBids },
  { weight: 8, arbitrary: ofTender },
  { weight: 1, arbitrary: endings },
);

const jumps = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(0, 1) },
  { weight: 3, arbitrary: fc.constantFrom(DAY, 3 * DAY, 7 * DAY - 1) },
  { weight: 1, arbitrary: fc.constant(400 * DAY) },
);

const steps: fc.Arbitrary<readonly Step[]> = fc.array(fc.record({ forward: jumps, command: commands, actor: actors }), {
  minLength: 15,
  maxLength: 40,
  size: "max",
});

type Look = (before: Tender, after: Tender, at: number, actor: Actor) => void;

type Refused = (refusal: Refusal, at: number) => void;

function* ids(): Generator<string, never> {
  for (let i = 1; ; i++) yield `id-${i}`;
}

const timeOf = (at: number) => ({ at, zone, sandbox: false, newId: () => "made by time" });
const looking = { now: START, zone, sandbox: false };

/** Publishes a tender and lives the steps; hands every tender on the way, with the one before it, to `look`. */
function live(procedure: Tender["procedure"], life: readonly Step[], look: Look, refusedAt: Refused = () => {}) {
  const source = ids();
  let at = START;
  const contextOf = (actor: Actor): CommandContext => ({
    actor,
    at,
    zone,
    sandbox: false,
    newId: () => source.next().value,
    newTokenHash: `${actor.account?.name} token`,
  });
  const dialect = dialects.get("2.3")!;
  const { procurementMethodType: _type, ...fields } = dialect.readNew<Record<string, unknown>>(
    "Tender",
    fullTender(),
  ).fields;
  const published = publish(
    { procedure, sent: sent(fields) as never },
    { ...contextOf(OWNER), newTokenHash: "tender token" },
    () => 1,
  );
  assert.ok(published.ok, JSON.stringify(published));
  let tender = published.value;
  for (const { forward, command, actor } of life) {
    at += forward + 1;
    const decided = decide(tender, command, contextOf(actor));
    if (!decided.ok) refusedAt(decided.refused, at);
    const next = decided.ok ? decided.value.tender : decideByTime(tender, contextOf(actor));
    look(tender, next, at, actor);
    tender = next;
  }
}

const lives = (look: Look, numRuns = runs(150), refusedAt?: Refused) =>
  fc.assert(
    fc.property(fc.constantFrom(...PROCEDURE_NAMES), steps, (procedure, life) =>
      live(procedure, life, look, refusedAt),
    ),
    { numRuns },
  );

describe("whatever is done to a tender, in whatever order", () => {
  it("its status moves only along the table of its procedure, whoever but the administrator acts", () => {
    lives((before, after, _at, actor) => {
      if (actor.account?.group === "Administrator") return;
      const moves = statusTransitions(procedureOf(after));
      const reached = new Set([before.status]);
      for (let size = 0; size < reached.size; ) {
        size = reached.size;
        for (const { from, to } of moves) if (reached.has(from)) reached.add(to);
      }
      assert.ok(reached.has(after.status), `${before.status} became ${after.status}`);
      if (isFinal(before)) assert.equal(after.status, before.status);
    });
  });

  it("carrying time out twice is carrying it out once", () => {
    lives((_before, after, at) => {
      const once = advance(after, timeOf(at));
      assert.equal(advance(once, timeOf(at)), once);
      const due = nextDeadline(once);
      assert.ok(due === undefined || due > at);
    });
  });

  it("its next deadline is the moment at which time changes it, not a microsecond earlier", () => {
    lives((_before, after, at) => {
      const current = advance(after, timeOf(at));
      const due = nextDeadline(current);
      if (due === undefined) return assert.equal(advance(current, timeOf(at + 10_000 * DAY)), current);
      assert.equal(advance(current, timeOf(due - 1)), current);
      assert.notEqual(advance(current, timeOf(due)), current);
    });
  });

  it("no one opens bids that were sealed before the end of the tender period, the administrator included", () => {
    lives((before, after, at) => {
      const opens = (from: Tender) => areBidsSealed(from) && !areBidsSealed(after) && after.bids.length > 0;
      if (opens(before)) assert.ok(after.tenderPeriod!.endDate! <= at);
      if (opens(advance(before, timeOf(at)))) assert.notEqual(after.status, "cancelled");
    }, runs(300));
  });

  it("sealed bids are never visible early, and move nothing that is public", () => {
    lives((before, after) => {
      if (!areBidsSealed(after)) return;
      const shown = JSON.stringify([
        tenderView(after, looking),
        auctionView(after, {}, looking),
        visibleBids(after, OWNER),
      ]);
      for (const { id, tokenHash, owner } of after.bids) {
        assert.ok(!shown.includes(`"${id}"`) && !shown.includes(tokenHash), shown);
        assert.equal(visibleBids(after, { account: broker("stranger"), tokenHash }).length, 0);
        assert.ok(
          visibleBids(after, { account: broker(owner), tokenHash }).some((bid) => bid.id === id) || owner === "root",
        );
      }
      if (JSON.stringify(tenderView(before, looking)) !== JSON.stringify(tenderView(after, looking)))
        assert.notEqual(before.dateModified, after.dateModified);
      else assert.equal(before.dateModified, after.dateModified);
    });
  });

  it("it can be shown in every version, as that version is described", () => {
    lives((_before, after) => {
      for (const [version, dialect] of dialects) {
        const root = `http://tenderhall.example/api/${version}`;
        const body = { data: JSON.parse(dialect.write("Tender", publicTender(after, looking), root)) };
        checkResponse(version, "GET", new URL(`${root}/tenders/${after.id}`), { status: 200, body });
      }
    }, runs(30));
  });

  it("what is refused is never said to be allowed at this very moment", () => {
    let said = 0;
    const look = () => {};
    lives(look, runs(300), (refusal, at) => {
      const window = "window" in refusal ? refusal.window : undefined;
      if (!window) return;
      said += 1;
      const { from, until } = window;
      assert.ok(from !== undefined || until !== undefined);
      const isOpen = (from ?? at) <= at && at < (until ?? at + 1);
      assert.ok(!isOpen, `${JSON.stringify(refusal)} at ${at}`);
    });
    assert.ok(said > runs(100), `only ${said} refusals said when`);
  });

  it("below the thresholds no bid exceeds the value of its tender", () => {
    lives((_before, after) => {
      if (after.procedure === "basic") return;
      for (const { value } of after.bids) assert.notEqual(value?.amount, decimal("500000.01"));
    });
  });
});

describe("the tables of the procedures", () => {
  it("lead from every stage to an end, and name only statuses they know", () => {
    for (const procedure of Object.values(PROCEDURES)) {
      const known = Object.keys(procedure.stages);
      for (const { from, to } of statusTransitions(procedure))
        assert.ok(known.includes(from) && known.includes(to), `${from} ${to}`);
      for (const status of known) {
        const leaves = statusTransitions(procedure).some(({ from }) => from === status);
        const final = ["complete", "cancelled", "unsuccessful"].includes(status);
        assert.equal(leaves, !final, status);
      }
    }
  });
});
