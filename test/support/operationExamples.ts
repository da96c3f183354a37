import { claimOf } from "./procedure.ts";
import type { Scene } from "./richScene.ts";
import type { Upload } from "./world.ts";

/** An example of an operation of the API, for a registry prepared by `openScene`. */
export type Example = {
  /** The path, from the address of the registry on. */
  readonly at: string;
  readonly key?: string;
  readonly token?: string;
  /** A JSON body, and an alternative one. */
  readonly data?: readonly [object, object];
  /** A file, and an alternative one. */
  readonly file?: readonly [Upload, Upload];
};

/** Examples by operation, in an order in which they can be carried out one after the other. */
export type OperationExamples = { readonly [operation: string]: Example };

const FILES: Example["file"] = [
  { name: "один.txt", content: "один" },
  { name: "два.txt", content: "два" },
];

type ExampleTarget = { readonly at: string; readonly token?: string; readonly key?: string };
const API = "/api/2.5";
const TENDER = `${API}/tenders/{tender_id}`;
const alternatives = (first: object, second: object): Example["data"] => [first, second];

/** An example of every described operation. */
export function examplesIn(scene: Scene): OperationExamples {
  return {
    ...readExamples(scene),
    ...tenderExamples(scene),
    ...documentExamples(scene),
    ...enquiryExamples(scene),
    ...bidExamples(scene),
    ...awardExamples(scene),
    ...auctionExamples(scene),
    ...liveAuctionExamples(scene),
    ...siteExamples(scene),
  };
}

/** The open contracting id of the tender in an address. */
const ocidOf = (at: string): string => `ocds-213czf-${/tenders\/([0-9a-f]{32})/.exec(at)?.[1]}`;

const readExamples = ({ sent, clock, webhook, delivery, file }: Scene): OperationExamples => ({
  [`GET ${API}/health`]: { at: `${API}/health` },
  [`GET ${API}/spore`]: { at: `${API}/spore` },
  [`GET ${API}/tenders`]: { at: `${API}/tenders` },
  [`GET ${API}/tenders/stream`]: { at: `${API}/tenders/stream` },
  "GET /sandbox/clocks": { at: "/sandbox/clocks" },
  "GET /sandbox/clocks/{clock_id}": { at: `/sandbox/clocks/${clock}` },
  "GET /ocds/releases": { at: "/ocds/releases" },
  "GET /ocds/releases/{release_id}": { at: `/ocds/releases/${ocidOf(sent.questions.at)}-1` },
  "GET /ocds/records": { at: "/ocds/records" },
  "GET /ocds/records/{ocid}": { at: `/ocds/records/${ocidOf(sent.questions.at)}` },
  "GET /ocds/extensions/tenderhall/{extension_file}": { at: "/ocds/extensions/tenderhall/README.md" },
  "GET /ocds/extensions/tenderhall/codelists/{codelist_file}": {
    at: "/ocds/extensions/tenderhall/codelists/complaintType.csv",
  },
  "GET /data/{data_file}": { at: "/data/manifest.json" },
  "GET /webhooks": { at: "/webhooks" },
  "GET /webhooks/{webhook_id}": { at: `/webhooks/${webhook}` },
  "GET /webhooks/{webhook_id}/deliveries": { at: `/webhooks/${webhook}/deliveries` },
  "GET /webhooks/{webhook_id}/deliveries/{delivery_id}": { at: `/webhooks/${webhook}/deliveries/${delivery}` },
  "GET /get/{key}": { at: file },
  "GET /health/live": { at: "/health/live" },
  "GET /health/ready": { at: "/health/ready" },
  ...Object.fromEntries(
    Object.entries(sent).flatMap(([name, { at, token }]) => {
      const [list, item] = [`${TENDER}/${name}`, `${TENDER}/${name}/{${ID_OF[name as keyof typeof ID_OF]}}`];
      const lists = at.slice(0, at.lastIndexOf("/"));
      return [
        [`GET ${list.replace("/award_complaints", AWARD_COMPLAINTS)}`, { at: lists, token }],
        [`GET ${item.replace("/award_complaints", AWARD_COMPLAINTS)}`, { at, token }],
      ];
    }),
  ),
});

const AWARD_COMPLAINTS = "/awards/{award_id}/complaints";
const ID_OF = {
  questions: "question_id",
  lots: "lot_id",
  contracts: "contract_id",
  cancellations: "cancellation_id",
  complaints: "complaint_id",
  award_complaints: "complaint_id",
  bids: "bid_id",
  awards: "award_id",
};

