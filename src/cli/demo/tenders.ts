import { required } from "../../base/required.ts";
import type { BidSent, Tender, TenderSent } from "../../client/index.ts";
import type { OrganizationBody } from "./organizations.ts";
import type { TenderPlan } from "./plans.ts";

/** The ISO form of a time in milliseconds. */
export const isoOf = (at: number): string => new Date(at).toISOString();

const UAH = { currency: "UAH", valueAddedTaxIncluded: true };
/** A value in hryvnias, rounded to two decimals. */
export const money = (amount: number) => ({ amount: Math.round(amount * 100) / 100, ...UAH });

const FEATURE_WEIGHTS = [0, 0.05, 0.1];

/** The tender to create for a plan. */
export function tenderBodyOf(plan: TenderPlan): TenderSent {
  const { subject, buyer, amount, number, enquiriesEndAt, tenderingEndsAt, procedure, twist } = plan;
  const title = `${subject.uk} (${buyer.name})`;
  const common = {
    title,
    title_en: `${subject.en} (${buyer.name_en})`,
    description: `${subject.uk}. Код за ДК 021:2015 — ${subject.code}. Закупівля № ${number} нашого річного плану.`,
    description_en: `${subject.en}. Number ${number} of this year's plan.`,
    value: money(amount),
    procuringEntity: { ...buyer, kind: "general" as const },
    ...(twist === "draft" && { status: "draft" as const }),
  };
  if (procedure === "reporting") return { ...common, procurementMethodType: procedure, items: itemsOf(plan, []) };
  if (procedure === "negotiation" || procedure === "negotiation.quick")
    return { ...common, procurementMethodType: procedure, items: itemsOf(plan, []), ...causeOf(plan) };
  const competitive = {
    ...common,
    minimalStep: money(Math.max(1, amount * 0.01)),
    enquiryPeriod: { endDate: isoOf(enquiriesEndAt) },
    tenderPeriod: { startDate: isoOf(enquiriesEndAt), endDate: isoOf(tenderingEndsAt) },
  };
  if (procedure === "basic") return { ...competitive, items: itemsOf(plan, []) };
  const lots = plan.lots ? lotsOf(plan) : [];
  return {
    ...competitive,
    procurementMethodType: "belowThreshold",
    ...(plan.isTest && { mode: "test" as const }),
    items: itemsOf(plan, lots),
    ...(lots.length > 0 && { lots }),
    ...featuresOf(plan),
  };
}

/** Why the buyer negotiates with one supplier. */
const causeOf = ({ random }: TenderPlan) =>
  random.pick([
    { cause: "noCompetition", causeDescription: "Постачальник єдиний у місті, альтернативи немає." },
    { cause: "twiceUnsuccessful", causeDescription: "Двічі проведені торги не відбулися через відсутність учасників." },
    { cause: "additionalPurchase", causeDescription: "Додаткова закупівля в того самого постачальника." },
  ] as const);

/** Two lots, one for each item, or both for the same item if there is only one. */
function lotsOf({ subject, amount, random }: TenderPlan) {
  const [first, second = first] = subject.items;
  return [first, second].map(({ uk, en }, i) => ({
    id: random.hex(32),
    title: `Лот ${i + 1}. ${uk}`,
    title_en: `Lot ${i + 1}. ${en}`,
    value: money(amount * (i === 0 ? 0.6 : 0.4)),
    minimalStep: money(Math.max(1, amount * 0.004)),
  }));
}

type Lots = ReturnType<typeof lotsOf>;

/** The items. A quantity that is not given is what the value of the tender or lot pays for. */
function itemsOf({ subject, buyer, amount, tenderingEndsAt }: TenderPlan, lots: Lots) {
  const subjectItems = lots.length > subject.items.length ? [...subject.items, subject.items[0]] : subject.items;
  const lotAt = (i: number) => Math.min(i, lots.length - 1);
  const moneyFor = (i: number) =>
    (lots[lotAt(i)]?.value.amount ?? amount) / subjectItems.filter((_, other) => lotAt(other) === lotAt(i)).length;
  return subjectItems.map(({ uk, en, unit: [code, name], price, quantity }, i) => ({
    description: uk,
    description_en: en,
    quantity: quantity ?? Math.max(1, Math.floor(moneyFor(i) / required(price, `the price of ${en}`))),
    unit: { code, name },
    classification: { scheme: "ДК021", id: subject.code, description: subject.class },
    deliveryDate: { endDate: isoOf(tenderingEndsAt + 60 * 24 * 3_600_000) },
    deliveryAddress: buyer.address,
    // Undefined without lots.
    relatedLot: lots[lotAt(i)]?.id,
  }));
}

const FEATURE_CODE = "beside-the-price";

function featuresOf({ subject }: TenderPlan) {
  if (!subject.feature) return {};
  const [title, title_en, ...options] = subject.feature;
  const choices = options.map((option, i) => ({
    title: option,
    value: required(FEATURE_WEIGHTS[i], "a weight for each option"),
  }));
  return { features: [{ code: FEATURE_CODE, featureOf: "tenderer" as const, title, title_en, enum: choices }] };
}

/** A bid 2 to 22 % below the value of the tender, or of each lot. */
export function bidBodyOf(
  { random, amount, subject, procedure }: TenderPlan,
  seller: OrganizationBody,
  tender: Pick<Tender, "lots">,
): BidSent {
  const discountFactor = () => 0.78 + random.fraction() * 0.2;
  const lotValues = tender.lots?.map(({ id, value }) => ({
    relatedLot: required(id, "the id of the lot"),
    value: money(required(value?.amount, "the value of the lot") * discountFactor()),
  }));
  return {
    tenderers: [seller],
    ...(lotValues ? { lotValues } : { value: money(amount * discountFactor()) }),
    ...(procedure === "belowThreshold" &&
      subject.feature && { parameters: [{ code: FEATURE_CODE, value: random.pick(FEATURE_WEIGHTS) }] }),
  };
}
