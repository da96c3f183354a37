import type { IncomingMessage } from "node:http";
import type { AuctionStatus } from "../domain/auctions/model.ts";
import { linkNumberOf } from "../domain/bids/participation.ts";
import { type Account, type Actor, owns } from "../domain/model/actors.ts";
import type { Bid, Tender } from "../domain/model/tender.ts";
import type { FoundAuction } from "../registry/auctions.ts";
import type { Registry } from "../registry/registry.ts";
import { apiKeyOf } from "./auth.ts";
import { AUCTION_CANCELLED, AUCTION_LINK_INVALID, BIDDER_NEEDED, CROSS_SITE, FORBIDDEN } from "./errorResponses.ts";
import type { ParticipationLinks } from "./participationLinks.ts";
import type { HttpResponse } from "./responses.ts";

/** Who takes part in an auction with a request. */

/** How a bidder shows that it is one. A browser sends the cookie by itself, also for pages of other sites. */
type AccessMeans = "link" | "cookie" | "key";

export type BidderAccess =
  | { readonly kind: "everyone" }
  | {
      readonly kind: "bidder";
      readonly bid: string;
      readonly by: AccessMeans;
      /** The secret of the link; absent if the bidder uses an API key. */
      readonly secret?: string;
      /** Which of the bid's links it is. */
      readonly linkNumber: number;
    }
  /** The credentials are not those of a bidder of this auction. `maySee`: a read is answered as for everyone. */
  | { readonly kind: "refused"; readonly response: HttpResponse; readonly maySee: boolean };

/** The auction on the path of a request. */
export type RequestedAuction = FoundAuction & { readonly access: BidderAccess };

/** What the access of a request depends on. */
export type AccessRequest = {
  readonly request: Pick<IncomingMessage, "headers">;
  readonly query: URLSearchParams;
  readonly actor: Actor;
  /** JSONP requests are anonymous, because any page can make a browser send them. */
  readonly isJsonp: boolean;
};

type AccessPorts = { readonly registry: Pick<Registry, "tender">; readonly links: ParticipationLinks };

/** The cookie that opening a participation link sets. */
export const BIDDER_COOKIE = "auction_bidder";

const EVERYONE: BidderAccess = { kind: "everyone" };

/**
 * The bidder by the secret of its link, sent as Bearer or in the cookie, or by the API key and the owner token of the bid. What is
 * neither a key nor a secret is refused and not ignored: a bidder must not take the view of everyone for its own.
 */
export async function accessOf(
  { registry, links }: AccessPorts,
  { tender, state }: FoundAuction,
  { request, query, actor, isJsonp }: AccessRequest,
): Promise<BidderAccess> {
  if (isJsonp) return EVERYONE;
  const { authorization, cookie } = request.headers;
  const bearer = actor.account ? undefined : bearerOf(authorization);
  const secret = bearer ?? (authorization === undefined ? cookieIn(cookie) : undefined);
  const bidParam = query.get("bid") || undefined;
  const hasToken = actor.account !== undefined && actor.tokenHash !== undefined;
  if (secret === undefined && !hasToken) return EVERYONE;
  const bids = await bidsOf(registry, tender);
  const candidates = bids.filter(
    ({ id }) => (bidParam === undefined || id === bidParam) && state.bids.some((taking) => taking.id === id),
  );
  if (secret !== undefined) {
    const by = bearer === undefined ? "cookie" : "link";
    const bid = candidates.find((candidate) => links.isSecretOf(secret, state.id, candidate));
    return bid
      ? { kind: "bidder", bid: bid.id, by, secret, linkNumber: linkNumberOf(bid) }
      : { kind: "refused", ...linkRefusal(state.status, by) };
  }
  const bid = candidates.find((candidate) => owns(actor, candidate));
  if (bid) return { kind: "bidder", bid: bid.id, by: "key", linkNumber: linkNumberOf(bid) };
  return bidParam === undefined ? EVERYONE : { kind: "refused", response: FORBIDDEN, maySee: false };
}

/**
 * Why a secret is not accepted. A tender that is cancelled has no bids any more, so nobody can tell whose link it was; and the owner of
 * a cookie that is no longer valid may watch like everyone else.
 */
const linkRefusal = (status: AuctionStatus, by: AccessMeans) => ({
  response: status === "cancelled" ? AUCTION_CANCELLED : AUCTION_LINK_INVALID,
  maySee: status === "cancelled" || by === "cookie",
});

const bidsOf = async (registry: Pick<Registry, "tender">, { id }: Tender): Promise<readonly Bid[]> =>
  (await registry.tender(id, "all"))?.bids ?? [];

const bearerOf = (authorization: string | undefined): string | undefined =>
  authorization !== undefined && /^bearer\s/i.test(authorization.trim()) ? apiKeyOf(authorization) : undefined;

/** The value of the cookie in a `Cookie` header. */
function cookieIn(header: string | undefined): string | undefined {
  for (const pair of header?.split(";") ?? []) {
    const [name, value] = pair.trim().split("=", 2);
    if (name === BIDDER_COOKIE && value) return value;
  }
  return undefined;
}

/**
 * Why a write of a bidder is refused before its body is read, if it is. With a cookie, the request must come from a page of the
 * service: programs send the secret as Bearer.
 */
export function bidderRefusal(
  access: BidderAccess,
  headers: IncomingMessage["headers"],
  origin: string,
): HttpResponse | undefined {
  if (access.kind === "everyone") return BIDDER_NEEDED;
  if (access.kind === "refused") return access.response;
  return access.by === "cookie" && !isSameOrigin(headers, origin) ? CROSS_SITE : undefined;
}

/** Whether the browser says that the request comes from a page of the service. Hosts are compared: a proxy may terminate TLS. */
function isSameOrigin({ origin: from, ...headers }: IncomingMessage["headers"], origin: string): boolean {
  const site = headers["sec-fetch-site"];
  if (site !== undefined && site !== "same-origin") return false;
  if (from === undefined) return site === "same-origin";
  const host = URL.parse(from)?.host;
  return host !== undefined && host !== "" && host === URL.parse(origin)?.host;
}

/** A bidder without an account, as the owner of its idempotency keys and of the bytes that it sends. */
export const bidderAccount = (auction: RequestedAuction | undefined): Account | undefined =>
  auction?.access.kind === "bidder"
    ? { name: `bidder ${auction.access.bid} of ${auction.state.id}`, group: "brokers" }
    : undefined;
