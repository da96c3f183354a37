import { meterBar } from "../charts/charts.ts";
import { cpvName } from "../cpv/cpv.ts";
import { dataTable, notice, problemSummary } from "../layout/components.ts";
import type { Language } from "../layout/languages.ts";
import { messagesIn } from "../layout/messages/messages.ts";
import type { Messages } from "../layout/messages/uk.ts";
import { nameOf } from "../layout/nameOf.ts";
import { type PortalPage, type PortalSite, pagePathOf } from "../layout/pageLayout.ts";
import { EMPTY_MARKUP, html, type Markup } from "../markup.ts";
import { amountsIn, currenciesOf, type Figures } from "./figures.ts";
import {
  DEFAULT_MEASURE,
  MEASURE_PARAMETER,
  MEASURED_COLUMNS,
  MEASURES,
  type MeasureProblem,
  type StatisticsMeasure,
} from "./measures.ts";
import { monthsOf, type PeriodProblem, periodQuery, type StatisticsPeriod } from "./period.ts";
import { amountCharts, countCharts, formatMonth } from "./statisticsCharts.ts";
import {
  AMOUNT_COLUMNS,
  COUNT_COLUMNS,
  STATISTICS_TABLES,
  type StatisticsColumn,
  type StatisticsRow,
  type StatisticsTableName,
} from "./statisticsTables.ts";

/** The page `/statistics`. */

/** What the page shows. */
export type StatisticsView = {
  readonly period: StatisticsPeriod;
  /** Whether the address names the period; otherwise it is the one that is shown by default. */
  readonly isChosen: boolean;
  /** Whether older tenders are still being added to the sums. */
  readonly isIncomplete: boolean;
  /** What is drawn of procedures, divisions and regions. */
  readonly measure: StatisticsMeasure;
  readonly problems: readonly (PeriodProblem | MeasureProblem)[];
  readonly totals: Figures;
  readonly rows: { readonly [table in StatisticsTableName]: readonly StatisticsRow[] };
  readonly zoneName: string;
};

type PageContext = { readonly view: StatisticsView; readonly site: PortalSite; readonly language: Language };

export const STATISTICS_PATH = "/statistics";

/** The page, before it is laid out. */
export function statisticsPage(view: StatisticsView, site: PortalSite, language: Language): PortalPage {
  const texts = messagesIn(language).statistics;
  const context: PageContext = { view, site, language };
  const { period, totals } = view;
  const label = texts.periodLabel(formatMonth(period.from, language), formatMonth(period.to, language));
  const content = html`<h1>${texts.title}</h1>
<p class="lead">${texts.lead}</p>
${view.isIncomplete ? notice("information", html`<p>${texts.incomplete}</p>`) : EMPTY_MARKUP}
${problemList(context)}${periodForm(context)}
<p class="period"><strong>${label}</strong></p>
${
  totals.counts.tenders === 0
    ? html`<p class="quiet">${texts.nothing}</p>`
    : html`${keyFigures(context)}${tableSection("months", context)}${measureLinks(context)}${GROUP_TABLES.map((table) => tableSection(table, context))}`
}
<section class="card" aria-labelledby="method">
<h2 id="method">${texts.methodTitle}</h2>
<ul>${texts.method.map((line) => html`<li>${line}</li>\n`)}</ul>
</section>`;
  return {
    path: STATISTICS_PATH,
    query: queryOf(view),
    title: texts.title,
    description: texts.description,
    content,
    zoneName: view.zoneName,
    section: "statistics",
    ...(view.problems.length > 0 && { isUnlisted: true as const }),
  };
}

const GROUP_TABLES = STATISTICS_TABLES.filter((table) => table !== "months");

/** The shortest query of a page, with another measure if one is given. */
function queryOf({ period, isChosen, measure: current }: StatisticsView, measure = current): string {
  const parts = [
    ...(isChosen ? [periodQuery(period).slice(1)] : []),
    ...(measure === DEFAULT_MEASURE ? [] : [`${MEASURE_PARAMETER}=${measure}`]),
  ];
  return parts.length === 0 ? "" : `?${parts.join("&")}`;
}

/** Links to the same page with another measure. */
function measureLinks({ view, site, language }: PageContext): Markup {
  const texts = messagesIn(language).statistics;
  const path = pagePathOf(site, STATISTICS_PATH, language);
  const items = MEASURES.map((measure) => {
    const current = measure === view.measure ? html` aria-current="true"` : EMPTY_MARKUP;
    return html`<li><a href="${path}${queryOf(view, measure)}#measure"${current}>${texts.measures[measure]}</a></li>\n`;
  });
  return html`<h2 id="measure">${texts.measureTitle}</h2>
<nav class="tabs" aria-labelledby="measure"><ul role="list">
${items}</ul></nav>
`;
}

