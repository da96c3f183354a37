import { newId } from "../../base/secrets.ts";
import { isOneOf } from "../../base/typeGuards.ts";
import { mayHoldSealedBids } from "../../domain/bids/sealing.ts";
import { nextDeadline } from "../../domain/deadlines.ts";
import type { TimeWindow } from "../../domain/model/refusals.ts";
import type { Tender } from "../../domain/model/tender.ts";
import { addDuration, INVALID_DURATION_MESSAGE } from "../../domain/values/durations.ts";
import { formatInstant, type Instant, parseInstant } from "../../domain/values/time.ts";
import { FORBIDDEN, NOT_FOUND } from "../../http/errorResponses.ts";
import type { ErrorRuleId } from "../../http/errorRules.ts";
import { type Exchange, requireAccount, requireData, requireParam, type ViewPorts } from "../../http/exchange.ts";
import { recordResponse } from "../../http/idempotency.ts";
import { errorResponse, type HttpResponse, singleErrorResponse } from "../../http/responses.ts";
import type { Route } from "../../http/route.ts";
import type { RegistryPort } from "../../http/runCommand.ts";
import { CLOCKS_MAX, newClockEntry, type TestClock } from "../../registry/testClocks.ts";

type ClockPorts = RegistryPort & ViewPorts & { readonly clock: () => Instant };
type ClockExchange = Exchange<ClockPorts>;