const tenderExamples = ({ enquiries, tendering, newTender }: Scene): OperationExamples => ({
  [`GET ${TENDER}`]: enquiries,
  [`GET ${API}/search`]: { at: `${API}/search?q=${encodeURIComponent("ремонт")}` },
  [`GET ${TENDER}/history`]: { at: `${enquiries.at}/history` },
  [`GET ${TENDER}/chronograph`]: { at: `${tendering.at}/chronograph`, key: "chronograph" },
  [`GET ${TENDER}/extract_credentials`]: { at: `${tendering.at}/extract_credentials`, key: "contracting" },
  [`POST ${API}/tenders`]: {
    at: `${API}/tenders`,
    data: alternatives(newTender, { ...newTender, title: "Інша назва" }),
  },
  [`PATCH ${TENDER}`]: { ...enquiries, data: alternatives({ description: "Так" }, { description: "Ні" }) },
  [`PATCH ${TENDER}/credentials`]: { at: `${tendering.at}/credentials`, token: tendering.token },
  [`PATCH ${TENDER}/chronograph`]: {
    at: `${tendering.at}/chronograph`,
    key: "chronograph",
    data: alternatives({}, { mode: "test" }),
  },
});

/** The operations on documents are the same for a tender and for its resources. */
const documentExamples = ({ enquiries, sent, documents }: Scene): OperationExamples => {
  const parents: { readonly [below: string]: ExampleTarget } = {
    "": enquiries,
    "/bids/{bid_id}": sent.bids,
    "/awards/{award_id}": sent.awards,
    "/contracts/{contract_id}": sent.contracts,
    "/cancellations/{cancellation_id}": sent.cancellations,
    "/complaints/{complaint_id}": sent.complaints,
    "/awards/{award_id}/complaints/{complaint_id}": sent.award_complaints,
  };
  return Object.fromEntries(
    Object.entries(parents).flatMap(([below, { at, token }]): [string, Example][] => {
      const [list, item] = [`${TENDER}${below}/documents`, `${TENDER}${below}/documents/{document_id}`];
      const own = { at: `${at}/documents`, token };
      const first = { at: `${at}/documents/${documents.get(at)}`, token };
      return [
        [`GET ${list}`, own],
        [`POST ${list}`, { ...own, file: FILES }],
        [`GET ${item}`, first],
        [`PUT ${item}`, { ...first, file: FILES }],
        [`PATCH ${item}`, { ...first, data: alternatives({ description: "Так" }, { description: "Ні" }) }],
      ];
    }),
  );
};

const enquiryExamples = ({ enquiries: { at, token }, sent, author, newLot }: Scene): OperationExamples => ({
  [`POST ${TENDER}/questions`]: {
    at: `${at}/questions`,
    data: alternatives({ title: "Що?", author }, { title: "Як?", author }),
  },
  [`PATCH ${TENDER}/questions/{question_id}`]: {
    at: sent.questions.at,
    token,
    data: alternatives({ answer: "Так." }, { answer: "Ні." }),
  },
  [`POST ${TENDER}/lots`]: { at: `${at}/lots`, token, data: alternatives(newLot, { ...newLot, title: "Інший" }) },
  [`PATCH ${TENDER}/lots/{lot_id}`]: { at: sent.lots.at, token, data: alternatives({ title: "Так" }, { title: "Ні" }) },
  [`DELETE ${TENDER}/lots/{lot_id}`]: { at: sent.lots.at, token },
  [`POST ${TENDER}/complaints`]: { at: `${at}/complaints`, data: alternatives(claimOf(), claimOf({ title: "Інша" })) },
  [`PATCH ${TENDER}/complaints/{complaint_id}`]: {
    ...sent.complaints,
    data: alternatives({ title: "Так" }, { title: "Ні" }),
  },
  [`POST ${TENDER}/cancellations`]: {
    at: `${at}/cancellations`,
    token,
    data: alternatives({ reason: "Не треба" }, { reason: "Немає грошей" }),
  },
  [`PATCH ${TENDER}/cancellations/{cancellation_id}`]: {
    at: sent.cancellations.at,
    token,
    data: alternatives({ reason: "Так" }, { reason: "Ні" }),
  },
});

const bidExamples = ({ sent: { bids }, tendering, qualification, newBid }: Scene): OperationExamples => ({
  // Bids are sealed until the tender period ends.
  [`GET ${TENDER}/bids`]: { at: `${qualification.at}/bids` },
  [`POST ${TENDER}/bids`]: { at: `${tendering.at}/bids`, data: alternatives(newBid(300), newBid(301)) },
  [`PATCH ${TENDER}/bids/{bid_id}`]: {
    ...bids,
    data: alternatives({ value: { amount: 200 } }, { value: { amount: 201 } }),
  },
  [`DELETE ${TENDER}/bids/{bid_id}`]: bids,
});

