import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { decide, decideByTime } from "../../src/domain/decide.ts";
import type { Account, Actor } from "../../src/domain/model/actors.ts";
import type { CommandContext, TenderCommand } from "../../src/domain/model/commands.ts";
import { type Bid, TENDER_STATUSES, type Tender, type TenderStatus } from "../../src/domain/model/tender.ts";
import { hasCollection } from "../../src/domain/procedures/collections.ts";
import { PROCEDURES } from "../../src/domain/procedures/index.ts";
import { PROCEDURE_NAMES, type ProcedureName } from "../../src/domain/procedures/names.ts";
import { acceptingStages } from "../../src/domain/procedures/procedure.ts";
import { publish } from "../../src/domain/tender/publishing.ts";
import { replaceTender } from "../../src/domain/tender/replacement.ts";
import { decimal } from "../../src/domain/values/decimal.ts";
import { auctionView, scheduleView, tenderView, visibleBids } from "../../src/views/visibility.ts";
import { completeTender } from "../support/completeTenders.ts";
import { LOT_A, LOT_B, START } from "../support/domainCommands.ts";
import { cook, DAY } from "../support/examples.ts";
import { zone } from "../support/randomWalks.ts";
import { runs } from "../support/tier.ts";

// Random commands of every group, and repairs by operators, before and after the deadline for bids.

const account = (name: string, group: Account["group"]): Account => ({ name, group, levels: "1234" });
const OWNER: Actor = { account: account("owner", "brokers"), tokenHash: "tender token" };
const BIDDER: Actor = { account: account("bidder", "brokers"), tokenHash: "bidder token" };
const PRIVILEGED: readonly Actor[] = [
  { account: account("root", "admins") },
  { account: account("repairs", "Administrator") },
  { account: account("auction", "auction") },
  { account: account("clock", "chronograph") },
];
const EVERYONE: readonly Actor[] = [OWNER, ...PRIVILEGED, { account: account("rival", "brokers") }, {}];
const LOTS = [LOT_A, LOT_B];
const WEEK = 7 * DAY;

const readFields = (fields: object) => ({ fields, problems: [] }) as never;

type Step =
  | { readonly forward: number }
  | { readonly bid: "place" | "change" | "withdraw"; readonly amount: string }
  | { readonly actor: Actor; readonly command: TenderCommand }
  | Replacement;

/** A repair by an operator. `startsIn` and `endsIn` move the tender period, relative to now. */
type Replacement = {
  readonly replacesStatus?: TenderStatus;
  readonly startsIn?: number;
  readonly endsIn?: number;
  readonly procedure?: Tender["procedure"];
  readonly keepsBids: boolean;
  readonly force: boolean;
};

const statusPatch = fc.constantFrom(...TENDER_STATUSES).map((status) => ({ status }));
const plan = fc.constantFrom(-DAY, DAY).map((by) => {
  const auctionPeriod = { startDate: START + WEEK + by };
  return { auctionPeriod, lots: [{ auctionPeriod }, { auctionPeriod }] };
});
const results = fc.constantFrom<object>(
  {},
  { bids: [] },
  ...[1, 2, 3].map((many) => ({ bids: Array.from({ length: many }, () => ({ value: { amount: decimal("1") } })) })),
  { bids: [{ value: { amount: decimal("999999999") } }] },
  { bids: [{ lotValues: [{ relatedLot: LOTS[0], value: { amount: decimal("1") } }] }] },
);
const lotOrNone = fc.constantFrom(undefined, ...LOTS);

const commands: fc.Arbitrary<TenderCommand> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .oneof(
        statusPatch,
        plan,
        fc.tuple(statusPatch, plan).map(([a, b]) => ({ ...a, ...b })),
      )
      .map((fields): TenderCommand => ({ kind: "edit tender", sent: readFields(fields) })),
  },
  fc
    .tuple(results, lotOrNone)
    .map(([body, lot]): TenderCommand => ({ kind: "finish auction", lot, sent: readFields(body) })),
  fc
    .tuple(results, lotOrNone)
    .map(([body, lot]): TenderCommand => ({ kind: "set auction urls", lot, sent: readFields(body) })),
  results.map((body): TenderCommand => ({ kind: "report auction", sent: readFields(body) })),
  lotOrNone.map((relatedLot): TenderCommand => {
    const subject = relatedLot ? { cancellationOf: "lot", relatedLot } : {};
    return { kind: "add cancellation", sent: readFields({ reason: "-", status: "active", ...subject }) };
  }),
  fc.constant<TenderCommand>({
    kind: "record award",
    sent: readFields({ suppliers: [cook], bid_id: "id-3-1", lotID: LOTS[0] }),
  }),
  fc.constant<TenderCommand>({ kind: "change bid", bid: "bid-1", sent: readFields({ tenderers: [{ name: "-" }] }) }),
  fc.constant<TenderCommand>({ kind: "withdraw bid", bid: "bid-1" }),
);

