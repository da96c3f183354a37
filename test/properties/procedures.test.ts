import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { openDialects } from "../../src/dialects/dialects.ts";
import { areBidsSealed } from "../../src/domain/bids/sealing.ts";
import { advance, nextDeadline } from "../../src/domain/deadlines.ts";
import { decide, decideByTime } from "../../src/domain/decide.ts";
import type { Account, Actor } from "../../src/domain/model/actors.ts";
import type { CommandContext, TenderCommand } from "../../src/domain/model/commands.ts";
import type { Refusal } from "../../src/domain/model/refusals.ts";
import { AWARD_STATUSES, COMPLAINT_STATUSES, CONTRACT_STATUSES, type Tender } from "../../src/domain/model/tender.ts";
import { PROCEDURES, procedureOf } from "../../src/domain/procedures/index.ts";
import { PROCEDURE_NAMES } from "../../src/domain/procedures/names.ts";
import { isFinal } from "../../src/domain/procedures/procedure.ts";
import { statusTransitions } from "../../src/domain/procedures/statusGraph.ts";
import { publish } from "../../src/domain/tender/publishing.ts";
import { type Decimal, decimal } from "../../src/domain/values/decimal.ts";
import { openZone } from "../../src/domain/values/time.ts";
import { publicTender } from "../../src/views/publicTender.ts";
import { auctionView, tenderView, visibleBids } from "../../src/views/visibility.ts";
import { checkResponse } from "../support/apiDescription.ts";
import { completeTender } from "../support/completeTenders.ts";
import { START } from "../support/domainCommands.ts";
import { cook, DAY } from "../support/examples.ts";
import { runs } from "../support/tier.ts";

// Random sequences of commands on tenders of every procedure, while time jumps.

const zone = openZone("Europe/Kyiv");
const dialects = openDialects({ zone, sandbox: true, textBytesMax: 65536, listMax: 1000 });
const broker = (name: string): Account => ({ name, group: "brokers", levels: "1234" });
const OWNER: Actor = { account: broker("owner"), tokenHash: "tender token" };

/** A command that depends on what the tender has when its turn comes. */
type Choice = (tender: Tender) => TenderCommand;
type Step = { readonly forward: number; readonly command: Choice; readonly actor: Actor };

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
  { account: { name: "review", group: "aboveThresholdReviewers" } },
);
const bidOf = (amount: Decimal) => ({ tenderers: [cook], value: { amount } });
const readFields = (fields: object) => ({ fields, problems: [] });
const file = { title: "a.txt", format: "text/plain", key: "0".repeat(32), hash: "md5:0", sha256: "0", size: 1 };
const documentParents = fc.constantFrom({}, { bid: "id-3" }, { bid: "id-5" });

const bidCommands = fc.oneof(
  {
    weight: 4,
    arbitrary: amounts.map((amount): TenderCommand => ({ kind: "place bid", sent: readFields(bidOf(amount)) })),
  },
  fc
    .record({ amount: amounts, bid: fc.constantFrom("id-3", "id-4", "id-5") })
    .map(({ amount, bid }): TenderCommand => ({ kind: "change bid", bid, sent: readFields({ value: { amount } }) })),
  fc.constantFrom("id-3", "id-4").map((bid): TenderCommand => ({ kind: "withdraw bid", bid })),
  amounts.map(
    (amount): TenderCommand => ({ kind: "report auction", sent: readFields({ bids: [{ value: { amount } }, {}] }) }),
  ),
  documentParents.map((parent): TenderCommand => ({ kind: "add document", of: parent, file })),
);
const tenderCommands = fc.oneof(
  fc
    .constantFrom<object>({ title: "other", items: [{}] }, { status: "active.tendering" }, {})
    .map((fields): TenderCommand => ({ kind: "edit tender", sent: readFields(fields) })),
  fc.constant<TenderCommand>({ kind: "ask question", sent: readFields({ title: "Why?", author: cook }) }),
  fc.constant<TenderCommand>({ kind: "answer question", question: "id-3", sent: readFields({ answer: "Because" }) }),
  fc
    .constantFrom("pending", "active")
    .map((status): TenderCommand => ({ kind: "record award", sent: readFields({ status }) as never })),
);
/** The id of one of these objects, if there are any. */
const idOf = (list: readonly { readonly id: string }[] | undefined, pick: number): string =>
  list?.[pick % list.length]?.id ?? "none";
