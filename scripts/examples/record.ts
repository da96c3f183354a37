import { OLDEST, openDialects, SEGMENTS } from "../../src/dialects/dialects.ts";
import { TOO_MANY_REQUESTS, UNAVAILABLE } from "../../src/http/errorResponses.ts";
import { withErrorBody } from "../../src/http/responses.ts";
import type { RecordedExamples } from "../../src/openapi/examples.ts";
import { EXAMPLE_ORIGIN } from "../../src/openapi/openapiBuilders.ts";
import { BUYER } from "./actors.ts";
import { tellFullStory } from "./fullStory.ts";
import { recordLiveAuction } from "./liveAuction.ts";
import { tellPlainStory } from "./plainStory.ts";
import { openRecorder, type Recorder, translatorOf } from "./recorder.ts";
import { type ExampleRegistry, openExampleRegistry, ZONE } from "./registry.ts";
import { tellSiteStory } from "./siteStory.ts";

/** Runs the story in every version, and returns the requests and responses as examples for the API descriptions. */

const START = "2026-11-16T10:00:00.123456+02:00";
const NEWEST = SEGMENTS.at(-1)!;
const dialects = openDialects({ zone: ZONE, sandbox: true, textBytesMax: 65536, listMax: 1000 });

/** The documents that have examples: each version, and the unversioned operations. */
export const EXAMPLE_NAMES: readonly string[] = [...SEGMENTS, "site"];

export const exampleFile = (name: string): string => `docs/api/examples/${name}.json`;

export async function recordExamples(name: string): Promise<RecordedExamples> {
  const registry = await openExampleRegistry(START);
  try {
    return name === "site" ? await recordSite(registry) : await recordVersion(registry, name);
  } finally {
    await registry.stop();
  }
}

async function recordVersion(registry: ExampleRegistry, segment: string): Promise<RecordedExamples> {
  const dialect = dialects.get(segment)!;
  const { behaviour, bidPaths } = dialect;
  const translate = translatorOf(dialects.get(NEWEST)!, dialects.get(OLDEST)!, dialect);
  const recorder = openRecorder(registry, `/api/${segment}`, translate);
  await recordRefusals(recorder, registry.url, segment);
  const story = {
    recorder,
    registry,
    auctionPatchesPrices: behaviour.auction === "prices",
    hasHistory: behaviour.liveAuctions,
    bidPaths,
  };
  await (behaviour.plain ? tellPlainStory(story) : tellFullStory(story));
  await recordService(recorder);
  await recordStream(recorder, registry, segment);
  const { operations, refusals } = recorder.recorded();
  const live = behaviour.liveAuctions ? (await recordLiveAuction(segment)).operations : {};
  return { operations: { ...operations, ...live }, refusals };
}

async function recordSite(registry: ExampleRegistry): Promise<RecordedExamples> {
  const recorder = openRecorder(registry, "", (_path, _shape, fields) => fields);
  const { refuse } = recorder;
  await refuse("POST /webhooks", { json: { data: {} } });
  await refuse("POST /webhooks", { key: BUYER, json: { data: {} } });
  await refuse("POST /webhooks", { key: BUYER, json: { data: { url: " ".repeat(2_200_000) } } });
  await refuse("GET /get/{key}", { ids: { key: "0".repeat(32) } });
  await refuse("GET /webhooks/{webhook_id}", { ids: { webhook_id: "0".repeat(32) }, key: BUYER });
  await refuse("DELETE /webhooks", { key: BUYER });
  await refuseText(recorder, `${registry.url}/webhooks`);
  addRare(recorder);
  await tellSiteStory(recorder, registry, NEWEST);
  return recorder.recorded();
}

async function recordRefusals(recorder: Recorder, url: string, segment: string): Promise<void> {
  const { refuse } = recorder;
  await refuse("POST /tenders", { json: { data: {} } });
  await refuse("GET /tenders/{tender_id}", { ids: { tender_id: "0".repeat(32) } });
  await refuse("POST /tenders", { key: BUYER, json: { data: { minimalStep: { amount: "much" } } } });
  await refuse("DELETE /tenders", { key: BUYER });
  await refuse("POST /tenders", { key: BUYER, json: { data: { items: [{ description: " ".repeat(2_200_000) }] } } });
  await refuseText(recorder, `${url}/api/${segment}/tenders`);
  addRare(recorder);
}

/** A body that is not JSON. */
async function refuseText({ addRefusal }: Recorder, url: string): Promise<void> {
  const headers = { Authorization: `Basic ${btoa(`${BUYER}:`)}` };
  const response = await fetch(url, { method: "POST", body: "meals", headers });
  addRefusal(response.status, await response.json());
}

/** Errors that no story causes, rendered by the code that renders them for clients. */
function addRare({ addRefusal }: Recorder): void {
  for (const response of [TOO_MANY_REQUESTS, UNAVAILABLE])
    addRefusal(
      response.status,
      JSON.parse(withErrorBody(response, { origin: EXAMPLE_ORIGIN, zone: ZONE }).json as string),
    );
}

async function recordService({ send }: Recorder): Promise<void> {
  await send("GET /health", { name: "healthy", summary: "Tenders can be read and written" });
  await send("GET /spore", {
    name: "methods",
    summary: "The first of the methods",
    shorten: ({ methods, ...rest }) => ({ ...rest, methods: Object.fromEntries(Object.entries(methods).slice(0, 2)) }),
  });
}

/** Reads as many events as there are tenders; then the stream would wait for more. */
async function recordStream(recorder: Recorder, registry: ExampleRegistry, segment: string): Promise<void> {
  const abort = new AbortController();
  const response = await fetch(`${registry.url}/api/${segment}/tenders/stream`, { signal: abort.signal });
  let text = "";
  for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    if (/^data:.*\n\n/m.test(text)) break;
  }
  abort.abort();
  const [event] = text.slice(text.search(/^id:/m)).split("\n\n");
  recorder.addText("GET /tenders/stream", {
    name: "event",
    summary: "An event",
    status: response.status,
    text: `${event}\n\n`,
  });
}
