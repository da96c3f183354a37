import { isEmpty } from "../content/fieldValues.ts";
import { partyReferences, rolesOf } from "../content/partyRoles.ts";
import { lotsWithAwards } from "../content/tenderSection.ts";
import { isWholeList } from "../merge.ts";
import { ExactNumber, isOcdsList, type OcdsObject, objectAt, objectsIn, textAt } from "../ocdsValues.ts";
import { EVENT_DATES } from "../pastDates.ts";
import { walkValue } from "../walk.ts";
import type { ReportFinding } from "./coherenceFindings.ts";
import { hasCompetitiveDates, hasSealedBids } from "./procedureFacts.ts";

/** Checks of one release, compiled or not. */

/** A date with a time and a zone. */
const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/;
const DATE_FIELD = /^(?:date[A-Z]?\w*|startDate|endDate|maxExtentDate|reviewDate|dueDate)$/;
const [YEAR_MIN, YEAR_MAX] = [1990, 2049];

/** Whether the first date is later than the second. Dates that cannot be compared are not. */
export function isLater(a: string | undefined, b: string | undefined): boolean {
  if (a === undefined || b === undefined || !DATE_TIME.test(a) || !DATE_TIME.test(b)) return false;
  return Temporal.Instant.compare(Temporal.Instant.from(a), Temporal.Instant.from(b)) > 0;
}

/** Checks every value by itself. */
export function checkValues(release: OcdsObject, report: ReportFinding): void {
  const releaseDate = textAt(release, "date");
  walkValue(release, (value, path, name) => {
    if (value !== null && isEmpty(value)) report("no-empty-values", path, value);
    if (typeof value === "string" && DATE_FIELD.test(name)) {
      const year = Number(value.slice(0, 4));
      if (!DATE_TIME.test(value)) report("dates-have-zones", path, value);
      else if (year < YEAR_MIN || year > YEAR_MAX) report("dates-are-plausible", path, value);
      if (EVENT_DATES.has(name) && isLater(value, releaseDate)) report("events-precede-release", path, value);
    }
    const isNumber = typeof value === "number" || value instanceof ExactNumber;
    if (name === "amount" && !isNumber && value !== null) report("amounts-are-numbers", path, value);
    if (isOcdsList(value) && !isWholeList(name, value)) checkIds(objectsIn(value), path, report);
  });
}

function checkIds(list: readonly OcdsObject[], path: string, report: ReportFinding): void {
  const knownIds = new Set<unknown>();
  for (const [i, { id }] of list.entries()) {
    if (knownIds.has(id)) report("ids-are-unique", `${path}/${i}/id`, id);
    knownIds.add(id);
  }
}

/** A compiled release says what is true now, so it has nothing to remove. */
export const checkNoNulls = (release: OcdsObject, report: ReportFinding): void =>
  walkValue(release, (value, path) => {
    if (value === null) report("no-nulls-in-compiled", path, value);
  });

/** Checks that every reference leads to a party with its name and its role, and that every role has a reference. */
export function checkParties(release: OcdsObject, report: ReportFinding): void {
  const references = partyReferences(release);
  const parties = new Map(objectsIn(release.parties).map((party) => [party.id, party]));
  for (const { id, name, role, path } of references) {
    const party = parties.get(id);
    if (!party) {
      report("references-have-parties", path, id);
      continue;
    }
    if (!rolesOf(party).includes(role)) report("references-have-roles", path, role);
    if (name !== undefined && name !== party.name) report("references-have-names-of-parties", `${path}/name`, name);
  }
  const referredRoles = new Set(references.map(({ id, role }) => `${role} ${id}`));
  for (const [i, party] of objectsIn(release.parties).entries()) {
    if (typeof party.id !== "string") report("party-ids-are-texts", `/parties/${i}/id`, party.id);
    for (const role of rolesOf(party))
      if (!referredRoles.has(`${String(role)} ${String(party.id)}`))
        report("roles-have-references", `/parties/${i}/roles`, role);
  }
}

const NOT_DECIDED: ReadonlySet<unknown> = new Set(["planning", "planned", "active"]);

