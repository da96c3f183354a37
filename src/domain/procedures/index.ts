import type { ProcedureName, Tender } from "../model/tender.ts";
import { basic } from "./basic.ts";
import { belowThreshold } from "./belowThreshold.ts";
import type { Procedure, Stage, TenderAction } from "./procedure.ts";

export const PROCEDURES: { readonly [name in ProcedureName]: Procedure } = { basic, belowThreshold };

export const procedureOf = (tender: Tender): Procedure => PROCEDURES[tender.procedure];

/** A status that a procedure does not have opens nothing. */
const NO_STAGE: Stage = { accepts: [], sealed: true, anonymous: true };
export const stageOf = (tender: Tender): Stage => procedureOf(tender).stages[tender.status] ?? NO_STAGE;

export const accepts = (tender: Tender, action: TenderAction): boolean => stageOf(tender).accepts.includes(action);
