import assert from "node:assert/strict";
import fc from "fast-check";
import { openDialects } from "../../src/dialects/dialects.ts";
import type { Account, Actor } from "../../src/domain/actors.ts";
import type { Command, Context } from "../../src/domain/commands.ts";
import { decide, decideByTime } from "../../src/domain/decide.ts";
import { decimal } from "../../src/domain/money.ts";
import { publish } from "../../src/domain/publishing.ts";
import type { Refusal } from "../../src/domain/refusals.ts";
import type { Tender } from "../../src/domain/tender.ts";
import { openZone } from "../../src/domain/time.ts";
import { cook, DAY, fullTender } from "./examples.ts";
import { START } from "./world.ts";

/** Random walks over the whole procedure, enquiries to contract, with lots and without, while time jumps. */

export const zone = openZone("Europe/Kyiv");
export const dialects = openDialects({ zone, sandbox: true, textBytesMax: 65536, listMax: 1000 });
const account = (name: string, group: Account["group"] = "brokers"): Account => ({ name, group, levels: "1234" });
const OWNER: Actor = { account: account("owner"), tokenHash: "tender token" };
const AUCTION: Actor = { account: account("auction", "auction") };
const BIDDER: Actor = { account: account("bidder"), tokenHash: "bidder token" };
const LOTS = ["a".repeat(32), "b".repeat(32)];

/** What somebody might do to this tender; nothing where there is nothing to do it to. */
type Choice = (tender: Tender, pick: number) => Act | undefined;

const sent = (fields: object) => ({ fields, problems: [] }) as never;
const AMOUNTS = ["1", "333.33", "250000", "499999.99", "500000"].map(decimal);
const amountOf = (pick: number) => AMOUNTS[pick % AMOUNTS.length]!;
const one = <Thing>(list: readonly Thing[], pick: number): Thing | undefined => list[pick % Math.max(1, list.length)];

const bid: Choice = ({ lots }, pick) => {
  const value = { amount: lots.length > 0 ? decimal(String((pick % 900) + 1)) : amountOf(pick) };
  const lotValues = lots.slice(0, 1 + (pick % 2)).map(({ id }) => ({ relatedLot: id, value }));
  const price = lots.length > 0 ? { lotValues } : { value };
  return { actor: BIDDER, command: { kind: "place bid", sent: sent({ tenderers: [cook], ...price }) } };
};

const decideAward: Choice = ({ awards }, pick) => {
  const award = one(awards, pick);
  const status = one(["active", "active", "unsuccessful", "cancelled"], pick >> 3)!;
  return award && { actor: OWNER, command: { kind: "change award", award: award.id, sent: sent({ status }) } };
};

const sign: Choice = ({ contracts }, pick) => {
  const contract = one(contracts, pick);
  const fields = pick % 3 === 0 ? { value: { amount: decimal("1") } } : { status: "active" };
  return contract && { actor: OWNER, command: { kind: "edit contract", contract: contract.id, sent: sent(fields) } };
};

const complain: Choice = ({ awards }, pick) => {
  const award = pick % 2 === 0 ? one(awards, pick >> 1)?.id : undefined;
  const fields = sent({ title: "Unfair", author: cook, status: "claim" });
  return { actor: BIDDER, command: { kind: "file complaint", about: { award }, sent: fields } };
};

const settle: Choice = ({ complaints, awards }, pick) => {
  const all = [
    ...complaints.map(({ id }) => ({ about: {}, id })),
    ...awards.flatMap((award) => award.complaints.map(({ id }) => ({ about: { award: award.id }, id }))),
  ];
  const found = one(all, pick);
  if (!found) return undefined;
  const answers = { status: "answered", resolution: "It was all according to the rules.", resolutionType: "declined" };
  const [actor, fields] = one(
    [
      [OWNER, answers],
      [OWNER, answers],
      [BIDDER, { status: "resolved", satisfied: true }],
      [BIDDER, { status: "cancelled", cancellationReason: "over" }],
    ] as const,
    pick >> 4,
  )!;
  return { actor, command: { kind: "edit complaint", about: found.about, complaint: found.id, sent: sent(fields) } };
};

const cancel: Choice = ({ lots }, pick) => {
  const relatedLot = pick % 4 === 0 ? undefined : one(lots, pick)?.id;
  const fields = { reason: "no money", status: "active", ...(relatedLot && { cancellationOf: "lot", relatedLot }) };
  return { actor: OWNER, command: { kind: "add cancellation", sent: sent(fields) } };
};

const finish: Choice = ({ lots }, pick) => ({
  actor: AUCTION,
  command: { kind: "finish auction", lot: one(lots, pick)?.id, sent: sent({}) },
});

