import assert from "node:assert/strict";
import fc from "fast-check";
import { openDialects } from "../../src/dialects/dialects.ts";
import { decide, decideByTime } from "../../src/domain/decide.ts";
import type { Actor } from "../../src/domain/model/actors.ts";
import type { CommandContext, TenderCommand } from "../../src/domain/model/commands.ts";
import type { Refusal } from "../../src/domain/model/refusals.ts";
import type { Tender } from "../../src/domain/model/tender.ts";
import { PROCEDURES } from "../../src/domain/procedures/index.ts";
import { PROCEDURE_NAMES, type ProcedureName } from "../../src/domain/procedures/names.ts";
import { acceptingStages, TENDER_ACTIONS, type TenderAction } from "../../src/domain/procedures/procedure.ts";
import { publish } from "../../src/domain/tender/publishing.ts";
import { openZone } from "../../src/domain/values/time.ts";
import { completeTender, lotsMaxOf } from "./completeTenders.ts";
import { sent } from "./domainCommands.ts";
import { DAY } from "./examples.ts";
import { type ChosenCommand, MOVES, WALK_OWNER } from "./walkMoves.ts";
import { START } from "./world.ts";

// Random walks through every procedure, with and without lots, while time jumps. The moves are those that its file accepts.

export const zone = openZone("Europe/Kyiv");
export const dialects = openDialects({ zone, sandbox: true, textBytesMax: 65536, listMax: 1000 });

/** A step of a walk: the time to pass in microseconds, and the move, if there is one; `pick` makes its random choices. */
export type Step = { readonly forward: number; readonly action?: TenderAction; readonly pick?: number };

/** A tender as it is published, and what happens to it. */
export type Walk = {
  readonly procedure: ProcedureName;
  readonly lots: number;
  readonly isDraft?: boolean;
  readonly steps: readonly Step[];
};

/** A command with a file that is in the file store under a key of its own, as after an upload. */
const withFileKey = (command: TenderCommand, key: () => string): TenderCommand =>
  "file" in command ? { ...command, file: { ...command.file, key: key() } } : command;

/** The actions that the procedure accepts in some status. */
const actionsOf = (procedure: ProcedureName): readonly TenderAction[] =>
  TENDER_ACTIONS.filter((action) => acceptingStages(PROCEDURES[procedure], action).length > 0);

/** The arbitrary walks of a procedure, in which each accepted action is as frequent as `weightOf` says. */
const walksWith =
  (weightOf: (action: TenderAction, procedure: ProcedureName) => number) =>
  (procedure: ProcedureName): fc.Arbitrary<Walk> => {
    const actions = actionsOf(procedure).map((action) => ({
      weight: weightOf(action, procedure),
      arbitrary: fc.constant(action),
    }));
    const step = fc.record({
      forward: fc.oneof(
        { weight: 6, arbitrary: fc.constant(0) },
        { weight: 3, arbitrary: fc.constantFrom(DAY, 4 * DAY, 7 * DAY) },
      ),
      action: fc.oneof(...actions),
      pick: fc.nat(0xffff),
    });
    return fc.record({
      procedure: fc.constant(procedure),
      lots: fc.constantFrom(0, ...Array.from({ length: lotsMaxOf(procedure) + 1 }, (_, i) => i)),
      isDraft: fc.constantFrom(false, false, false, false, false, false, false, true),
      steps: fc.array(step, { minLength: 20, maxLength: 60, size: "max" }),
    });
  };

const usualWeight = (action: TenderAction, procedure: ProcedureName) => MOVES[action].weight(PROCEDURES[procedure]);

/** Walks of a procedure with commands that usually succeed. */
export const walksOf = walksWith(usualWeight);
/** Walks of a procedure with every command that it accepts in some status, often too early or too late. */
export const widerWalksOf = walksWith((action, procedure) => 20 + usualWeight(action, procedure));

const actionCount = ({ stages }: (typeof PROCEDURES)[ProcedureName]): number =>
  Object.values(stages).reduce((sum, stage) => sum + stage.accepts.length, 0);

/** Shares a number of runs among all procedures: the more one accepts in its statuses, the more runs it gets. */
export function shareRuns(numRuns: number): readonly { readonly procedure: ProcedureName; readonly numRuns: number }[] {
  const total = PROCEDURE_NAMES.reduce((sum, procedure) => sum + actionCount(PROCEDURES[procedure]), 0);
  return PROCEDURE_NAMES.map((procedure) => ({
    procedure,
    numRuns: Math.ceil((numRuns * actionCount(PROCEDURES[procedure])) / total),
  }));
}

/** Called after each step with the tender before and after it, and the command that was sent, if any. */
export type StepObserver = (before: Tender, after: Tender, at: number, act?: ChosenCommand) => void;

/** Called for each refused command. */
export type RefusalObserver = (refusal: Refusal, act: ChosenCommand, at: number) => void;

/** Publishes a tender and carries out the steps. */
export function walk(
  { procedure, lots, isDraft = false, steps }: Walk,
  observe: StepObserver,
  onRefusal: RefusalObserver = () => {},
): void {
  let number = 0;
  let at = START;
  const newId = () => (++number).toString(16).padStart(32, "0");
  const contextOf = (actor: Actor): CommandContext => ({
    actor,
    at,
    zone,
    sandbox: true,
    newId,
    newTokenHash: `${actor.account?.name} token`,
  });
  const fields = { ...completeTender(procedure, lots), ...(isDraft && { status: "draft" as const }) };
  const published = publish({ procedure, sent: sent(fields) }, contextOf(WALK_OWNER), () => 1);
  assert.ok(published.ok, JSON.stringify(published));
  let tender = published.value;
  for (const { forward, action, pick = 0 } of steps) {
    at += forward + 1;
    const act = action && MOVES[action].choose(tender, pick);
    const decided = act && decide(tender, withFileKey(act.command, newId), contextOf(act.actor));
    if (decided && !decided.ok) onRefusal(decided.refused, act, at);
    const next = decided?.ok ? decided.value.tender : decideByTime(tender, contextOf({}));
    observe(tender, next, at, act);
    tender = next;
  }
}
