import * as domain from "../../domain/model/tender.ts";
import type { CredentialsView, ScheduleView } from "../../views/visibility.ts";
import { alwaysPresent, arrayOf, instant, integer, objectOf, oneOf, readOnly, type ShapeOf, text } from "../fields.ts";
import { EXAMPLE_IDS } from "./exampleIds.ts";

/** Reduced views of a tender: for the scheduler, for the service that manages contracts, and for the feed. */
export const viewShapes = {
  Schedule: {
    id: alwaysPresent(text, "Identifies the tender in paths: 32 hex digits.", EXAMPLE_IDS.secondTender),
    status: alwaysPresent(
      oneOf(domain.TENDER_STATUSES),
      "Stage of the procedure, as in the tender.",
      "active.tendering",
    ),
    mode: readOnly(text, "`test` for a test tender, absent for a real one.", "test"),
    next_check: readOnly(
      instant,
      "Time at which the tender will next change by itself, or its auction starts or should be over. Absent if nothing is due.",
      "2026-11-30T10:00:00+02:00",
    ),
    enquiryPeriod: readOnly(objectOf("Period"), "When questions can be asked, as in the tender.", {
      startDate: "2026-11-16T10:00:00.123456+02:00",
      endDate: "2026-11-23T10:00:00+02:00",
    }),
    tenderPeriod: readOnly(objectOf("Period"), "When bids are accepted, as in the tender."),
    auctionPeriod: readOnly(objectOf("AuctionPeriod"), "When the auction is held; absent if the tender has lots."),
    awardPeriod: readOnly(objectOf("Period"), "When the winner is chosen, as in the tender.", {
      startDate: "2026-12-01T11:36:18.402199+02:00",
      endDate: "2026-12-03T10:15:00.500000+02:00",
    }),
    submissionMethodDetails: readOnly(
      text,
      "Free text about the auction; in the sandbox, `quick` asks to plan it without waiting for midnight.",
      "quick",
    ),
    numberOfBids: readOnly(
      integer,
      "Number of bids. Shown once the tender period has ended: before that, nobody learns it.",
      2,
    ),
    lots: readOnly(arrayOf("ScheduledLot"), "The lots of the tender; absent if it has none."),
    awards: readOnly(arrayOf("Award"), "The awards of the tender."),
    complaints: readOnly(arrayOf("Complaint"), "The claims against the tender."),
  } satisfies ShapeOf<ScheduleView>,
  ScheduledLot: {
    id: readOnly(text, "`id` of the lot: 32 hex digits.", EXAMPLE_IDS.lot),
    status: readOnly(text, "State of the lot: only an `active` one has an auction to plan.", "active"),
    auctionPeriod: readOnly(objectOf("AuctionPeriod"), "When the auction of the lot is held."),
    numberOfBids: readOnly(
      integer,
      "Number of bids for the lot. Shown once the tender period has ended: before that, nobody learns it.",
      2,
    ),
  },
  Credentials: {
    id: alwaysPresent(text, "Identifies the tender in paths: 32 hex digits.", EXAMPLE_IDS.tender),
    owner: alwaysPresent(text, "Name of the account that created the tender.", "broker"),
    tender_token: alwaysPresent(
      text,
      "SHA-256 of the tender's owner token, 64 hex digits. The token itself is known to its owner only.",
      EXAMPLE_IDS.tokenHash,
    ),
  } satisfies ShapeOf<CredentialsView>,
  Entry: {
    id: alwaysPresent(text, "Identifies the tender in paths: 32 hex digits.", EXAMPLE_IDS.tender),
    dateModified: alwaysPresent(
      instant,
      "Time of the last public change of the tender. The feed is ordered by it, and no two entries share one.",
      "2026-11-23T10:00:00+02:00",
    ),
  },
};
