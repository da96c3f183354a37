import { md5Of, openClient } from "./documentService.ts";
import { bidOf, cook, DAY, fullTender, iso } from "./examples.ts";
import {
  awarded,
  bids,
  claimOf,
  closed,
  LOT_A,
  LOT_B,
  lotOf,
  onBoth,
  published,
  qualifying,
  type Story,
  withLots,
} from "./procedure.ts";
import { until } from "./processes.ts";
import { openHooks, openReceiver } from "./receiver.ts";
import { expectStatus, type World } from "./world.ts";

/** A registry at a moment at which there is a tender in every status that something can be done in, with all that hangs on it. */

const ROOT = "/api/2.5";
const at = ({ path }: Story): string => ROOT + path;

export type Scene = Awaited<ReturnType<typeof openScene>>;

export async function openScene(world: World) {
  const auction = at(await closed(world, bids(100, 200)));
  const lotsAuction = at(await closed(world, [onBoth(900, 800), onBoth(700, 600)], withLots(world.clock.now)));
  const qualification = await qualifying(world, bids(100));
  // The one that is bid for opens while the winner of the other is decided on.
  const { now } = world.clock;
  const periods = { enquiryPeriod: { endDate: iso(now + 7 * DAY) }, tenderPeriod: { endDate: iso(now + 60 * DAY) } };
  const tendering = await published(world, periods);
  const winning = await awarded(world, bids(100));
  const bid = await tendering.place(bidOf(400));
  const enquiries = await published(world, withLots(world.clock.now));
  const sent = {
    ...(await onEnquiries(enquiries)),
    ...(await onAwards(winning, qualification)),
    bids: bid && own(bid.path, bid.token),
  };
  const holders = [own(enquiries.path, enquiries.token), ...Object.values(sent)];
  return {
    // Deliveries are not kept for as long as all this takes.
    ...(await besideTheTenders(world)),
    auction,
    lotsAuction,
    lot: LOT_A,
    qualification: own(qualification.path, qualification.token),
    tendering: own(tendering.path, tendering.token),
    awarded: { at: at(winning), awardID: (await winning.seen()).awards[0].id as string },
    bidder: winning.bidders[0]!.token,
    enquiries: own(enquiries.path, enquiries.token),
    sent,
    documents: await withDocuments(world, holders),
    author: cook,
    newTender: fullTender(world.clock.now),
    newLot: lotOf("c".repeat(32)),
    newBid: (amount: number) => bidOf(amount),
    newAward: { suppliers: [cook], bid_id: qualification.bidders[0]!.id },
  };
}

const own = (path: string, token?: string) => ({ at: ROOT + path, token });

async function onEnquiries(story: Story) {
  const { path, token, api } = story;
  const question = await story.as("broker2", "POST", "/questions", { title: "Сніданки?", author: cook });
  const complaint = await api.post(`${path}/complaints`, claimOf());
  const cancellation = await story.own("POST", "/cancellations", { reason: "немає грошей" });
  const idOf = (answered: typeof question): string => expectStatus(201, answered).body.data.id;
  return {
    questions: own(`${path}/questions/${idOf(question)}`),
    // The one without an item, which can be taken out.
    lots: own(`${path}/lots/${LOT_B}`),
    complaints: own(`${path}/complaints/${idOf(complaint)}`, complaint.body.access.token),
    cancellations: own(`${path}/cancellations/${idOf(cancellation)}`, token),
  };
}

async function onAwards(story: Story, undecided: Story) {
  const { path, token, api, bidders } = story;
  const { awards, contracts } = await story.seen();
  const award = `${path}/awards/${awards[0].id}`;
  const { data, access } = expectStatus(
    201,
    await api.post(`${award}/complaints`, claimOf(), { token: bidders[0]!.token }),
  ).body;
  return {
    contracts: own(`${path}/contracts/${contracts[0].id}`, token),
    award_complaints: own(`${award}/complaints/${data.id}`, access.token),
    // Its documents are added while it is decided on.
    awards: own(`${undecided.path}/awards/${(await undecided.seen()).awards[0].id}`, undecided.token),
  };
}

/** A document on everything that can have one, by the address of what has it. */
async function withDocuments(world: World, holders: readonly { readonly at: string; readonly token?: string }[]) {
  const documents = new Map<string, string>();
  for (const { at: holder, token } of holders) {
    if (/\/(questions|lots)\//.test(holder)) continue;
    const file = { name: "перший.txt", content: "перший" };
    const sent = await world.api("2.5").upload(`${world.url}${holder}/documents`, file, { token });
    documents.set(holder, expectStatus(201, sent).body.data.id);
  }
  return documents;
}

async function besideTheTenders(world: World) {
  const api = world.api("2.5");
  const service = openClient(world);
  const clock = expectStatus(201, await api.post(`${world.url}/sandbox/clocks`, {})).body.data.id;
  const hooks = openHooks(world);
  const { url, told } = await openReceiver();
  const webhook = expectStatus(201, await hooks.create({ url })).body.data.id;
  expectStatus(201, await api.post("/tenders", fullTender(world.clock.now)));
  await told(1);
  await until(
    async () => (await hooks.deliveries(webhook, "?status=delivered")).length === 1,
    () => "the delivery to be known for one",
  );
  // What happens from here on is told to nobody, so that nothing is written but by those who ask.
  expectStatus(200, await hooks.patch(webhook, { status: "paused" }));
  const [{ id: delivery }] = await hooks.deliveries(webhook);
  const md5 = md5Of("а");
  const registered = expectStatus(201, await service.register(`md5:${md5}`)).body.upload_url;
  const { get_url } = expectStatus(200, await service.upload("файл")).body;
  return { clock, webhook, delivery, md5, registered: below(registered), file: below(get_url) };
}

const below = (address: string): string => new URL(address).pathname + new URL(address).search;
