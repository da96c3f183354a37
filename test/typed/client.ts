/** What must compile with the client's types, and what must not: test/clientTypes.test.ts compiles this file. */
import {
  type BidSent,
  type Change,
  type Client,
  type ErrorDescription,
  type ErrorRule,
  type FeedEntry,
  type OrganizationSent,
  openClient,
  type Tender,
  TenderhallError,
  type TenderSent,
  verifyWebhook,
} from "../../src/client/index.ts";

const client: Client = openClient({ url: "http://127.0.0.1:8080", key: "broker" });

const school: OrganizationSent = {
  name: "School",
  identifier: { scheme: "UA-EDR", id: "21725150" },
  address: { countryName: "Україна" },
  contactPoint: {},
};

/** The least that can be published. */
const meals = {
  title: "Meals",
  procuringEntity: school,
  value: { amount: 500 },
  minimalStep: { amount: 5 },
  enquiryPeriod: { endDate: "2026-11-20" },
  tenderPeriod: { endDate: "2026-11-27" },
  items: [{ description: "Meals", classification: { id: "55523100-3", description: "Meals" } }],
} satisfies TenderSent;

export async function whatMustBeSent(id: string): Promise<void> {
  await client.tenders.create(meals);
  await client.tenders.create({ ...meals, procurementMethodType: "belowThreshold", status: "draft" });
  const { minimalStep, ...rest } = meals;
  await client.tenders.create({ ...rest, lots: [{ title: "Lot", value: { amount: 1 }, minimalStep: { amount: 1 } }] });
  const { enquiryPeriod, tenderPeriod, ...direct } = rest;
  await client.tenders.create({ ...direct, procurementMethodType: "reporting" });
  // @ts-expect-error: bids need periods
  await client.tenders.create({ ...direct, minimalStep, procurementMethodType: "belowThreshold" });
  // @ts-expect-error: neither a step, nor lots that have one
  await client.tenders.create(rest);
  // @ts-expect-error: a tender needs all the rest
  await client.tenders.create({});
  // @ts-expect-error: a tender needs all the rest
  await client.tenders.create({ title: "Meals" });
  // @ts-expect-error: an amount is missing
  await client.tenders.create({ ...meals, value: { currency: "UAH" } });
  // @ts-expect-error: an end is missing
  await client.tenders.create({ ...meals, tenderPeriod: { startDate: "2026-11-20" } });
  const classification = { description: "Meals" };
  // @ts-expect-error: the code of the classification is missing
  await client.tenders.create({ ...meals, items: [{ description: "Meals", classification }] });
  // @ts-expect-error: there is no such procedure
  await client.tenders.create({ ...meals, procurementMethodType: "aboveThreshold" });
  // @ts-expect-error: the registry gives ids itself
  await client.tenders.create({ ...meals, id: "0" });

  const bid: BidSent = { tenderers: [school], value: { amount: 400 } };
  await client.bids.create(id, bid);
  await client.bids.create(id, { tenderers: [school], lotValues: [{ relatedLot: id, value: { amount: 1 } }] });
  // @ts-expect-error: it has no price
  await client.bids.create(id, { tenderers: [school] });
  // @ts-expect-error: nobody makes it
  await client.bids.create(id, { value: { amount: 400 } });
  // @ts-expect-error: an address and a contact are missing
  await client.bids.create(id, { ...bid, tenderers: [{ name: "Cook", identifier: { scheme: "UA-EDR", id: "1" } }] });

  await client.questions.create(id, { title: "When?", author: school });
  // @ts-expect-error: nobody asks it
  await client.questions.create(id, { title: "When?" });
  await client.complaints.create(id, { title: "Unfair", author: school });
  // @ts-expect-error: it has no title
  await client.complaints.create({ tender: id, award: id }, { author: school });
  await client.cancellations.create(id, { reason: "No money" });
  // @ts-expect-error: it has no reason
  await client.cancellations.create(id, {});
  // @ts-expect-error: a lot has a value
  await client.lots.create(id, { title: "Lot" });
  await client.awards.create(id, { status: "pending" });
  await client.awards.create(id, { suppliers: [school], bid_id: id });
  await client.awards.create(id, { suppliers: [school], qualified: true });
  // @ts-expect-error: to whom?
  await client.awards.create(id, { bid_id: id });
  // @ts-expect-error: of which award?
  await client.contracts.create(id, {});
  // @ts-expect-error: where is it, and what is it called?
  await client.documents.register({ tender: id }, { hash: "md5:0" });
  // @ts-expect-error: where to?
  await client.webhooks.create({});
}

