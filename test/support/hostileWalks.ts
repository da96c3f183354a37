import assert from "node:assert/strict";
import fc from "fast-check";
import { decide, decideByTime } from "../../src/domain/decide.ts";
import type { Account, Actor } from "../../src/domain/model/actors.ts";
import type { CommandContext, TenderCommand } from "../../src/domain/model/commands.ts";
import type { Refusal } from "../../src/domain/model/refusals.ts";
import { AWARD_STATUSES, COMPLAINT_STATUSES, CONTRACT_STATUSES, type Tender } from "../../src/domain/model/tender.ts";
import { PROCEDURES } from "../../src/domain/procedures/index.ts";
import type { ProcedureName } from "../../src/domain/procedures/names.ts";
import { publish } from "../../src/domain/tender/publishing.ts";
import { type Decimal, decimal } from "../../src/domain/values/decimal.ts";
import { completeTender, knownFields, lotsMaxOf } from "./completeTenders.ts";
import { zone } from "./decisions.ts";
import { START } from "./domainCommands.ts";
import { cook, DAY } from "./examples.ts";

// Random sequences of commands by anybody, most of which are refused, while time jumps.

/** The account of a broker with every level. */
export const brokerAccount = (name: string): Account => ({ name, group: "brokers", levels: "1234" });
/** The owner of the tenders in hostile walks. */
export const HOSTILE_WALK_OWNER: Actor = { account: brokerAccount("owner"), tokenHash: "tender token" };

/** A command that depends on what the tender has when its turn comes. */
type Choice = (tender: Tender) => TenderCommand;
type Step = { readonly forward: number; readonly command: Choice; readonly actor: Actor };

const amounts = fc.constantFrom("0", "1", "499999.99", "500000", "500000.01").map(decimal);
const actors = fc.constantFrom<Actor>(
  HOSTILE_WALK_OWNER,
  HOSTILE_WALK_OWNER,
  HOSTILE_WALK_OWNER,
  {},
  { account: brokerAccount("rival"), tokenHash: "rival token" },
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
        ({ procedure, lots, awards }) => ({
          kind: "record award",
          sent: readFields(
            knownFields(procedure, "Award", {
              ...supplierOf(qualified),
              ...(lots.length > 0 && { lotID: idOf(lots, awards.length) }),
            }),
          ),
        }),
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
/** A tender as it is published, and what anybody tries to do with it. */
export type HostileWalk = {
  readonly procedure: ProcedureName;
  readonly lots: number;
  readonly walkSteps: readonly Step[];
};

/** Walks of a procedure in which anybody sends any command. */
export const hostileWalksOf = (procedure: ProcedureName): fc.Arbitrary<HostileWalk> =>
  fc.record({
    procedure: fc.constant(procedure),
    // The bids of these walks are for the tender as a whole.
    lots: PROCEDURES[procedure].bids ? fc.constant(0) : fc.constantFrom(0, lotsMaxOf(procedure)),
    walkSteps: PROCEDURES[procedure].bids ? steps : directSteps,
  });

/** Called after each step with the tender before and after it, and who sent the command. */
export type HostileStepObserver = (before: Tender, after: Tender, at: number, actor: Actor) => void;
type HostileRefusalObserver = (refusal: Refusal, at: number) => void;

function* sequentialIds(): Generator<string, never> {
  for (let i = 1; ; i++) yield `id-${i}`;
}

/** Creates a tender and carries out the steps. Calls `observe` with the tender before and after each step. */
export function walkHostile(
  { procedure, lots, walkSteps }: HostileWalk,
  observe: HostileStepObserver,
  onRefusal: HostileRefusalObserver = () => {},
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
    { procedure, sent: readFields(completeTender(procedure, lots)) },
    { ...contextOf(HOSTILE_WALK_OWNER), newTokenHash: "tender token" },
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
