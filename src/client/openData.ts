import type { Calls, OperationResponse } from "./calls.ts";
import { TenderhallError } from "./errors.ts";
import { type TenderFilters, toQuery } from "./feedParams.ts";
import type { RequestOptions } from "./requests.ts";
import type { RecordPackage, ReleasePackage, SiteOperations } from "./siteTypes.ts";

export type { RecordPackage, ReleasePackage } from "./siteTypes.ts";

/** A release of the Open Contracting Data Standard. The fields besides its head depend on what changed. */
export type OcdsRelease = ReleasePackage["releases"][number] & { readonly [field: string]: unknown };

/** The record of a tender in the Open Contracting Data Standard. */
export type TenderRecord = RecordPackage["records"][number];

/** The parameters of `ocds.releases`. Filters choose tenders as they are at present. */
export type ReleaseParams = TenderFilters &
  RequestOptions & {
    /** Where to start: the `cursor` of an earlier iteration, or a time of changes. Default: the oldest. */
    readonly offset?: string | undefined;
    /** The number of releases on a page: 1 to 1000. */
    readonly limit?: number | undefined;
    /** Newest releases first. Default: oldest first. */
    readonly descending?: boolean | undefined;
  };

/** Whether records have links to their releases (default) or the releases themselves. */
export type RecordForm = { readonly releases?: "linked" | "embedded" | undefined };

/** An iteration that can be continued later, also after an error. */
export type OpenDataIterator<Element> = AsyncIterableIterator<Element, void, undefined> & {
  /**
   * The `offset` of the page that the last element was on, undefined for the first page of all. An iteration from there on skips
   * nothing; elements of that page come again. Dates of releases are no offsets: those of tenders on a test clock are ahead of time.
   */
  readonly cursor: string | undefined;
};

/**
 * Open data: what everybody may know about tenders, in the Open Contracting Data Standard.
 *
 * @example
 * const releases = client.ocds.releases({ offset });
 * for await (const release of releases) await store(release.id, release);
 * offset = releases.cursor; // continue here later
 */
export type OpenDataMethods = {
  /** Iterates over all releases from `offset` on, page by page. Ends when there are no more at present. */
  readonly releases: (params?: ReleaseParams) => OpenDataIterator<OcdsRelease>;
  /** Returns a package with one release. */
  readonly release: (
    id: string,
    options?: RequestOptions,
  ) => Promise<OperationResponse<SiteOperations, "GET /ocds/releases/{release_id}">>;
  /** Iterates over the records of all tenders that changed after `offset`. `limit` is the size of a page: 1 to 100. */
  readonly records: (params?: ReleaseParams & RecordForm) => OpenDataIterator<TenderRecord>;
  /** Returns a package with the record of one tender. */
  readonly record: (
    ocid: string,
    options?: RequestOptions & RecordForm,
  ) => Promise<OperationResponse<SiteOperations, "GET /ocds/records/{ocid}">>;
  /** Returns the text of a file at `/data`, such as `manifest.json`. Download the files that it lists by their addresses. */
  readonly dataFile: (name: string, options?: RequestOptions) => Promise<string>;
  /** Returns a file of the registry's extension of the standard, such as `extension.json`. */
  readonly extensionFile: (name: string, options?: RequestOptions) => Promise<string>;
  /** Returns a codelist of that extension as CSV. */
  readonly codelist: (name: string, options?: RequestOptions) => Promise<string>;
};

/** The methods on `client.ocds`. */
export const openOcds = ({ read, text }: Calls<SiteOperations>): OpenDataMethods => ({
  releases: (params) =>
    elementsOfPages(params, async (query) => {
      const page = await read("GET /ocds/releases", {}, params, query);
      return { elements: page.releases, next: page.links?.next };
    }),
  release: (release_id, options) => read("GET /ocds/releases/{release_id}", { release_id }, options),
  records: (params) =>
    elementsOfPages(params, async (query) => {
      const page = await read("GET /ocds/records", {}, params, query);
      return { elements: page.records, next: page.links?.next };
    }),
  record: (ocid, options) => read("GET /ocds/records/{ocid}", { ocid }, options, toQuery(options ?? {})),
  dataFile: (data_file, options) => text("GET /data/{data_file}", { data_file }, options),
  extensionFile: (extension_file, options) =>
    text("GET /ocds/extensions/tenderhall/{extension_file}", { extension_file }, options),
  codelist: (codelist_file, options) =>
    text("GET /ocds/extensions/tenderhall/codelists/{codelist_file}", { codelist_file }, options),
});

type OpenDataPage<Element> = { readonly elements: readonly Element[]; readonly next: string | undefined };

/** The elements of a page and all that follow. */
function elementsOfPages<Element>(
  params: ReleaseParams = {},
  readPage: (query: ReturnType<typeof toQuery>) => Promise<OpenDataPage<Element>>,
): OpenDataIterator<Element> {
  let cursor = params.offset;
  async function* readAll(): AsyncGenerator<Element, void, undefined> {
    for (;;) {
      const page = await readPage(toQuery({ ...params, offset: cursor })).catch(emptyPage);
      yield* page.elements;
      if (page.next === undefined) return;
      cursor = new URL(page.next).searchParams.get("offset") ?? undefined;
    }
  }
  const elements = readAll();
  const iterator: OpenDataIterator<Element> = {
    get cursor() {
      return cursor;
    },
    next: () => elements.next(),
    return: () => elements.return(),
    throw: (error: unknown) => elements.throw(error),
    [Symbol.asyncIterator]: () => iterator,
  };
  return iterator;
}

/** A package must not be empty, so the registry answers with 404 if nothing matches. */
function emptyPage(error: unknown): OpenDataPage<never> {
  if (error instanceof TenderhallError && error.errors.some(({ rule }) => rule === "no-releases"))
    return { elements: [], next: undefined };
  throw error;
}
