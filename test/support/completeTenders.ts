import type { LotInput, TenderInput } from "../../src/domain/model/commands.ts";
import { PROCEDURES } from "../../src/domain/procedures/index.ts";
import type { ProcedureName } from "../../src/domain/procedures/names.ts";
import { absentFieldsIn, type ProcedureFields } from "../../src/domain/procedures/optionalFields.ts";
import { CAUSE, delivered } from "./directScenes.ts";
import { LOT_A, LOT_B, lotOf, tenderFields } from "./domainCommands.ts";
import { school } from "./organizations.ts";

/** Tenders that every rule of their procedure accepts, made of the fields that the procedure's file says it has. */

/** The fields without those that the procedure does not have. */
export function knownFields<Fields extends object>(
  procedure: ProcedureName,
  shape: keyof ProcedureFields,
  fields: Fields,
): Partial<Fields> {
  const absent = absentFieldsIn(PROCEDURES[procedure])[shape];
  return Object.assign(
    {},
    ...Object.entries(fields).map(([name, value]) => (absent?.has(name) ? {} : { [name]: value })),
  );
}

/** A lot of 1,000 with every required field. */
export const lotFor = (procedure: ProcedureName, id?: string): LotInput => {
  const { id: _id, ...fields } = lotOf("");
  return { ...knownFields(procedure, "Lot", fields), ...(id !== undefined && { id }) };
};

/** How many lots tenders of the procedure may have here: at most two. */
export const lotsMaxOf = (procedure: ProcedureName): number => (PROCEDURES[procedure].lots ? 2 : 0);

/** A complete tender of a procedure with so many lots, each with an item. */
export function completeTender(procedure: ProcedureName, lots = 0): TenderInput {
  const lotIds = [LOT_A, LOT_B].slice(0, Math.min(lots, lotsMaxOf(procedure)));
  const fields: TenderInput = {
    ...tenderFields(),
    ...CAUSE,
    procuringEntity: { ...school, kind: PROCEDURES[procedure].buyerKinds[0] },
    items: lotIds.length > 0 ? lotIds.map((relatedLot) => ({ ...delivered, relatedLot })) : [delivered],
    ...(lotIds.length > 0 && { lots: lotIds.map((id) => lotFor(procedure, id)) }),
  };
  return knownFields(procedure, "Tender", fields);
}
