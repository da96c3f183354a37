import { sealsBids } from "../../domain/bids/sealRules.ts";
import { PROCEDURES } from "../../domain/procedures/index.ts";
import { PROCEDURE_NAMES } from "../../domain/procedures/names.ts";
import type { Procedure } from "../../domain/procedures/procedure.ts";
import type { OcdsObject } from "../ocdsValues.ts";

/** What the procedure of a section `tender` says about its data. A tender of an unknown procedure is another publisher's. */

function procedureOfSection({ procurementMethodDetails }: OcdsObject): Procedure | undefined {
  const name = PROCEDURE_NAMES.find((known) => known === procurementMethodDetails);
  return name && PROCEDURES[name];
}

/**
 * Whether the service itself dates the awards of a tender. Where the owner makes them, it records what happened elsewhere, in any
 * order. Another publisher is expected to have its dates in order.
 */
export const hasCompetitiveDates = (tender: OcdsObject): boolean =>
  procedureOfSection(tender)?.awards.madeBy !== "owner";

/** Whether bids are sealed until they are opened, so that those of a cancelled tender were never seen. */
export const hasSealedBids = (tender: OcdsObject): boolean => {
  const procedure = procedureOfSection(tender);
  return procedure !== undefined && sealsBids(procedure);
};
