import type { DisclosedBidder } from "../auctions/auctionScreen.ts";
import type { EmbeddedAuction } from "../auctions/auctionStream.ts";

/**
 * Loads what the page of an auction says about its bidders now: their profiles are not in the stream. Undefined if that is not public
 * or the page cannot be loaded.
 */
export async function loadBidders(pagePath: string): Promise<readonly DisclosedBidder[] | undefined> {
  try {
    const response = await fetch(pagePath, { cache: "no-cache" });
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    // The service has written this element itself, from these very types.
    const embedded: EmbeddedAuction = JSON.parse(page.getElementById("auction-state")?.textContent ?? "");
    return embedded.screen.bidders;
  } catch {
    return undefined;
  }
}
