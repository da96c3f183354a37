import { type AuctionReplay, replayText } from "../../domain/auctions/replay.ts";
import { type AuctionScreen, textsOf } from "../auctions/auctionScreen.ts";
import { recordPath, renderReplayResult } from "../auctions/replayPart.ts";
import { html } from "../markup.ts";

/** Recomputes an auction from its record, with the engine of the service. Loaded when somebody asks for it. */

/** Loads the record, replays it, and shows what was found. */
export async function recompute(screen: AuctionScreen, result: HTMLElement): Promise<void> {
  const { replay: texts } = textsOf(screen);
  result.innerHTML = html`<p>${texts.loading}</p>`.markup;
  const text = await loadRecord(recordPath(screen));
  if (text === undefined) {
    result.innerHTML = html`<p class="verdict bad">${texts.unavailable}</p>`.markup;
    return;
  }
  const replay = replayText(text);
  result.innerHTML = renderReplayResult(screen, replay, isSameAsShown(screen, replay)).markup;
}

async function loadRecord(url: string): Promise<string | undefined> {
  try {
    const response = await fetch(url, { credentials: "omit", cache: "no-store" });
    return response.ok ? await response.text() : undefined;
  } catch {
    return undefined;
  }
}

/** Whether the page shows the prices that the replay computes: a genuine record of other prices must show as well. */
function isSameAsShown({ view }: AuctionScreen, { turns }: AuctionReplay): boolean {
  return view.offers.every(({ bidder, amount, date }) => {
    const last = turns.findLast((turn) => turn.bidder === bidder && turn.result)?.result;
    return last?.amount === amount && last.date === date;
  });
}
