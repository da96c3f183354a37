import type { Config } from "../../config/config.ts";
import { dayOf } from "../../domain/values/time.ts";
import type { HttpResponse } from "../../http/responses.ts";
import type { Registry } from "../../registry/registry.ts";
import { fileProblemsResponse, fileResponse } from "../layout/fileResponse.ts";
import { type IndexFreshness, readIndexFreshness } from "../layout/indexFreshness.ts";
import type { Language } from "../layout/languages.ts";
import { messagesIn } from "../layout/messages/messages.ts";
import { type PageRequest, pageResponse } from "../layout/pageRequest.ts";
import type { PortalRoute } from "../layout/portalRoute.ts";
import { CSV_TYPE } from "../search/tenderCsv.ts";
import { figuresOf } from "./figures.ts";
import { MEASURE_PARAMETER, readMeasure } from "./measures.ts";
import { defaultPeriod, readPeriod, type StatisticsPeriod } from "./period.ts";
import { csvFile } from "./statisticsCsv.ts";
import { groupName, statisticsPage } from "./statisticsPage.ts";
import {
  amountLines,
  countLines,
  rowsOf,
  STATISTICS_TABLES,
  type StatisticsRow,
  type StatisticsTableName,
  TABLE_DIMENSIONS,
} from "./statisticsTables.ts";

/** The addresses of the statistics: the page, and each table as CSV. */

/** What the statistics need. */
export type StatisticsPorts = {
  readonly registry: Pick<Registry, "statistics" | "search" | "nowFor" | "catchUp" | "isFreshAt">;
  readonly config: Pick<Config, "zone">;
};

export const STATISTICS_ROUTES: readonly PortalRoute<StatisticsPorts>[] = [
  { pattern: /^\/statistics$/, parameters: "checked by handler", handle: showStatistics },
  {
    pattern: new RegExp(`^/statistics/(${STATISTICS_TABLES.join("|")})(-values)?\\.csv$`),
    parameters: "checked by handler",
    handle: sendTable,
  },
];

/** The state of the index, and a check that the month is still the same, on which the default period depends. */
async function openFreshnessCheck({ registry, config }: StatisticsPorts): Promise<IndexFreshness> {
  const { isIncomplete, isFresh } = await readIndexFreshness(registry);
  const currentMonth = async () => dayOf(await registry.nowFor({}), config.zone).slice(0, 7);
  const month = await currentMonth();
  return { isIncomplete, isFresh: async () => (await isFresh()) && (await currentMonth()) === month };
}

async function readTable(
  { registry }: StatisticsPorts,
  table: StatisticsTableName,
  period: StatisticsPeriod,
): Promise<readonly StatisticsRow[]> {
  const contributions = await registry.statistics({ dimension: TABLE_DIMENSIONS[table], ...period });
  return rowsOf(table, contributions, period);
}

async function showStatistics(ports: StatisticsPorts, pageRequest: PageRequest): Promise<HttpResponse> {
  const { registry, config } = ports;
  const { isIncomplete, isFresh } = await openFreshnessCheck(ports);
  const { query } = pageRequest;
  const now = await registry.nowFor({});
  const read = readPeriod(query, now, config.zone, [MEASURE_PARAMETER]);
  const { measure, problems: measureProblems } = readMeasure(query);
  const problems = [...read.problems, ...measureProblems];
  const period = problems.length > 0 ? defaultPeriod(now, config.zone) : read.period;
  const totals = figuresOf(await registry.statistics({ dimension: "all", ...period }));
  const rows = {
    months: await readTable(ports, "months", period),
    procedures: await readTable(ports, "procedures", period),
    divisions: await readTable(ports, "divisions", period),
    regions: await readTable(ports, "regions", period),
  };
  const isChosen = problems.length === 0 && Boolean(query.get("from") || query.get("to"));
  const view = { period, isChosen, measure, isIncomplete, problems, totals, rows, zoneName: config.zone.name };
  const page = statisticsPage(view, pageRequest.site, pageRequest.language);
  return pageResponse(page, pageRequest, problems.length > 0 ? { status: 400 } : { isFresh });
}

const isTableName = (name: string | undefined): name is StatisticsTableName =>
  STATISTICS_TABLES.some((table) => table === name);

async function sendTable(
  ports: StatisticsPorts,
  { query, language }: PageRequest,
  [table, values]: readonly (string | undefined)[],
): Promise<HttpResponse> {
  const { registry, config } = ports;
  if (!isTableName(table)) throw new Error("the pattern of the route matches only names of tables");
  const { isFresh } = await openFreshnessCheck(ports);
  const { period, problems } = readPeriod(query, await registry.nowFor({}), config.zone);
  if (problems.length > 0) return problemText(problems, language);
  const rows = await readTable(ports, table, period);
  const linesOf = values === undefined ? countLines : amountLines;
  const lines = linesOf(table, rows, (key) => groupName(table, key, language));
  const fileName = `${table}${values ?? ""}-${period.from}-${period.to}.csv`;
  return fileResponse(csvFile(lines), { type: CSV_TYPE, language, fileName, isAttachment: true, isFresh });
}

/** Says in plain text what is wrong with the parameters of a file. */
function problemText(problems: ReturnType<typeof readPeriod>["problems"], language: Language): HttpResponse {
  const texts = messagesIn(language).statistics.problems;
  return fileProblemsResponse(
    problems.map(({ rule, parameter, value }) => texts[rule](parameter, value)),
    language,
  );
}
