import type { Client, OrganizationSent, Value } from "../../client/index.ts";
import { segmentFor } from "../../dialects/dialects.ts";
import type { Remote } from "../remote.ts";
import { pdfPaper, textPaper } from "./papers.ts";
import { DAY, HOUR, type Plan } from "./plans.ts";
import { publish, type Scene } from "./scene.ts";
import type { Life } from "./schedule.ts";
import { bidOf, money, tenderOf } from "./tenders.ts";

/** How tenders live in the demonstration: what happens when, told once for all of a procedure. */

type Brokers = { readonly publishers: readonly string[]; readonly participants: readonly string[] };

/** By their keys. Those who are accredited for tests alone publish tests, and take part in no other tender. */
const REAL: Brokers = { publishers: ["broker", "broker1"], participants: ["broker2", "broker"] };
const TESTING: Brokers = { publishers: ["broker1t"], participants: ["broker2t"] };
const AUCTIONEER = "auction";

export const KEYS: readonly string[] = [
  ...new Set([REAL, TESTING].flatMap(({ publishers, participants }) => [...publishers, ...participants])),
  AUCTIONEER,
];

const brokersOf = ({ isTest }: Plan): Brokers => (isTest ? TESTING : REAL);
const participantOf = (plan: Plan): string => plan.chance.pick(brokersOf(plan).participants);

export type Living = { readonly scene: Scene; readonly plan: Plan };
export type Stage = { readonly remote: Remote; readonly clock: string; readonly onPublished: (living: Living) => void };

export async function* live(stage: Stage, plan: Plan): Life {
  const { chance, procedure, twist } = plan;
  // None of them names its type.
  const version = segmentFor(procedure);
  const scene = await publish({ ...stage, version, key: chance.pick(brokersOf(plan).publishers) }, tenderOf(plan));
  stage.onPublished({ scene, plan });
  if (twist === "draft") return;
  await scene.attach(scene.buyer, {}, termsOf(plan));
  yield* enquiries(scene, plan);
  if (twist === "lot cancelled") yield* cancelLot(scene, plan);
  if (twist === "cancelled" && plan.sellers.length === 0) return yield* cancel(scene, plan);
  const bids = yield* bidding(scene, plan);
  if (twist === "cancelled") return yield* cancel(scene, plan);
  yield plan.tenderingEndsAt + HOUR;
  if (procedure === "basic") return yield* plainEnd(scene, plan);
  if (bids.length === 0) return;
  yield* auction(scene, plan);
  yield* decisions(scene, plan, bids);
}

const termsOf = ({ subject, buyer, number }: Plan) =>
  number % 2 === 0
    ? pdfPaper("technical-specification", [
        "Technical specification",
        subject.en,
        `Buyer: ${buyer.name_en}`,
        ...subject.items.map(({ en }, i) => `${i + 1}. ${en}`),
      ])
    : textPaper("технічне-завдання", [
        "Технічне завдання",
        subject.uk,
        `Замовник: ${buyer.name}`,
        ...subject.items.map(({ uk }, i) => `${i + 1}. ${uk}`),
      ]);

/** Some ask; most are answered. Now and then somebody objects to the terms. */
async function* enquiries(scene: Scene, plan: Plan): Life {
  const { chance, subject, interested: author, publishedAt } = plan;
  for (const [i, [title, answer]] of chance.some(subject.asked, chance.whole(0, 2)).entries()) {
    yield publishedAt + (i + 1) * DAY;
    const asked = { title, description: `${title} Просимо уточнити.`, author };
    const { data: question } = await scene.participant(participantOf(plan)).questions.create(scene.id, asked);
    if (chance.share() < 0.15) continue;
    yield publishedAt + (i + 1) * DAY + 5 * HOUR;
    await scene.buyer.questions.patch(scene.id, question.id, { answer });
  }
  if (plan.procedure === "belowThreshold" && chance.share() < 0.2) yield* claim(scene, plan, author);
}

