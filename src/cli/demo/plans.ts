import type { Chance } from "./chance.ts";
import { BUYERS, type Organization, organizationOf, SELLERS } from "./people.ts";
import { SUBJECTS, type Subject } from "./subjects.ts";

/** What is to become of each tender of the demonstration, decided before anything happens. */

export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;

/** What is to be seen at the end; how a tender gets there follows from when its tender period ends. */
export type Kind = {
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

const below = { procedure: "belowThreshold" } as const;
const basic = { procedure: "basic" } as const;

/** The first of each status come first, so that a small demonstration has as many of them as it can. */
export const KINDS: readonly Kind[] = [
  { ...below, status: "complete", weight: 26, age: [14 * 24, 45 * 24], bidders: [1, 5] },
  { ...below, status: "active.tendering", weight: 18, age: [-8 * 24, -24], bidders: [0, 4] },
  { ...below, status: "active.enquiries", weight: 14, age: [-17 * 24, -15 * 24], bidders: [0, 0] },
  { ...below, status: "active.auction", weight: 7, age: [1, 18], bidders: [2, 5] },
  { ...below, status: "active.qualification", weight: 9, age: [26, 48], bidders: [1, 4] },
  { ...below, status: "active.awarded", weight: 9, age: [60, 90], bidders: [1, 4] },
  { ...below, status: "unsuccessful", weight: 6, age: [24, 40 * 24], bidders: [0, 0] },
  { ...below, status: "cancelled", weight: 6, age: [12, 20 * 24], bidders: [0, 3], twist: "cancelled" },
  { ...below, status: "draft", weight: 3, age: [-20 * 24, -18 * 24], bidders: [0, 0], twist: "draft" },
  { ...basic, status: "complete", weight: 8, age: [6 * 24, 40 * 24], bidders: [1, 4] },
  { ...basic, status: "active.tendering", weight: 5, age: [-6 * 24, -24], bidders: [0, 3] },
  { ...basic, status: "active.enquiries", weight: 4, age: [-17 * 24, -15 * 24], bidders: [0, 0] },
  { ...basic, status: "active.qualification", weight: 4, age: [2, 60], bidders: [1, 3] },
  {
    ...basic,
    status: "unsuccessful",
    weight: 3,
    age: [6 * 24, 30 * 24],
    bidders: [0, 2],
    twist: "declared unsuccessful",
  },
  { ...basic, status: "cancelled", weight: 3, age: [12, 10 * 24], bidders: [0, 1], twist: "cancelled" },
  { ...basic, status: "draft", weight: 2, age: [-20 * 24, -18 * 24], bidders: [0, 0], twist: "draft" },
  { ...below, status: "complete", weight: 9, age: [15 * 24, 45 * 24], bidders: [2, 4], lots: true },
  { ...below, status: "active.tendering", weight: 5, age: [-8 * 24, -24], bidders: [1, 4], lots: true },
  { ...below, status: "active.qualification", weight: 4, age: [26, 48], bidders: [2, 3], lots: true },
  { ...below, status: "active.auction", weight: 3, age: [1, 18], bidders: [2, 4], lots: true },
  { ...below, status: "unsuccessful", weight: 4, age: [15 * 24, 40 * 24], bidders: [1, 3], twist: "rejected" },
  {
    ...below,
    status: "active.tendering",
    weight: 3,
    age: [-7 * 24, -24],
    bidders: [1, 3],
    lots: true,
    twist: "lot cancelled",
  },
];

export type Plan = Kind & {
  readonly number: number;
  /** Of somebody who is still trying it out. */
  readonly isTest: boolean;
  readonly chance: Chance;
  readonly subject: Subject;
  readonly buyer: Organization;
  readonly sellers: readonly Organization[];
  /** Who asks and objects: one of the bidders, or somebody of the trade who does not bid after all. */
  readonly interested: Organization;
  readonly amount: number;
  readonly publishedAt: number;
  readonly enquiriesEndAt: number;
  readonly tenderingEndsAt: number;
};

/** As many of each kind as its weight says, at least one where there is room; then in any order. */
export function plansFor(count: number, endAt: number, chance: Chance): readonly Plan[] {
  const kinds = chance.some(kindsFor(count), count);
  return kinds.map((kind, i) => planOf(kind, i + 1, endAt, chance.split()));
}

function kindsFor(count: number): readonly Kind[] {
  const first = KINDS.slice(0, count);
  const left = count - first.length;
  const total = KINDS.reduce((sum, { weight }) => sum + weight, 0);
  const shares = KINDS.flatMap((kind) => Array<Kind>(Math.floor((left * kind.weight) / total)).fill(kind));
  const more = Array.from({ length: left - shares.length }, (_, i) => KINDS[i % KINDS.length]!);
  return [...first, ...shares, ...more];
}

/** What is days away happens while people work; what is close must not be moved. */
function endOfTendering(endAt: number, ageHours: number, chance: Chance): number {
  const at = endAt - ageHours * HOUR;
  if (Math.abs(ageHours) < 96) return at;
  return workingDay(Math.floor(at / DAY) * DAY, ageHours > 0 ? "before" : "after") + chance.whole(7, 15) * HOUR;
}

/** Away from the present, so that nothing that is to have happened by then is still to come. */
function workingDay(day: number, where: "before" | "after"): number {
  const weekday = new Date(day).getUTCDay();
  if (weekday !== 0 && weekday !== 6) return day;
  return workingDay(day + (where === "after" ? DAY : -DAY), where);
}

const dealersIn = ({ trade }: Subject) => SELLERS.filter(({ trades }) => trades.includes(trade));

const TEST_EVERY = 5;

function planOf(kind: Kind, number: number, endAt: number, chance: Chance): Plan {
  const buyer = chance.pick(BUYERS);
  const subject = chance.pick(SUBJECTS.filter(({ trade }) => buyer.trades.includes(trade)));
  const rivals = chance.some(dealersIn(subject), chance.whole(...kind.bidders)).map(organizationOf);
  const [least, most] = subject.range;
  const tenderingEndsAt = endOfTendering(endAt, chance.whole(...kind.age), chance);
  const enquiriesEndAt = tenderingEndsAt - chance.whole(9, 14) * DAY;
  return {
    ...kind,
    number,
    isTest: kind.procedure === "belowThreshold" && number % TEST_EVERY === 0,
    chance,
    subject,
    buyer: organizationOf(buyer),
    sellers: rivals,
    interested: rivals[0] ?? organizationOf(chance.pick(dealersIn(subject))),
    amount: Math.round((least + (most - least) * chance.share() ** 2) / 500) * 500,
    tenderingEndsAt,
    enquiriesEndAt,
    publishedAt: Math.min(enquiriesEndAt - chance.whole(4, 9) * DAY, endAt - chance.whole(6, 60) * HOUR),
  };
}
