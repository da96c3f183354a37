import type { LiveAuctionView } from "../../domain/auctions/view.ts";
import { formatCountdown, formatMoment, machineDuration, machineTime } from "../layout/formats.ts";
import { EMPTY_MARKUP, html, insertMarkup, type Markup } from "../markup.ts";
import {
  type AuctionScreen,
  bidderText,
  clockTime,
  countdownTarget,
  runningStageOf,
  textsOf,
} from "./auctionScreen.ts";

/** The part of the page that says what happens now, with the countdown. */

/** What happens now, in one sentence. */
export function stageTitle(screen: AuctionScreen): string {
  const { view, now } = screen;
  const { auction } = textsOf(screen);
  const stage = runningStageOf(view);
  switch (view.phase) {
    case "planned":
      return now < view.plannedStart ? auction.planned : auction.starting;
    case "pause":
      return stage?.kind === "pause" ? auction.pauseBefore(stage.round) : auction.pause;
    case "turn":
      return turnTitle(screen);
    case "pre-announcement":
      return auction.preAnnouncement;
    case "announcement":
      return auction.ended;
    case "interrupted":
      return auction.interrupted;
    case "cancelled":
      return auction.cancelled;
  }
}

function turnTitle(screen: AuctionScreen): string {
  const { view } = screen;
  const { auction } = textsOf(screen);
  const stage = runningStageOf(view);
  if (stage?.kind !== "turn" || stage.bidder === undefined) return "";
  return view.own?.isOwnTurn
    ? auction.ownTurn(stage.round)
    : auction.turnOf(stage.round, bidderText(screen, stage.bidder));
}

/** The title of the tab without the name of the site, with the time left, so that a bidder notices the own turn from another tab. */
export function tabTitle(screen: AuctionScreen, tenderID: string): string {
  const { view, now } = screen;
  const { auction } = textsOf(screen);
  const target = countdownTarget(view);
  if (view.status !== "running" || target === undefined) return auction.title(tenderID);
  const title = view.own?.isOwnTurn ? auction.titleOwnTurn : stageTitle(screen);
  return `${formatCountdown(target - now)} · ${title} · ${tenderID}`;
}

/** The stage that runs, with the time left and the time of its end. */
export function renderStagePart(screen: AuctionScreen): Markup {
  const { view, hasTestClock } = screen;
  const { auction } = textsOf(screen);
  const isOwnTurn = view.own?.isOwnTurn === true;
  return html`<h2 id="stage-title" class="stage-title${isOwnTurn ? " own-turn" : ""}">${stageTitle(screen)}</h2>
${countdownMarkup(screen)}
${hasTestClock ? html`<p class="quiet">${auction.testClock}</p>` : EMPTY_MARKUP}
${attemptsNote(view, auction.attempts(view.earlierAttempts))}`;
}

const attemptsNote = ({ earlierAttempts }: LiveAuctionView, text: string): Markup =>
  earlierAttempts > 0 ? html`<p class="quiet">${text}</p>` : EMPTY_MARKUP;

function countdownMarkup(screen: AuctionScreen): Markup {
  const { view, now, zoneName, language } = screen;
  const { auction } = textsOf(screen);
  const target = countdownTarget(view);
  if (target === undefined) return EMPTY_MARKUP;
  const moment = formatMoment(target, "date and time", zoneName, language);
  const until =
    view.status === "planned"
      ? html`<p>${auction.startsAt(moment)}</p>`
      : html`<p>${insertMarkup(auction.endsAt, clockTime(screen, target))}</p>`;
  return html`<p class="countdown" role="timer" aria-labelledby="countdown-label countdown"><span id="countdown-label" class="countdown-label">${auction.timeLeft}</span>
<time id="countdown" datetime="${machineDuration(target - now)}" data-until="${machineTime(target)}">${formatCountdown(target - now)}</time></p>
${until}`;
}
