import { hash } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { EXAMPLE_IDS } from "../../src/dialects/shapes/exampleIds.ts";
import { type BulkFile, emptyState } from "../../src/opendata/bulk/bulkState.ts";
import { manifestText } from "../../src/opendata/bulk/manifest.ts";
import { BUYER } from "./actors.ts";
import * as bodies from "./bodies.ts";
import type { Body, Recorder } from "./recorder.ts";
import type { ExampleRegistry } from "./registry.ts";

/** Test clocks, webhooks, the document service and open data: every unversioned operation. */
export async function tellSiteStory(recorder: Recorder, registry: ExampleRegistry, version: string): Promise<void> {
  registry.moveTo("2026-11-16T09:00:00+02:00");
  await recordWebhook(recorder, registry, version);
  await recordClock(recorder, version);
  await recordFiles(recorder);
  await recordOpenData(recorder, version);
  await recorder.send("GET /health/live", { name: "running", summary: "The process runs" });
  await recorder.send("GET /health/ready", { name: "ready", summary: "Requests can be served" });
}

/** A tender of the newest version. */
const publish = async ({ send }: Recorder, version: string, headers = {}): Promise<string> => {
  const { body } = await send(`POST /api/${version}/tenders`, { key: BUYER, json: { data: bodies.MEALS }, headers });
  return body.data.id;
};

/** The releases of one tender, of which the example shows little, because the standard describes the rest. */
async function recordOpenData(recorder: Recorder, version: string): Promise<void> {
  const { send, show } = recorder;
  const tender = await publish(recorder, version);
  show(EXAMPLE_IDS.tender, tender);
  const ids = { ocid: `ocds-213czf-${tender}`, release_id: `ocds-213czf-${tender}-1` };
  const newest = { query: { descending: "1", limit: "1" } };
  const shorten = (body: Body) => ({
    ...body,
    records: body.records.map(({ compiledRelease: { ocid, id, date, tag }, ...record }: Body) => ({
      ...record,
      compiledRelease: { ocid, id, date, tag },
      versionedRelease: { ocid },
    })),
  });
  await send("GET /ocds/releases", { ...newest, name: "page", summary: "The newest release" });
  await send("GET /ocds/releases/{release_id}", { ids, name: "release", summary: "The first release of a tender" });
  await send("GET /ocds/records", { ...newest, name: "page", summary: "The newest record, shortened", shorten });
  await send("GET /ocds/records/{ocid}", {
    ids,
    name: "record",
    summary: "The record of a tender, shortened",
    shorten,
  });
  addBulkExample(recorder);
  const files = { extension_file: "README.md", codelist_file: "complaintType.csv" };
  const path = "GET /ocds/extensions/tenderhall";
  await send(`${path}/{extension_file}`, {
    ids: files,
    name: "description",
    summary: "What the extension is about",
  });
  await send(`${path}/codelists/{codelist_file}`, { ids: files, name: "codelist", summary: "The types of complaints" });
}

/** The registry of the examples makes no bulk files, which takes a server a while: the manifest is that of one file. */
function addBulkExample({ addText }: Recorder): void {
  const upTo = Date.parse("2026-11-16T08:30:00Z") * 1000;
  const file: BulkFile = {
    ...{ name: "tenders-2026-11-1.csv.gz", kind: "tenders", period: "2026-11", date: upTo, lines: 1 },
    ...{ bytes: 512, unpackedBytes: 934, head: { bytes: 512, unpackedBytes: 934 }, modifiedMs: upTo / 1000 },
    sha256: hash("sha256", "tenders-2026-11-1.csv.gz"),
  };
  const settings = { ocidPrefix: "ocds-213czf", publisher: "Tenderhall" };
  addText("GET /data/{data_file}", {
    name: "manifest",
    summary: "The manifest, shortened to one file",
    status: 200,
    text: manifestText(settings, { ...emptyState({ values: "", generation: "" }), upTo, files: [file] }),
  });
}

async function recordClock(recorder: Recorder, version: string): Promise<void> {
  const { send, show } = recorder;
  const now = "2026-11-16T10:00:00+02:00";
  const { body } = await send("POST /sandbox/clocks", {
    key: BUYER,
    name: "clock",
    summary: "A clock that shows a chosen time",
    json: { data: { now } },
  });
  const ids = { clock_id: body.data.id as string };
  show(EXAMPLE_IDS.clock, ids.clock_id);
  show(EXAMPLE_IDS.secondTender, await publish(recorder, version, { "X-Test-Clock": ids.clock_id }));
  await send("GET /sandbox/clocks", { key: BUYER, name: "list", summary: "The account's clocks" });
  await send("GET /sandbox/clocks/{clock_id}", { ids, name: "clock", summary: "The clock with its tender" });
  const advance = (name: string, summary: string, data: object) =>
    send("POST /sandbox/clocks/{clock_id}/advance", { ids, key: BUYER, name, summary, json: { data } });
  await advance("next", "To the next deadline", { next: true });
  await advance("by", "By two days", { by: "P2D" });
  await advance("to", "To a time", { to: "2026-11-30T10:00:00+02:00" });
}

