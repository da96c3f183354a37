import type { AuctionReplay, RecordDifference, ReplayedTurn } from "../../domain/auctions/replay.ts";
import { EMPTY_MARKUP, html, type Markup } from "../markup.ts";
import { type AuctionScreen, bidderMarkup, clockTime, money, textsOf } from "./auctionScreen.ts";

/** The part of the result page with which anyone recomputes the auction from its record. */

/** The path of the record, which is public once names are. */
export const recordPath = ({ apiPath }: AuctionScreen): string => `${apiPath}/record`;

/** Whether the record can be loaded: it becomes public with the names. */
const isRecordPublic = ({ view }: AuctionScreen): boolean =>
  view.status === "ended" && view.offers.some(({ name }) => name !== undefined);

/** The button, which scripts show, and the command that does the same. Empty until the record is public. */
export function renderReplayPart(screen: AuctionScreen, origin: string): Markup {
  const { replay: texts } = textsOf(screen);
  if (!isRecordPublic(screen)) return EMPTY_MARKUP;
  const record = recordPath(screen);
  return html`<h2 id="replay-title">${texts.heading}</h2>
<p>${texts.lead} <a href="${record}">${texts.record}</a></p>
<p class="buttons"><button type="button" id="recompute-button" class="primary" hidden>${texts.button}</button></p>
<noscript><p>${texts.withoutScripts}</p>
<pre><code>tenderhall auction replay ${new URL(record, origin).href}</code></pre></noscript>
<div id="replay-result" aria-live="polite"></div>`;
}

/** What a replay found: turn by turn, and every difference. `isPageSame` says whether the page shows what the record has. */
export function renderReplayResult(screen: AuctionScreen, replay: AuctionReplay, isPageSame: boolean): Markup {
  const { replay: texts } = textsOf(screen);
  const { differences, turns } = replay;
  const isSame = differences.length === 0;
  return html`<p class="${isSame ? "verdict good" : "verdict bad"}">${isSame ? texts.same(turns.length) : texts.different(differences.length)}</p>
${isPageSame ? EMPTY_MARKUP : html`<p class="verdict bad">${texts.pageDifferent}</p>`}
${isSame ? EMPTY_MARKUP : differencesTable(screen, differences)}
${turns.length > 0 ? turnsTable(screen, turns) : EMPTY_MARKUP}`;
}

function turnsTable(screen: AuctionScreen, turns: readonly ReplayedTurn[]): Markup {
  const { replay: texts } = textsOf(screen);
  return html`<h3 id="replay-turns">${texts.turns}</h3>
<div class="scrolled" role="region" aria-labelledby="replay-turns" tabindex="0">
<table class="replayed" aria-labelledby="replay-turns">
<thead><tr><th scope="col">${texts.verdict}</th><th scope="col">${texts.round}</th><th scope="col">${texts.bidder}</th><th scope="col" class="number">${texts.computed}</th></tr></thead>
<tbody>
${turns.map((turn) => turnRow(screen, turn))}</tbody>
</table>
</div>`;
}

function turnRow(screen: AuctionScreen, turn: ReplayedTurn): Markup {
  const { replay: texts } = textsOf(screen);
  const { isSame, round, start, bidder } = turn;
  const verdict = isSame
    ? html`<span aria-hidden="true">✓ </span>${texts.yes}`
    : html`<span aria-hidden="true">✗ </span>${texts.no}`;
  return html`<tr class="${isSame ? "same" : "differs"}"><td class="whole">${verdict}</td>
<td>${round}, ${clockTime(screen, start)}</td>
<th scope="row">${bidder === undefined ? EMPTY_MARKUP : bidderMarkup(screen, bidder)}</th><td class="number">${turnOutcome(screen, turn)}</td></tr>
`;
}

function turnOutcome(screen: AuctionScreen, { result, isInterrupted }: ReplayedTurn): string {
  const { replay: texts, auction } = textsOf(screen);
  if (isInterrupted) return auction.interruptedTurn;
  if (!result) return texts.nothing;
  return result.isNew ? money(screen, result.amount) : `${money(screen, result.amount)} (${auction.unchanged})`;
}

const DIFFERENCES_SHOWN_MAX = 50;

function differencesTable(screen: AuctionScreen, differences: readonly RecordDifference[]): Markup {
  const { replay: texts } = textsOf(screen);
  const value = (content: unknown): string => (content === undefined ? texts.nothing : JSON.stringify(content));
  return html`<h3 id="replay-differences">${texts.differences}</h3>
<div class="scrolled" role="region" aria-labelledby="replay-differences" tabindex="0">
<table aria-labelledby="replay-differences">
<thead><tr><th scope="col">${texts.part}</th><th scope="col">${texts.recorded}</th><th scope="col">${texts.computed}</th></tr></thead>
<tbody>
${differences
  .slice(0, DIFFERENCES_SHOWN_MAX)
  .map(
    ({ path, recorded, computed }) =>
      html`<tr><th scope="row"><code>${path || "—"}</code></th><td><code>${value(recorded)}</code></td><td><code>${value(computed)}</code></td></tr>\n`,
  )}</tbody>
</table>
</div>`;
}
