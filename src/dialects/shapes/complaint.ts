import * as domain from "../../domain/model/tender.ts";
import {
  alwaysPresent,
  arrayOf,
  field,
  flag,
  instant,
  objectOf,
  oneOf,
  readOnly,
  type ShapeOf,
  text,
} from "../fields.ts";
import { EXAMPLE_IDS } from "./exampleIds.ts";

/** Objections to a tender or an award, and the end of a tender before its time. */
export const complaintShapes = {
  Complaint: {
    id: alwaysPresent(
      text,
      "Identifies the complaint in paths: 32 hex digits. Assigned by the service.",
      EXAMPLE_IDS.complaint,
    ),
    complaintID: alwaysPresent(
      text,
      "Number of the complaint for people: the tender's number, a full stop, and 1 for its first complaint. Assigned by the " +
        "service.",
      "UA-2026-11-16-000001.1",
    ),
    date: alwaysPresent(
      instant,
      "Time at which the complaint was created, then of the last change of `status`. Set by the service.",
      "2026-11-19T12:00:31.009871+02:00",
    ),
    status: field(
      { ...oneOf(domain.COMPLAINT_STATUSES), always: true },
      "The complainant creates a `draft` or a `claim`, submits a draft (`claim`), takes it back (`cancelled`), or settles an " +
        "answered claim (`resolved`). The tender's owner sets `answered`. The service settles an answer that nobody contests for " +
        "three days with the status that `resolutionType` names, and sets `ignored` when the tender or the lot ends with the claim " +
        "unanswered. A complaint to the reviewers is submitted as `pending` and given up with `stopping`; the reviewers set " +
        "`accepted`, `invalid`, `mistaken`, `declined`, `satisfied` and `stopped`, and the tender's owner ends a satisfied one " +
        "with `resolved`.",
      "answered",
    ),
    type: readOnly(
      oneOf(domain.COMPLAINT_TYPES),
      "`claim`: to be answered by the buyer. `complaint`: to be decided by the reviewers. Set by the service.",
      "claim",
    ),
    relatedLot: field(
      text,
      "`id` of the lot that the complaint is about. Set by the complainant on creation; for a complaint against an award the " +
        "service sets the award's lot.",
      EXAMPLE_IDS.lot,
    ),
    author: field(
      objectOf("Organization"),
      "Who complains. Required; set by the complainant. In a claim against the tender, responses other than the one to the POST " +
        "show it from `active.qualification` on, or once the tender has ended.",
    ),
    title: field(text, "The complaint in a few words. Required; set by the complainant.", "The tasting is too early"),
    description: field(
      text,
      "The complaint in full. Set by the complainant.",
      "Nobody can prepare a tasting menu within two days.",
    ),
    dateSubmitted: readOnly(
      instant,
      "Time at which the complaint became a `claim`, or `pending` where the reviewers decide. Set by the service.",
      "2026-11-18T16:20:05.117340+02:00",
    ),
    resolution: field(
      text,
      "The buyer's answer, at least 20 characters. Set by the tender's owner.",
      "The tasting is moved to the second week of the tender period.",
    ),
    resolutionType: field(
      oneOf(domain.RESOLUTIONS),
      "How the buyer judges the claim: without grounds (`invalid`), met (`resolved`) or rejected (`declined`). Set by the " +
        "tender's owner; required with `answered`.",
      "resolved",
    ),
    dateAnswered: readOnly(
      instant,
      "Time at which the claim was answered. Set by the service.",
      "2026-11-19T12:00:31.009871+02:00",
    ),
    tendererAction: field(
      text,
      "What the buyer did about the complaint. Set by the tender's owner; required to set `resolved` after `satisfied`.",
      "Changed the date of the tasting.",
    ),
    tendererActionDate: readOnly(
      instant,
      "Time at which `tendererAction` was first set. Set by the service.",
      "2026-11-19T12:00:31.009871+02:00",
    ),
    satisfied: field(
      flag,
      "Whether the complainant accepts the answer. Set by the complainant of an answered claim; required to set `resolved`.",
      true,
    ),
    dateEscalated: readOnly(
      instant,
      "Time at which the claim was passed on to a review body. In older data only.",
      "2017-04-20T12:00:00+03:00",
    ),
    acceptance: readOnly(
      flag,
      "Whether the reviewers took the complaint on. Set by the service with `accepted`, `invalid` and `mistaken`.",
      true,
    ),
    dateAccepted: readOnly(
      instant,
      "Time at which the reviewers took the complaint on. Set by the service.",
      "2026-11-24T09:30:00+02:00",
    ),
    rejectReason: field(
      { ...text, known: domain.REJECT_REASONS },
      "Why the reviewers do not take the complaint on. Set by the reviewers. Two of the values contain a Cyrillic letter that looks like " +
        "a Latin C; both spellings are accepted.",
      "noPaymentReceived",
    ),
    rejectReasonDescription: field(
      text,
      "Why the reviewers do not take the complaint on, in their words. Set by the reviewers.",
      "The fee for the review was not paid.",
    ),
    reviewDate: field(
      instant,
      "Time at which the complaint is reviewed. Set by the reviewers.",
      "2026-11-30T10:00:00+02:00",
    ),
    reviewPlace: field(text, "Where the complaint is reviewed. Set by the reviewers.", "Kyiv, Lypska Street 18"),
    decision: field(
      text,
      "Decision of the reviewers, in their words. Set by the reviewers; ignored where claims are answered by the buyer.",
      "The complaint is upheld.",
    ),
    dateDecision: readOnly(
      instant,
      "Time of the decision of the reviewers. Set by the service.",
      "2026-12-01T12:00:00+02:00",
    ),
    cancellationReason: field(
      text,
      "Why the complainant takes the complaint back; required with `cancelled` and `stopping`. `cancelled`, set by the service, if the award " +
        "that it is about was cancelled.",
      "Settled with the buyer",
    ),
    dateCanceled: readOnly(
      instant,
      "Time at which the complaint was cancelled. Set by the service.",
      "2026-11-20T09:00:00+02:00",
    ),
    documents: readOnly(
      arrayOf("Document"),
      "Documents of the complaint, in the order of upload. Added at their own address.",
    ),
  } satisfies ShapeOf<Omit<domain.Complaint, "owner" | "tokenHash" | "settlesAt">>,
  Cancellation: {
    id: alwaysPresent(
      text,
      "Identifies the cancellation in paths: 32 hex digits. Assigned by the service.",
      EXAMPLE_IDS.cancellation,
    ),
    date: alwaysPresent(
      instant,
      "Time at which the cancellation was created, then of the last change of `status`. Set by the service.",
      "2026-11-20T10:00:00.750000+02:00",
    ),
    status: field(
      { ...oneOf(domain.CANCELLATION_STATUSES), always: true },
      "`pending` announces the cancellation, `active` puts it into effect, which cannot be undone. Set by the tender's owner, " +
        "`pending` if absent.",
      "pending",
    ),
    reason: field(
      text,
      "Why it is cancelled. Required; set by the tender's owner on creation.",
      "The gym will not be built",
    ),
    reasonType: field(
      oneOf(domain.CANCELLATION_REASON_TYPES),
      "Kind of the reason; the tender or the lot becomes `cancelled` in any case. Set by the tender's owner under `reporting`, " +
        "`negotiation` and `negotiation.quick`, `cancelled` if absent; unknown elsewhere.",
      "unsuccessful",
    ),
    reason_en: readOnly(
      text,
      "English version of `reason`. In older data only; ignored when sent.",
      "The gym will not be built",
    ),
    reason_ru: readOnly(
      text,
      "Russian version of `reason`. In older data only; ignored when sent.",
      "Спортзал не будет построен",
    ),
    cancellationOf: field(
      oneOf(domain.CANCELLATION_SUBJECTS),
      "What is cancelled. Set by the tender's owner on creation, `tender` if absent; if `relatedLot` is given, the lot is " +
        "cancelled in any case.",
      "lot",
    ),
    relatedLot: field(
      text,
      "`id` of the lot that is cancelled; required if `cancellationOf` is `lot`. Set by the tender's owner on creation.",
      EXAMPLE_IDS.cancelledLot,
    ),
    documents: readOnly(
      arrayOf("Document"),
      "Documents of the cancellation, in the order of upload. Added at their own address.",
    ),
  } satisfies ShapeOf<domain.Cancellation>,
};
