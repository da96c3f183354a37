import assert from "node:assert/strict";
import fc from "fast-check";
import { openDialects } from "../../src/dialects/dialects.ts";
import { decide, decideByTime } from "../../src/domain/decide.ts";
import type { Account, Actor } from "../../src/domain/model/actors.ts";
import type { CommandContext, TenderCommand } from "../../src/domain/model/commands.ts";
import type { Refusal } from "../../src/domain/model/refusals.ts";
import type { Tender } from "../../src/domain/model/tender.ts";
import { publish } from "../../src/domain/tender/publishing.ts";
import { decimal } from "../../src/domain/values/decimal.ts";
import { openZone } from "../../src/domain/values/time.ts";
import { cook, DAY, fullTender } from "./examples.ts";
import { START } from "./world.ts";

// Random walks through the whole `belowThreshold` procedure, with and without lots, while time jumps.

export const zone = openZone("Europe/Kyiv");
export const dialects = openDialects({ zone, sandbox: true, textBytesMax: 65536, listMax: 1000 });
const account = (name: string, group: Account["group"] = "brokers"): Account => ({ name, group, levels: "1234" });
const OWNER: Actor = { account: account("owner"), tokenHash: "tender token" };
const AUCTION: Actor = { account: account("auction", "auction") };
const BIDDER: Actor = { account: account("bidder"), tokenHash: "bidder token" };
const LOTS = ["a".repeat(32), "b".repeat(32)];

/** A command that may be possible for this tender; undefined if it has no object for it. `pick` makes random choices. */
type CommandChoice = (tender: Tender, pick: number) => ChosenCommand | undefined;

const readFields = (fields: object) => ({ fields, problems: [] }) as never;
const AMOUNTS = ["1", "333.33", "250000", "499999.99", "500000"].map(decimal);
const amountOf = (pick: number) => AMOUNTS[pick % AMOUNTS.length]!;
const pickFrom = <Item>(list: readonly Item[], pick: number): Item | undefined => list[pick % Math.max(1, list.length)];

const bid: CommandChoice = ({ lots }, pick) => {
  const value = { amount: lots.length > 0 ? decimal(String((pick % 900) + 1)) : amountOf(pick) };
  const lotValues = lots.slice(0, 1 + (pick % 2)).map(({ id }) => ({ relatedLot: id, value }));
  const price = lots.length > 0 ? { lotValues } : { value };
  return { actor: BIDDER, command: { kind: "place bid", sent: readFields({ tenderers: [cook], ...price }) } };
};

const decideAward: CommandChoice = ({ awards }, pick) => {
  const award = pickFrom(awards, pick);
  const status = pickFrom(["active", "active", "unsuccessful", "cancelled"], pick >> 3)!;
  return award && { actor: OWNER, command: { kind: "change award", award: award.id, sent: readFields({ status }) } };
};

const sign: CommandChoice = ({ contracts }, pick) => {
  const contract = pickFrom(contracts, pick);
  const fields = pick % 3 === 0 ? { value: { amount: decimal("1") } } : { status: "active" };
  return (
    contract && { actor: OWNER, command: { kind: "edit contract", contract: contract.id, sent: readFields(fields) } }
  );
};

const complain: CommandChoice = ({ awards }, pick) => {
  const award = pick % 2 === 0 ? pickFrom(awards, pick >> 1)?.id : undefined;
  const fields = readFields({ title: "Unfair", author: cook, status: "claim" });
  return { actor: BIDDER, command: { kind: "file complaint", about: { award }, sent: fields } };
};

const settleComplaint: CommandChoice = ({ complaints, awards }, pick) => {
  const all = [
    ...complaints.map(({ id }) => ({ about: {}, id })),
    ...awards.flatMap((award) => award.complaints.map(({ id }) => ({ about: { award: award.id }, id }))),
  ];
  const complaint = pickFrom(all, pick);
  if (!complaint) return undefined;
  const resolution = {
    status: "answered",
    resolution: "It was all according to the rules.",
    resolutionType: "declined",
  };
  const [actor, fields] = pickFrom(
    [
      [OWNER, resolution],
      [OWNER, resolution],
      [BIDDER, { status: "resolved", satisfied: true }],
      [BIDDER, { status: "cancelled", cancellationReason: "over" }],
    ] as const,
    pick >> 4,
  )!;
  return {
    actor,
    command: { kind: "edit complaint", about: complaint.about, complaint: complaint.id, sent: readFields(fields) },
  };
};

const addCancellation: CommandChoice = ({ lots }, pick) => {
  const relatedLot = pick % 4 === 0 ? undefined : pickFrom(lots, pick)?.id;
  const fields = { reason: "no money", status: "active", ...(relatedLot && { cancellationOf: "lot", relatedLot }) };
  return { actor: OWNER, command: { kind: "add cancellation", sent: readFields(fields) } };
};

const finishAuction: CommandChoice = ({ lots }, pick) => ({
  actor: AUCTION,
  command: { kind: "finish auction", lot: pickFrom(lots, pick)?.id, sent: readFields({}) },
});