function problemList({ view: { problems }, language }: PageContext): Markup {
  const texts = messagesIn(language).statistics;
  if (problems.length === 0) return EMPTY_MARKUP;
  const shown = (text: string) => text.slice(0, PARAMETER_LENGTH_MAX);
  const messages = problems.map(({ rule, parameter, value }) => ({
    message: texts.problems[rule](shown(parameter), shown(value)),
    ...((parameter === "from" || parameter === "to") && { fieldId: `period-${parameter}` }),
  }));
  return html`${problemSummary(messages, language)}
<p>${texts.problemShown}</p>
`;
}

/** How much of a wrong parameter is shown. */
const PARAMETER_LENGTH_MAX = 100;

/** Text fields, because not all browsers have a field for months. */
function periodForm({ view: { period, measure }, site, language }: PageContext): Markup {
  const texts = messagesIn(language).statistics;
  const field = (name: "from" | "to") => html`<div class="field">
<label for="period-${name}">${texts[name]}</label>
<input type="text" id="period-${name}" name="${name}" value="${period[name]}" inputmode="numeric" pattern="[0-9]{4}-[0-9]{2}" maxlength="7" autocomplete="off" aria-describedby="period-hint">
</div>
`;
  return html`<form class="period-form" method="get" action="${pagePathOf(site, STATISTICS_PATH, language)}">
<fieldset>
<legend>${texts.period}</legend>
<p class="note" id="period-hint">${texts.monthHint}</p>
<div class="fields">
${field("from")}${field("to")}${measure === DEFAULT_MEASURE ? EMPTY_MARKUP : html`<input type="hidden" name="${MEASURE_PARAMETER}" value="${measure}">\n`}<button type="submit">${texts.show}</button>
</div>
</fieldset>
</form>
`;
}

function keyFigures({ view: { totals }, language }: PageContext): Markup {
  const texts = messagesIn(language).statistics;
  const entry = (title: string, text: string) => html`<div><dt>${title}</dt><dd>${text}</dd></div>\n`;
  const counts = COUNT_COLUMNS.map(({ id, show }) => entry(texts.columns[id], show(totals, language)));
  const byCurrency = currenciesOf([totals]).map((currency) => {
    const amounts = amountsIn(totals, currency);
    return html`<h3>${texts.inCurrency(currency)}</h3>
<dl class="key-figures amounts">
${AMOUNT_COLUMNS.map(({ id, show }) => entry(texts.columns[id], show(amounts, language)))}</dl>
`;
  });
  return html`<section class="card" aria-labelledby="key-figures">
<h2 id="key-figures">${texts.keyFigures}</h2>
<dl class="key-figures">
${counts}</dl>
${byCurrency}</section>
`;
}

/** A section: charts first, their numbers in tables below that readers open. */
function tableSection(table: StatisticsTableName, context: PageContext): Markup {
  const { view, language } = context;
  const texts = messagesIn(language).statistics;
  const title = texts.sections[table];
  const rows = view.rows[table];
  const currencies = currenciesOf(rows.map(({ figures }) => figures));
  const measured = MEASURED_COLUMNS[view.measure];
  const byCurrency = currencies.map((currency, index) => {
    const amountsOf = (figures: Figures) => amountsIn(figures, currency);
    const inCurrency = rows.filter(({ figures }) => table === "months" || figures.amounts.has(currency));
    const charts =
      table === "months"
        ? amountCharts(rows, currency, index, language)
        : AMOUNT_COLUMNS.filter(({ id }) => measured.amounts.includes(id)).flatMap((column) =>
            barList(table, texts.charts[column.id](currency), column, inCurrency, amountsOf, context),
          );
    return {
      charts,
      table: figureTable(table, `${title}, ${currency}`, AMOUNT_COLUMNS, inCurrency, amountsOf, context),
    };
  });
  const countChart =
    table === "months"
      ? countCharts(rows, language)
      : COUNT_COLUMNS.filter(({ id }) => measured.counts.includes(id)).flatMap((column) =>
          barList(table, texts.charts[column.id], column, rows, (figures) => figures, context),
        );
  const hasCharts = countChart.length > 0 || byCurrency.some(({ charts }) => charts.length > 0);
  return html`<section class="card" aria-labelledby="${table}">
<h2 id="${table}">${title}</h2>
<div class="charts">
${hasCharts ? html`${countChart}${byCurrency.map(({ charts }) => html`${charts}`)}` : html`<p class="quiet">${texts.noValues}</p>\n`}</div>
${figureTable(table, title, COUNT_COLUMNS, rows, (figures) => figures, context)}
${byCurrency.map((ofCurrency) => ofCurrency.table)}
<ul class="downloads" role="list">
<li>${csvLink(table, title, context)}</li>
${currencies.length === 0 ? EMPTY_MARKUP : html`<li>${csvLink(`${table}-values`, `${title}, ${currencies.join(", ")}`, context)}</li>`}
</ul>
</section>
`;
}

