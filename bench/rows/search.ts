import { decimal } from "../../src/domain/values/decimal.ts";
import { SEARCH_FACETS, type SearchFilter, type SearchQuery, type SearchSort } from "../../src/indexing/searchQuery.ts";
import { searchTermsOf } from "../../src/indexing/words.ts";
import { openSqlite } from "../../src/store/sqlite/sqlite.ts";
import type { Store } from "../../src/store/store.ts";
import { dataDirOf } from "../children.ts";
import { percentile } from "../load.ts";
import type { BenchRow, Contestant, RowContext, RowPlan, Sample } from "../rows.ts";
import { fillSearchIndex, wordAt, writeTender } from "../searchIndex.ts";

/** Searches with all facets in the index of very many tenders, in this process. */

const MILLISECONDS_MAX = 50;
const WRITES_TIMES_MAX = 3;

type Filters = Partial<Omit<SearchFilter, "terms">>;

const queryOf = (q: string, filters: Filters = {}, sort: SearchSort = "relevance"): SearchQuery => ({
  filter: { terms: searchTermsOf(q), mode: "real", ...filters },
  ...{ sort, offset: 0, limit: 20, facets: SEARCH_FACETS },
});

const OPEN: Filters = { statuses: ["active.tendering"], regions: ["lviv", "kyiv"] };
const VALUES: Filters = { value: { from: decimal("100000"), to: decimal("200000") } };

/** What people search for. Words are named by how frequent they are. */
const QUERIES: { readonly [name: string]: SearchQuery } = {
  "frequent word": queryOf(wordAt(3)),
  "rare word": queryOf(wordAt(9_000)),
  "two words": queryOf(`${wordAt(3)} ${wordAt(40)}`),
  prefix: queryOf(wordAt(200).slice(0, 4)),
  "word and filters": queryOf(wordAt(3), OPEN),
  "filters alone": queryOf("", { ...OPEN, classifications: ["15", "33"] }),
  everything: queryOf(""),
  "word and value": queryOf(wordAt(3), VALUES),
  "by value": queryOf(wordAt(3), {}, "value"),
  "by deadline": queryOf(wordAt(3), {}, "deadline"),
  newest: queryOf(wordAt(3), {}, "newest"),
};

let opened: Promise<Store> | undefined;

/** Opens the store with the index, which both rows use. */
function openIndex({ children, servers, tenders }: RowContext): Promise<Store> {
  opened ??= (async () => {
    const dataDir = dataDirOf(children.folder, "search index");
    await fillSearchIndex(dataDir, tenders);
    const store = openSqlite({ dataDir, clock: () => Date.now() * 1000, recentBytesMax: 1 << 24 });
    servers.onClose(store.close);
    return store;
  })();
  return opened;
}

/** Repeats the query; returns the medians of its processor time and its duration, both in milliseconds. */
async function repeat(store: Store, query: SearchQuery, seconds: number) {
  const processorTimes: number[] = [];
  const durations: number[] = [];
  const startedAt = performance.now();
  do {
    const [cpuBefore, before] = [process.cpuUsage(), performance.now()];
    await store.search(query);
    const { user, system } = process.cpuUsage(cpuBefore);
    processorTimes.push((user + system) / 1000);
    durations.push(performance.now() - before);
  } while (performance.now() - startedAt < seconds * 1000);
  return {
    processorMs: percentile(Float64Array.from(processorTimes), 0.5),
    durationMs: percentile(Float64Array.from(durations), 0.5),
  };
}

async function prepareSearch(context: RowContext): Promise<BenchRow> {
  const store = await openIndex(context);
  const contestants = Object.entries(QUERIES).map(
    ([name, query]): Contestant => ({
      name,
      target: { atMost: MILLISECONDS_MAX },
      run: async (seconds): Promise<Sample> => ({ value: (await repeat(store, query, seconds)).processorMs }),
    }),
  );
  return {
    unit: "ms",
    compared: `the processor time of a search in the index of ${context.tenders} tenders, with 20 results and all facets`,
    contestants,
    isUnloaded: true,
  };
}

async function prepareSearchUnderWrites(context: RowContext): Promise<BenchRow> {
  const store = await openIndex(context);
  const query = queryOf(wordAt(3));
  let number = 0;
  const whileWriting = async (seconds: number): Promise<Sample> => {
    let isRunning = true;
    const writing = (async () => {
      while (isRunning) {
        number += 1;
        await writeTender(store, number);
      }
    })();
    const { durationMs } = await repeat(store, query, seconds);
    isRunning = false;
    await writing;
    return { value: durationMs };
  };
  return {
    unit: "ms",
    compared:
      "the median duration of a search for a frequent word, while tenders are written one after another and while none are",
    contestants: [
      { name: "idle", run: async (seconds) => ({ value: (await repeat(store, query, seconds)).durationMs }) },
      { name: "sqlite, writes", run: whileWriting, against: "idle", target: { atMost: WRITES_TIMES_MAX } },
    ],
    isUnloaded: true,
  };
}

export const SEARCH: readonly RowPlan[] = [
  { name: "search", hasTarget: true, roundsMax: 3, prepare: prepareSearch },
  { name: "search under writes", hasTarget: true, roundsMax: 3, prepare: prepareSearchUnderWrites },
];
