import type { Procedure, TenderAction } from "../src/domain/procedures/procedure.ts";

// Who performs each action of a procedure, and the API operation for it. The types make both tables complete.

/** The roles in docs/procedures. */
export const ACTORS = ["owner", "suppliers", "auction", "reviewers", "administrators"] as const;
type Actor = (typeof ACTORS)[number];

const ACTORS_BY_ACT: { readonly [act in TenderAction]: readonly Actor[] } = {
  "edit fields": ["owner"],
  "publish draft": ["owner"],
  cancel: ["owner"],
  complete: ["owner"],
  "declare unsuccessful": ["owner"],
  "ask question": ["suppliers"],
  "answer question": ["owner"],
  "add tender document": ["owner"],
  "add auction document": ["auction"],
  "place bid": ["suppliers"],
  "change bid": ["suppliers"],
  "withdraw bid": ["suppliers"],
  "add bid document": ["suppliers"],
  "add pending bid document": ["suppliers"],
  "record award": ["administrators"],
  "change award": ["owner"],
  "add award document": ["owner"],
  "report auction": ["auction"],
  "set auction urls": ["auction"],
  "finish auction": ["auction"],
  "edit lots": ["owner"],
  "file complaint": ["suppliers"],
  "file award complaint": ["suppliers"],
  "edit complaint": ["owner", "suppliers"],
  "edit award complaint": ["owner", "suppliers"],
  "add contract": ["administrators"],
  "edit contract": ["owner"],
  "add contract document": ["owner"],
  "add cancellation": ["owner"],
};

/** The roles that may perform an action in a procedure. */
export function actorsOf(act: TenderAction, { awards, auction, complaints }: Procedure): readonly Actor[] {
  const isReviewed = Object.keys(complaints.award?.moves ?? {}).some((move) => move.startsWith("reviewer "));
  if (act === "edit award complaint" && isReviewed) return [...ACTORS_BY_ACT[act], "reviewers"];
  if (act === "record award" && awards.madeBy === "owner") return ["owner"];
  if (act === "report auction" && auction?.heldBy === "owner") return ["owner", "auction"];
  return ACTORS_BY_ACT[act];
}

const TENDER = "tenders_tender_id";
const AWARD = `${TENDER}_awards_award_id`;
const BID = `${TENDER}_bids_bid_id`;

/** The anchor of the operation in the API reference. */
export const OPERATIONS: { readonly [act in TenderAction]: string } = {
  "edit fields": `patch_${TENDER}`,
  "publish draft": `patch_${TENDER}`,
  cancel: `patch_${TENDER}`,
  complete: `patch_${TENDER}`,
  "declare unsuccessful": `patch_${TENDER}`,
  "ask question": `post_${TENDER}_questions`,
  "answer question": `patch_${TENDER}_questions_question_id`,
  "add tender document": `post_${TENDER}_documents`,
  "add auction document": `post_${TENDER}_documents`,
  "place bid": `post_${TENDER}_bids`,
  "change bid": `patch_${BID}`,
  "withdraw bid": `delete_${BID}`,
  "add bid document": `post_${BID}_documents`,
  "add pending bid document": `post_${BID}_documents`,
  "record award": `post_${TENDER}_awards`,
  "change award": `patch_${AWARD}`,
  "add award document": `post_${AWARD}_documents`,
  "report auction": `patch_${TENDER}_auction`,
  "set auction urls": `patch_${TENDER}_auction`,
  "finish auction": `post_${TENDER}_auction`,
  "edit lots": `post_${TENDER}_lots`,
  "file complaint": `post_${TENDER}_complaints`,
  "file award complaint": `post_${AWARD}_complaints`,
  "edit complaint": `patch_${TENDER}_complaints_complaint_id`,
  "edit award complaint": `patch_${AWARD}_complaints_complaint_id`,
  "add contract": `post_${TENDER}_contracts`,
  "edit contract": `patch_${TENDER}_contracts_contract_id`,
  "add contract document": `post_${TENDER}_contracts_contract_id_documents`,
  "add cancellation": `post_${TENDER}_cancellations`,
};
