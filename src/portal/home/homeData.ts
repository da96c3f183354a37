import type { Config } from "../../config/config.ts";
import type { Tender } from "../../domain/model/tender.ts";
import { bidDeadlineOf } from "../../domain/schedule.ts";
import type { Decimal } from "../../domain/values/decimal.ts";
import type { Instant } from "../../domain/values/time.ts";
import { viewContextAt } from "../../http/exchange.ts";
import type { SearchFilter, SearchSort } from "../../indexing/searchQuery.ts";
import type { Registry } from "../../registry/registry.ts";
import { tenderView, type ViewContext } from "../../views/visibility.ts";
import { type AuctionsOfToday, auctionsOfToday } from "../auctions/listedAuctions.ts";
import type { Language } from "../layout/languages.ts";
import { isReadable, shortLine } from "../layout/shortText.ts";
import { textIn } from "../layout/textIn.ts";
import { decisionOf, type TenderDecision } from "./decisions.ts";

/** What the first page shows of the registry: only public data, and nothing about bids but those that won. */
export type HomeData = {
  /** By status, those with at least one tender. */
  readonly counts: ReadonlyMap<string, number>;
  readonly closing: readonly TenderSummary[];
  readonly newest: readonly TenderSummary[];
  readonly decided: readonly TenderSummary[];
  readonly auctionsToday: AuctionsOfToday;
};

/** A tender in one of the lists. */
export type TenderSummary = {
  readonly id: string;
  readonly title: string;
  readonly buyer: string;
  readonly status: string;
  readonly value?: { readonly amount: Decimal; readonly currency: string };
  /** Until when bids are accepted. */
  readonly deadline?: Instant;
  /** The id of the test clock of the tender, if it is on one. */
  readonly testClock?: string;
  /** Who won, for a tender that is decided. */
  readonly decision?: TenderDecision;
};

const LISTED_MAX = 6;
const AUCTIONS_MAX = 5;
/** The lists stand beside each other. */
const TITLE_LENGTH_MAX = 140;
const OPEN_STATUSES = ["active.tendering"];
const DECIDED_STATUSES = ["active.awarded", "complete"];

export type HomePorts = { readonly registry: Registry; readonly config: Config };

/** Reads everything that the page shows. */
export async function readHomeData(ports: HomePorts, language: Language): Promise<HomeData> {
  const { registry } = ports;
  const search = async (filter: Omit<SearchFilter, "terms" | "mode">, sort: SearchSort) => {
    const query = {
      filter: { ...filter, terms: [], mode: "real" },
      sort,
      offset: 0,
      limit: LISTED_MAX,
      facets: [],
    } as const;
    return summariesOf(ports, (await registry.search(query)).ids, language);
  };
  const decidedRows = await registry.feed({
    modes: "real",
    filter: { statuses: DECIDED_STATUSES },
    descending: true,
    beyond: undefined,
    limit: LISTED_MAX,
  });
  const auctionsToday = await auctionsOfToday(ports, language, AUCTIONS_MAX);
  return {
    closing: await search({ statuses: OPEN_STATUSES }, "deadline"),
    newest: await search({}, "newest"),
    decided: await summariesOf(
      ports,
      decidedRows.map(({ id }) => id),
      language,
    ),
    auctionsToday,
    // Counted last, because reading a tender can carry out its deadlines.
    counts: new Map([...(await registry.countByStatus())].filter(([, number]) => number > 0)),
  };
}

async function summariesOf(
  ports: HomePorts,
  ids: readonly string[],
  language: Language,
): Promise<readonly TenderSummary[]> {
  const { registry } = ports;
  const found = await Promise.all(
    ids.map(async (id) => {
      const tender = await registry.tender(id);
      return tender ? [summaryOf(tender, viewContextAt(ports, await registry.nowFor(tender)), language)] : [];
    }),
  );
  return found.flat();
}

function summaryOf(tender: Tender, viewContext: ViewContext, language: Language): TenderSummary {
  const { id, tenderID, status, value } = tender;
  const decision = DECIDED_STATUSES.includes(status) ? decisionOf(tenderView(tender, viewContext)) : undefined;
  const title = shortLine(textIn(language, tender, "title") ?? "", TITLE_LENGTH_MAX);
  const deadline = bidDeadlineOf(tender);
  return {
    id,
    title: isReadable(title) ? title : tenderID,
    buyer: shortLine(textIn(language, tender.procuringEntity, "name") ?? "", TITLE_LENGTH_MAX),
    status,
    ...(value?.amount !== undefined && { value: { amount: value.amount, currency: value.currency ?? "" } }),
    ...(deadline !== undefined && { deadline }),
    ...(tender.testClock !== undefined && { testClock: tender.testClock }),
    ...(decision && { decision }),
  };
}
