import { newId } from "../../base/secrets.ts";
import { nextDeadline } from "../../domain/deadlines.ts";
import type { TimeWindow } from "../../domain/model/refusals.ts";
import type { Tender } from "../../domain/model/tender.ts";
import { mayHoldSealedBids } from "../../domain/sealing.ts";
import { addDuration, INVALID_DURATION_MESSAGE } from "../../domain/values/durations.ts";
import { formatInstant, type Instant, parseInstant } from "../../domain/values/time.ts";
import type { ErrorRuleId } from "../../http/errorRules.ts";
import type { Exchange, ViewPorts } from "../../http/exchange.ts";
import { recordResponse } from "../../http/idempotency.ts";
import { errorResponse, FORBIDDEN, type HttpResponse, NOT_FOUND, singleErrorResponse } from "../../http/responses.ts";
import type { Route } from "../../http/route.ts";
import type { RegistryPort } from "../../http/runCommand.ts";
import { CLOCKS_MAX, newClockEntries, type TestClock } from "../../registry/testClocks.ts";

type ClockPorts = RegistryPort & ViewPorts & { readonly clock: () => Instant };
type ClockExchange = Exchange<ClockPorts>;

/** Time of the sandbox that stands still until it is told to go on, so that nobody has to wait for a procedure. */
export const CLOCK_ROUTES: readonly Route<ClockPorts>[] = [
  {
    path: "/sandbox/clocks",
    methods: {
      GET: {
        summary: "The caller's test clocks",
        response: { status: 200, data: "ListedClock", many: true },
        run: listClocks,
      },
      POST: {
        summary: "Makes a test clock",
        body: { data: "ClockSent" },
        response: { status: 201, data: "Clock" },
        run: createClock,
      },
    },
  },
  {
    path: "/sandbox/clocks/{clock_id}",
    methods: {
      GET: { summary: "A test clock and the tenders on it", response: { status: 200, data: "Clock" }, run: showClock },
    },
  },
  {
    path: "/sandbox/clocks/{clock_id}/advance",
    methods: {
      POST: {
        summary: "Moves a test clock forward, and carries out all that falls due",
        body: { data: "Advance" },
        response: { status: 200, data: "Clock" },
        run: advanceClock,
      },
    },
  },
];

const TENDERS_SHOWN_MAX = 1000;

const invalidFieldResponse = (
  name: string,
  description: string,
  rule: ErrorRuleId = "clock-move",
  window?: TimeWindow,
): HttpResponse => singleErrorResponse(422, "body", name, description, rule, { window });

async function listClocks({ ports, actor }: ClockExchange): Promise<HttpResponse> {
  const ownClocks = actor.account ? await ports.registry.clocks.listByOwner(actor.account.name) : [];
  return { status: 200, json: JSON.stringify({ data: ownClocks.map((clock) => clockSummary(clock, ports)) }) };
}

async function createClock(exchange: ClockExchange): Promise<HttpResponse> {
  const { ports, actor, body, root, once: idempotency, isDry } = exchange;
  const { now: requestedTime, ...rest } = body!.data;
  const unknownNames = Object.keys(rest);
  if (unknownNames.length > 0) return unknownFieldsResponse(unknownNames);
  const now = requestedTime === undefined ? ports.clock() : parseTime(requestedTime, ports);
  if (now === undefined) return invalidFieldResponse("now", INVALID_TIME_MESSAGE, "bad-date");
  if (await ports.registry.clocks.isAtLimit(actor.account!.name)) return TOO_MANY_CLOCKS;
  const clock: TestClock = { id: newId(), owner: actor.account!.name, now };
  const response = {
    status: 201,
    headers: { Location: `${root}/sandbox/clocks/${clock.id}` },
    json: JSON.stringify({ data: { ...clockSummary(clock, ports), tenders: [] } }),
  };
  const clockNotes = newClockEntries(clock.id, clock.owner, now);
  const { keyValues: notes } = ports.registry;
  if (idempotency && !isDry) return recordResponse(idempotency, ports.registry, response, clockNotes);
  if (!isDry) await notes.put(clockNotes);
  return response;
}

function parseTime(value: unknown, { config }: ClockPorts): Instant | undefined {
  const parsed = typeof value === "string" ? parseInstant(value, config.zone) : undefined;
  return typeof parsed === "number" ? parsed : undefined;
}

const TOO_MANY_CLOCKS = singleErrorResponse(
  403,
  "url",
  "clocks",
  `An account has at most ${CLOCKS_MAX} test clocks`,
  "too-many-clocks",
);

const INVALID_TIME_MESSAGE = "A time is written as 2026-11-16T10:00:00+02:00";

const unknownFieldsResponse = (names: readonly string[]): HttpResponse =>
  errorResponse(
    422,
    names.map((name) => ({ location: "body", name, description: "Rogue field", rule: "unknown-field" })),
  );

async function showClock(exchange: ClockExchange): Promise<HttpResponse> {
  const clock = await exchange.ports.registry.clocks.find(exchange.params.clock_id!);
  return clock ? clockResponse(clock, exchange) : NOT_FOUND("clock_id");
}

