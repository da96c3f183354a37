/** What is bought in the demonstration: titles, codes of ДК021, things, and what sellers would ask about. */

export type Item = { readonly uk: string; readonly en: string; readonly unit: readonly [code: string, name: string] };
export type Subject = {
  readonly uk: string;
  readonly en: string;
  readonly code: string;
  readonly class: string;
  readonly items: readonly Item[];
  /** The least and the most that is usually paid, in hryvnias. */
  readonly range: readonly [number, number];
  readonly asked: readonly (readonly [question: string, answer: string])[];
  /** A criterion beside the price, with what may be offered. */
  readonly feature?: readonly [title: string, title_en: string, ...options: readonly string[]];
};

const PIECES = ["H87", "штука"] as const;
const KILOGRAMS = ["KGM", "кілограм"] as const;
const LITRES = ["LTR", "літр"] as const;
const METRES = ["MTR", "метр"] as const;
const SERVICES = ["E48", "послуга"] as const;

const DELIVERY = ["Чи можлива поставка частинами?", "Так, за графіком, який додається до договору."] as const;
const ANALOGUE = ["Чи приймаються еквіваленти?", "Так, якщо їхні показники не гірші за вказані."] as const;
const PAYMENT = ["Який строк оплати?", "Десять робочих днів після підписання акта."] as const;
const VISIT = ["Коли можна оглянути об'єкт?", "Щосереди з десятої до дванадцятої, за попереднім дзвінком."] as const;

