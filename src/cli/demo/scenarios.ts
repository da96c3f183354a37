import { required } from "../../base/required.ts";
import type { Client, OrganizationSent, Value } from "../../client/index.ts";
import { segmentFor } from "../../dialects/dialects.ts";
import { PROCEDURES } from "../../domain/procedures/index.ts";
import type { RemoteRegistry } from "../remote.ts";
import { auctionIdsOf, type DemoBid, fetchAuction, planAuctions, playAuctions } from "./auctionScenario.ts";
import { DIRECT_KEYS, playDirectTender } from "./directScenario.ts";
import { DAY, HOUR, type TenderPlan } from "./plans.ts";
import { pdfFile, textFile } from "./sampleFiles.ts";
import { publishScene, type TenderScene } from "./scene.ts";
import type { Scenario } from "./schedule.ts";
import { bidBodyOf, money, tenderBodyOf } from "./tenders.ts";

// The steps of the tenders of the demo, for all procedures.

type Brokers = { readonly publishers: readonly string[]; readonly participants: readonly string[] };

/** Brokers by their keys. Those accredited for test tenders only take part in no others. */
const REAL_BROKERS: Brokers = { publishers: ["broker", "broker1"], participants: ["broker2", "broker"] };
const TEST_BROKERS: Brokers = { publishers: ["broker1t"], participants: ["broker2t"] };
/** Brokers whose levels cover tenders without competition. */
const DIRECT_BROKERS: Brokers = { publishers: ["broker", "broker3"], participants: ["broker"] };
const AUCTIONEER = "auction";
const AUCTION_PLANNER = "chronograph";

/** The keys of those who take part in the auctions that the demo shows. */
export const SHOWCASE_KEYS = { publisher: "broker", participant: "broker2", planner: AUCTION_PLANNER };

/** The keys of all accounts that the demo uses. */
export const KEYS: readonly string[] = [
  ...new Set(
    [REAL_BROKERS, TEST_BROKERS, DIRECT_BROKERS].flatMap(({ publishers, participants }) => [
      ...publishers,
      ...participants,
    ]),
  ),
  AUCTIONEER,
  AUCTION_PLANNER,
  ...DIRECT_KEYS,
];

const isDirect = ({ procedure }: TenderPlan): boolean => !PROCEDURES[procedure].bids;

function brokersOf(plan: TenderPlan): Brokers {
  if (isDirect(plan)) return DIRECT_BROKERS;
  return plan.isTest ? TEST_BROKERS : REAL_BROKERS;
}
const participantOf = (plan: TenderPlan): string => plan.random.pick(brokersOf(plan).participants);

/** A tender that the demo created. */
export type DemoTender = { readonly scene: TenderScene; readonly plan: TenderPlan };
/** What the scenarios of a demo share. */
export type DemoContext = {
  readonly remote: RemoteRegistry;
  /** The id of the test clock. */
  readonly clock: string;
  readonly onPublished: (tender: DemoTender) => void;
};

/** The scenario of one tender: creates it and takes it to the planned status. */
export async function* playTender(context: DemoContext, plan: TenderPlan): Scenario {
  const { random, procedure, twist } = plan;
  // Tenders of the basic procedure can be created only in an older version of the API.
  const version = segmentFor(procedure);
  const scene = await publishScene(
    { ...context, version, key: random.pick(brokersOf(plan).publishers) },
    tenderBodyOf(plan),
  );
  context.onPublished({ scene, plan });
  if (twist === "draft") return;
  await scene.attach(scene.buyer, {}, specificationOf(plan));
  if (isDirect(plan)) return yield* twist === "cancelled" ? cancelTender(scene, plan) : playDirectTender(scene, plan);
  yield* playEnquiries(scene, plan);
  if (twist === "lot cancelled") yield* cancelLot(scene, plan);
  if (twist === "cancelled" && plan.sellers.length === 0) return yield* cancelTender(scene, plan);
  const bids = yield* placeBids(scene, plan);
  if (twist === "cancelled") return yield* cancelTender(scene, plan);
  yield plan.tenderingEndsAt + HOUR;
  if (procedure === "basic") return yield* finishBasic(scene, plan);
  if (bids.length === 0) return;
  yield* holdAuction(scene, plan, bids);
  yield* decideAwards(
    scene,
    plan,
    bids.map(({ client }) => client),
  );
}