/** Test clocks of the sandbox: time that stands still until a client moves it, so that clients need not wait for deadlines. */
export const CLOCK_ROUTES: readonly Route<ClockPorts>[] = [
  {
    path: "/sandbox/clocks",
    methods: {
      GET: {
        summary: "List your test clocks",
        response: { status: 200, data: "ListedClock", many: true },
        run: listClocks,
      },
      POST: {
        summary: "Create a test clock",
        body: { data: "ClockSent" },
        response: { status: 201, data: "Clock" },
        run: createClock,
      },
    },
  },
  {
    path: "/sandbox/clocks/{clock_id}",
    methods: {
      GET: { summary: "Get a test clock with its tenders", response: { status: 200, data: "Clock" }, run: showClock },
    },
  },
  {
    path: "/sandbox/clocks/{clock_id}/advance",
    methods: {
      POST: {
        summary: "Move a test clock forward",
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
  const { ports, root, idempotency, isDry } = exchange;
  const owner = requireAccount(exchange).name;
  const { now: requestedTime, ...rest } = requireData(exchange);
  const unknownNames = Object.keys(rest);
  if (unknownNames.length > 0) return unknownFieldsResponse(unknownNames);
  const now = requestedTime === undefined ? ports.clock() : parseTime(requestedTime, ports);
  if (now === undefined) return invalidFieldResponse("now", INVALID_TIME_MESSAGE, "bad-date");
  if (await ports.registry.clocks.isAtLimit(owner)) return TOO_MANY_CLOCKS;
  const clock: TestClock = { id: newId(), owner, now };
  const response = {
    status: 201,
    headers: { Location: `${root}/sandbox/clocks/${clock.id}` },
    json: JSON.stringify({ data: { ...clockSummary(clock, ports), tenders: [] } }),
  };
  const newClock = newClockEntry(clock.id, clock.owner, now);
  const { keyValues } = ports.registry;
  if (idempotency && !isDry) return recordResponse(idempotency, ports.registry, response, [newClock]);
  if (!isDry) await keyValues.put([newClock]);
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
  `An account can have at most ${CLOCKS_MAX} test clocks`,
  "too-many-clocks",
);

const INVALID_TIME_MESSAGE = "Value must be a time, such as 2026-11-16T10:00:00+02:00";

const unknownFieldsResponse = (names: readonly string[]): HttpResponse =>
  errorResponse(
    422,
    names.map((name) => ({ location: "body", name, description: "Rogue field", rule: "unknown-field" })),
  );

async function showClock(exchange: ClockExchange): Promise<HttpResponse> {
  const clock = await exchange.ports.registry.clocks.find(requireParam(exchange, "clock_id"));
  return clock ? clockResponse(clock, exchange) : NOT_FOUND("clock_id");
}

/** Requests for one clock run one after the other. The lock avoids conflicts within this process, which would cost retries. */
function advanceClock(exchange: ClockExchange): Promise<HttpResponse> {
  const id = requireParam(exchange, "clock_id");
  return exchange.ports.registry.clocks.withLock(id, () => advance(exchange, id));
}

async function advance(exchange: ClockExchange, id: string): Promise<HttpResponse> {
  const { ports, isDry } = exchange;
  const { clocks } = ports.registry;
  const clock = await clocks.find(id);
  if (!clock) return NOT_FOUND("clock_id");
  if (clock.owner !== requireAccount(exchange).name) return FORBIDDEN;
  const targetFrom = (from: TestClock) => moveTarget(exchange, from);
  if (isDry) {
    const to = await targetFrom(clock);
    return typeof to === "number" ? dataResponse(await previewClock({ ...clock, now: to }, exchange)) : to;
  }
  const rejection = await clocks.advance(clock.id, targetFrom, exchange.idempotency?.name.id);
  return rejection ?? clockResponse((await clocks.find(clock.id)) ?? clock, exchange);
}

const dataResponse = (data: object): HttpResponse => ({ status: 200, json: JSON.stringify({ data }) });

const MOVES = ["to", "by", "next"] as const;

/** The time to which the request moves the clock, or the error response. */
async function moveTarget(exchange: ClockExchange, clock: TestClock): Promise<Instant | HttpResponse> {
  const { ports } = exchange;
  const { zone } = ports.config;
  const data = requireData(exchange);
  const unknownNames = Object.keys(data).filter((name) => !isOneOf(MOVES, name));
  if (unknownNames.length > 0) return unknownFieldsResponse(unknownNames);
  const [move, ...otherMoves] = MOVES.filter((name) => data[name] !== undefined);
  if (move === undefined || otherMoves.length > 0)
    return invalidFieldResponse("data", "Send exactly one of to, by and next");
  switch (move) {
    case "to":
      return parseMoveTo(data.to, clock, ports);
    case "by":
      return addDuration(data.by, clock.now, zone.name) ?? invalidFieldResponse("by", INVALID_DURATION_MESSAGE);
    case "next":
      if (data.next !== true) return invalidFieldResponse("next", "next must be true or absent");
      return (await ports.registry.clocks.next(clock.id)) ?? clock.now;
  }
}

function parseMoveTo(value: unknown, { now }: TestClock, ports: ClockPorts): Instant | HttpResponse {
  const to = parseTime(value, ports);
  if (to === undefined) return invalidFieldResponse("to", INVALID_TIME_MESSAGE, "bad-date");
  if (to >= now) return to;
  const text = `A clock cannot be moved back: it shows ${formatInstant(now, ports.config.zone)}`;
  return invalidFieldResponse("to", text, "clock-move", { from: now });
}

const clockSummary = ({ id, now }: TestClock, { config }: ClockPorts) => ({
  id,
  now: formatInstant(now, config.zone),
});

/** A consistent view of the clock and its tenders: reads again if the clock is moved meanwhile, but only a limited number of times. */
async function clockResponse(clock: TestClock, exchange: ClockExchange, attemptsLeft = 10): Promise<HttpResponse> {
  const { registry } = exchange.ports;
  const next = await registry.clocks.next(clock.id);
  const ids = await registry.onClock(clock.id, TENDERS_SHOWN_MAX);
  const tenders = await Promise.all(ids.map((id) => registry.tender(id)));
  const latest = (await registry.clocks.find(clock.id)) ?? clock;
  if (latest.now !== clock.now && attemptsLeft > 0) return clockResponse(latest, exchange, attemptsLeft - 1);
  return dataResponse(clockDetails(clock, exchange, next, tenders));
}

/** The view of a dry run: the clock as it would be at `clock.now`. */
async function previewClock(clock: TestClock, exchange: ClockExchange): Promise<object> {
  const { registry } = exchange.ports;
  const tenders: Tender[] = [];
  let next: Instant | undefined;
  for (const id of await registry.onClock(clock.id, Number.MAX_SAFE_INTEGER)) {
    const current = await registry.tender(id);
    if (!current) continue;
    // To apply deadlines to sealed bids would reveal how many there are.
    const tender = mayHoldSealedBids(current) ? current : registry.advanceTender(current, clock.now);
    const deadline = nextDeadline(tender);
    if (deadline !== undefined && deadline > clock.now) next = Math.min(deadline, next ?? deadline);
    if (tenders.length < TENDERS_SHOWN_MAX) tenders.push(tender);
  }
  return clockDetails(clock, exchange, next, tenders);
}

/** Drafts are shown only to the owner of the clock, who is usually their owner as well. */
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
