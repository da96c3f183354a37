import type { Instant } from "../../domain/values/time.ts";
import { notice, problemSummary, userText } from "../layout/components.ts";
import { formatMoment, formatNumber, machineTime } from "../layout/formats.ts";
import { type Language, localeOf, localizedPath } from "../layout/languages.ts";
import { messagesIn } from "../layout/messages/messages.ts";
import { type PortalPage, type PortalSite, pagePathOf } from "../layout/portalPage.ts";
import { shortText } from "../layout/shortText.ts";
import { textIn } from "../layout/textIn.ts";
import { EMPTY_MARKUP, html, type Markup } from "../markup.ts";
import { formatMonth } from "../statistics/statisticsCharts.ts";
import { tenderPath } from "../tender/tenderScreen.ts";
import { type CalendarDay, type CalendarDays, EVENTS_MAX, type TenderEvent } from "./calendarEvents.ts";
import { type CalendarPeriod, type CalendarProblem, neighbourOf, periodAround, weekdayOf } from "./calendarPeriod.ts";

/** The page `/calendar`: the days of a month as a grid, or as a list on phones; a week and a day with more events. */

/** What the page shows. */
export type CalendarPageView = {
  readonly period: CalendarPeriod;
  readonly mode: "real" | "test";
  readonly problems: readonly CalendarProblem[];
  readonly content: CalendarDays;
  /** Whether older tenders are still being added to the calendar. */
  readonly isIncomplete: boolean;
  /** The present day in the zone of the registry. */
  readonly today: string;
  readonly zoneName: string;
};

type PageContext = { readonly view: CalendarPageView; readonly site: PortalSite; readonly language: Language };

export const CALENDAR_PATH = "/calendar";
const TITLE_LENGTH_MAX = 90;
/** How much of a wrong parameter is shown. */
const PARAMETER_LENGTH_MAX = 100;

/** The page, before it is laid out. */
export function calendarPage(view: CalendarPageView, site: PortalSite, language: Language): PortalPage {
  const texts = messagesIn(language).calendar;
  const context: PageContext = { view, site, language };
  const { period, problems, mode } = view;
  const name = periodName(period, language);
  const problemMessages = problems.map(({ rule, value }) => ({
    message: texts.problems[rule](value.slice(0, PARAMETER_LENGTH_MAX)),
  }));
  const content = html`<h1>${texts.titleOf(name)}</h1>
${problems.length > 0 ? html`${problemSummary(problemMessages, language)}\n<p>${texts.problemShown}</p>` : EMPTY_MARKUP}
${view.isIncomplete ? notice("information", html`<p>${messagesIn(language).statistics.incomplete}</p>`) : EMPTY_MARKUP}
${mode === "test" ? notice("warning", html`<p>${texts.testMode}</p>`) : EMPTY_MARKUP}
${navigation(context)}
${dayList(context)}
<p class="quiet">${texts.openings}</p>
<ul class="downloads" role="list">
<li><a href="${calendarFile(context)}" type="text/calendar">${texts.subscribe}</a></li>
<li><a href="${calendarFile(context, period)}" type="text/calendar">${texts.download}</a></li>
</ul>`;
  return {
    path: CALENDAR_PATH,
    query: queryOf(period, mode),
    title: texts.titleOf(name),
    description: texts.description,
    content,
    zoneName: view.zoneName,
    section: "calendar",
    // There is a page for every day of three centuries; search engines need only those of months.
    ...((problems.length > 0 || mode === "test" || period.view !== "month") && { isUnlisted: true as const }),
    alternateForms: [
      {
        type: "text/calendar",
        title: texts.calendarName,
        path: localizedPath(`${CALENDAR_PATH}.ics`, language, site.defaultLanguage),
      },
    ],
  };
}

const queryOf = ({ view, name }: CalendarPeriod, mode: "real" | "test"): string =>
  `?${view}=${name}${mode === "test" ? "&mode=test" : ""}`;

function calendarFile({ view: { mode }, site, language }: PageContext, period?: CalendarPeriod): string {
  const query = period ? queryOf(period, mode) : mode === "test" ? "?mode=test" : "";
  return `${pagePathOf(site, `${CALENDAR_PATH}.ics`, language)}${query}`;
}

const dateFormats = new Map<string, Intl.DateTimeFormat>();
const DATE_OPTIONS = {
  "day of week": { weekday: "short" },
  "long day": { weekday: "long", day: "numeric", month: "long" },
  "whole date": { dateStyle: "long" },
} as const satisfies { readonly [style: string]: Intl.DateTimeFormatOptions };

function dateFormat(style: keyof typeof DATE_OPTIONS, language: Language): Intl.DateTimeFormat {
  const key = `${language} ${style}`;
  const format =
    dateFormats.get(key) ?? new Intl.DateTimeFormat(localeOf(language), { ...DATE_OPTIONS[style], timeZone: "UTC" });
  dateFormats.set(key, format);
  return format;
}

/** A day is a date without a time, so its zone is that of its text. */
const timeOfDay = (day: string): number => Date.parse(`${day}T00:00:00Z`);

/** A day as the language writes it. */
const formatDay = (day: string, style: keyof typeof DATE_OPTIONS, language: Language): string =>
  dateFormat(style, language).format(timeOfDay(day));

