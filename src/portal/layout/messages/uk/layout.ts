/** The texts around every page. */
export const LAYOUT_UK = {
  skip: "Перейти до змісту",
  menu: "Розділи",
  languages: "Мова",
  breadcrumbs: "Ви тут",
  tenders: "Закупівлі",
  auctions: "Аукціони",
  calendar: "Календар",
  statistics: "Статистика",
  documentation: "Для розробників",
  sandbox: "тестове середовище",
  searchLabel: "Пошук закупівель",
  searchButton: "Знайти",
  footer: "Про сайт",
  aboutSite: "Про реєстр",
  accessibility: "Доступність",
  privacy: "Приватність",
  status: "Стан служби",
  openData: "Відкриті дані",
  zone: (zone: string) => `Час вказано за часовим поясом ${zone}.`,
  software: "Працює на Tenderhall — вільному програмному забезпеченні за ліцензією MIT.",
  operator: (name: string) => `Оператор: ${name}.`,
  contact: (link: string) => `Контакт: ${link}`,
  pages: "Сторінки",
  previousPage: "Попередня сторінка",
  nextPage: "Наступна сторінка",
  pageNumber: (page: string) => `Сторінка ${page}`,
  problem: "На сторінці є помилка",
  important: "Важливо",
  fileSizes: {
    bytes: (count: string) => `${count} Б`,
    kilobytes: (count: string) => `${count} КБ`,
    megabytes: (count: string) => `${count} МБ`,
    gigabytes: (count: string) => `${count} ГБ`,
  },
  unknownParameter: (name: string, known: readonly string[]) =>
    known.length === 0
      ? `${name}: такого параметра немає. Ця адреса не має параметрів.`
      : `${name}: такого параметра немає. Дозволено: ${known.join(", ")}.`,
  wrongParameter: (name: string, allowed: string) =>
    `Параметр «${name}» має неправильне значення. Дозволено: ${allowed}.`,
};
