import assert from "node:assert/strict";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { CURRENT_SEGMENT, dialectNamed, openDialects } from "../../src/dialects/dialects.ts";
import { advanceAuction } from "../../src/domain/auctions/advance.ts";
import { decideAuction } from "../../src/domain/auctions/decideAuction.ts";
import {
  type AuctionAudience,
  type EventPosition,
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
import { type Instant, openZone } from "../../src/domain/values/time.ts";
import type { HttpResponse } from "../../src/http/responses.ts";
import { auctionListResponse } from "../../src/portal/auctions/auctionList.ts";
import { type AuctionPage, auctionPageResponse } from "../../src/portal/auctions/auctionPage.ts";
import type { PriceFormState } from "../../src/portal/auctions/auctionScreen.ts";
import { readPriceForm } from "../../src/portal/auctions/priceForm.ts";
import { type Language, languagePrefixOf, localizedPath } from "../../src/portal/layout/languages.ts";
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
  /** How many streams were opened so far. */
  readonly streamsOpened: () => number;
  /** Changes the record that is served. */
  readonly changeRecord: (change: (text: string) => string) => void;
  readonly stop: () => Promise<void>;
};

type Stream = { readonly audience: AuctionAudience; readonly response: ServerResponse; position: EventPosition };

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
  name: "Tenderhall",
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

const ZONE = openZone("Europe/Kyiv");
const DIALECT = dialectNamed(
  openDialects({ zone: ZONE, sandbox: true, textBytesMax: 65536, listMax: 1000 }),
  CURRENT_SEGMENT,
);

/** The JSON of a view or an event as the API writes it. */
export const writeAsApi = (shape: "LiveAuction" | "LiveAuctionEvent", value: object): string =>
  DIALECT.write(shape, value, "");

/** The auction with its streams: every change is sent to all of them. */
function openSharedAuction(initial: AuctionState, startedAt: Instant) {
  let state = initial;
  let offset = startedAt - Date.now() * 1000;
  let isRefusing = false;
  let streamsOpened = 0;
  const streams = new Set<Stream>();
  const now = () => Date.now() * 1000 + offset;
  const message = (name: "snapshot" | "change", id: string, data: object) => {
    const shape = name === "snapshot" ? "LiveAuction" : "LiveAuctionEvent";
    return `event: ${name}\nid: ${id}\ndata: ${writeAsApi(shape, { ...data, serverTime: now() })}\n\n`;
  };
  const sendEvents = (stream: Stream) => {
    const { audience, response, position } = stream;
    for (const { id, event } of eventsAfter(state, position, audience) ?? [])
      response.write(message("change", id, event));
    stream.position = lastPosition(state, audience);
  };
  const replace = (next: AuctionState) => {
    state = next;
    for (const stream of streams) sendEvents(stream);
  };
  return {
    state: () => state,
    now,
    streamsOpened: () => streamsOpened,
    update: (next: AuctionState, at: Instant) => {
      offset = at - Date.now() * 1000;
      replace(next);
    },
    /** The page runs on real time, the stages on that of the test: a command belongs to the stage that the test has reached. */
    apply: (command: AuctionCommand): AuctionRefusal | undefined => {
      const decision = decideAuction(state, command, state.at + 1);
      replace(decision.state);
      return decision.refusal;
    },
    refuseStreams: (refusing: boolean) => {
      isRefusing = refusing;
      if (refusing) for (const { response } of streams) response.end();
    },
    openStream: (request: IncomingMessage, response: ServerResponse) => {
      if (isRefusing) return response.writeHead(503).end();
      const audience = audienceOf(request);
      const seen = parsePosition(String(request.headers["last-event-id"]));
      const stream: Stream = { audience, response, position: seen ?? lastPosition(state, audience) };
      response.writeHead(200, { "Content-Type": "text/event-stream", "Cache-Control": "no-store" });
      response.flushHeaders();
      const { position } = stream;
      if (!seen) response.write(message("snapshot", formatPosition(position, audience), viewAuction(state, audience)));
      sendEvents(stream);
      streams.add(stream);
      streamsOpened++;
      return response.on("close", () => streams.delete(stream));
    },
  };
}

