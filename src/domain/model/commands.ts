import type { Decimal } from "../values/decimal.ts";
import type { Instant, Zone } from "../values/time.ts";
import type { Actor } from "./actors.ts";
import type { Problem } from "./refusals.ts";
import type { SizeLimits } from "./sizeLimits.ts";
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
  ProcedureName,
  Question,
  Tender,
  TenderFields,
  TenderStatus,
  TranslatedText,
  Value,
} from "./tender.ts";

/** A patch names the fields it sets: `null` clears one, lists are merged by position, `{}` keeps an element. */
export type Patch<Fields> = Fields extends readonly (infer Element)[]
  ? readonly Patch<Element>[]
  : Fields extends Decimal
    ? Fields
    : Fields extends object
      ? { readonly [Name in keyof Fields]?: Patch<Fields[Name]> | null }
      : Fields;

/** What the client sent, as far as it could be read, and what was wrong with the rest. */
type ParsedInput<Fields> = { readonly fields: Fields; readonly problems: readonly Problem[] };

/** Something new: there is nothing to clear, so what is not given is absent. */
export type ParsedObject<Fields> = ParsedInput<Fields>;
/** A change of something that is there. */
export type ParsedPatch<Fields> = ParsedInput<Patch<Fields>>;

export type TenderInput = TenderFields & {
  readonly status?: TenderStatus;
  readonly mode?: "test";
  readonly lots?: readonly Partial<Lot>[];
  /** Planned by the scheduler, not by the owner. */
  readonly auctionPeriod?: Period;
};
export type QuestionInput = Omit<Question, "id" | "date" | "dateAnswered">;
export type BidInput = Pick<Bid, "tenderers" | "value" | "lotValues" | "parameters"> & {
  readonly status?: Bid["status"];
};
/** A new bid may bring documents whose files are with the document service. */
export type NewBidInput = BidInput & { readonly documents?: readonly RegistrationInput[] };
export type AwardInput = TranslatedText<"title"> &
  TranslatedText<"description"> &
  Pick<Award, "suppliers" | "value" | "items" | "bid_id" | "lotID" | "complaintPeriod"> & {
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
    | "cancellationReason"
  >
>;
export type CancellationInput = Partial<Pick<Cancellation, "reason" | "status" | "cancellationOf" | "relatedLot">>;
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
/** What is said of a file that is with the document service when it becomes a document. */
export type RegistrationInput = Partial<DocumentInput> & { readonly url?: string; readonly hash?: string };
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
export type UploadedFile = Pick<Document, "title" | "format" | "key" | "hash" | "sha256" | "size">;

/** The file of a version, and what was said of it where it was registered rather than uploaded. */
export type SubmittedFile = { readonly file: UploadedFile; readonly registration?: ParsedObject<RegistrationInput> };

/** Whose documents: the tender's own, or those of something on it; a complaint may be about an award. */
export type DocumentParent = {
  readonly bid?: string;
  readonly award?: string;
  readonly contract?: string;
  readonly complaint?: string;
  readonly cancellation?: string;
};

/** What a complaint is about: the tender, or one of its awards. */
export type ComplaintSubject = { readonly award?: string };

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

export type Publication = {
  /** The procedure the dialect takes the request for, or what the client named that no procedure answers to. */
  readonly procedure: ProcedureName | "unknown";
  readonly sent: ParsedObject<TenderInput>;
};

/** What time alone needs to carry itself out. */
export type TimeContext = {
  readonly at: Instant;
  readonly zone: Zone;
  /** Where people try things: periods may be accelerated. */
  readonly sandbox: boolean;
  /** A fresh random id, 32 hex. */
  readonly newId: () => string;
};

/** What a decision may depend on besides the tender and the command: nothing else is known to the domain. */
export type CommandContext = TimeContext & {
  readonly actor: Actor;
  /** The hash of the owner token made for what this command creates. */
  readonly newTokenHash: string;
  /** How large a tender may become; without limits where there are none. */
  readonly limits?: SizeLimits | undefined;
};

/** What a command did to a tender. */
export type CommandOutcome = {
  readonly tender: Tender;
  /** What the command was about, where it was not the tender itself. */
  readonly id?: string;
  readonly removed?: Bid | Lot;
};
