/** The procedures, each described by its own file. A list of names alone, so that the model can import it without the rules. */
export const PROCEDURE_NAMES = ["basic", "belowThreshold", "reporting", "negotiation", "negotiation.quick"] as const;
export type ProcedureName = (typeof PROCEDURE_NAMES)[number];

/** The procedure of tenders that have no `procurementMethodType`. */
export const UNTYPED_PROCEDURE = "basic" satisfies ProcedureName;
export type ProcurementMethodType = Exclude<ProcedureName, typeof UNTYPED_PROCEDURE>;

/** The values of `procurementMethodType`. Which procedure a tender without one has depends on the wire version. */
export const PROCUREMENT_METHOD_TYPES: readonly ProcurementMethodType[] = PROCEDURE_NAMES.filter(
  (name) => name !== UNTYPED_PROCEDURE,
);
