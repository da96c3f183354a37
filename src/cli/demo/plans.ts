import { BUYERS, type OrganizationBody, organizationBody, SELLERS } from "./organizations.ts";
import type { Random } from "./random.ts";
import { type ProcurementSubject, SUBJECTS } from "./subjects.ts";

/** What is to become of each tender of the demonstration, decided before anything happens. */

export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;

/** What is to be seen at the end; how a tender gets there follows from when its tender period ends. */
export type PlanTemplate = {
  readonly procedure: "belowThreshold" | "basic";
  readonly status: string;
  readonly weight: number;
  /** How long before the end of the demonstration the tender period ends, in hours. */
  readonly age: readonly [from: number, to: number];
  readonly bidders: readonly [from: number, to: number];
  readonly lots?: true;
  /** What goes wrong on the way. */
  readonly twist?: "rejected" | "cancelled" | "draft" | "lot cancelled" | "declared unsuccessful";
};

const BELOW_THRESHOLD = { procedure: "belowThreshold" } as const;
const BASIC = { procedure: "basic" } as const;

/** The first of each status come first, so that a small demonstration has as many of them as it can. */
export const PLAN_TEMPLATES: readonly PlanTemplate[] = [
  { ...BELOW_THRESHOLD, status: "complete", weight: 26, age: [14 * 24, 45 * 24], bidders: [1, 5] },
  { ...BELOW_THRESHOLD, status: "active.tendering", weight: 18, age: [-8 * 24, -24], bidders: [0, 4] },
  { ...BELOW_THRESHOLD, status: "active.enquiries", weight: 14, age: [-17 * 24, -15 * 24], bidders: [0, 0] },
  { ...BELOW_THRESHOLD, status: "active.auction", weight: 7, age: [1, 18], bidders: [2, 5] },
  { ...BELOW_THRESHOLD, status: "active.qualification", weight: 9, age: [26, 48], bidders: [1, 4] },
  { ...BELOW_THRESHOLD, status: "active.awarded", weight: 9, age: [60, 90], bidders: [1, 4] },
  { ...BELOW_THRESHOLD, status: "unsuccessful", weight: 6, age: [24, 40 * 24], bidders: [0, 0] },
  { ...BELOW_THRESHOLD, status: "cancelled", weight: 6, age: [12, 20 * 24], bidders: [0, 3], twist: "cancelled" },
  { ...BELOW_THRESHOLD, status: "draft", weight: 3, age: [-20 * 24, -18 * 24], bidders: [0, 0], twist: "draft" },
  { ...BASIC, status: "complete", weight: 8, age: [6 * 24, 40 * 24], bidders: [1, 4] },
  { ...BASIC, status: "active.tendering", weight: 5, age: [-6 * 24, -24], bidders: [0, 3] },
  { ...BASIC, status: "active.enquiries", weight: 4, age: [-17 * 24, -15 * 24], bidders: [0, 0] },
  { ...BASIC, status: "active.qualification", weight: 4, age: [2, 60], bidders: [1, 3] },
  {
    ...BASIC,
    status: "unsuccessful",
    weight: 3,
    age: [6 * 24, 30 * 24],
    bidders: [0, 2],
    twist: "declared unsuccessful",
  },
  { ...BASIC, status: "cancelled", weight: 3, age: [12, 10 * 24], bidders: [0, 1], twist: "cancelled" },
  { ...BASIC, status: "draft", weight: 2, age: [-20 * 24, -18 * 24], bidders: [0, 0], twist: "draft" },
  { ...BELOW_THRESHOLD, status: "complete", weight: 9, age: [15 * 24, 45 * 24], bidders: [2, 4], lots: true },
  { ...BELOW_THRESHOLD, status: "active.tendering", weight: 5, age: [-8 * 24, -24], bidders: [1, 4], lots: true },
  { ...BELOW_THRESHOLD, status: "active.qualification", weight: 4, age: [26, 48], bidders: [2, 3], lots: true },
  { ...BELOW_THRESHOLD, status: "active.auction", weight: 3, age: [1, 18], bidders: [2, 4], lots: true },
  {
    ...BELOW_THRESHOLD,
    status: "unsuccessful",
    weight: 4,
    age: [15 * 24, 40 * 24],
    bidders: [1, 3],
    twist: "rejected",
  },
  {
    ...BELOW_THRESHOLD,
    status: "active.tendering",
    weight: 3,
    age: [-7 * 24, -24],
    bidders: [1, 3],
    lots: true,
    twist: "lot cancelled",
  },
];

