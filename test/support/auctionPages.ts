import assert from "node:assert/strict";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { CURRENT_SEGMENT } from "../../src/dialects/dialects.ts";
import { advanceAuction } from "../../src/domain/auctions/advance.ts";
import { decideAuction } from "../../src/domain/auctions/decideAuction.ts";
import {
  type AuctionAudience,
  eventsAfter,
  formatPosition,
  lastPosition,
  parsePosition,
} from "../../src/domain/auctions/events.ts";
import type { AuctionCommand, AuctionState } from "../../src/domain/auctions/model.ts";
import { recordOf, recordText } from "../../src/domain/auctions/record.ts";
import type { AuctionRefusal } from "../../src/domain/auctions/refusals.ts";
import { viewAuction } from "../../src/domain/auctions/view.ts";
import { type Decimal, parseDecimal } from "../../src/domain/values/decimal.ts";
import type { Instant } from "../../src/domain/values/time.ts";
import type { HttpResponse } from "../../src/http/responses.ts";
import { auctionListResponse } from "../../src/portal/auctions/auctionList.ts";
import { type AuctionPage, auctionPageResponse } from "../../src/portal/auctions/auctionPage.ts";
import { readPriceForm } from "../../src/portal/auctions/priceForm.ts";
import { type Language, languagePrefixOf } from "../../src/portal/layout/languages.ts";
import type { PortalSite } from "../../src/portal/layout/pageLayout.ts";
import { handlePortalAssets } from "../../src/portal/layout/portalAssets.ts";

/**
 * A small server with one auction, which the test drives: pages, forms, stream and record, as the routes of the service offer them.
 * A header `X-Bid` names the bidder, in place of a cookie. Time is that of the test, so the stages change when the test says so.
 */

export type AuctionServer = {
  readonly url: string;
  readonly state: () => AuctionState;
  /** Replaces the state, and sends the new events to all streams. */
  readonly update: (state: AuctionState, now: Instant) => void;
  /** Moves the time of the auction. */
  readonly advance: (now: Instant) => void;
  /** Sends a command that must be accepted. */
  readonly send: (command: AuctionCommand) => void;
  /** Ends all streams, and refuses new ones until it is called with `false`. */
  readonly refuseStreams: (isRefusing: boolean) => void;
  /** Changes the record that is served. */
  readonly changeRecord: (change: (text: string) => string) => void;
  readonly stop: () => Promise<void>;
};

type Stream = { readonly audience: AuctionAudience; readonly response: ServerResponse; position: string };

export const HOSTILE_TITLE = `Папір <script>alert("1")</script> & 'чорнило'`;

export const TENDER = {
  id: "a".repeat(32),
  tenderID: "UA-2026-11-17-000001",
  title: HOSTILE_TITLE,
  buyer: "Школа № 5 <b>міста</b>",
};

export const siteOf = (origin: string): PortalSite => ({
  origin,
  basePath: "",
  defaultLanguage: "uk",
  sandbox: true,
});

/** The page of a state for an audience. */
export const pageOf = (state: AuctionState, now: Instant, audience: AuctionAudience, origin: string): AuctionPage => ({
  view: viewAuction(state, audience),
  tender: TENDER,
  serverTime: now,
  zone: { name: "Europe/Kyiv" },
  site: siteOf(origin),
});

