import type { Tender, TenderStatus } from "../domain/model/tender.ts";
import type { Instant } from "../domain/values/time.ts";
import type { FeedQuery, Store } from "../store/store.ts";

const PAGE = 1000;

/** Which tenders are visited. */
export type TenderSearch = {
  readonly statuses: readonly TenderStatus[];
  /** Only those that were changed then or later. */
  readonly since?: Instant | undefined;
};

/**
 * Visits the tenders in these statuses one after another, without their bids, in the order of their last change. Tests and tenders on
 * test clocks are included. Finds work that a server has left when it was killed.
 */
export async function visitTenders(
  store: Pick<Store, "feed" | "find">,
  { statuses, since }: TenderSearch,
  visit: (tender: Tender) => Promise<void> | undefined,
): Promise<void> {
  const query: Omit<FeedQuery, "beyond"> = {
    modes: "all",
    descending: false,
    limit: PAGE,
    filter: { statuses, ...(since !== undefined && { dates: { dateModified: { from: since } } }) },
  };
  for (let beyond: Instant | undefined; ; ) {
    const rows = await store.feed({ ...query, beyond });
    for (const { id } of rows) {
      const tender = (await store.find(id, "none"))?.tender;
      if (tender) await visit(tender);
    }
    beyond = rows.at(-1)?.dateModified;
    if (rows.length < PAGE) return;
  }
}
