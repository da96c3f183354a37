import { englishPlural } from "../../formats.ts";
import type { Messages } from "../uk.ts";

/** The texts of the calendar. */
export const CALENDAR_EN: Messages["calendar"] = {
  title: "Calendar of tenders",
  titleOf: (period) => `Calendar of tenders: ${period}`,
  description: "Deadlines for bids, auctions, openings of bids and the ends of enquiry periods, day by day.",
  kinds: {
    deadline: "Deadline for bids",
    "enquiries end": "Enquiries end",
    auction: "Start of the auction",
    "complaints end": "End of complaints",
    opening: "Opening of bids",
  },
  shortKinds: {
    deadline: "Bids until",
    "enquiries end": "Enquiries until",
    auction: "Auction",
    opening: "Bids opened",
  },
  openings:
    "Bids are opened at the deadline or, if there is an auction, right after it. Before the deadline nobody knows whether there will be one, so an opening is listed as soon as it has happened.",
  views: "View",
  month: "Month",
  week: "Week",
  day: "Day",
  previous: "Earlier",
  next: "Later",
  today: "Today",
  weekOf: (number, days) => `week ${number}, ${days}`,
  empty: "There are no events.",
  events: (count) => `${count} ${englishPlural(count, { one: "event", other: "events" })}`,
  more: (count) => `${count} more`,
  moreLabel: (count, day) => `${day}: ${count} more`,
  truncated: (count) => `The first ${count} events of this period are shown.`,
  testMode: "Only test tenders are shown.",
  subscribe: "Subscribe to the calendar (.ics)",
  download: "This period as an .ics file",
  calendarName: "Public tenders",
  problems: {
    month: (value) => `month: “${value}” is not a month. Give a year and a month, such as 2026-11.`,
    week: (value) => `week: “${value}” is not a week. Give a year and a week number of ISO 8601, such as 2026-W47.`,
    day: (value) => `day: “${value}” is not a day. Give a date, such as 2026-11-17.`,
    mode: (value) => `mode: “${value}” is not possible. The only value is test.`,
    several: (parameters) => `${parameters}: give only one of month, week and day.`,
    unknown: (parameter) => `${parameter}: there is no such parameter. The parameters are month, week, day and mode.`,
  },
  problemShown: "The present month is shown below.",
};
