import * as domain from "../../domain/model/tender.ts";
import { PROCUREMENT_METHOD_TYPES } from "../../domain/procedures/names.ts";
import { NEGOTIATION_CAUSES } from "../../domain/procedures/negotiation.ts";
import type { TenderView } from "../../views/visibility.ts";
import {
  address,
  alwaysPresent,
  arrayOf,
  field,
  flag,
  instant,
  integer,
  objectOf,
  oneOf,
  readOnly,
  type ShapeOf,
  text,
  translated,
} from "../fields.ts";
import { EXAMPLE_IDS } from "./exampleIds.ts";

const CAUSES = ["quick", ...NEGOTIATION_CAUSES];

/** Only the oldest versions know when the buyer means to award and wants everything delivered. */
type ShownTender = Omit<TenderView, "deliveryDate" | "plannedAwardPeriod" | "auctionEndsAt" | "testClock">;

const Tender: ShapeOf<ShownTender> = {
  id: alwaysPresent(
    text,
    "Identifies the tender in paths: 32 hex digits. Assigned by the service on creation.",
    EXAMPLE_IDS.tender,
  ),
  tenderID: alwaysPresent(
    text,
    "Official number for people, `UA-<date>-<sequence>`. Assigned by the service on creation: the date is the day in the " +
      "registry's time zone, the sequence has at least six digits and starts at 000001 every day.",
    "UA-2026-11-16-000001",
  ),
  owner: alwaysPresent(
    text,
    "Name of the account that created the tender. Set by the service from the API key.",
    "broker",
  ),
  status: field(
    { ...oneOf(domain.TENDER_STATUSES), always: true },
    "Stage of the procedure. The service moves it when a deadline passes or a decision is made. The owner may create a tender " +
      "as `draft`, publish the draft by setting `active.enquiries` (`active` under `reporting`, `negotiation` and " +
      "`negotiation.quick`), and set `cancelled` before the tender has ended; any other " +
      "value in a PATCH is ignored, except that the owner of a tender without `procurementMethodType` ends it by setting " +
      "`complete` or `unsuccessful` in `active.qualification`.",
    "active.tendering",
  ),
  date: alwaysPresent(instant, "Time of the last change of `status`. Set by the service.", "2026-11-23T10:00:00+02:00"),
  dateModified: alwaysPresent(
    instant,
    "Time of the last public change of the tender or of anything in it. Set by the service; unique in the registry and rising " +
      "in the order of commit, so the feed is ordered by it. Sealed bids do not change it.",
    "2026-11-23T10:00:00+02:00",
  ),
  next_check: readOnly(
    instant,
    "Time at which the tender will next change by itself, or its auction starts or should be over. Computed by the service; " +
      "absent if nothing is due.",
    "2026-11-30T10:00:00+02:00",
  ),
  mode: field(
    oneOf(["test"]),
    "`test` marks a test tender: its titles get a marker in brackets, and the feed lists it only with the parameter `mode`. Set " +
      "by the owner on creation, fixed afterwards. Absent for a real tender.",
    "test",
  ),
  procurementMethodType: field(
    { ...text, known: PROCUREMENT_METHOD_TYPES },
    "Procedure that the tender follows. Set by the owner on creation, `belowThreshold` if absent; fixed afterwards. Responses " +
      "leave it out for a tender of the basic procedure, which older versions create.",
    "belowThreshold",
  ),
  procurementMethod: alwaysPresent(
    oneOf(["open", "selective", "limited"]),
    "Who may bid. Set by the procedure: `open` means anyone; `limited` that the buyer chooses the supplier.",
    "open",
  ),
  cause: field(
    { ...text, known: CAUSES },
    "Legal ground for buying without competition. Set by the owner: required under `negotiation`, optional under `negotiation.quick` " +
      "(which alone knows `quick`), unknown elsewhere.",
    "noCompetition",
  ),
  ...translated(
    "causeDescription",
    "Why that ground applies. Set by the owner; required under `negotiation` and `negotiation.quick`, unknown elsewhere.",
    ["The only supplier of this spare part", "Единственный поставщик этой запасной части"],
  ),
  ...translated("procurementMethodRationale", "Why this procedure was chosen. Set by the owner.", [
    "Value below the threshold for an open tender",
    "Стоимость ниже порога открытых торгов",
  ]),
  procurementMethodDetails: field(
    { ...text, sandboxOnly: true },
    "Sandbox only: a text that contains `accelerator=<n>` after at least one other character divides the stand-still of awards " +
      "and the time to contest an answer by n. Set by the owner.",
    "quick, accelerator=1440",
  ),
  submissionMethod: readOnly(
    oneOf(["electronicAuction", "electronicSubmission", "written", "inPerson"]),
    "How bids compete. Set by the procedure: `electronicAuction`, or absent if there are no bids.",
    "electronicAuction",
  ),
  ...translated(
    "submissionMethodDetails",
    "Free text about the auction. Set by the owner. In the sandbox, `quick` plans the auction without waiting for midnight, " +
      "`quick(mode:no-auction)` skips it, and `quick(mode:fast-forward)` ends it at once with the prices of the bids.",
    ["quick", "quick"],
  ),
  awardCriteria: readOnly(
    oneOf(["lowestCost", "bestProposal", "bestValueToGovernment", "singleBidOnly"]),
    "How bids are ranked. Set by the procedure: `lowestCost` is the lowest price, adjusted by `features` if there are any; absent if " +
      "there are no bids.",
    "lowestCost",
  ),
  ...translated("awardCriteriaDetails", "Free text about the award criteria. Set by the owner.", [
    "Lowest price for meals of the stated quality",
    "Наименьшая цена при заданном качестве питания",
  ]),
  ...translated(
    "eligibilityCriteria",
    "Free text about who may bid. Set by the owner; the service does not check it.",
    ["Suppliers with a food-safety certificate", "Поставщики с сертификатом безопасности пищевых продуктов"],
  ),
  ...translated(
    "title",
    "What is procured, in a few words. Set by the owner. In `mode` `test` the service puts `[ТЕСТУВАННЯ]` in front, `[TESTING]` " +
      "in front of the English title and `[ТЕСТИРОВАНИЕ]` in front of the Russian one.",
    ["School meals", "Школьное питание"],
  ),
  ...translated("description", "What is procured, in detail. Set by the owner.", [
    "Hot lunches for 320 pupils from January to May",
    "Горячие обеды для 320 учеников с января по май",
  ]),
  hasEnquiries: field(
    flag,
    "Whether the buyer received enquiries. Set by the owner; not computed from `questions`.",
    true,
  ),
  numberOfBidders: field(
    integer,
    "Number of bidders as the buyer counts them. Set by the owner; not computed from `bids`.",
    2,
  ),
  numberOfBids: readOnly(
    integer,
    "Number of bids. Computed by the service; shown from `active.qualification` on, also when it is 0.",
    2,
  ),
  value: field(
    objectOf("Value"),
    "Expected total value; under `belowThreshold` no bid may exceed it. Set by the owner. With `lots`, the service sets `amount` to the sum of theirs.",
  ),
  minimalStep: field(
    objectOf("Value"),
    "Smallest step by which a bid is lowered in the auction, at most `value`, in its currency and with its VAT flag. Set by the " +
      "owner. With `lots`, the service sets `amount` to the smallest of theirs.",
    { amount: 5000 },
  ),
  guarantee: field(
    objectOf("Guarantee"),
    "Security that a bidder has to provide. Set by the owner. With `lots`, the service sets `amount` to the sum of theirs.",
  ),
  enquiryPeriod: field(
    objectOf("Period"),
    "When questions can be asked. `startDate` is the time of publication and set by the service; `endDate` is set by the owner.",
    { startDate: "2026-11-16T10:00:00.123456+02:00", endDate: "2026-11-23T10:00:00+02:00" },
  ),
  tenderPeriod: field(
    objectOf("Period"),
    "When bids are accepted. Set by the owner; may not start before enquiries end, and starts then if `startDate` is absent.",
  ),
  auctionPeriod: field(
    objectOf("AuctionPeriod"),
    "When the auction is held. `startDate` is set by the scheduler, `endDate` by the service when the auction reports its " +
      "results. Ignored when the owner sends it; absent for a tender with `lots`, each of which has its own.",
  ),
  auctionUrl: readOnly(
    address,
    "Address of the page where the auction can be watched: set by the auction service before the auction, or shown from " +
      "`active.auction` on if the registry itself holds it.",
    `https://auction.example/tenders/${EXAMPLE_IDS.tender}`,
  ),
  awardPeriod: readOnly(
    objectOf("Period"),
    "When the winner is chosen. `startDate` is set by the service when it makes the first award, `endDate` when no award is left " +
      "to decide; an award that is cancelled removes `endDate` again.",
    { startDate: "2026-12-01T11:36:18.402199+02:00", endDate: "2026-12-03T10:15:00.500000+02:00" },
  ),
  procuringEntity: field(objectOf("ProcuringEntity"), "The organisation that buys. Set by the owner."),
  items: field(
    arrayOf("Item"),
    "Goods or services to be procured. Set by the owner; under `belowThreshold` at least one, all of one CPV class.",
  ),
  features: field(
    arrayOf("Feature"),
    "Criteria besides the price. Set by the owner; their largest values add up to at most 0.3, with `lots` for each lot.",
  ),
  lots: field(
    arrayOf("Lot"),
    "Parts that are bid for and awarded separately. Set by the owner on creation; afterwards each lot has its own address.",
  ),
  documents: readOnly(
    arrayOf("Document"),
    "Documents of the tender: every version of each, in the order of upload, with the same `id`. Added at their own address.",
  ),
  questions: readOnly(
    arrayOf("Question"),
    "Questions to the buyer, in the order in which they were asked. Added at their own address.",
  ),
  bids: readOnly(
    arrayOf("Bid"),
    "Bids, in the order in which they were placed. While they are sealed the field is absent: under `belowThreshold` until " +
      "`active.qualification`. Added at their own address.",
  ),
  awards: readOnly(
    arrayOf("Award"),
    "Awards, in the order in which they were made: by the service under `belowThreshold`, otherwise by the owner.",
  ),
  contracts: readOnly(arrayOf("Contract"), "Contracts. The service makes one when an award becomes `active`."),
  complaints: readOnly(
    arrayOf("Complaint"),
    "Claims against the tender itself. Claims against an award are in the award.",
  ),
  cancellations: readOnly(
    arrayOf("Cancellation"),
    "Cancellations of the tender or of one of its lots, whether in effect or not.",
  ),
};

export const tenderShapes = { Tender };
