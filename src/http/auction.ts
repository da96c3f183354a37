import { mayAuction } from "../domain/auctioning.ts";
import type { AuctionSent, Command } from "../domain/commands.ts";
import { forbidden, wrongStatus } from "../domain/refusals.ts";
import { beforeDeadline, isBeforeDeadline } from "../domain/sealing.ts";
import type { Tender } from "../domain/tender.ts";
import { windowOf } from "../domain/windows.ts";
import { publicTender } from "../views/publicTender.ts";
import { auctionSeen } from "../views/visibility.ts";
import { type Answer, answerTo } from "./answers.ts";
import { found } from "./dataResponses.ts";
import { type Exchange, lookingOf, type ViewPorts } from "./exchange.ts";
import { change, type RegistryPort, withNewAward } from "./runCommand.ts";

type AuctionExchange = Exchange<RegistryPort & ViewPorts>;

/** Old clients are shown what may be seen; today's auction is told all, and nobody else anything. */
export async function showAuction(exchange: AuctionExchange): Promise<Answer> {
  const { dialect, actor } = exchange;
  const tender = exchange.tender!;
  if (dialect.manners.auction === "addresses") {
    if (!mayAuction(actor)) return answerTo(forbidden().refused, dialect, "Auction");
    if (tender.status !== "active.auction")
      return answerTo(
        wrongStatus("get auction info", "tender", tender, windowOf(tender, "finish auction")).refused,
        dialect,
        "Auction",
      );
    if (isBeforeDeadline(tender, exchange.now)) return answerTo(beforeDeadline(tender).refused, dialect, "Auction");
  }
  return shownTo(exchange, tender);
}

const shownTo = (exchange: AuctionExchange, tender: Tender): Answer =>
  found(exchange, "Auction", auctionSeen(tender, exchange.actor, lookingOf(exchange)));

export async function patchAuction(exchange: AuctionExchange): Promise<Answer> {
  const { dialect, body, params } = exchange;
  const read = (tender: Tender): Command => {
    const sent = dialect.readPatch<AuctionSent>("Auction", body!.data, tender);
    return dialect.manners.auction === "prices" && params.auction_lot_id === undefined
      ? { kind: "report auction", sent }
      : { kind: "set auction urls", lot: params.auction_lot_id, sent };
  };
  return change(exchange, "Auction", { read }, ({ tender }) => shownTo(exchange, tender));
}

export async function finishAuction(exchange: AuctionExchange): Promise<Answer> {
  const { dialect, body, params } = exchange;
  const read = (tender: Tender): Command => ({
    kind: "finish auction",
    lot: params.auction_lot_id,
    sent: dialect.readPatch<AuctionSent>("Auction", body!.data, tender),
  });
  return change(exchange, "Auction", { read }, (done) =>
    withNewAward(exchange, done, found(exchange, "Tender", publicTender(done.tender, lookingOf(exchange)))),
  );
}
