import type { Language } from "../layout/languages.ts";
import { AUCTIONS_EN } from "../layout/messages/en/auctions.ts";
import { AUCTIONS_UK } from "../layout/messages/uk/auctions.ts";

/** The texts of auctions alone, because the script of the auction page loads them. */
export type AuctionMessages = typeof AUCTIONS_UK;

const CATALOGUES: { readonly [language in Language]: AuctionMessages } = { uk: AUCTIONS_UK, en: AUCTIONS_EN };

/** The texts of the auction pages in a language. */
export const auctionMessagesIn = (language: Language): AuctionMessages => CATALOGUES[language];
