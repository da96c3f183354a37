import { isPlainObject } from "../values/merge.ts";
import { advanceAuction } from "./advance.ts";
import { commandProblem, decideAuction, openAuction } from "./decideAuction.ts";
import type { AuctionState, AuctionTurn } from "./model.ts";
import { readSource } from "./readSource.ts";
import { type AuctionSource, recordOf, recordText } from "./record.ts";

/** Computes an auction again from its record and compares. Runs in browsers too: it needs no platform. */

/** A part of a record that is not what the replay computes. `path` is such as `outcome.stages[3].result.amount`. */
export type RecordDifference = { readonly path: string; readonly recorded?: unknown; readonly computed?: unknown };

/** A turn as the replay computes it; `isSame` says whether the record has the same. */
export type ReplayedTurn = AuctionTurn & { readonly isSame: boolean };

/** The result of a replay: the record is genuine if there are no differences. */
export type AuctionReplay = {
  readonly differences: readonly RecordDifference[];
  readonly turns: readonly ReplayedTurn[];
};

const DIFFERENCES_MAX = 1000;

/** Replays a record file. A file that differs in any byte from what the service publishes has a difference. */
export function replayText(text: string): AuctionReplay {
  let record: unknown;
  try {
    record = JSON.parse(text);
  } catch (error) {
    return failure("", error instanceof Error ? error.message : String(error));
  }
  const computed = computeRecord(record);
  if ("failed" in computed) return computed.failed;
  const replayed = compareRecords(record, computed.state);
  // Spaces, the order of keys and repeated keys are no part of the values.
  return replayed.differences.length > 0 || text === recordText(recordOf(computed.state))
    ? replayed
    : failure("", "The values are right, but the text is not as it was published", replayed.turns);
}

/** Replays a record: computes the auction from its rules and inputs, and lists what the record has otherwise. */
export function replay(record: unknown): AuctionReplay {
  const computed = computeRecord(record);
  return "failed" in computed ? computed.failed : compareRecords(record, computed.state);
}

const failure = (path: string, recorded: unknown, turns: readonly ReplayedTurn[] = []): AuctionReplay => ({
  differences: [{ path, recorded }],
  turns,
});

/** The final state of the auction in a record, or why it cannot be computed. */
function computeRecord(record: unknown): { readonly state: AuctionState } | { readonly failed: AuctionReplay } {
  const source = readSource(record);
  if ("invalid" in source) return { failed: failure(source.invalid, "This part is not valid") };
  return runSource(source);
}

function runSource({ id, rules, inputs, until }: AuctionSource) {
  const [first, ...others] = inputs;
  if (first?.command.kind !== "plan") return { failed: failure("inputs[0]", "A record begins with the plan") };
  let state = openAuction(id, rules, first.command.start, first.at);
  for (const [i, { at, command }] of others.entries()) {
    const mistake = commandProblem(state, command, at);
    if (mistake) return { failed: failure(`inputs[${i + 1}]`, `This input cannot be: ${mistake}`) };
    state = decideAuction(state, command, at).state;
  }
  return { state: advanceAuction(state, until) };
}

function compareRecords(record: unknown, state: AuctionState): AuctionReplay {
  const differences: RecordDifference[] = [];
  compare(record, recordOf(state), "", differences);
  const turns = state.stages.flatMap((stage, i): ReplayedTurn[] => {
    const path = `outcome.stages[${i}]`;
    const isSame = !differences.some((difference) => isWithin(path, difference.path));
    return stage.kind === "turn" ? [{ ...stage, isSame }] : [];
  });
  return { differences, turns };
}

/** Whether the second path is the first one or a part of it, or the other way round. */
const isWithin = (path: string, other: string): boolean =>
  other === path || other.startsWith(path + ".") || path.startsWith(other + "[") || path.startsWith(other + ".");

/** Compares two JSON values, and adds the smallest parts in which they differ. */
function compare(recorded: unknown, computed: unknown, path: string, differences: RecordDifference[]): void {
  if (differences.length >= DIFFERENCES_MAX || Object.is(recorded, computed)) return;
  if (Array.isArray(recorded) && Array.isArray(computed)) {
    const length = Math.max(recorded.length, computed.length);
    for (let i = 0; i < length; i++) compare(recorded[i], computed[i], `${path}[${i}]`, differences);
  } else if (isPlainObject(recorded) && isPlainObject(computed)) {
    for (const name of new Set([...Object.keys(recorded), ...Object.keys(computed)]))
      compare(recorded[name], computed[name], path === "" ? name : `${path}.${name}`, differences);
  } else differences.push({ path, recorded, computed });
}
