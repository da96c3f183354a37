import { no, type Result } from "./result.ts";
import type { ProblemRule, RefusalRule } from "./rules.ts";
import type { Instant } from "./time.ts";

export type Path = readonly (string | number)[];

/** When something is allowed: from the first moment on, and before the second. An end that nobody knows is not there. */
export type Window = { readonly from?: Instant; readonly until?: Instant };

/** Something wrong with one field. Shape: it is not what its type asks for. Field: its own rule is broken. Cross: it does not fit the other fields. */
export type Problem = {
  readonly path: Path;
  readonly message: string;
  readonly rule: ProblemRule;
  readonly phase: "shape" | "field" | "cross";
  readonly window?: Window;
  /** Described by its text alone, where others are in a list of texts. */
  readonly isPlain?: true;
  /** The path is in the client's own words, not in those of the model. */
  readonly asSent?: true;
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
  | { readonly kind: "not found"; readonly what: ObjectName }
  /** It may be there or not: whoever asks is not to know. */
  | { readonly kind: "hidden"; readonly what: ObjectName }
  | { readonly kind: "forbidden" }
  | { readonly kind: "wrong role"; readonly window?: Window }
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
      readonly doing: string;
      readonly of: "tender" | "complaint" | "itself";
      readonly status: string;
      readonly window?: Window;
    }
  | ({ readonly kind: "rule"; readonly rule: RefusalRule; readonly message: string } & Told);

/** What a refusal says besides: of which part it is, and when it would not be one. */
type Told = { readonly name?: string; readonly window?: Window };

export type Decided<Value> = Result<Value, Refusal>;

/** More than anybody could mend at once. Checks stop there: a body full of mistakes must not cost more than one without. */
export const PROBLEMS_MAX = 1000;

export const problem = (
  path: Path,
  message: string,
  rule: ProblemRule,
  phase: Problem["phase"] = "field",
): Problem => ({ path, message, rule, phase });

export const forbidden = () => no<Refusal>({ kind: "forbidden" });
export const hidden = (what: ObjectName) => no<Refusal>({ kind: "hidden", what });
export const wrongRole = (window?: Window) => no<Refusal>({ kind: "wrong role", ...(window && { window }) });
export const notFound = (what: ObjectName) => no<Refusal>({ kind: "not found", what });
export const rule = (id: RefusalRule, message: string, told: Told = {}) =>
  no<Extract<Refusal, { kind: "rule" }>>({ kind: "rule", rule: id, message, ...told });

/** `doing` reads after "Can't": "add bid" in the status of its tender, "update tender" in the status of the tender itself. */
export const wrongStatus = (
  doing: string,
  of: "tender" | "complaint" | "itself",
  { status }: { readonly status: string },
  window?: Window,
) => no<Extract<Refusal, { kind: "wrong status" }>>({ kind: "wrong status", doing, of, status, window });

/** Both what could not be read and what is wrong with the rest: every wrong field is told at once. */
export function invalid(read: readonly Problem[], checked: readonly Problem[]) {
  const problems = [...read, ...checked];
  return problems.length > 0 ? no<Refusal>({ kind: "invalid", problems }) : undefined;
}
