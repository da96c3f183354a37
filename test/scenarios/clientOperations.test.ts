import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type Client, openClient, TenderhallError } from "../../src/client/index.ts";
import { fullTender, publish } from "../support/examples.ts";
import { operationsOf } from "../support/operations.ts";
import { sharedWorld } from "../support/world.ts";

/** The client has a method for every documented operation, and sends only documented requests. */

const world = await sharedWorld();
const operations = ["2.5", "site"].flatMap((name) => operationsOf(name).map(({ method, path }) => `${method} ${path}`));

const T = "1".repeat(32);
const X = "2".repeat(32);
const holders = [
  { tender: T },
  { tender: T, bid: X },
  { tender: T, award: X },
  { tender: T, contract: X },
  { tender: T, cancellation: X },
  { tender: T, complaint: X },
  { tender: T, award: X, complaint: X },
];
const contested = [T, { tender: T, award: X }];

// There is a change to follow at once.
await publish(world.api("2.5"), fullTender(world.clock.now));

async function firstOf(changes: ReturnType<Client["follow"]>): Promise<unknown> {
  for await (const change of changes) return change;
  return undefined;
}

const LINK = "http://registry.example/auctions/1/login?bidder_id=2&signature=3";

/** An empty body. Only the URL matters here, and the types would not allow it. */
const NOTHING = {} as never;

/** Calls of every method of the client, by name. */
const CALLS: { readonly [name: string]: (client: Client) => readonly Promise<unknown>[] } = {
  "tenders.list": ({ tenders }) => [tenders.list()],
  "tenders.all": ({ tenders }) => [firstOf(tenders.all())],
  "tenders.find": ({ tenders }) => [tenders.find("UA-1")],
  "tenders.get": ({ tenders }) => [tenders.get(T)],
  "tenders.text": ({ tenders }) => [tenders.text(T)],
  "tenders.create": ({ tenders }) => [tenders.create(NOTHING)],
  "tenders.patch": ({ tenders }) => [tenders.patch(T, {})],
  "tenders.renewToken": ({ tenders }) => [tenders.renewToken(T)],
  "tenders.credentials": ({ tenders }) => [tenders.credentials(T)],
  search: ({ search }) => [search({ q: "x" })],
  searchAll: ({ searchAll }) => [searchAll({ q: "x" }).next()],
  "tenders.history": ({ tenders }) => [tenders.history(T)],
  "tenders.schedule": ({ tenders }) => [tenders.schedule(T)],
  "tenders.plan": ({ tenders }) => [tenders.plan(T, {})],
  "auctions.list": ({ auctions }) => [auctions.list()],
  "auctions.get": ({ auctions }) => [auctions.get(T)],
  "auctions.follow": ({ auctions }) => [auctions.follow(T).next()],
  "auctions.placePrice": ({ auctions }) => [auctions.placePrice(T, { link: LINK }, NOTHING)],
  "auctions.takeBackPrice": ({ auctions }) => [auctions.takeBackPrice(T, { link: LINK })],
  "auctions.replaceLink": ({ auctions }) => [auctions.replaceLink(T, X, { token: "x" })],
  "auctions.record": ({ auctions }) => [auctions.record(T)],
  ...Object.fromEntries(
    (["bids", "questions", "awards", "contracts", "cancellations", "lots"] as const).flatMap((part) => [
      [`${part}.list`, (client: Client) => [client[part].list(T)]],
      [`${part}.get`, (client: Client) => [client[part].get(T, X)]],
      [`${part}.create`, (client: Client) => [client[part].create(T, NOTHING)]],
      [`${part}.patch`, (client: Client) => [client[part].patch(T, X, {})]],
    ]),
  ),
  "bids.delete": ({ bids }) => [bids.delete(T, X)],
  "lots.delete": ({ lots }) => [lots.delete(T, X)],
  "complaints.list": ({ complaints }) => contested.map((about) => complaints.list(about)),
  "complaints.get": ({ complaints }) => contested.map((about) => complaints.get(about, X)),
  "complaints.create": ({ complaints }) => contested.map((about) => complaints.create(about, NOTHING)),
  "complaints.patch": ({ complaints }) => contested.map((about) => complaints.patch(about, X, {})),
  "auction.get": ({ auction }) => [auction.get(T)],
  "auction.patch": ({ auction }) => [auction.patch(T, {}), auction.patch(T, {}, { lot: X })],
  "auction.finish": ({ auction }) => [auction.finish(T, {}), auction.finish(T, {}, { lot: X })],
  "documents.list": ({ documents }) => holders.map((parent) => documents.list(parent)),
  "documents.get": ({ documents }) => holders.map((parent) => documents.get(parent, X)),
  "documents.upload": ({ documents }) => holders.map((parent) => documents.upload(parent, "x")),
  "documents.replace": ({ documents }) => holders.map((parent) => documents.replace(parent, X, "x")),
  "documents.patch": ({ documents }) => holders.map((parent) => documents.patch(parent, X, {})),
  "documents.register": ({ documents }) => holders.map((parent) => documents.register(parent, NOTHING)),
  "documents.registerVersion": ({ documents }) =>
    holders.map((parent) => documents.registerVersion(parent, X, NOTHING)),
  "documents.download": ({ documents }) => [
    documents.download(`${world.url}/api/2.5/tenders/${T}/documents/${X}?download=${X}`),
  ],
  "documentService.register": ({ documentService }) => [documentService.register(`md5:${X}`)],
  "documentService.upload": ({ documentService }) => [
    documentService.upload("x"),
    documentService.upload("x", { uploadUrl: `/upload/${X}?Hash=md5:${X}` }),
  ],
  "documentService.get": ({ documentService }) => [documentService.get(`/get/${X}`)],
  "clocks.create": ({ clocks }) => [clocks.create()],
  "clocks.list": ({ clocks }) => [clocks.list()],
  "clocks.get": ({ clocks }) => [clocks.get(X)],
  "clocks.advance": ({ clocks }) => [clocks.advance(X, { next: true })],
  "webhooks.create": ({ webhooks }) => [webhooks.create({ url: "nonsense" })],
  "webhooks.list": ({ webhooks }) => [webhooks.list()],
  "webhooks.get": ({ webhooks }) => [webhooks.get(X)],
  "webhooks.patch": ({ webhooks }) => [webhooks.patch(X, {})],
  "webhooks.rotateSecret": ({ webhooks }) => [webhooks.rotateSecret(X)],
  "webhooks.delete": ({ webhooks }) => [webhooks.delete(X)],
  "webhooks.deliveries": ({ webhooks }) => [webhooks.deliveries(X)],
  "webhooks.delivery": ({ webhooks }) => [webhooks.delivery(X, X)],
  "webhooks.resend": ({ webhooks }) => [webhooks.resend(X, X)],
  "ocds.releases": ({ ocds }) => [ocds.releases().next()],
  "ocds.release": ({ ocds }) => [ocds.release(X)],
  "ocds.records": ({ ocds }) => [ocds.records().next()],
  "ocds.record": ({ ocds }) => [ocds.record(X)],
  "ocds.dataFile": ({ ocds }) => [ocds.dataFile(X)],
  "ocds.extensionFile": ({ ocds }) => [ocds.extensionFile(X)],
  "ocds.codelist": ({ ocds }) => [ocds.codelist(X)],
  "health.check": ({ health }) => [health.check()],
  "health.live": ({ health }) => [health.live()],
  "health.ready": ({ health }) => [health.ready()],
  follow: ({ follow }) => [firstOf(follow())],
  description: (client) => [client.description()],
  spore: (client) => [client.spore()],
  request: (client) => [client.request("GET", "/tenders")],
};

