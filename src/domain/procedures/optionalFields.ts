/** The optional fields of a tender for which bids compete. */
const COMPETITIVE_TENDER_FIELDS = [
  "enquiryPeriod",
  "tenderPeriod",
  "auctionPeriod",
  "awardPeriod",
  "minimalStep",
  "guarantee",
  "features",
  "lots",
  "questions",
  "bids",
  "complaints",
] as const;
const COMPETITIVE_LOT_FIELDS = ["minimalStep", "guarantee", "auctionPeriod"] as const;
const COMPETITIVE_AWARD_FIELDS = ["bid_id", "lotID"] as const;

/**
 * Fields that only some procedures have, by the wire shape of their object. A procedure lists those of its own; a request that sends
 * another one is refused as if the field did not exist.
 */
export const OPTIONAL_FIELDS = {
  Tender: [...COMPETITIVE_TENDER_FIELDS, "cause", "causeDescription", "causeDescription_en", "causeDescription_ru"],
  Lot: COMPETITIVE_LOT_FIELDS,
  Award: [...COMPETITIVE_AWARD_FIELDS, "qualified", "subcontractingDetails"],
  Complaint: ["acceptance", "dateAccepted", "rejectReason", "rejectReasonDescription", "reviewDate", "reviewPlace"],
  Cancellation: ["reasonType"],
} as const;

type ShapeWithOptions = keyof typeof OPTIONAL_FIELDS;

/** The optional fields that a procedure has. */
export type ProcedureFields = {
  readonly [Shape in ShapeWithOptions]: readonly (typeof OPTIONAL_FIELDS)[Shape][number][];
};

/** Names of fields, by shape, that are unknown to a procedure. */
export type AbsentFields = { readonly [shape: string]: ReadonlySet<string> };

const absentFields = new WeakMap<ProcedureFields, AbsentFields>();

/** The optional fields that a procedure does not have. */
export function absentFieldsIn({ fields }: { readonly fields: ProcedureFields }): AbsentFields {
  let absent = absentFields.get(fields);
  if (!absent) {
    absent = {
      Tender: absentFrom(OPTIONAL_FIELDS.Tender, fields.Tender),
      Lot: absentFrom(OPTIONAL_FIELDS.Lot, fields.Lot),
      Award: absentFrom(OPTIONAL_FIELDS.Award, fields.Award),
      Complaint: absentFrom(OPTIONAL_FIELDS.Complaint, fields.Complaint),
      Cancellation: absentFrom(OPTIONAL_FIELDS.Cancellation, fields.Cancellation),
    } satisfies { readonly [shape in ShapeWithOptions]: ReadonlySet<string> };
    absentFields.set(fields, absent);
  }
  return absent;
}

const absentFrom = (all: readonly string[], present: readonly string[]): ReadonlySet<string> =>
  new Set(all.filter((name) => !present.includes(name)));

/** The optional fields of procedures in which bids compete. */
export const COMPETITIVE_FIELDS: ProcedureFields = {
  Tender: COMPETITIVE_TENDER_FIELDS,
  Lot: COMPETITIVE_LOT_FIELDS,
  Award: COMPETITIVE_AWARD_FIELDS,
  Complaint: [],
  Cancellation: [],
};
