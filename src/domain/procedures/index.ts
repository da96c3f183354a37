import type { Tender } from "../model/tender.ts";
import { basic } from "./basic.ts";
import { belowThreshold } from "./belowThreshold.ts";
import type { ProcedureName } from "./names.ts";
import { negotiation } from "./negotiation.ts";
import { negotiationQuick } from "./negotiationQuick.ts";
import type { Procedure } from "./procedure.ts";
import { reporting } from "./reporting.ts";

/** All procedures, by name. */
export const PROCEDURES: { readonly [name in ProcedureName]: Procedure } = {
  basic,
  belowThreshold,
  reporting,
  negotiation,
  "negotiation.quick": negotiationQuick,
};

/**
 * The procedure of a tender. Rules do not call this: they get the procedure in their context, so that a procedure can name the rules
 * that it uses.
 */
export const procedureOf = (tender: Tender): Procedure => PROCEDURES[tender.procedure];
