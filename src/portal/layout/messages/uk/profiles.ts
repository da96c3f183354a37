import { ukrainianPlural } from "../../formats.ts";

const bids = (count: number) => ukrainianPlural(count, { one: "пропозиція", few: "пропозиції", many: "пропозицій" });

/** The texts of the profiles of buyers and suppliers. */
export const PROFILES_UK = {
  roles: { buyer: "Замовник", supplier: "Постачальник" },
  titles: {
    buyer: (name: string) => `${name} — закупівлі замовника`,
    supplier: (name: string) => `${name} — участь у закупівлях`,
  },
  descriptions: {
    buyer: (name: string, key: string) =>
      `Замовник ${name} (${key}): закупівлі, договори, постачальники та конкуренція.`,
    supplier: (name: string, key: string) =>
      `Постачальник ${name} (${key}): розкриті пропозиції, перемоги, договори та замовники.`,
  },
  identifier: "Ідентифікатор",
  otherRole: {
    buyer: "Ця організація також бере участь у закупівлях як постачальник",
    supplier: "Ця організація також проводить закупівлі як замовник",
  },
  totals: "Підсумки",
  inCurrency: (currency: string) => `У валюті ${currency}`,
  figures: {
    tenders: "Закупівлі",
    bidsPerTender: "Пропозицій на закупівлю",
    singleBidShare: "З єдиною пропозицією",
    bids: "Розкриті пропозиції",
    decidedBids: "Пропозиції з рішенням",
    undecidedBids: "Пропозиції на розгляді",
    wonBids: "Виграні пропозиції",
    successRate: "Успішність",
    awards: "Перемоги",
    contracts: "Договори",
    averageDays: "Днів до договору",
    complaints: "Вимоги та скарги",
    value: "Очікувана вартість",
    contractedValue: "Сума договорів",
    savings: "Економія",
  },
  successHint:
    "Успішність — частка пропозицій із рішенням, які перемогли. Рішення щодо пропозиції є, коли вона перемогла чи її відхилено або коли закупівля чи всі лоти, на які її подано, завершилися. Перемоги без конкуренції до успішності не входять.",
  partners: { buyer: "Постачальники", supplier: "Замовники" },
  partnersLead: {
    buyer: "З ким укладено договори, за сумою договорів",
    supplier: "Для кого виконує договори, за сумою договорів",
  },
  partnerColumns: { buyer: "Постачальник", supplier: "Замовник" },
  noPartners: { buyer: "Переможців ще немає.", supplier: "Перемог ще немає." },
  morePartners: (shown: string, count: string) => `Показано ${shown} з ${count}.`,
  tenders: { buyer: "Закупівлі замовника", supplier: "Участь у закупівлях" },
  noTenders: "Закупівель немає.",
  tenderCount: (count: string) => `Знайдено: ${count}`,
  moreThan: (count: string) => `понад ${count}`,
  buyerOf: (name: string) => `Замовник: ${name}`,
  winners: (names: string) => `Переможець: ${names}`,
  bidCount: (count: number) => `${count} ${bids(count)}`,
  ownBid: (value: string) => `Пропозиція: ${value}`,
  ownBidWithoutValue: "Пропозицію подано",
  award: (status: string) => `Рішення: ${status}`,
  contract: (status: string, value: string) => `Договір: ${status}${value === "" ? "" : `, ${value}`}`,
  deadline: (moment: string) => `Пропозиції до ${moment}`,
  links: "Більше",
  search: "Усі закупівлі в пошуку",
  feed: "Стрічка новин (Atom)",
  json: "Ті самі дані у форматі JSON",
  unknownTitle: { buyer: "Такого замовника немає", supplier: "Такого постачальника немає" },
  unknown: {
    buyer: (key: string) => `У реєстрі немає оголошених закупівель замовника з ідентифікатором «${key}».`,
    supplier: (key: string) =>
      `У реєстрі немає розкритих пропозицій, перемог чи договорів постачальника з ідентифікатором «${key}».`,
  },
  unknownHelp: "Перевірте адресу: вона складається зі схеми та коду організації, наприклад UA-EDR-00037256.",
  unknownSearch: "Шукати в закупівлях",
  problems: {
    page: (value: string) => `page: «${value}» не є номером сторінки. Вкажіть число від 1 до 500.`,
    pageBeyond: (value: string) => `page: сторінки ${value} немає.`,
    unknown: (parameter: string) => `${parameter}: такого параметра немає. Можливий параметр: page.`,
  },
};
