import { tenderBody } from "../bodies.ts";
import type { ServerProcess } from "../children.ts";
import { type Load, measure, percentile } from "../load.ts";
import { type BenchRequest, fetchCanned, publish, TENDERS } from "../requests.ts";
import {
  type BenchRow,
  compareProducts,
  compareWithBare,
  failOn,
  loadOf,
  type RowContext,
  type RowPlan,
  type Sample,
  type Target,
  underLoad,
} from "../rows.ts";

const TWO_WORKERS: Target = { atLeast: 1.5 };

export const tenderAt = (id: string): BenchRequest => ({ method: "GET", path: `${TENDERS}/${id}` });
export const FIRST_PAGE: BenchRequest = { method: "GET", path: TENDERS };

async function prepareHotRead(stage: RowContext): Promise<BenchRow> {
  const contestants = await compareProducts(
    stage,
    async (url) => (await publish(url, 1, tenderBody())).map(({ id }) => tenderAt(id)),
    {
      sqlite: { atLeast: 0.85 },
      "sqlite x2": TWO_WORKERS,
      postgres: { atLeast: 0.7 },
      "postgres x2": TWO_WORKERS,
    },
  );
  return {
    unit: "req/s",
    compared: "one tender read again and again; bare: the same bytes and headers; bare x2: from two processes",
    contestants,
  };
}

const ENCODINGS = ["gzip", "br", "zstd"];

async function prepareCompressedRead(stage: RowContext): Promise<BenchRow> {
  const server = await stage.servers.product("sqlite");
  const [made] = await publish(server.url, 1, tenderBody());
  const request = tenderAt(made!.id);
  const asking = (accepts?: string) => loadOf(server.url, [{ ...request, ...(accepts && { accepts }) }]);
  return {
    unit: "req/s",
    compared: "one tender read again and again, as it is and compressed",
    contestants: [
      underLoad("as it is", server, asking()),
      ...ENCODINGS.map((encoding) =>
        underLoad(encoding, server, asking(encoding), { against: "as it is", target: { atLeast: 0.8 } }),
      ),
    ],
  };
}

async function prepareManyReads(stage: RowContext): Promise<BenchRow> {
  const { servers, stop } = await stage.servers.filled(stage.tenders);
  const asking = servers.map(({ name, child, ids }) => ({ name, child, requests: ids.map(tenderAt) }));
  return {
    unit: "req/s",
    compared: `${stage.tenders} tenders read once each, in no order; bare: the bytes of one of them`,
    contestants: await compareWithBare(stage, asking, {}),
    end: stop,
  };
}

async function prepareFeedPage(stage: RowContext): Promise<BenchRow> {
  const contestants = await compareProducts(stage, pageRequest, { sqlite: { atLeast: 0.7 } });
  return {
    unit: "req/s",
    compared: "the first page of the feed, 100 entries; bare: the same bytes and headers",
    contestants,
  };
}

async function pageRequest(url: string): Promise<readonly BenchRequest[]> {
  await publish(url, 150, tenderBody());
  const { body } = await fetchCanned(url, FIRST_PAGE);
  const { data } = JSON.parse(body) as { data: readonly unknown[] };
  if (data.length !== 100) throw new Error(`a page of ${data.length} instead of 100`);
  return [FIRST_PAGE];
}

const CACHED_TENDERS = 500;

/** The requests are the same, so that the only difference is where a tender comes from. */
async function prepareUncachedRead({ servers }: RowContext): Promise<BenchRow> {
  const cached = await servers.product("sqlite");
  const uncached = await servers.startProduct("uncached sqlite", { CACHE_BYTES_MAX: "0" });
  const load = async ({ url }: ServerProcess) =>
    loadOf(
      url,
      (await publish(url, CACHED_TENDERS, tenderBody())).map(({ id }) => tenderAt(id)),
    );
  return {
    unit: "req/s",
    compared:
      `${CACHED_TENDERS} tenders read in turn, from memory, and with CACHE_BYTES_MAX=0, so that each is read from the database, ` +
      "parsed and rendered",
    contestants: [
      underLoad("cached", cached, await load(cached)),
      underLoad("sqlite, uncached", uncached, await load(uncached), { against: "cached", target: { atLeast: 1 / 3 } }),
    ],
    end: () => uncached.stop(),
  };
}

const READERS = 8;
const WRITERS = 8;

/** Both loads come from one process, so delays of that process count as the server's. */
async function prepareReadUnderWrites(stage: RowContext): Promise<BenchRow> {
  const server = await stage.servers.product("sqlite");
  const { url } = server;
  const [made] = await publish(url, 1, tenderBody());
  const reading: Load = { ...loadOf(url, [tenderAt(made!.id)], READERS), recordsTimes: true };
  const writing = loadOf(url, [{ method: "POST", path: TENDERS, body: tenderBody() }], WRITERS);
  const run = async (seconds: number, isAmongWrites: boolean): Promise<Sample> => {
    const [reads, writes] = await Promise.all([
      measure(reading, seconds),
      isAmongWrites ? measure(writing, seconds) : undefined,
    ]);
    failOn("sqlite", [...reads.errors, ...(writes?.errors ?? [])]);
    return { value: percentile(reads.times, 0.99), extra: reads.perSecond };
  };
  return {
    unit: "ms",
    compared:
      `the 99th percentile of ${READERS} connections that read one tender, alone and while ${WRITERS} others publish ` +
      "tenders as fast as they can",
    extraLabel: "reads a second",
    contestants: [
      { name: "sqlite, idle", run: (seconds) => run(seconds, false) },
      {
        name: "sqlite, writing",
        run: (seconds) => run(seconds, true),
        against: "sqlite, idle",
        target: { atMost: 4 },
        server,
      },
    ],
  };
}

export const READS: readonly RowPlan[] = [
  { name: "GET tender, hot", hasTarget: true, prepare: prepareHotRead },
  { name: "GET tender, compressed", hasTarget: true, prepare: prepareCompressedRead },
  { name: "GET tender, many", prepare: prepareManyReads },
  { name: "GET tender, uncached", hasTarget: true, prepare: prepareUncachedRead },
  { name: "GET feed page of 100", hasTarget: true, prepare: prepareFeedPage },
  { name: "p99 of GET under writes", hasTarget: true, roundsMax: 7, prepare: prepareReadUnderWrites },
];
