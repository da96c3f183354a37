import type { PriceLimit } from "../../auctions/priceLimit.ts";
import type { Config } from "../../config/config.ts";
import type { PriceCommand } from "../../domain/auctions/auctionPrices.ts";
import type { AuctionRule } from "../../domain/auctions/auctionRules.ts";
import { AUCTION_PROBLEMS, AUCTION_REFUSALS } from "../../domain/auctions/auctionRules.ts";
import { viewAuction } from "../../domain/auctions/view.ts";
import { ANONYMOUS } from "../../domain/model/actors.ts";
import type { Refusal } from "../../domain/model/refusals.ts";
import { accessOf, type BidderAccess, bidderRefusal } from "../../http/bidderAccess.ts";
import { NOT_FOUND, TOO_MANY_PRICES } from "../../http/errorResponses.ts";
import type { ParticipationLinks } from "../../http/participationLinks.ts";
import type { HttpResponse } from "../../http/responses.ts";
import { organizationKey } from "../../indexing/organizationKeys.ts";
import type { FoundAuction } from "../../registry/auctions.ts";
import type { Registry } from "../../registry/registry.ts";
import { readFormBody } from "../layout/formBody.ts";
import { pagePathOf } from "../layout/pageLayout.ts";
import type { PageRequest } from "../layout/pageRequest.ts";
import type { PortalRoute } from "../layout/portalRoute.ts";
import { shortText } from "../layout/shortText.ts";
import { textIn } from "../layout/textIn.ts";
import { auctionListResponse } from "./auctionList.ts";
import { auctionPageResponse } from "./auctionPage.ts";
import type { PriceFormState } from "./auctionScreen.ts";
import { disclosedBidders } from "./disclosedBidders.ts";
import { listedAuctions } from "./listedAuctions.ts";
import { readPriceForm } from "./priceForm.ts";

/** The addresses of the auction pages: `/auctions`, `/auctions/<id>`, and the form of a bidder without scripts. */

/** What the pages of auctions need. */
export type AuctionPagePorts = {
  readonly registry: Registry;
  readonly config: Config;
  readonly participationLinks: ParticipationLinks;
  readonly priceLimit: PriceLimit;
};

const ID = "[0-9a-f]{32}(?:_[0-9a-f]{32})?";

/** The list of auctions, an auction, and the form of a bidder without scripts. */
export const AUCTION_ROUTES: readonly PortalRoute<AuctionPagePorts>[] = [
  { pattern: /^\/auctions$/, parameters: "checked by handler", handle: showList },
  { pattern: new RegExp(`^/auctions/(${ID})$`), parameters: ["bid"], handle: showAuction },
  { method: "POST", pattern: new RegExp(`^/auctions/(${ID})/bids$`), parameters: ["bid"], handle: receiveForm },
];

async function showList(ports: AuctionPagePorts, { query, language, site }: PageRequest): Promise<HttpResponse> {
  const list = await listedAuctions(ports, query, language);
  return auctionListResponse({ ...list, zone: ports.config.zone, site }, language);
}

/** The auction with the access of the request: a cookie that does not fit is ignored on the page, which says that it is a watcher's. */
async function findAuction(ports: AuctionPagePorts, id: string, { request, query }: PageRequest) {
  const found = await ports.registry.auctions.find(id);
  if (!found) return undefined;
  const accessPorts = { registry: ports.registry, links: ports.participationLinks };
  const access = await accessOf(accessPorts, found, { request, query, actor: ANONYMOUS, isJsonp: false });
  return { found, access };
}

async function showAuction(
  ports: AuctionPagePorts,
  pageRequest: PageRequest,
  [id = ""]: readonly string[],
): Promise<HttpResponse> {
  const auction = await findAuction(ports, id, pageRequest);
  return auction ? renderAuction(ports, auction.found, auction.access, pageRequest) : NOT_FOUND("auction_id");
}

const TITLE_LENGTH_MAX = 300;

