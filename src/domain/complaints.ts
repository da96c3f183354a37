import { standStillEnd } from "./acceleration.ts";
import { notAccredited, refusedToTakePart } from "./accreditation.ts";
import { type Actor, hasLevel, isIn, isTestOnly, owns } from "./actors.ts";
import { checkOrganization, inside, missing, required, unknownReference } from "./checking.ts";
import type { Command, ComplaintSent, Contested, Context, Patch } from "./commands.ts";
import type { Outcome } from "./decide.ts";
import { finalise } from "./finalising.ts";
import { merge } from "./merge.ts";
import { accepts } from "./procedures/index.ts";
import { isLotActive, lotOf } from "./qualifying.ts";
import type { Decided, Problem } from "./refusals.ts";
import { forbidden, invalid, notFound, rule, type Window, wrongRole, wrongStatus } from "./refusals.ts";
import { ok } from "./result.ts";
import type { Award, Complaint, Tender } from "./tender.ts";
import type { Instant } from "./time.ts";
import { windowOf, windowOfLot, windowOfWriting } from "./windows.ts";

/** Whoever is wronged files a claim; the tender's owner answers it; an answer that is not contested settles it. */

export const complaintsOf = (tender: Tender, { award }: Contested): readonly Complaint[] =>
  award === undefined ? tender.complaints : (tender.awards.find(({ id }) => id === award)?.complaints ?? []);

function withComplaints(tender: Tender, { award }: Contested, complaints: readonly Complaint[]): Tender {
  if (award === undefined) return { ...tender, complaints };
  return { ...tender, awards: tender.awards.map((one) => (one.id === award ? { ...one, complaints } : one)) };
}

/** Complaints are numbered over the whole tender. */
const numberOf = ({ complaints, awards }: Tender): number =>
  complaints.length + awards.reduce((sum, award) => sum + award.complaints.length, 0) + 1;

export function fileComplaint(
  tender: Tender,
  { about, sent }: Extract<Command, { kind: "file complaint" }>,
  { actor, at, newId, newTokenHash }: Context,
): Decided<Outcome> {
  const award = about.award === undefined ? undefined : tender.awards.find(({ id }) => id === about.award);
  if (about.award !== undefined && !award) return notFound("award");
  const refused = award ? refusedToContest(actor, tender) : refusedToTakePart(actor, "complaint", tender);
  if (refused) return refused;
  const { author, title, description, status, relatedLot } = sent.fields;
  const submitted = status === "claim";
  const complaint: Complaint = {
    author,
    title,
    description,
    ...(award ? award.lotID !== undefined && { relatedLot: award.lotID } : relatedLot !== undefined && { relatedLot }),
    id: newId(),
    complaintID: `${tender.tenderID}.${numberOf(tender)}`,
    date: at,
    type: "claim",
    status: submitted ? "claim" : "draft",
    ...(submitted && { dateSubmitted: at }),
    owner: actor.account!.name,
    tokenHash: newTokenHash,
    documents: [],
  };
  const wrong = invalid(sent.problems, checkFiled(complaint, tender));
  if (wrong) return wrong;
  const late = refusedFiling(tender, award, at);
  if (late) return late;
  return ok({ tender: withComplaints(tender, about, [...complaintsOf(tender, about), complaint]), id: complaint.id });
}

/** Against an award only those object who bid, by the token of their bid. */
function refusedToContest(actor: Actor, tender: Tender) {
  const bidder = tender.bids.some((bid) => owns(actor, bid));
  if (!bidder && !isIn(actor, "admins")) return forbidden();
  if (!hasLevel(actor, "2")) return notAccredited("complaint", "accreditation");
  return isTestOnly(actor) && tender.mode !== "test" ? notAccredited("complaint", "mode") : undefined;
}

function checkFiled(complaint: Complaint, tender: Tender): readonly Problem[] {
  const { author, relatedLot } = complaint;
  const strange = relatedLot !== undefined && !lotOf(tender, relatedLot);
  return [
    ...required(complaint, [], "author", "title"),
    ...inside(author, ["author"], checkOrganization),
    ...(strange ? [unknownReference(["relatedLot"], "relatedLot", "lots")] : []),
  ];
}

function refusedFiling(tender: Tender, award: Award | undefined, at: Instant) {
  const act = award ? "file award complaint" : "file complaint";
  const window = windowOf(tender, act, award && periodOf(award));
  if (!accepts(tender, act)) return wrongStatus("add complaint", "tender", tender, window);
  if (!award) return undefined;
  if (!isLotActive(tender, award.lotID))
    return rule("lot-not-active", "Can add complaint only in active lot status", {
      window: windowOfLot(tender, act, award.lotID, periodOf(award)),
    });
  return isContestable(award, at)
    ? undefined
    : rule("outside-complaint-period", "Can add complaint only in complaintPeriod", { window });
}

