import type { Calls, Found, Owned, Read } from "./calls.ts";
import type { Asking, Reading, Writing } from "./requests.ts";
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
export type Part<Shown, Sent, Created = Found<Shown>, New = Sent> = {
  /** All that may be seen. */
  readonly list: <Options extends Reading = Asking>(
    tender: string,
    options?: Options,
  ) => Promise<Read<readonly Shown[], Options>>;
  /** One of them. */
  readonly get: <Options extends Reading = Asking>(
    tender: string,
    id: string,
    options?: Options,
  ) => Promise<Read<Shown, Options>>;
  /** Adds one; where it has an owner, its token is kept. */
  readonly create: (tender: string, sent: New, options?: Writing) => Promise<Created>;
  /** Changes one: objects merge by key, lists by position, `null` clears. */
  readonly patch: (tender: string, id: string, changes: Patch<Sent>, options?: Writing) => Promise<Found<Shown>>;
};

/** A list out of which things can be taken. */
export type Removable<Shown> = {
  /** Takes one out, and shows what it was. */
  readonly delete: (tender: string, id: string, options?: Writing) => Promise<Found<Shown>>;
};

/** Whom a complaint is about: the tender, or one of its awards. */
export type Contested = string | { readonly tender: string; readonly award?: string | undefined };

/**
 * Complaints. Their author's token is kept and comes first: where this client owns the tender as well, its answer to a
 * complaint needs `token: client.tokens.get(tender)`.
 */
export type Complaints = {
  /** All that may be seen. */
  readonly list: <Options extends Reading = Asking>(
    about: Contested,
    options?: Options,
  ) => Promise<Read<readonly Complaint[], Options>>;
  /** One of them. */
  readonly get: <Options extends Reading = Asking>(
    about: Contested,
    id: string,
    options?: Options,
  ) => Promise<Read<Complaint, Options>>;
  /** Files one, and keeps its token; against an award by the token of the bid that this client placed. */
  readonly create: (about: Contested, sent: ComplaintSent, options?: Writing) => Promise<Owned<Complaint>>;
  /** Changes one. */
  readonly patch: (
    about: Contested,
    id: string,
    changes: Patch<ComplaintSent>,
    options?: Writing,
  ) => Promise<Found<Complaint>>;
};

/** What the auction service does; `lot` where the tender has lots. */
export type Auctions = {
  /** What the auction starts from. */
  readonly get: <Options extends Reading = Asking>(
    tender: string,
    options?: Options,
  ) => Promise<Read<Auction, Options>>;
  /** Says where the auction is held. */
  readonly patch: (
    tender: string,
    changes: Patch<AuctionSent>,
    options?: Writing & { readonly lot?: string | undefined },
  ) => Promise<Found<Auction>>;
  /** Ends the auction with its results. */
  readonly finish: (
    tender: string,
    results: AuctionSent,
    options?: Writing & { readonly lot?: string | undefined },
  ) => Promise<Found<Tender>>;
};

/** The lists that hang on a tender, and its auction. */
export type Parts = {
  /** A new bid may bring documents whose files are with the document service. */
  readonly bids: Part<Bid, BidSent, Owned<Bid>, NewBidSent> & Removable<Bid>;
  readonly questions: Part<Question, QuestionSent>;
  readonly awards: Part<Award, AwardSent>;
  readonly contracts: Part<Contract, ContractSent>;
  readonly cancellations: Part<Cancellation, CancellationSent>;
  readonly lots: Part<Lot, LotSent> & Removable<Lot>;
  readonly complaints: Complaints;
  readonly auction: Auctions;
};

export const openParts = (calls: Calls): Parts => ({
  bids: openBids(calls),
  questions: openQuestions(calls),
  awards: openAwards(calls),
  contracts: openContracts(calls),
  cancellations: openCancellations(calls),
  lots: openLots(calls),
  complaints: openComplaints(calls),
  auction: openAuctions(calls),
});

const openBids = ({ read, write }: Calls): Parts["bids"] => ({
  list: (tender_id, options) => read("GET /tenders/{tender_id}/bids", { tender_id }, options),
  get: (tender_id, bid_id, options) => read("GET /tenders/{tender_id}/bids/{bid_id}", { tender_id, bid_id }, options),
  create: (tender_id, sent, options) => write("POST /tenders/{tender_id}/bids", { tender_id }, sent, options),
  patch: (tender_id, bid_id, changes, options) =>
    write("PATCH /tenders/{tender_id}/bids/{bid_id}", { tender_id, bid_id }, changes, options),
  delete: (tender_id, bid_id, options) =>
    write("DELETE /tenders/{tender_id}/bids/{bid_id}", { tender_id, bid_id }, undefined, options),
});

