import type { Instant } from "../../domain/values/time.ts";
import type { Language } from "../layout/languages.ts";

/** Calendars (RFC 5545), with the properties of RFC 7986 that tell a subscriber the name and how often to look. */

export const CALENDAR_TYPE = "text/calendar; charset=UTF-8";

/** Something that happens at a moment, or lasts until `end`. */
export type CalendarEvent = {
  /** Belongs to this event alone and never changes, so that a program which knows the event moves it instead of adding another. */
  readonly uid: string;
  readonly start: Instant;
  readonly end?: Instant | undefined;
  /** When the event was last changed. */
  readonly modified: Instant;
  readonly summary: string;
  readonly description?: string | undefined;
  readonly location?: string | undefined;
  /** An absolute address. */
  readonly url?: string | undefined;
  readonly categories?: readonly string[] | undefined;
};

/** A calendar, before it is written. */
export type Calendar = {
  readonly name: string;
  readonly language: Language;
  /** The absolute address of the calendar itself. */
  readonly url?: string | undefined;
  readonly events: readonly CalendarEvent[];
};

/** Writes a calendar. All times are in UTC, so that it needs no definition of a zone. */
export function renderCalendar({ name, language, url, events }: Calendar): string {
  const lines = [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//Tenderhall//Tenderhall//EN",
    "CALSCALE:GREGORIAN",
    `NAME;LANGUAGE=${language}:${escapeText(name)}`,
    `X-WR-CALNAME:${escapeText(name)}`,
    ...(url === undefined ? [] : [`SOURCE;VALUE=URI:${withoutControls(url)}`]),
    "REFRESH-INTERVAL;VALUE=DURATION:PT1H",
    "X-PUBLISHED-TTL:PT1H",
    ...(events.length === 0 ? UTC_ZONE_LINES : events.flatMap(eventLines)),
    "END:VCALENDAR",
  ];
  return lines.map((line) => `${foldLine(line)}\r\n`).join("");
}

/** A calendar must have a component (RFC 5545, section 3.6). One without events has a time zone, which programs do not show. */
const UTC_ZONE_LINES = [
  "BEGIN:VTIMEZONE",
  "TZID:UTC",
  "BEGIN:STANDARD",
  "DTSTART:19700101T000000",
  "TZOFFSETFROM:+0000",
  "TZOFFSETTO:+0000",
  "END:STANDARD",
  "END:VTIMEZONE",
];

function eventLines(event: CalendarEvent): readonly string[] {
  const { uid, start, end, modified, summary, description, location, url, categories = [] } = event;
  const optional = (property: string, text: string | undefined): readonly string[] =>
    text === undefined || text.trim() === "" ? [] : [`${property}:${escapeText(text)}`];
  return [
    "BEGIN:VEVENT",
    `UID:${escapeText(uid)}`,
    // In a calendar without a method, DTSTAMP is the time of the last change. So the same data always gives the same bytes.
    `DTSTAMP:${utcTime(modified)}`,
    `LAST-MODIFIED:${utcTime(modified)}`,
    `DTSTART:${utcTime(start)}`,
    ...(end === undefined ? [] : [`DTEND:${utcTime(end)}`]),
    `SUMMARY:${escapeText(summary)}`,
    ...optional("DESCRIPTION", description),
    ...optional("LOCATION", location),
    ...(url === undefined ? [] : [`URL:${withoutControls(url)}`]),
    ...(categories.length === 0 ? [] : [`CATEGORIES:${categories.map(escapeText).join(",")}`]),
    "TRANSP:TRANSPARENT",
    "END:VEVENT",
  ];
}

/** An instant as `20261117T090000Z`. Fractions are cut off, so that a deadline is never shown later than it is. */
export const utcTime = (at: Instant): string =>
  `${new Date(Math.floor(at / 1000)).toISOString().replaceAll(/[-:]|\.\d+/g, "")}`;

const CONTROL_CHARACTERS = /[\u0000-\u0009\u000b-\u001f\u007f]/g;

const withoutControls = (text: string): string => text.toWellFormed().replaceAll(/[\u0000-\u001f\u007f]/g, "");

/** Escapes a value of type TEXT. */
export const escapeText = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/\r\n?/g, "\n")
    .replaceAll(CONTROL_CHARACTERS, " ")
    .replaceAll(/[\\;,]/g, (character) => `\\${character}`)
    .replaceAll("\n", "\\n");

/** The most bytes of a line, without its end. */
const LINE_BYTES_MAX = 75;

/** Folds a line that is longer than 75 bytes, never inside of a character. */
export function foldLine(line: string): string {
  if (Buffer.byteLength(line) <= LINE_BYTES_MAX) return line;
  let folded = "";
  let bytes = 0;
  for (const character of line) {
    const length = Buffer.byteLength(character);
    if (bytes + length > LINE_BYTES_MAX) {
      folded += "\r\n ";
      // The space at the beginning counts.
      bytes = 1;
    }
    folded += character;
    bytes += length;
  }
  return folded;
}
