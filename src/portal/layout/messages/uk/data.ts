import { ukrainianPlural } from "../../formats.ts";

/** Сторінка відкритих даних. */
export const DATA_UK = {
  title: "Відкриті дані",
  description:
    "Усі закупівлі реєстру у стандарті відкритих контрактів OCDS: файли для завантаження та інтерфейс для програм.",
  lead: "Дані про закупівлі у стандарті відкритих контрактів (OCDS 1.1): оголошення, запитання, скарги, пропозиції після розкриття, рішення та підписані договори. Реєстрація не потрібна.",
  licenseTerm: "Ліцензія",
  noLicense: "Не вказано",
  publisher: "Видавець",
  policy: "Політика публікації",
  updated: "Дані до",
  guide: "Як користуватися даними",
  forPrograms: "Для програм",
  releases: "Релізи в порядку змін",
  records: "Записи закупівель",
  manifest: "Перелік файлів для програм",
  files: "Файли",
  none: "Файлів ще немає: їх готує сервер. Зазвичай це триває кілька хвилин.",
  whole: "Увесь реєстр",
  month: (month: string) => `Місяць ${month}`,
  file: "Файл",
  contents: "Зміст",
  size: "Розмір",
  /** A thousand, a million and a thousand million bytes. */
  lines: "Рядків",
  date: "Остання зміна",
  checksum: "SHA-256",
  earlier: "За місяцями",
  kinds: {
    releases: "Релізи (JSON)",
    compiled: "Зведені релізи (JSON)",
    tenders: "Закупівлі (CSV)",
    lots: "Лоти (CSV)",
    items: "Предмети закупівлі (CSV)",
    parties: "Організації (CSV)",
    bids: "Пропозиції (CSV)",
    bidValues: "Ціни пропозицій за лотами (CSV)",
    awards: "Рішення про переможців (CSV)",
    contracts: "Договори (CSV)",
    documents: "Документи (CSV)",
  },
  fileCount: (count: string, number: number) =>
    `${count} ${ukrainianPlural(number, { one: "файл", few: "файли", many: "файлів" })}`,
};
