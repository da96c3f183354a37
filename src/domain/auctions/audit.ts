import { formatInstant, type Instant, type Zone } from "../values/time.ts";
import { type AuctionOffer, type AuctionState, type AuctionTurn, bidderLabel, type DatedPrice } from "./model.ts";
import { placeOffers } from "./order.ts";
import { renderYaml, type YamlNode, yamlMapping, yamlNumber, yamlText } from "./yaml.ts";

/** The audit document of an auction, which is attached to the tender: initial prices, every turn, results. */

/** The name of the audit document of an auction. */
export const auditFileName = (auctionId: string): string => `audit_${auctionId}.yaml`;

/** The text of the audit document of an auction that has ended. It has the bidders' names if they are public. */
export function renderAudit(state: AuctionState, zone: Zone): string {
  const timeOf = (at: Instant): YamlNode => yamlText(formatInstant(at, zone));
  const { id, rules, stages, offers } = state;
  const rounds = Array.from({ length: rules.rounds }, (_, i): [string, YamlNode] => [
    `round_${i + 1}`,
    renderRound(state, i + 1, timeOf),
  ]);
  const announcement = stages.find(({ kind }) => kind === "announcement");
  const byNumber = offers.toSorted((a, b) => a.bidder - b.bidder);
  return renderYaml(
    yamlMapping({
      id: yamlText(id),
      currency: yamlText(rules.currency),
      minimal_step: yamlNumber(rules.minimalStep),
      timeline: yamlMapping({
        auction_start: yamlMapping({
          time: stages[0] && timeOf(stages[0].start),
          initial_bids: byNumber.map((offer) => renderOffer(state, offer, offer.initial, timeOf)),
        }),
        ...Object.fromEntries(rounds),
        results: yamlMapping({
          time: announcement && timeOf(announcement.start),
          bids: renderResults(state, timeOf),
        }),
      }),
    }),
  );
}

type TimeText = (at: Instant) => YamlNode;

function renderResults(state: AuctionState, timeOf: TimeText): readonly YamlNode[] {
  return placeOffers(state.offers).flatMap(({ place, bidder }) =>
    state.offers
      .filter((offer) => offer.bidder === bidder)
      .map((offer) => renderOffer(state, offer, offer, timeOf, { place: yamlNumber(String(place)) })),
  );
}

function renderOffer(
  { names }: AuctionState,
  { bid, bidder, coefficient }: AuctionOffer,
  { amount, date }: DatedPrice,
  timeOf: TimeText,
  more: { readonly [key: string]: YamlNode } = {},
): YamlNode {
  const name = names?.find((named) => named.bid === bid)?.name;
  return yamlMapping({
    ...more,
    bidder: yamlText(bid),
    label: yamlText(bidderLabel(bidder)),
    name: name === undefined ? undefined : yamlText(name),
    amount: yamlNumber(amount),
    coefficient: yamlText(coefficient),
    date: timeOf(date),
  });
}

function renderRound(state: AuctionState, round: number, timeOf: TimeText): YamlNode {
  const turns = state.stages.filter((stage): stage is AuctionTurn => stage.kind === "turn" && stage.round === round);
  return yamlMapping(
    Object.fromEntries(turns.map((turn, i) => [`turn_${i + 1}`, renderTurn(state, turn, timeOf)] as const)),
  );
}

function renderTurn({ offers }: AuctionState, turn: AuctionTurn, timeOf: TimeText): YamlNode {
  const { bidder, start, end, result, isInterrupted } = turn;
  const offer = offers.find((other) => other.bidder === bidder);
  return yamlMapping({
    time: timeOf(start),
    end: timeOf(end),
    bidder: offer && yamlText(offer.bid),
    label: bidder === undefined ? undefined : yamlText(bidderLabel(bidder)),
    interrupted: isInterrupted && { scalar: "true" },
    amount: result && yamlNumber(result.amount),
    date: result && timeOf(result.date),
    new_price: result && { scalar: String(result.isNew) },
  });
}