const edit: Choice = (_tender, pick) => ({
  actor: OWNER,
  command: { kind: "edit tender", sent: sent({ description: `as of ${pick}` }) },
});

const ask: Choice = ({ lots }, pick) => {
  const lot = pick % 2 === 0 ? one(lots, pick >> 1) : undefined;
  const about = lot ? { questionOf: "lot", relatedItem: lot.id } : {};
  return { actor: BIDDER, command: { kind: "ask question", sent: sent({ title: "?", author: cook, ...about }) } };
};

const answer: Choice = ({ questions }, pick) => {
  const question = one(questions, pick);
  return (
    question && {
      actor: OWNER,
      command: { kind: "answer question", question: question.id, sent: sent({ answer: "!" }) },
    }
  );
};

const file = { title: "a.txt", format: "text/plain", key: "0".repeat(32), hash: "md5:0", sha256: "0", size: 1 };

const attach: Choice = (tender, pick) => {
  const { awards, contracts, cancellations, complaints } = tender;
  const lists: { readonly [name: string]: readonly { readonly id: string }[] } = {
    award: awards,
    contract: contracts,
    cancellation: cancellations,
    complaint: complaints,
  };
  const [name, list] = one(Object.entries(lists), pick)!;
  const holder = one(list, pick >> 2);
  const actor = name === "complaint" && pick % 3 === 0 ? BIDDER : OWNER;
  return { actor, command: { kind: "add document", of: holder ? { [name]: holder.id } : {}, file } };
};

const divide: Choice = ({ lots }, pick) => {
  const lot = one(lots, pick);
  return lot && { actor: OWNER, command: { kind: "edit lot", lot: lot.id, sent: sent({ title: `Lot ${pick}` }) } };
};

const CHOICES: readonly Choice[] = [
  bid,
  bid,
  bid,
  decideAward,
  decideAward,
  sign,
  sign,
  complain,
  settle,
  finish,
  finish,
];

const EVERYTHING: readonly Choice[] = [...CHOICES, edit, ask, answer, attach, attach, divide, cancel];

export type Step = { readonly forward: number; readonly choice: Choice; readonly pick: number };
const stepsOf = (choices: readonly Choice[]): fc.Arbitrary<readonly Step[]> =>
  fc.array(
    fc.record({
      forward: fc.oneof(
        { weight: 6, arbitrary: fc.constant(0) },
        { weight: 3, arbitrary: fc.constantFrom(DAY, 4 * DAY, 7 * DAY) },
      ),
      choice: fc.oneof(
        { weight: 40, arbitrary: fc.constantFrom(...choices) },
        { weight: 1, arbitrary: fc.constant(cancel) },
      ),
      pick: fc.nat(1023),
    }),
    { minLength: 20, maxLength: 60, size: "max" },
  );

export const steps = stepsOf(CHOICES);
/** Nobody who comes too late or too early is left out. */
export const allSteps = stepsOf(EVERYTHING);

export type Look = (before: Tender, after: Tender, at: number) => void;

export type Act = { readonly actor: Actor; readonly command: Command };
export type Refused = (refusal: Refusal, act: Act, at: number) => void;

export function live(lots: number, life: readonly Step[], look: Look, refused: Refused = () => {}): void {
  let number = 0;
  let at = START;
  const contextOf = (actor: Actor): Context => ({
    actor,
    at,
    zone,
    sandbox: true,
    newId: () => `id-${++number}`,
    newTokenHash: `${actor.account?.name} token`,
  });
  const value = { amount: 1000 };
  const split = LOTS.slice(0, lots).map((id) => ({ id, title: "Lot", value, minimalStep: { amount: 10 } }));
  const wish = { ...fullTender(), ...(lots > 0 && { lots: split }) };
  const { procurementMethodType: _type, ...fields } = dialects
    .get("2.5")!
    .readNew<Record<string, unknown>>("Tender", wish).fields;
  const context = { ...contextOf(OWNER), newTokenHash: "tender token" };
  const published = publish({ procedure: "belowThreshold", sent: sent(fields) }, context, () => 1);
  assert.ok(published.ok, JSON.stringify(published));
  let tender = published.value;
  for (const { forward, choice, pick } of life) {
    at += forward + 1;
    const act = choice(tender, pick);
    const decided = act && decide(tender, act.command, contextOf(act.actor));
    if (decided && !decided.ok) refused(decided.refused, act, at);
    const next = decided?.ok ? decided.value.tender : decideByTime(tender, contextOf({}));
    look(tender, next, at);
    tender = next;
  }
}
