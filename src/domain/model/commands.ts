import type { ProcedureName } from "../procedures/names.ts";
import type { Decimal } from "../values/decimal.ts";
import type { Instant, Zone } from "../values/time.ts";
import type { Actor } from "./actors.ts";
import type { Problem, Refusal } from "./refusals.ts";
import type { BidTotals, SizeLimits } from "./sizeLimits.ts";
import type {
  Award,
  Bid,
  Cancellation,
  Complaint,
  Contract,
  Document,
  Lot,
  LotValue,
  Period,
  Question,
  Tender,
  TenderFields,
  TenderStatus,
  TranslatedText,
  Value,
} from "./tender.ts";

/** A change that names the fields it sets: `null` clears a field, lists are merged by position, `{}` keeps an element. See `merge`. */
export type Patch<Fields> = Fields extends readonly (infer Element)[]
  ? readonly Patch<Element>[]
  : Fields extends Decimal
    ? Fields
    : Fields extends object
      ? { readonly [Name in keyof Fields]?: Patch<Fields[Name]> | null }
      : Fields;

/** A parsed request body: the fields that could be read, and the problems of the others. */
type ParsedInput<Fields> = { readonly fields: Fields; readonly problems: readonly Problem[] };

/** A parsed body that creates an object: nulls are dropped, since there is nothing to clear. */
export type ParsedObject<Fields> = ParsedInput<Fields>;
/** A parsed body that changes an object. */
export type ParsedPatch<Fields> = ParsedInput<Patch<Fields>>;

/** Fields that clients may send for a tender. Which of them have an effect depends on the actor and on the status. */
export type TenderInput = TenderFields & {
  readonly status?: TenderStatus;
  readonly mode?: "test";
  readonly lots?: readonly Partial<Lot>[];
  /** Set by the scheduler; ignored when the owner sends it. */
  readonly auctionPeriod?: Period;
};
export type QuestionInput = Omit<Question, "id" | "date" | "dateAnswered">;
export type BidInput = Pick<Bid, "tenderers" | "value" | "lotValues" | "parameters"> & {
  readonly status?: Bid["status"];
};
/** A new bid may include documents whose files are already in the document service. */
export type NewBidInput = BidInput & { readonly documents?: readonly RegistrationInput[] };
export type AwardInput = TranslatedText<"title"> &
  TranslatedText<"description"> &
  Pick<
    Award,
    "suppliers" | "qualified" | "subcontractingDetails" | "value" | "items" | "bid_id" | "lotID" | "complaintPeriod"
  > & {
    readonly status?: Award["status"];
  };
export type ContractInput = Partial<
  Pick<Contract, "awardID" | "contractNumber" | "status" | "period" | "value" | "dateSigned" | "suppliers" | "items">
> &
  TranslatedText<"title"> &
  TranslatedText<"description">;
export type ComplaintInput = Partial<
  Pick<
    Complaint,
    | "author"
    | "title"
    | "description"
    | "status"
    | "relatedLot"
    | "resolution"
    | "resolutionType"
    | "tendererAction"
    | "satisfied"
    | "rejectReason"
    | "rejectReasonDescription"
    | "reviewDate"
    | "reviewPlace"
    | "decision"
    | "cancellationReason"
  >
>;
export type CancellationInput = Partial<
  Pick<Cancellation, "reason" | "reasonType" | "status" | "cancellationOf" | "relatedLot">
>;
export type LotInput = TranslatedText<"title"> &
  TranslatedText<"description"> &
  Pick<Lot, "value" | "minimalStep" | "guarantee" | "auctionPeriod"> & { readonly id?: string };
export type DocumentInput = Pick<
  Document,
  | "title"
  | "title_en"
  | "title_ru"
  | "description"
  | "description_en"
  | "description_ru"
  | "format"
  | "language"
  | "documentType"
  | "documentOf"
  | "relatedItem"
>;
/** The description of a file that is already in the document service, when it is registered as a document. */
export type RegistrationInput = Partial<DocumentInput> & { readonly url?: string; readonly hash?: string };
/** What the auction service reports: URLs, prices and times, by id or in the order of the tender's bids and lots. */
export type AuctionInput = {
  readonly auctionUrl?: string;
  readonly bids?: readonly {
    readonly id?: string;
    readonly value?: Value;
    readonly date?: Instant;
    readonly participationUrl?: string;
    readonly lotValues?: readonly LotValue[];
  }[];
  readonly lots?: readonly { readonly id?: string; readonly auctionUrl?: string }[];
};
/** A stored file. `key` identifies it in the file store, `size` is in bytes. */
export type UploadedFile = Pick<Document, "title" | "format" | "key" | "hash" | "sha256" | "size">;

/** The file of a document version, with its description if it was registered from the document service rather than uploaded. */
export type SubmittedFile = { readonly file: UploadedFile; readonly registration?: ParsedObject<RegistrationInput> };

/**
 * The object that documents belong to, by id: the tender itself if nothing is set. `award` and `complaint` together mean a
 * complaint about that award.
 */
