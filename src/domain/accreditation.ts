import { type Actor, hasLevel, isTestOnly, mayCreate } from "./model/actors.ts";
import type { Refusal } from "./model/refusals.ts";
import { forbidden } from "./model/refusals.ts";
import { refuse } from "./model/result.ts";
import type { Tender } from "./model/tender.ts";

type AccreditedObject = Extract<Refusal, { kind: "not accredited" }>["for"];

/** The refusal for a broker that lacks the accreditation level, or whose accreditation covers test tenders only (`mode`). */
export const notAccredited = (object: AccreditedObject, because: "accreditation" | "mode") =>
  refuse<Refusal>({ kind: "not accredited", for: object, because });

/**
 * Why this actor may not take part in the tender with a bid, question or complaint, if it may not. Participation needs
 * accreditation level 2; brokers accredited for tests only may take part in test tenders.
 */
export function participationRefusal(actor: Actor, object: AccreditedObject, tender: Tender) {
  if (!mayCreate(actor)) return forbidden();
  if (!hasLevel(actor, "2")) return notAccredited(object, "accreditation");
  return isTestOnly(actor) && tender.mode !== "test" ? notAccredited(object, "mode") : undefined;
}
