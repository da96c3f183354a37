import { mayAuction } from "../domain/auctioning.ts";
import type { AuctionSent, Command } from "../domain/commands.ts";
import { forbidden, wrongStatus } from "../domain/refusals.ts";
import { beforeDeadline, isBeforeDeadline } from "../domain/sealing.ts";
import type { Tender } from "../domain/tender.ts";
import { auctionSeen } from "../domain/visibility.ts";
import { windowOf } from "../domain/windows.ts";
import { type Answer, answerTo } from "./answers.ts";
import { change, type Exchange, found, lookingOf, withNewAward } from "./exchange.ts";
import { publicTender } from "./tenders.ts";

/** Old clients are shown what may be seen; today's auction is told all, and nobody else anything. */
export async function showAuction(exchange: Exchange): Promise<Answer> {
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

const shownTo = (exchange: Exchange, tender: Tender): Answer =>
  found(exchange, "Auction", auctionSeen(tender, exchange.actor, lookingOf(exchange)));

export async function patchAuction(exchange: Exchange): Promise<Answer> {
  const { dialect, body, params } = exchange;
  const read = (tender: Tender): Command => {
    const sent = dialect.readPatch<AuctionSent>("Auction", body!.data, tender);
    return dialect.manners.auction === "prices" && params.auction_lot_id === undefined
      ? { kind: "report auction", sent }
      : { kind: "set auction urls", lot: params.auction_lot_id, sent };
  };
  return change(exchange, "Auction", { read }, ({ tender }) => shownTo(exchange, tender));
}

export async function finishAuction(exchange: Exchange): Promise<Answer> {
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
