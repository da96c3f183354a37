import type { AwardInput, ComplaintInput, Patch, TenderCommand, TenderInput } from "../../src/domain/model/commands.ts";
import type { Item } from "../../src/domain/model/tender.ts";
import type { ProcedureName } from "../../src/domain/procedures/names.ts";
import { DAY, MINUTE } from "../../src/domain/values/time.ts";
import { member, type Options, OWNER, type Scene, STRANGER } from "./decisions.ts";
import {
  changeAward,
  DEADLINE,
  editComplaint,
  fileClaim,
  LOT_A,
  LOT_B,
  meals,
  money,
  recordAward,
} from "./domainCommands.ts";
import { cook, school } from "./organizations.ts";
import { lastAward, publishedAs } from "./scenes.ts";

/** Tenders that are awarded without competition, brought to where a test begins. */

export const DIRECT_PROCEDURES = ["reporting", "negotiation", "negotiation.quick"] as const;
export const NEGOTIATIONS = ["negotiation", "negotiation.quick"] as const;
export const REVIEWERS = member("aboveThresholdReviewers");

export const delivered: Item = {
  ...meals,
  deliveryDate: { endDate: DEADLINE },
  deliveryAddress: { countryName: "Україна" },
};

export const CAUSE: TenderInput = { cause: "noCompetition", causeDescription: "Єдиний постачальник" };

/** A complete tender of a procedure without competition. */
export const directFields = (procedure: ProcedureName, more: TenderInput = {}): TenderInput => ({
  title: "Послуги шкільних їдалень",
  value: money("500000"),
  procuringEntity: school,
  items: [delivered],
  ...(procedure === "reporting" ? {} : CAUSE),
  ...more,
});

export const direct = (procedure: ProcedureName, more: TenderInput = {}, options?: Options): Scene =>
  publishedAs(procedure, directFields(procedure, more), options);

const lot = (id: string) => ({ id, title: "Лот", value: money("1000") });

/** Two lots of 1,000 with an item each. */
export const directLots: TenderInput = {
  lots: [lot(LOT_A), lot(LOT_B)],
  items: [LOT_A, LOT_B].map((relatedLot) => ({ ...delivered, relatedLot })),
};

export const supplier = (more: AwardInput = {}): TenderCommand =>
  recordAward({ suppliers: [cook], value: money("400000"), ...more });

/** The owner has recorded a qualified supplier a minute later. */
export const recorded = (procedure: ProcedureName, more: TenderInput = {}, award: AwardInput = {}): Scene =>
  direct(procedure, more)
    .later(MINUTE)
    .send(OWNER, supplier({ qualified: true, ...award }));

/** The owner decides on the last award, of the tender or of a lot. */
export const decideSupplier = (scene: Scene, fields: Patch<AwardInput>, lotID?: string): Scene =>
  scene.send(OWNER, changeAward(lastAward(scene, lotID).id, fields));

/** The owner has accepted the supplier a minute after recording it. */
export const accepted = (procedure: ProcedureName, more: TenderInput = {}, award: AwardInput = {}): Scene =>
  decideSupplier(recorded(procedure, more, award).later(MINUTE), { status: "active" }, award.lotID);

/** A complaint about the award, to the reviewers. */
export const complain = (award: string, fields: ComplaintInput = {}): TenderCommand =>
  fileClaim({ status: "pending", ...fields }, award);

/** A negotiation in which a broker has complained about the accepted award a day later. */
export const contested = (procedure: ProcedureName = "negotiation"): Scene => {
  const scene = accepted(procedure).later(DAY);
  return scene.send(STRANGER, complain(lastAward(scene).id)).later(MINUTE);
};

/** Changes the only complaint about the last award. */
export const moveComplaint = (scene: Scene, fields: Patch<ComplaintInput>): TenderCommand => {
  const award = lastAward(scene);
  return editComplaint(award.complaints[0]!.id, fields, award.id);
};