/** The document of the buyer that says what is bought. */
export const specificationOf = ({ subject, buyer, number }: TenderPlan) =>
  number % 2 === 0
    ? pdfFile("technical-specification", [
        "Technical specification",
        subject.en,
        `Buyer: ${buyer.name_en}`,
        ...subject.items.map(({ en }, i) => `${i + 1}. ${en}`),
      ])
    : textFile("технічне-завдання", [
        "Технічне завдання",
        subject.uk,
        `Замовник: ${buyer.name}`,
        ...subject.items.map(({ uk }, i) => `${i + 1}. ${uk}`),
      ]);

/** Up to two questions, most of them answered, and sometimes a claim about the terms. */
async function* playEnquiries(scene: TenderScene, plan: TenderPlan): Scenario {
  const { random, subject, enquirer: author, publishedAt } = plan;
  for (const [i, [title, answer]] of random.sample(subject.questions, random.integer(0, 2)).entries()) {
    yield publishedAt + (i + 1) * DAY;
    const body = { title, description: `${title} Просимо уточнити.`, author };
    const { data: question } = await scene.participant(participantOf(plan)).questions.create(scene.id, body);
    if (random.fraction() < 0.15) continue;
    yield publishedAt + (i + 1) * DAY + 5 * HOUR;
    await scene.buyer.questions.patch(scene.id, question.id, { answer });
  }
  if (plan.procedure === "belowThreshold" && random.fraction() < 0.2) yield* fileClaim(scene, plan, author);
}

async function* fileClaim(
  { id, buyer, participant }: TenderScene,
  plan: TenderPlan,
  author: OrganizationSent,
): Scenario {
  const { publishedAt } = plan;
  yield publishedAt + 2 * DAY + 6 * HOUR;
  const complainant = participant(participantOf(plan));
  const { data: complaint } = await complainant.complaints.create(id, {
    title: "Завузькі вимоги до учасників",
    description: "Вимога щодо досвіду не пов'язана з предметом закупівлі. Просимо її прибрати.",
    author,
    status: "claim",
  });
  yield publishedAt + 3 * DAY + 2 * HOUR;
  const resolution = "Вимогу переглянуто, зміни внесено до документації.";
  await buyer.complaints.patch(id, complaint.id, { status: "answered", resolutionType: "resolved", resolution });
  yield publishedAt + 3 * DAY + 8 * HOUR;
  await complainant.complaints.patch(id, complaint.id, { satisfied: true, status: "resolved" });
}

async function* cancelLot(scene: TenderScene, { enquiriesEndAt }: TenderPlan): Scenario {
  yield enquiriesEndAt + 2 * HOUR;
  const { lots } = await scene.fetchTender();
  const relatedLot = required(lots?.[1], "the second lot").id;
  const reason = "Потреба у другому лоті відпала.";
  const cancellation = { reason, status: "active", cancellationOf: "lot", relatedLot } as const;
  await scene.buyer.cancellations.create(scene.id, cancellation);
}

