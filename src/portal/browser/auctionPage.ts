import { isOver } from "../../domain/auctions/phases.ts";
import { type AuctionScreen, bidderText, countdownTarget, money, textsOf } from "../auctions/auctionScreen.ts";
import type { AuctionEventMessage, AuctionSnapshotMessage, EmbeddedAuction } from "../auctions/auctionStream.ts";
import { applyAuctionEvent } from "../auctions/liveView.ts";
import { renderOffersPart } from "../auctions/offersPart.ts";
import { renderOwnPart } from "../auctions/ownPart.ts";
import { renderReplayPart } from "../auctions/replayPart.ts";
import { openServerClock } from "../auctions/serverClock.ts";
import { renderStagePart, tabTitle } from "../auctions/stagePart.ts";
import { renderTimelinePart } from "../auctions/timelinePart.ts";
import { formatCountdown } from "../layout/formats.ts";
import { type AuctionConnection, type ConnectionState, openConnection } from "./auctionConnection.ts";
import { loadBidders } from "./bidders.ts";
import { elementById, openParts, setText } from "./elements.ts";
import { openPriceForm } from "./priceFormControls.ts";

/** The script of the auction page: keeps it up to date, counts down, and announces the own turn. */

/** How often the countdown is drawn. A second would sometimes seem to take two. */
const TICK_MS = 250;
/**
 * If the end of a stage is not reported this long after it, the stream is taken for broken. The time differs from page to page, so that
 * not all of them reconnect at once if it is the service that is late.
 */
const SILENCE_MICROS_MIN = 5_000_000 * (1 + Math.random());
const SILENCE_MICROS_MAX = 60_000_000;
/** When the rest of the own turn is announced, in seconds. */
const ANNOUNCED_SECONDS = [60, 30, 10];

// The service has written this element itself, from these very types.
const embedded: EmbeddedAuction = JSON.parse(elementById("auction-state").textContent ?? "");
const clock = openServerClock(embedded.screen.now, embedded.screen.hasTestClock === true);
// What a form without scripts sent last is of no use for later states.
const { form: _refusedForm, ...initialScreen } = embedded.screen;
let screen: AuctionScreen = initialScreen;
let connection: AuctionConnection | undefined;
let lastLeftSeconds = Number.POSITIVE_INFINITY;
let silenceMicros = SILENCE_MICROS_MIN;
let silentSince: number | undefined;

const partsOf = (current: AuctionScreen) => ({
  "auction-stage": renderStagePart(current),
  "auction-own": renderOwnPart(current),
  "auction-offers": renderOffersPart(current),
  "auction-timeline": renderTimelinePart(current),
  "auction-replay": renderReplayPart(current, embedded.origin),
});
const updateParts = openParts(partsOf(embedded.screen));
const priceForm = openPriceForm(() => screen);

function show(next: AuctionScreen): void {
  const hadTurn = screen.view.own?.isOwnTurn === true;
  if (countdownTarget(next.view) !== countdownTarget(screen.view)) silenceMicros = SILENCE_MICROS_MIN;
  silentSince = undefined;
  screen = next;
  const changed = updateParts(partsOf(screen));
  if (changed.includes("auction-own")) priceForm.refresh();
  if (changed.includes("auction-replay")) showRecomputeButton();
  announceTurn(hadTurn);
  tick();
  if (isOver(screen.view) && hasNames()) connection?.close();
}

function announceTurn(hadTurn: boolean): void {
  const { own } = screen.view;
  const { announce } = textsOf(screen).auction;
  if (own?.isOwnTurn && !hadTurn) {
    lastLeftSeconds = Number.POSITIVE_INFINITY;
    setText("announcer", announce.ownTurn(own.highestAllowed ? money(screen, own.highestAllowed) : ""));
  } else if (hadTurn && !own?.isOwnTurn) setText("announcer", announce.ownTurnOver);
}

function handleSnapshot({ serverTime, ...view }: AuctionSnapshotMessage): void {
  // A connection may lead to another server, whose clock is a little different.
  clock.reset(serverTime);
  show({ ...screen, view, now: clock.now() });
  if (hasNames() && !screen.bidders) void showBidders();
}

