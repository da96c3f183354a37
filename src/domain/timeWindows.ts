import type { TimeWindow } from "./model/refusals.ts";
import type { Tender, TenderStatus } from "./model/tender.ts";
import { acceptingStages, accepts, isFinal, type Procedure, type TenderAction } from "./procedures/procedure.ts";
import { canFollow } from "./procedures/statusGraph.ts";
import type { Instant } from "./values/time.ts";

/**
 * When the procedure accepts the action, derived from its table and the tender's public periods. `limits` narrows the result.
 * Returns `undefined` if time does not decide, or if the action will never be accepted again.
 */
export function actionWindow(
  procedure: Procedure,
  tender: Tender,
  action: TenderAction,
  limits: TimeWindow = {},
): TimeWindow | undefined {
  const accepting = acceptingStages(procedure, action);
  // A draft waits for its owner, not for a point in time.
  const timed = accepting.filter(({ status }) => status !== "draft");
  if (timed.length === 0 || tender.status === "draft") return undefined;
  const windows = timed.flatMap(({ stage }) => (stage.window ? (stage.window(tender) ?? []) : {}));
  if (windows.length === 0) return undefined;
  const planned = limits.until ?? latestEnd(windows);
  // A stage that ran twice has known times only for its second run.
  const resumed = accepting.length === 1 ? accepting[0]?.stage.resumedAt?.(tender) : undefined;
  const resumedAt = resumed !== undefined && resumed < (planned ?? tender.date) ? resumed : undefined;
  const start = timed.length < accepting.length ? undefined : earliestStart(windows);
  const from = limits.from ?? resumedAt ?? start;
  // A tender that was cancelled or moved on by hand left the stages at that time, not as planned.
  const isOver = timed.every(({ status }) => hasLeft(procedure, tender.status, status));
  const until = isOver ? Math.min(planned ?? tender.date, tender.date) : planned;
  const isEmpty = from === undefined ? until === undefined : until !== undefined && from > until;
  return isEmpty ? undefined : { from, until };
}

/** The earliest start that is known. */
function earliestStart(windows: readonly TimeWindow[]): Instant | undefined {
  const starts = windows.flatMap(({ from }) => from ?? []);
  return starts.length > 0 ? Math.min(...starts) : undefined;
}

/** The latest end, or `undefined` if any of the stages has none that is known. */
function latestEnd(windows: readonly TimeWindow[]): Instant | undefined {
  const latest = Math.max(...windows.map(({ until }) => until ?? Number.POSITIVE_INFINITY));
  return Number.isFinite(latest) ? latest : undefined;
}

/** Whether a tender that is now in the status `current` has the other one behind it. */
const hasLeft = (procedure: Procedure, current: TenderStatus, left: TenderStatus): boolean =>
  current !== left && canFollow(procedure, current, left);

/** The window of actions that are allowed until the tender ends: known once it has ended. */
export const endedWindow = (tender: Tender): TimeWindow | undefined =>
  isFinal(tender) ? { until: tender.date } : undefined;

/** As `actionWindow`, for an action that is no longer possible because its lot has ended. */
export function lotActionWindow(
  procedure: Procedure,
  tender: Tender,
  action: TenderAction,
  lotID: string | undefined,
  { from, until }: TimeWindow = {},
): TimeWindow | undefined {
  const ended = tender.lots.find(({ id }) => id === lotID)?.date;
  if (ended === undefined) return undefined;
  const limits = { from, until: Math.min(ended, until ?? ended) };
  // A draft has no periods, so only the lot limits what it accepts.
  const isOfDraft = tender.status === "draft" && accepts(procedure, tender, action);
  return isOfDraft ? limits : actionWindow(procedure, tender, action, limits);
}
