import type { Decimal } from "../values/decimal.ts";
import type { Instant } from "../values/time.ts";
import { type Result, refuse } from "./result.ts";
import type { ProblemRule, RefusalRule } from "./rules.ts";

/** The path to a field: names of properties and indexes of list elements. */
export type Path = readonly (string | number)[];

/** When an action is allowed: at `from` and later, and before `until`. An end that is not known is absent. */
export type TimeWindow = { readonly from?: Instant; readonly until?: Instant };

/** A field that is wrong, and why. */
export type Problem = {
  readonly path: Path;
  readonly message: string;
  readonly rule: ProblemRule;
  /** "shape": the value has the wrong type; "field": it breaks a rule of its own; "cross": it conflicts with other fields. */
  readonly phase: "shape" | "field" | "cross";
  /** When the value would be accepted, if time decides. */
  readonly window?: TimeWindow;
  /** The highest amount that would be accepted, if one is too high. */
  readonly highestAllowed?: Decimal;
  /** The response describes the problem by a string instead of a list of strings. */
  readonly isBareText?: true;
  /** The path uses the names of the wire version, not those of the model. */
  readonly hasWirePath?: true;
};

/** The kinds of objects that a refusal can name. */
export type ObjectName =
  | "tender"
  | "document"
  | "question"
  | "bid"
  | "award"
  | "lot"
  | "contract"
  | "complaint"
  | "cancellation"
  | "auction";

/** Why a command or read is refused. It has no HTTP status: the API maps each kind to a response. */
export type Refusal =
  | { readonly kind: "not found"; readonly objectName: ObjectName }
  /** The object may exist or not; the caller must not learn which. */
  | { readonly kind: "hidden"; readonly objectName: ObjectName }
  | { readonly kind: "forbidden" }
  | { readonly kind: "wrong role"; readonly window?: TimeWindow }
  | { readonly kind: "not the author" }
  | {
      readonly kind: "not accredited";
      readonly for: "tender" | "bid" | "question" | "complaint";
      readonly because: "accreditation" | "mode";
    }
  | { readonly kind: "unknown procedure" }
  | { readonly kind: "invalid"; readonly problems: readonly Problem[] }
  | {
      readonly kind: "wrong status";
      readonly action: string;
      readonly of: "tender" | "complaint" | "award" | "itself";
      readonly status: string;
      readonly window?: TimeWindow;
    }
  | ({ readonly kind: "rule"; readonly rule: RefusalRule; readonly message: string } & RefusalDetails);

/** Optional details: the name that the error entry has in the response ("data" if absent), and when the action is allowed. */
type RefusalDetails = { readonly name?: string; readonly window?: TimeWindow };

/** What functions of the domain return that may refuse. */
export type DomainResult<Value> = Result<Value, Refusal>;

/** Checks of a list stop after this many problems, so that a body full of mistakes costs no more than a correct one. */
export const PROBLEMS_MAX = 1000;

/** A problem of the field at `path`; by default one of the field alone. */
export const problem = (
  path: Path,
  message: string,
  rule: ProblemRule,
  phase: Problem["phase"] = "field",
): Problem => ({ path, message, rule, phase });

/** The actor may not do this at all. */
export const forbidden = () => refuse<Refusal>({ kind: "forbidden" });
/** The object may exist or not; the caller must not learn which. */
export const hidden = (objectName: ObjectName) => refuse<Refusal>({ kind: "hidden", objectName });
/** The actor's role may not change the object in its current status. */
export const wrongRole = (window?: TimeWindow) => refuse<Refusal>({ kind: "wrong role", ...(window && { window }) });
/** The object that the request names does not exist. */
export const notFound = (objectName: ObjectName) => refuse<Refusal>({ kind: "not found", objectName });
/** The command breaks a rule of `REFUSALS`. The protocol prescribes most of the messages. */
export const ruleRefusal = (id: RefusalRule, message: string, details: RefusalDetails = {}) =>
  refuse<Extract<Refusal, { kind: "rule" }>>({ kind: "rule", rule: id, message, ...details });
/** The refusal of a command that breaks a rule of `REFUSALS`, as a result. */
export type RuleRefusal = ReturnType<typeof ruleRefusal>;

/**
 * The status does not allow the action. `action` completes "Can't …", such as "add bid"; `of` says whose status it is: that of the
 * tender, of the complaint, of the award, or of the object that is to be changed itself.
 */
export const wrongStatus = (
  action: string,
  of: "tender" | "complaint" | "award" | "itself",
  { status }: { readonly status: string },
  window?: TimeWindow,
) => refuse<Extract<Refusal, { kind: "wrong status" }>>({ kind: "wrong status", action, of, status, window });

/** Refuses if there is any problem. Problems of parsing and of the rules are reported together, so that clients see every wrong field. */
export function invalidInput(readProblems: readonly Problem[], ruleProblems: readonly Problem[]) {
  const problems = [...readProblems, ...ruleProblems];
  return problems.length > 0 ? refuse<Refusal>({ kind: "invalid", problems }) : undefined;
}
