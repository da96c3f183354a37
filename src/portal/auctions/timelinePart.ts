import type { AuctionStage, AuctionTurn } from "../../domain/auctions/model.ts";
import type { LiveAuctionView } from "../../domain/auctions/view.ts";
import { minutesIn } from "../layout/formats.ts";
import { EMPTY_MARKUP, html, type Markup } from "../markup.ts";
import { type AuctionScreen, bidderMarkup, clockTime, money, textsOf } from "./auctionScreen.ts";

/** The stages of the auction as a timeline: rounds with their turns, and the pauses between them. */

type StageState = "past" | "current" | "coming";
type PlacedStage = { readonly stage: AuctionStage; readonly state: StageState };
type TimelineRound = { readonly round: number; readonly turns: readonly PlacedStage[]; readonly state: StageState };

function stateAt({ current, status }: LiveAuctionView, index: number): StageState {
  if (status === "ended") return "past";
  if (current === undefined) return "coming";
  return index < current ? "past" : index === current ? "current" : "coming";
}

/** The timeline; nothing before the first pause begins. */
export function renderTimelinePart(screen: AuctionScreen): Markup {
  const { view } = screen;
  const { auction } = textsOf(screen);
  if (view.stages.length === 0) return EMPTY_MARKUP;
  const placed = view.stages.map((stage, i): PlacedStage => ({ stage, state: stateAt(view, i) }));
  const items = timelineItems(placed).map((item) =>
    "turns" in item ? roundItem(screen, item) : stageItem(screen, item),
  );
  return html`<h2 id="timeline-title">${auction.timeline}</h2>
<ol class="timeline" aria-labelledby="timeline-title">
${items}</ol>`;
}

/** The stages in order, with the turns of a round as one item. */
function timelineItems(placed: readonly PlacedStage[]): readonly (PlacedStage | TimelineRound)[] {
  const items: (PlacedStage | TimelineRound)[] = [];
  for (const item of placed) {
    const { stage } = item;
    if (stage.kind !== "turn") {
      items.push(item);
      continue;
    }
    const last = items.at(-1);
    if (last && "turns" in last) items.splice(-1, 1, withTurn(last, item));
    else items.push({ round: stage.round, turns: [item], state: item.state });
  }
  return items;
}

function withTurn({ round, turns, state }: TimelineRound, turn: PlacedStage): TimelineRound {
  const isRunning = state === "current" || turn.state === "current" || state !== turn.state;
  return { round, turns: [...turns, turn], state: isRunning ? "current" : state };
}

const stateText = (screen: AuctionScreen, state: StageState): Markup =>
  html`<span class="visually-hidden">(${textsOf(screen).auction.stageStates[state]})</span>`;

const currentStep = (state: StageState): Markup => (state === "current" ? html` aria-current="step"` : EMPTY_MARKUP);

function stageItem(screen: AuctionScreen, { stage, state }: PlacedStage): Markup {
  const { auction } = textsOf(screen);
  const title =
    stage.kind === "pause"
      ? auction.pause
      : stage.kind === "announcement"
        ? auction.announcement
        : auction.preAnnouncementShort;
  return html`<li class="${state}"${currentStep(state)}><span class="stage-name">${title}</span> ${clockTime(screen, stage.start)} ${stateText(screen, state)}</li>
`;
}

function roundItem(screen: AuctionScreen, { round, turns, state }: TimelineRound): Markup {
  const { auction } = textsOf(screen);
  const isOrdered = turns.every(({ stage }) => stage.kind === "turn" && stage.bidder !== undefined);
  const inner = isOrdered
    ? html`<ol class="turns">
${turns.map((turn) => turnItem(screen, turn))}</ol>`
    : html`<p class="quiet">${auction.turnsByPrice}</p>`;
  const start = turns[0]?.stage.start;
  return html`<li class="round ${state}"><span class="stage-name">${auction.round(round)}</span> ${start === undefined ? EMPTY_MARKUP : clockTime(screen, start)} ${stateText(screen, state)}
${inner}</li>
`;
}

function turnItem(screen: AuctionScreen, { stage, state }: PlacedStage): Markup {
  if (stage.kind !== "turn" || stage.bidder === undefined) return EMPTY_MARKUP;
  return html`<li class="${state}"${currentStep(state)}>${bidderMarkup(screen, stage.bidder)} ${clockTime(screen, stage.start)}${turnOutcome(screen, stage)}</li>
`;
}

function turnOutcome(screen: AuctionScreen, { result, isInterrupted }: AuctionTurn): Markup {
  const { auction } = textsOf(screen);
  if (isInterrupted) return html` <span class="note">${auction.interruptedTurn}</span>`;
  if (!result) return EMPTY_MARKUP;
  return result.isNew
    ? html` <span class="result">${money(screen, result.amount)}</span>`
    : html` <span class="note">${auction.unchanged}</span>`;
}

/** The terms of the auction: step, rounds and lengths. */
export function renderTermsPart(screen: AuctionScreen): Markup {
  const { rules } = screen.view;
  const { auction } = textsOf(screen);
  return html`<h2 id="terms-title">${auction.rules}</h2>
<dl>
<div><dt>${auction.minimalStep}</dt><dd>${money(screen, rules.minimalStep)}</dd></div>
<div><dt>${auction.course}</dt><dd>${auction.roundCount(rules.rounds, minutesIn(rules.turnMicros))}</dd></div>
</dl>`;
}
