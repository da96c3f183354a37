import { EXAMPLE_IDS } from "../../src/dialects/shapes/exampleIds.ts";
import type { RecordedExamples } from "../../src/openapi/examples.ts";
import { BUYER, create, type OwnedObject, SUPPLIER, TENDER } from "./actors.ts";
import * as bodies from "./bodies.ts";
import { openRecorder, type Recorder } from "./recorder.ts";
import { openExampleRegistry } from "./registry.ts";

/** School 10 buys meals once more, in an auction that the registry itself holds: on a test clock, where nothing depends on chance. */

const START = "2026-11-16T10:00:00+02:00";
const AUCTION = "/auctions/{auction_id}";

/** The examples of the live auction, from a registry of its own. */
export async function recordLiveAuction(segment: string): Promise<RecordedExamples> {
  const registry = await openExampleRegistry(START, { AUCTIONS: "builtin" });
  try {
    const recorder = openRecorder(registry, `/api/${segment}`, (_path, _shape, fields) => fields);
    const advance = await openClock(recorder);
    const { meals, tasty, lunchBox } = await reachAuction(recorder, advance);
    await recordCourse(recorder, advance, meals.ids.tender_id ?? "", tasty, lunchBox, registry.url + `/api/${segment}`);
    return recorder.recorded();
  } finally {
    await registry.stop();
  }
}

type Advance = ((move: object) => Promise<void>) & { readonly clock: string };

async function openClock({ send, show }: Recorder): Promise<Advance> {
  const clocks = "POST /sandbox/clocks";
  const { body } = await send(clocks, { isOfSite: true, key: BUYER, json: { data: { now: START } } });
  const clock: string = body.data.id;
  show(EXAMPLE_IDS.clock, clock);
  const advance = async (move: object) => {
    const ids = { clock_id: clock };
    await send(`${clocks}/{clock_id}/advance`, { isOfSite: true, ids, key: BUYER, json: { data: move } });
  };
  return Object.assign(advance, { clock });
}

async function reachAuction(recorder: Recorder, advance: Advance) {
  const { features: _onlyThePriceCounts, ...tender } = bodies.MEALS;
  const meals = await create(recorder, "POST /tenders", "tender_id", EXAMPLE_IDS.tender, {
    key: BUYER,
    headers: { "X-Test-Clock": advance.clock },
    data: ["Tender", { ...tender, submissionMethodDetails: "quick(mode:fast-auction)" }],
  });
  await advance({ to: "2026-11-24T11:15:00+02:00" });
  const place = (data: object, shown?: string) =>
    create(recorder, `POST ${TENDER}/bids`, "bid_id", shown, { ids: meals.ids, key: SUPPLIER, data: ["Bid", data] });
  const bid = (who: object, amount: number) => ({ tenderers: [who], value: { amount } });
  const tasty = await place(bid(bodies.TASTY, 489000), EXAMPLE_IDS.bid);
  await advance({ by: "PT1M" });
  const lunchBox = await place(bid(bodies.LUNCH_BOX, 480000));
  await advance({ to: "2026-11-30T10:00:00+02:00" });
  return { meals, tasty, lunchBox };
}

async function recordCourse(
  recorder: Recorder,
  advance: Advance,
  auction: string,
  tasty: OwnedObject,
  lunchBox: OwnedObject,
  root: string,
): Promise<void> {
  const { send } = recorder;
  const ids = { auction_id: auction };
  const as = ({ key, token, ids: { bid_id = "" } }: OwnedObject) => ({ ids, key, token, query: { bid: bid_id } });
  await send("GET /auctions", { query: { tender: auction }, name: "planned", summary: "The auctions of a tender" });
  await send(`GET ${AUCTION}`, { ids, name: "planned", summary: "The auction before its start" });
  await send(`POST ${AUCTION}/links`, { ...as(tasty), name: "link", summary: "A new link of the bid" });
  await advance({ next: true });
  await recordSnapshot(recorder, `${root}/auctions/${auction}/events`);
  await advance({ next: true });
  await advance({ by: "PT1M5S" });
  await send(`POST ${AUCTION}/bids`, {
    ...as(tasty),
    name: "price",
    summary: "Place a price",
    data: ["AuctionPrice", { amount: 475000 }],
  });
  await send(`GET ${AUCTION}`, { ...as(tasty), name: "own", summary: "The auction as the bidder sees it in its turn" });
  await advance({ next: true });
  await send(`POST ${AUCTION}/bids`, { ...as(lunchBox), data: ["AuctionPrice", { amount: 300000, confirmed: true }] });
  await send(`DELETE ${AUCTION}/bids/current`, {
    ...as(lunchBox),
    name: "taken-back",
    summary: "Take back a price that was a typing mistake",
  });
  // Three pauses, six turns, and the time before the announcement.
  for (let stage = 0; stage < 8; stage++) await advance({ next: true });
  await send(`GET ${AUCTION}`, { ids, name: "ended", summary: "The result, with names" });
  await send(`GET ${AUCTION}/record`, {
    ids,
    name: "record",
    summary: "The beginning of the record",
    shorten: ({ format, id, rules, inputs }) => ({ format, id, rules, inputs: inputs.slice(0, 3) }),
  });
}

/** Reads the first event of the stream. */
async function recordSnapshot({ addText }: Recorder, url: string): Promise<void> {
  const abort = new AbortController();
  const response = await fetch(url, { signal: abort.signal });
  let text = "";
  for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    if (/^data:.*\n\n/m.test(text)) break;
  }
  abort.abort();
  const [event] = text.slice(text.search(/^id:/m)).split("\n\n");
  addText(`GET ${AUCTION}/events`, {
    name: "snapshot",
    summary: "The first event",
    status: response.status,
    text: `${event}\n\n`,
  });
}
