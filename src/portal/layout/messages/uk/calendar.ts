import { ukrainianPlural } from "../../formats.ts";

/** The texts of the calendar. */
export const CALENDAR_UK = {
  title: "Календар закупівель",
  titleOf: (period: string) => `Календар закупівель: ${period}`,
  description:
    "Кінцеві строки подання пропозицій, аукціони, розкриття пропозицій та кінець періодів уточнень за днями.",
  kinds: {
    deadline: "Кінець подання пропозицій",
    "enquiries end": "Кінець періоду уточнень",
    auction: "Початок аукціону",
    "complaints end": "Кінець строку оскарження",
    opening: "Розкриття пропозицій",
  },
  shortKinds: { deadline: "Подання до", "enquiries end": "Уточнення до", auction: "Аукціон", opening: "Розкриття" },
  openings:
    "Пропозиції розкриваються, коли закінчується їх подання, а якщо відбувається аукціон — одразу після нього. Чи буде аукціон, до кінця подання не знає ніхто, тому розкриття з’являється тут, щойно воно відбулося.",
  views: "Вигляд",
  month: "Місяць",
  week: "Тиждень",
  day: "День",
  previous: "Раніше",
  next: "Пізніше",
  today: "Сьогодні",
  weekOf: (number: string, days: string) => `тиждень ${number}, ${days}`,
  empty: "Подій немає.",
  events: (count: number) => `${count} ${ukrainianPlural(count, { one: "подія", few: "події", many: "подій" })}`,
  more: (count: string) => `ще ${count}`,
  moreLabel: (count: string, day: string) => `${day}: ще ${count}`,
  truncated: (count: string) => `Показано перші ${count} подій цього періоду.`,
  testMode: "Показано лише тестові закупівлі.",
  subscribe: "Підписатися на календар (.ics)",
  download: "Цей період у файлі .ics",
  calendarName: "Публічні закупівлі",
  problems: {
    month: (value: string) => `month: «${value}» не є місяцем. Вкажіть рік і місяць, наприклад 2026-11.`,
    week: (value: string) => `week: «${value}» не є тижнем. Вкажіть рік і номер тижня за ISO 8601, наприклад 2026-W47.`,
    day: (value: string) => `day: «${value}» не є днем. Вкажіть дату, наприклад 2026-11-17.`,
    mode: (value: string) => `mode: «${value}» неможливе. Можливе значення: test.`,
    several: (parameters: string) => `${parameters}: вкажіть лише щось одне — місяць, тиждень або день.`,
    unknown: (parameter: string) => `${parameter}: такого параметра немає. Можливі параметри: month, week, day, mode.`,
  },
  problemShown: "Нижче показано поточний місяць.",
};
