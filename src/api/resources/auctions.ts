import { mayRunAuction } from "../../domain/awards/auctioning.ts";
import { isBeforeDeadline } from "../../domain/bids/sealing.ts";
import { beforeDeadlineRefusal } from "../../domain/bids/sealRules.ts";
import type { AuctionInput, TenderCommand } from "../../domain/model/commands.ts";
import { forbidden, wrongStatus } from "../../domain/model/refusals.ts";
import type { Tender } from "../../domain/model/tender.ts";
import { procedureOf } from "../../domain/procedures/index.ts";
import { actionWindow } from "../../domain/timeWindows.ts";
import { okResponse } from "../../http/dataResponses.ts";
import { type Exchange, requireData, requireTender, type ViewPorts, viewContextOf } from "../../http/exchange.ts";
import { refusalResponse } from "../../http/refusalResponse.ts";
import type { HttpResponse } from "../../http/responses.ts";
import { changeTender, type RegistryPort, withAwardLocation } from "../../http/runCommand.ts";
import { publicTender } from "../../views/publicTender.ts";
import { auctionView } from "../../views/visibility.ts";

type AuctionExchange = Exchange<RegistryPort & ViewPorts>;

/** Old versions show the public data of the auction to everyone; from 2.5 on only the auction module sees it, with all bids. */
export async function showAuction(exchange: AuctionExchange): Promise<HttpResponse> {
  const { dialect, actor } = exchange;
  const tender = requireTender(exchange);
  if (dialect.behaviour.auction === "addresses") {
    if (!mayRunAuction(actor)) return refusalResponse(forbidden().refused, dialect, "Auction");
    if (tender.status !== "active.auction")
      return refusalResponse(
        wrongStatus("get auction info", "tender", tender, actionWindow(procedureOf(tender), tender, "finish auction"))
          .refused,
        dialect,
        "Auction",
      );
    if (isBeforeDeadline(tender, exchange.now))
      return refusalResponse(beforeDeadlineRefusal(tender).refused, dialect, "Auction");
  }
  return auctionResponse(exchange, tender);
}

const auctionResponse = (exchange: AuctionExchange, tender: Tender): HttpResponse =>
  okResponse(exchange, "Auction", auctionView(tender, exchange.actor, viewContextOf(exchange)));

/** In old versions reports prices of the auction; from 2.5 on sets the URLs where it is held. */
export async function patchAuction(exchange: AuctionExchange): Promise<HttpResponse> {
  const { dialect, params } = exchange;
  const data = requireData(exchange);
  const read = (tender: Tender): TenderCommand => {
    const sent = dialect.readPatch<AuctionInput>("Auction", data, tender);
    return dialect.behaviour.auction === "prices" && params.auction_lot_id === undefined
      ? { kind: "report auction", sent }
      : { kind: "set auction urls", lot: params.auction_lot_id, sent };
  };
  return changeTender(exchange, "Auction", { read, bids: "all" }, ({ tender }) => auctionResponse(exchange, tender));
}

/** Ends the auction with its results. */
export async function postAuction(exchange: AuctionExchange): Promise<HttpResponse> {
  const { dialect, params } = exchange;
  const data = requireData(exchange);
  const read = (tender: Tender): TenderCommand => ({
    kind: "finish auction",
    lot: params.auction_lot_id,
    sent: dialect.readPatch<AuctionInput>("Auction", data, tender),
  });
  return changeTender(exchange, "Auction", { read, bids: "all" }, (committed) =>
    withAwardLocation(
      exchange,
      committed,
      okResponse(exchange, "Tender", publicTender(committed.tender, viewContextOf(exchange))),
    ),
  );
}