/** Serves the auction on a free port. `now` is the time of the auction; it runs on from there. */
export async function serveAuction(initial: AuctionState, startedAt: Instant): Promise<AuctionServer> {
  let state = initial;
  let offset = startedAt - Date.now() * 1000;
  let isRefusing = false;
  let changeText = (text: string) => text;
  const streams = new Set<Stream>();
  const now = () => Date.now() * 1000 + offset;
  const api = `/api/${CURRENT_SEGMENT}/auctions/${initial.id}`;
  const send = (stream: Stream) => {
    for (const { id, event } of eventsAfter(state, parsePosition(stream.position)!, stream.audience) ?? []) {
      stream.response.write(`event: change\nid: ${id}\ndata: ${JSON.stringify({ ...event, serverTime: now() })}\n\n`);
      stream.position = id;
    }
  };
  const apply = (command: AuctionCommand): AuctionRefusal | undefined => {
    // The page runs on real time, the stages on that of the test: a command belongs to the stage that the test has reached.
    const decision = decideAuction(state, command, state.at + 1);
    state = decision.state;
    for (const stream of streams) send(stream);
    return decision.refusal;
  };
  const update = (next: AuctionState, at: Instant) => {
    state = next;
    offset = at - Date.now() * 1000;
    for (const stream of streams) send(stream);
  };
  const openStream = (request: IncomingMessage, response: ServerResponse) => {
    const audience = audienceOf(request);
    if (isRefusing) return response.writeHead(503).end();
    response.writeHead(200, { "Content-Type": "text/event-stream", "Cache-Control": "no-store" });
    const last = request.headers["last-event-id"];
    const stream: Stream = { audience, response, position: formatPosition(lastPosition(state, audience), audience) };
    if (typeof last === "string") {
      stream.position = last;
      response.write("\n");
    } else
      response.write(
        `event: snapshot\nid: ${stream.position}\ndata: ${JSON.stringify({ ...viewAuction(state, audience), serverTime: now() })}\n\n`,
      );
    streams.add(stream);
    send(stream);
    return response.on("close", () => streams.delete(stream));
  };
  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    const { pathname } = new URL(request.url ?? "/", url);
    const { language, path } = languagePrefixOf(pathname) ?? { language: "uk" as const, path: pathname };
    if (path === `${api}/events`) return openStream(request, response);
    const result = await route(request, path, language);
    return response.writeHead(result.status, { ...result.headers }).end(result.bytes ?? result.json);
  };
  const route = async (request: IncomingMessage, path: string, language: Language): Promise<HttpResponse> => {
    const audience = audienceOf(request);
    const page = () => pageOf(state, now(), audience, url);
    const asset = handlePortalAssets(path);
    if (asset) return asset;
    if (path === `/auctions/${initial.id}`) return auctionPageResponse(page(), language);
    if (path === `/auctions/${initial.id}/bids`) return formResponse(request, page, language);
    if (path === `${api}/record`) return { status: 200, json: changeText(recordText(recordOf(state))) };
    if (path === `${api}/bids`) return apiResponse(apply(placing(audience, await bodyOf(request))));
    if (path === `${api}/bids/current`) return apiResponse(apply({ kind: "take back price", bid: bidOf(audience) }));
    if (path === "/auctions") return auctionListResponse(listOf(url, initial.id, now()), language);
    return { status: 404, json: "{}" };
  };
  const formResponse = async (
    request: IncomingMessage,
    page: () => AuctionPage,
    language: Language,
  ): Promise<HttpResponse> => {
    const audience = audienceOf(request);
    const fields = new URLSearchParams(await bodyOf(request));
    const form = readPriceForm(fields);
    const bid = bidOf(audience);
    const amount = fields.get("amount") ?? "";
    if (form.action === "invalid")
      return auctionPageResponse({ ...page(), form: { amount, rule: "price-format" } }, language, 422);
    const refusal = apply(
      form.action === "place"
        ? { kind: "place price", bid, amount: form.amount, ...(form.confirmed && { confirmed: true }) }
        : { kind: "take back price", bid },
    );
    if (refusal) return auctionPageResponse({ ...page(), form: { amount, rule: refusal.rule } }, language, 422);
    const prefix = language === "uk" ? "" : `/${language}`;
    return { status: 303, headers: { Location: `${prefix}/auctions/${initial.id}` } };
  };

  const server = createServer((request, response) => {
    respond(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    state: () => state,
    update,
    advance: (at) => update(advanceAuction(state, at), at),
    send: (command) => assert.equal(apply(command), undefined),
    refuseStreams: (refusing) => {
      isRefusing = refusing;
      if (refusing) for (const { response } of streams) response.end();
    },
    changeRecord: (change) => {
      changeText = change;
    },
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const audienceOf = ({ headers }: IncomingMessage): AuctionAudience => {
  const bid = headers["x-bid"];
  return typeof bid === "string" ? { bid } : "everyone";
};

const bidOf = (audience: AuctionAudience): string => (audience === "everyone" ? "" : audience.bid);

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of request) text += chunk;
  return text;
}

function placing(audience: AuctionAudience, body: string): AuctionCommand {
  const [, digits = ""] = /"amount":([\d.]+)/.exec(body) ?? [];
  const amount: Decimal | undefined = parseDecimal(digits);
  if (!amount) throw new Error(`no amount in ${body}`);
  const { data } = JSON.parse(body) as { readonly data: { readonly confirmed?: true } };
  return { kind: "place price", bid: bidOf(audience), amount, ...(data.confirmed && { confirmed: true }) };
}

const apiResponse = (refusal: AuctionRefusal | undefined): HttpResponse =>
  refusal
    ? { status: 422, json: JSON.stringify({ status: "error", errors: [{ rule: refusal.rule }] }) }
    : { status: 201, json: "{}" };

/** A list with auctions in every status. */
export function listOf(origin: string, id: string, now: Instant) {
  const entry = { id, start: now, tenderID: TENDER.tenderID, title: HOSTILE_TITLE, buyer: TENDER.buyer };
  return {
    today: [{ ...entry, status: "running" as const, lotTitle: "Лот 1 <i>" }],
    coming: [{ ...entry, status: "planned" as const }],
    finished: [
      { ...entry, status: "ended" as const },
      { ...entry, status: "cancelled" as const },
      { ...entry, status: "interrupted" as const },
    ],
    earlierQuery: "?page=2",
    zone: { name: "Europe/Kyiv" },
    site: siteOf(origin),
  };
}
