import type {
  AuctionInput,
  AwardInput,
  BidInput,
  CancellationInput,
  ComplaintInput,
  ContractInput,
  DocumentInput,
  DocumentParent,
  LotInput,
  NewBidInput,
  Patch,
  QuestionInput,
  RegistrationInput,
  TenderCommand,
  TenderInput,
  UploadedFile,
} from "../../src/domain/model/commands.ts";
import type { Award, Item, Lot, Value } from "../../src/domain/model/tender.ts";
import { decimal } from "../../src/domain/values/decimal.ts";
import { DAY, type Instant, parseInstant } from "../../src/domain/values/time.ts";
import { zone } from "./decisions.ts";
import { cook, school } from "./organizations.ts";

// Builders for the input of the domain: a tender to publish, and every command with its required fields.

/** A Monday morning in Kyiv. */
export const START = parseInstant("2026-11-16T10:00:00+02:00", zone) as Instant;
/** The end of enquiries and the start of bidding. */
export const TENDERING = START + 7 * DAY;
/** The end of bidding. */
export const DEADLINE = START + 14 * DAY;

export const LOT_A = "a".repeat(32);
export const LOT_B = "b".repeat(32);
/** An id that no object has. */
export const NOBODY = "f".repeat(32);

export const money = (amount: string, more: Partial<Value> = {}): Value => ({ amount: decimal(amount), ...more });

export const meals: Item = {
  description: "Послуги шкільних їдалень",
  quantity: decimal("5"),
  unit: { name: "item", code: "44617100-9" },
  classification: { scheme: "ДК021", id: "55523100-3", description: "Послуги з харчування у школах" },
};

/** A complete tender below the thresholds: enquiries for a week from `START`, bids for a week more. */
export const tenderFields = (more: TenderInput = {}): TenderInput => ({
  title: "Послуги шкільних їдалень",
  value: money("500000"),
  minimalStep: money("5000"),
  enquiryPeriod: { endDate: TENDERING },
  tenderPeriod: { endDate: DEADLINE },
  procuringEntity: school,
  items: [meals],
  ...more,
});

export const lotOf = (id: string, amount = "1000", more: Partial<Lot> = {}): LotInput & { readonly id: string } => ({
  title: "Лот",
  value: money(amount),
  minimalStep: money("1"),
  ...more,
  id,
});

/** Two lots of 1,000 each; the only item belongs to the first. */
export const twoLots: TenderInput = {
  lots: [lotOf(LOT_A), lotOf(LOT_B)],
  items: [{ ...meals, relatedLot: LOT_A }],
};

/** The input of a client without reading problems. */
export const sent = <Fields>(fields: Fields) => ({ fields, problems: [] });

export const editTender = (fields: Patch<TenderInput>): TenderCommand => ({ kind: "edit tender", sent: sent(fields) });

export const askQuestion = (fields: QuestionInput = {}): TenderCommand => ({
  kind: "ask question",
  sent: sent({ title: "Чому?", author: cook, ...fields }),
});
export const answerQuestion = (question: string, answer?: string | null): TenderCommand => ({
  kind: "answer question",
  question,
  sent: sent({ answer }),
});

export const placeBid = (amount: string, more: NewBidInput = {}): TenderCommand => ({
  kind: "place bid",
  sent: sent({ tenderers: [cook], value: money(amount), ...more }),
});
/** A bid on lots: pairs of a lot and an amount. */
export const bidOnLots = (
  amounts: { readonly [lot: string]: string },
  more: NewBidInput = {},
): Extract<TenderCommand, { kind: "place bid" }> => ({
  kind: "place bid",
  sent: sent({
    tenderers: [cook],
    lotValues: Object.entries(amounts).map(([relatedLot, amount]) => ({ relatedLot, value: money(amount) })),
    ...more,
  }),
});
export const onBoth = (a: string, b: string) => bidOnLots({ [LOT_A]: a, [LOT_B]: b });
export const onA = (amount: string) => bidOnLots({ [LOT_A]: amount });
export const onB = (amount: string) => bidOnLots({ [LOT_B]: amount });
export const changeBid = (bid: string, fields: Patch<BidInput>): TenderCommand => ({
  kind: "change bid",
  bid,
  sent: sent(fields),
});
export const withdrawBid = (bid: string): TenderCommand => ({ kind: "withdraw bid", bid });

