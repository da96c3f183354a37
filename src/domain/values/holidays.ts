/**
 * Public holidays that fall on weekdays, as MM-DD by year. A year without an entry has weekends only, which makes its time limits
 * too short around holidays: add each year before it begins.
 *
 * From 2026 on, the days follow the Labour Code of Ukraine. Article 73 names them: 1 January, 8 March, 1 May, 8 May, 28 June,
 * 15 July, 24 August, 1 October, 25 December, and the Sundays of (Orthodox) Easter and Trinity. If a holiday falls on a weekend,
 * part 3 of article 67 moves the day off to the next working day. The years 2015 to 2018 are as the established system had them,
 * including days off that the government moved.
 *
 * Martial law may suspend both articles, and parliament may change them; the operator then edits this file.
 */
export const HOLIDAYS: { readonly [year: string]: readonly string[] } = {
  2015: days("05-01 05-04 05-11 06-01 06-29 08-24 10-14"),
  2016: days("01-01 01-07 01-08 03-07 03-08 05-02 05-03 05-09 06-20 06-27 06-28 08-24 10-14"),
  2017: days("01-02 01-09 03-08 04-17 05-01 05-02 05-08 05-09 06-05 06-28 08-24 08-25 10-16"),
  2018: days("01-01 01-08 03-08 04-09 05-01 05-02 05-08 05-09 05-28 06-28 08-24 08-27 10-15"),
  2026: days("01-01 03-09 04-13 05-01 05-08 06-01 06-29 07-15 08-24 10-01 12-25"),
  // 1 May is a Saturday and Easter the Sunday after it, so two days off move to the Monday and Tuesday.
  2027: days("01-01 03-08 05-03 05-04 05-10 06-21 06-28 07-15 08-24 10-01 12-27"),
  2028: days("01-03 03-08 04-17 05-01 05-08 06-05 06-28 07-17 08-24 10-02 12-25"),
  2029: days("01-01 03-08 04-09 05-01 05-08 05-28 06-28 07-16 08-24 10-01 12-25"),
  2030: days("01-01 03-08 04-29 05-01 05-08 06-17 06-28 07-15 08-26 10-01 12-25"),
};

function days(listed: string): readonly string[] {
  return listed.split(" ");
}
