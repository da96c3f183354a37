import { formatTable, stripControls } from "./tables.ts";

/** An auction as text: what `auction show` prints. */

/** The API has numbers, the registry has the decimals as they were written. */
type AmountText = string | number;

/** The parts of a public view that are shown. Instants are texts. */
export type AuctionOverview = {
  readonly id: string;
  readonly status: string;
  readonly plannedStart: string;
  readonly nextChange?: string;
  readonly current?: number;
  readonly rules: { readonly currency: string; readonly minimalStep: AmountText };
  readonly stages: readonly {
    readonly kind: string;
    readonly round?: number;
    readonly bidder?: number;
    readonly start: string;
    readonly result?: { readonly amount: AmountText; readonly isNew: boolean };
    readonly isInterrupted?: boolean;
  }[];
  readonly offers: readonly {
    readonly place: number;
    readonly label: string;
    readonly name?: string;
    readonly amount: AmountText;
    readonly initial: { readonly amount: AmountText };
  }[];
  readonly earlierAttempts: number;
};

/** Formats an auction: its state, the table of offers and the timeline. */
export function formatAuction(view: AuctionOverview): string {
  const { id, status, plannedStart, nextChange, rules, offers, stages, earlierAttempts } = view;
  const head = [
    `Auction ${id}`,
    `status  ${status}`,
    `start   ${plannedStart}`,
    `step    ${rules.minimalStep} ${rules.currency}`,
    ...(nextChange === undefined ? [] : [`next    ${nextChange}`]),
    ...(earlierAttempts > 0 ? [`broken off and planned again: ${earlierAttempts}`] : []),
  ];
  const offerRows = offers.map(({ place, label, name, amount, initial }) => [
    ...[String(place), label, String(amount), String(initial.amount)],
    stripControls(name ?? ""),
  ]);
  const stageRows = stages.map((stage, i) => [i === view.current ? ">" : "", stage.start, ...stageCells(stage)]);
  return [
    `${head.join("\n")}\n`,
    ...(offerRows.length > 0 ? [formatTable(["PLACE", "BIDDER", "PRICE", "INITIAL", "NAME"], offerRows)] : []),
    ...(stageRows.length > 0 ? [formatTable(["", "START", "STAGE", "BIDDER", "PRICE"], stageRows)] : []),
  ].join("\n");
}

function stageCells({ kind, round, bidder, result, isInterrupted }: AuctionOverview["stages"][number]): string[] {
  const name = round === undefined ? kind : `${kind} ${kind === "pause" ? "before round" : "in round"} ${round}`;
  const price = isInterrupted ? "interrupted" : result ? `${result.amount}${result.isNew ? " (new)" : ""}` : "";
  return [name, bidder === undefined ? "" : String(bidder), price];
}
