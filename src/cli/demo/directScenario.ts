import { required } from "../../base/required.ts";
import { HOUR, type TenderPlan } from "./plans.ts";
import { pdfFile, textFile } from "./sampleFiles.ts";
import type { TenderScene } from "./scene.ts";
import type { Scenario } from "./schedule.ts";
import { money } from "./tenders.ts";

// The steps of tenders without competition: the buyer chooses the supplier.

const REVIEWERS = "aboveThresholdReviewers";
const COMPLAINANT = "broker4";

/** The keys of the accounts that take part in these tenders, besides their owners. */
export const DIRECT_KEYS: readonly string[] = [COMPLAINANT, REVIEWERS];

/** Records the supplier when the plan says so, accepts it and, if the tender is to be complete, signs the contract. */
export async function* playDirectTender(scene: TenderScene, plan: TenderPlan): Scenario {
  const { id, buyer } = scene;
  const { sellers, amount, tenderingEndsAt, twist, status } = plan;
  yield tenderingEndsAt;
  const { data: award } = await buyer.awards.create(id, {
    suppliers: sellers.slice(0, 1),
    value: money(amount * 0.98),
    qualified: true,
  });
  const minutes = textFile("протокол", ["Протокол переговорів", "Постачальник відповідає вимогам."]);
  await scene.attach(buyer, { award: award.id }, minutes);
  yield tenderingEndsAt + 2 * HOUR;
  await buyer.awards.patch(id, award.id, { status: "active" });
  if (twist === "contested") yield* contest(scene, plan, award.id);
  if (status === "complete") yield* sign(scene, plan);
}

/** A broker complains about the award, and the reviewers take the complaint on. */
async function* contest(
  { id, participant }: TenderScene,
  { enquirer, tenderingEndsAt }: TenderPlan,
  award: string,
): Scenario {
  yield tenderingEndsAt + 6 * HOUR;
  const target = { tender: id, award };
  const { data: complaint } = await participant(COMPLAINANT).complaints.create(target, {
    title: "Є інші постачальники",
    description: "Наше підприємство постачає те саме дешевше. Підстав для переговорів немає.",
    author: enquirer,
    status: "pending",
  });
  yield tenderingEndsAt + 20 * HOUR;
  await participant(REVIEWERS).complaints.patch(target, complaint.id, { status: "accepted" });
}

async function* sign(scene: TenderScene, plan: TenderPlan): Scenario {
  const { awards = [], contracts = [] } = await scene.fetchTender();
  const end = awards.at(-1)?.complaintPeriod?.endDate;
  yield (end ? Math.ceil(Date.parse(end) / HOUR) * HOUR : plan.tenderingEndsAt) + 4 * HOUR;
  const contract = required(contracts[0], "the contract of an accepted award");
  const lines = ["Contract", plan.subject.en, `Buyer: ${plan.buyer.name_en}`, "Signed by both sides."];
  await scene.attach(scene.buyer, { contract: contract.id }, pdfFile("contract", lines));
  const contractNumber = `${plan.number}/${new Date(plan.publishedAt).getUTCFullYear()}`;
  await scene.buyer.contracts.patch(scene.id, contract.id, { status: "active", contractNumber });
}