export type DocumentParent = {
  readonly bid?: string;
  readonly award?: string;
  readonly contract?: string;
  readonly complaint?: string;
  readonly cancellation?: string;
};

/** The subject of a complaint: the award with this id, or the tender. */
export type ComplaintSubject = { readonly award?: string };

/** A request to change an existing tender. `decide` turns it into a new state or a refusal. */
export type TenderCommand =
  | { readonly kind: "edit tender"; readonly sent: ParsedPatch<TenderInput> }
  | { readonly kind: "renew token" }
  | { readonly kind: "ask question"; readonly sent: ParsedObject<QuestionInput> }
  | { readonly kind: "answer question"; readonly question: string; readonly sent: ParsedPatch<QuestionInput> }
  | {
      readonly kind: "place bid";
      readonly sent: ParsedObject<NewBidInput>;
      /** The files of `sent.fields.documents`, in the same order. */
      readonly files?: readonly UploadedFile[];
    }
  | { readonly kind: "change bid"; readonly bid: string; readonly sent: ParsedPatch<BidInput> }
  | { readonly kind: "withdraw bid"; readonly bid: string }
  /** Replaces the participation links of a bid in the auctions that the service holds. */
  | { readonly kind: "replace link"; readonly bid: string }
  | { readonly kind: "record award"; readonly sent: ParsedObject<AwardInput> }
  | { readonly kind: "change award"; readonly award: string; readonly sent: ParsedPatch<AwardInput> }
  | { readonly kind: "report auction"; readonly sent: ParsedPatch<AuctionInput> }
  | { readonly kind: "set auction urls"; readonly lot?: string; readonly sent: ParsedPatch<AuctionInput> }
  | { readonly kind: "finish auction"; readonly lot?: string; readonly sent: ParsedPatch<AuctionInput> }
  | { readonly kind: "add lot"; readonly sent: ParsedObject<LotInput> }
  | { readonly kind: "edit lot"; readonly lot: string; readonly sent: ParsedPatch<LotInput> }
  | { readonly kind: "remove lot"; readonly lot: string }
  | { readonly kind: "add contract"; readonly sent: ParsedObject<ContractInput> }
  | { readonly kind: "edit contract"; readonly contract: string; readonly sent: ParsedPatch<ContractInput> }
  | { readonly kind: "file complaint"; readonly about: ComplaintSubject; readonly sent: ParsedObject<ComplaintInput> }
  | {
      readonly kind: "edit complaint";
      readonly about: ComplaintSubject;
      readonly complaint: string;
      readonly sent: ParsedPatch<ComplaintInput>;
    }
  | { readonly kind: "add cancellation"; readonly sent: ParsedObject<CancellationInput> }
  | { readonly kind: "edit cancellation"; readonly cancellation: string; readonly sent: ParsedPatch<CancellationInput> }
  | ({ readonly kind: "add document"; readonly of: DocumentParent } & SubmittedFile)
  | ({ readonly kind: "replace document"; readonly of: DocumentParent; readonly document: string } & SubmittedFile)
  | {
      readonly kind: "edit document";
      readonly of: DocumentParent;
      readonly document: string;
      readonly sent: ParsedPatch<DocumentInput>;
    };

/** A request to publish a new tender. */
export type Publication = {
  /** The procedure that the wire version chose for the request, or "unknown" if the client named one that does not exist. */
  readonly procedure: ProcedureName | "unknown";
  readonly sent: ParsedObject<TenderInput>;
};

/** What carrying out a deadline may depend on besides the tender. */
export type TimeContext = {
  /** The time at which the decision takes effect. */
  readonly at: Instant;
  readonly zone: Zone;
  /** Whether the registry is a sandbox, where tenders may shorten their periods. */
  readonly sandbox: boolean;
  /** Returns a new random id of 32 hex digits. */
  readonly newId: () => string;
  /** The last time the service could not be reached, if it is known: `from` is inclusive, `until` exclusive. */
  readonly interruption?: Interruption | undefined;
};

/** A time in which no server of the registry worked. */
export type Interruption = { readonly from: Instant; readonly until: Instant };

/** Everything that a decision may depend on besides the tender and the command. The domain reads no clock and no randomness. */
export type CommandContext = TimeContext & {
  readonly actor: Actor;
  /** The hash of the owner token issued for the object that this command creates. */
  readonly newTokenHash: string;
  /** How large a tender may become; unlimited if absent. */
  readonly limits?: SizeLimits | undefined;
  /** The number and size of all bids on the tender. Needed if the tender comes with some of its bids only. */
  readonly bidTotals?: BidTotals | undefined;
};

/** The result of an accepted command. */
export type CommandOutcome = {
  readonly tender: Tender;
  /** The id of the object that the command created or changed, if it was not the tender itself. */
  readonly id?: string;
  /** The object that the command deleted, for the response. */
  readonly removed?: Bid | Lot;
  /** The command was refused, and the tender records that: auctions publish refused prices, too. */
  readonly refused?: Refusal;
};