const acts: fc.Arbitrary<Step> = fc.record({ actor: fc.constantFrom(...EVERYONE, PRIVILEGED[1]!), command: commands });
const bids: fc.Arbitrary<Step> = fc.record({
  bid: fc.constantFrom("place", "place", "place", "change", "withdraw"),
  amount: fc.constantFrom("1", "333.33", "900"),
});
/** Mostly before the deadline, sometimes past it. */
const jumps: fc.Arbitrary<Step> = fc.constantFrom(DAY, DAY, 2 * DAY, WEEK).map((forward) => ({ forward }));

const replacements: fc.Arbitrary<Step> = fc.record({
  replacesStatus: fc.constantFrom(undefined, ...TENDER_STATUSES),
  startsIn: fc.constantFrom(undefined, undefined, undefined, 1),
  endsIn: fc.constantFrom(undefined, undefined, -1, DAY),
  procedure: fc.constantFrom(undefined, undefined, undefined, ...PROCEDURE_NAMES),
  keepsBids: fc.boolean(),
  force: fc.boolean(),
});

function applyReplacement(tender: Tender, change: Replacement, at: number): Tender {
  const { replacesStatus, startsIn, endsIn, procedure, keepsBids } = change;
  const tenderPeriod = {
    ...tender.tenderPeriod,
    ...(startsIn !== undefined && { startDate: at + startsIn }),
    ...(endsIn !== undefined && { endDate: at + endsIn }),
  };
  return {
    ...tender,
    tenderPeriod,
    ...(replacesStatus && { status: replacesStatus }),
    ...(procedure && { procedure }),
    ...(!keepsBids && { bids: [] }),
  };
}

/** Random sequences of these steps. */
const walksOf = (...kinds: fc.Arbitrary<Step>[]) =>
  fc.array(fc.oneof(...kinds), { minLength: 5, maxLength: 40, size: "max" });

const hasSealedBids = (procedure: ProcedureName): boolean =>
  acceptingStages(PROCEDURES[procedure], "place bid").some(({ stage }) => stage.sealed);
/** Whether bids compete in the procedure and everybody may see them. */
const hasOpenBids = (procedure: ProcedureName): boolean =>
  hasCollection(PROCEDURES[procedure], "bids") && !hasSealedBids(procedure);

/** A tender to publish: each procedure with sealed bids in turn. */
type TenderChoice = { readonly procedure: ProcedureName; readonly lots: number };
const tenders: fc.Arbitrary<TenderChoice> = fc.record({
  procedure: fc.constantFrom(...PROCEDURE_NAMES.filter(hasSealedBids)),
  lots: fc.constantFrom(0, 2),
});

function publishTender({ procedure, lots }: TenderChoice): Tender {
  const context = { ...contextOf(OWNER, START, "made"), newTokenHash: "tender token" };
  const published = publish({ procedure, sent: readFields(completeTender(procedure, lots)) }, context, () => 1);
  assert.ok(published.ok, JSON.stringify(published));
  return published.value;
}

/** Ids depend on the step, so that two walks that create different objects still have the same ids. */
function contextOf(actor: Actor, at: number, prefix: string): CommandContext {
  let count = 0;
  const newId = () => `${prefix}-${++count}`;
  return { actor, at, zone, sandbox: true, newId, newTokenHash: `${actor.account?.name} token` };
}

const priceOf = ({ lots }: Tender, amount: string) => {
  const value = { amount: decimal(amount) };
  return lots.length > 0 ? { lotValues: lots.map(({ id }) => ({ relatedLot: id, value })) } : { value };
};

function bidCommand(tender: Tender, kind: "place" | "change" | "withdraw", amount: string): TenderCommand {
  const bid = tender.bids[0]?.id ?? "bid-none";
  if (kind === "withdraw") return { kind: "withdraw bid", bid };
  if (kind === "change") return { kind: "change bid", bid, sent: readFields(priceOf(tender, amount)) };
  return { kind: "place bid", sent: readFields({ tenderers: [cook], ...priceOf(tender, amount) }) };
}

const isOver = ({ tenderPeriod }: Tender, at: number) => tenderPeriod!.endDate! <= at;
const viewContext = (now: number) => ({ now, zone, sandbox: true });

/** Everything that is visible to anyone but the bidder. */
const viewsOf = (tender: Tender, at: number) => ({
  tender: tenderView(tender, viewContext(at)),
  schedule: scheduleView(tender, viewContext(at)),
  auctions: EVERYONE.map((actor) => auctionView(tender, actor, viewContext(at))),
  bids: EVERYONE.map((actor) => visibleBids(tender, actor)),
});