/** What is changed is what is named: nothing of it is required. */
export async function whatMayBeChanged(id: string): Promise<void> {
  await client.tenders.patch(id, {});
  await client.tenders.patch(id, { title_en: null, items: [{}, { quantity: 3 }], value: { currency: "UAH" } });
  await client.bids.patch(id, id, { value: { amount: 300 } });
  await client.complaints.patch(id, id, { status: "cancelled", cancellationReason: "Settled" });
  // @ts-expect-error: there is no such status
  await client.tenders.patch(id, { status: "nonsense" });
  // @ts-expect-error: there is no such procedure
  await client.tenders.patch(id, { procurementMethodType: "aboveThreshold" });
}

/** What is read may be newer than the client. */
export async function whatIsRead(id: string): Promise<string> {
  const { data } = await client.tenders.get(id);
  const tender: Tender = data;
  const type: string | undefined = tender.procurementMethodType;
  if (tender.procurementMethodType === "belowThreshold" || tender.procurementMethodType === "newer") return "known";
  // @ts-expect-error: a tender of an older version may have none
  tender.title.length;
  const fresh = await client.tenders.get(id, { ifNoneMatch: "x" });
  // @ts-expect-error: it may not have been modified
  fresh.data.id;
  return type ?? "";
}

export async function whatIsIterated(signal: AbortSignal): Promise<string> {
  for await (const change of client.follow({ offset: "0", signal, status: ["active.tendering"] })) {
    const narrowed: Change = change;
    return narrowed.offset;
  }
  for await (const tender of client.tenders.all({ status: "complete", descending: true, signal })) return tender.offset;
  return "";
}

export function whatWentWrong(error: unknown): string {
  if (!(error instanceof TenderhallError)) return "";
  const [entry] = error.errors;
  if (!entry) return "";
  const description: ErrorDescription = entry.description;
  // @ts-expect-error: it may be a list or an object
  description.trim();
  switch (entry.rule) {
    case "field-required":
    case "a-newer-rule":
      break;
  }
  const rule: ErrorRule = "outside-tender-period";
  // @ts-expect-error: there is no such rule
  const unknown: ErrorRule = "a-newer-rule";
  return typeof description === "string" ? description : rule + unknown;
}

/** A value that may not be there may be named all the same, where types tell the two apart as well. */
export async function whatMayBeUndefined(id: string, maybe: string | undefined, entry: FeedEntry): Promise<boolean> {
  await client.tenders.list({ offset: maybe, tenderID: maybe, dateModified_from: maybe, limit: undefined });
  await client.tenders.create({ ...meals, description: maybe }, { clock: maybe, idempotencyKey: maybe, token: maybe });
  await client.tenders.patch(id, { title: maybe }, { ifMatch: maybe, retries: undefined, headers: undefined });
  await client.documents.upload({ tender: entry.id, bid: maybe }, "x", { name: maybe, onProgress: undefined });
  await client.webhooks.create({ url: "https://tenders.example", offset: maybe, opt_fields: maybe });
  await client.webhooks.deliveries("x", { status: undefined, offset: maybe });
  await client.webhooks.rotateSecret("x", { overlap: maybe });
  openClient({
    url: "http://127.0.0.1:8080",
    key: maybe,
    version: maybe,
    retries: { max: undefined },
    fetch: undefined,
  });
  return verifyWebhook({ secret: "s", signature: null, body: "" });
}

/** What is beside the versions has its types too. */
export async function whatIsBesideTheVersions(tender: string): Promise<string> {
  const bid = await client.bids.create(tender, { tenderers: [school], value: { amount: 400 } }, { dryRun: true });
  await client.documents.upload({ tender, bid: bid.data.id }, new Uint8Array(3), { name: "a", onProgress: () => {} });
  const ended: string = (await client.webhooks.delete("x")).data.url;
  const { upload_url: uploadUrl } = await client.documentService.register(ended);
  const stored: string = (await client.documentService.upload("x", { uploadUrl })).data.title;
  const store: string | undefined = (await client.health.ready()).body?.checks?.store;
  // @ts-expect-error: it may not have been modified
  (await client.clocks.get(stored, { ifNoneMatch: store })).data.id;
  await client.clocks.advance("x", { next: true });
  return bid.token;
}
