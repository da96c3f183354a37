import type { Config } from "../config.ts";
import { isIn } from "../domain/actors.ts";
import type { Command, TenderSent } from "../domain/commands.ts";
import { forbidden } from "../domain/refusals.ts";
import type { Tender } from "../domain/tender.ts";
import type { TestClock } from "../registry/clocks.ts";
import { publicTender } from "../views/publicTender.ts";
import { credentialsSeen, isSeenDifferently, scheduleSeen } from "../views/visibility.ts";
import { type Answer, answerTo, NO_SUCH_CLOCK } from "./answers.ts";
import { created, found, shown } from "./dataResponses.ts";
import { type Exchange, lookingOf } from "./exchange.ts";
import { keptTender } from "./kept.ts";
import { attempt, change, type RegistryPort } from "./runCommand.ts";

type TenderExchange = Exchange<RegistryPort & { readonly config: Config }>;
type TenderRead = TenderSent & { readonly procurementMethodType?: string };

export function showTender(exchange: TenderExchange): Answer {
  const tender = exchange.tender!;
  if (isIn(exchange.actor, "chronograph") && !exchange.dialect.manners.plain) return showSchedule(exchange);
  const show = () => `{"data":${shown(exchange, "Tender", publicTender(tender, lookingOf(exchange)))}}`;
  if (isSeenDifferently(tender)) return { status: 200, json: show() };
  const json = keptTender(exchange.ports, tender, exchange.dialect.segment, exchange.root, show);
  // Whether a test clock has moved is not known without asking.
  if (tender.testClock) return { status: 200, json };
  return { status: 200, json, isStill: exchange.ports.registry.watch(tender) };
}

/** What a scheduler needs to know: when things happen, and how many compete, but nothing of who and what. */
export function showSchedule(exchange: TenderExchange): Answer {
  if (!isIn(exchange.actor, "chronograph", "admins")) return answerTo(forbidden().refused, exchange.dialect, "Tender");
  const seen = scheduleSeen(exchange.tender!, lookingOf(exchange));
  return found(exchange, "Schedule", seen);
}

/** The owner token itself is known to nobody but the owner: its hash is what the registry holds. On record, whoever reads it. */
export function showCredentials(exchange: TenderExchange): Answer {
  const seen = credentialsSeen(exchange.tender!, exchange.actor);
  if (!seen.ok) return answerTo(seen.refused, exchange.dialect, "Credentials");
  const headers = { "Cache-Control": "no-store" };
  return { ...found(exchange, "Credentials", seen.value), headers };
}

export async function publishTender(exchange: TenderExchange): Promise<Answer> {
  const { dialect, body, actor, ports } = exchange;
  const testClock = await testClockOf(exchange);
  if (testClock === "unknown") return NO_SUCH_CLOCK;
  const { procurementMethodType: named } = body!.data;
  const { fields, problems } = dialect.readNew<TenderRead>("Tender", body!.data);
  const { procurementMethodType: _chosen, ...rest } = fields;
  const publication = { procedure: dialect.procedureFor(named), sent: { fields: rest, problems } };
  const there = testClock ? { ...exchange, now: testClock.now } : exchange;
  const { answer } = await attempt(
    there,
    "Tender",
    (manner) => ports.registry.publish(publication, actor, { ...manner, testClock: testClock?.id }),
    ({ tender, token }) => created(there, "Tender", publicTender(tender, lookingOf(there)), tender.id, token),
  );
  return answer;
}

/** Whoever means a test clock that is not there would be surprised by a tender that lives by the real time. */
async function testClockOf({ request, ports }: TenderExchange): Promise<TestClock | "unknown" | undefined> {
  const id = request.headers["x-test-clock"];
  if (!id) return undefined;
  const found = ports.config.sandbox ? await ports.registry.clocks.find(String(id)) : undefined;
  return found ?? "unknown";
}

export async function editTender(exchange: TenderExchange): Promise<Answer> {
  const { dialect, body } = exchange;
  const read = (tender: Tender): Command => {
    const { fields, problems } = dialect.readPatch<TenderRead>("Tender", body!.data, tender);
    const { procurementMethodType: _fixed, ...rest } = fields;
    return { kind: "edit tender", sent: { fields: rest, problems } };
  };
  return change(exchange, "Tender", { read }, (done) =>
    found(exchange, "Tender", publicTender(done.tender, lookingOf(exchange))),
  );
}

export async function renewToken(exchange: TenderExchange): Promise<Answer> {
  return change(exchange, "Tender", { kind: "renew token" }, ({ tender, token }) => {
    const data = shown(exchange, "Tender", publicTender(tender, lookingOf(exchange)));
    return { status: 200, json: `{"data":${data},"access":{"token":"${token}"}}` };
  });
}
