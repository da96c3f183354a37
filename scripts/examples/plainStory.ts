import { EXAMPLE_IDS } from "../../src/dialects/shapes/exampleIds.ts";
import { BUYER, create, type OwnedObject, SUPPLIER, TENDER } from "./actors.ts";
import * as bodies from "./bodies.ts";
import { recordFeed } from "./competition.ts";
import { recordDocuments } from "./documents.ts";
import { recordEnquiries } from "./enquiries.ts";
import { carryOut, recordConflicts } from "./fullStory.ts";
import type { Recorder } from "./recorder.ts";
import type { ExampleRegistry } from "./registry.ts";

/** The same school under the basic procedure: every operation of the oldest versions. */

type PlainStory = {
  readonly recorder: Recorder;
  readonly registry: ExampleRegistry;
  /** What the version calls bids in its paths. */
  readonly bidPaths: readonly string[];
};

export async function tellPlainStory(story: PlainStory): Promise<void> {
  const { recorder, registry, bidPaths } = story;
  const meals = await publish(story);
  await recordEnquiries(story, meals);
  registry.moveTo("2026-11-23T10:00:00+02:00");
  await carryOut(recorder, meals);
  await recordFeed(recorder, meals);
  registry.moveTo("2026-11-24T11:15:09.301245+02:00");
  for (const bids of bidPaths) await recordBids(story, meals, bids);
  registry.moveTo("2026-11-30T10:00:00+02:00");
  await carryOut(recorder, meals);
  await recordAuction(story, meals);
  await recordAward(story, meals);
  await recorder.send(`GET ${TENDER}/complaints`, { ids: meals.ids, name: "list", summary: "No claims were filed" });
}

async function publish({ recorder, registry, bidPaths }: PlainStory): Promise<OwnedObject> {
  const { send, show } = recorder;
  const meals = await create(recorder, "POST /tenders", "tender_id", EXAMPLE_IDS.tender, {
    name: "tender",
    summary: "A tender with everything that this version knows",
    key: BUYER,
    data: ["Tender", bodies.PLAIN_MEALS],
  });
  show(EXAMPLE_IDS.token, meals.token);
  await send("POST /tenders", {
    name: "empty",
    summary: "The smallest tender: nothing is required",
    key: BUYER,
    query: { dry_run: "1" },
    data: ["Tender", {}],
  });
  const { body } = await send(`GET ${TENDER}`, { ids: meals.ids });
  const [item] = body.data.items ?? [];
  if (item?.id) show(EXAMPLE_IDS.item, item.id);
  await recordConflicts(recorder, meals, bidPaths[0]!, bodies.bid(bodies.TASTY, 489000));
  registry.moveTo("2026-11-16T10:20:00.731204+02:00");
  await recordDocuments(recorder, { path: TENDER, file: "tender", ...meals }, EXAMPLE_IDS.document);
  await send(`PATCH ${TENDER}`, {
    ...meals,
    name: "edit",
    summary: "Change a field",
    data: ["Tender", { items: [{ quantity: 6 }] }],
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

async function recordBids({ recorder, bidPaths }: PlainStory, { ids }: OwnedObject, name: string): Promise<void> {
  const { send } = recorder;
  const list = `${TENDER}/${name}`;
  const path = `${list}/{bid_id}`;
  const place = (amount: number, shown?: string, example?: { readonly name: string; readonly summary: string }) =>
    create(recorder, `POST ${list}`, "bid_id", shown, {
      ids,
      key: SUPPLIER,
      ...example,
      data: ["Bid", bodies.bid(bodies.TASTY, amount)],
    });
  const isFirst = name === bidPaths[0];
  const placed = await place(489000, isFirst ? EXAMPLE_IDS.bid : undefined, { name: "bid", summary: "A bid" });
  await recordDocuments(recorder, { path, file: "bid", ...placed });
  await send(`PATCH ${path}`, {
    ...placed,
    name: "price",
    summary: "Lower the price",
    data: ["Bid", { value: { amount: 479000 } }],
  });
  await send(`GET ${list}`, { ids, name: "list", summary: "The bids" });
  await send(`GET ${path}`, { ids: placed.ids, name: "bid", summary: "The bid" });
  const withdrawn = isFirst ? await place(495000) : placed;
  await send(`DELETE ${path}`, { ...withdrawn, name: "withdrawn", summary: "The bid that was withdrawn" });
}

async function recordAuction({ recorder, registry }: PlainStory, meals: OwnedObject): Promise<void> {
  const { send } = recorder;
  await send(`GET ${TENDER}/auction`, { ids: meals.ids, name: "start", summary: "The prices before the auction" });
  registry.moveTo("2026-12-01T11:36:18.402199+02:00");
  await send(`PATCH ${TENDER}/auction`, {
    ...meals,
    name: "prices",
    summary: "Report what the bid came to",
    data: ["Auction", { bids: [{ value: { amount: 469000 } }] }],
  });
}

async function recordAward({ recorder, registry }: PlainStory, meals: OwnedObject): Promise<void> {
  const { send } = recorder;
  const path = `${TENDER}/awards/{award_id}`;
  const { ids } = await create(recorder, `POST ${TENDER}/awards`, "award_id", EXAMPLE_IDS.award, {
    ...meals,
    name: "award",
    summary: "The buyer records an award",
    data: ["Award", { status: "pending", suppliers: [bodies.TASTY], value: { amount: 469000 } }],
  });
  registry.moveTo("2026-12-03T10:15:00.500000+02:00");
  await send(`PATCH ${path}`, {
    ...meals,
    ids,
    name: "accept",
    summary: "Accept the bid",
    data: ["Award", { status: "active" }],
  });
  await send(`GET ${TENDER}/awards`, { ids, name: "list", summary: "The awards" });
  await send(`GET ${path}`, { ids, name: "award", summary: "The award" });
}
