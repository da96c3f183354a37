import type { FeedEntry, ListParams } from "./feedParams.ts";
import type { FeedPage } from "./types.ts";

/** An entry of the feed, with the offset to continue after it. */
export type Change = FeedEntry & {
  /** Pass it as `offset` to `tenders.list`, `tenders.all` or `follow` to continue with the next change. */
  readonly offset: string;
};

/** The parameters of `tenders.all`. `limit` is the page size. */
export type ListAllParams = Omit<ListParams, "ifNoneMatch">;

/** Yields the entries of all pages from `offset` on. Ends at an empty page: there is nothing newer (or older) yet. */
export async function* listAll(
  list: (params: ListAllParams) => Promise<FeedPage>,
  params: ListAllParams = {},
): AsyncGenerator<Change, void, undefined> {
  let { offset } = params;
  for (;;) {
    const page = await list({ ...params, offset });
    if (page.data.length === 0) return;
    yield* changesOfPage(page);
    offset = page.next_page.offset;
  }
}

/** The entries of a page, each with the offset to continue after it. */
export const changesOfPage = ({ data, next_page }: FeedPage): readonly Change[] =>
  data.map((entry, i) => ({ ...entry, offset: i === data.length - 1 ? next_page.offset : offsetOf(entry) }));

/** In every API version a time is a valid offset. */
const offsetOf = ({ dateModified }: FeedEntry): string => dateModified;
