import { md5Of, openDocumentServiceClient } from "./documentService.ts";
import { bidOf, cook, DAY, formatTime, fullTender } from "./examples.ts";
import {
  bidsOf,
  claimOf,
  LOT_A,
  LOT_B,
  lotOf,
  onBoth,
  reachAwarded,
  reachEnquiries,
  reachQualification,
  reachTenderingEnd,
  type TenderStory,
  withLots,
} from "./procedure.ts";
import { waitUntil } from "./processes.ts";
import { openWebhookApi, openWebhookReceiver } from "./webhookReceiver.ts";
import { expectStatus, type World } from "./world.ts";

/** A registry at a moment at which there is a tender in every status that something can be done in, with all that hangs on it. */

const ROOT = "/api/2.5";
const apiPathOf = ({ path }: TenderStory): string => ROOT + path;

export type Scene = Awaited<ReturnType<typeof openScene>>;

export async function openScene(world: World) {
  const auction = apiPathOf(await reachTenderingEnd(world, bidsOf(100, 200)));
  const lotsAuction = apiPathOf(
    await reachTenderingEnd(world, [onBoth(900, 800), onBoth(700, 600)], withLots(world.clock.now)),
  );
  const qualification = await reachQualification(world, bidsOf(100));
  // The one that is bid for opens while the winner of the other is decided on.
  const { now } = world.clock;
  const periods = {
    enquiryPeriod: { endDate: formatTime(now + 7 * DAY) },
    tenderPeriod: { endDate: formatTime(now + 60 * DAY) },
  };
  const tendering = await reachEnquiries(world, periods);
  const awardedStory = await reachAwarded(world, bidsOf(100));
  const bid = await tendering.placeBid(bidOf(400));
  const enquiries = await reachEnquiries(world, withLots(world.clock.now));
  const sent = {
    ...(await addEnquiryObjects(enquiries)),
    ...(await addAwardObjects(awardedStory, qualification)),
    bids: bid && target(bid.path, bid.token),
  };
  const holders = [target(enquiries.path, enquiries.token), ...Object.values(sent)];
  return {
    // Deliveries are not kept for as long as all this takes.
    ...(await addSiteObjects(world)),
    auction,
    lotsAuction,
    lot: LOT_A,
    qualification: target(qualification.path, qualification.token),
    tendering: target(tendering.path, tendering.token),
    awarded: { at: apiPathOf(awardedStory), awardID: (await awardedStory.fetchTender()).awards[0].id as string },
    bidder: awardedStory.bidders[0]!.token,
    enquiries: target(enquiries.path, enquiries.token),
    sent,
    documents: await addDocuments(world, holders),
    author: cook,
    newTender: fullTender(world.clock.now),
    newLot: lotOf("c".repeat(32)),
    newBid: (amount: number) => bidOf(amount),
    newAward: { suppliers: [cook], bid_id: qualification.bidders[0]!.id },
  };
}

const target = (path: string, token?: string) => ({ at: ROOT + path, token });

async function addEnquiryObjects(story: TenderStory) {
  const { path, token, api } = story;
  const question = await story.as("broker2", "POST", "/questions", { title: "Сніданки?", author: cook });
  const complaint = await api.post(`${path}/complaints`, claimOf());
  const cancellation = await story.asOwner("POST", "/cancellations", { reason: "немає грошей" });
  const idOf = (answered: typeof question): string => expectStatus(201, answered).body.data.id;
  return {
    questions: target(`${path}/questions/${idOf(question)}`),
    // The one without an item, which can be taken out.
    lots: target(`${path}/lots/${LOT_B}`),
    complaints: target(`${path}/complaints/${idOf(complaint)}`, complaint.body.access.token),
    cancellations: target(`${path}/cancellations/${idOf(cancellation)}`, token),
  };
}

async function addAwardObjects(story: TenderStory, pendingStory: TenderStory) {
  const { path, token, api, bidders } = story;
  const { awards, contracts } = await story.fetchTender();
  const award = `${path}/awards/${awards[0].id}`;
  const { data, access } = expectStatus(
    201,
    await api.post(`${award}/complaints`, claimOf(), { token: bidders[0]!.token }),
  ).body;
  return {
    contracts: target(`${path}/contracts/${contracts[0].id}`, token),
    award_complaints: target(`${award}/complaints/${data.id}`, access.token),
    // Its documents are added while it is decided on.
    awards: target(
      `${pendingStory.path}/awards/${(await pendingStory.fetchTender()).awards[0].id}`,
      pendingStory.token,
    ),
  };
}

/** A document on everything that can have one, by the address of what has it. */
async function addDocuments(world: World, holders: readonly { readonly at: string; readonly token?: string }[]) {
  const documents = new Map<string, string>();
  for (const { at: holder, token } of holders) {
    if (/\/(questions|lots)\//.test(holder)) continue;
    const file = { name: "перший.txt", content: "перший" };
    const response = await world.api("2.5").upload(`${world.url}${holder}/documents`, file, { token });
    documents.set(holder, expectStatus(201, response).body.data.id);
  }
  return documents;
}

async function addSiteObjects(world: World) {
  const api = world.api("2.5");
  const service = openDocumentServiceClient(world);
  const clock = expectStatus(201, await api.post(`${world.url}/sandbox/clocks`, {})).body.data.id;
  const hooks = openWebhookApi(world);
  const { url, waitForDeliveries } = await openWebhookReceiver();
  const webhook = expectStatus(201, await hooks.create({ url })).body.data.id;
  expectStatus(201, await api.post("/tenders", fullTender(world.clock.now)));
  await waitForDeliveries(1);
  await waitUntil(
    async () => (await hooks.deliveries(webhook, "?status=delivered")).length === 1,
    () => "the delivery to be known for one",
  );
  // What happens from here on is told to nobody, so that nothing is written but by those who ask.
  expectStatus(200, await hooks.patch(webhook, { status: "paused" }));
  const [{ id: delivery }] = await hooks.deliveries(webhook);
  const md5 = md5Of("а");
  const registered = expectStatus(201, await service.register(`md5:${md5}`)).body.upload_url;
  const { get_url } = expectStatus(200, await service.upload("файл")).body;
  return { clock, webhook, delivery, md5, registered: pathIn(registered), file: pathIn(get_url) };
}

const pathIn = (address: string): string => new URL(address).pathname + new URL(address).search;
