import type { Actor } from "./actors.ts";
import type { Decimal } from "./money.ts";
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
  TenderFields,
  TenderStatus,
  Translated,
  Value,
} from "./tender.ts";
import type { Instant, Zone } from "./time.ts";

/** A patch names the fields it sets: `null` clears one, lists are merged by position, `{}` keeps an element. */
export type Patch<Fields> = Fields extends readonly (infer Element)[]
  ? readonly Patch<Element>[]
  : Fields extends Decimal
    ? Fields
    : Fields extends object
      ? { readonly [Name in keyof Fields]?: Patch<Fields[Name]> | null }
      : Fields;

/** What the client sent, as far as it could be read, and what was wrong with the rest. */
type Read<Fields> = { readonly fields: Fields; readonly problems: readonly Problem[] };

/** Something new: there is nothing to clear, so what is not given is absent. */
export type New<Fields> = Read<Fields>;
/** A change of something that is there. */
export type Sent<Fields> = Read<Patch<Fields>>;

export type TenderSent = TenderFields & {
  readonly status?: TenderStatus;
  readonly mode?: "test";
  readonly lots?: readonly Partial<Lot>[];
  /** Planned by the scheduler, not by the owner. */
  readonly auctionPeriod?: Period;
};
export type QuestionSent = Omit<Question, "id" | "date" | "dateAnswered">;
export type BidSent = Pick<Bid, "tenderers" | "value" | "lotValues" | "parameters"> & {
  readonly status?: Bid["status"];
};
/** A new bid may bring documents whose files are with the document service. */
export type NewBidSent = BidSent & { readonly documents?: readonly RegistrationSent[] };
export type AwardSent = Translated<"title"> &
  Translated<"description"> &
  Pick<Award, "suppliers" | "value" | "items" | "bid_id" | "lotID" | "complaintPeriod"> & {
    readonly status?: Award["status"];
  };
export type ContractSent = Partial<
  Pick<Contract, "awardID" | "contractNumber" | "status" | "period" | "value" | "dateSigned" | "suppliers" | "items">
> &
  Translated<"title"> &
  Translated<"description">;
export type ComplaintSent = Partial<
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
export type CancellationSent = Partial<Pick<Cancellation, "reason" | "status" | "cancellationOf" | "relatedLot">>;
export type LotSent = Translated<"title"> &
  Translated<"description"> &
  Pick<Lot, "value" | "minimalStep" | "guarantee" | "auctionPeriod"> & { readonly id?: string };
export type DocumentSent = Pick<
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
export type RegistrationSent = Partial<DocumentSent> & { readonly url?: string; readonly hash?: string };
export type AuctionSent = {
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
export type Filed = { readonly file: UploadedFile; readonly said?: New<RegistrationSent> };

/** Whose documents: the tender's own, or those of something on it; a complaint may be about an award. */
export type Holder = {
  readonly bid?: string;
  readonly award?: string;
  readonly contract?: string;
  readonly complaint?: string;
  readonly cancellation?: string;
};

/** What a complaint is about: the tender, or one of its awards. */
export type Contested = { readonly award?: string };

export type Command =
  | { readonly kind: "edit tender"; readonly sent: Sent<TenderSent> }
  | { readonly kind: "renew token" }
  | { readonly kind: "ask question"; readonly sent: New<QuestionSent> }
  | { readonly kind: "answer question"; readonly question: string; readonly sent: Sent<QuestionSent> }
  | {
      readonly kind: "place bid";
      readonly sent: New<NewBidSent>;
      /** The files of `sent.fields.documents`, in the same order. */
      readonly files?: readonly UploadedFile[];
    }
  | { readonly kind: "change bid"; readonly bid: string; readonly sent: Sent<BidSent> }
  | { readonly kind: "withdraw bid"; readonly bid: string }
  | { readonly kind: "record award"; readonly sent: New<AwardSent> }
  | { readonly kind: "change award"; readonly award: string; readonly sent: Sent<AwardSent> }
  | { readonly kind: "report auction"; readonly sent: Sent<AuctionSent> }
  | { readonly kind: "set auction urls"; readonly lot?: string; readonly sent: Sent<AuctionSent> }
  | { readonly kind: "finish auction"; readonly lot?: string; readonly sent: Sent<AuctionSent> }
  | { readonly kind: "add lot"; readonly sent: New<LotSent> }
  | { readonly kind: "edit lot"; readonly lot: string; readonly sent: Sent<LotSent> }
  | { readonly kind: "remove lot"; readonly lot: string }
  | { readonly kind: "add contract"; readonly sent: New<ContractSent> }
  | { readonly kind: "edit contract"; readonly contract: string; readonly sent: Sent<ContractSent> }
  | { readonly kind: "file complaint"; readonly about: Contested; readonly sent: New<ComplaintSent> }
  | {
      readonly kind: "edit complaint";
      readonly about: Contested;
      readonly complaint: string;
      readonly sent: Sent<ComplaintSent>;
    }
  | { readonly kind: "add cancellation"; readonly sent: New<CancellationSent> }
  | { readonly kind: "edit cancellation"; readonly cancellation: string; readonly sent: Sent<CancellationSent> }
  | ({ readonly kind: "add document"; readonly of: Holder } & Filed)
  | ({ readonly kind: "replace document"; readonly of: Holder; readonly document: string } & Filed)
  | {
      readonly kind: "edit document";
      readonly of: Holder;
      readonly document: string;
      readonly sent: Sent<DocumentSent>;
    };

export type Publication = {
  /** The procedure the dialect takes the request for, or what the client named that no procedure answers to. */
  readonly procedure: ProcedureName | "unknown";
  readonly sent: New<TenderSent>;
};

/** What time alone needs to carry itself out. */
export type Making = {
  readonly at: Instant;
  readonly zone: Zone;
  /** Where people try things: periods may be accelerated. */
  readonly sandbox: boolean;
  /** A fresh random id, 32 hex. */
  readonly newId: () => string;
};

/** What a decision may depend on besides the tender and the command: nothing else is known to the domain. */
export type Context = Making & {
  readonly actor: Actor;
  /** The hash of the owner token made for what this command creates. */
  readonly newTokenHash: string;
  /** How large a tender may become; without limits where there are none. */
  readonly limits?: SizeLimits | undefined;
};