const periodOf = ({ complaintPeriod }: Award): Window => ({
  from: complaintPeriod?.startDate,
  until: complaintPeriod?.endDate,
});

const isContestable = ({ complaintPeriod }: Award, at: Instant): boolean =>
  (complaintPeriod?.startDate ?? at) <= at && at <= (complaintPeriod?.endDate ?? at);

type Role = "complaint_owner" | "tender_owner" | "other";

function roleOf(actor: Actor, complaint: Complaint, tender: Tender): Role {
  if (owns(actor, complaint)) return "complaint_owner";
  return owns(actor, tender) ? "tender_owner" : "other";
}

/** What may be written, by whom, in which state: whatever else is sent is left as it is. */
function writable(role: Role, { status }: Complaint, wanted: string | undefined): readonly string[] | undefined {
  if (role === "complaint_owner" && (wanted ?? status) === "cancelled") return ["cancellationReason", "status"];
  if (role === "complaint_owner" && status === "draft") return ["author", "title", "description", "status"];
  if (role === "tender_owner" && status === "claim")
    return ["resolution", "resolutionType", "status", "tendererAction"];
  return role === "complaint_owner" && status === "answered" ? ["satisfied", "status"] : undefined;
}

export function editComplaint(
  tender: Tender,
  { about, complaint: id, sent }: Extract<Command, { kind: "edit complaint" }>,
  context: Context,
): Decided<Outcome> {
  const { actor } = context;
  const all = complaintsOf(tender, about);
  const before = all.find((one) => one.id === id);
  if (!before) return notFound("complaint");
  const role = roleOf(actor, before, tender);
  if (role === "other" && !isIn(actor, "admins", "reviewers")) return forbidden();
  const names = writable(role, before, sent.fields.status ?? undefined);
  const after = merge<Complaint>(before, names ? pick(sent.fields, names) : {});
  const wrong = invalid(sent.problems, names ? checkEdited(merge<Complaint>(before, sent.fields)) : []);
  if (wrong) return wrong;
  if (!names) return wrongRole(windowOfWriting(role, before));
  const refused = refusedEditing(tender, about, before);
  if (refused) return refused;
  const move = MOVES[`${role} ${before.status} ${after.status}`];
  const moved = move?.(before, after, { tender, about, context });
  if (!moved) return cannotMove();
  if ("ok" in moved) return moved;
  const changed = withComplaints(
    tender,
    about,
    all.map((one) => (one === before ? moved : one)),
  );
  return ok({ tender: settled(changed, moved, context), id });
}

const pick = (fields: Patch<ComplaintSent>, names: readonly string[]): Patch<ComplaintSent> =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => names.includes(name)));

function checkEdited(complaint: Complaint): readonly Problem[] {
  const { status, resolutionType, cancellationReason, author } = complaint;
  return [
    ...required(complaint, [], "author", "title"),
    ...inside(author, ["author"], checkOrganization),
    ...(status === "answered" && !resolutionType ? [missing(["resolutionType"], "cross")] : []),
    ...(status === "cancelled" && !cancellationReason ? [missing(["cancellationReason"], "cross")] : []),
  ];
}

function refusedEditing(tender: Tender, about: Contested, complaint: Complaint) {
  const award = about.award === undefined ? undefined : tender.awards.find(({ id }) => id === about.award);
  const act = award ? "edit award complaint" : "edit complaint";
  if (!accepts(tender, act)) return wrongStatus("update complaint", "tender", tender, windowOf(tender, act));
  if (award && !isLotActive(tender, award.lotID))
    return rule("lot-not-active", "Can update complaint only in active lot status", {
      window: windowOfLot(tender, act, award.lotID),
    });
  return ["draft", "claim", "answered"].includes(complaint.status)
    ? undefined
    : wrongStatus("update complaint", "itself", complaint, { until: complaint.date });
}

type Scene = { readonly tender: Tender; readonly about: Contested; readonly context: Context };
type Move = (before: Complaint, after: Complaint, scene: Scene) => Complaint | ReturnType<typeof rule> | undefined;

const cancel: Move = (_before, after, { context: { at } }) => ({ ...after, date: at, dateCanceled: at });

const cannotMove = (window?: Window) => rule("complaint-move", "Can't update complaint", { window });

/** A draft is edited and submitted as long as it could be filed. */
const inTime =
  (then: Move): Move =>
  (before, after, scene) => {
    const { tender, about, context } = scene;
    const award = tender.awards.find(({ id }) => id === about.award);
    const late = refusedFiling(tender, award, context.at)?.refused;
    return late ? cannotMove("window" in late ? late.window : undefined) : then(before, after, scene);
  };

