import type { Dialect } from "../dialects/dialects.ts";
import { nestedErrors } from "../dialects/nestedErrors.ts";
import type { ShapeName } from "../dialects/newestShapes.ts";
import type { Problem, Refusal } from "../domain/model/refusals.ts";
import { FORBIDDEN, NOT_FOUND } from "./errorResponses.ts";
import { ERRORS_MAX, type ErrorEntry, errorResponse, type HttpResponse, singleErrorResponse } from "./responses.ts";

const ACCREDITATION_RULES = { accreditation: "accreditation-level", mode: "test-mode-only" } as const;

/**
 * Turns a refusal of the domain into a response. The domain knows no status codes, so this is the only place that chooses them.
 * `shape` and `dialect` decide how fields are named in error entries.
 */
export function refusalResponse(refusal: Refusal, dialect: Dialect, shape: ShapeName): HttpResponse {
  switch (refusal.kind) {
    case "not found":
      return NOT_FOUND(`${refusal.objectName}_id`);
    case "forbidden":
      return FORBIDDEN;
    case "wrong role":
      return singleErrorResponse(403, "url", "role", "Forbidden", "wrong-role", { window: refusal.window });
    case "not the author":
      return singleErrorResponse(403, "url", "role", "Can update document only author", "not-the-author");
    case "not accredited": {
      const text = `Broker Accreditation level does not permit ${refusal.for} creation`;
      return singleErrorResponse(403, "url", refusal.because, text, ACCREDITATION_RULES[refusal.because]);
    }
    case "unknown procedure":
      return singleErrorResponse(415, "body", "procurementMethodType", "Not implemented", "unknown-procedure");
    case "invalid":
      return errorResponse(422, errorEntriesOf(refusal.problems, dialect, shape));
    case "hidden":
      return dialect.behaviour.hidden === "absent" ? NOT_FOUND(`${refusal.objectName}_id`) : FORBIDDEN;
    case "wrong status": {
      const { action, of, status, window } = refusal;
      const statusPhrase = of === "itself" ? "status" : `${of} status`;
      const text = `Can't ${action} in current (${dialect.statusName(status)}) ${statusPhrase}`;
      return singleErrorResponse(403, "body", "data", text, "wrong-status", { window });
    }
    case "rule":
      return singleErrorResponse(403, "body", refusal.name ?? "data", refusal.message, refusal.rule, {
        window: refusal.window,
      });
  }
}

function errorEntriesOf(problems: readonly Problem[], dialect: Dialect, shape: ShapeName): readonly ErrorEntry[] {
  const namedProblems = dialect.renameProblems(shape, problems).slice(0, ERRORS_MAX);
  if (dialect.behaviour.errors === "nested")
    return nestedErrors(namedProblems).map((nestedError) => ({ location: "body", ...nestedError }));
  return namedProblems.map(({ path, message, rule, window }) => ({
    location: "body",
    name: path.join(".") || "data",
    description: message,
    rule,
    ...(window && { window }),
  }));
}
