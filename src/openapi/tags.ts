import { required } from "../base/required.ts";
/** The groups of operations: one for each resource, in the order in which a newcomer meets them. */

export const TAGS = {
  Tenders: "A buyer publishes a tender and changes it; everything else belongs to one.",
  Feed: "The list of tenders in the order of change: page by page, or as a stream of events.",
  Search: "Finding tenders by words and filters, with counts.",
  Documents: "Files of tenders, bids, awards, contracts, complaints and cancellations, with all their versions.",
  Lots: "Parts of a tender that are bid for, auctioned and awarded separately.",
  Questions: "Suppliers ask while enquiries last, and the buyer answers.",
  Bids: "Suppliers place their offers while the tender period lasts.",
  Auction: "Between bids and awards: the auction service reads the prices and reports what came of them.",
  "Live auctions":
    "Auctions that the registry itself holds: watched by everyone, with prices that bidders place in turns.",
  Awards: "Decisions on bids.",
  Contracts: "What an accepted award leads to: the tender ends when its contract is signed.",
  Complaints: "Claims against a tender or an award, and the buyer's answers.",
  Cancellations: "The end of a tender or of a lot before its time.",
  Credentials: "Owner tokens.",
  Scheduling: "For the scheduler that plans auctions.",
  Service: "Whether the service works, and a list of methods for old clients.",
  "Test clocks": "Sandbox only: clocks that stand still until they are moved, so that nobody waits for a procedure.",
  Webhooks: "Changes of tenders, sent to an address of your own, signed and retried.",
  "Document service": "Files that are uploaded first and become documents later.",
  "Open data": "Releases and records in the Open Contracting Data Standard, for everybody.",
} as const;

export type Tag = keyof typeof TAGS;

/** By the last word of the path that is in the table: documents of a bid are documents. */
const TAG_OF: { readonly [segment: string]: Tag } = {
  tenders: "Tenders",
  history: "Tenders",
  stream: "Feed",
  search: "Search",
  documents: "Documents",
  lots: "Lots",
  questions: "Questions",
  bids: "Bids",
  bidders: "Bids",
  auction: "Auction",
  awards: "Awards",
  contracts: "Contracts",
  complaints: "Complaints",
  cancellations: "Cancellations",
  credentials: "Credentials",
  extract_credentials: "Credentials",
  chronograph: "Scheduling",
  health: "Service",
  spore: "Service",
  clocks: "Test clocks",
  webhooks: "Webhooks",
  register: "Document service",
  upload: "Document service",
  get: "Document service",
  ocds: "Open data",
  data: "Open data",
};

export function tagOf(method: string, path: string): Tag {
  if (method === "GET" && path === "/tenders") return "Feed";
  if (path === "/auctions" || path.startsWith("/auctions/")) return "Live auctions";
  const tags = path.split("/").flatMap((word) => (Object.hasOwn(TAG_OF, word) ? (TAG_OF[word] ?? []) : []));
  return required(tags.at(-1), `the tag of ${path}`);
}

/** The tags of these operations, each with its description. */
export function tagsOf(paths: object): readonly { readonly name: string; readonly description: string }[] {
  const operations: { readonly tags?: readonly string[] }[] = Object.values(paths).flatMap((path) =>
    Object.values(path),
  );
  const used = new Set(operations.flatMap(({ tags = [] }) => tags));
  return Object.entries(TAGS)
    .filter(([name]) => used.has(name))
    .map(([name, description]) => ({ name, description }));
}