const openQuestions = ({ read, write }: Calls): Parts["questions"] => ({
  list: (tender_id, options) => read("GET /tenders/{tender_id}/questions", { tender_id }, options),
  get: (tender_id, question_id, options) =>
    read("GET /tenders/{tender_id}/questions/{question_id}", { tender_id, question_id }, options),
  create: (tender_id, sent, options) => write("POST /tenders/{tender_id}/questions", { tender_id }, sent, options),
  patch: (tender_id, question_id, changes, options) =>
    write("PATCH /tenders/{tender_id}/questions/{question_id}", { tender_id, question_id }, changes, options),
});

const openAwards = ({ read, write }: Calls): Parts["awards"] => ({
  list: (tender_id, options) => read("GET /tenders/{tender_id}/awards", { tender_id }, options),
  get: (tender_id, award_id, options) =>
    read("GET /tenders/{tender_id}/awards/{award_id}", { tender_id, award_id }, options),
  create: (tender_id, sent, options) => write("POST /tenders/{tender_id}/awards", { tender_id }, sent, options),
  patch: (tender_id, award_id, changes, options) =>
    write("PATCH /tenders/{tender_id}/awards/{award_id}", { tender_id, award_id }, changes, options),
});

const openContracts = ({ read, write }: Calls): Parts["contracts"] => ({
  list: (tender_id, options) => read("GET /tenders/{tender_id}/contracts", { tender_id }, options),
  get: (tender_id, contract_id, options) =>
    read("GET /tenders/{tender_id}/contracts/{contract_id}", { tender_id, contract_id }, options),
  create: (tender_id, sent, options) => write("POST /tenders/{tender_id}/contracts", { tender_id }, sent, options),
  patch: (tender_id, contract_id, changes, options) =>
    write("PATCH /tenders/{tender_id}/contracts/{contract_id}", { tender_id, contract_id }, changes, options),
});

const openCancellations = ({ read, write }: Calls): Parts["cancellations"] => ({
  list: (tender_id, options) => read("GET /tenders/{tender_id}/cancellations", { tender_id }, options),
  get: (tender_id, cancellation_id, options) =>
    read("GET /tenders/{tender_id}/cancellations/{cancellation_id}", { tender_id, cancellation_id }, options),
  create: (tender_id, sent, options) => write("POST /tenders/{tender_id}/cancellations", { tender_id }, sent, options),
  patch: (tender_id, cancellation_id, changes, options) =>
    write(
      "PATCH /tenders/{tender_id}/cancellations/{cancellation_id}",
      { tender_id, cancellation_id },
      changes,
      options,
    ),
});

const openLots = ({ read, write }: Calls): Parts["lots"] => ({
  list: (tender_id, options) => read("GET /tenders/{tender_id}/lots", { tender_id }, options),
  get: (tender_id, lot_id, options) => read("GET /tenders/{tender_id}/lots/{lot_id}", { tender_id, lot_id }, options),
  create: (tender_id, sent, options) => write("POST /tenders/{tender_id}/lots", { tender_id }, sent, options),
  patch: (tender_id, lot_id, changes, options) =>
    write("PATCH /tenders/{tender_id}/lots/{lot_id}", { tender_id, lot_id }, changes, options),
  delete: (tender_id, lot_id, options) =>
    write("DELETE /tenders/{tender_id}/lots/{lot_id}", { tender_id, lot_id }, undefined, options),
});

const OF_TENDER = "/tenders/{tender_id}/complaints";
const OF_AWARD = "/tenders/{tender_id}/awards/{award_id}/complaints";

/** The two lists of complaints are alike: which one is meant, the path says. */
const openComplaints = ({ read, write }: Calls): Complaints => {
  const paramsOf = (about: Contested) => {
    const { tender, award } = typeof about === "string" ? { tender: about, award: undefined } : about;
    return {
      list: (award === undefined ? OF_TENDER : OF_AWARD) as typeof OF_AWARD,
      tender_id: tender,
      award_id: award!,
    };
  };
  return {
    list: (about, options) => {
      const { list, ...params } = paramsOf(about);
      return read(`GET ${list}`, params, options);
    },
    get: (about, complaint_id, options) => {
      const { list, ...params } = paramsOf(about);
      return read(`GET ${list}/{complaint_id}`, { ...params, complaint_id }, options);
    },
    create: (about, sent, options) => {
      const { list, ...params } = paramsOf(about);
      return write(`POST ${list}`, params, sent, options);
    },
    patch: (about, complaint_id, changes, options) => {
      const { list, ...params } = paramsOf(about);
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