/** Places the bids, spread over the tender period, each with a document. */
async function* placeBids(scene: TenderScene, plan: TenderPlan): Scenario<readonly DemoBid[]> {
  const { sellers, enquiriesEndAt, tenderingEndsAt } = plan;
  const bids: DemoBid[] = [];
  const step = (tenderingEndsAt - enquiriesEndAt - 3 * HOUR) / Math.max(1, sellers.length);
  for (const [i, seller] of sellers.entries()) {
    yield Math.floor((enquiriesEndAt + 3 * HOUR + i * step) / HOUR) * HOUR;
    const tender = await scene.fetchTender();
    const active = { lots: tender.lots?.filter(({ status }) => status === "active") };
    const client = scene.participant(participantOf(plan));
    const { data: bid, token } = await client.bids.create(scene.id, bidBodyOf(plan, seller, active));
    const lines = ["Proposal", `${seller.name_en}`, `For: ${plan.subject.en}`, "Valid for ninety days."];
    await scene.attach(client, { bid: bid.id }, pdfFile("proposal", lines));
    bids.push({ id: bid.id, token, client });
  }
  return bids;
}

async function* cancelTender(scene: TenderScene, plan: TenderPlan): Scenario {
  const { procedure, enquiriesEndAt, tenderingEndsAt, publishedAt, sellers } = plan;
  const { id, buyer } = scene;
  yield sellers.length > 0
    ? Math.floor((tenderingEndsAt - 8 * HOUR) / HOUR) * HOUR
    : (publishedAt + enquiriesEndAt) / 2;
  if (procedure === "basic") return void (await buyer.tenders.patch(id, { status: "cancelled" }));
  const cancellation = await buyer.cancellations.create(id, { reason: "Кошторис на цей рік скорочено." });
  await scene.attach(
    buyer,
    { cancellation: cancellation.data.id },
    textFile("рішення-про-скасування", ["Рішення про скасування", "Підстава: зміни до кошторису."]),
  );
  await buyer.cancellations.patch(id, cancellation.data.id, { status: "active" });
}

/** How long after the tender period the auctions of the service start. They are over three hours later at the latest. */
const AUCTION_DELAY = 18 * HOUR;

/** Lets the service hold the auction on the next day, or holds it in its place if other programs do so in this registry. */
async function* holdAuction(scene: TenderScene, plan: TenderPlan, bids: readonly DemoBid[]): Scenario {
  if ((await scene.fetchTender()).status !== "active.auction") return;
  const [auction] = await auctionIdsOf(scene);
  if (auction === undefined || !(await fetchAuction(scene.buyer, auction))) return yield* reportAuction(scene, plan);
  const startAt = plan.tenderingEndsAt + AUCTION_DELAY;
  await planAuctions(scene, scene.participant(AUCTION_PLANNER), startAt);
  yield* playAuctions(scene, bids, startAt, plan.random);
}

/** Reports the results of an auction elsewhere, in which every bidder lowered their bid a little. */
async function* reportAuction(scene: TenderScene, { tenderingEndsAt, random }: TenderPlan): Scenario {
  yield tenderingEndsAt + 22 * HOUR;
  const auctioneer = scene.participant(AUCTIONEER);
  const { data: auction } = await auctioneer.auction.get(scene.id);
  const lots = (await scene.fetchTender()).lots?.filter(({ status }) => status === "active");
  const lower = (value: Value | undefined) =>
    money(required(value?.amount, "the amount of a bid") * (0.93 + random.fraction() * 0.06));
  const bids = auction.bids.map(({ id, value, lotValues }) => ({
    id,
    ...(value && { value: lower(value) }),
    ...(lotValues && {
      lotValues: lotValues.map((lotValue) => ({ relatedLot: lotValue.relatedLot, value: lower(lotValue.value) })),
    }),
  }));
  if (!lots) return void (await auctioneer.auction.finish(scene.id, { bids }));
  for (const { id } of lots) await auctioneer.auction.finish(scene.id, { bids }, { lot: id });
}