const supplierOf = (qualified: boolean) => ({ suppliers: [cook], value: { amount: decimal("400") }, qualified });
const picks = fc.nat({ max: 3 });
/** What is done with awards, contracts and complaints, whichever the tender has by then. */
const awardCommands: fc.Arbitrary<Choice> = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.boolean().map(
      (qualified): Choice =>
        () => ({ kind: "record award", sent: readFields(supplierOf(qualified)) }),
    ),
  },
  fc
    .record({
      pick: picks,
      status: fc.constantFrom("active" as const, ...AWARD_STATUSES),
      qualified: fc.constantFrom(true, true, false),
    })
    .map(
      ({ pick, ...fields }): Choice =>
        ({ awards }) => ({
          kind: "change award",
          award: idOf(awards, pick),
          sent: readFields(fields),
        }),
    ),
  fc.record({ pick: picks, status: fc.constantFrom("active" as const, ...CONTRACT_STATUSES) }).map(
    ({ pick, status }): Choice =>
      ({ contracts }) => ({ kind: "edit contract", contract: idOf(contracts, pick), sent: readFields({ status }) }),
  ),
  fc.record({ pick: picks, status: fc.constantFrom("draft" as const, "pending" as const) }).map(
    ({ pick, status }): Choice =>
      ({ awards }) => ({
        kind: "file complaint",
        about: { award: idOf(awards, pick) },
        sent: readFields({ author: cook, title: "Why?", status }),
      }),
  ),
  fc.record({ pick: picks, status: fc.constantFrom(...COMPLAINT_STATUSES) }).map(
    ({ pick, status }): Choice =>
      ({ awards }) => {
        const award = awards[pick % awards.length];
        return {
          kind: "edit complaint",
          about: { award: award?.id ?? "none" },
          complaint: idOf(award?.complaints, pick),
          sent: readFields({ status, cancellationReason: "-", resolutionType: "declined", tendererAction: "-" }),
        };
      },
  ),
  fc.constantFrom<"pending" | "active">("pending", "pending", "pending", "active").map(
    (status): Choice =>
      () => ({ kind: "add cancellation", sent: readFields({ reason: "-", status }) }),
  ),
);
const endingCommands = fc
  .constantFrom("cancelled", "complete", "unsuccessful", "active.qualification", "active.awarded")
  .map((status): TenderCommand => ({ kind: "edit tender", sent: readFields({ status }) as never }));
const fixed = (arbitrary: fc.Arbitrary<TenderCommand>) =>
  arbitrary.map(
    (command): Choice =>
      () =>
        command,
  );
const commands: fc.Arbitrary<Choice> = fc.oneof(
  { weight: 12, arbitrary: fixed(bidCommands) },
  { weight: 8, arbitrary: fixed(tenderCommands) },
  { weight: 12, arbitrary: awardCommands },
  { weight: 1, arbitrary: fixed(endingCommands) },
);

const jumps = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(0, 1) },
  { weight: 3, arbitrary: fc.constantFrom(DAY, 3 * DAY, 7 * DAY - 1) },
  { weight: 1, arbitrary: fc.constant(400 * DAY) },
);

const stepsOf = (chosen: fc.Arbitrary<Choice>): fc.Arbitrary<readonly Step[]> =>
  fc.array(fc.record({ forward: jumps, command: chosen, actor: actors }), {
    minLength: 15,
    maxLength: 40,
    size: "max",
  });
const steps = stepsOf(commands);
/** Where no bids compete, most commands are about awards. */
const directSteps = stepsOf(
  fc.oneof({ weight: 40, arbitrary: awardCommands }, { weight: 4, arbitrary: fixed(tenderCommands) }, commands),
);
const walks = fc
  .constantFrom(...PROCEDURE_NAMES)
  .chain((procedure) => fc.tuple(fc.constant(procedure), PROCEDURES[procedure].bids ? steps : directSteps));

type StepObserver = (before: Tender, after: Tender, at: number, actor: Actor) => void;

type RefusalObserver = (refusal: Refusal, at: number) => void;

function* sequentialIds(): Generator<string, never> {
  for (let i = 1; ; i++) yield `id-${i}`;
}

const timeOf = (at: number) => ({ at, zone, sandbox: false, newId: () => "made by time" });
const viewContext = { now: START, zone, sandbox: false };

/** Creates a tender and carries out the steps. Calls `observe` with the tender before and after each step. */
function walk(
  procedure: Tender["procedure"],
  walkSteps: readonly Step[],
  observe: StepObserver,
  onRefusal: RefusalObserver = () => {},
) {
  const ids = sequentialIds();
  let at = START;
  const contextOf = (actor: Actor): CommandContext => ({
    actor,
    at,
    zone,
    sandbox: false,
    newId: () => ids.next().value,
    newTokenHash: `${actor.account?.name} token`,
  });
  const published = publish(
    { procedure, sent: readFields(completeTender(procedure)) },
    { ...contextOf(OWNER), newTokenHash: "tender token" },
    () => 1,
  );
  assert.ok(published.ok, JSON.stringify(published));
  let tender = published.value;
  for (const { forward, command, actor } of walkSteps) {
    at += forward + 1;
    const decided = decide(tender, command(tender), contextOf(actor));
    if (!decided.ok) onRefusal(decided.refused, at);
    const next = decided.ok ? decided.value.tender : decideByTime(tender, contextOf(actor));
    observe(tender, next, at, actor);
    tender = next;
  }
}

