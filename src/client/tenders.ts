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
import type { Credentials, Operations, Patch, Schedule, Tender, TenderSent } from "./types.ts";

/** Publishing takes besides: */
export type CreateTenderOptions = WriteOptions & {
  /** The test clock that the tender lives on; in the sandbox only. */
  readonly clock?: string | undefined;
};

type FeedPageResponse = OperationResponse<Operations, "GET /tenders">;

/** Tenders, and what concerns them as a whole. */
export type Tenders = {
  /** A page of the feed: the tenders that changed, in the order of change, and where the next page is. */
  readonly list: <Wishes extends ListParams = RequestOptions>(
    params?: Wishes,
  ) => Promise<FeedPageResponse | MaybeNotModified<Wishes>>;
  /**
   * All tenders that the filters let through, page after page, in the order of change; the iteration ends at the last one, where
   * `client.follow` would wait for the next. A tender that changes meanwhile comes again; with `descending`, it is left out if it has not come yet.
   */
  readonly all: (params?: ListAllParams) => AsyncGenerator<Change, void, undefined>;
  /** The tender with the number that people know it by, or undefined. */
  readonly find: (tenderID: string, options?: RequestOptions) => Promise<ApiResponse<Tender> | undefined>;
  /** A tender as everyone sees it. */
  readonly get: <Options extends ReadOptions = RequestOptions>(
    id: string,
    options?: Options,
  ) => Promise<ReadResponse<Tender, Options>>;
  /**
   * The same answer as it came, `{"data": ...}`, for whoever keeps it: numbers stand in it as they were written, which
   * `JSON.parse` does not promise. `pretty` puts it on lines, for people.
   */
  readonly text: (id: string, options?: RequestOptions & { readonly pretty?: boolean | undefined }) => Promise<string>;
  /** Publishes a tender, and keeps its token. */
  readonly create: (tender: TenderSent, options?: CreateTenderOptions) => Promise<ResponseWithToken<Tender>>;
  /** Changes a tender: objects merge by key, lists by position, `null` clears. */
  readonly patch: (id: string, changes: Patch<TenderSent>, options?: WriteOptions) => Promise<ApiResponse<Tender>>;
  /** Gives the owner a new token in place of the old one, and keeps it. */
  readonly renewToken: (id: string, options?: WriteOptions) => Promise<ResponseWithToken<Tender>>;
  /** Who owns a tender, and the hash of the owner token that the registry stores; for a key of the group contracting. */
  readonly credentials: (id: string, options?: RequestOptions) => Promise<ApiResponse<Credentials>>;
  /** What a scheduler needs to know of a tender; for the scheduler's key. */
  readonly schedule: <Options extends ReadOptions = RequestOptions>(
    id: string,
    options?: Options,
  ) => Promise<ReadResponse<Schedule, Options>>;
  /** Plans auctions; for the scheduler's key. */
  readonly plan: (id: string, changes: Patch<TenderSent>, options?: WriteOptions) => Promise<ApiResponse<Tender>>;
};

export function openTenders({ read, text, write }: Calls): Tenders {
  const tenders: Tenders = {
    list: (listParams) => read("GET /tenders", {}, listParams, toQuery(listParams ?? {})),
    all: (params) => listAll(tenders.list, params),
    find: async (tenderID, options) => {
      const listParams = { tenderID, mode: "_all_", opt_fields: "tenderID", ...options } as const;
      const entry = (await tenders.list(listParams)).data.find((candidate) => candidate.tenderID === tenderID);
      return entry && tenders.get(entry.id, options);
    },
    // With the scheduler's key this is a Schedule, which has a method of its own.
    get: (id, options) => read("GET /tenders/{tender_id}", { tender_id: id }, options) as never,
    text: (id, { pretty, ...options } = {}) =>
      text("GET /tenders/{tender_id}", { tender_id: id }, options, { opt_pretty: pretty }),
    create: (tender, { clock, headers, ...options } = {}) =>
      write("POST /tenders", {}, tender, {
        ...options,
        headers: { ...(clock && { "X-Test-Clock": clock }), ...headers },
      }),
    patch: (id, changes, options) => write("PATCH /tenders/{tender_id}", { tender_id: id }, changes, options),
    renewToken: (id, options) =>
      write("PATCH /tenders/{tender_id}/credentials", { tender_id: id }, undefined as never, options),
    credentials: (id, options) => read("GET /tenders/{tender_id}/extract_credentials", { tender_id: id }, options),
    schedule: (id, options) => read("GET /tenders/{tender_id}/chronograph", { tender_id: id }, options),
    plan: (id, changes, options) =>
      write("PATCH /tenders/{tender_id}/chronograph", { tender_id: id }, changes, options),
  };
  return tenders;
}