/** Members that are state, not requests. */
const KEPT = "tokens";

function methodsOf(client: object): readonly string[] {
  return Object.entries(client).flatMap(([name, value]) => {
    if (name === KEPT) return [];
    return typeof value === "function" ? [name] : Object.keys(value).map((inner) => `${name}.${inner}`);
  });
}

const templates = operations.map((name) => {
  const [method, path = ""] = name.split(" ");
  return { name, pattern: new RegExp(`^${method} ${path.replaceAll(/\{\w+\}/g, "[0-9a-f]{32}")}$`) };
});

type RecordedRequest = {
  readonly by: string;
  readonly name: string;
  readonly status: number;
  readonly wrong: string | undefined;
};

async function callEverything() {
  const requests: RecordedRequest[] = [];
  let by = "";
  const recording: typeof fetch = async (input, init) => {
    const response = await fetch(input, init);
    const isJson = response.headers.get("Content-Type")?.startsWith("application/json");
    const { errors = [] } = (isJson ? await response.clone().json() : {}) as { errors?: { name: string }[] };
    const name = `${init?.method ?? "GET"} ${new URL(String(input)).pathname}`;
    requests.push({ by, name, status: response.status, wrong: errors[0]?.name });
    return response;
  };
  const client = openClient({ url: world.url, key: "broker", retries: 0, fetch: recording });
  for (const [method, calls] of Object.entries(CALLS)) {
    by = method;
    for (const { reason } of (await Promise.allSettled(calls(client))).filter((result) => result.status === "rejected"))
      assert.ok(reason instanceof TenderhallError, String(reason.stack));
  }
  return { client, asked: requests };
}

const { client, asked: requests } = await callEverything();

/** Fetches the API description, which does not describe itself. */
const UNDESCRIBED = "description";

describe("the client", () => {
  it("has a method for every documented operation, versioned and unversioned", () => {
    for (const { name, pattern } of templates)
      assert.ok(
        requests.some((request) => pattern.test(request.name)),
        `nothing of the client asks ${name}`,
      );
  });

  it("has no method that this test does not call", () => {
    assert.deepEqual(methodsOf(client).toSorted(), Object.keys(CALLS).toSorted());
  });

  it("has only methods that send a documented request that the registry accepts", () => {
    for (const method of Object.keys(CALLS))
      assert.ok(
        requests.some(({ by }) => by === method),
        `${method} asks nothing`,
      );
    for (const { by, name, status, wrong } of requests) {
      if (by === UNDESCRIBED) continue;
      assert.ok(
        templates.some(({ pattern }) => pattern.test(name)),
        `${by} asks ${name}, which is not described`,
      );
      assert.ok(status !== 405 && wrong !== "path", `${by} asks ${name}: ${status}`);
    }
  });
});
