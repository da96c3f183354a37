import { EXAMPLE_IDS } from "../../src/dialects/shapes/exampleIds.ts";
import { BUYER, create, type OwnedObject, type Story, SUPPLIER, TENDER } from "./actors.ts";
import * as bodies from "./bodies.ts";
import { plan, recordAuction, recordBids, recordFeed, recordLotAuction } from "./competition.ts";
import { recordDocuments } from "./documents.ts";
import { recordCancellation, recordComplaint, recordEnquiries } from "./enquiries.ts";
import { recordAwards } from "./outcome.ts";
import type { ExampleRequest, Recorder } from "./recorder.ts";

/** School 10 buys meals and furniture, from publication to a signed contract: every operation of the newer versions. */

export async function tellFullStory(story: Story): Promise<void> {
  const { recorder, registry } = story;
  const meals = await publish(story);
  const furniture = await publishLots(story);
  await recordEnquiries(story, meals);
  await recordComplaint(story, meals);
  if (story.hasHistory) await recordHistory(recorder, meals);
  await recordCancellation(story, furniture);
  registry.moveTo("2026-11-23T10:00:00+02:00");
  await carryOut(recorder, meals, furniture);
  await recordFeed(recorder, meals);
  if (story.hasHistory) await recordSearch(recorder);
  await plan(story, meals, furniture);
  const bids = await recordBids(story, meals, furniture);
  registry.moveTo("2026-11-30T10:00:00+02:00");
  await carryOut(recorder, meals, furniture);
  await recordAuction(story, meals, bids);
  await recordLotAuction(story, furniture);
  await recordAwards(story, meals, bids);
}

async function recordHistory({ send }: Recorder, { ids }: OwnedObject): Promise<void> {
  const show = (name: string, summary: string, query: ExampleRequest["query"]) =>
    send(`GET ${TENDER}/history`, { ids, query, name, summary });
  await show("question", "A question and its answer", { offset: "5", limit: "2" });
  await show("edited", "A field that was changed", { offset: "9", limit: "1" });
}

async function recordSearch({ send }: Recorder): Promise<void> {
  const show = (name: string, summary: string, query: ExampleRequest["query"]) =>
    send("GET /search", { query, name, summary });
  await show("words", "Tenders by words and category", { q: "meals school", cpv: "55", sort: "deadline" });
  await show("fields", "Other fields of the results", { buyer: "UA-EDR-21725150", limit: "1", opt_fields: "title" });
}

/** Deadlines are carried out at the very moment: the scheduler asks, as no timer runs while time stands still. */
export async function carryOut({ send }: Recorder, ...tenders: readonly OwnedObject[]): Promise<void> {
  for (const { ids } of tenders) await send(`PATCH ${TENDER}`, { ids, key: "chronograph", data: ["Tender", {}] });
}

async function publish({ recorder, registry }: Story): Promise<OwnedObject> {
  const { send, show } = recorder;
  const meals = await create(recorder, "POST /tenders", "tender_id", EXAMPLE_IDS.tender, {
    name: "belowThreshold",
    summary: "A tender under belowThreshold, with a feature",
    key: BUYER,
    data: ["Tender", bodies.MEALS],
  });
  show(EXAMPLE_IDS.token, meals.token);
  const { body } = await send(`GET ${TENDER}`, { ids: meals.ids });
  show(EXAMPLE_IDS.item, body.data.items[0].id);
  await recordConflicts(recorder, meals, "bids", bodies.bid(bodies.TASTY, 489000, 0.05));
  await recordCredentials(recorder, meals);
  registry.moveTo("2026-11-16T10:20:00.731204+02:00");
  await recordDocuments(recorder, { path: TENDER, file: "tender", registers: true, ...meals }, EXAMPLE_IDS.document);
  await send(`PATCH ${TENDER}`, {
    ...meals,
    name: "edit",
    summary: "Change a field",
    data: ["Tender", { eligibilityCriteria: "Suppliers with a food-safety certificate" }],
  });
  await send(`PATCH ${TENDER}`, {
    ...meals,
    name: "cancel",
    summary: "Cancel the tender",
    query: { dry_run: "1" },
    data: ["Tender", { status: "cancelled" }],
  });
  return meals;
}

async function publishLots({ recorder, registry }: Story): Promise<OwnedObject> {
  const { send } = recorder;
  registry.moveTo("2026-11-16T11:00:00.250000+02:00");
  const furniture = await create(recorder, "POST /tenders", "tender_id", EXAMPLE_IDS.secondTender, {
    name: "lots",
    summary: "A tender with two lots",
    key: BUYER,
    data: ["Tender", bodies.FURNITURE],
  });
  const gym = await create(recorder, `POST ${TENDER}/lots`, "lot_id", undefined, {
    ...furniture,
    name: "lot",
    summary: "Add a lot",
    data: ["Lot", bodies.GYM_LOT],
  });
  const spare = await create(recorder, `POST ${TENDER}/lots`, "lot_id", undefined, {
    ...furniture,
    data: ["Lot", bodies.SPARE_LOT],
  });
  await send(`GET ${TENDER}/lots`, { ids: furniture.ids, name: "list", summary: "The lots" });
  await send(`GET ${TENDER}/lots/{lot_id}`, {
    ids: { ...furniture.ids, lot_id: EXAMPLE_IDS.lot },
    name: "lot",
    summary: "The lot",
  });
  await send(`PATCH ${TENDER}/lots/{lot_id}`, {
    ...gym,
    name: "edit",
    summary: "Change a field",
    data: ["Lot", { description: "12 benches of 2 metres, made of beech" }],
  });
  await send(`DELETE ${TENDER}/lots/{lot_id}`, { ...spare, name: "removed", summary: "The lot that was removed" });
  return furniture;
}

/** Refusals: a request that is too early, and one with an outdated ETag. */
export async function recordConflicts(
  { refuse }: Recorder,
  { ids, key, token }: OwnedObject,
  bids: string,
  bid: object,
): Promise<void> {
  await refuse(`POST ${TENDER}/${bids}`, { ids, key: SUPPLIER, data: ["Bid", bid] });
  await refuse(`PATCH ${TENDER}`, {
    ...{ ids, key, token },
    headers: { "If-Match": '"Zc2uXf0aUq8m4Yt1rB7vKw"' },
    data: ["Tender", { value: { amount: 500000 } }],
  });
}

async function recordCredentials({ send, show }: Recorder, meals: OwnedObject): Promise<void> {
  await send(`PATCH ${TENDER}/credentials`, {
    ...meals,
    name: "renewed",
    summary: "A new owner token",
    query: { dry_run: "1" },
  });
  const { body } = await send(`GET ${TENDER}/extract_credentials`, {
    ids: meals.ids,
    key: "contracting",
    name: "credentials",
    summary: "Who owns the tender",
  });
  show(EXAMPLE_IDS.tokenHash, body.data.tender_token);
}