/** Decides on the bids, then signs the contracts after the complaint period, sometimes with a claim in between. */
async function* decideAwards(scene: TenderScene, plan: TenderPlan, bidders: readonly Client[]): Scenario {
  const { tenderingEndsAt, twist, random } = plan;
  yield tenderingEndsAt + 52 * HOUR;
  for (let round = 0; round <= bidders.length * 2; round++) {
    const { status, awards = [] } = await scene.fetchTender();
    const pending = awards.find((award) => award.status === "pending");
    if (status !== "active.qualification" || !pending) break;
    const isRejected = twist === "rejected" || (round === 0 && bidders.length > 2 && random.fraction() < 0.2);
    const minutes = ["Протокол розгляду", isRejected ? "Пропозицію відхилено: немає довідки." : "Переможця визначено."];
    await scene.attach(scene.buyer, { award: pending.id }, textFile("протокол", minutes));
    await scene.buyer.awards.patch(scene.id, pending.id, { status: isRejected ? "unsuccessful" : "active" });
  }
  if (twist === "rejected") return;
  if (random.fraction() < 0.3) yield* contestAward(scene, plan, bidders);
  yield* signContracts(scene, plan);
}

/** A bidder files a claim about the award; the buyer answers it, and the bidder is satisfied. */
async function* contestAward(
  scene: TenderScene,
  { sellers, tenderingEndsAt }: TenderPlan,
  bidders: readonly Client[],
): Scenario {
  yield tenderingEndsAt + 55 * HOUR;
  const { awards = [] } = await scene.fetchTender();
  const award = awards.findLast(({ status }) => status === "active");
  const bidder = bidders.at(-1);
  const author = sellers.at(-1);
  if (!award || !bidder || !author) return;
  const target = { tender: scene.id, award: award.id };
  const { data: complaint } = await bidder.complaints.create(target, {
    title: "Прошу пояснити визначення переможця",
    description: "Просимо надати розрахунок, за яким визначено переможця.",
    author,
    status: "claim",
  });
  yield tenderingEndsAt + 72 * HOUR;
  const resolution = "Розрахунок додано до протоколу розгляду пропозицій.";
  const answer = { status: "answered", resolutionType: "declined", resolution } as const;
  await scene.buyer.complaints.patch(target, complaint.id, answer);
  yield tenderingEndsAt + 78 * HOUR;
  await bidder.complaints.patch(target, complaint.id, { satisfied: true, status: "resolved" });
}

async function* signContracts(scene: TenderScene, plan: TenderPlan): Scenario {
  const { awards = [] } = await scene.fetchTender();
  const complaintPeriodEnds = awards.flatMap(({ complaintPeriod }) =>
    complaintPeriod?.endDate ? [Date.parse(complaintPeriod.endDate)] : [],
  );
  yield Math.ceil(Math.max(...complaintPeriodEnds) / HOUR) * HOUR + 2 * HOUR;
  const { contracts = [] } = await scene.fetchTender();
  for (const { id } of contracts.filter(({ status }) => status === "pending")) {
    const lines = ["Contract", plan.subject.en, `Buyer: ${plan.buyer.name_en}`, "Signed by both sides."];
    await scene.attach(scene.buyer, { contract: id }, pdfFile("contract", lines));
    await scene.buyer.contracts.patch(scene.id, id, {
      status: "active",
      contractNumber: `${plan.number}/${new Date(plan.publishedAt).getUTCFullYear()}`,
    });
  }
}

/** The basic procedure has no auction: the owner records the award and sets the final status. */
async function* finishBasic(
  { id, buyer }: TenderScene,
  { tenderingEndsAt, sellers, twist, amount, status }: TenderPlan,
): Scenario {
  yield tenderingEndsAt + 20 * HOUR;
  // The fields of an older API version, which the typed methods do not have.
  const award = { awardStatus: "active", suppliers: [sellers[0]], awardValue: money(amount * 0.95) };
  if (sellers.length > 0 && twist !== "declared unsuccessful")
    await buyer.request("POST", `/tenders/${id}/awards`, { data: award });
  if (status === "active.qualification") return;
  yield tenderingEndsAt + 4 * DAY;
  await buyer.tenders.patch(id, { status: twist === "declared unsuccessful" ? "unsuccessful" : "complete" });
}
