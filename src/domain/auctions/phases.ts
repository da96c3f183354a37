import type { AuctionCommand, AuctionState, AuctionStatus } from "./model.ts";

/** The phases of an auction as a table: what each accepts, and where it leads. Guards, diagram and property tests are derived from it. */

export const AUCTION_PHASES = [
  "planned",
  "pause",
  "turn",
  "pre-announcement",
  "announcement",
  "interrupted",
  "cancelled",
] as const;
export type AuctionPhase = (typeof AUCTION_PHASES)[number];

/** What an auction accepts in one phase, and the phases that may follow. */
export type AuctionPhaseRules = {
  readonly status: AuctionStatus;
  readonly accepts: readonly AuctionCommand["kind"][];
  readonly moves: readonly { readonly to: AuctionPhase; readonly why: string }[];
};

const CANCELLED = { to: "cancelled", why: "the tender or lot is cancelled" } as const;
const INTERRUPTED = { to: "interrupted", why: "a long interruption takes a turn" } as const;
const DISCARDED = { to: "planned", why: "operator: plan again" } as const;

export const PHASES: { readonly [Phase in AuctionPhase]: AuctionPhaseRules } = {
  planned: {
    status: "planned",
    accepts: ["plan", "begin", "report interruption", "cancel"],
    moves: [{ to: "pause", why: "the planned start" }, CANCELLED],
  },
  pause: {
    status: "running",
    accepts: ["plan", "report interruption", "cancel"],
    moves: [{ to: "turn", why: "the pause ends" }, DISCARDED, CANCELLED],
  },
  turn: {
    status: "running",
    accepts: ["place price", "take back price", "plan", "report interruption", "cancel"],
    moves: [
      { to: "turn", why: "the turn ends, or is given again" },
      { to: "pause", why: "the last turn of a round ends" },
      { to: "pre-announcement", why: "the last turn of all ends" },
      INTERRUPTED,
      DISCARDED,
      CANCELLED,
    ],
  },
  "pre-announcement": {
    status: "running",
    accepts: ["plan", "report interruption", "cancel"],
    moves: [{ to: "announcement", why: "the pre-announcement ends" }, DISCARDED, CANCELLED],
  },
  announcement: { status: "ended", accepts: ["disclose names"], moves: [] },
  interrupted: {
    status: "interrupted",
    accepts: ["plan", "cancel"],
    moves: [{ to: "planned", why: "the auction is planned again" }, CANCELLED],
  },
  cancelled: { status: "cancelled", accepts: [], moves: [] },
};

/** The phase of the auction: its status, or the kind of the stage that runs. */
export function phaseOf({
  status,
  stages,
  current,
}: Pick<AuctionState, "status" | "stages" | "current">): AuctionPhase {
  switch (status) {
    case "running":
      return (current === undefined ? undefined : stages[current])?.kind ?? "planned";
    case "ended":
      return "announcement";
    default:
      return status;
  }
}

/** Whether the auction will not change any more, except that names become public. */
export const isOver = ({ status }: Pick<AuctionState, "status">): boolean =>
  status === "ended" || status === "cancelled";

/** Whether the auction accepts commands of this kind now. */
export const acceptsCommand = (state: AuctionState, kind: AuctionCommand["kind"]): boolean =>
  PHASES[phaseOf(state)].accepts.includes(kind);