const awardExamples = ({ qualification, newAward, sent, awarded, bidder }: Scene): OperationExamples => ({
  [`POST ${TENDER}/awards`]: {
    at: `${qualification.at}/awards`,
    key: "token",
    data: alternatives(newAward, { ...newAward, title: "Інша" }),
  },
  [`PATCH ${TENDER}/awards/{award_id}`]: {
    ...sent.awards,
    data: alternatives({ status: "active" }, { status: "unsuccessful" }),
  },
  [`POST ${TENDER}/contracts`]: {
    at: `${awarded.at}/contracts`,
    key: "token",
    data: alternatives({ awardID: awarded.awardID }, { awardID: awarded.awardID, title: "Інший" }),
  },
  [`PATCH ${TENDER}/contracts/{contract_id}`]: {
    ...sent.contracts,
    data: alternatives({ title: "Так" }, { title: "Ні" }),
  },
  [`POST ${TENDER}${AWARD_COMPLAINTS}`]: {
    at: `${awarded.at}/awards/${awarded.awardID}/complaints`,
    token: bidder,
    data: alternatives(claimOf(), claimOf({ title: "Інша" })),
  },
  [`PATCH ${TENDER}${AWARD_COMPLAINTS}/{complaint_id}`]: {
    ...sent.award_complaints,
    data: alternatives({ title: "Так" }, { title: "Ні" }),
  },
});

const auctionExamples = ({ auction, lotsAuction, lot }: Scene): OperationExamples => {
  const key = "auction";
  const [tenderAuction, lotAuction] = [`${auction}/auction`, `${lotsAuction}/auction/${lot}`];
  return {
    [`GET ${TENDER}/auction`]: { at: tenderAuction, key },
    [`PATCH ${TENDER}/auction`]: { at: tenderAuction, key, data: alternatives({ auctionUrl: "http://a.example" }, {}) },
    [`POST ${TENDER}/auction`]: { at: tenderAuction, key, data: alternatives({}, { auctionUrl: "http://a.example" }) },
    [`PATCH ${TENDER}/auction/{auction_lot_id}`]: { at: lotAuction, key, data: alternatives({ lots: [{}, {}] }, {}) },
    [`POST ${TENDER}/auction/{auction_lot_id}`]: { at: lotAuction, key, data: alternatives({}, { lots: [{}, {}] }) },
  };
};

/** Only in a registry that holds auctions itself. */
function liveAuctionExamples({ live }: Scene): OperationExamples {
  if (!live) return {};
  const { at, ended, query, token } = live;
  const AUCTION = `${API}/auctions/{auction_id}`;
  return {
    [`GET ${API}/auctions`]: { at: `${API}/auctions` },
    [`GET ${AUCTION}`]: { at },
    [`GET ${AUCTION}/events`]: { at: `${at}/events` },
    [`GET ${AUCTION}/record`]: { at: `${ended}/record` },
    [`POST ${AUCTION}/bids`]: {
      at: `${at}/bids${query}`,
      token,
      data: alternatives({ amount: 460000 }, { amount: 450000 }),
    },
    [`DELETE ${AUCTION}/bids/current`]: { at: `${at}/bids/current${query}`, token },
    [`POST ${AUCTION}/links`]: { at: `${at}/links${query}`, token },
  };
}

const siteExamples = ({ clock, webhook, delivery, registered, md5 }: Scene): OperationExamples => ({
  "POST /sandbox/clocks": {
    at: "/sandbox/clocks",
    data: alternatives({ now: "2026-11-16T10:00:00+02:00" }, { now: "2026-11-17T10:00:00+02:00" }),
  },
  "POST /sandbox/clocks/{clock_id}/advance": {
    at: `/sandbox/clocks/${clock}/advance`,
    data: alternatives({ by: "PT1H" }, { by: "PT2H" }),
  },
  "POST /webhooks": {
    at: "/webhooks",
    data: alternatives({ url: "http://127.0.0.1:9/a", filter: { tenderID: "none" } }, { url: "http://127.0.0.1:9/b" }),
  },
  "POST /webhooks/{webhook_id}/deliveries/{delivery_id}/resend": {
    at: `/webhooks/${webhook}/deliveries/${delivery}/resend`,
  },
  "POST /webhooks/{webhook_id}/secret": {
    at: `/webhooks/${webhook}/secret`,
    data: alternatives({ overlap: "PT1H" }, { overlap: 0 }),
  },
  "PATCH /webhooks/{webhook_id}": {
    at: `/webhooks/${webhook}`,
    data: alternatives({ opt_fields: "title" }, { opt_fields: "status" }),
  },
  "DELETE /webhooks/{webhook_id}": { at: `/webhooks/${webhook}` },
  "POST /register": { at: "/register", data: alternatives({ hash: `md5:${md5}` }, { hash: `md5:${"0".repeat(32)}` }) },
  "POST /upload": { at: "/upload", file: FILES },
  "POST /upload/{key}": { at: registered, file: [{ name: "а.txt", content: "а" }, FILES![1]] },
});
