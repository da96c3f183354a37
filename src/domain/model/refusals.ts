import type { Instant } from "../values/time.ts";
import { type Result, refuse } from "./result.ts";
import type { ProblemRule, RefusalRule } from "./rules.ts";

export type Path = readonly (string | number)[];

/** When something is allowed: from the first moment on, and before the second. An end that nobody knows is not there. */
export type TimeWindow = { readonly from?: Instant; readonly until?: Instant };

/** Something wrong with one field. Shape: it is not what its type asks for. Field: its own rule is broken. Cross: it does not fit the other fields. */
export type Problem = {
  readonly path: Path;
  readonly message: string;
  readonly rule: ProblemRule;
  readonly phase: "shape" | "field" | "cross";
  readonly window?: TimeWindow;
  /** Described by its text alone, where others are in a list of texts. */
  readonly isBareText?: true;
  /** The path is in the client's own words, not in those of the model. */
  readonly hasWirePath?: true;
};

export type ObjectName =
  | "tender"
  | "document"
  | "question"
  | "bid"
  | "award"
  | "lot"
  | "contract"
  | "complaint"
  | "cancellation";

/** Why something is not done. No numbers of any protocol: who speaks to clients turns each kind into an answer. */
export type Refusal =
  | { readonly kind: "not found"; readonly objectName: ObjectName }
  /** It may be there or not: whoever asks is not to know. */
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
      readonly of: "tender" | "complaint" | "itself";
      readonly status: string;
      readonly window?: TimeWindow;
    }
  | ({ readonly kind: "rule"; readonly rule: RefusalRule; readonly message: string } & RefusalDetails);

/** What a refusal says besides: of which part it is, and when it would not be one. */
type RefusalDetails = { readonly name?: string; readonly window?: TimeWindow };

export type DomainResult<Value> = Result<Value, Refusal>;

/** More than anybody could mend at once. Checks stop there: a body full of mistakes must not cost more than one without. */
export const PROBLEMS_MAX = 1000;

export const problem = (
  path: Path,
  message: string,
  rule: ProblemRule,
  phase: Problem["phase"] = "field",
): Problem => ({ path, message, rule, phase });

export const forbidden = () => refuse<Refusal>({ kind: "forbidden" });
export const hidden = (objectName: ObjectName) => refuse<Refusal>({ kind: "hidden", objectName });
export const wrongRole = (window?: TimeWindow) => refuse<Refusal>({ kind: "wrong role", ...(window && { window }) });
export const notFound = (objectName: ObjectName) => refuse<Refusal>({ kind: "not found", objectName });
export const ruleRefusal = (id: RefusalRule, message: string, details: RefusalDetails = {}) =>
  refuse<Extract<Refusal, { kind: "rule" }>>({ kind: "rule", rule: id, message, ...details });

/** `doing` reads after "Can't": "add bid" in the status of its tender, "update tender" in the status of the tender itself. */
export const wrongStatus = (
  action: string,
  of: "tender" | "complaint" | "itself",
  { status }: { readonly status: string },
  window?: TimeWindow,
) => refuse<Extract<Refusal, { kind: "wrong status" }>>({ kind: "wrong status", action, of, status, window });

/** Both what could not be read and what is wrong with the rest: every wrong field is told at once. */
export function invalidInput(readProblems: readonly Problem[], ruleProblems: readonly Problem[]) {
  const problems = [...readProblems, ...ruleProblems];
  return problems.length > 0 ? refuse<Refusal>({ kind: "invalid", problems }) : undefined;
}
