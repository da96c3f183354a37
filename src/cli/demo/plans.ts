import type { ProcedureName } from "../../domain/procedures/names.ts";
import { BUYERS, type OrganizationBody, organizationBody, SELLERS } from "./organizations.ts";
import type { Random } from "./random.ts";
import { type ProcurementSubject, SUBJECTS } from "./subjects.ts";

export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;

/** A kind of tender: the status it has at the end of the demo. The steps to it follow from the end of its tender period. */
export type PlanTemplate = {
  readonly procedure: ProcedureName;
  readonly status: string;
  /** The share of tenders of this kind, relative to the other weights. */
  readonly weight: number;
  /**
   * How many hours before the end of the demo the tender period ends; negative is after it. Without competing bids, this is when the
   * buyer records the supplier.
   */
  readonly age: readonly [from: number, to: number];
  /** The number of bidders, or of suppliers that the buyer chooses. */
  readonly bidders: readonly [from: number, to: number];
  readonly lots?: true;
  /** What goes wrong before that. */
  readonly twist?: "rejected" | "cancelled" | "draft" | "lot cancelled" | "declared unsuccessful" | "contested";
};

const BELOW_THRESHOLD = { procedure: "belowThreshold" } as const;
const BASIC = { procedure: "basic" } as const;
const REPORTING = { procedure: "reporting" } as const;
const NEGOTIATION = { procedure: "negotiation" } as const;
const QUICK = { procedure: "negotiation.quick" } as const;

/** Every status comes once before any is repeated, so that a small demo has as many statuses as possible. */
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
  { ...NEGOTIATION, status: "active", weight: 5, age: [24, 5 * 24], bidders: [1, 1] },
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
  { ...REPORTING, status: "complete", weight: 5, age: [3 * 24, 40 * 24], bidders: [1, 1] },
  { ...REPORTING, status: "active", weight: 3, age: [3, 5 * 24], bidders: [1, 1] },
  { ...NEGOTIATION, status: "complete", weight: 4, age: [20 * 24, 45 * 24], bidders: [1, 1] },
  { ...QUICK, status: "active", weight: 3, age: [24, 4 * 24], bidders: [1, 1], twist: "contested" },
  { ...QUICK, status: "complete", weight: 3, age: [12 * 24, 40 * 24], bidders: [1, 1] },
  { ...QUICK, status: "cancelled", weight: 2, age: [5 * 24, 20 * 24], bidders: [0, 0], twist: "cancelled" },
  { ...NEGOTIATION, status: "draft", weight: 2, age: [-20 * 24, -18 * 24], bidders: [0, 0], twist: "draft" },
];

/** Everything about one tender of the demo, decided in advance. Times are milliseconds since 1970. */
export type TenderPlan = PlanTemplate & {
  readonly number: number;
  /** Whether it is a test tender (`mode: test`). */
  readonly isTest: boolean;
  readonly random: Random;
  readonly subject: ProcurementSubject;
  readonly buyer: OrganizationBody;
  readonly sellers: readonly OrganizationBody[];
  /** Who asks questions and files complaints: the first bidder, or another seller if nobody bids. */
  readonly enquirer: OrganizationBody;
  readonly amount: number;
  readonly publishedAt: number;
  readonly enquiriesEndAt: number;
  readonly tenderingEndsAt: number;
};

/** Plans `count` tenders, by the weights of the templates and at least one of each if there is room, in random order. */
export function plansFor(count: number, endAt: number, random: Random): readonly TenderPlan[] {
  const templates = random.sample(templatesFor(count), count);
  return templates.map((template, i) => planOf(template, i + 1, endAt, random.split()));
}

function templatesFor(count: number): readonly PlanTemplate[] {
  const first = PLAN_TEMPLATES.slice(0, count);
  const left = count - first.length;
  const total = PLAN_TEMPLATES.reduce((sum, { weight }) => sum + weight, 0);
  const weighted = PLAN_TEMPLATES.flatMap((template) =>
    Array<PlanTemplate>(Math.floor((left * template.weight) / total)).fill(template),
  );
  // Rounding down leaves out less than one tender for each template.
  const fillers = PLAN_TEMPLATES.slice(0, left - weighted.length);
  return [...first, ...weighted, ...fillers];
}

/** Ends that are days away are moved to working hours. Closer ones stay, because the final status depends on them. */
function tenderingEnd(endAt: number, ageHours: number, random: Random): number {
  const at = endAt - ageHours * HOUR;
  if (Math.abs(ageHours) < 96) return at;
  return workingDay(Math.floor(at / DAY) * DAY, ageHours > 0 ? "before" : "after") + random.integer(7, 15) * HOUR;
}

/** The nearest working day away from the present, so that past deadlines stay in the past. */
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
  const [lowest, highest] = subject.range;
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
    amount: Math.round((lowest + (highest - lowest) * random.fraction() ** 2) / 500) * 500,
    tenderingEndsAt,
    enquiriesEndAt,
    publishedAt: Math.min(enquiriesEndAt - random.integer(4, 9) * DAY, endAt - random.integer(6, 60) * HOUR),
  };
}
