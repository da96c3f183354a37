import type { Remote, Seen } from "../remote.ts";
import { pdfPaper, textPaper } from "./papers.ts";
import { DAY, HOUR, type Plan } from "./plans.ts";
import { type Owned, publish, type Scene } from "./scene.ts";
import type { Life } from "./schedule.ts";
import { bidOf, money, tenderOf } from "./tenders.ts";

/** How tenders live in the demonstration: what happens when, told once for all of a procedure. */

const PUBLISHERS = ["broker", "broker1"];
const PARTICIPANTS = ["broker2", "broker"];
const AUCTIONEER: Owned = { id: "", token: "", key: "auction" };

export type Living = { readonly scene: Scene; readonly plan: Plan };
export type Stage = { readonly remote: Remote; readonly clock: string; readonly onPublished: (living: Living) => void };

export async function* live(stage: Stage, plan: Plan): Life {
  const { chance, procedure, twist } = plan;
  // What names no type is of the plain procedure under this version.
  const remote = procedure === "basic" ? stage.remote.as("2.3") : stage.remote;
  const scene = await publish(remote, stage.clock, chance.pick(PUBLISHERS), tenderOf(plan));
  stage.onPublished({ scene, plan });
  if (twist === "draft") return;
  await scene.attach(scene.tender, "", termsOf(plan));
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
  const { chance, subject, sellers, publishedAt, buyer } = plan;
  const author = sellers[0] ?? { ...buyer, name: `${buyer.name}, відділ постачання` };
  for (const [i, [title, answer]] of chance.some(subject.asked, chance.whole(0, 2)).entries()) {
    yield publishedAt + (i + 1) * DAY;
    const asked = { title, description: `${title} Просимо уточнити.`, author };
    const question = await scene.make(chance.pick(PARTICIPANTS), "/questions", asked);
    if (chance.share() < 0.15) continue;
    yield publishedAt + (i + 1) * DAY + 5 * HOUR;
    await scene.own("patch", `/questions/${question.id}`, { answer });
  }
  if (plan.procedure === "belowThreshold" && chance.share() < 0.2) yield* claim(scene, plan, author);
}

async function* claim(scene: Scene, { chance, publishedAt }: Plan, author: object): Life {
  yield publishedAt + 2 * DAY + 6 * HOUR;
  const complaint = await scene.make(chance.pick(PARTICIPANTS), "/complaints", {
    title: "Завузькі вимоги до учасників",
    description: "Вимога щодо досвіду не пов'язана з предметом закупівлі. Просимо її прибрати.",
    author,
    status: "claim",
  });
  yield publishedAt + 3 * DAY + 2 * HOUR;
  const at = `/complaints/${complaint.id}`;
  const resolution = "Вимогу переглянуто, зміни внесено до документації.";
  await scene.own("patch", at, { status: "answered", resolutionType: "resolved", resolution });
  yield publishedAt + 3 * DAY + 8 * HOUR;
  await scene.by(complaint, "patch", at, { satisfied: true, status: "resolved" });
}

async function* cancelLot(scene: Scene, { enquiriesEndAt }: Plan): Life {
  yield enquiriesEndAt + 2 * HOUR;
  const { lots } = await scene.seen();
  const relatedLot = lots[1].id;
  const reason = "Потреба у другому лоті відпала.";
  await scene.own("post", "/cancellations", { reason, status: "active", cancellationOf: "lot", relatedLot });
}

/** Bids come one by one over the whole period, each with a document. */
async function* bidding(scene: Scene, plan: Plan): AsyncGenerator<number, readonly Owned[]> {
  const { sellers, enquiriesEndAt, tenderingEndsAt, chance } = plan;
  const bids: Owned[] = [];
  const step = (tenderingEndsAt - enquiriesEndAt - 3 * HOUR) / Math.max(1, sellers.length);
  for (const [i, seller] of sellers.entries()) {
    yield Math.floor((enquiriesEndAt + 3 * HOUR + i * step) / HOUR) * HOUR;
    const seen = await scene.seen();
    const active = { lots: seen.lots?.filter(({ status }: Seen) => status === "active") };
    const bid = await scene.make(chance.pick(PARTICIPANTS), "/bids", bidOf(plan, seller, active));
    const lines = ["Proposal", `${seller.name_en}`, `For: ${plan.subject.en}`, "Valid for ninety days."];
    await scene.attach(bid, `/bids/${bid.id}`, pdfPaper("proposal", lines));
    bids.push(bid);
  }
  return bids;
}

async function* cancel(scene: Scene, plan: Plan): Life {
  const { procedure, enquiriesEndAt, tenderingEndsAt, publishedAt, sellers } = plan;
  yield sellers.length > 0
    ? Math.floor((tenderingEndsAt - 8 * HOUR) / HOUR) * HOUR
    : (publishedAt + enquiriesEndAt) / 2;
  if (procedure === "basic") return void (await scene.own("patch", "", { status: "cancelled" }));
  const made = await scene.own("post", "/cancellations", { reason: "Кошторис на цей рік скорочено." });
  const at = `/cancellations/${made.data.id}`;
  await scene.attach(
    scene.tender,
    at,
    textPaper("рішення-про-скасування", ["Рішення про скасування", "Підстава: зміни до кошторису."]),
  );
  await scene.own("patch", at, { status: "active" });
}

