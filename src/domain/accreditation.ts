import { type Actor, hasLevel, isTestOnly, mayCreate } from "./model/actors.ts";
import type { Refusal } from "./model/refusals.ts";
import { forbidden } from "./model/refusals.ts";
import { refuse } from "./model/result.ts";
import type { Tender } from "./model/tender.ts";
import type { Procedure } from "./procedures/procedure.ts";

type AccreditedObject = Extract<Refusal, { kind: "not accredited" }>["for"];

/** The refusal for a broker that lacks the accreditation level, or whose accreditation covers test tenders only (`mode`). */
export const notAccredited = (object: AccreditedObject, because: "accreditation" | "mode") =>
  refuse<Refusal>({ kind: "not accredited", for: object, because });

/** Why this actor may not take part in the tender with a bid, question or complaint, if it may not. */
export function participationRefusal(procedure: Procedure, actor: Actor, object: AccreditedObject, tender: Tender) {
  return mayCreate(actor) ? accreditationRefusal(procedure, actor, object, tender) : forbidden();
}

/**
 * Why the accreditation of this broker does not permit to take part, if it does not: it needs a level that the procedure asks for,
 * and brokers accredited for tests only may take part in test tenders.
 */
export function accreditationRefusal(
  { accreditation }: Procedure,
  actor: Actor,
  object: AccreditedObject,
  tender: Tender,
) {
  if (!hasLevel(actor, accreditation.participate)) return notAccredited(object, "accreditation");
  return isTestOnly(actor) && tender.mode !== "test" ? notAccredited(object, "mode") : undefined;
}
