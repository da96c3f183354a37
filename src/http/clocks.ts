import { nextDeadline } from "../domain/clock.ts";
import type { Window } from "../domain/refusals.ts";
import { mayHoldSealedBids } from "../domain/sealing.ts";
import type { Tender } from "../domain/tender.ts";
import { formatInstant, type Instant, parseInstant } from "../domain/time.ts";
import { CLOCKS_MAX, newClock, type TestClock } from "../registry/clocks.ts";
import { newId } from "../registry/secrets.ts";
import { type Answer, FORBIDDEN, failure, NOT_FOUND, single } from "./answers.ts";
import { laterBy, NOT_A_DURATION } from "./durations.ts";
import type { ErrorRuleId } from "./errorRules.ts";
import type { Exchange, ViewPorts } from "./exchange.ts";
import { rememberedAnswer } from "./once.ts";
import type { Route } from "./route.ts";
import type { RegistryPort } from "./runCommand.ts";

type ClockPorts = RegistryPort & ViewPorts & { readonly clock: () => Instant };
type ClockExchange = Exchange<ClockPorts>;

/** Time of the sandbox that stands still until it is told to go on, so that nobody has to wait for a procedure. */
export const CLOCK_ROUTES: readonly Route<ClockPorts>[] = [
  {
    path: "/sandbox/clocks",
    methods: {
      GET: {
        summary: "The caller's test clocks",
        answers: { status: 200, data: "ListedClock", many: true },
        run: listClocks,
      },
      POST: {
        summary: "Makes a test clock",
        body: { data: "ClockSent" },
        answers: { status: 201, data: "Clock" },
        run: makeClock,
      },
    },
  },
  {
    path: "/sandbox/clocks/{clock_id}",
    methods: {
      GET: { summary: "A test clock and the tenders on it", answers: { status: 200, data: "Clock" }, run: showClock },
    },
  },
  {
    path: "/sandbox/clocks/{clock_id}/advance",
    methods: {
      POST: {
        summary: "Moves a test clock forward, and carries out all that falls due",
        body: { data: "Advance" },
        answers: { status: 200, data: "Clock" },
        run: advanceClock,
      },
    },
  },
];

const TENDERS_SHOWN_MAX = 1000;

const wrong = (name: string, description: string, rule: ErrorRuleId = "clock-move", window?: Window): Answer =>
  single(422, "body", name, description, rule, { window });

async function listClocks({ ports, actor }: ClockExchange): Promise<Answer> {
  const own = actor.account ? await ports.registry.clocks.ofOwner(actor.account.name) : [];
  return { status: 200, json: JSON.stringify({ data: own.map((clock) => told(clock, ports)) }) };
}

async function makeClock(exchange: ClockExchange): Promise<Answer> {
  const { ports, actor, body, root, once, isDry } = exchange;
  const { now: given, ...others } = body!.data;
  const unknown = Object.keys(others);
  if (unknown.length > 0) return unknownFields(unknown);
  const now = given === undefined ? ports.clock() : timeIn(given, ports);
  if (now === undefined) return wrong("now", NOT_A_TIME, "bad-date");
  if (await ports.registry.clocks.hasEnough(actor.account!.name)) return TOO_MANY_CLOCKS;
  const clock: TestClock = { id: newId(), owner: actor.account!.name, now };
  const answer = {
    status: 201,
    headers: { Location: `${root}/sandbox/clocks/${clock.id}` },
    json: JSON.stringify({ data: { ...told(clock, ports), tenders: [] } }),
  };
  const made = newClock(clock.id, clock.owner, now);
  const { notes } = ports.registry;
  if (once && !isDry) return rememberedAnswer(once, ports.registry, answer, made);
  if (!isDry) await notes.put(made);
  return answer;
}

function timeIn(given: unknown, { config }: ClockPorts): Instant | undefined {
  const parsed = typeof given === "string" ? parseInstant(given, config.zone) : undefined;
  return typeof parsed === "number" ? parsed : undefined;
}

const TOO_MANY_CLOCKS = single(
  403,
  "url",
  "clocks",
  `An account has at most ${CLOCKS_MAX} test clocks`,
  "too-many-clocks",
);

const NOT_A_TIME = "A time is written as 2026-11-16T10:00:00+02:00";

const unknownFields = (names: readonly string[]): Answer =>
  failure(
    422,
    names.map((name) => ({ location: "body", name, description: "Rogue field", rule: "unknown-field" })),
  );

async function showClock(exchange: ClockExchange): Promise<Answer> {
  const clock = await exchange.ports.registry.clocks.find(exchange.params.clock_id!);
  return clock ? shown(clock, exchange) : NOT_FOUND("clock_id");
}

