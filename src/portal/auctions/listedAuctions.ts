import type { Config } from "../../config/config.ts";
import { dayOf, type Instant } from "../../domain/values/time.ts";
import { type ListedAuction, listedStatus } from "../../registry/auctionListings.ts";
import type { Registry } from "../../registry/registry.ts";
import type { PageProblem } from "../layout/components.ts";
import type { Language } from "../layout/languages.ts";
import { messagesIn } from "../layout/messages/messages.ts";
import { shortText } from "../layout/shortText.ts";
import { textIn } from "../layout/textIn.ts";
import { unknownParameterProblems } from "../layout/unknownParameters.ts";
import type { AuctionList, AuctionSummary } from "./auctionList.ts";
import { auctionMessagesIn } from "./auctionMessages.ts";
import { type AuctionListPage, type AuctionPageQuery, readAuctionPage } from "./auctionPaging.ts";

/** The auctions on the page `/auctions`. */

type ListReads = Pick<Registry, "nowFor"> & { readonly auctions: Pick<Registry["auctions"], "list" | "find"> };
type ListPorts = { readonly registry: ListReads; readonly config: Pick<Config, "zone" | "sandbox"> };

const SHOWN_MAX = 100;
const FINISHED_MAX = 50;
/** Positions in the list of auctions: the start and the id. */
const POSITION = /^\d{1,20}\/[0-9a-f_]{32,65}$/;

/**
 * Those of today and coming, and a page of finished ones: `offset` in the query is where the previous page ended. A parameter that is
 * wrong is named in `problems`, and the list is what it would be without it.
 */
export async function listedAuctions(
  { registry, config }: ListPorts,
  query: URLSearchParams,
  language: Language,
): Promise<Omit<AuctionList, "zone" | "site">> {
  const { mode, offset: beyond, problems } = readListParameters(query, language);
  const ports = { registry, config };
  const { today, coming, ...cuts } = await upcomingAuctions(ports, mode);
  const finished = await readPage(ports, "ended", mode, { limit: FINISHED_MAX, descending: true, beyond });
  const summaries = (listed: readonly ListedAuction[]) => summariesOf(registry, listed, language);
  return {
    problems,
    today: await summaries(today),
    coming: await summaries(coming),
    finished: await summaries(finished.auctions),
    ...cuts,
    ...(finished.next !== undefined && {
      earlierQuery: `?offset=${encodeURIComponent(finished.next)}${mode ? "&mode=test" : ""}`,
    }),
  };
}

/** The auctions that run or start today. */
export type AuctionsOfToday = {
  readonly count: number;
  /** There are more than `count`. */
  readonly isMore: boolean;
  /** The first of them. */
  readonly auctions: readonly AuctionSummary[];
};

/** Reads the number of auctions that run or start today, and the first `limit` of them. */
export async function auctionsOfToday(ports: ListPorts, language: Language, limit: number): Promise<AuctionsOfToday> {
  const { today, isTodayCut } = await upcomingAuctions(ports, undefined);
  return {
    count: today.length,
    isMore: isTodayCut,
    auctions: await summariesOf(ports.registry, today.slice(0, limit), language),
  };
}

async function upcomingAuctions(ports: ListPorts, mode: ListedAuction["mode"]) {
  const { zone } = ports.config;
  const day = dayOf(await ports.registry.nowFor({}), zone);
  const running = await readPage(ports, "running", mode, { limit: SHOWN_MAX, descending: false });
  const planned = await readPage(ports, "planned", mode, { limit: SHOWN_MAX, descending: false });
  const isToday = ({ start }: ListedAuction) => dayOf(start, zone) <= day;
  const coming = planned.auctions.filter((auction) => !isToday(auction));
  const isComingCut = planned.next !== undefined;
  return {
    today: [...running.auctions, ...planned.auctions.filter(isToday)],
    coming,
    isTodayCut: running.next !== undefined || (isComingCut && coming.length === 0),
    isComingCut,
  };
}

function readPage(
  { registry, config }: ListPorts,
  status: ListedAuction["status"],
  mode: ListedAuction["mode"],
  page: Omit<AuctionPageQuery, "statuses" | "mode">,
): Promise<AuctionListPage> {
  // Only a sandbox has test clocks, and what runs on them is a part of what there is to try.
  const clocks = config.sandbox ? [undefined, true as const] : [undefined];
  const statuses = clocks.map((isOnTestClock) => listedStatus({ status, ...(isOnTestClock && { isOnTestClock }) }));
  return readAuctionPage((query) => registry.auctions.list(query), { ...page, statuses, mode });
}

async function summariesOf(
  registry: ListReads,
  listed: readonly ListedAuction[],
  language: Language,
): Promise<readonly AuctionSummary[]> {
  const found = await Promise.all(listed.map((auction) => summaryOf(registry, auction, language)));
  return found.flatMap((summary) => summary ?? []);
}

type ListParameters = {
  readonly mode: "test" | undefined;
  readonly offset: string | undefined;
  readonly problems: readonly PageProblem[];
};

function readListParameters(query: URLSearchParams, language: Language): ListParameters {
  const { layout } = messagesIn(language);
  const { list } = auctionMessagesIn(language);
  const [mode, offset] = [query.get("mode"), query.get("offset")];
  const isOffset = offset === null || POSITION.test(offset);
  const isMode = mode === null || mode === "test" || mode === "real";
  return {
    mode: mode === "test" ? "test" : undefined,
    offset: isOffset ? (offset ?? undefined) : undefined,
    problems: [
      ...(isMode ? [] : [{ message: layout.wrongParameter("mode", "real, test") }]),
      ...(isOffset ? [] : [{ message: layout.wrongParameter("offset", list.offsetAllowed) }]),
      ...unknownParameterProblems(query, ["mode", "offset"], language),
    ],
  };
}

async function summaryOf(
  registry: ListReads,
  { auction, start }: ListedAuction,
  language: Language,
): Promise<AuctionSummary | undefined> {
  const found = await registry.auctions.find(auction);
  if (!found) return undefined;
  const { tender, lot, state } = found;
  const begun: Instant | undefined = state.stages[0]?.start;
  return {
    id: auction,
    status: state.status,
    start: begun ?? start,
    tenderID: tender.tenderID,
    title: shortText(textIn(language, tender, "title") ?? ""),
    buyer: shortText(textIn(language, tender.procuringEntity, "name") ?? ""),
    ...(lot && { lotTitle: shortText(textIn(language, lot, "title") ?? "") }),
  };
}
