import { type Decimal, parseDecimal } from "../values/decimal.ts";
import { isPlainObject } from "../values/merge.ts";
import type { Instant } from "../values/time.ts";
import type { AuctionCommand, AuctionInputRecord, AuctionRules, BidderName, InitialBid } from "./model.ts";
import { type AuctionSource, RECORD_FORMAT } from "./record.ts";

/** Checks the source of a record that somebody else sends, so that `unknown` becomes a typed value. */

type Guard<Value> = (value: unknown) => value is Value;
type Guards<Fields> = { readonly [Name in keyof Fields]-?: Guard<Fields[Name]> };

const isText: Guard<string> = (value) => typeof value === "string";
const isBoolean: Guard<boolean> = (value) => typeof value === "boolean";
const isInstant: Guard<Instant> = (value): value is Instant => Number.isSafeInteger(value);
const isLength: Guard<number> = (value): value is number => isInstant(value) && value >= 0;
const isRoundCount: Guard<number> = (value): value is number => isInstant(value) && value >= 1 && value <= ROUNDS_MAX;
const isDecimal: Guard<Decimal> = (value): value is Decimal => isText(value) && parseDecimal(value) === value;
const isExactly =
  <Value extends string | true>(expected: Value): Guard<Value> =>
  (value): value is Value =>
    value === expected;
const isAbsentOr =
  <Value>(guard: Guard<Value>): Guard<Value | undefined> =>
  (value): value is Value | undefined =>
    value === undefined || guard(value);
const isListOf =
  <Value>(guard: Guard<Value>): Guard<readonly Value[]> =>
  (value): value is readonly Value[] =>
    Array.isArray(value) && value.every(guard);
/** An object with these fields and no others. */
const isObjectWith =
  <Fields>(guards: Guards<Fields>): Guard<Fields> =>
  (value): value is Fields => {
    if (!isPlainObject(value)) return false;
    const known: { readonly [name: string]: Guard<unknown> } = guards;
    const hasOnlyKnown = Object.keys(value).every((name) => Object.hasOwn(known, name));
    return hasOnlyKnown && Object.entries(known).every(([name, guard]) => guard(value[name]));
  };

/** No auction needs more, and a forged record must not make the replay run for long. */
const ROUNDS_MAX = 100;

const isRules: Guard<AuctionRules> = isObjectWith<AuctionRules>({
  rounds: isRoundCount,
  firstPauseMicros: isLength,
  pauseMicros: isLength,
  turnMicros: isLength,
  preAnnouncementMicros: isLength,
  turnLossMicrosMax: isLength,
  interruptionMicrosMax: isLength,
  minimalStep: isDecimal,
  currency: isText,
  confirmedDrop: isDecimal,
  hasFeatures: isBoolean,
});

const isInitialBid = isObjectWith<InitialBid>({ id: isText, amount: isDecimal, coefficient: isText, date: isInstant });
const isBidderName = isObjectWith<BidderName>({ bid: isText, name: isText });

type CommandOf<Kind extends AuctionCommand["kind"]> = Extract<AuctionCommand, { kind: Kind }>;

const COMMANDS: { readonly [Kind in AuctionCommand["kind"]]: Guard<CommandOf<Kind>> } = {
  plan: isObjectWith<CommandOf<"plan">>({
    kind: isExactly("plan"),
    start: isInstant,
    startMissed: isAbsentOr(isExactly(true)),
  }),
  begin: isObjectWith<CommandOf<"begin">>({ kind: isExactly("begin"), bids: isListOf(isInitialBid) }),
  "place price": isObjectWith<CommandOf<"place price">>({
    kind: isExactly("place price"),
    bid: isText,
    amount: isDecimal,
    confirmed: isAbsentOr(isExactly(true)),
  }),
  "take back price": isObjectWith<CommandOf<"take back price">>({ kind: isExactly("take back price"), bid: isText }),
  "report interruption": isObjectWith<CommandOf<"report interruption">>({
    kind: isExactly("report interruption"),
    from: isInstant,
    until: isInstant,
  }),
  cancel: isObjectWith<CommandOf<"cancel">>({ kind: isExactly("cancel") }),
  "disclose names": isObjectWith<CommandOf<"disclose names">>({
    kind: isExactly("disclose names"),
    names: isListOf(isBidderName),
  }),
};

const isCommand: Guard<AuctionCommand> = (value): value is AuctionCommand =>
  Object.values<Guard<AuctionCommand>>(COMMANDS).some((guard) => guard(value));

/** The rule of a refusal is compared with that of the replay, so any text will do here. */
const isInput = (value: unknown): value is AuctionInputRecord =>
  isPlainObject(value) &&
  Object.keys(value).every((name) => ["at", "command", "refused"].includes(name)) &&
  isInstant(value.at) &&
  isCommand(value.command) &&
  isAbsentOr(isText)(value.refused);

/** The source of a record, or the path of the first part that is not valid. */
export function readSource(record: unknown): AuctionSource | { readonly invalid: string } {
  if (!isPlainObject(record)) return { invalid: "" };
  const { format, id, rules, inputs, until } = record;
  if (!isExactly(RECORD_FORMAT)(format)) return { invalid: "format" };
  if (!isText(id)) return { invalid: "id" };
  if (!isRules(rules)) return { invalid: "rules" };
  if (!isInstant(until)) return { invalid: "until" };
  if (!Array.isArray(inputs)) return { invalid: "inputs" };
  const invalidIndex = inputs.findIndex((input) => !isInput(input));
  if (invalidIndex >= 0) return { invalid: `inputs[${invalidIndex}]` };
  return { format, id, rules, inputs, until };
}