/** Checks an observer on random walks. */
const checkWalks = (observe: StepObserver, numRuns = runs(150), onRefusal?: RefusalObserver) =>
  fc.assert(
    fc.property(walks, ([procedure, walkSteps]) => walk(procedure, walkSteps, observe, onRefusal)),
    { numRuns },
  );

describe("after any sequence of commands", () => {
  it("the status changes only as the table of the procedure says, except by the Administrator", () => {
    checkWalks((before, after, _at, actor) => {
      if (actor.account?.group === "Administrator") return;
      const transitions = statusTransitions(procedureOf(after));
      const reached = new Set([before.status]);
      for (let size = 0; size < reached.size; ) {
        size = reached.size;
        for (const { from, to } of transitions) if (reached.has(from)) reached.add(to);
      }
      assert.ok(reached.has(after.status), `${before.status} became ${after.status}`);
      if (isFinal(before)) assert.equal(after.status, before.status);
    });
  });

  it("advancing twice is the same as advancing once", () => {
    checkWalks((_before, after, at) => {
      const once = advance(after, timeOf(at));
      assert.equal(advance(once, timeOf(at)), once);
      const due = nextDeadline(once);
      assert.ok(due === undefined || due > at);
    });
  });

  it("the next deadline is the time at which the tender changes, not a microsecond earlier", () => {
    checkWalks((_before, after, at) => {
      const current = advance(after, timeOf(at));
      const due = nextDeadline(current);
      if (due === undefined) return assert.equal(advance(current, timeOf(at + 10_000 * DAY)), current);
      assert.equal(advance(current, timeOf(due - 1)), current);
      assert.notEqual(advance(current, timeOf(due)), current);
    });
  });

  it("nobody, not even the Administrator, opens sealed bids before the end of the tender period", () => {
    checkWalks((before, after, at) => {
      const opens = (from: Tender) => areBidsSealed(from) && !areBidsSealed(after) && after.bids.length > 0;
      if (opens(before)) assert.ok(after.tenderPeriod!.endDate! <= at);
      if (opens(advance(before, timeOf(at)))) assert.notEqual(after.status, "cancelled");
    }, runs(300));
  });

  it("sealed bids are not visible, and placing one changes nothing public", () => {
    checkWalks((before, after) => {
      if (!areBidsSealed(after)) return;
      const visibleText = JSON.stringify([
        tenderView(after, viewContext),
        auctionView(after, {}, viewContext),
        visibleBids(after, OWNER),
      ]);
      for (const { id, tokenHash, owner } of after.bids) {
        assert.ok(!visibleText.includes(`"${id}"`) && !visibleText.includes(tokenHash), visibleText);
        assert.equal(visibleBids(after, { account: broker("stranger"), tokenHash }).length, 0);
        assert.ok(
          visibleBids(after, { account: broker(owner), tokenHash }).some((bid) => bid.id === id) || owner === "root",
        );
      }
      if (JSON.stringify(tenderView(before, viewContext)) !== JSON.stringify(tenderView(after, viewContext)))
        assert.notEqual(before.dateModified, after.dateModified);
      else assert.equal(before.dateModified, after.dateModified);
    });
  });

  it("the tender matches the API description in every version", () => {
    checkWalks((_before, after) => {
      for (const [version, dialect] of dialects) {
        const root = `http://tenderhall.example/api/${version}`;
        const body = { data: JSON.parse(dialect.write("Tender", publicTender(after, viewContext), root)) };
        checkResponse(version, "GET", new URL(`${root}/tenders/${after.id}`), { status: 200, body });
      }
    }, runs(30));
  });

  it("no refusal says that the command is allowed at this very time", () => {
    let windows = 0;
    checkWalks(
      () => {},
      runs(300),
      (refusal, at) => {
        const window = "window" in refusal ? refusal.window : undefined;
        if (!window) return;
        windows += 1;
        const { from, until } = window;
        assert.ok(from !== undefined || until !== undefined);
        const isOpen = (from ?? at) <= at && at < (until ?? at + 1);
        assert.ok(!isOpen, `${JSON.stringify(refusal)} at ${at}`);
      },
    );
    assert.ok(windows > runs(100), `only ${windows} refusals had a time window`);
  });

  it("no `belowThreshold` bid exceeds the value of its tender", () => {
    checkWalks((_before, after) => {
      if (after.procedure !== "belowThreshold") return;
      for (const { value } of after.bids) assert.notEqual(value?.amount, decimal("500000.01"));
    });
  });
});

describe("the tables of the procedures", () => {
  it("lead from every status to a final one, and contain only known statuses", () => {
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
