// Draws the phases of the live auction from their table, for docs/procedures.
import { AUCTION_PHASES, PHASES } from "../src/domain/auctions/phases.ts";
import { DEFAULT_AUCTION_SETTINGS } from "../src/domain/auctions/tenderAuctions.ts";
import { decimal, multiplyDecimals } from "../src/domain/values/decimal.ts";
import { MINUTE, SECOND } from "../src/domain/values/time.ts";
import { type Drawing, layOutDrawing, renderSvg, type Transition } from "./stateDiagram.ts";
import { renderMermaid, renderMovesTable } from "./transitionText.ts";

/** All moves of the table. */
export const AUCTION_MOVES: readonly Transition[] = AUCTION_PHASES.flatMap((from) =>
  PHASES[from].moves.map(({ to, why }) => ({ from, to, why })),
);

/** Cancelling is possible from every phase that is not final, so the picture shows it once. */
export function drawAuction(): Drawing {
  const isCancelling = ({ to }: Transition) => to === "cancelled";
  const why = AUCTION_MOVES.find(isCancelling)?.why ?? "";
  const own = AUCTION_MOVES.filter((move) => !isCancelling(move));
  return layOutDrawing(AUCTION_PHASES, own, [{ to: "cancelled", why: `from any phase: ${why}` }]);
}

const minutes = (micros: number): string => `${micros / MINUTE} min`;

function renderStages(): string {
  const { rounds, firstPauseMicros, pauseMicros, turnMicros, preAnnouncementMicros } = DEFAULT_AUCTION_SETTINGS;
  return [
    "| stage | length | |",
    "|---|---|---|",
    `| pause before round 1 | ${minutes(firstPauseMicros)} | everyone sees the initial prices, of "Bidder 1", "Bidder 2" and so on; the worst offer is 1 |`,
    `| rounds 1 to ${rounds} | ${minutes(turnMicros)} for each bidder | one bidder at a time, worst offer first; of equal offers the later one first |`,
    `| pause before each later round | ${minutes(pauseMicros)} | the order of the round is computed when it begins |`,
    `| pre-announcement | ${minutes(preAnnouncementMicros)} | all turns are over |`,
    "| announcement | | results |",
  ].join("\n");
}

function renderAccepts(): string {
  const rows = AUCTION_PHASES.map(
    (phase) => `| \`${phase}\` | \`${PHASES[phase].status}\` | ${PHASES[phase].accepts.join(", ") || "nothing"} |`,
  );
  return ["| phase | status | accepts |", "|---|---|---|", ...rows].join("\n");
}

const { turnLossMicrosMax, interruptionMicrosMax, confirmedDrop } = DEFAULT_AUCTION_SETTINGS;

const PAGE = `# The live auction

Two or more bids on a tender, or on a lot, go into an auction in which prices fall. Each bidder has one turn in each round. In its turn a
bidder may place a new price, change it and take it back. When the turn ends, the last price is published to all at once.

<!-- Drawn from its table in src/domain/auctions/phases.ts by \`npm run diagrams\`; the picture of the site is auction.svg. -->

\`\`\`mermaid
${renderMermaid(AUCTION_PHASES, AUCTION_MOVES)}
\`\`\`

${renderMovesTable(AUCTION_PHASES, AUCTION_MOVES, "phase")}

## Stages

${renderStages()}

A new price is at most your previous price minus \`minimalStep\`, greater than zero, and has at most two decimal places. A price that is
more than ${multiplyDecimals(confirmedDrop, decimal("100"))} % below the previous one must be confirmed. A price that arrives in the microsecond in which the turn ends is late.

If the service could not be reached for more than ${turnLossMicrosMax / SECOND} s of a turn, the same bidder gets the turn again in full, and the price that it had
placed stays placed. If such an interruption was longer than ${minutes(interruptionMicrosMax)}, the auction is planned again, and its prices do not count.

## What each phase accepts

${renderAccepts()}
`;

/** The files of the auction: the text of each by name. */
export const renderAuctionFiles = (): readonly (readonly [name: string, text: string])[] => [
  ["auction.md", PAGE],
  ["auction.svg", renderSvg("The phases of the live auction and the moves between them", drawAuction())],
];
