import { accreditationRefusal, participationRefusal } from "../accreditation.ts";
import { type Actor, isInGroup, owns } from "../model/actors.ts";
import { forbidden, ruleRefusal, type TimeWindow, wrongStatus } from "../model/refusals.ts";
import type { Award, Tender } from "../model/tender.ts";
import { accepts, type ComplaintRules, type Procedure } from "../procedures/procedure.ts";
import { isLotActive } from "../tender/lotRules.ts";
import { actionWindow, lotActionWindow } from "../timeWindows.ts";
import type { Instant } from "../values/time.ts";

/** Who may file complaints, and when. */

/** Why this actor may not file a complaint at any time, if it may not. */
export function complainantRefusal(procedure: Procedure, rules: ComplaintRules, actor: Actor, tender: Tender) {
  if (rules.filedBy === "brokers") return participationRefusal(procedure, actor, "complaint", tender);
  // The token of their bid identifies bidders.
  const isBidder = tender.bids.some((bid) => owns(actor, bid));
  if (!isBidder && !isInGroup(actor, "admins")) return forbidden();
  return accreditationRefusal(procedure, actor, "complaint", tender);
}

/** Why nobody may file a complaint about the tender, or about this award, at this time. */
export function filingRefusal(procedure: Procedure, tender: Tender, award: Award | undefined, at: Instant) {
  const action = award ? "file award complaint" : "file complaint";
  const window = actionWindow(procedure, tender, action, award && complaintWindow(award));
  if (!accepts(procedure, tender, action)) return wrongStatus("add complaint", "tender", tender, window);
  const rules = procedure.complaints.award;
  if (!award || !rules) return undefined;
  if (rules.followsLot && !isLotActive(tender, award.lotID))
    return ruleRefusal("lot-not-active", "Can add complaint only in active lot status", {
      window: lotActionWindow(procedure, tender, action, award.lotID, complaintWindow(award)),
    });
  if (isWithinComplaintPeriod(award, at)) return undefined;
  return ruleRefusal("outside-complaint-period", "Can add complaint only in complaintPeriod", {
    window: rules.hasOriginalPeriod(award) ? window : undefined,
  });
}

const complaintWindow = ({ complaintPeriod }: Award): TimeWindow => ({
  from: complaintPeriod?.startDate,
  until: complaintPeriod?.endDate,
});

const isWithinComplaintPeriod = ({ complaintPeriod }: Award, at: Instant): boolean =>
  (complaintPeriod?.startDate ?? at) <= at && at <= (complaintPeriod?.endDate ?? at);