export type TenderPlan = PlanTemplate & {
  readonly number: number;
  /** Of somebody who is still trying it out. */
  readonly isTest: boolean;
  readonly random: Random;
  readonly subject: ProcurementSubject;
  readonly buyer: OrganizationBody;
  readonly sellers: readonly OrganizationBody[];
  /** Who asks and objects: one of the bidders, or somebody of the trade who does not bid after all. */
  readonly enquirer: OrganizationBody;
  readonly amount: number;
  readonly publishedAt: number;
  readonly enquiriesEndAt: number;
  readonly tenderingEndsAt: number;
};

/** As many of each kind as its weight says, at least one where there is room; then in any order. */
export function plansFor(count: number, endAt: number, random: Random): readonly TenderPlan[] {
  const templates = random.sample(templatesFor(count), count);
  return templates.map((kind, i) => planOf(kind, i + 1, endAt, random.split()));
}

function templatesFor(count: number): readonly PlanTemplate[] {
  const first = PLAN_TEMPLATES.slice(0, count);
  const left = count - first.length;
  const total = PLAN_TEMPLATES.reduce((sum, { weight }) => sum + weight, 0);
  const weighted = PLAN_TEMPLATES.flatMap((kind) =>
    Array<PlanTemplate>(Math.floor((left * kind.weight) / total)).fill(kind),
  );
  const fillers = Array.from({ length: left - weighted.length }, (_, i) => PLAN_TEMPLATES[i % PLAN_TEMPLATES.length]!);
  return [...first, ...weighted, ...fillers];
}

/** What is days away happens while people work; what is close must not be moved. */
function tenderingEnd(endAt: number, ageHours: number, random: Random): number {
  const at = endAt - ageHours * HOUR;
  if (Math.abs(ageHours) < 96) return at;
  return workingDay(Math.floor(at / DAY) * DAY, ageHours > 0 ? "before" : "after") + random.integer(7, 15) * HOUR;
}

/** Away from the present, so that nothing that is to have happened by then is still to come. */
function workingDay(day: number, direction: "before" | "after"): number {
  const weekday = new Date(day).getUTCDay();
  if (weekday !== 0 && weekday !== 6) return day;
  return workingDay(day + (direction === "after" ? DAY : -DAY), direction);
}

const sellersOf = ({ trade }: ProcurementSubject) => SELLERS.filter(({ trades }) => trades.includes(trade));

const TEST_EVERY = 5;

function planOf(template: PlanTemplate, number: number, endAt: number, random: Random): TenderPlan {
  const buyer = random.pick(BUYERS);
  const subject = random.pick(SUBJECTS.filter(({ trade }) => buyer.trades.includes(trade)));
  const bidders = random.sample(sellersOf(subject), random.integer(...template.bidders)).map(organizationBody);
  const [least, most] = subject.range;
  const tenderingEndsAt = tenderingEnd(endAt, random.integer(...template.age), random);
  const enquiriesEndAt = tenderingEndsAt - random.integer(9, 14) * DAY;
  return {
    ...template,
    number,
    isTest: template.procedure === "belowThreshold" && number % TEST_EVERY === 0,
    random,
    subject,
    buyer: organizationBody(buyer),
    sellers: bidders,
    enquirer: bidders[0] ?? organizationBody(random.pick(sellersOf(subject))),
    amount: Math.round((least + (most - least) * random.fraction() ** 2) / 500) * 500,
    tenderingEndsAt,
    enquiriesEndAt,
    publishedAt: Math.min(enquiriesEndAt - random.integer(4, 9) * DAY, endAt - random.integer(6, 60) * HOUR),
  };
}