/** One after the other; those of other servers are waited for, too, but that costs each of them a look. */
function advanceClock(exchange: ClockExchange): Promise<Answer> {
  const { ports, params } = exchange;
  return ports.registry.clocks.inTurn(params.clock_id!, () => advance(exchange));
}

async function advance(exchange: ClockExchange): Promise<Answer> {
  const { ports, params, actor, isDry } = exchange;
  const { clocks } = ports.registry;
  const clock = await clocks.find(params.clock_id!);
  if (!clock) return NOT_FOUND("clock_id");
  if (clock.owner !== actor.account!.name) return FORBIDDEN;
  const whereTo = (from: TestClock) => aimOf(exchange, from);
  if (isDry) {
    const to = await whereTo(clock);
    return typeof to === "number" ? answerOf(await foreseenOn({ ...clock, now: to }, exchange)) : to;
  }
  const refused = await clocks.advance(clock.id, whereTo, exchange.once?.name.id);
  return refused ?? shown((await clocks.find(clock.id))!, exchange);
}

const answerOf = (data: object): Answer => ({ status: 200, json: JSON.stringify({ data }) });

const AIMS = ["to", "by", "next"] as const;

/** Where a clock is to be moved: exactly one way of saying so. */
async function aimOf({ body, ports }: ClockExchange, { id, now }: TestClock): Promise<Instant | Answer> {
  const { data } = body!;
  const unknown = Object.keys(data).filter((name) => !(AIMS as readonly string[]).includes(name));
  if (unknown.length > 0) return unknownFields(unknown);
  const given = AIMS.filter((name) => data[name] !== undefined);
  if (given.length !== 1) return wrong("data", "Exactly one of to, by and next says where the clock is to be moved");
  switch (given[0]!) {
    case "to": {
      const to = timeIn(data.to, ports);
      if (to === undefined) return wrong("to", NOT_A_TIME, "bad-date");
      return to < now
        ? wrong("to", `A clock never goes back: it shows ${formatInstant(now, ports.config.zone)}`, "clock-move", {
            from: now,
          })
        : to;
    }
    case "by":
      return laterBy(data.by, now, ports.config.zone.name) ?? wrong("by", NOT_A_DURATION);
    case "next":
      if (data.next !== true) return wrong("next", "next is true or absent");
      return (await ports.registry.clocks.next(id)) ?? now;
  }
}

const told = ({ id, now }: TestClock, { config }: ClockPorts) => ({
  id,
  now: formatInstant(now, config.zone),
});

/** All of it as of one time, whoever moves the clock meanwhile; where somebody never stops, as of the last look. */
async function shown(clock: TestClock, exchange: ClockExchange, tries = 10): Promise<Answer> {
  const { registry } = exchange.ports;
  const next = await registry.clocks.next(clock.id);
  const ids = await registry.onClock(clock.id, TENDERS_SHOWN_MAX);
  const tenders = await Promise.all(ids.map((id) => registry.tender(id)));
  const after = (await registry.clocks.find(clock.id))!;
  if (after.now !== clock.now && tries > 0) return shown(after, exchange, tries - 1);
  return answerOf(shownWith(clock, exchange, next, tenders));
}

/** As it would be shown at a time to which it was not moved. */
async function foreseenOn(clock: TestClock, exchange: ClockExchange): Promise<object> {
  const { registry } = exchange.ports;
  const tenders: Tender[] = [];
  let next: Instant | undefined;
  for (const id of await registry.onClock(clock.id, Number.MAX_SAFE_INTEGER)) {
    const now = (await registry.tender(id))!;
    // What its time brings would tell how many bids there are.
    const tender = mayHoldSealedBids(now) ? now : registry.foreseen(now, clock.now);
    const moment = nextDeadline(tender);
    if (moment !== undefined && moment > clock.now) next = Math.min(moment, next ?? moment);
    if (tenders.length < TENDERS_SHOWN_MAX) tenders.push(tender);
  }
  return shownWith(clock, exchange, next, tenders);
}

/** Drafts are nobody's business but their owner's, who is likely to be the clock's. */
function shownWith(
  clock: TestClock,
  { ports, actor }: ClockExchange,
  next: Instant | undefined,
  tenders: readonly (Tender | undefined)[],
): object {
  const isOwn = actor.account?.name === clock.owner;
  const at = (moment: Instant | undefined) => moment && { next_check: formatInstant(moment, ports.config.zone) };
  return {
    ...told(clock, ports),
    ...at(next),
    tenders: tenders.flatMap((tender) =>
      tender && (isOwn || tender.status !== "draft")
        ? [{ id: tender.id, tenderID: tender.tenderID, status: tender.status, ...at(nextDeadline(tender)) }]
        : [],
    ),
  };
}
