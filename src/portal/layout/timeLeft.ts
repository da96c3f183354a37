import { DAY, HOUR, type Instant, MINUTE } from "../../domain/values/time.ts";
import type { Language } from "./languages.ts";
import { messagesIn } from "./messages/messages.ts";

/** The time until a moment in words, and until when these words are right: a page with them must be rendered again after that. */
export type TimeLeft = { readonly text: string; readonly sameUntil: Instant };

/** From this many days on, hours are left out. */
const WHOLE_DAYS_MIN = 7;

/** The time left until a moment, rounded down: `12 days`, `3 days 4 hours`, `5 hours 12 minutes`. */
export function timeLeftUntil(at: Instant, now: Instant, language: Language): TimeLeft {
  const { left } = messagesIn(language).tender;
  const micros = at - now;
  const sameUntil = sameTextUntil(at, now);
  if (micros <= 0) return { text: left.over, sameUntil };
  if (micros < MINUTE) return { text: left.remaining(left.lessThanMinute), sameUntil };
  const days = Math.floor(micros / DAY);
  const unit = unitOf(micros);
  const hours = Math.floor((micros % DAY) / HOUR);
  const minutes = Math.floor((micros % HOUR) / MINUTE);
  const parts = [
    ...(days > 0 ? [left.days(days)] : []),
    ...(unit < DAY && hours > 0 ? [left.hours(hours)] : []),
    ...(unit < HOUR && minutes > 0 ? [left.minutes(minutes)] : []),
  ];
  return { text: left.remaining(parts.join(" ")), sameUntil };
}

/** The smallest unit that is written. */
const unitOf = (micros: number): number => (micros >= WHOLE_DAYS_MIN * DAY ? DAY : micros >= DAY ? HOUR : MINUTE);

/** Until when the text of the time left until a moment stays the same. */
function sameTextUntil(at: Instant, now: Instant): Instant {
  const micros = at - now;
  if (micros <= 0) return Number.POSITIVE_INFINITY;
  if (micros < MINUTE) return at;
  const unit = unitOf(micros);
  return at - Math.floor(micros / unit) * unit + 1;
}

/** Until when a page that shows the time left until these moments stays the same. */
export const sameUntilOf = (moments: readonly Instant[], now: Instant): Instant =>
  moments.reduce((earliest, at) => Math.min(earliest, sameTextUntil(at, now)), Number.POSITIVE_INFINITY);
