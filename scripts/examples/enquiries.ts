import { EXAMPLE_IDS } from "../../src/dialects/shapes/exampleIds.ts";
import { create, type OwnedObject, type Story, SUPPLIER, TENDER } from "./actors.ts";
import * as bodies from "./bodies.ts";
import { recordDocuments } from "./documents.ts";
import type { Recorder } from "./recorder.ts";
import type { ExampleRegistry } from "./registry.ts";

/** Enquiries: questions, claims about the tender, and a cancelled lot. */

export async function recordEnquiries(
  { recorder, registry }: Pick<Story, "recorder" | "registry">,
  meals: OwnedObject,
): Promise<void> {
  const { send } = recorder;
  registry.moveTo("2026-11-17T09:30:12.540113+02:00");
  const { ids } = await create(recorder, `POST ${TENDER}/questions`, "question_id", EXAMPLE_IDS.question, {
    ids: meals.ids,
    key: SUPPLIER,
    name: "question",
    summary: "Ask a question",
    data: ["Question", bodies.QUESTION],
  });
  registry.moveTo("2026-11-18T14:05:40.871002+02:00");
  await send(`PATCH ${TENDER}/questions/{question_id}`, {
    ...meals,
    ids,
    name: "answer",
    summary: "Answer the question",
    data: ["Question", { answer: "Lunch only." }],
  });
  await send(`GET ${TENDER}/questions`, { ids, name: "list", summary: "The questions" });
  await send(`GET ${TENDER}/questions/{question_id}`, {
    ids,
    name: "question",
    summary: "The question with its answer",
  });
}

export async function recordComplaint({ recorder, registry }: Story, meals: OwnedObject): Promise<void> {
  const { send } = recorder;
  const path = `${TENDER}/complaints/{complaint_id}`;
  registry.moveTo("2026-11-18T15:50:00.300000+02:00");
  const claim = await create(recorder, `POST ${TENDER}/complaints`, "complaint_id", EXAMPLE_IDS.complaint, {
    ids: meals.ids,
    key: SUPPLIER,
    name: "draft",
    summary: "A claim as a draft",
    data: ["Complaint", bodies.CLAIM],
  });
  await recordDocuments(recorder, { path, file: "complaint", registers: true, ...claim });
  await recordClaimMoves(recorder, registry, path, claim, meals);
  await send(`GET ${TENDER}/complaints`, { ids: meals.ids, name: "list", summary: "The claims against the tender" });
  await send(`GET ${path}`, { ids: claim.ids, name: "claim", summary: "The claim" });
}

async function recordClaimMoves(
  { send }: Recorder,
  registry: ExampleRegistry,
  path: string,
  claim: OwnedObject,
  meals: OwnedObject,
): Promise<void> {
  registry.moveTo("2026-11-18T16:20:05.117340+02:00");
  const move = (by: OwnedObject, name: string, summary: string, fields: object, query?: { dry_run: string }) =>
    send(`PATCH ${path}`, {
      ...by,
      ids: claim.ids,
      name,
      summary,
      ...(query && { query }),
      data: ["Complaint", fields],
    });
  await move(claim, "submit", "The complainant submits the draft", { status: "claim" });
  registry.moveTo("2026-11-19T12:00:31.009871+02:00");
  await move(meals, "answer", "The buyer answers the claim", bodies.ANSWER);
  registry.moveTo("2026-11-20T09:00:00+02:00");
  const withdrawal = { status: "cancelled", cancellationReason: "Settled with the buyer" };
  await move(claim, "withdraw", "The complainant takes the claim back", withdrawal, { dry_run: "1" });
  await move(claim, "settle", "The complainant is satisfied", { satisfied: true, status: "resolved" });
}

export async function recordCancellation({ recorder, registry }: Story, furniture: OwnedObject): Promise<void> {
  const { send } = recorder;
  const path = `${TENDER}/cancellations/{cancellation_id}`;
  registry.moveTo("2026-11-20T10:00:00.750000+02:00");
  const { cancelledLot: relatedLot, cancellation: shown } = EXAMPLE_IDS;
  const { ids } = await create(recorder, `POST ${TENDER}/cancellations`, "cancellation_id", shown, {
    ...furniture,
    name: "lot",
    summary: "Announce that a lot is cancelled",
    data: ["Cancellation", { reason: "The gym will not be built", cancellationOf: "lot", relatedLot }],
  });
  const cancellation = { ...furniture, ids };
  await recordDocuments(recorder, { path, file: "cancellation", registers: true, ...cancellation });
  await send(`GET ${TENDER}/cancellations`, { ids, name: "list", summary: "The cancellations" });
  await send(`GET ${path}`, { ids, name: "cancellation", summary: "The cancellation" });
  await send(`PATCH ${path}`, {
    ...cancellation,
    name: "activate",
    summary: "Put the cancellation into effect",
    data: ["Cancellation", { status: "active" }],
  });
}
