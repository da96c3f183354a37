import { NEWEST_VERSION } from "../contents.ts";
import { LISTEN_SECONDS, pathVariables, type SampleRequest } from "./sampleRequest.ts";

/** The calls of the typed client, by operation. `BODY` stands for the data that is sent. */

const CALLS: { readonly [operation: string]: string } = {
  "GET /health": "client.health.check()",
  "GET /spore": "client.spore()",
  "GET /tenders": "client.tenders.list()",
  "POST /tenders": "client.tenders.create(BODY)",
  "GET /tenders/stream": `client.follow({ signal: AbortSignal.timeout(${LISTEN_SECONDS}_000) })`,
  "GET /search": 'client.search({ q: "school" })',
  "GET /tenders/{tender_id}": "client.tenders.get(TENDER_ID)",
  "GET /tenders/{tender_id}/history": "client.tenders.history(TENDER_ID)",
  "PATCH /tenders/{tender_id}": "client.tenders.patch(TENDER_ID, BODY, OPTIONS)",
  "PATCH /tenders/{tender_id}/credentials": "client.tenders.renewToken(TENDER_ID)",
  "GET /tenders/{tender_id}/extract_credentials": "client.tenders.credentials(TENDER_ID)",
  "GET /tenders/{tender_id}/chronograph": "client.tenders.schedule(TENDER_ID)",
  "PATCH /tenders/{tender_id}/chronograph": "client.tenders.plan(TENDER_ID, BODY)",
  "GET /tenders/{tender_id}/auction": "client.auction.get(TENDER_ID)",
  "PATCH /tenders/{tender_id}/auction": "client.auction.patch(TENDER_ID, BODY)",
  "POST /tenders/{tender_id}/auction": "client.auction.finish(TENDER_ID, BODY)",
  "PATCH /tenders/{tender_id}/auction/{auction_lot_id}":
    "client.auction.patch(TENDER_ID, BODY, { lot: AUCTION_LOT_ID })",
  "POST /tenders/{tender_id}/auction/{auction_lot_id}":
    "client.auction.finish(TENDER_ID, BODY, { lot: AUCTION_LOT_ID })",
  "GET /auctions": "client.auctions.list()",
  "GET /auctions/{auction_id}": "client.auctions.get(AUCTION_ID)",
  "GET /auctions/{auction_id}/events": `client.auctions.follow(AUCTION_ID, { signal: AbortSignal.timeout(${LISTEN_SECONDS}_000) })`,
  "POST /auctions/{auction_id}/bids": "client.auctions.placePrice(AUCTION_ID, { link: PARTICIPATION_URL }, BODY)",
  "DELETE /auctions/{auction_id}/bids/current":
    "client.auctions.takeBackPrice(AUCTION_ID, { link: PARTICIPATION_URL })",
  "POST /auctions/{auction_id}/links": "client.auctions.replaceLink(AUCTION_ID, BID_ID, OPTIONS)",
  "GET /auctions/{auction_id}/record": "client.auctions.record(AUCTION_ID)",
  "GET /sandbox/clocks": "client.clocks.list()",
  "POST /sandbox/clocks": "client.clocks.create(BODY)",
  "GET /sandbox/clocks/{clock_id}": "client.clocks.get(CLOCK_ID)",
  "POST /sandbox/clocks/{clock_id}/advance": "client.clocks.advance(CLOCK_ID, BODY)",
  "GET /webhooks": "client.webhooks.list()",
  "POST /webhooks": "client.webhooks.create(BODY)",
  "GET /webhooks/{webhook_id}": "client.webhooks.get(WEBHOOK_ID)",
  "PATCH /webhooks/{webhook_id}": "client.webhooks.patch(WEBHOOK_ID, BODY)",
  "DELETE /webhooks/{webhook_id}": "client.webhooks.delete(WEBHOOK_ID)",
  "POST /webhooks/{webhook_id}/secret": "client.webhooks.rotateSecret(WEBHOOK_ID, BODY)",
  "GET /webhooks/{webhook_id}/deliveries": "client.webhooks.deliveries(WEBHOOK_ID)",
  "GET /webhooks/{webhook_id}/deliveries/{delivery_id}": "client.webhooks.delivery(WEBHOOK_ID, DELIVERY_ID)",
  "POST /webhooks/{webhook_id}/deliveries/{delivery_id}/resend": "client.webhooks.resend(WEBHOOK_ID, DELIVERY_ID)",
  "GET /ocds/releases": "client.ocds.releases().next()",
  "GET /ocds/releases/{release_id}": "client.ocds.release(RELEASE_ID)",
  "GET /ocds/records": "client.ocds.records().next()",
  "GET /ocds/records/{ocid}": "client.ocds.record(OCID)",
  "GET /data/{data_file}": "client.ocds.dataFile(DATA_FILE)",
  "GET /ocds/extensions/tenderhall/{extension_file}": "client.ocds.extensionFile(EXTENSION_FILE)",
  "GET /ocds/extensions/tenderhall/codelists/{codelist_file}": "client.ocds.codelist(CODELIST_FILE)",
  "POST /upload": "client.documentService.upload(file)",
  "GET /health/live": "client.health.live()",
  "GET /health/ready": "client.health.ready()",
};

