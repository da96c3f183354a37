import { earliestDeadline } from "../../domain/deadlines.ts";
import type { Period, Tender, TenderStatus } from "../../domain/model/tender.ts";
import { procedureOf } from "../../domain/procedures/index.ts";
import { takesPlace } from "../../domain/schedule.ts";
import type { Instant } from "../../domain/values/time.ts";
import type { PublicTender } from "../../views/publicTender.ts";

/** The course of a procedure as moments, from the public view of a tender. */

/** What happens at a moment. Each kind has a text in the catalogue. */
export type MomentKind =
  | "published"
  | "enquiriesEnd"
  | "biddingBegins"
  | "biddingEnds"
  | "auctionNotBefore"
  | "auctionStarts"
  | "auctionEnds"
  | "opened"
  | "qualificationEnds"
  | "awardAccepted"
  | "awardRejected"
  | "awardRevoked"
  | "complaintsEnd"
  | "answerSettles"
  | "signed"
  | "cancelled"
  | "ended"
  | "tenderCancelled"
  | "tenderUnsuccessful"
  | "deadline";

/** A moment of the procedure. */
export type TenderMoment = {
  readonly kind: MomentKind;
  readonly at: Instant;
  readonly state: "past" | "next" | "coming";
  /** The lot that it is about. */
  readonly lot?: string;
  /** The award that it is about. */
  readonly award?: string;
};

type UnplacedMoment = Omit<TenderMoment, "state">;

/**
 * All moments that are known, earliest first. The first one that is still to come is `next`. What was planned for later than the end
 * of the tender or of the lot is left out.
 */
export function tenderTimeline(
  tender: Tender,
  view: PublicTender,
  { now, publishedAt }: { readonly now: Instant; readonly publishedAt: Instant | undefined },
): readonly TenderMoment[] {
  const known = [
    ...moment("published", publishedAt),
    ...periodMoments(view),
    ...auctionMoments(view),
    ...qualificationMoments(view),
    ...awardMoments(view),
    ...complaintMoments(view),
    ...endMoments(view),
  ].filter(({ at }) => takesPlace(view, at));
  const due = nextChangeOf(tender);
  const isListed = due === undefined || known.some(({ at }) => at === due.at);
  const all: readonly UnplacedMoment[] = isListed ? known : [...known, { kind: "deadline", at: due.at }];
  // Moments of the same time stay in the order of the procedure.
  const sorted = all.toSorted((a, b) => a.at - b.at);
  const next = sorted.findIndex(({ at }) => at > now);
  return sorted.map((moment, i) => ({
    ...moment,
    state: moment.at <= now ? "past" : i === next ? "next" : "coming",
  }));
}

/** When time alone changes the tender next, and to which statuses. */
export function nextChangeOf(
  tender: Tender,
): { readonly at: Instant; readonly becomes: readonly TenderStatus[] } | undefined {
  const due = earliestDeadline(procedureOf(tender), tender);
  return due && { at: due.at, becomes: due.deadline.becomes };
}

const moment = (kind: MomentKind, at: Instant | undefined, about: Partial<UnplacedMoment> = {}): UnplacedMoment[] =>
  at === undefined ? [] : [{ ...about, kind, at }];

function periodMoments({ enquiryPeriod, tenderPeriod }: PublicTender): readonly UnplacedMoment[] {
  return [
    ...moment("enquiriesEnd", enquiryPeriod?.endDate),
    ...moment("biddingBegins", tenderPeriod?.startDate),
    ...moment("biddingEnds", tenderPeriod?.endDate),
  ];
}

const qualificationMoments = ({ awardPeriod }: PublicTender): readonly UnplacedMoment[] => [
  ...moment("opened", awardPeriod?.startDate),
  ...moment("qualificationEnds", awardPeriod?.endDate),
];

type AuctionPlan = Period & { readonly shouldStartAfter?: Instant };

function auctionMoments({ auctionPeriod, lots }: PublicTender): readonly UnplacedMoment[] {
  const ofPeriod = (period: AuctionPlan | undefined, lot?: string): readonly UnplacedMoment[] => [
    ...moment("auctionNotBefore", period?.startDate === undefined ? period?.shouldStartAfter : undefined, about(lot)),
    ...moment("auctionStarts", period?.startDate, about(lot)),
    ...moment("auctionEnds", period?.endDate, about(lot)),
  ];
  const about = (lot: string | undefined) => (lot === undefined ? {} : { lot });
  const ofLots = lots.flatMap((lot) => ofPeriod(lot.auctionPeriod, lot.id).filter(({ at }) => takesPlace(lot, at)));
  return [...ofPeriod(auctionPeriod), ...withoutRepeats(ofLots)];
}

/** Lots whose auctions have the same time are one moment of all of them. */
function withoutRepeats(moments: readonly UnplacedMoment[]): readonly UnplacedMoment[] {
  const byTime = Map.groupBy(moments, ({ kind, at }) => `${kind} ${at}`);
  return [...byTime.values()].flatMap((same) => {
    const [first] = same;
    if (!first) return [];
    return same.length === 1 ? [first] : [{ kind: first.kind, at: first.at }];
  });
}

const DECISIONS = { active: "awardAccepted", unsuccessful: "awardRejected", cancelled: "awardRevoked" } as const;

function awardMoments({ awards, contracts, lots }: PublicTender): readonly UnplacedMoment[] {
  const ofAwards = awards.flatMap(({ id, status, date, lotID, complaintPeriod }) => {
    const lot = lots.find((candidate) => candidate.id === lotID);
    const ofAward = [
      ...(status === "pending" ? [] : moment(DECISIONS[status], date, { award: id })),
      ...(status === "pending" || status === "cancelled"
        ? []
        : moment("complaintsEnd", complaintPeriod?.endDate, { award: id })),
    ];
    return lot ? ofAward.filter(({ at }) => takesPlace(lot, at)) : ofAward;
  });
  const ofContracts = contracts.flatMap(({ status, dateSigned, awardID }) =>
    status === "active" || status === "terminated" ? moment("signed", dateSigned, { award: awardID }) : [],
  );
  return [...ofAwards, ...ofContracts];
}

function complaintMoments({ complaints, awards }: PublicTender): readonly UnplacedMoment[] {
  return [...complaints, ...awards.flatMap((award) => award.complaints)].flatMap(({ status, settlesAt }) =>
    status === "answered" ? moment("answerSettles", settlesAt) : [],
  );
}

/** How a tender ends, by its final status. */
const END_KINDS: { readonly [status in TenderStatus]?: MomentKind } = {
  complete: "ended",
  cancelled: "tenderCancelled",
  unsuccessful: "tenderUnsuccessful",
};

function endMoments({ status, date, cancellations }: PublicTender): readonly UnplacedMoment[] {
  const ofLots = cancellations.flatMap((cancellation) =>
    cancellation.status === "active" && cancellation.relatedLot !== undefined
      ? moment("cancelled", cancellation.date, { lot: cancellation.relatedLot })
      : [],
  );
  const end = END_KINDS[status];
  return [...ofLots, ...(end === undefined ? [] : moment(end, date))];
}
