/** An item of a demo tender. Either `price` or `quantity` is set. */
export type SubjectItem = {
  readonly uk: string;
  readonly en: string;
  readonly unit: readonly [code: string, name: string];
  /** The usual price of one unit in hryvnias, from which the quantity follows. */
  readonly price?: number;
  /** The number of units, from which the unit price follows. */
  readonly quantity?: number;
};

/** A line of business. */
export type Trade =
  | "catering"
  | "stationery"
  | "computers"
  | "roofing"
  | "fuel"
  | "medical supplies"
  | "cleaning"
  | "vegetables"
  | "lighting"
  | "pipes"
  | "lifts"
  | "books";

/** What a demo tender buys. */
export type ProcurementSubject = {
  readonly trade: Trade;
  /** The title in Ukrainian. */
  readonly uk: string;
  readonly en: string;
  /** The code of the classification ДК021, and its name. */
  readonly code: string;
  readonly class: string;
  readonly items: readonly [SubjectItem, ...SubjectItem[]];
  /** The lowest and highest usual value in hryvnias. */
  readonly range: readonly [number, number];
  /** What sellers ask about. */
  readonly questions: readonly (readonly [question: string, answer: string])[];
  /** A criterion besides the price, with the options that bidders can offer, worst first. */
  readonly feature?: readonly [title: string, title_en: string, ...options: readonly string[]];
};

const PIECES = ["H87", "штука"] as const;
const KILOGRAMS = ["KGM", "кілограм"] as const;
const LITRES = ["LTR", "літр"] as const;
const METRES = ["MTR", "метр"] as const;
const MONTHS = ["MON", "місяць"] as const;
const PACKETS = ["PA", "пачка"] as const;
const PORTIONS = ["PTN", "порція"] as const;
const SQUARE_METRES = ["MTK", "метр квадратний"] as const;

const DELIVERY = ["Чи можлива поставка частинами?", "Так, за графіком, який додається до договору."] as const;
const ANALOGUE = ["Чи приймаються еквіваленти?", "Так, якщо їхні показники не гірші за вказані."] as const;
const PAYMENT = ["Який строк оплати?", "Десять робочих днів після підписання акта."] as const;
const VISIT = ["Коли можна оглянути об'єкт?", "Щосереди з десятої до дванадцятої, за попереднім дзвінком."] as const;

