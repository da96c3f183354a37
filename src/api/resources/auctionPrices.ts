import type { PriceLimit } from "../../auctions/priceLimit.ts";
import type { PriceCommand } from "../../domain/auctions/auctionPrices.ts";
import { liveAuction } from "../../domain/auctions/liveAuctions.ts";
import { viewAuction } from "../../domain/auctions/view.ts";
import { owns } from "../../domain/model/actors.ts";
import { forbidden, type Problem, problem } from "../../domain/model/refusals.ts";
import { formatInstant, type Zone } from "../../domain/values/time.ts";
import type { RequestedAuction } from "../../http/bidderAccess.ts";
import { renderShape } from "../../http/dataResponses.ts";
import { TOO_MANY_PRICES } from "../../http/errorResponses.ts";
import { type Exchange, requireAuction, requireData } from "../../http/exchange.ts";
import type { ParticipationLinks } from "../../http/participationLinks.ts";
import { refusalResponse } from "../../http/refusalResponse.ts";
import type { HttpResponse } from "../../http/responses.ts";
import { attemptWrite, type RegistryPort } from "../../http/runCommand.ts";
import type { CommittedCommand } from "../../registry/tenderWrites.ts";
import type { ParticipationLink, PriceInput } from "../../views/liveAuctionViews.ts";

/** What bidders do in the auctions that the service holds. */

type PricePorts = RegistryPort & {
  readonly priceLimit: PriceLimit;
  readonly participationLinks: ParticipationLinks;
  readonly config: { readonly zone: Zone };
};
type PriceExchange = Exchange<PricePorts>;

/** Places the bidder's price in its turn, or replaces it. Only the bidder sees it before the turn ends. */
export async function placePrice(exchange: PriceExchange): Promise<HttpResponse> {
  const { dialect, ports } = exchange;
  const { fields, problems } = readPrice(exchange);
  const { amount, confirmed } = fields;
  if (problems.length > 0 || amount === undefined) {
    ports.priceLimit.count("refused");
    return refusalResponse({ kind: "invalid", problems }, dialect, "AuctionPrice");
  }
  const bid = bidOf(requireAuction(exchange));
  return runPriceCommand(exchange, 201, {
    kind: "place price",
    bid,
    amount,
    ...(confirmed === true && { confirmed: true as const }),
  });
}

/** Takes the price of the running turn back: the previous one counts. */
export function takePriceBack(exchange: PriceExchange): Promise<HttpResponse> {
  return runPriceCommand(exchange, 200, { kind: "take back price", bid: bidOf(requireAuction(exchange)) });
}

/** The bidder of a request that has passed the checks of `byBidder`. */
function bidOf({ access }: RequestedAuction): string {
  if (access.kind !== "bidder") throw new Error("the route of this handler is not one of bidders");
  return access.bid;
}

/** Other numbers may come as text; a price is a promise to pay and must not be read from one. */
function readPrice(exchange: PriceExchange): { readonly fields: PriceInput; readonly problems: readonly Problem[] } {
  const data = requireData(exchange);
  const { fields, problems } = exchange.dialect.readNew<PriceInput>("AuctionPrice", data);
  const isText = typeof data.amount === "string";
  const isMissing = data.amount === undefined || data.amount === null;
  return {
    fields,
    problems: [
      ...(isText ? problems.filter(({ path }) => path[0] !== "amount") : problems),
      ...(isText ? [problem(["amount"], "The price must be a number, not a text.", "wrong-type", "shape")] : []),
      ...(isMissing ? [problem(["amount"], "This field is required.", "field-required")] : []),
    ],
  };
}

async function runPriceCommand(
  exchange: PriceExchange,
  status: 200 | 201,
  command: PriceCommand,
): Promise<HttpResponse> {
  const { ports, isDry } = exchange;
  const { id } = requireAuction(exchange).state;
  const quota = ports.priceLimit.take(`${id} ${command.bid}`);
  if (!quota.allowed) {
    ports.priceLimit.count("limited");
    return TOO_MANY_PRICES(quota.headers);
  }
  const { response, isDone } = await attemptWrite(
    exchange,
    "AuctionPrice",
    (options) => ports.registry.auctions.place(id, command, options),
    (committed) => ownResponse(exchange, status, id, command.bid, committed),
  );
  if (!isDry) ports.priceLimit.count(isDone ? "accepted" : "refused");
  return response;
}

/** What the bidder sees of its own part after the change. */
function ownResponse(
  exchange: PriceExchange,
  status: 200 | 201,
  auction: string,
  bid: string,
  { tender }: CommittedCommand,
): HttpResponse {
  const state = liveAuction(tender, auction);
  const own = state && viewAuction(state, { bid }).own;
  return {
    status,
    headers: {
      "Cache-Control": "no-store",
      "X-Server-Time": formatInstant(exchange.now, exchange.ports.config.zone),
      ...(status === 201 && { Location: `${exchange.root}/auctions/${auction}` }),
    },
    json: `{"data":${renderShape(exchange, "LiveAuctionOwn", own ?? {})}}`,
  };
}

/** Replaces the participation links of a bid; the response has the new one. Only the owner of the bid may do so. */
export async function replaceParticipationLink(exchange: PriceExchange): Promise<HttpResponse> {
  const { ports, actor, query, dialect } = exchange;
  const { tender, state } = requireAuction(exchange);
  const bids = (await ports.registry.tender(tender.id, "all"))?.bids ?? [];
  const named = query.get("bid") || undefined;
  const bid = bids.find((candidate) => (named === undefined || candidate.id === named) && owns(actor, candidate))?.id;
  if (bid === undefined) return refusalResponse(forbidden().refused, dialect, "ParticipationLink");
  const { response } = await attemptWrite(
    exchange,
    "ParticipationLink",
    (options) => ports.registry.change(tender.id, { kind: "replace link", bid }, actor, options),
    (committed) => linkResponse(exchange, state.id, bid, committed),
  );
  return response;
}

function linkResponse(
  exchange: PriceExchange,
  auction: string,
  id: string,
  { tender }: CommittedCommand,
): HttpResponse {
  const bid = tender.bids.find((candidate) => candidate.id === id);
  if (!bid) throw new Error("the bid of the command is missing");
  const participationUrl = exchange.ports.participationLinks.pathFor(auction, bid);
  const link: ParticipationLink = { bid: id, auction, participationUrl };
  return {
    status: 201,
    headers: {
      "Cache-Control": "no-store",
      "X-Server-Time": formatInstant(exchange.now, exchange.ports.config.zone),
      Location: `${exchange.root}/auctions/${auction}`,
    },
    json: `{"data":${renderShape(exchange, "ParticipationLink", link)}}`,
  };
}
