import { EXAMPLE_IDS } from "../../src/dialects/shapes/exampleIds.ts";
import { create, type OwnedObject, type Story, SUPPLIER, TENDER } from "./actors.ts";
import * as bodies from "./bodies.ts";
import { recordDocuments } from "./documents.ts";
import type { Recorder } from "./recorder.ts";

/** Bids, the plan of the auction, the feed during tendering, and the auction. */

export type Bids = { readonly tasty: OwnedObject; readonly lunchBox: OwnedObject };

export async function recordBids(story: Story, { ids }: OwnedObject, furniture: OwnedObject): Promise<Bids> {
  const { recorder, registry } = story;
  const { send } = recorder;
  registry.moveTo("2026-11-24T10:40:00.900000+02:00");
  await bidForLots(story, furniture);
  registry.moveTo("2026-11-24T11:15:09.301245+02:00");
  const path = `${TENDER}/bids/{bid_id}`;
  const place = (data: object, shown?: string, example?: { readonly name: string; readonly summary: string }) =>
    create(recorder, `POST ${TENDER}/bids`, "bid_id", shown, { ids, key: SUPPLIER, ...example, data: ["Bid", data] });
  const tasty = await place(bodies.bid(bodies.TASTY, 489000, 0.05), EXAMPLE_IDS.bid, {
    name: "bid",
    summary: "A bid with a choice for the feature",
  });
  await recordDocuments(recorder, { path, file: "bid", registers: true, ...tasty });
  const withdrawn = await place(bodies.bid(bodies.LUNCH_BOX, 495000, 0));
  await send(`DELETE ${path}`, { ...withdrawn, name: "withdrawn", summary: "The bid that was withdrawn" });
  registry.moveTo("2026-11-26T15:42:57.770310+02:00");
  const lunchBox = await place(bodies.bid(bodies.LUNCH_BOX, 480000, 0));
  registry.moveTo("2026-11-26T15:50:00.120000+02:00");
  await send(`PATCH ${path}`, {
    ...tasty,
    name: "price",
    summary: "Lower the price",
    data: ["Bid", { value: { amount: 479000 } }],
  });
  await send(`GET ${path}`, { ...tasty, name: "own", summary: "The bidder's own bid, while bids are sealed" });
  return { tasty, lunchBox };
}

async function bidForLots({ recorder }: Story, { ids }: OwnedObject): Promise<void> {
  const place = (data: object, example?: { readonly name: string; readonly summary: string }) =>
    recorder.send(`POST ${TENDER}/bids`, { ids, key: SUPPLIER, ...example, data: ["Bid", data] });
  await place(bodies.lotBid(bodies.TASTY, 240000, 140000), { name: "lots", summary: "A bid for two lots" });
  await place(bodies.lotBid(bodies.LUNCH_BOX, 245000, 138000));
}

/** The scheduler plans the auctions. */
export async function plan({ recorder: { send } }: Story, meals: OwnedObject, furniture: OwnedObject): Promise<void> {
  const key = "chronograph";
  const auctionPeriod = { startDate: "2026-12-01T11:00:00+02:00" };
  await send(`PATCH ${TENDER}/chronograph`, { ids: meals.ids, key, data: ["Tender", { auctionPeriod }] });
  const { ids } = furniture;
  await send(`PATCH ${TENDER}/chronograph`, {
    ids,
    key,
    name: "plan",
    summary: "Plan the auctions of two lots",
    data: ["Tender", { lots: [{ auctionPeriod }, { auctionPeriod: { startDate: "2026-12-01T14:00:00+02:00" } }, {}] }],
  });
  const schedule = { ids, key, name: "schedule", summary: "The view of the scheduler" };
  await send(`GET ${TENDER}/chronograph`, schedule);
  await send(`GET ${TENDER}`, schedule);
}

/** The public view of the tender while bids are accepted. */
export async function recordFeed({ send }: Recorder, { ids }: OwnedObject): Promise<void> {
  await send(`GET ${TENDER}`, { ids, name: "tender", summary: "The tender while bids are accepted" });
  await send("GET /tenders", { name: "page", summary: "A page of the feed" });
  await send("GET /tenders", {
    name: "fields",
    summary: "The latest change, with more fields",
    query: { opt_fields: "status,value,tenderPeriod", descending: "1", limit: "1" },
  });
}

export async function recordAuction(story: Story, { ids }: OwnedObject, { tasty, lunchBox }: Bids): Promise<void> {
  const { recorder, registry, auctionPatchesPrices } = story;
  const { send } = recorder;
  const by = { ids, key: "auction" };
  const url = `https://auction.example/tenders/${ids.tender_id}`;
  const [first, second] = [tasty.ids.bid_id!, lunchBox.ids.bid_id!];
  await send(`GET ${TENDER}/auction`, { ...by, name: "start", summary: "What the auction starts from" });
  registry.moveTo("2026-12-01T10:45:00.640000+02:00");
  const addresses = {
    auctionUrl: url,
    bids: [first, second].map((id) => ({ id, participationUrl: `${url}/login?bidder_id=${id}` })),
  };
  const prices = { bids: [{ value: { amount: 474000 } }, { value: { amount: 480000 } }] };
  await send(`PATCH ${TENDER}/auction`, {
    ...by,
    ...(auctionPatchesPrices
      ? { name: "prices", summary: "Report the prices of the first round" }
      : { name: "addresses", summary: "Where the auction is held" }),
    data: ["Auction", auctionPatchesPrices ? prices : addresses],
  });
  registry.moveTo("2026-12-01T11:36:18.402199+02:00");
  const results = [
    { id: first, value: { amount: 469000 }, date: "2026-12-01T11:21:43.500000+02:00" },
    { id: second, value: { amount: 472000 }, date: "2026-12-01T11:19:02.250000+02:00" },
  ];
  await send(`POST ${TENDER}/auction`, {
    ...by,
    name: "results",
    summary: "The results of the auction",
    data: ["Auction", { bids: results }],
  });
}

export async function recordLotAuction({ recorder, registry }: Story, { ids: tender }: OwnedObject): Promise<void> {
  const { send } = recorder;
  const path = `${TENDER}/auction/{auction_lot_id}`;
  const by = { ids: { ...tender, auction_lot_id: EXAMPLE_IDS.lot }, key: "auction" };
  const url = `https://auction.example/tenders/${tender.tender_id}_${EXAMPLE_IDS.lot}`;
  await send(`PATCH ${path}`, {
    ...by,
    name: "addresses",
    summary: "Where the auction of the lot is held",
    data: ["Auction", { lots: [{ id: EXAMPLE_IDS.lot, auctionUrl: url }, {}, {}] }],
  });
  registry.moveTo("2026-12-01T12:30:00.110000+02:00");
  const price = (amount: number) => ({ relatedLot: EXAMPLE_IDS.lot, value: { amount } });
  const results = [{ lotValues: [price(232000), {}] }, { lotValues: [price(236000), {}] }];
  await send(`POST ${path}`, {
    ...by,
    name: "results",
    summary: "The results of the auction of the lot",
    data: ["Auction", { bids: results }],
  });
}