/** How many groups a list of bars has; the table has all. */
const BARS_MAX = 10;

/** The groups with the highest values of a column, as horizontal bars; nothing if no group has a value. */
function barList<T, Id extends string>(
  table: StatisticsTableName,
  title: string,
  { drawnValue, show }: StatisticsColumn<T, Id>,
  rows: readonly StatisticsRow[],
  partOf: (figures: Figures) => T,
  context: PageContext,
): readonly Markup[] {
  const bars = rows
    .flatMap(({ key, figures }) => {
      const part = partOf(figures);
      const value = drawnValue(part);
      return value === undefined ? [] : [{ key, part, value }];
    })
    .sort((a, b) => b.value - a.value)
    .slice(0, BARS_MAX);
  if (bars.length === 0) return [];
  const highest = bars[0]?.value ?? 0;
  const items = bars.map(
    ({ key, part, value }) =>
      html`<li><span>${rowName(table, key, context)}</span> <span class="amount">${show(part, context.language)}</span>${meterBar(value / highest)}</li>\n`,
  );
  return [
    html`<figure class="chart-figure">
<figcaption>${title}</figcaption>
<ol class="bar-list" role="list">
${items}</ol>
</figure>
`,
  ];
}

function csvLink(file: string, title: string, { view, site, language }: PageContext): Markup {
  const texts = messagesIn(language).statistics;
  const href = `${pagePathOf(site, `${STATISTICS_PATH}/${file}.csv`, language)}${periodQuery(view.period)}`;
  return html`<a href="${href}" type="text/csv">${texts.csvOf(title)}</a>`;
}

function figureTable<T, Id extends keyof Messages["statistics"]["columns"]>(
  table: StatisticsTableName,
  title: string,
  columns: readonly StatisticsColumn<T, Id>[],
  rows: readonly StatisticsRow[],
  partOf: (figures: Figures) => T,
  context: PageContext,
): Markup {
  const { language } = context;
  const texts = messagesIn(language).statistics;
  const lines = rows.map(({ key, figures }) => [
    rowName(table, key, context),
    ...columns.map(({ show }) => html`${show(partOf(figures), language)}`),
  ]);
  const numbers = columns.map(({ id }) => ({ title: texts.columns[id], isNumber: true as const }));
  const content = dataTable(title, [{ title: texts.firstColumns[table] }, ...numbers], lines);
  return html`<details>
<summary>${texts.tableOf(title)}</summary>
<div class="scrolled" role="region" tabindex="0" aria-label="${texts.tableOf(title)}">
${content}
</div>
</details>`;
}

/** The name of a group for people. */
export function groupName(table: StatisticsTableName, key: string, language: Language): string {
  const { statistics, names, regions } = messagesIn(language);
  if (key === "") return statistics.unspecified;
  if (table === "months") return formatMonth(key, language);
  if (table === "procedures") return nameOf(names.procedures, key);
  return table === "regions" ? nameOf(regions, key) : (cpvName(key, language)?.text ?? key);
}

/** The parameter of the search that finds the tenders of a group. */
const SEARCH_PARAMETERS = { procedures: "procedure", divisions: "cpv", regions: "region" } as const;

/** The name of a row, which links to its tenders. */
function rowName(table: StatisticsTableName, key: string, { view, site, language }: PageContext): Markup {
  const name = groupName(table, key, language);
  const prefix = table === "divisions" && key !== "" ? html`<span class="code">${key}</span> ` : EMPTY_MARKUP;
  if (table === "months" || key === "") return html`${name}`;
  const query = new URLSearchParams({ [SEARCH_PARAMETERS[table]]: key, ...publishedRange(view.period) });
  return html`<a href="${pagePathOf(site, "/tenders", language)}?${query.toString()}">${prefix}${name}</a>`;
}

/** The parameters of the search for the days of the period. */
function publishedRange(period: StatisticsPeriod): { readonly published_from: string; readonly published_to: string } {
  const lastDay = new Date(Date.UTC(Number(period.to.slice(0, 4)), Number(period.to.slice(5)), 0)).getUTCDate();
  return { published_from: `${monthsOf(period)[0] ?? period.from}-01`, published_to: `${period.to}-${lastDay}` };
}