const RESOLUTION_LENGTH_MIN = 20;

const answer: Move = (_before, after, { tender, about, context }) => {
  const { at, sandbox, zone } = context;
  if ([...(after.resolution ?? "")].length < RESOLUTION_LENGTH_MIN)
    return about.award === undefined
      ? rule("resolution-too-short", "Can't update complaint: resolution too short")
      : undefined;
  const settlesAt = standStillEnd(at, "complaint", tender.procurementMethodDetails, sandbox, zone);
  return { ...withAction(after, at), date: at, dateAnswered: at, settlesAt };
};

/** The first time the buyer says what it did, it is dated. */
const withAction = (complaint: Complaint, at: Instant): Complaint =>
  complaint.tendererAction !== undefined && complaint.tendererActionDate === undefined
    ? { ...complaint, tendererActionDate: at }
    : complaint;

const MOVES: { readonly [roleFromTo: string]: Move } = {
  "complaint_owner draft draft": inTime((_before, after) => after),
  "complaint_owner draft claim": inTime((_before, after, { context: { at } }) => ({
    ...after,
    date: at,
    dateSubmitted: at,
  })),
  "complaint_owner draft cancelled": cancel,
  "complaint_owner claim cancelled": cancel,
  "complaint_owner answered cancelled": cancel,
  "tender_owner claim claim": (_before, after, { context: { at } }) => withAction(after, at),
  "tender_owner claim answered": answer,
  "complaint_owner answered answered": (_before, after) => after,
  "complaint_owner answered resolved": (_before, after, { context: { at } }) =>
    after.satisfied === undefined ? undefined : { ...after, date: at },
};

/** Once the last complaint is settled, what it held up can end. */
function settled(tender: Tender, complaint: Complaint, { at }: Pick<Context, "at">): Tender {
  const isSettled = ["resolved", "invalid", "declined", "cancelled", "ignored"].includes(complaint.status);
  const decided = tender.status === "active.qualification" || tender.status === "active.awarded";
  return isSettled && decided ? finalise(tender, at) : tender;
}

/** When the next answer that nobody contested settles its claim. Asked at every reading, so it makes no lists. */
export function answerSettlesAt({ complaints, awards }: Tender): Instant | undefined {
  let first = firstToSettle(complaints, undefined);
  for (const award of awards) first = firstToSettle(award.complaints, first);
  return first;
}

function firstToSettle(complaints: readonly Complaint[], before: Instant | undefined): Instant | undefined {
  let first = before;
  for (const { status, settlesAt } of complaints)
    if (status === "answered" && settlesAt !== undefined && (first === undefined || settlesAt < first))
      first = settlesAt;
  return first;
}

export const settleAnswers = (tender: Tender, { at }: Pick<Context, "at">): Tender =>
  settleAll(tender, at, (complaint) =>
    complaint.status === "answered" && complaint.settlesAt !== undefined && complaint.settlesAt <= at
      ? (complaint.resolutionType ?? "ignored")
      : undefined,
  );

const isPending = ({ status }: Complaint): boolean => status === "pending";

/**
 * Complaints that wait for a review body, which this procedure no longer has, come with older data only. They are settled
 * at once: the stamp of the tender's last change has passed, but on a test clock it is the real time.
 */
export function pendingSettlesAt({ complaints, awards, testClock, date, dateModified }: Tender): Instant | undefined {
  const waits = complaints.some(isPending) || awards.some((award) => award.complaints.some(isPending));
  if (!waits) return undefined;
  return testClock === undefined ? dateModified : date;
}

export const settlePending = (tender: Tender, { at }: Pick<Context, "at">): Tender =>
  settleAll(tender, at, (complaint) => {
    if (!isPending(complaint)) return undefined;
    return complaint.dateEscalated === undefined ? "ignored" : (complaint.resolutionType ?? "ignored");
  });

/** Moves every complaint to the status that is found for it, if there is one, and ends what that held up. */
function settleAll(tender: Tender, at: Instant, find: (complaint: Complaint) => Complaint["status"] | undefined) {
  const settle = (complaint: Complaint): Complaint => {
    const status = find(complaint);
    return status ? { ...complaint, status, date: at } : complaint;
  };
  const after = {
    ...tender,
    complaints: tender.complaints.map(settle),
    awards: tender.awards.map((award) => ({ ...award, complaints: award.complaints.map(settle) })),
  };
  const decided = tender.status === "active.qualification" || tender.status === "active.awarded";
  return decided ? finalise(after, at) : after;
}
