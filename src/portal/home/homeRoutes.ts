import { dayOf, type Instant, MINUTE } from "../../domain/values/time.ts";
import { openVersionedCache } from "../../http/renderedCache.ts";
import type { HttpResponse } from "../../http/responses.ts";
import { type PageRequest, pageResponse } from "../layout/pageRequest.ts";
import type { PortalRoute } from "../layout/portalRoute.ts";
import { sameUntilOf } from "../layout/timeLeft.ts";
import { renderDevelopersPart } from "./developersPart.ts";
import { type HomeData, type HomePorts, readHomeData } from "./homeData.ts";
import { homePage } from "./homePage.ts";

/** The first page. */
export const HOME_ROUTES: readonly PortalRoute<HomePorts>[] = [{ pattern: /^\/$/, handle: showHomePage }];

const cachedData = openVersionedCache<HomeData>();

/** What the page shows is cached until the registry changes, and the page until its words for the time left change. */
async function showHomePage(ports: HomePorts, pageRequest: PageRequest): Promise<HttpResponse> {
  const { site, language } = pageRequest;
  const { registry, config } = ports;
  const version = await registry.catchUp();
  const now = await registry.nowFor({});
  const today = dayOf(now, config.zone);
  const cached = cachedData(registry, version);
  const key = `${language} ${today}`;
  const data = cached.get(key) ?? (await readHomeData(ports, language));
  cached.set(key, data);
  const developersPart = renderDevelopersPart({ config, site, language, now, isEmpty: data.counts.size === 0 });
  const clockTimes = await readClockTimes(registry, data);
  const page = homePage({ data, site, language, now, clockTimes, zoneName: config.zone.name, developersPart });
  const until = Math.min(sameUntilOf(deadlinesOf(data), now), nextQuarter(now));
  // A test clock may be moved at any time, by any process.
  return pageResponse(
    page,
    pageRequest,
    clockTimes.size > 0 ? {} : { isFresh: () => registry.isFreshAt(version, until) },
  );
}

/** The times of the test clocks by which tenders close: they move although the registry does not change. */
async function readClockTimes(
  { nowFor }: Pick<HomePorts["registry"], "nowFor">,
  { closing }: HomeData,
): Promise<ReadonlyMap<string, Instant>> {
  const clocks = new Set(closing.flatMap(({ testClock }) => testClock ?? []));
  return new Map(
    await Promise.all([...clocks].map(async (testClock) => [testClock, await nowFor({ testClock })] as const)),
  );
}

const deadlinesOf = ({ closing }: HomeData): readonly Instant[] =>
  closing.flatMap(({ deadline, testClock }) => (deadline === undefined || testClock !== undefined ? [] : [deadline]));

const QUARTER = 15 * MINUTE;

/** Auctions of another day and other dates of the first step are shown from midnight on, which is a quarter of an hour in every zone. */
const nextQuarter = (now: Instant): Instant => (Math.floor(now / QUARTER) + 1) * QUARTER;