describe("before the deadline of a sealed tender", () => {
  it("no command has a different result for a tender with bids than for one without", () => {
    let compared = 0;
    fc.assert(
      fc.property(tenders, walksOf(acts, acts, bids, jumps), (tender, steps) => {
        let [withBids, withoutBids] = [publishTender(tender), publishTender(tender)];
        let at = START + WEEK;
        for (const [i, step] of steps.entries()) {
          at += 1 + ("forward" in step ? step.forward : 0);
          [withBids, withoutBids] = [withBids, withoutBids].map((tender) =>
            decideByTime(tender, contextOf({}, at, "time")),
          ) as [Tender, Tender];
          if (isOver(withBids, at)) return;
          if ("bid" in step) {
            const placed = decide(withBids, bidCommand(withBids, step.bid, step.amount), contextOf(BIDDER, at, "bid"));
            if (placed.ok) withBids = placed.value.tender;
          } else if ("command" in step) {
            const decisions = [withBids, withoutBids].map((tender) =>
              decide(tender, step.command, contextOf(step.actor, at, `id-${i}`)),
            );
            const [first, second] = decisions.map((decision) =>
              decision.ok ? viewsOf(decision.value.tender, at) : decision,
            );
            assert.deepEqual(first, second);
            [withBids, withoutBids] = decisions.map((decision, j) =>
              decision.ok ? decision.value.tender : [withBids, withoutBids][j]!,
            ) as [Tender, Tender];
            if (withBids.bids.length > 0) compared += 1;
          }
          assert.deepEqual(viewsOf(withBids, at), viewsOf(withoutBids, at));
        }
      }),
      { numRuns: runs(200) },
    );
    assert.ok(compared > runs(100), `only ${compared} commands were compared with sealed bids`);
  });

  it("a tender does not reach its auction, and nobody sees a bid of another", () => {
    fc.assert(
      fc.property(tenders, walksOf(acts, bids, jumps, replacements), (published, steps) =>
        walk(published, steps, (tender, at) => {
          if (hasOpenBids(tender.procedure) || isOver(tender, at)) return;
          const beyond = ["active.auction", "active.qualification", "active.awarded", "complete"];
          // An operator may turn a draft into a procedure without bids, which has no deadline for them.
          if (hasSealedBids(tender.procedure)) assert.ok(!beyond.includes(tender.status), tender.status);
          assert.equal(openBids(tender, at).length, 0);
        }),
      ),
      { numRuns: runs(200) },
    );
  });
});

describe("after somebody has seen a bid of another", () => {
  it("no bid is accepted, whatever administrators and operators do", () => {
    let opened = 0;
    fc.assert(
      fc.property(tenders, walksOf(acts, bids, bids, jumps, replacements), (published, steps) => {
        let isOpened = false;
        walk(published, steps, (tender, at, placed) => {
          assert.ok(!(isOpened && placed), "a bid was placed after others had been seen");
          if (!hasOpenBids(tender.procedure) && openBids(tender, at).length > 0) isOpened = true;
        });
        if (isOpened) opened += 1;
      }),
      { numRuns: runs(200) },
    );
    assert.ok(opened > runs(20), `bids were opened in only ${opened} walks`);
  });
});

/** The bids that are visible to anyone but their owner. */
function openBids(tender: Tender, at: number): readonly (Pick<Bid, "id"> & object)[] {
  const { tender: view, auctions, bids: visible } = viewsOf(tender, at);
  return [...(view.bids ?? []), ...auctions.flatMap((auction) => auction.bids), ...visible.flat()];
}

/** Carries out the steps. Calls `observe` after each with the tender and whether a bid was placed or changed. */
function walk(
  published: TenderChoice,
  steps: readonly Step[],
  observe: (tender: Tender, at: number, placed: boolean) => void,
): void {
  let tender = publishTender(published);
  let at = START + WEEK;
  for (const [i, step] of steps.entries()) {
    at += 1 + ("forward" in step ? step.forward : 0);
    tender = decideByTime(tender, contextOf({}, at, `time-${i}`));
    const decided = decideStep(step, tender, at, `id-${i}`);
    if (decided?.ok) tender = decided.value.tender;
    observe(tender, at, "bid" in step && decided !== undefined && decided.ok);
  }
}

function decideStep(step: Step, tender: Tender, at: number, ids: string) {
  if ("bid" in step) return decide(tender, bidCommand(tender, step.bid, step.amount), contextOf(BIDDER, at, ids));
  if ("command" in step) return decide(tender, step.command, contextOf(step.actor, at, ids));
  if (!("force" in step)) return undefined;
  const replacement = { tender: applyReplacement(tender, step, at), force: step.force, hasFile: () => true };
  return replaceTender(tender, replacement, contextOf(PRIVILEGED[0]!, at, ids));
}
