import { type Actor, hasLevel, isTestOnly, mayCreate } from "./model/actors.ts";
import type { Refusal } from "./model/refusals.ts";
import { forbidden } from "./model/refusals.ts";
import { refuse } from "./model/result.ts";
import type { Tender } from "./model/tender.ts";

type AccreditedObject = Extract<Refusal, { kind: "not accredited" }>["for"];

export const notAccredited = (object: AccreditedObject, because: "accreditation" | "mode") =>
  refuse<Refusal>({ kind: "not accredited", for: object, because });

/** Whoever takes part in somebody's tender needs level 2, and a broker that is only testing takes part in tests only. */
export function participationRefusal(actor: Actor, object: AccreditedObject, tender: Tender) {
  if (!mayCreate(actor)) return forbidden();
  if (!hasLevel(actor, "2")) return notAccredited(object, "accreditation");
  return isTestOnly(actor) && tender.mode !== "test" ? notAccredited(object, "mode") : undefined;
}
