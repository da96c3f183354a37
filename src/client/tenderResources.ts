import type { ApiResponse, Calls, ReadResponse, ResponseWithToken } from "./calls.ts";
import type { ReadOptions, RequestOptions, WriteOptions } from "./requests.ts";
import type {
  Auction,
  AuctionSent,
  Award,
  AwardSent,
  Bid,
  BidSent,
  Cancellation,
  CancellationSent,
  Complaint,
  ComplaintSent,
  Contract,
  ContractSent,
  Lot,
  LotSent,
  NewBidSent,
  Patch,
  Question,
  QuestionSent,
  Tender,
} from "./types.ts";

/** What hangs on a tender: lists of things that are read, added and changed in the same way. */

/** A list that belongs to a tender. */
export type TenderCollection<Shown, Sent, Created = ApiResponse<Shown>, New = Sent> = {
  /** All that may be seen. */
  readonly list: <Options extends ReadOptions = RequestOptions>(
    tender: string,
    options?: Options,
  ) => Promise<ReadResponse<readonly Shown[], Options>>;
  /** One of them. */
  readonly get: <Options extends ReadOptions = RequestOptions>(
    tender: string,
    id: string,
    options?: Options,
  ) => Promise<ReadResponse<Shown, Options>>;
  /** Adds one; where it has an owner, its token is kept. */
  readonly create: (tender: string, data: New, options?: WriteOptions) => Promise<Created>;
  /** Changes one: objects merge by key, lists by position, `null` clears. */
  readonly patch: (
    tender: string,
    id: string,
    changes: Patch<Sent>,
    options?: WriteOptions,
  ) => Promise<ApiResponse<Shown>>;
};

/** A list out of which things can be taken. */
export type DeletableCollection<Shown> = {
  /** Takes one out, and shows what it was. */
  readonly delete: (tender: string, id: string, options?: WriteOptions) => Promise<ApiResponse<Shown>>;
};

/** Whom a complaint is about: the tender, or one of its awards. */
export type ComplaintTarget = string | { readonly tender: string; readonly award?: string | undefined };

/**
 * Complaints. Their author's token is kept and comes first: where this client owns the tender as well, its answer to a
 * complaint needs `token: client.tokens.get(tender)`.
 */
export type Complaints = {
  /** All that may be seen. */
  readonly list: <Options extends ReadOptions = RequestOptions>(
    target: ComplaintTarget,
    options?: Options,
  ) => Promise<ReadResponse<readonly Complaint[], Options>>;
  /** One of them. */
  readonly get: <Options extends ReadOptions = RequestOptions>(
    target: ComplaintTarget,
    id: string,
    options?: Options,
  ) => Promise<ReadResponse<Complaint, Options>>;
  /** Files one, and keeps its token; against an award by the token of the bid that this client placed. */
  readonly create: (
    target: ComplaintTarget,
    data: ComplaintSent,
    options?: WriteOptions,
  ) => Promise<ResponseWithToken<Complaint>>;
  /** Changes one. */
  readonly patch: (
    target: ComplaintTarget,
    id: string,
    changes: Patch<ComplaintSent>,
    options?: WriteOptions,
  ) => Promise<ApiResponse<Complaint>>;
};

/** What the auction service does; `lot` where the tender has lots. */
export type Auctions = {
  /** What the auction starts from. */
  readonly get: <Options extends ReadOptions = RequestOptions>(
    tender: string,
    options?: Options,
  ) => Promise<ReadResponse<Auction, Options>>;
  /** Says where the auction is held. */
  readonly patch: (
    tender: string,
    changes: Patch<AuctionSent>,
    options?: WriteOptions & { readonly lot?: string | undefined },
  ) => Promise<ApiResponse<Auction>>;
  /** Ends the auction with its results. */
  readonly finish: (
    tender: string,
    results: AuctionSent,
    options?: WriteOptions & { readonly lot?: string | undefined },
  ) => Promise<ApiResponse<Tender>>;
};

/** The lists that hang on a tender, and its auction. */
export type TenderResources = {
  /** A new bid may bring documents whose files are with the document service. */
  readonly bids: TenderCollection<Bid, BidSent, ResponseWithToken<Bid>, NewBidSent> & DeletableCollection<Bid>;
  readonly questions: TenderCollection<Question, QuestionSent>;
  readonly awards: TenderCollection<Award, AwardSent>;
  readonly contracts: TenderCollection<Contract, ContractSent>;
  readonly cancellations: TenderCollection<Cancellation, CancellationSent>;
  readonly lots: TenderCollection<Lot, LotSent> & DeletableCollection<Lot>;
  readonly complaints: Complaints;
  readonly auction: Auctions;
};

export const openTenderResources = (calls: Calls): TenderResources => ({
  bids: openBids(calls),
  questions: openQuestions(calls),
  awards: openAwards(calls),
  contracts: openContracts(calls),
  cancellations: openCancellations(calls),
  lots: openLots(calls),
  complaints: openComplaints(calls),
  auction: openAuctions(calls),
});

const openBids = ({ read, write }: Calls): TenderResources["bids"] => ({
  list: (tender_id, options) => read("GET /tenders/{tender_id}/bids", { tender_id }, options),
  get: (tender_id, bid_id, options) => read("GET /tenders/{tender_id}/bids/{bid_id}", { tender_id, bid_id }, options),
  create: (tender_id, data, options) => write("POST /tenders/{tender_id}/bids", { tender_id }, data, options),
  patch: (tender_id, bid_id, changes, options) =>
    write("PATCH /tenders/{tender_id}/bids/{bid_id}", { tender_id, bid_id }, changes, options),
  delete: (tender_id, bid_id, options) =>
    write("DELETE /tenders/{tender_id}/bids/{bid_id}", { tender_id, bid_id }, undefined, options),
});

