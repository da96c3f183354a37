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

/**
 * The methods of a collection that belongs to a tender: `client.bids`, `client.questions` and so on.
 *
 * @example
 * const { data: question } = await client.questions.create(tenderId, { title: "When?", author });
 * await client.questions.patch(tenderId, question.id, { answer: "In May" });
 */
export type TenderCollection<Resource, Changes, Created = ApiResponse<Resource>, New = Changes> = {
  /** Lists the resources that the caller may see. */
  readonly list: <Options extends ReadOptions = RequestOptions>(
    tender: string,
    options?: Options,
  ) => Promise<ReadResponse<readonly Resource[], Options>>;
  /** Returns one resource. */
  readonly get: <Options extends ReadOptions = RequestOptions>(
    tender: string,
    id: string,
    options?: Options,
  ) => Promise<ReadResponse<Resource, Options>>;
  /** Creates a resource. If the response has an owner token, the client remembers it. */
  readonly create: (tender: string, data: New, options?: WriteOptions) => Promise<Created>;
  /** Changes a resource. Objects are merged by key and lists by position; `null` clears a field. */
  readonly patch: (
    tender: string,
    id: string,
    changes: Patch<Changes>,
    options?: WriteOptions,
  ) => Promise<ApiResponse<Resource>>;
};

/** A collection whose resources can be deleted. */
export type DeletableCollection<Resource> = {
  /** Deletes a resource and returns it. */
  readonly delete: (tender: string, id: string, options?: WriteOptions) => Promise<ApiResponse<Resource>>;
};

/** What a complaint is about: a tender (its id), or an award of a tender. */
export type ComplaintTarget = string | { readonly tender: string; readonly award?: string | undefined };

/**
 * Complaints about tenders and awards. The client sends the token of the complaint's author if it knows it. If the same
 * client owns the tender too, pass the buyer's token to answer a complaint:
 *
 * @example
 * const token = client.tokens.get(tenderId);
 * await client.complaints.patch(tenderId, complaintId, { status: "answered", resolution }, { token });
 */
export type Complaints = {
  /** Lists the complaints that the caller may see. */
  readonly list: <Options extends ReadOptions = RequestOptions>(
    target: ComplaintTarget,
    options?: Options,
  ) => Promise<ReadResponse<readonly Complaint[], Options>>;
  /** Returns a complaint. */
  readonly get: <Options extends ReadOptions = RequestOptions>(
    target: ComplaintTarget,
    id: string,
    options?: Options,
  ) => Promise<ReadResponse<Complaint, Options>>;
  /** Files a complaint; about an award, with the token of this client's bid. The client remembers its owner token. */
  readonly create: (
    target: ComplaintTarget,
    data: ComplaintSent,
    options?: WriteOptions,
  ) => Promise<ResponseWithToken<Complaint>>;
  /** Changes a complaint. Objects are merged by key and lists by position; `null` clears a field. */
  readonly patch: (
    target: ComplaintTarget,
    id: string,
    changes: Patch<ComplaintSent>,
    options?: WriteOptions,
  ) => Promise<ApiResponse<Complaint>>;
};

/** The interface of the auction service. Needs its key. If the tender has lots, pass `lot`. */
export type Auctions = {
  /** Returns the data that the auction starts from. */
  readonly get: <Options extends ReadOptions = RequestOptions>(
    tender: string,
    options?: Options,
  ) => Promise<ReadResponse<Auction, Options>>;
  /** Sets the URL of the auction and of each bidder's participation. */
  readonly patch: (
    tender: string,
    changes: Patch<AuctionSent>,
    options?: WriteOptions & { readonly lot?: string | undefined },
  ) => Promise<ApiResponse<Auction>>;
  /** Finishes the auction with its results. */
  readonly finish: (
    tender: string,
    results: AuctionSent,
    options?: WriteOptions & { readonly lot?: string | undefined },
  ) => Promise<ApiResponse<Tender>>;
};

/** The collections of a tender, and its auction. */
export type TenderResources = {
  /** Bids. A new bid may include documents whose files were uploaded to the document service. */
  readonly bids: TenderCollection<Bid, BidSent, ResponseWithToken<Bid>, NewBidSent> & DeletableCollection<Bid>;
  /** Questions to the buyer, and their answers. */
  readonly questions: TenderCollection<Question, QuestionSent>;
  /** Awards: the decisions on which bid wins. */
  readonly awards: TenderCollection<Award, AwardSent>;
  /** Contracts that follow from awards. */
  readonly contracts: TenderCollection<Contract, ContractSent>;
  /** Cancellations of the tender or of a lot. */
  readonly cancellations: TenderCollection<Cancellation, CancellationSent>;
  /** Lots: parts of the tender that are awarded separately. */
  readonly lots: TenderCollection<Lot, LotSent> & DeletableCollection<Lot>;
  /** Complaints about the tender or an award. */
  readonly complaints: Complaints;
  /** The interface of the auction service. */
  readonly auction: Auctions;
};

/** The methods on `client.bids`, `client.questions` and so on. */
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

/** Complaints about tenders and about awards differ only in their path, so both use the types of the latter. */
const openComplaints = ({ read, write }: Calls): Complaints => {
  const operationOf = (target: ComplaintTarget) => {
    const { tender, award } = typeof target === "string" ? { tender: target, award: undefined } : target;
    return {
      list: (award === undefined ? TENDER_COMPLAINTS : AWARD_COMPLAINTS) as typeof AWARD_COMPLAINTS,
      tender_id: tender,
      // The path of complaints about a tender does not use it.
      award_id: award ?? "",
    };
  };
  return {
    list: (target, options) => {
      const { list, ...params } = operationOf(target);
      return read(`GET ${list}`, params, options);
    },
    get: (target, complaint_id, options) => {
      const { list, ...params } = operationOf(target);
      return read(`GET ${list}/{complaint_id}`, { ...params, complaint_id }, options);
    },
    create: (target, data, options) => {
      const { list, ...params } = operationOf(target);
      return write(`POST ${list}`, params, data, options);
    },
    patch: (target, complaint_id, changes, options) => {
      const { list, ...params } = operationOf(target);
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