async function* claim({ id, buyer, participant }: Scene, plan: Plan, author: OrganizationSent): Life {
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

async function* cancelLot(scene: Scene, { enquiriesEndAt }: Plan): Life {
  yield enquiriesEndAt + 2 * HOUR;
  const { lots } = await scene.seen();
  const relatedLot = lots![1]!.id;
  const reason = "Потреба у другому лоті відпала.";
  const cancellation = { reason, status: "active", cancellationOf: "lot", relatedLot } as const;
  await scene.buyer.cancellations.create(scene.id, cancellation);
}

/** Bids come one by one over the whole period, each with a document. */
async function* bidding(scene: Scene, plan: Plan): AsyncGenerator<number, readonly Client[]> {
  const { sellers, enquiriesEndAt, tenderingEndsAt } = plan;
  const bidders: Client[] = [];
  const step = (tenderingEndsAt - enquiriesEndAt - 3 * HOUR) / Math.max(1, sellers.length);
  for (const [i, seller] of sellers.entries()) {
    yield Math.floor((enquiriesEndAt + 3 * HOUR + i * step) / HOUR) * HOUR;
    const seen = await scene.seen();
    const active = { lots: seen.lots?.filter(({ status }) => status === "active") };
    const bidder = scene.participant(participantOf(plan));
    const { data: bid } = await bidder.bids.create(scene.id, bidOf(plan, seller, active));
    const lines = ["Proposal", `${seller.name_en}`, `For: ${plan.subject.en}`, "Valid for ninety days."];
    await scene.attach(bidder, { bid: bid.id }, pdfPaper("proposal", lines));
    bidders.push(bidder);
  }
  return bidders;
}

async function* cancel(scene: Scene, plan: Plan): Life {
  const { procedure, enquiriesEndAt, tenderingEndsAt, publishedAt, sellers } = plan;
  const { id, buyer } = scene;
  yield sellers.length > 0
    ? Math.floor((tenderingEndsAt - 8 * HOUR) / HOUR) * HOUR
    : (publishedAt + enquiriesEndAt) / 2;
  if (procedure === "basic") return void (await buyer.tenders.patch(id, { status: "cancelled" }));
  const made = await buyer.cancellations.create(id, { reason: "Кошторис на цей рік скорочено." });
  await scene.attach(
    buyer,
    { cancellation: made.data.id },
    textPaper("рішення-про-скасування", ["Рішення про скасування", "Підстава: зміни до кошторису."]),
  );
  await buyer.cancellations.patch(id, made.data.id, { status: "active" });
}

/** The auction is held on the day after; everybody goes down a little. */
async function* auction(scene: Scene, { tenderingEndsAt, chance }: Plan): Life {
  if ((await scene.seen()).status !== "active.auction") return;
  yield tenderingEndsAt + 22 * HOUR;
  const auctioneer = scene.participant(AUCTIONEER);
  const { data: starting } = await auctioneer.auction.get(scene.id);
  const lots = (await scene.seen()).lots?.filter(({ status }) => status === "active");
  const lower = (value: Value | undefined) => money(value!.amount! * (0.93 + chance.share() * 0.06));
  const bids = starting.bids.map(({ id, value, lotValues }) => ({
    id,
    ...(value && { value: lower(value) }),
    ...(lotValues && {
      lotValues: lotValues.map((one) => ({ relatedLot: one.relatedLot, value: lower(one.value) })),
    }),
  }));
  if (!lots) return void (await auctioneer.auction.finish(scene.id, { bids }));
  for (const { id } of lots) await auctioneer.auction.finish(scene.id, { bids }, { lot: id });
}

/** Awards are decided, contested, and made contracts, which are signed once nobody may object any more. */
async function* decisions(scene: Scene, plan: Plan, bidders: readonly Client[]): Life {
  const { tenderingEndsAt, twist, chance } = plan;
  yield tenderingEndsAt + 52 * HOUR;
  for (let round = 0; round <= bidders.length * 2; round++) {
    const { status, awards = [] } = await scene.seen();
    const pending = awards.find((award) => award.status === "pending");
    if (status !== "active.qualification" || !pending) break;
    const isRejected = twist === "rejected" || (round === 0 && bidders.length > 2 && chance.share() < 0.2);
    const minutes = ["Протокол розгляду", isRejected ? "Пропозицію відхилено: немає довідки." : "Переможця визначено."];
    await scene.attach(scene.buyer, { award: pending.id }, textPaper("протокол", minutes));
    await scene.buyer.awards.patch(scene.id, pending.id, { status: isRejected ? "unsuccessful" : "active" });
  }
  if (twist === "rejected") return;
  if (chance.share() < 0.3) yield* contest(scene, plan, bidders);
  yield* sign(scene, plan);
}

/** A bidder objects to the award; the buyer explains, and the bidder is content. */
async function* contest(scene: Scene, { sellers, tenderingEndsAt }: Plan, bidders: readonly Client[]): Life {
  yield tenderingEndsAt + 55 * HOUR;
  const { awards = [] } = await scene.seen();
  const award = awards.findLast(({ status }) => status === "active");
  const bidder = bidders.at(-1);
  if (!award || !bidder) return;
  const about = { tender: scene.id, award: award.id };
  const { data: complaint } = await bidder.complaints.create(about, {
    title: "Прошу пояснити визначення переможця",
    description: "Просимо надати розрахунок, за яким визначено переможця.",
    author: sellers.at(-1)!,
    status: "claim",
  });
  yield tenderingEndsAt + 72 * HOUR;
  const resolution = "Розрахунок додано до протоколу розгляду пропозицій.";
  const answer = { status: "answered", resolutionType: "declined", resolution } as const;
  await scene.buyer.complaints.patch(about, complaint.id, answer);
  yield tenderingEndsAt + 78 * HOUR;
  await bidder.complaints.patch(about, complaint.id, { satisfied: true, status: "resolved" });
}

async function* sign(scene: Scene, plan: Plan): Life {
  const { awards = [] } = await scene.seen();
  const ends = awards.flatMap(({ complaintPeriod }) =>
    complaintPeriod?.endDate ? [Date.parse(complaintPeriod.endDate)] : [],
  );
  yield Math.ceil(Math.max(...ends) / HOUR) * HOUR + 2 * HOUR;
  const { contracts = [] } = await scene.seen();
  for (const { id } of contracts.filter(({ status }) => status === "pending")) {
    const lines = ["Contract", plan.subject.en, `Buyer: ${plan.buyer.name_en}`, "Signed by both sides."];
    await scene.attach(scene.buyer, { contract: id }, pdfPaper("contract", lines));
    await scene.buyer.contracts.patch(scene.id, id, {
      status: "active",
      contractNumber: `${plan.number}/${new Date(plan.publishedAt).getUTCFullYear()}`,
    });
  }
}

/** Where no auction is held the owner records the award, and says how it ended. */
async function* plainEnd({ id, buyer }: Scene, { tenderingEndsAt, sellers, twist, amount, status }: Plan): Life {
  yield tenderingEndsAt + 20 * HOUR;
  // In the words of its version, which the client's methods do not know.
  const award = { awardStatus: "active", suppliers: [sellers[0]], awardValue: money(amount * 0.95) };
  if (sellers.length > 0 && twist !== "declared unsuccessful")
    await buyer.request("POST", `/tenders/${id}/awards`, { data: award });
  if (status === "active.qualification") return;
  yield tenderingEndsAt + 4 * DAY;
  await buyer.tenders.patch(id, { status: twist === "declared unsuccessful" ? "unsuccessful" : "complete" });
}
