import type { Decimal } from "../../domain/values/decimal.ts";
import type { Messages } from "../layout/messages/uk.ts";
import { shortText } from "../layout/shortText.ts";
import { EMPTY_MARKUP, html, type Markup } from "../markup.ts";

/** The prices of bids before and after an auction, drawn as lines that lead from one to the other. */

/** A bid of the chart. */
export type ChartedPrice = {
  readonly name: string;
  readonly before: Decimal;
  readonly after: Decimal;
  readonly beforeText: string;
  readonly afterText: string;
};

const WIDTH = 440;
const ROW_HEIGHT = 52;
const HEAD_HEIGHT = 28;
/** Room for a label at both ends. */
const MARGIN = 120;
const BIDS_MAX = 12;
const NAME_LENGTH_MAX = 50;

/** The chart; nothing without prices. It has the same numbers as the table above it, best offer first. */
export function renderPriceChart(
  prices: readonly ChartedPrice[],
  { id, texts }: { readonly id: string; readonly texts: Messages["tender"]["bids"] },
): Markup {
  const shown = prices.slice(0, BIDS_MAX);
  if (shown.length === 0) return EMPTY_MARKUP;
  const amounts = shown.flatMap(({ before, after }) => [Number(before), Number(after)]);
  const [lowest, highest] = [Math.min(...amounts), Math.max(...amounts)];
  const span = highest - lowest || 1;
  const positionOf = (amount: Decimal): number =>
    Math.round(MARGIN + ((Number(amount) - lowest) / span) * (WIDTH - 2 * MARGIN));
  const height = HEAD_HEIGHT + shown.length * ROW_HEIGHT;
  const rows = shown.map((price, i) => priceRow(price, HEAD_HEIGHT + i * ROW_HEIGHT, positionOf));
  return html`<figure class="price-chart">
<svg class="chart" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-labelledby="${id}-title ${id}-text">
<title id="${id}-title">${texts.chart}</title>
<desc id="${id}-text">${texts.chartDescription(shown.length)}</desc>
<circle class="price-before" cx="8" cy="12" r="6"/><text x="20" y="17" font-size="14">${texts.legendBefore}</text>
<circle class="price-after" cx="${WIDTH / 2}" cy="12" r="6"/><text x="${WIDTH / 2 + 12}" y="17" font-size="14">${texts.legendAfter}</text>
${rows}</svg>
<figcaption>${texts.chart}</figcaption>
</figure>
`;
}

function priceRow(price: ChartedPrice, top: number, positionOf: (amount: Decimal) => number): Markup {
  const [from, to] = [positionOf(price.before), positionOf(price.after)];
  const y = top + 26;
  const isSame = from === to;
  // The labels stand on both sides of the line, so that they never overlap: the price after the auction is the lower one, on the left.
  const beforeLabel = isSame
    ? EMPTY_MARKUP
    : html`<text class="price-label" x="${from}" y="${y + 20}" font-size="13" text-anchor="start">${price.beforeText}</text>`;
  return html`<text x="0" y="${top + 12}" font-size="14">${shortText(price.name, NAME_LENGTH_MAX)}</text>
<line class="price-line" x1="${from}" y1="${y}" x2="${to}" y2="${y}"/>
<circle class="price-before" cx="${from}" cy="${y}" r="6"/>${beforeLabel}
<circle class="price-after" cx="${to}" cy="${y}" r="6"/><text class="price-label" x="${to}" y="${y + 20}" font-size="13" text-anchor="${isSame ? "middle" : "end"}">${price.afterText}</text>
`;
}