/** One after the other; those of other servers are waited for, too, but that costs each of them a look. */
function advanceClock(exchange: ClockExchange): Promise<HttpResponse> {
  const { ports, params } = exchange;
  return ports.registry.clocks.withLock(params.clock_id!, () => advance(exchange));
}

async function advance(exchange: ClockExchange): Promise<HttpResponse> {
  const { ports, params, actor, isDry } = exchange;
  const { clocks } = ports.registry;
  const clock = await clocks.find(params.clock_id!);
  if (!clock) return NOT_FOUND("clock_id");
  if (clock.owner !== actor.account!.name) return FORBIDDEN;
  const targetFrom = (from: TestClock) => moveTarget(exchange, from);
  if (isDry) {
    const to = await targetFrom(clock);
    return typeof to === "number" ? dataResponse(await previewClock({ ...clock, now: to }, exchange)) : to;
  }
  const rejection = await clocks.advance(clock.id, targetFrom, exchange.once?.name.id);
  return rejection ?? clockResponse((await clocks.find(clock.id))!, exchange);
}

const dataResponse = (data: object): HttpResponse => ({ status: 200, json: JSON.stringify({ data }) });

const MOVES = ["to", "by", "next"] as const;

/** Where a clock is to be moved: exactly one way of saying so. */
async function moveTarget({ body, ports }: ClockExchange, { id, now }: TestClock): Promise<Instant | HttpResponse> {
  const { data } = body!;
  const unknownNames = Object.keys(data).filter((name) => !(MOVES as readonly string[]).includes(name));
  if (unknownNames.length > 0) return unknownFieldsResponse(unknownNames);
  const moves = MOVES.filter((name) => data[name] !== undefined);
  if (moves.length !== 1)
    return invalidFieldResponse("data", "Exactly one of to, by and next says where the clock is to be moved");
  switch (moves[0]!) {
    case "to": {
      const to = parseTime(data.to, ports);
      if (to === undefined) return invalidFieldResponse("to", INVALID_TIME_MESSAGE, "bad-date");
      return to < now
        ? invalidFieldResponse(
            "to",
            `A clock never goes back: it shows ${formatInstant(now, ports.config.zone)}`,
            "clock-move",
            {
              from: now,
            },
          )
        : to;
    }
    case "by":
      return addDuration(data.by, now, ports.config.zone.name) ?? invalidFieldResponse("by", INVALID_DURATION_MESSAGE);
    case "next":
      if (data.next !== true) return invalidFieldResponse("next", "next is true or absent");
      return (await ports.registry.clocks.next(id)) ?? now;
  }
}

const clockSummary = ({ id, now }: TestClock, { config }: ClockPorts) => ({
  id,
  now: formatInstant(now, config.zone),
});

/** All of it as of one time, whoever moves the clock meanwhile; where somebody never stops, as of the last look. */
async function clockResponse(clock: TestClock, exchange: ClockExchange, attemptsLeft = 10): Promise<HttpResponse> {
  const { registry } = exchange.ports;
  const next = await registry.clocks.next(clock.id);
  const ids = await registry.onClock(clock.id, TENDERS_SHOWN_MAX);
  const tenders = await Promise.all(ids.map((id) => registry.tender(id)));
  const latest = (await registry.clocks.find(clock.id))!;
  if (latest.now !== clock.now && attemptsLeft > 0) return clockResponse(latest, exchange, attemptsLeft - 1);
  return dataResponse(clockDetails(clock, exchange, next, tenders));
}

/** As it would be shown at a time to which it was not moved. */
async function previewClock(clock: TestClock, exchange: ClockExchange): Promise<object> {
  const { registry } = exchange.ports;
  const tenders: Tender[] = [];
  let next: Instant | undefined;
  for (const id of await registry.onClock(clock.id, Number.MAX_SAFE_INTEGER)) {
    const current = (await registry.tender(id))!;
    // What its time brings would tell how many bids there are.
    const tender = mayHoldSealedBids(current) ? current : registry.advanceTender(current, clock.now);
    const deadline = nextDeadline(tender);
    if (deadline !== undefined && deadline > clock.now) next = Math.min(deadline, next ?? deadline);
    if (tenders.length < TENDERS_SHOWN_MAX) tenders.push(tender);
  }
  return clockDetails(clock, exchange, next, tenders);
}

/** Drafts are nobody's business but their owner's, who is likely to be the clock's. */
function clockDetails(
  clock: TestClock,
  { ports, actor }: ClockExchange,
  next: Instant | undefined,
  tenders: readonly (Tender | undefined)[],
): object {
  const isOwn = actor.account?.name === clock.owner;
  const nextCheckField = (deadline: Instant | undefined) =>
    deadline && { next_check: formatInstant(deadline, ports.config.zone) };
  return {
    ...clockSummary(clock, ports),
    ...nextCheckField(next),
    tenders: tenders.flatMap((tender) =>
      tender && (isOwn || tender.status !== "draft")
        ? [{ id: tender.id, tenderID: tender.tenderID, status: tender.status, ...nextCheckField(nextDeadline(tender)) }]
        : [],
    ),
  };
}