export const SUBJECTS: readonly ProcurementSubject[] = [
  {
    trade: "catering",
    uk: "Гаряче харчування учнів початкових класів",
    en: "Hot meals for primary school pupils",
    code: "55520000-1",
    class: "Кейтерингові послуги",
    range: [180_000, 1_400_000],
    items: [
      { uk: "Обіди для учнів", en: "Lunches for pupils", unit: PORTIONS, price: 65 },
      { uk: "Сніданки для учнів", en: "Breakfasts for pupils", unit: PORTIONS, price: 40 },
    ],
    questions: [["Скільки дітей харчується щодня?", "Близько двохсот сорока, список уточнюється щомісяця."], PAYMENT],
    feature: ["Досвід роботи у школах", "Experience with schools", "без досвіду", "до двох років", "понад два роки"],
  },
  {
    trade: "stationery",
    uk: "Папір офісний та канцелярське приладдя",
    en: "Office paper and stationery",
    code: "30190000-7",
    class: "Офісне устаткування та приладдя різне",
    range: [25_000, 260_000],
    items: [
      { uk: "Папір А4, 80 г/м²", en: "A4 paper, 80 g/m²", unit: PACKETS, price: 190 },
      { uk: "Папки-реєстратори", en: "Lever arch files", unit: PIECES, price: 95 },
    ],
    questions: [ANALOGUE, DELIVERY],
  },
  {
    trade: "computers",
    uk: "Ноутбуки для навчальних класів",
    en: "Laptops for classrooms",
    code: "30210000-4",
    class: "Машини для обробки даних (апаратна частина)",
    range: [320_000, 2_900_000],
    items: [
      {
        uk: "Ноутбук із чотирнадцятидюймовим екраном",
        en: "Laptop with a fourteen inch screen",
        unit: PIECES,
        price: 24_500,
      },
    ],
    questions: [["Чи потрібна встановлена операційна система?", "Ні, програми ми встановлюємо самі."], ANALOGUE],
    feature: ["Строк гарантії", "Length of the warranty", "рік", "два роки", "три роки"],
  },
  {
    trade: "roofing",
    uk: "Поточний ремонт покрівлі навчального корпусу",
    en: "Repair of the roof of a school building",
    code: "45260000-7",
    class: "Покрівельні роботи та інші спеціалізовані будівельні роботи",
    range: [450_000, 4_800_000],
    items: [{ uk: "Ремонт м'якої покрівлі", en: "Repair of a soft roof", unit: SQUARE_METRES, price: 1_350 }],
    questions: [VISIT, ["Хто вивозить будівельне сміття?", "Виконавець, вартість входить до пропозиції."]],
  },
  {
    trade: "fuel",
    uk: "Дизельне паливо за картками",
    en: "Diesel fuel by cards",
    code: "09130000-9",
    class: "Нафта і дистиляти",
    range: [200_000, 1_900_000],
    items: [{ uk: "Дизельне паливо", en: "Diesel fuel", unit: LITRES, price: 56 }],
    questions: [["Чи обов'язкова заправка в межах міста?", "Так, не далі як десять кілометрів від гаража."], PAYMENT],
  },
  {
    trade: "medical supplies",
    uk: "Витратні матеріали для лабораторії",
    en: "Consumables for a laboratory",
    code: "33140000-3",
    class: "Медичні матеріали",
    range: [60_000, 780_000],
    items: [
      { uk: "Пробірки вакуумні", en: "Vacuum tubes", unit: PIECES, price: 7 },
      { uk: "Рукавички нітрилові", en: "Nitrile gloves", unit: PIECES, price: 4 },
    ],
    questions: [
      ANALOGUE,
      ["Який залишковий строк придатності потрібен?", "Не менше як дев'ять місяців на день поставки."],
    ],
  },
  {
    trade: "cleaning",
    uk: "Прибирання приміщень і території",
    en: "Cleaning of premises and grounds",
    code: "90910000-9",
    class: "Послуги з прибирання",
    range: [90_000, 620_000],
    items: [{ uk: "Щоденне прибирання", en: "Daily cleaning", unit: MONTHS, quantity: 12 }],
    questions: [VISIT, ["Хто забезпечує мийні засоби?", "Виконавець."]],
    feature: ["Засоби з екологічним маркуванням", "Products with an eco-label", "жодного", "частина", "усі"],
  },
  {
    trade: "vegetables",
    uk: "Овочі та картопля для їдальні",
    en: "Vegetables and potatoes for a canteen",
    code: "03220000-9",
    class: "Овочі, фрукти та горіхи",
    range: [40_000, 390_000],
    items: [
      { uk: "Картопля", en: "Potatoes", unit: KILOGRAMS, price: 19 },
      { uk: "Морква", en: "Carrots", unit: KILOGRAMS, price: 22 },
      { uk: "Капуста білоголова", en: "White cabbage", unit: KILOGRAMS, price: 18 },
    ],
    questions: [DELIVERY, ["О котрій годині приймаєте товар?", "З сьомої до дев'ятої ранку щопонеділка."]],
  },
  {
    trade: "lighting",
    uk: "Світлодіодні світильники вуличного освітлення",
    en: "LED street lights",
    code: "31520000-7",
    class: "Світильники та освітлювальна арматура",
    range: [150_000, 1_700_000],
    items: [
      { uk: "Світильник консольний, 60 Вт", en: "Street light, 60 W", unit: PIECES, price: 4_200 },
      { uk: "Кронштейн", en: "Bracket", unit: PIECES, price: 850 },
    ],
    questions: [ANALOGUE, ["Яка колірна температура допустима?", "Від трьох до чотирьох тисяч кельвінів."]],
    feature: ["Строк гарантії", "Length of the warranty", "три роки", "п'ять років", "сім років"],
  },
  {
    trade: "pipes",
    uk: "Труби поліетиленові для водопроводу",
    en: "Polyethylene pipes for a water main",
    code: "44160000-9",
    class: "Магістралі, трубопроводи, труби та супутні вироби",
    range: [110_000, 2_200_000],
    items: [
      { uk: "Труба, діаметр 110 мм", en: "Pipe, 110 mm", unit: METRES, price: 610 },
      { uk: "Труба, діаметр 63 мм", en: "Pipe, 63 mm", unit: METRES, price: 215 },
    ],
    questions: [DELIVERY, ANALOGUE],
  },
  {
    trade: "lifts",
    uk: "Технічне обслуговування ліфтів",
    en: "Maintenance of lifts",
    code: "50750000-7",
    class: "Послуги з технічного обслуговування ліфтів",
    range: [70_000, 410_000],
    items: [
      { uk: "Обслуговування пасажирських ліфтів", en: "Maintenance of passenger lifts", unit: MONTHS, quantity: 12 },
    ],
    questions: [VISIT, ["Скільки часу дається на виїзд?", "Одна година, якщо в кабіні є люди."]],
  },
  {
    trade: "books",
    uk: "Нові книжки для читальних залів",
    en: "New books for reading rooms",
    code: "22110000-4",
    class: "Друковані книги",
    range: [30_000, 240_000],
    items: [
      { uk: "Книжки українською мовою", en: "Books in Ukrainian", unit: PIECES, price: 330 },
      { uk: "Книжки англійською мовою", en: "Books in English", unit: PIECES, price: 620 },
    ],
    questions: [["Чи є перелік видань?", "Так, він у доданому документі."], DELIVERY],
  },
];
