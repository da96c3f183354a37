import { type Actor, hasLevel, isTestOnly, mayCreate } from "./actors.ts";
import type { Refusal } from "./refusals.ts";
import { forbidden } from "./refusals.ts";
import { no } from "./result.ts";
import type { Tender } from "./tender.ts";

type Created = Extract<Refusal, { kind: "not accredited" }>["for"];

export const notAccredited = (what: Created, because: "accreditation" | "mode") =>
  no<Refusal>({ kind: "not accredited", for: what, because });

/** Whoever takes part in somebody's tender needs level 2, and a broker that is only testing takes part in tests only. */
export function refusedToTakePart(actor: Actor, what: Created, tender: Tender) {
  if (!mayCreate(actor)) return forbidden();
  if (!hasLevel(actor, "2")) return notAccredited(what, "accreditation");
  return isTestOnly(actor) && tender.mode !== "test" ? notAccredited(what, "mode") : undefined;
}