const edit: CommandChoice = (_tender, pick) => ({
  actor: OWNER,
  command: { kind: "edit tender", sent: readFields({ description: `as of ${pick}` }) },
});

const ask: CommandChoice = ({ lots }, pick) => {
  const lot = pick % 2 === 0 ? pickFrom(lots, pick >> 1) : undefined;
  const about = lot ? { questionOf: "lot", relatedItem: lot.id } : {};
  return { actor: BIDDER, command: { kind: "ask question", sent: readFields({ title: "?", author: cook, ...about }) } };
};

const answer: CommandChoice = ({ questions }, pick) => {
  const question = pickFrom(questions, pick);
  return (
    question && {
      actor: OWNER,
      command: { kind: "answer question", question: question.id, sent: readFields({ answer: "!" }) },
    }
  );
};

const file = { title: "a.txt", format: "text/plain", key: "0".repeat(32), hash: "md5:0", sha256: "0", size: 1 };

const addDocument: CommandChoice = (tender, pick) => {
  const { awards, contracts, cancellations, complaints } = tender;
  const lists: { readonly [name: string]: readonly { readonly id: string }[] } = {
    award: awards,
    contract: contracts,
    cancellation: cancellations,
    complaint: complaints,
  };
  const [name, list] = pickFrom(Object.entries(lists), pick)!;
  const parent = pickFrom(list, pick >> 2);
  const actor = name === "complaint" && pick % 3 === 0 ? BIDDER : OWNER;
  return { actor, command: { kind: "add document", of: parent ? { [name]: parent.id } : {}, file } };
};

const editLot: CommandChoice = ({ lots }, pick) => {
  const lot = pickFrom(lots, pick);
  return (
    lot && { actor: OWNER, command: { kind: "edit lot", lot: lot.id, sent: readFields({ title: `Lot ${pick}` }) } }
  );
};

const CHOICES: readonly CommandChoice[] = [
  bid,
  bid,
  bid,
  decideAward,
  decideAward,
  sign,
  sign,
  complain,
  settleComplaint,
  finishAuction,
  finishAuction,
];

const ALL_CHOICES: readonly CommandChoice[] = [
  ...CHOICES,
  edit,
  ask,
  answer,
  addDocument,
  addDocument,
  editLot,
  addCancellation,
];

/** A step of a walk: the time to pass in microseconds, and the command. */
export type Step = { readonly forward: number; readonly choice: CommandChoice; readonly pick: number };
const stepsOf = (choices: readonly CommandChoice[]): fc.Arbitrary<readonly Step[]> =>
  fc.array(
    fc.record({
      forward: fc.oneof(
        { weight: 6, arbitrary: fc.constant(0) },
        { weight: 3, arbitrary: fc.constantFrom(DAY, 4 * DAY, 7 * DAY) },
      ),
      choice: fc.oneof(
        { weight: 40, arbitrary: fc.constantFrom(...choices) },
        { weight: 1, arbitrary: fc.constant(addCancellation) },
      ),
      pick: fc.nat(1023),
    }),
    { minLength: 20, maxLength: 60, size: "max" },
  );

/** Walks with commands that usually succeed. */
export const steps = stepsOf(CHOICES);
/** Walks with all commands, including those that come too early or too late. */
export const allSteps = stepsOf(ALL_CHOICES);

/** Called after each step with the tender before and after it. */
export type StepObserver = (before: Tender, after: Tender, at: number) => void;

/** A command and its actor. */
export type ChosenCommand = { readonly actor: Actor; readonly command: TenderCommand };
/** Called for each refused command. */
export type RefusalObserver = (refusal: Refusal, act: ChosenCommand, at: number) => void;

/** Creates a tender and carries out the steps. */
export function walk(
  lots: number,
  walkSteps: readonly Step[],
  observe: StepObserver,
  onRefusal: RefusalObserver = () => {},
): void {
  let number = 0;
  let at = START;
  const contextOf = (actor: Actor): CommandContext => ({
    actor,
    at,
    zone,
    sandbox: true,
    newId: () => `id-${++number}`,
    newTokenHash: `${actor.account?.name} token`,
  });
  const value = { amount: 1000 };
  const lotBodies = LOTS.slice(0, lots).map((id) => ({ id, title: "Lot", value, minimalStep: { amount: 10 } }));
  const tenderBody = { ...fullTender(), ...(lots > 0 && { lots: lotBodies }) };
  const { procurementMethodType: _type, ...fields } = dialects
    .get("2.5")!
    .readNew<Record<string, unknown>>("Tender", tenderBody).fields;
  const context = { ...contextOf(OWNER), newTokenHash: "tender token" };
  const published = publish({ procedure: "belowThreshold", sent: readFields(fields) }, context, () => 1);
  assert.ok(published.ok, JSON.stringify(published));
  let tender = published.value;
  for (const { forward, choice, pick } of walkSteps) {
    at += forward + 1;
    const act = choice(tender, pick);
    const decided = act && decide(tender, act.command, contextOf(act.actor));
    if (decided && !decided.ok) onRefusal(decided.refused, act, at);
    const next = decided?.ok ? decided.value.tender : decideByTime(tender, contextOf({}));
    observe(tender, next, at);
    tender = next;
  }
}
