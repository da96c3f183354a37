import { md5Of, openDocumentServiceClient } from "./documentService.ts";
import { bidOf, cook, DAY, formatTime, fullTender } from "./examples.ts";
import { reachFirstTurn } from "./liveAuctions.ts";
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

const ROOT = "/api/2.5";
const apiPathOf = ({ path }: TenderStory): string => ROOT + path;

/** Another service holds the auctions of this tender, so that the registry leaves them alone however late it becomes. */
async function holdElsewhere(story: TenderStory, ...lots: readonly string[]): Promise<TenderStory> {
  const auctionUrl = "http://auction.example";
  if (lots.length === 0) expectStatus(200, await story.as("auction", "PATCH", "/auction", { auctionUrl }));
  for (const lot of lots)
    expectStatus(
      200,
      await story.as("auction", "PATCH", `/auction/${lot}`, { lots: lots.map(() => ({ auctionUrl })) }),
    );
  return story;
}

/** Two auctions that the registry itself holds: a turn in which a price is placed, and one that has ended. */
async function addLiveAuctions(world: World) {
  const running = await reachFirstTurn(world);
  const [, bidder] = running.bidders;
  expectStatus(201, await running.place(bidder!, 470000));
  const ended = await reachFirstTurn(world);
  while ((await ended.fetchAuction()).phase !== "announcement") await ended.nextStage();
  const query = `?bid=${bidder!.id}`;
  return { at: `${ROOT}${running.path()}`, ended: `${ROOT}${ended.path()}`, query, token: bidder!.token };
}

/** A registry with a tender in every status and all resources, for `examplesIn`. */
export type Scene = Awaited<ReturnType<typeof openScene>>;

/** Creates the tenders of a scene. */
export async function openScene(world: World) {
  const auction = apiPathOf(await holdElsewhere(await reachTenderingEnd(world, bidsOf(100, 200))));
  const lotBids = [onBoth(900, 800), onBoth(700, 600)];
  const lotsAuction = apiPathOf(
    await holdElsewhere(await reachTenderingEnd(world, lotBids, withLots(world.clock.now)), LOT_A, LOT_B),
  );
  const qualification = await reachQualification(world, bidsOf(100));
  // This tender reaches its tender period while the next one is awarded.
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
  const parents = [target(enquiries.path, enquiries.token), ...Object.values(sent)];
  return {
    // Added last: deliveries are not stored for as long as the other steps take.
    ...(await addSiteObjects(world)),
    auction,
    lotsAuction,
    ...(world.config.auctions && { live: await addLiveAuctions(world) }),
    lot: LOT_A,
    qualification: target(qualification.path, qualification.token),
    tendering: target(tendering.path, tendering.token),
    awarded: { at: apiPathOf(awardedStory), awardID: (await awardedStory.fetchTender()).awards[0].id as string },
    bidder: awardedStory.bidders[0]!.token,
    enquiries: target(enquiries.path, enquiries.token),
    sent,
    documents: await addDocuments(world, parents),
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
  const idOf = (response: typeof question): string => expectStatus(201, response).body.data.id;
  return {
    questions: target(`${path}/questions/${idOf(question)}`),
    // The lot without items, which can be deleted.
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
    // An award takes documents while it is pending.
    awards: target(
      `${pendingStory.path}/awards/${(await pendingStory.fetchTender()).awards[0].id}`,
      pendingStory.token,
    ),
  };
}

/** Adds a document to every resource that can have one. Returns the ids by the path of the resource. */
async function addDocuments(world: World, parents: readonly { readonly at: string; readonly token?: string }[]) {
  const documents = new Map<string, string>();
  for (const { at: parent, token } of parents) {
    if (/\/(questions|lots)\//.test(parent)) continue;
    const file = { name: "перший.txt", content: "перший" };
    const response = await world.api("2.5").upload(`${world.url}${parent}/documents`, file, { token });
    documents.set(parent, expectStatus(201, response).body.data.id);
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
    () => "the delivery to be recorded",
  );
  // Paused, so that from here on only requests write to the registry.
  expectStatus(200, await hooks.patch(webhook, { status: "paused" }));
  const [{ id: delivery }] = await hooks.deliveries(webhook);
  const md5 = md5Of("а");
  const registered = expectStatus(201, await service.register(`md5:${md5}`)).body.upload_url;
  const { get_url } = expectStatus(200, await service.upload("файл")).body;
  return { clock, webhook, delivery, md5, registered: pathIn(registered), file: pathIn(get_url) };
}

const pathIn = (address: string): string => new URL(address).pathname + new URL(address).search;
