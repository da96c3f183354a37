import type {
  ApiResponse,
  Calls,
  MaybeNotModified,
  OperationResponse,
  ReadResponse,
  ResponseWithToken,
} from "./calls.ts";
import { type ListParams, toQuery } from "./feedParams.ts";
import { type Change, type ListAllParams, listAll } from "./pagination.ts";
import type { ReadOptions, RequestOptions, WriteOptions } from "./requests.ts";
import type { Credentials, HistoryEntry, Operations, Patch, Schedule, Tender, TenderSent } from "./types.ts";

/** The options of `tenders.create`. */
export type CreateTenderOptions = WriteOptions & {
  /** The id of the test clock that the tender follows. Sandbox only. */
  readonly clock?: string | undefined;
};

/** The options of `tenders.get`. */
export type GetTenderOptions = ReadOptions & {
  /** A time in the past, in ISO 8601: returns the tender as everybody saw it then. */
  readonly at?: string | undefined;
};

/** The parameters of `tenders.history`. */
export type HistoryParams = RequestOptions & {
  /** The number of a version to go on from: `next_page.offset` of the page before. */
  readonly offset?: string | number | undefined;
  /** The number of versions on a page. A page may be shorter if its changes are long. */
  readonly limit?: number | undefined;
  /** The latest version first. */
  readonly descending?: boolean | undefined;
};

/** A page of the public versions of a tender. */
export type HistoryPage = ApiResponse<readonly HistoryEntry[]> &
  Pick<Operations["GET /tenders/{tender_id}/history"]["answer"], "next_page">;

type FeedPageResponse = OperationResponse<Operations, "GET /tenders">;

/**
 * Tenders.
 *
 * @example
 * const { data } = await client.tenders.create(tender);
 * await client.tenders.patch(data.id, { description: "For two terms" });
 */
export type Tenders = {
  /** Returns one page of the feed: tenders by the time of their last change, and the offset of the next page. */
  readonly list: <Params extends ListParams = RequestOptions>(
    params?: Params,
  ) => Promise<FeedPageResponse | MaybeNotModified<Params>>;
  /**
   * Iterates over all tenders that match the filters, by the time of their last change. Ends at the last one, where
   * `client.follow` would wait. A tender that changes during the iteration is yielded again; with `descending`, it is
   * missed if it has not been yielded yet.
   *
   * @example
   * for await (const { id, title } of client.tenders.all({ status: "complete", opt_fields: "title" })) {
   *   console.log(id, title);
   * }
   */
  readonly all: (params?: ListAllParams) => AsyncGenerator<Change, void, undefined>;
  /** Returns the tender with a public number such as `UA-2026-11-16-000001`, or undefined if there is none. */
  readonly find: (tenderID: string, options?: RequestOptions) => Promise<ApiResponse<Tender> | undefined>;
  /** Returns the public view of a tender; with `at`, as it was at that time. */
  readonly get: <Options extends GetTenderOptions = RequestOptions>(
    id: string,
    options?: Options,
  ) => Promise<ReadResponse<Tender, Options>>;
  /**
   * Returns a page of the public versions of a tender, oldest first: when each began, what was done, and what became different.
   *
   * @example
   * for (const { number, date, act } of (await client.tenders.history(id)).data) console.log(number, date, act);
   */
  readonly history: (id: string, params?: HistoryParams) => Promise<HistoryPage>;
  /**
   * Returns the unparsed response to `get`, `{"data": ...}`. Use it to store a tender exactly: `JSON.parse` does not
   * preserve numbers such as `500000.10`. `pretty: true` indents the JSON.
   */
  readonly text: (
    id: string,
    options?: RequestOptions & Pick<GetTenderOptions, "at"> & { readonly pretty?: boolean | undefined },
  ) => Promise<string>;
  /** Creates a tender. The client remembers its owner token. */
  readonly create: (tender: TenderSent, options?: CreateTenderOptions) => Promise<ResponseWithToken<Tender>>;
  /** Changes a tender. Objects are merged by key and lists by position; `null` clears a field. */
  readonly patch: (id: string, changes: Patch<TenderSent>, options?: WriteOptions) => Promise<ApiResponse<Tender>>;
  /** Replaces the owner token of a tender. The client remembers the new one. */
  readonly renewToken: (id: string, options?: WriteOptions) => Promise<ResponseWithToken<Tender>>;
  /** Returns the owner of a tender and the hash of its owner token. Needs a key of the group `contracting`. */
  readonly credentials: (id: string, options?: RequestOptions) => Promise<ApiResponse<Credentials>>;
  /** Returns what a scheduler needs to know about a tender. Needs the key of the scheduler. */
  readonly schedule: <Options extends ReadOptions = RequestOptions>(
    id: string,
    options?: Options,
  ) => Promise<ReadResponse<Schedule, Options>>;
  /** Sets the planned start of auctions. Needs the key of the scheduler. */
  readonly plan: (id: string, changes: Patch<TenderSent>, options?: WriteOptions) => Promise<ApiResponse<Tender>>;
};

/** The methods on `client.tenders`. */
export function openTenders({ read, text, write }: Calls): Tenders {
  const tenders: Tenders = {
    list: (params) => read("GET /tenders", {}, params, toQuery(params ?? {})),
    all: (params) => listAll(tenders.list, params),
    find: async (tenderID, options) => {
      const listParams = { tenderID, mode: "_all_", opt_fields: "tenderID", ...options } as const;
      const entry = (await tenders.list(listParams)).data.find((candidate) => candidate.tenderID === tenderID);
      return entry && tenders.get(entry.id, options);
    },
    // The generated type includes the Schedule that the scheduler's key gets; `schedule` reads that.
    get: (id, options) => read("GET /tenders/{tender_id}", { tender_id: id }, options, { at: options?.at }) as never,
    history: (id, { offset, limit, descending, ...options } = {}) =>
      read("GET /tenders/{tender_id}/history", { tender_id: id }, options, { offset, limit, descending }),
    text: (id, { pretty, at, ...options } = {}) =>
      text("GET /tenders/{tender_id}", { tender_id: id }, options, { at, opt_pretty: pretty }),
    create: (tender, { clock, headers, ...options } = {}) =>
      write("POST /tenders", {}, tender, {
        ...options,
        headers: { ...(clock && { "X-Test-Clock": clock }), ...headers },
      }),
    patch: (id, changes, options) => write("PATCH /tenders/{tender_id}", { tender_id: id }, changes, options),
    renewToken: (id, options) => write("PATCH /tenders/{tender_id}/credentials", { tender_id: id }, undefined, options),
    credentials: (id, options) => read("GET /tenders/{tender_id}/extract_credentials", { tender_id: id }, options),
    schedule: (id, options) => read("GET /tenders/{tender_id}/chronograph", { tender_id: id }, options),
    plan: (id, changes, options) =>
      write("PATCH /tenders/{tender_id}/chronograph", { tender_id: id }, changes, options),
  };
  return tenders;
}