/** The name of a period for people. */
export function periodName({ view, name, days }: CalendarPeriod, language: Language): string {
  if (view === "month") return formatMonth(name, language);
  const [first = name, last = name] = [days[0], days.at(-1)];
  if (view === "day") return formatDay(first, "whole date", language);
  const range = dateFormat("whole date", language).formatRange(timeOfDay(first), timeOfDay(last));
  return messagesIn(language).calendar.weekOf(String(Number(name.slice(-2))), range);
}

/** Links to the period before and after, to today, and to the other views around the same day. */
function navigation({ view, site, language }: PageContext): Markup {
  const texts = messagesIn(language).calendar;
  const { period, mode, today } = view;
  const path = pagePathOf(site, CALENDAR_PATH, language);
  const step = (direction: -1 | 1) => {
    const target = neighbourOf(period, direction);
    const text = direction < 0 ? texts.previous : texts.next;
    return target
      ? html`<li><a class="button" rel="${direction < 0 ? "prev" : "next"}" href="${path}${queryOf(target, mode)}">${text}<span class="visually-hidden">: ${periodName(target, language)}</span></a></li>\n`
      : EMPTY_MARKUP;
  };
  const present = periodAround(today, period.view);
  // From a month that contains today, the week and the day of today are nearest.
  const anchor = period.days.includes(today) ? today : (period.days[0] ?? today);
  const views = (["month", "week", "day"] as const).map((name) => {
    const target = periodAround(anchor, name);
    const current = name === period.view ? html` aria-current="page"` : EMPTY_MARKUP;
    return target
      ? html`<li><a href="${path}${queryOf(target, mode)}"${current}>${texts[name]}</a></li>\n`
      : EMPTY_MARKUP;
  });
  return html`<nav class="tabs" aria-label="${texts.views}"><ul>
${views}</ul></nav>
<nav aria-label="${texts.title}"><ul class="calendar-steps" role="list">
${step(-1)}${present ? html`<li><a class="button" href="${path}${queryOf(present, mode)}">${texts.today}</a></li>\n` : EMPTY_MARKUP}${step(1)}</ul></nav>`;
}

/** The days. In a grid, the class of the first day says in which column it is. */
function dayList(context: PageContext): Markup {
  const { view, language } = context;
  const texts = messagesIn(language).calendar;
  const { period, content } = view;
  const first = period.days[0] ?? "";
  const isEmpty = content.days.every(({ count }) => count === 0);
  const week = period.days.length < 7 ? [] : Array.from({ length: 7 }, (_, i) => `2024-01-0${i + 1}`);
  return html`${isEmpty ? html`<p class="calendar-empty">${texts.empty}</p>\n` : EMPTY_MARKUP}${week.length === 0 ? EMPTY_MARKUP : html`<div class="calendar-weekdays" aria-hidden="true">${week.map((day) => html`<span>${formatDay(day, "day of week", language)}</span>`)}</div>\n`}<ol class="calendar calendar-${period.view} starts-${weekdayOf(first)}" role="list">
${content.days.map((day) => dayItem(day, context))}</ol>
${content.isCut ? html`<p class="quiet">${texts.truncated(formatNumber(EVENTS_MAX, language))}</p>\n` : EMPTY_MARKUP}`;
}

function dayItem({ day, count, events }: CalendarDay, context: PageContext): Markup {
  const { view, site, language } = context;
  const texts = messagesIn(language).calendar;
  const name = formatDay(day, "long day", language);
  const hidden = count - events.length;
  const href = `${pagePathOf(site, CALENDAR_PATH, language)}${queryOf({ view: "day", name: day, days: [day] }, view.mode)}`;
  const heading = html`<time datetime="${day}"><span class="day-number" aria-hidden="true">${Number(day.slice(8))}</span><span class="day-name">${name}</span></time>`;
  const list = html`<ul role="list">
${events.map((event) => eventItem(event, context))}</ul>
`;
  const more = html`<p><a href="${href}" aria-label="${texts.moreLabel(formatNumber(hidden, language), name)}">${texts.more(formatNumber(hidden, language))}</a></p>
`;
  const states = [...(count === 0 ? ["empty"] : []), ...(day === view.today ? ["today"] : [])].join(" ");
  return html`<li${states === "" ? EMPTY_MARKUP : html` class="${states}"`}${day === view.today ? html` aria-current="date"` : EMPTY_MARKUP}>
<h2>${count > 0 && view.period.view !== "day" ? html`<a href="${href}">${heading}</a>` : heading}</h2>
${events.length > 0 ? list : EMPTY_MARKUP}${hidden > 0 ? more : EMPTY_MARKUP}</li>
`;
}

function eventItem({ kind, at, tender }: TenderEvent, { view, site, language }: PageContext): Markup {
  const { shortKinds } = messagesIn(language).calendar;
  const title = shortText(textIn(language, tender, "title") ?? "", TITLE_LENGTH_MAX) || tender.tenderID;
  const buyer = shortText(textIn(language, tender.procuringEntity, "name") ?? "", TITLE_LENGTH_MAX);
  const href = pagePathOf(site, tenderPath(tender.id), language);
  return html`<li class="event ${kind.replace(" ", "-")}"><span class="event-time">${shortKinds[kind]} ${eventTime(at, view.zoneName, language)}</span> <a href="${href}">${userText(title)}</a>${buyer === "" || view.period.view === "month" ? EMPTY_MARKUP : html` <span class="about">${userText(buyer)}</span>`}</li>
`;
}

const eventTime = (at: Instant, zoneName: string, language: Language): Markup =>
  html`<time datetime="${machineTime(at)}">${formatMoment(at, "time", zoneName, language)}</time>`;
