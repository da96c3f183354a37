import { ukrainianPlural } from "../../formats.ts";

const organizations = (count: number) =>
  ukrainianPlural(count, { one: "організацію", few: "організації", many: "організацій" });

/** The texts of the lists of buyers and suppliers. */
export const ORGANIZATIONS_UK = {
  titles: { buyer: "Замовники", supplier: "Постачальники" },
  titlesWith: {
    buyer: (words: string) => `${words} — замовники`,
    supplier: (words: string) => `${words} — постачальники`,
  },
  descriptions: {
    buyer: "Усі замовники реєстру: пошук за назвою або кодом, кількість закупівель і посилання на профілі.",
    supplier:
      "Усі постачальники, яких назвали розкриті пропозиції, рішення чи договори: пошук за назвою або кодом, кількість закупівель.",
  },
  labels: { buyer: "Якого замовника ви шукаєте?", supplier: "Якого постачальника ви шукаєте?" },
  hint: "Слова назви або код ЄДРПОУ",
  count: (count: number, number: string) => `Знайдено ${number} ${organizations(count)}`,
  countOver: (number: string) => `Знайдено понад ${number} організацій`,
  order: "Спочатку ті, у кого найбільше закупівель.",
  columns: { name: "Назва", key: "Ідентифікатор", tenders: "Закупівлі" },
  none: "Нікого не знайдено",
  noneHint: "Перевірте слова або спробуйте коротше: початок слова з трьох літер теж підходить.",
  showAll: { buyer: "Усі замовники", supplier: "Усі постачальники" },
  choices: {
    buyer: (text: string) => `Замовники за словами «${text}»`,
    supplier: (text: string) => `Постачальники за словами «${text}»`,
  },
  choose: "Виберіть організацію, щоб побачити її закупівлі за іншими вашими умовами.",
  chooseMore: (number: string) => `Показати всі знайдені: ${number}`,
  problems: {
    q: (value: string) => `q: у тексті «${value}» немає ні букв, ні цифр, або він задовгий.`,
    page: (value: string, max: string) => `page: «${value}» не є номером сторінки. Вкажіть число від 1 до ${max}.`,
    pageBeyond: (value: string) => `page: сторінки ${value} немає.`,
    unknown: (parameter: string) => `${parameter}: такого параметра немає. Можливі параметри: q, page.`,
  },
};