type SharedAuction = ReturnType<typeof openSharedAuction>;

/** Serves the auction on a free port. Its time begins at `startedAt` and goes on from there; its stages change by `advance`. */
export async function serveAuction(initial: AuctionState, startedAt: Instant): Promise<AuctionServer> {
  const auction = openSharedAuction(initial, startedAt);
  let changeText = (text: string) => text;
  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    const { pathname } = new URL(request.url ?? "/", url);
    if (pathname === `${apiPathOf(initial)}/events`) return auction.openStream(request, response);
    const result =
      pathname === `${apiPathOf(initial)}/record`
        ? { status: 200, json: changeText(recordText(recordOf(auction.state()))) }
        : await respondToPath(auction, request, pathname, url);
    return response.writeHead(result.status, { ...result.headers }).end(result.bytes ?? result.json);
  };
  const server = createServer((request, response) => {
    respond(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { state, update, apply, refuseStreams, streamsOpened } = auction;
  return {
    url,
    state,
    update,
    advance: (at) => update(advanceAuction(state(), at), at),
    send: (command) => assert.equal(apply(command), undefined),
    refuseStreams,
    streamsOpened,
    changeRecord: (change) => {
      changeText = change;
    },
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const apiPathOf = ({ id }: AuctionState): string => `/api/${CURRENT_SEGMENT}/auctions/${id}`;

/** Everything but the stream and the record. */
async function respondToPath(
  auction: SharedAuction,
  request: IncomingMessage,
  pathname: string,
  origin: string,
): Promise<Pick<HttpResponse, "status" | "headers" | "bytes"> & { readonly json?: string }> {
  const { language, path } = languagePrefixOf(pathname) ?? { language: "uk" as const, path: pathname };
  const audience = audienceOf(request);
  const { id } = auction.state();
  const api = apiPathOf(auction.state());
  const asset = handlePortalAssets(path);
  if (asset) return { status: asset.status, headers: asset.headers, bytes: asset.bytes };
  switch (path) {
    case "/auctions":
      return withoutJson(auctionListResponse(listOf(origin, id, auction.now()), language));
    case `/auctions/${id}`:
      return withoutJson(auctionPageResponse(pageOf(auction.state(), auction.now(), audience, origin), language));
    case `/auctions/${id}/bids`:
      return withoutJson(await formResponse(auction, request, language, origin));
    case `${api}/bids`:
      return apiResponse(auction.apply(placing(audience, await bodyOf(request))));
    case `${api}/bids/current`:
      return apiResponse(auction.apply({ kind: "take back price", bid: bidOf(audience) }));
    default:
      return { status: 404, json: "{}" };
  }
}

const withoutJson = ({ status, headers, bytes, text }: HttpResponse) => ({
  status,
  headers,
  bytes: text ? Buffer.from(text.latin1, "latin1") : bytes,
});

/** The form as it is sent without scripts. */
async function formResponse(
  auction: SharedAuction,
  request: IncomingMessage,
  language: Language,
  origin: string,
): Promise<HttpResponse> {
  const audience = audienceOf(request);
  const fields = new URLSearchParams(await bodyOf(request));
  const form = readPriceForm(fields);
  const bid = bidOf(audience);
  const refuse = (rule: PriceFormState["rule"]) => {
    const page = pageOf(auction.state(), auction.now(), audience, origin);
    return auctionPageResponse({ ...page, form: { amount: fields.get("amount") ?? "", rule } }, language, 422);
  };
  if (form.action === "invalid") return refuse("price-format");
  const refusal = auction.apply(
    form.action === "place"
      ? { kind: "place price", bid, amount: form.amount, ...(form.confirmed && { confirmed: true }) }
      : { kind: "take back price", bid },
  );
  if (refusal) return refuse(refusal.rule);
  return { status: 303, headers: { Location: localizedPath(`/auctions/${auction.state().id}`, language, "uk") } };
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

const apiResponse = (refusal: AuctionRefusal | undefined) =>
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
