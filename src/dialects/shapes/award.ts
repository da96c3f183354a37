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
  translated,
} from "../fields.ts";
import { EXAMPLE_IDS } from "./exampleIds.ts";

/** Decisions on bids, and what follows from them. */
export const awardShapes = {
  Award: {
    id: alwaysPresent(
      text,
      "Identifies the award in paths: 32 hex digits. Assigned by the service.",
      EXAMPLE_IDS.award,
    ),
    date: alwaysPresent(
      instant,
      "Time at which the award was made, then of the last change of `status`. Set by the service.",
      "2026-12-03T10:15:00.500000+02:00",
    ),
    status: field(
      { ...oneOf(domain.AWARD_STATUSES), always: true },
      "Decision on the bid or the supplier: `pending` until the tender's owner accepts it (`active`) or rejects it (`unsuccessful`); `cancelled` " +
        "when the owner takes a decision back. Whoever records an award in the basic procedure sends it; elsewhere a new award is " +
        "`pending`.",
      "active",
    ),
    bid_id: field(
      text,
      "`id` of the bid that is awarded. Set by the service; only an administrator who records an award by hand sends it.",
      EXAMPLE_IDS.bid,
    ),
    lotID: field(
      text,
      "`id` of the lot that is awarded. Set by the service, or by the owner who records the award; absent if the tender has no lots.",
      EXAMPLE_IDS.lot,
    ),
    ...translated("title", "Name of the decision. Set by the tender's owner.", [
      "Award to Tasty Ltd",
      "Решение о «Вкусно»",
    ]),
    ...translated("description", "Reasons for the decision. Set by the tender's owner.", [
      "Lowest price, and all documents are in order",
      "Наименьшая цена, все документы в порядке",
    ]),
    suppliers: field(
      arrayOf("Organization"),
      "Whom the award is for: a list of one organisation. Copied from the bid by the service, or sent by whoever records the " +
        "award.",
    ),
    qualified: field(
      flag,
      "Whether the buyer has found the supplier qualified. Set by the tender's owner under `negotiation` and `negotiation.quick`, where " +
        "`true` is required to accept the award; ignored under `reporting`, unknown elsewhere.",
      true,
    ),
    subcontractingDetails: field(
      text,
      "What the supplier has others do. Set by the tender's owner where it records the award under `reporting`, `negotiation` or " +
        "`negotiation.quick`; unknown elsewhere.",
      "Transport by Swift Ltd",
    ),
    value: field(
      objectOf("Value"),
      "Awarded price, not adjusted by features. Copied from the bid by the service, or sent by whoever records the award.",
      { amount: 469000 },
    ),
    items: field(
      arrayOf("Item"),
      "Items that are awarded. Sent by whoever records the award; absent in awards that the service makes.",
    ),
    complaintPeriod: field(
      objectOf("Period"),
      "When the award can be contested. Set by the service: from when it is made until the end of the stand-still after the decision, " +
        "which is two working days under `belowThreshold`, and ten or five days under `negotiation` or `negotiation.quick`. Absent " +
        "under `reporting`. Only an administrator can change it.",
      { startDate: "2026-12-01T11:36:18.402199+02:00", endDate: "2026-12-07T10:15:00.500000+02:00" },
    ),
    documents: readOnly(
      arrayOf("Document"),
      "Documents of the award, in the order of upload. Added at their own address.",
    ),
    complaints: readOnly(arrayOf("Complaint"), "Claims and complaints against the award. Added at their own address."),
  } satisfies ShapeOf<domain.Award>,
  Contract: {
    id: alwaysPresent(
      text,
      "Identifies the contract in paths: 32 hex digits. Assigned by the service.",
      EXAMPLE_IDS.contract,
    ),
    date: alwaysPresent(
      instant,
      "Time at which the contract was made, then of the last change of `status`. Set by the service.",
      "2026-12-08T12:00:00.250000+02:00",
    ),
    status: field(
      { ...oneOf(domain.CONTRACT_STATUSES), always: true },
      "`pending` until the tender's owner sets `active`, which means that the contract is signed and ends the tender or the lot; " +
        "`cancelled` by the service when the award is taken back. `terminated` occurs in older data only.",
      "active",
    ),
    awardID: field(
      text,
      "`id` of the award that the contract follows from. Set by the service; an administrator who adds a contract by hand sends it.",
      EXAMPLE_IDS.award,
    ),
    contractID: readOnly(
      text,
      "Number of the contract for people: the tender's number, a hyphen, and 1 for its first contract. Assigned by the service.",
      "UA-2026-11-16-000001-1",
    ),
    contractNumber: field(text, "Number that the parties gave the contract. Set by the tender's owner.", "14/2026"),
    ...translated("title", "Title of the contract. Set by the tender's owner.", [
      "School meals 2027",
      "Школьное питание 2027",
    ]),
    ...translated("description", "What is agreed. Set by the tender's owner.", [
      "Lunches from January to May 2027",
      "Обеды с января по май 2027 года",
    ]),
    period: field(objectOf("Period"), "How long the contract is valid. Set by the tender's owner.", {
      startDate: "2027-01-11T00:00:00+02:00",
      endDate: "2027-05-28T00:00:00+03:00",
    }),
    value: field(
      objectOf("Value"),
      "Agreed price: at most what was awarded, in the same currency and with the same VAT flag. Copied from the award by the " +
        "service; the tender's owner may lower it.",
      { amount: 469000 },
    ),
    dateSigned: field(
      instant,
      "When the contract was signed: after the award's complaint period and not in the future. Set by the tender's owner; if " +
        "absent, the service sets the time at which `status` becomes `active`.",
      "2026-12-08T11:30:00+02:00",
    ),
    items: field(
      arrayOf("Item"),
      "Items that are delivered. Copied by the service from the tender, with lots those of the lot. Under `reporting`, `negotiation` and " +
        "`negotiation.quick` the tender's owner may change the `unit` of each, such as its price.",
    ),
    suppliers: field(
      arrayOf("Organization"),
      "Who delivers: a list of one organisation. Copied from the award by the service.",
    ),
    documents: readOnly(
      arrayOf("Document"),
      "Documents of the contract, in the order of upload. Added at their own address.",
    ),
  } satisfies ShapeOf<domain.Contract>,
};
