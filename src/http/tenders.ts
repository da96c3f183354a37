import { isIn } from "../domain/actors.ts";
import type { Command, TenderSent } from "../domain/commands.ts";
import { forbidden } from "../domain/refusals.ts";
import type { Document, Tender } from "../domain/tender.ts";
import { isSeenDifferently, type Looking, scheduleSeen, tenderSeen } from "../domain/visibility.ts";
import { type Answer, answerTo } from "./answers.ts";
import { linkedAward } from "./awards.ts";
import { linkedBid } from "./bids.ts";
import { withLinks } from "./documents.ts";
import { change, created, decidedAnswer, type Exchange, found, lookingOf, shown } from "./exchange.ts";
import { keptTender } from "./kept.ts";

type TenderRead = TenderSent & { readonly procurementMethodType?: string };

export function publicTender(tender: Tender, looking: Looking): unknown {
  const seen = tenderSeen(tender, looking);
  const path = `/tenders/${tender.id}`;
  const linked = <Held extends { readonly id: string; readonly documents: readonly Document[] }>(
    list: readonly Held[],
    name: string,
  ) => list.map((one) => ({ ...one, documents: withLinks(one.documents, `${path}/${name}/${one.id}`) }));
  return {
    ...seen,
    documents: withLinks(seen.documents, path),
    contracts: linked(seen.contracts, "contracts"),
    cancellations: linked(seen.cancellations, "cancellations"),
    complaints: linked(seen.complaints, "complaints"),
    awards: seen.awards.map((award) => linkedAward(tender, award)),
    ...(seen.bids && { bids: seen.bids.map((bid) => linkedBid(tender, bid)) }),
  };
}

export function showTender(exchange: Exchange): Answer {
  const tender = exchange.tender!;
  if (isIn(exchange.actor, "chronograph") && !exchange.dialect.manners.plain) return showSchedule(exchange);
  const show = () => `{"data":${shown(exchange, "Tender", publicTender(tender, lookingOf(exchange.service)))}}`;
  if (isSeenDifferently(tender)) return { status: 200, json: show() };
  const json = keptTender(tender, exchange.dialect.segment, exchange.root, show);
  return { status: 200, json, isStill: exchange.service.registry.watch(tender) };
}

/** What a scheduler needs to know: when things happen, and how many compete, but nothing of who and what. */
export function showSchedule(exchange: Exchange): Answer {
  if (!isIn(exchange.actor, "chronograph", "admins")) return answerTo(forbidden().refused, exchange.dialect, "Tender");
  const seen = scheduleSeen(exchange.tender!, lookingOf(exchange.service));
  return found(exchange, "Schedule", seen);
}

export async function publishTender(exchange: Exchange): Promise<Answer> {
  const { dialect, body, actor, service } = exchange;
  const { procurementMethodType: named } = body!.data;
  const { fields, problems } = dialect.readNew<TenderRead>("Tender", body!.data);
  const { procurementMethodType: _chosen, ...rest } = fields;
  const publication = { procedure: dialect.procedureFor(named), sent: { fields: rest, problems } };
  const decided = await service.registry.publish(publication, actor);
  return decidedAnswer(exchange, "Tender", decided, ({ tender, token }) =>
    created(exchange, "Tender", publicTender(tender, lookingOf(exchange.service)), tender.id, token),
  );
}

export async function editTender(exchange: Exchange): Promise<Answer> {
  const { dialect, body } = exchange;
  const read = (tender: Tender): Command => {
    const { fields, problems } = dialect.readPatch<TenderRead>("Tender", body!.data, tender);
    const { procurementMethodType: _fixed, ...rest } = fields;
    return { kind: "edit tender", sent: { fields: rest, problems } };
  };
  const decided = await change(exchange, { read });
  return decidedAnswer(exchange, "Tender", decided, (done) =>
    found(exchange, "Tender", publicTender(done.tender, lookingOf(exchange.service))),
  );
}

export async function renewToken(exchange: Exchange): Promise<Answer> {
  const decided = await change(exchange, { kind: "renew token" });
  return decidedAnswer(exchange, "Tender", decided, ({ tender, token }) => {
    const data = shown(exchange, "Tender", publicTender(tender, lookingOf(exchange.service)));
    return { status: 200, json: `{"data":${data},"access":{"token":"${token}"}}` };
  });
}
