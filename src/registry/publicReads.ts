import type { PublicReads, Store } from "../store/store.ts";

/** Opens what pages read, as of now: `catchUp` applies all deadlines that are due. */
export function openPublicReads(store: Store, catchUp: () => Promise<unknown>): PublicReads {
  /** The read after everything that is due. */
  const timely =
    <Query, Result>(read: (query: Query) => Promise<Result>) =>
    async (query: Query): Promise<Result> => {
      await catchUp();
      return read(query);
    };
  return {
    search: timely(store.search),
    calendar: timely(store.calendar),
    statistics: timely(store.statistics),
    publishedPage: store.publishedPage,
    publishedCount: store.publishedCount,
    publicationTimes: store.publicationTimes,
    findByNumber: store.findByNumber,
    organizations: timely(store.organizations),
    profileKeys: store.profileKeys,
    profileCount: store.profileCount,
    organizationName: store.organizationName,
    categoryNames: store.categoryNames,
  };
}