export const SUBJECTS: readonly Subject[] = [
  {
    uk: "Гаряче харчування учнів початкових класів",
    en: "Hot meals for primary school pupils",
    code: "55520000-1",
    class: "Кейтерингові послуги",
    range: [180_000, 1_400_000],
    items: [
      { uk: "Обіди для учнів", en: "Lunches for pupils", unit: SERVICES },
      { uk: "Сніданки для учнів", en: "Breakfasts for pupils", unit: SERVICES },
    ],
    asked: [["Скільки дітей харчується щодня?", "Близько двохсот сорока, список уточнюється щомісяця."], PAYMENT],
    feature: ["Досвід роботи у школах", "Experience with schools", "без досвіду", "до двох років", "понад два роки"],
  },
  {
    uk: "Папір офісний та канцелярське приладдя",
    en: "Office paper and stationery",
    code: "30190000-7",
    class: "Офісне устаткування та приладдя різне",
    range: [25_000, 260_000],
    items: [
      { uk: "Папір А4, 80 г/м²", en: "A4 paper, 80 g/m²", unit: PIECES },
      { uk: "Папки-реєстратори", en: "Lever arch files", unit: PIECES },
    ],
    asked: [ANALOGUE, DELIVERY],
  },
  {
    uk: "Ноутбуки для навчальних класів",
    en: "Laptops for classrooms",
    code: "30210000-4",
    class: "Машини для обробки даних (апаратна частина)",
    range: [320_000, 2_900_000],
    items: [{ uk: "Ноутбук із чотирнадцятидюймовим екраном", en: "Laptop with a fourteen inch screen", unit: PIECES }],
    asked: [["Чи потрібна встановлена операційна система?", "Ні, програми ми встановлюємо самі."], ANALOGUE],
    feature: ["Строк гарантії", "Length of the warranty", "рік", "два роки", "три роки"],
  },
  {
    uk: "Поточний ремонт покрівлі навчального корпусу",
    en: "Repair of the roof of a school building",
    code: "45260000-7",
    class: "Покрівельні роботи та інші спеціалізовані будівельні роботи",
    range: [450_000, 4_800_000],
    items: [{ uk: "Ремонт м'якої покрівлі", en: "Repair of a soft roof", unit: SERVICES }],
    asked: [VISIT, ["Хто вивозить будівельне сміття?", "Виконавець, вартість входить до пропозиції."]],
  },
  {
    uk: "Дизельне паливо за картками",
    en: "Diesel fuel by cards",
    code: "09130000-9",
    class: "Нафта і дистиляти",
    range: [200_000, 1_900_000],
    items: [{ uk: "Дизельне паливо", en: "Diesel fuel", unit: LITRES }],
    asked: [["Чи обов'язкова заправка в межах міста?", "Так, не далі як десять кілометрів від гаража."], PAYMENT],
  },
  {
    uk: "Витратні матеріали для лабораторії",
    en: "Consumables for a laboratory",
    code: "33140000-3",
    class: "Медичні матеріали",
    range: [60_000, 780_000],
    items: [
      { uk: "Пробірки вакуумні", en: "Vacuum tubes", unit: PIECES },
      { uk: "Рукавички нітрилові", en: "Nitrile gloves", unit: PIECES },
    ],
    asked: [ANALOGUE, ["Який залишковий строк придатності потрібен?", "Не менше як дев'ять місяців на день поставки."]],
  },
  {
    uk: "Прибирання приміщень і території",
    en: "Cleaning of premises and grounds",
    code: "90910000-9",
    class: "Послуги з прибирання",
    range: [90_000, 620_000],
    items: [{ uk: "Щоденне прибирання", en: "Daily cleaning", unit: SERVICES }],
    asked: [VISIT, ["Хто забезпечує мийні засоби?", "Виконавець."]],
    feature: ["Засоби з екологічним маркуванням", "Products with an eco-label", "жодного", "частина", "усі"],
  },
  {
    uk: "Овочі та картопля для їдальні",
    en: "Vegetables and potatoes for a canteen",
    code: "03220000-9",
    class: "Овочі, фрукти та горіхи",
    range: [40_000, 390_000],
    items: [
      { uk: "Картопля", en: "Potatoes", unit: KILOGRAMS },
      { uk: "Морква", en: "Carrots", unit: KILOGRAMS },
      { uk: "Капуста білоголова", en: "White cabbage", unit: KILOGRAMS },
    ],
    asked: [DELIVERY, ["О котрій годині приймаєте товар?", "З сьомої до дев'ятої ранку щопонеділка."]],
  },
  {
    uk: "Світлодіодні світильники вуличного освітлення",
    en: "LED street lights",
    code: "31520000-7",
    class: "Світильники та освітлювальна арматура",
    range: [150_000, 1_700_000],
    items: [
      { uk: "Світильник консольний, 60 Вт", en: "Street light, 60 W", unit: PIECES },
      { uk: "Кронштейн", en: "Bracket", unit: PIECES },
    ],
    asked: [ANALOGUE, ["Яка колірна температура допустима?", "Від трьох до чотирьох тисяч кельвінів."]],
    feature: ["Строк гарантії", "Length of the warranty", "три роки", "п'ять років", "сім років"],
  },
  {
    uk: "Труби поліетиленові для водопроводу",
    en: "Polyethylene pipes for a water main",
    code: "44160000-9",
    class: "Магістралі, трубопроводи, труби та супутні вироби",
    range: [110_000, 2_200_000],
    items: [
      { uk: "Труба, діаметр 110 мм", en: "Pipe, 110 mm", unit: METRES },
      { uk: "Труба, діаметр 63 мм", en: "Pipe, 63 mm", unit: METRES },
    ],
    asked: [DELIVERY, ANALOGUE],
  },
  {
    uk: "Технічне обслуговування ліфтів",
    en: "Maintenance of lifts",
    code: "50750000-7",
    class: "Послуги з технічного обслуговування ліфтів",
    range: [70_000, 410_000],
    items: [{ uk: "Обслуговування пасажирських ліфтів", en: "Maintenance of passenger lifts", unit: SERVICES }],
    asked: [VISIT, ["Скільки часу дається на виїзд?", "Одна година, якщо в кабіні є люди."]],
  },
  {
    uk: "Нові книжки для читальних залів",
    en: "New books for reading rooms",
    code: "22110000-4",
    class: "Друковані книги",
    range: [30_000, 240_000],
    items: [
      { uk: "Книжки українською мовою", en: "Books in Ukrainian", unit: PIECES },
      { uk: "Книжки англійською мовою", en: "Books in English", unit: PIECES },
    ],
    asked: [["Чи є перелік видань?", "Так, він у доданому документі."], DELIVERY],
  },
];