async function recordWebhook(recorder: Recorder, registry: ExampleRegistry, version: string): Promise<void> {
  const { send, refuse, show } = recorder;
  const receiver = await openReceiver();
  show("https://receiver.example", receiver.origin);
  const { body } = await send("POST /webhooks", {
    key: BUYER,
    name: "webhook",
    summary: "Send every change, with two more fields",
    json: { data: { url: `${receiver.origin}/changes`, mode: "_all_", opt_fields: "title,status" } },
  });
  show(EXAMPLE_SECRET, body.access.secret);
  const ids = { webhook_id: body.data.id as string };
  show(EXAMPLE_IDS.webhook, ids.webhook_id);
  registry.moveTo("2026-11-16T10:00:00.123456+02:00");
  const changed = await publish(recorder, version);
  const delivery = await deliveredTo(recorder, ids.webhook_id);
  show(EXAMPLE_IDS.tender, changed);
  registry.moveTo("2026-11-16T10:30:00+02:00");
  await recordDeliveries(recorder, { ...ids, delivery_id: delivery.id });
  await send("GET /webhooks", { key: BUYER, name: "list", summary: "The account's webhooks" });
  await send("GET /webhooks/{webhook_id}", { ids, key: BUYER, name: "webhook", summary: "The webhook" });
  const rotated = await send("POST /webhooks/{webhook_id}/secret", {
    ids,
    key: BUYER,
    name: "rotate",
    summary: "A new secret; the old one counts for another hour",
    json: { data: { overlap: "PT1H" } },
  });
  show(hash("sha256", "example secret"), rotated.body.access.secret);
  await refuse("PATCH /webhooks/{webhook_id}", {
    ids,
    key: BUYER,
    headers: { "If-Match": '"Zc2uXf0aUq8m4Yt1rB7vKw"' },
    json: { data: { status: "paused" } },
  });
  const pausing = { data: { status: "paused", filter: { status: "active.enquiries", classification: "555" } } };
  await send("PATCH /webhooks/{webhook_id}", {
    ids,
    key: BUYER,
    name: "pause",
    summary: "Pause and filter",
    json: pausing,
  });
  await send("DELETE /webhooks/{webhook_id}", {
    ids,
    key: BUYER,
    name: "removed",
    summary: "The webhook that was removed",
  });
  await receiver.close();
}

const EXAMPLE_SECRET = "2f7c1e9b8a6d4c3f5e0b1a2d3c4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f60";

async function recordDeliveries(
  { send }: Recorder,
  ids: { readonly webhook_id: string; readonly delivery_id: string },
) {
  const path = "/webhooks/{webhook_id}/deliveries";
  await send(`GET ${path}`, { ids, key: BUYER, name: "list", summary: "What was delivered" });
  await send(`GET ${path}/{delivery_id}`, {
    ids,
    key: BUYER,
    name: "delivery",
    summary: "A change that was delivered",
  });
  await send(`POST ${path}/{delivery_id}/resend`, {
    ids,
    key: BUYER,
    query: { dry_run: "1" },
    name: "resend",
    summary: "The delivery as it waits to be sent again",
  });
}

/** Deliveries are sent by the dispatcher, in its own time. */
async function deliveredTo({ send }: Recorder, webhook: string): Promise<Body> {
  for (;;) {
    const { body } = await send("GET /webhooks/{webhook_id}/deliveries", {
      ids: { webhook_id: webhook },
      key: BUYER,
      query: { status: "delivered" },
    });
    if (body.data.length > 0) return body.data[0];
    await pause(20);
  }
}

async function openReceiver() {
  const server = createServer((request, response) => {
    request.resume().on("end", () => response.writeHead(204).end());
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const close = async () => {
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  };
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
}

async function recordFiles({ send, show }: Recorder): Promise<void> {
  const [name, content] = bodies.FILES.tender;
  const { body: announced } = await send("POST /register", {
    key: BUYER,
    name: "announce",
    summary: "Announce a file",
    json: { data: { hash: `md5:${hash("md5", content)}` } },
  });
  const upload = new URL(announced.upload_url);
  const key = upload.pathname.split("/").at(-1)!;
  show(EXAMPLE_IDS.documentKey, key);
  show(EXAMPLE_IDS.uploader, upload.searchParams.get("Owner")!);
  const { body: uploaded } = await send("POST /upload/{key}", {
    ids: { key },
    query: Object.fromEntries(upload.searchParams),
    name: "upload",
    summary: "Upload the announced file",
    file: { name, content },
  });
  const download = new URL(uploaded.get_url);
  await send("GET /get/{key}", {
    ids: { key },
    query: Object.fromEntries(download.searchParams),
    name: "file",
    summary: "The file",
  });
  await send("POST /upload", { key: BUYER, name: "upload", summary: "Upload a file", file: { name, content } });
}