const COLLECTIONS = ["bids", "questions", "awards", "contracts", "cancellations", "lots", "complaints"];
const COLLECTION_METHODS: { readonly [operation: string]: string } = {
  "GET list": "list",
  "POST list": "create",
  "GET item": "get",
  "PATCH item": "patch",
  "DELETE item": "delete",
};
const DOCUMENT_METHODS: { readonly [operation: string]: string } = {
  ...COLLECTION_METHODS,
  "POST list": "upload",
  "PUT item": "replace",
};

/**
 * The call of the typed client that sends a request; undefined where the client has no method for it. The client's types are
 * those of the newest version, so that samples of older ones use `fetch`.
 */
export function clientCallOf(request: SampleRequest): string | undefined {
  const { root, method, path, body } = request;
  if (root !== "" && root !== `/api/${NEWEST_VERSION.name}`) return undefined;
  const call = CALLS[`${method} ${path}`] ?? collectionCall(request);
  const data = body && typescriptLiteral(body.data, "");
  return call?.replace("BODY", () => data ?? "{}").replace("OPTIONS", "{ token: TOKEN }");
}

/** Lists below a tender all have the same methods, and documents take the object that they belong to. */
function collectionCall(request: SampleRequest): string | undefined {
  const { method, path, needsToken, takesFile, body } = request;
  const words = path.split("/").filter((word) => word !== "");
  const isItem = words.at(-1)?.startsWith("{") === true;
  const collection = words.at(isItem ? -2 : -1);
  if (collection === undefined) return undefined;
  const isDocument = collection === "documents";
  if (words[0] !== "tenders" || !(isDocument || COLLECTIONS.includes(collection))) return undefined;
  const name = (isDocument ? DOCUMENT_METHODS : COLLECTION_METHODS)[`${method} ${isItem ? "item" : "list"}`];
  if (name === undefined) return undefined;
  const variables = pathVariables(request);
  const owners = isItem ? variables.slice(0, -1) : variables;
  const args = [
    ...(isDocument || owners.length > 1 ? [ownerObject(owners)] : owners),
    ...(isItem ? variables.slice(-1) : []),
    ...(takesFile ? ["file"] : body ? ["BODY"] : []),
    ...(needsToken ? ["OPTIONS"] : []),
  ];
  return `client.${collection}.${name}(${args.join(", ")})`;
}

/** `{ tender: TENDER_ID, bid: BID_ID }`. */
const ownerObject = (variables: readonly string[]): string =>
  `{ ${variables.map((variable) => `${variable.replace(/_ID$/, "").toLowerCase()}: ${variable}`).join(", ")} }`;

/** JSON without quotation marks around names that need none. */
export const typescriptLiteral = (value: unknown, indent: string): string =>
  JSON.stringify(value, null, 2)
    .replaceAll(/^( *)"([A-Za-z_$][\w$]*)": /gm, "$1$2: ")
    .replaceAll("\n", `\n${indent}`);
