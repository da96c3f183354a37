import type { ProcedureName, Tender } from "../model/tender.ts";
import { basic } from "./basic.ts";
import { belowThreshold } from "./belowThreshold.ts";
import type { Procedure, Stage, TenderAction } from "./procedure.ts";

/** All procedures, by name. */
export const PROCEDURES: { readonly [name in ProcedureName]: Procedure } = { basic, belowThreshold };

/** The procedure of a tender. */
export const procedureOf = (tender: Tender): Procedure => PROCEDURES[tender.procedure];

/** Accepts nothing and reveals nothing: the safe choice for a tender in a status that its procedure does not have. */
const NO_STAGE: Stage = { accepts: [], sealed: true, anonymous: true };

/** The stage that the tender is in. */
export const stageOf = (tender: Tender): Stage => procedureOf(tender).stages[tender.status] ?? NO_STAGE;

/** Whether the tender's stage accepts the action. */
export const accepts = (tender: Tender, action: TenderAction): boolean => stageOf(tender).accepts.includes(action);
