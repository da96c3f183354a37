import type { FeedEntry, ListParams } from "./feedParams.ts";
import type { FeedPage } from "./types.ts";

/** A tender that changed, and where to go on after it. */
export type Change = FeedEntry & {
  /** Given as `offset`, following goes on with what comes after this. */
  readonly offset: string;
};

/** Which tenders `tenders.all` gives; `limit` is how many are asked for at once. */
export type ListAllParams = Omit<ListParams, "ifNoneMatch">;

/** The entries of all pages from `offset` on. An empty page ends it: at that moment the registry has nothing newer (or older). */
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

/** The entries of a page, each with the offset to go on from. */
export const changesOfPage = ({ data, next_page }: FeedPage): readonly Change[] =>
  data.map((entry, i) => ({ ...entry, offset: i === data.length - 1 ? next_page.offset : offsetOf(entry) }));

/** A time is an offset in every version. */
const offsetOf = ({ dateModified }: FeedEntry): string => dateModified;