const openQuestions = ({ read, write }: Calls): TenderResources["questions"] => ({
  list: (tender_id, options) => read("GET /tenders/{tender_id}/questions", { tender_id }, options),
  get: (tender_id, question_id, options) =>
    read("GET /tenders/{tender_id}/questions/{question_id}", { tender_id, question_id }, options),
  create: (tender_id, data, options) => write("POST /tenders/{tender_id}/questions", { tender_id }, data, options),
  patch: (tender_id, question_id, changes, options) =>
    write("PATCH /tenders/{tender_id}/questions/{question_id}", { tender_id, question_id }, changes, options),
});

const openAwards = ({ read, write }: Calls): TenderResources["awards"] => ({
  list: (tender_id, options) => read("GET /tenders/{tender_id}/awards", { tender_id }, options),
  get: (tender_id, award_id, options) =>
    read("GET /tenders/{tender_id}/awards/{award_id}", { tender_id, award_id }, options),
  create: (tender_id, data, options) => write("POST /tenders/{tender_id}/awards", { tender_id }, data, options),
  patch: (tender_id, award_id, changes, options) =>
    write("PATCH /tenders/{tender_id}/awards/{award_id}", { tender_id, award_id }, changes, options),
});

const openContracts = ({ read, write }: Calls): TenderResources["contracts"] => ({
  list: (tender_id, options) => read("GET /tenders/{tender_id}/contracts", { tender_id }, options),
  get: (tender_id, contract_id, options) =>
    read("GET /tenders/{tender_id}/contracts/{contract_id}", { tender_id, contract_id }, options),
  create: (tender_id, data, options) => write("POST /tenders/{tender_id}/contracts", { tender_id }, data, options),
  patch: (tender_id, contract_id, changes, options) =>
    write("PATCH /tenders/{tender_id}/contracts/{contract_id}", { tender_id, contract_id }, changes, options),
});

const openCancellations = ({ read, write }: Calls): TenderResources["cancellations"] => ({
  list: (tender_id, options) => read("GET /tenders/{tender_id}/cancellations", { tender_id }, options),
  get: (tender_id, cancellation_id, options) =>
    read("GET /tenders/{tender_id}/cancellations/{cancellation_id}", { tender_id, cancellation_id }, options),
  create: (tender_id, data, options) => write("POST /tenders/{tender_id}/cancellations", { tender_id }, data, options),
  patch: (tender_id, cancellation_id, changes, options) =>
    write(
      "PATCH /tenders/{tender_id}/cancellations/{cancellation_id}",
      { tender_id, cancellation_id },
      changes,
      options,
    ),
});

const openLots = ({ read, write }: Calls): TenderResources["lots"] => ({
  list: (tender_id, options) => read("GET /tenders/{tender_id}/lots", { tender_id }, options),
  get: (tender_id, lot_id, options) => read("GET /tenders/{tender_id}/lots/{lot_id}", { tender_id, lot_id }, options),
  create: (tender_id, data, options) => write("POST /tenders/{tender_id}/lots", { tender_id }, data, options),
  patch: (tender_id, lot_id, changes, options) =>
    write("PATCH /tenders/{tender_id}/lots/{lot_id}", { tender_id, lot_id }, changes, options),
  delete: (tender_id, lot_id, options) =>
    write("DELETE /tenders/{tender_id}/lots/{lot_id}", { tender_id, lot_id }, undefined, options),
});

const TENDER_COMPLAINTS = "/tenders/{tender_id}/complaints";
const AWARD_COMPLAINTS = "/tenders/{tender_id}/awards/{award_id}/complaints";

/** The two lists of complaints are alike: which one is meant, the path says. */
const openComplaints = ({ read, write }: Calls): Complaints => {
  const pathParamsOf = (target: ComplaintTarget) => {
    const { tender, award } = typeof target === "string" ? { tender: target, award: undefined } : target;
    return {
      list: (award === undefined ? TENDER_COMPLAINTS : AWARD_COMPLAINTS) as typeof AWARD_COMPLAINTS,
      tender_id: tender,
      award_id: award!,
    };
  };
  return {
    list: (target, options) => {
      const { list, ...params } = pathParamsOf(target);
      return read(`GET ${list}`, params, options);
    },
    get: (target, complaint_id, options) => {
      const { list, ...params } = pathParamsOf(target);
      return read(`GET ${list}/{complaint_id}`, { ...params, complaint_id }, options);
    },
    create: (target, data, options) => {
      const { list, ...params } = pathParamsOf(target);
      return write(`POST ${list}`, params, data, options);
    },
    patch: (target, complaint_id, changes, options) => {
      const { list, ...params } = pathParamsOf(target);
      return write(`PATCH ${list}/{complaint_id}`, { ...params, complaint_id }, changes, options);
    },
  };
};

const openAuctions = ({ read, write }: Calls): Auctions => ({
  get: (tender_id, options) => read("GET /tenders/{tender_id}/auction", { tender_id }, options),
  patch: (tender_id, changes, { lot, ...options } = {}) =>
    lot === undefined
      ? write("PATCH /tenders/{tender_id}/auction", { tender_id }, changes, options)
      : write(
          "PATCH /tenders/{tender_id}/auction/{auction_lot_id}",
          { tender_id, auction_lot_id: lot },
          changes,
          options,
        ),
  finish: (tender_id, results, { lot, ...options } = {}) =>
    lot === undefined
      ? write("POST /tenders/{tender_id}/auction", { tender_id }, results, options)
      : write(
          "POST /tenders/{tender_id}/auction/{auction_lot_id}",
          { tender_id, auction_lot_id: lot },
          results,
          options,
        ),
});
