import type { Actor } from "./actors.ts";
import type { Decimal } from "./money.ts";
import type { Problem } from "./refusals.ts";
import type {
  Award,
  Bid,
  Document,
  Lot,
  ProcedureName,
  Question,
  TenderFields,
  TenderStatus,
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
};
export type QuestionSent = Omit<Question, "id" | "date" | "dateAnswered">;
export type BidSent = Pick<Bid, "tenderers" | "value" | "lotValues" | "parameters"> & {
  readonly status?: Bid["status"];
};
export type AwardSent = Pick<Award, "suppliers" | "value"> & { readonly status?: Award["status"] };
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
export type AuctionSent = { readonly bids?: readonly { readonly id?: string; readonly value?: Value }[] };
export type UploadedFile = Pick<Document, "title" | "format" | "key" | "hash" | "sha256" | "size">;

/** Whose documents: the tender's own, or those of one of its bids. */
export type Holder = { readonly bid?: string };

export type Command =
  | { readonly kind: "edit tender"; readonly sent: Sent<TenderSent> }
  | { readonly kind: "ask question"; readonly sent: New<QuestionSent> }
  | { readonly kind: "answer question"; readonly question: string; readonly sent: Sent<QuestionSent> }
  | { readonly kind: "place bid"; readonly sent: New<BidSent> }
  | { readonly kind: "change bid"; readonly bid: string; readonly sent: Sent<BidSent> }
  | { readonly kind: "withdraw bid"; readonly bid: string }
  | { readonly kind: "record award"; readonly sent: New<AwardSent> }
  | { readonly kind: "change award"; readonly award: string; readonly sent: Sent<AwardSent> }
  | { readonly kind: "report auction"; readonly sent: Sent<AuctionSent> }
  | { readonly kind: "add document"; readonly of: Holder; readonly file: UploadedFile }
  | { readonly kind: "replace document"; readonly of: Holder; readonly document: string; readonly file: UploadedFile }
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

/** What a decision may depend on besides the tender and the command: nothing else is known to the domain. */
export type Context = {
  readonly actor: Actor;
  readonly at: Instant;
  readonly zone: Zone;
  /** A fresh random id, 32 hex. */
  readonly newId: () => string;
  /** The hash of the owner token made for what this command creates. */
  readonly newTokenHash: string;
};