/** The auction is held on the day after; everybody goes down a little. */
async function* auction(scene: Scene, { tenderingEndsAt, chance }: Plan): Life {
  if ((await scene.seen()).status !== "active.auction") return;
  yield tenderingEndsAt + 22 * HOUR;
  const starting = await scene.look(AUCTIONEER, "/auction");
  const lots = (await scene.seen()).lots?.filter(({ status }: Seen) => status === "active");
  const lower = ({ amount }: { amount: number }) => money(amount * (0.93 + chance.share() * 0.06));
  const results = starting.bids.map(({ id, value, lotValues }: Seen) => ({
    id,
    ...(value && { value: lower(value) }),
    ...(lotValues && {
      lotValues: lotValues.map((one: Seen) => ({ relatedLot: one.relatedLot, value: lower(one.value) })),
    }),
  }));
  if (!lots) return void (await scene.by(AUCTIONEER, "post", "/auction", { bids: results }));
  for (const { id } of lots) await scene.by(AUCTIONEER, "post", `/auction/${id}`, { bids: results });
}

/** Awards are decided, contested, and made contracts, which are signed once nobody may object any more. */
async function* decisions(scene: Scene, plan: Plan, bids: readonly Owned[]): Life {
  const { tenderingEndsAt, twist, chance } = plan;
  yield tenderingEndsAt + 52 * HOUR;
  for (let round = 0; round <= bids.length * 2; round++) {
    const { status, awards = [] } = await scene.seen();
    const pending = awards.find((award: Seen) => award.status === "pending");
    if (status !== "active.qualification" || !pending) break;
    const isRejected = twist === "rejected" || (round === 0 && bids.length > 2 && chance.share() < 0.2);
    const at = `/awards/${pending.id}`;
    const minutes = ["Протокол розгляду", isRejected ? "Пропозицію відхилено: немає довідки." : "Переможця визначено."];
    await scene.attach(scene.tender, at, textPaper("протокол", minutes));
    await scene.own("patch", at, { status: isRejected ? "unsuccessful" : "active" });
  }
  if (twist === "rejected") return;
  if (chance.share() < 0.3) yield* contest(scene, plan, bids);
  yield* sign(scene, plan);
}

/** A bidder objects to the award; the buyer explains, and the bidder is content. */
async function* contest(scene: Scene, { sellers, tenderingEndsAt }: Plan, bids: readonly Owned[]): Life {
  yield tenderingEndsAt + 55 * HOUR;
  const { awards = [] } = await scene.seen();
  const award = awards.findLast(({ status }: Seen) => status === "active");
  const bidder = bids.at(-1);
  if (!award || !bidder) return;
  const claimed = {
    title: "Прошу пояснити визначення переможця",
    description: "Просимо надати розрахунок, за яким визначено переможця.",
    author: sellers.at(-1),
    status: "claim",
  };
  const path = `/awards/${award.id}/complaints`;
  const complaint = await scene.make(bidder.key, path, claimed, bidder.token);
  yield tenderingEndsAt + 72 * HOUR;
  const resolution = "Розрахунок додано до протоколу розгляду пропозицій.";
  await scene.own("patch", `${path}/${complaint.id}`, { status: "answered", resolutionType: "declined", resolution });
  yield tenderingEndsAt + 78 * HOUR;
  await scene.by(complaint, "patch", `${path}/${complaint.id}`, { satisfied: true, status: "resolved" });
}

async function* sign(scene: Scene, plan: Plan): Life {
  const { awards = [] } = await scene.seen();
  const ends = awards.flatMap(({ complaintPeriod }: Seen) =>
    complaintPeriod?.endDate ? [Date.parse(complaintPeriod.endDate)] : [],
  );
  yield Math.ceil(Math.max(...ends) / HOUR) * HOUR + 2 * HOUR;
  const { contracts = [] } = await scene.seen();
  for (const { id } of contracts.filter(({ status }: Seen) => status === "pending")) {
    const lines = ["Contract", plan.subject.en, `Buyer: ${plan.buyer.name_en}`, "Signed by both sides."];
    await scene.attach(scene.tender, `/contracts/${id}`, pdfPaper("contract", lines));
    await scene.own("patch", `/contracts/${id}`, {
      status: "active",
      contractNumber: `${plan.number}/${new Date(plan.publishedAt).getUTCFullYear()}`,
    });
  }
}

/** Where no auction is held the owner records the award, and says how it ended. */
async function* plainEnd(scene: Scene, { tenderingEndsAt, sellers, twist, amount, status }: Plan): Life {
  yield tenderingEndsAt + 20 * HOUR;
  if (sellers.length > 0 && twist !== "declared unsuccessful")
    await scene.own("post", "/awards", {
      awardStatus: "active",
      suppliers: [sellers[0]],
      awardValue: money(amount * 0.95),
    });
  if (status === "active.qualification") return;
  yield tenderingEndsAt + 4 * DAY;
  await scene.own("patch", "", { status: twist === "declared unsuccessful" ? "unsuccessful" : "complete" });
}