/** Checks that the statuses of the tender, of its lots, of its awards and of its contracts agree. */
export function checkStatuses(release: OcdsObject, report: ReportFinding): void {
  const { status, lots } = objectAt(release, "tender");
  const [awards, contracts] = [objectsIn(release.awards), objectsIn(release.contracts)];
  if (NOT_DECIDED.has(status) && awards.length + contracts.length > 0)
    report("no-awards-while-active", "/tender/status", status);
  const lotsAwarded = lotsWithAwards(release);
  for (const [i, lot] of objectsIn(lots).entries()) {
    if (!NOT_DECIDED.has(lot.status)) continue;
    if (lotsAwarded.has(lot.id)) report("no-awards-of-active-lots", `/tender/lots/${i}/status`, lot.status);
    if (status === "cancelled" || status === "unsuccessful")
      report("no-active-lots-after-end", `/tender/lots/${i}/status`, lot.status);
  }
  const statuses = new Map(awards.map((award) => [award.id, award.status]));
  for (const [i, contract] of contracts.entries()) {
    const isOver = contract.status === "cancelled" || contract.status === "terminated";
    if (!isOver && statuses.get(contract.awardID) !== "active")
      report("contracts-have-active-awards", `/contracts/${i}/awardID`, statuses.get(contract.awardID));
  }
}

/** Checks that awards have ended with the tender or the lot that they are for. A signed contract keeps its award. */
export function checkCancelledAwards(release: OcdsObject, report: ReportFinding): void {
  const tender = objectAt(release, "tender");
  const cancelledLots = new Set(
    objectsIn(tender.lots).flatMap(({ id, status }) => (status === "cancelled" && id !== undefined ? [id] : [])),
  );
  const awarded = new Set(objectsIn(release.contracts).map(({ awardID }) => awardID));
  for (const [i, { id, status, relatedLots }] of objectsIn(release.awards).entries()) {
    const isOfCancelledLot = isOcdsList(relatedLots) && relatedLots.some((lot) => cancelledLots.has(lot));
    const isOpen = (status === "pending" || status === "active") && !awarded.has(id);
    if (isOpen && (tender.status === "cancelled" || isOfCancelledLot))
      report("cancelled-awards-end", `/awards/${i}/status`, status);
  }
}

/** Checks that there are as many tenderers as the release says, and that it says "none" only if it can know that. */
export function checkTenderers(release: OcdsObject, report: ReportFinding): void {
  const tender = objectAt(release, "tender");
  const { numberOfTenderers = null, tenderers } = tender;
  if (numberOfTenderers !== null && numberOfTenderers !== objectsIn(tenderers).length)
    report("tenderers-are-counted", "/tender/numberOfTenderers", numberOfTenderers);
  const areBidsUnseen = tender.status === "cancelled" && hasSealedBids(tender);
  if (numberOfTenderers === 0 && (areBidsUnseen || BEFORE_DEADLINE.has(tender.statusDetails)))
    report("zero-tenderers-are-certain", "/tender/numberOfTenderers", numberOfTenderers);
}

/** The stages of our extension in which bids can still come. */
const BEFORE_DEADLINE: ReadonlySet<unknown> = new Set(["active.enquiries", "active.tendering"]);

/** Checks that bids were received before the deadline, if the release has both. */
export function checkBidDates(release: OcdsObject, report: ReportFinding): void {
  const deadline = textAt(objectAt(objectAt(release, "tender"), "tenderPeriod"), "endDate");
  for (const [i, bid] of objectsIn(objectAt(release, "bids").details).entries()) {
    const date = textAt(bid, "date");
    if (isLater(date, deadline)) report("bids-precede-deadline", `/bids/details/${i}/date`, date);
  }
}

/** Checks the order of dates, except where the buyer records by hand what happened. */
export function checkDateOrder(release: OcdsObject, report: ReportFinding): void {
  const tender = objectAt(release, "tender");
  if (!hasCompetitiveDates(tender)) return;
  const deadline = textAt(objectAt(tender, "tenderPeriod"), "endDate");
  const awardDates = new Map<unknown, string | undefined>();
  for (const [i, award] of objectsIn(release.awards).entries()) {
    const date = textAt(award, "date");
    awardDates.set(award.id, date);
    if (isLater(deadline, date)) report("dates-are-in-order", `/awards/${i}/date`, date);
  }
  for (const [i, contract] of objectsIn(release.contracts).entries()) {
    const signed = textAt(contract, "dateSigned");
    if (isLater(awardDates.get(contract.awardID), signed))
      report("dates-are-in-order", `/contracts/${i}/dateSigned`, signed);
  }
}
