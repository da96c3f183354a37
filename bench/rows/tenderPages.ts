import { tenderBody } from "../bodies.ts";
import { type BenchRequest, publish } from "../requests.ts";
import {
  type BenchRow,
  compareProducts,
  inProcessorTime,
  loadOf,
  type RowContext,
  type RowPlan,
  underLoad,
} from "../rows.ts";
import { tenderAt } from "./reads.ts";

/** The page of a tender, compared with a bare server and with the JSON of the same tender. */

const pageAt = (id: string): BenchRequest => ({ method: "GET", path: `/tenders/${id}` });

async function prepareHotPage(stage: RowContext): Promise<BenchRow> {
  const contestants = await compareProducts(
    stage,
    async (url) => (await publish(url, 1, tenderBody())).map(({ id }) => pageAt(id)),
    { sqlite: { atLeast: 0.5 }, postgres: { atLeast: 0.5 } },
  );
  return {
    unit: "req/s",
    compared: "the page of one tender read again and again; bare: the same bytes and headers",
    contestants,
  };
}

const TENDERS_READ = 500;

async function prepareUncachedPage({ servers }: RowContext): Promise<BenchRow> {
  const server = await servers.startProduct("uncached pages", { CACHE_BYTES_MAX: "0" });
  const ids = (await publish(server.url, TENDERS_READ, tenderBody())).map(({ id }) => id);
  const json = inProcessorTime(underLoad("JSON", server, loadOf(server.url, ids.map(tenderAt))));
  const page = underLoad("page", server, loadOf(server.url, ids.map(pageAt)), {
    against: "JSON",
    target: { atMost: 3 },
  });
  return {
    unit: "us",
    compared:
      `the processor time of a request for one of ${TENDERS_READ} tenders with CACHE_BYTES_MAX=0, so that each is read from the ` +
      "database, parsed and rendered: as JSON and as a page",
    contestants: [json, inProcessorTime(page)],
    end: () => server.stop(),
  };
}

export const TENDER_PAGES: readonly RowPlan[] = [
  { name: "page of a tender, hot", hasTarget: true, prepare: prepareHotPage },
  { name: "page of a tender, uncached", hasTarget: true, prepare: prepareUncachedPage },
];
