import type { IncomingMessage } from "node:http";
import { LANGUAGES } from "../base/languages.ts";
import type { Config } from "../config/config.ts";
import { CURRENT_SEGMENT } from "../dialects/dialects.ts";
import { BIDDER_COOKIE } from "../http/bidderAccess.ts";
import { AUCTION_LINK_INVALID, METHOD_NOT_ALLOWED, NOT_FOUND } from "../http/errorResponses.ts";
import type { ParticipationLinks } from "../http/participationLinks.ts";
import { type HttpResponse, OPTIONS_RESPONSE } from "../http/responses.ts";
import { isReadMethod } from "../http/securityHeaders.ts";
import type { Registry } from "../registry/registry.ts";

/** The addresses at which people enter an auction. The pages themselves are those of the portal. */

type LoginPorts = {
  readonly config: Pick<Config, "publicUrl">;
  readonly registry: Pick<Registry, "auctions" | "tender">;
  readonly participationLinks: ParticipationLinks;
};

const AUCTION = "([0-9a-f]{32}(?:_[0-9a-f]{32})?)";
const LOGIN_PATH = new RegExp(`^/auctions/${AUCTION}/login$`);
/** The form of `auctionUrl` that existing programs look for. */
const WATCH_PATH = new RegExp(`^/auctions/tenders/${AUCTION}$`);

/** As long as a bidder may wait for the auction after opening the link. Afterwards it has to be opened again. */
const COOKIE_SECONDS = 7 * 24 * 60 * 60;

/** Handles the links of bidders and the address for watchers; undefined for any other path. */
export function handleAuctionEntry(
  ports: LoginPorts,
  { method }: Pick<IncomingMessage, "method">,
  origin: string,
  path: string,
  query: string,
): Promise<HttpResponse> | HttpResponse | undefined {
  const [, watched] = WATCH_PATH.exec(path) ?? [];
  const [, entered] = LOGIN_PATH.exec(path) ?? [];
  if (watched === undefined && entered === undefined) return undefined;
  if (method === "OPTIONS") return OPTIONS_RESPONSE("GET, HEAD");
  if (!isReadMethod(method)) return METHOD_NOT_ALLOWED("GET, HEAD");
  if (watched !== undefined) return { status: 302, headers: { Location: `${origin}/auctions/${watched}` } };
  return logIn(ports, origin, entered ?? "", new URLSearchParams(query));
}

/**
 * Opens a participation link: stores its secret in cookies that are limited to this auction, and leads to an address without it, so
 * that it is in no history, referrer or log.
 */
async function logIn(
  ports: LoginPorts,
  origin: string,
  auction: string,
  query: URLSearchParams,
): Promise<HttpResponse> {
  const { registry, participationLinks, config } = ports;
  const found = await registry.auctions.find(auction);
  if (!found) return NOT_FOUND("auction_id");
  const bidId = query.get("bidder_id") ?? "";
  const secret = query.get("signature") ?? "";
  const isTakingPart = found.state.bids.some(({ id }) => id === bidId);
  const bid = isTakingPart
    ? (await registry.tender(found.tender.id, "all"))?.bids.find(({ id }) => id === bidId)
    : undefined;
  if (!bid || !participationLinks.isSecretOf(secret, auction, bid))
    return { ...AUCTION_LINK_INVALID, headers: PRIVATE_HEADERS };
  const isSecure = config.publicUrl?.startsWith("https:") === true;
  return {
    status: 303,
    headers: { ...PRIVATE_HEADERS, Location: `${origin}/auctions/${auction}` },
    cookies: cookiePaths(origin, auction).map((path) => cookieFor(secret, path, isSecure)),
  };
}

/** The page in each language, and the auction in the API. PUBLIC_URL may have a path of its own. */
function cookiePaths(origin: string, auction: string): readonly string[] {
  const base = new URL(origin).pathname.replace(/\/$/, "");
  const prefixes = ["", ...LANGUAGES.map((language) => `/${language}`)];
  const pages = prefixes.map((prefix) => `${base}${prefix}/auctions/${auction}`);
  return [...pages, `${base}/api/${CURRENT_SEGMENT}/auctions/${auction}`];
}

const PRIVATE_HEADERS = { "Cache-Control": "no-store", "Referrer-Policy": "no-referrer" };

const cookieFor = (secret: string, path: string, isSecure: boolean): string =>
  `${BIDDER_COOKIE}=${secret}; Path=${path}; Max-Age=${COOKIE_SECONDS}; HttpOnly; SameSite=Lax${isSecure ? "; Secure" : ""}`;