async function renderAuction(
  { registry, config }: AuctionPagePorts,
  found: FoundAuction,
  access: BidderAccess,
  { language, site, problems = [] }: PageRequest,
  form?: PriceFormState,
  status = problems.length > 0 ? 400 : 200,
): Promise<HttpResponse> {
  const { tender, lot, state } = found;
  // Test tenders are in no profile.
  const buyerKey = tender.mode === "test" ? undefined : organizationKey(tender.procuringEntity);
  const bidders = await disclosedBidders(registry, found, language, site);
  const page = {
    view: viewAuction(state, access.kind === "bidder" ? { bid: access.bid } : "everyone"),
    tender: {
      id: tender.id,
      tenderID: tender.tenderID,
      title: shortText(textIn(language, tender, "title") ?? "", TITLE_LENGTH_MAX),
      buyer: shortText(textIn(language, tender.procuringEntity, "name") ?? "", TITLE_LENGTH_MAX),
      ...(buyerKey !== undefined && { buyerKey }),
    },
    ...(lot && { lot: { id: lot.id, title: shortText(textIn(language, lot, "title") ?? "", TITLE_LENGTH_MAX) } }),
    serverTime: await registry.nowFor(tender),
    zone: config.zone,
    ...(tender.testClock !== undefined && { hasTestClock: true as const }),
    ...(bidders && { bidders }),
    ...(form && { form }),
    problems,
    site,
  };
  return auctionPageResponse(page, language, status);
}

/** The form of a bidder whose browser runs no scripts. */
async function receiveForm(
  ports: AuctionPagePorts,
  pageRequest: PageRequest,
  [id = ""]: readonly string[],
): Promise<HttpResponse> {
  const { request, origin, site, language } = pageRequest;
  const auction = await findAuction(ports, id, pageRequest);
  if (!auction) return NOT_FOUND("auction_id");
  const { found, access } = auction;
  const refusal = bidderRefusal(access, request.headers, origin);
  if (refusal || access.kind !== "bidder") return refusal ?? NOT_FOUND("auction_id");
  const quota = ports.priceLimit.take(`${id} ${access.bid}`);
  if (!quota.allowed) return TOO_MANY_PRICES(quota.headers);
  const form = readPriceForm(await readFormBody(request));
  const show = (amount: string, rule: PriceFormState["rule"], status: number) =>
    renderAuction(ports, found, access, pageRequest, { amount, rule }, status);
  if (form.action === "invalid") return show(form.amount, "price-format", 422);
  const command = commandOf(form, access.bid);
  const result = await ports.registry.auctions.place(id, command);
  if (result === "moved" || !("ok" in result)) throw new Error("a price without conditions was not decided");
  ports.priceLimit.count(result.ok ? "accepted" : "refused");
  if (!result.ok) {
    const { rule, status } = ruleOf(result.refused);
    return show(command.kind === "place price" ? command.amount : "", rule, status);
  }
  // Another address than that of the form, so that a reload does not send it again.
  return {
    status: 303,
    headers: { Location: pagePathOf(site, `/auctions/${id}`, language), "Cache-Control": "no-store" },
  };
}

const commandOf = (
  form: Exclude<ReturnType<typeof readPriceForm>, { action: "invalid" }>,
  bid: string,
): PriceCommand =>
  form.action === "take back"
    ? { kind: "take back price", bid }
    : { kind: "place price", bid, amount: form.amount, ...(form.confirmed && { confirmed: true as const }) };

const isAuctionRule = (rule: string): rule is AuctionRule =>
  Object.hasOwn(AUCTION_PROBLEMS["Auctions and contracts"], rule) || Object.hasOwn(AUCTION_REFUSALS.Auctions, rule);

/** The rule by which a price was refused, and the status of the page that says so. */
function ruleOf(refusal: Refusal): { readonly rule: PriceFormState["rule"]; readonly status: number } {
  const rule =
    refusal.kind === "invalid" ? refusal.problems[0]?.rule : refusal.kind === "rule" ? refusal.rule : undefined;
  const status = refusal.kind === "invalid" ? 422 : 403;
  return { rule: rule !== undefined && isAuctionRule(rule) ? rule : "auction-stage", status };
}
