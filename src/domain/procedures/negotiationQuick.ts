import { checkNegotiation } from "../direct/directTenderRules.ts";
import { NEGOTIATION_CAUSES, negotiation } from "./negotiation.ts";
import type { Procedure } from "./procedure.ts";

/** The legal grounds for negotiating in an urgent case. */
export const QUICK_CAUSES = ["quick", ...NEGOTIATION_CAUSES] as const;

/** Negotiation in urgent cases: the cause need not be named, and there is less time to complain. */
export const negotiationQuick: Procedure = {
  ...negotiation,
  name: "negotiation.quick",
  summary:
    "The owner negotiates with one supplier in an urgent case, as in `negotiation`. The legal cause may be left out, but must be described, and any broker may complain about the award for five days.",
  checkTender: checkNegotiation({ causes: QUICK_CAUSES, isRequired: false }),
  awards: { ...negotiation.awards, standStill: { days: 5, counted: "calendar", startsNextDay: true } },
};