export const recordAward = (fields: AwardInput): TenderCommand => ({ kind: "record award", sent: sent(fields) });
export const changeAward = (award: string, fields: Patch<AwardInput>): TenderCommand => ({
  kind: "change award",
  award,
  sent: sent(fields),
});
export const decideAward = (award: string, status: Award["status"]): TenderCommand => changeAward(award, { status });

export const reportAuction = (fields: Patch<AuctionInput>): TenderCommand => ({
  kind: "report auction",
  sent: sent(fields),
});
export const setAuctionUrls = (fields: Patch<AuctionInput>, lot?: string): TenderCommand => ({
  kind: "set auction urls",
  lot,
  sent: sent(fields),
});
export const finishAuction = (fields: Patch<AuctionInput> = {}, lot?: string): TenderCommand => ({
  kind: "finish auction",
  lot,
  sent: sent(fields),
});

export const addLot = (fields: LotInput): TenderCommand => ({ kind: "add lot", sent: sent(fields) });
export const editLot = (lot: string, fields: Patch<LotInput>): TenderCommand => ({
  kind: "edit lot",
  lot,
  sent: sent(fields),
});
export const removeLot = (lot: string): TenderCommand => ({ kind: "remove lot", lot });

export const addContract = (fields: ContractInput): TenderCommand => ({ kind: "add contract", sent: sent(fields) });
export const editContract = (contract: string, fields: Patch<ContractInput>): TenderCommand => ({
  kind: "edit contract",
  contract,
  sent: sent(fields),
});
export const signContract = (contract: string): TenderCommand => editContract(contract, { status: "active" });

export const RESOLUTION = "й".repeat(20);
export const fileClaim = (fields: ComplaintInput = {}, award?: string): TenderCommand => ({
  kind: "file complaint",
  about: { award },
  sent: sent({ title: "Скарга", author: cook, status: "claim", ...fields }),
});
export const editComplaint = (complaint: string, fields: Patch<ComplaintInput>, award?: string): TenderCommand => ({
  kind: "edit complaint",
  about: { award },
  complaint,
  sent: sent(fields),
});
export const answerClaim = (complaint: string, award?: string, fields: Patch<ComplaintInput> = {}): TenderCommand =>
  editComplaint(
    complaint,
    { status: "answered", resolution: RESOLUTION, resolutionType: "declined", ...fields },
    award,
  );
export const withdrawClaim = (complaint: string, award?: string): TenderCommand =>
  editComplaint(complaint, { status: "cancelled", cancellationReason: "-" }, award);

export const addCancellation = (fields: CancellationInput = {}): TenderCommand => ({
  kind: "add cancellation",
  sent: sent({ reason: "Потреба відпала", ...fields }),
});
export const cancelTender = addCancellation({ status: "active" });
export const cancelLot = (relatedLot: string): TenderCommand =>
  addCancellation({ status: "active", cancellationOf: "lot", relatedLot });
export const editCancellation = (cancellation: string, fields: Patch<CancellationInput>): TenderCommand => ({
  kind: "edit cancellation",
  cancellation,
  sent: sent(fields),
});

export const file: UploadedFile = {
  title: "папір.txt",
  format: "text/plain",
  key: "1".repeat(32),
  hash: `md5:${"2".repeat(32)}`,
  sha256: "3".repeat(64),
  size: 5,
};
export const addDocument = (parent: DocumentParent = {}, registration?: RegistrationInput): TenderCommand => ({
  kind: "add document",
  of: parent,
  file,
  ...(registration && { registration: sent(registration) }),
});
export const replaceDocument = (
  document: string,
  parent: DocumentParent = {},
  registration?: RegistrationInput,
): TenderCommand => ({
  kind: "replace document",
  document,
  of: parent,
  file: { ...file, title: "нова версія.txt" },
  ...(registration && { registration: sent(registration) }),
});
export const editDocument = (
  document: string,
  parent: DocumentParent = {},
  fields: Patch<DocumentInput> = { description: "Опис" },
): TenderCommand => ({ kind: "edit document", document, of: parent, sent: sent(fields) });