const hasNames = (): boolean => screen.view.offers.some(({ name }) => name !== undefined);

/** Shows the bidders as the service renders them now. If they cannot be loaded, the names of the stream stay. */
async function showBidders(): Promise<void> {
  const bidders = await loadBidders(screen.pagePath);
  if (bidders) show({ ...screen, bidders });
}

function handleEvent(id: string, { serverTime, ...event }: AuctionEventMessage): boolean {
  clock.adjust(serverTime);
  const view = applyAuctionEvent(screen.view, id, event);
  if (!view) return false;
  show({ ...screen, view, now: clock.now() });
  if (event.kind === "turn result") {
    const { announce } = textsOf(screen).auction;
    const bidder = bidderText(screen, event.bidder);
    setText("announcer", event.isNew ? announce.result(bidder, money(screen, event.amount)) : announce.kept(bidder));
  }
  return true;
}

function showConnection(state: ConnectionState): void {
  elementById("connection").dataset.state = state;
  setText("connection-text", textsOf(screen).auction.connection[state]);
}

/** Draws what depends on the time alone. */
function tick(): void {
  const now = clock.now();
  screen = { ...screen, now };
  const target = countdownTarget(screen.view);
  const title = `${tabTitle(screen, embedded.tenderID)} · ${embedded.siteName}`;
  if (document.title !== title) document.title = title;
  showClockNote(target !== undefined);
  if (target === undefined) {
    setText("countdown-small", "");
    return;
  }
  setText("countdown", formatCountdown(target - now));
  setText("countdown-small", formatCountdown(target - now));
  announceRest(target - now);
  reconnectIfSilent(target, now);
}

function announceRest(leftMicros: number): void {
  const leftSeconds = Math.ceil(leftMicros / 1_000_000);
  const { own } = screen.view;
  const passed = ANNOUNCED_SECONDS.find((seconds) => leftSeconds <= seconds && lastLeftSeconds > seconds);
  if (own?.isOwnTurn && passed !== undefined && Number.isFinite(lastLeftSeconds))
    setText("announcer", textsOf(screen).auction.announce.left(leftSeconds));
  lastLeftSeconds = leftSeconds;
}

/** An open connection that reports nothing when a stage ends is broken, though the browser does not know it yet. */
function reconnectIfSilent(target: number, now: number): void {
  if (screen.view.status !== "running" || now < target) return;
  silentSince ??= now;
  if (now < silentSince + silenceMicros) return;
  silentSince = undefined;
  silenceMicros = Math.min(SILENCE_MICROS_MAX, silenceMicros * 2);
  connection?.reconnect();
}

/** A wrong clock matters only to somebody who waits for a moment. */
function showClockNote(hasCountdown: boolean): void {
  const seconds = hasCountdown ? clock.deviceErrorSeconds() : 0;
  const note = elementById("clock-note");
  note.hidden = seconds === 0;
  if (seconds > 0) setText("clock-note", textsOf(screen).auction.clockOff(seconds));
}

function showRecomputeButton(): void {
  const button = document.getElementById("recompute-button");
  if (!button) return;
  button.hidden = false;
  button.addEventListener("click", () => {
    import("./recompute.ts").then(
      ({ recompute }) => recompute(screen, elementById("replay-result")),
      () => setText("replay-result", textsOf(screen).replay.unavailable),
    );
  });
}

showRecomputeButton();
setInterval(tick, TICK_MS);
// Browsers slow timers down in hidden tabs, and end streams of pages that they keep for the way back.
document.addEventListener("visibilitychange", tick);
window.addEventListener("pageshow", ({ persisted }) => {
  if (persisted) connection?.reconnect();
});
tick();
const isFinal = screen.view.status === "cancelled" || hasNames();
if (isFinal) showConnection("over");
else
  connection = openConnection(`${screen.apiPath}/events`, {
    onState: showConnection,
    onSnapshot: handleSnapshot,
    onEvent: handleEvent,
  });
