import type { Instant } from "../../domain/values/time.ts";
import { instantOfRelease, type Store } from "../../store/store.ts";
import { releasePosition } from "../releaseBatches.ts";

/** What bulk files are made of: the releases that a registry has stored. */

/** A stored release, and the change that it is about. */
export type StoredChange = {
  readonly id: string;
  readonly at: Instant;
  readonly tender: string;
  readonly template: string;
};

/** Reads stored releases in the order of their changes, in pages of limited size. */
export type BulkSource = {
  /** Identifies the releases: it changes when all of them are made again. */
  readonly generation: () => Promise<string>;
  readonly count: () => Promise<number>;
  /** The instants of the first and of the last release; undefined if there are none. */
  readonly range: () => Promise<{ readonly first: Instant; readonly last: Instant } | undefined>;
  /** The releases after an instant and up to another. */
  readonly changes: (after: Instant, upTo: Instant) => AsyncGenerator<readonly StoredChange[]>;
  /** The releases of the same tender after this one and up to an instant. */
  readonly laterChanges: (change: StoredChange, upTo: Instant) => AsyncGenerator<readonly StoredChange[]>;
  /** The instant of the first release of a tender; undefined if it has none. */
  readonly firstReleaseOf: (tender: string) => Promise<Instant | undefined>;
};

type BulkStore = Pick<Store, "releases"> & { readonly keyValues: Pick<Store["keyValues"], "find" | "list" | "count"> };

/** The bulk source of a store. */
export const readBulkSource = ({ releases, keyValues }: BulkStore): BulkSource => ({
  generation: async () => (await releasePosition(keyValues)).generation ?? "",
  count: () => keyValues.count({ kind: "release", limit: Number.MAX_SAFE_INTEGER }),
  range: async () => {
    const page = { beyond: undefined, limit: 1 };
    const [first] = await releases({ ...page, descending: false });
    const [last] = await releases({ ...page, descending: true });
    return first && last && { first: instantOfRelease(first.id), last: instantOfRelease(last.id) };
  },
  changes: (after, upTo) =>
    pagesOf(upTo, async (last, limit) => {
      const rows = await releases({ descending: false, beyond: last?.at ?? after, limit });
      return rows.map(({ id, template }) => changeOf(id, template));
    }),
  laterChanges: (change, upTo) =>
    pagesOf(upTo, async (last = change, limit) => {
      const where = { tender: change.tender };
      const entries = await keyValues.list({ kind: "release", where, beyond: last.id, limit });
      return entries.map(({ id, value }) => changeOf(id, value));
    }),
  firstReleaseOf: async (tender) => {
    const [first] = await keyValues.list({ kind: "release", where: { tender }, limit: 1 });
    return first && instantOfRelease(first.id);
  },
});

const changeOf = (id: string, template: string): StoredChange => ({
  ...{ id, template },
  at: instantOfRelease(id),
  tender: id.slice(id.indexOf("/") + 1),
});

const ROWS_MAX = 64;
/** Of large releases, a page has fewer, so that the memory of a page does not depend on the size of tenders. */
const PAGE_LENGTH = 2_000_000;

type ReadPage = (last: StoredChange | undefined, limit: number) => Promise<readonly StoredChange[]>;

async function* pagesOf(upTo: Instant, read: ReadPage): AsyncGenerator<readonly StoredChange[]> {
  let last: StoredChange | undefined;
  for (let limit = ROWS_MAX / 4; ; ) {
    const page = await read(last, limit);
    const wanted = page.filter(({ at }) => at <= upTo);
    if (wanted.length > 0) yield wanted;
    if (page.length < limit || wanted.length < page.length) return;
    last = page.at(-1);
    const length = page.reduce((sum, { template }) => sum + template.length, 0);
    limit = Math.min(Math.max(Math.floor((PAGE_LENGTH * page.length) / length), 1), ROWS_MAX);
  }
}
