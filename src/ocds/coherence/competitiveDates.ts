import { PROCEDURES } from "../../domain/procedures/index.ts";
import { PROCEDURE_NAMES } from "../../domain/procedures/names.ts";
import type { OcdsObject } from "../ocdsValues.ts";

/**
 * Whether the service itself dates the awards of a tender. Where the owner makes them, it records what happened elsewhere, in any
 * order. A tender of an unknown procedure is another publisher's, which is expected to have its dates in order.
 */
export function hasCompetitiveDates({ procurementMethodDetails }: OcdsObject): boolean {
  const procedure = PROCEDURE_NAMES.find((name) => name === procurementMethodDetails);
  return procedure === undefined || PROCEDURES[procedure].awards.madeBy === "service";
}
