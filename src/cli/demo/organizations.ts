import type { Trade } from "./subjects.ts";

// The buyers and sellers of the demo. None of them exists.

type Names = { readonly uk: string; readonly en: string };
type DemoOrganization = Names & {
  readonly id: string;
  /** What it buys or sells. */
  readonly trades: readonly Trade[];
  readonly city: string;
  readonly region: string;
  readonly post: string;
  readonly street: string;
  readonly contact: Names;
};

const demoOrganization = (
  id: string,
  trades: readonly Trade[],
  uk: string,
  en: string,
  [region, city, post, street]: readonly [string, string, string, string],
  [contactUk, contactEn]: readonly [string, string],
): DemoOrganization => ({ id, trades, uk, en, region, city, post, street, contact: { uk: contactUk, en: contactEn } });

// biome-ignore format: one line for each organization
export const BUYERS: readonly DemoOrganization[] = [
  demoOrganization("90010011", ["catering", "stationery", "computers", "roofing", "vegetables", "cleaning", "books"], "Ліцей № 4 Озерянської міської ради", "Lyceum No. 4 of Ozeriany", ["Вінницька область", "Озеряни", "24512", "вул. Яблунева, 12"], ["Марчук Олена", "Olena Marchuk"]),
  demoOrganization("90010022", ["medical supplies", "fuel", "cleaning", "lifts", "vegetables", "stationery"], "Озерянська центральна лікарня", "Ozeriany Central Hospital", ["Вінницька область", "Озеряни", "24510", "вул. Лікарська, 3"], ["Гнатюк Ірина", "Iryna Hnatiuk"]),
  demoOrganization("90010033", ["pipes", "fuel", "stationery"], "КП «Сторожинецьводоканал»", "Storozhynets Water Works", ["Чернівецька область", "Сторожинець", "59004", "вул. Криничана, 41"], ["Руснак Василь", "Vasyl Rusnak"]),
  demoOrganization("90010044", ["catering", "computers", "roofing", "stationery", "books", "fuel"], "Управління освіти Лиманської громади", "Education Office of the Lyman Community", ["Одеська область", "Лиман", "67562", "просп. Приморський, 7"], ["Дьяченко Світлана", "Svitlana Diachenko"]),
  demoOrganization("90010055", ["lighting", "pipes", "fuel", "lifts", "stationery"], "Департамент інфраструктури міста Верхогори", "Infrastructure Department of Verkhohory", ["Львівська область", "Верхогори", "82103", "пл. Ратушна, 1"], ["Бойко Андрій", "Andrii Boiko"]),
  demoOrganization("90010066", ["books", "stationery", "cleaning", "lifts"], "Обласна бібліотека для юнацтва", "Regional Youth Library", ["Полтавська область", "Полтава", "36011", "вул. Читальна, 22"], ["Савченко Наталія", "Nataliia Savchenko"]),
  demoOrganization("90010077", ["stationery", "cleaning", "books"], "Зарічненський будинок культури", "Zarichne House of Culture", ["Рівненська область", "Зарічне", "34001", "вул. Мистецька, 5"], ["Климчук Петро", "Petro Klymchuk"]),
  demoOrganization("90010088", ["vegetables", "stationery", "cleaning"], "Дитячий садок «Веселка» смт Степове", "Veselka Kindergarten, Stepove", ["Миколаївська область", "Степове", "57108", "вул. Сонячна, 18"], ["Ткач Людмила", "Liudmyla Tkach"]),
  demoOrganization("90010099", ["fuel", "cleaning", "stationery"], "Національний парк «Синє плесо»", "Synie Pleso National Park", ["Волинська область", "Світязьке", "44021", "вул. Лісова, 2"], ["Коваль Роман", "Roman Koval"]),
  demoOrganization("90010101", ["medical supplies", "fuel", "stationery", "cleaning"], "КНП «Центр екстреної допомоги Надбужжя»", "Nadbuzhzhia Emergency Care Centre", ["Хмельницька область", "Меджибіж", "31530", "вул. Замкова, 9"], ["Остапчук Юрій", "Yurii Ostapchuk"]),
  demoOrganization("90010112", ["fuel", "cleaning", "stationery"], "Тролейбусне управління міста Дніпрельстан", "Dniprelstan Trolleybus Company", ["Запорізька область", "Дніпрельстан", "69035", "вул. Депо, 60"], ["Лисенко Максим", "Maksym Lysenko"]),
  demoOrganization("90010123", ["computers", "vegetables", "fuel", "stationery", "books", "roofing", "lifts"], "Аграрний коледж Чорнолісся", "Chornolissia College of Agriculture", ["Кіровоградська область", "Чорнолісся", "28100", "вул. Студентська, 30"], ["Шевчук Галина", "Halyna Shevchuk"]),
];

// biome-ignore format: one line for each organization
export const SELLERS: readonly DemoOrganization[] = [
  demoOrganization("80020011", ["catering", "vegetables"], "ТОВ «Добрий стіл»", "Dobryi Stil LLC", ["Вінницька область", "Вінниця", "21000", "вул. Промислова, 8"], ["Романюк Тетяна", "Tetiana Romaniuk"]),
  demoOrganization("80020022", ["cleaning", "lifts", "stationery"], "ПП «Сузір'я-Сервіс»", "Suziria Service", ["Київ", "Київ", "03110", "вул. Солом'янська, 15"], ["Мельник Ігор", "Ihor Melnyk"]),
  demoOrganization("80020033", ["roofing", "pipes"], "ТОВ «Карпатбудінвест»", "Karpatbudinvest LLC", ["Івано-Франківська область", "Калуш", "77300", "вул. Будівельна, 27"], ["Гуцул Степан", "Stepan Hutsul"]),
  demoOrganization("80020044", ["stationery", "books"], "ФОП Левченко Оксана Петрівна", "Oksana Levchenko, sole trader", ["Полтавська область", "Полтава", "36020", "вул. Ткацька, 6"], ["Левченко Оксана", "Oksana Levchenko"]),
  demoOrganization("80020055", ["medical supplies"], "ТОВ «Медтехно Схід»", "Medtekhno Skhid LLC", ["Харківська область", "Харків", "61022", "вул. Наукова, 44"], ["Зінченко Артем", "Artem Zinchenko"]),
  demoOrganization("80020066", ["lighting", "lifts"], "ТОВ «Електроджерело»", "Elektrodzherelo LLC", ["Дніпропетровська область", "Дніпро", "49000", "вул. Заводська, 102"], ["Кравець Денис", "Denys Kravets"]),
  demoOrganization("80020077", ["roofing", "pipes"], "ТДВ «Південьшляхбуд»", "Pivdenshliakhbud", ["Одеська область", "Одеса", "65005", "вул. Портова, 19"], ["Стоянов Георгій", "Heorhii Stoianov"]),
  demoOrganization("80020088", ["stationery", "books"], "ТОВ «Папірус Плюс»", "Papirus Plus LLC", ["Львівська область", "Львів", "79018", "вул. Паперова, 3"], ["Дацко Марія", "Mariia Datsko"]),
  demoOrganization("80020099", ["computers"], "ТОВ «Цифрові ряди»", "Tsyfrovi Riady LLC", ["Київ", "Київ", "04073", "просп. Кодовий, 21"], ["Яценко Вадим", "Vadym Yatsenko"]),
  demoOrganization("80020101", ["vegetables"], "СФГ «Золотий лан»", "Zolotyi Lan Farm", ["Черкаська область", "Умань", "20300", "с. Гребля, 1"], ["Пономар Микола", "Mykola Ponomar"]),
  demoOrganization("80020112", ["cleaning"], "ТОВ «Чисте місто»", "Chyste Misto LLC", ["Рівненська область", "Рівне", "33001", "вул. Двірницька, 14"], ["Онищук Віра", "Vira Onyshchuk"]),
  demoOrganization("80020123", ["fuel"], "ТОВ «Нафтопостач Центр»", "Naftopostach Tsentr LLC", ["Кіровоградська область", "Кропивницький", "25000", "вул. Паливна, 77"], ["Сорока Олег", "Oleh Soroka"]),
  demoOrganization("80020134", ["catering", "vegetables"], "ТОВ «Шкільна кухня»", "Shkilna Kukhnia LLC", ["Житомирська область", "Житомир", "10001", "вул. Київська, 31"], ["Бондар Лариса", "Larysa Bondar"]),
  demoOrganization("80020145", ["catering"], "ФОП Гончар Іван Сергійович", "Ivan Honchar, sole trader", ["Вінницька область", "Жмеринка", "23100", "вул. Вокзальна, 4"], ["Гончар Іван", "Ivan Honchar"]),
  demoOrganization("80020156", ["catering"], "ТОВ «Смачний обід»", "Smachnyi Obid LLC", ["Одеська область", "Одеса", "65011", "вул. Троїцька, 50"], ["Поліщук Аліна", "Alina Polishchuk"]),
  demoOrganization("80020167", ["catering", "vegetables"], "ПП «Продсервіс Поділля»", "Prodservis Podillia", ["Хмельницька область", "Хмельницький", "29000", "вул. Зарічанська, 11"], ["Мазур Леонід", "Leonid Mazur"]),
  demoOrganization("80020178", ["computers", "stationery"], "ТОВ «Офіс-Комфорт»", "Ofis-Komfort LLC", ["Київ", "Київ", "02094", "вул. Магнітогорська, 1"], ["Іваненко Юлія", "Yuliia Ivanenko"]),
  demoOrganization("80020189", ["computers"], "ТОВ «Байт Захід»", "Bait Zakhid LLC", ["Львівська область", "Львів", "79040", "вул. Городоцька, 207"], ["Павлів Остап", "Ostap Pavliv"]),
  demoOrganization("80020190", ["computers"], "ПП «Комп'ютерний двір»", "Kompiuternyi Dvir", ["Полтавська область", "Кременчук", "39600", "вул. Соборна, 16"], ["Кузьменко Євген", "Yevhen Kuzmenko"]),
  demoOrganization("80020201", ["computers", "lighting"], "ТОВ «Техносвіт Дніпро»", "Tekhnosvit Dnipro LLC", ["Дніпропетровська область", "Дніпро", "49044", "вул. Січова, 8"], ["Гриценко Олексій", "Oleksii Hrytsenko"]),
  demoOrganization("80020212", ["roofing"], "ТОВ «Дах і стіни»", "Dakh i Stiny LLC", ["Вінницька область", "Вінниця", "21022", "вул. Тиврівська, 36"], ["Ковальчук Богдан", "Bohdan Kovalchuk"]),
  demoOrganization("80020223", ["roofing"], "ФОП Дорошенко Сергій Іванович", "Serhii Doroshenko, sole trader", ["Кіровоградська область", "Знам'янка", "27400", "вул. Трудова, 19"], ["Дорошенко Сергій", "Serhii Doroshenko"]),
  demoOrganization("80020234", ["roofing", "pipes"], "ТОВ «Рембудсервіс Одеса»", "Rembudservis Odesa LLC", ["Одеська область", "Одеса", "65026", "вул. Рішельєвська, 3"], ["Чебан Ігор", "Ihor Cheban"]),
  demoOrganization("80020245", ["fuel"], "ТОВ «Автопаливо Карт»", "Avtopalyvo Kart LLC", ["Київ", "Київ", "03150", "вул. Антоновича, 90"], ["Захарчук Роман", "Roman Zakharchuk"]),
  demoOrganization("80020256", ["fuel"], "ПП «Степова заправка»", "Stepova Zapravka", ["Миколаївська область", "Миколаїв", "54001", "просп. Героїв, 2"], ["Білик Антон", "Anton Bilyk"]),
  demoOrganization("80020267", ["fuel"], "ТОВ «Галпаливо»", "Halpalyvo LLC", ["Львівська область", "Стрий", "82400", "вул. Нафтовиків, 6"], ["Федорів Тарас", "Taras Fedoriv"]),
  demoOrganization("80020278", ["fuel"], "ТОВ «Паливний дім Волинь»", "Palyvnyi Dim Volyn LLC", ["Волинська область", "Луцьк", "43000", "вул. Рівненська, 76"], ["Левчук Дмитро", "Dmytro Levchuk"]),
  demoOrganization("80020289", ["medical supplies"], "ТОВ «Лабреактив»", "Labreaktyv LLC", ["Київ", "Київ", "04050", "вул. Дегтярівська, 25"], ["Назаренко Олена", "Olena Nazarenko"]),
  demoOrganization("80020290", ["medical supplies"], "ТОВ «Здоров'я-Постач»", "Zdorovia-Postach LLC", ["Хмельницька область", "Хмельницький", "29013", "вул. Проскурівська, 5"], ["Олійник Надія", "Nadiia Oliinyk"]),
  demoOrganization("80020301", ["medical supplies"], "ПП «Фармлогістика»", "Farmlohistyka", ["Вінницька область", "Вінниця", "21018", "вул. Пирогова, 78"], ["Кучер Валентин", "Valentyn Kucher"]),
  demoOrganization("80020312", ["medical supplies", "cleaning"], "ТОВ «Стериль Сервіс»", "Steryl Servis LLC", ["Дніпропетровська область", "Дніпро", "49070", "вул. Воскресенська, 12"], ["Литвин Катерина", "Kateryna Lytvyn"]),
  demoOrganization("80020323", ["cleaning"], "ФОП Мороз Галина Василівна", "Halyna Moroz, sole trader", ["Полтавська область", "Полтава", "36000", "вул. Шевченка, 40"], ["Мороз Галина", "Halyna Moroz"]),
  demoOrganization("80020334", ["cleaning"], "ТОВ «Блиск Клінінг»", "Blysk Klininh LLC", ["Рівненська область", "Рівне", "33028", "вул. Соборна, 94"], ["Вознюк Інна", "Inna Vozniuk"]),
  demoOrganization("80020345", ["vegetables"], "ФГ «Городина»", "Horodyna Farm", ["Миколаївська область", "Вознесенськ", "56500", "вул. Польова, 3"], ["Гордієнко Павло", "Pavlo Hordiienko"]),
  demoOrganization("80020356", ["vegetables"], "СК «Подільські овочі»", "Podilski Ovochi Cooperative", ["Вінницька область", "Бар", "23000", "вул. Садова, 21"], ["Цимбал Ніна", "Nina Tsymbal"]),
  demoOrganization("80020367", ["lighting"], "ТОВ «Світло міста»", "Svitlo Mista LLC", ["Запорізька область", "Запоріжжя", "69001", "просп. Соборний, 150"], ["Руденко Віталій", "Vitalii Rudenko"]),
  demoOrganization("80020378", ["lighting"], "ПП «Електромонтаж-Захід»", "Elektromontazh-Zakhid", ["Рівненська область", "Дубно", "35600", "вул. Грушевського, 117"], ["Ярощук Олександр", "Oleksandr Yaroshchuk"]),
  demoOrganization("80020389", ["lighting", "lifts"], "ТОВ «Промавтоматика»", "Promavtomatyka LLC", ["Харківська область", "Харків", "61052", "вул. Полтавський Шлях, 56"], ["Тимченко Ганна", "Hanna Tymchenko"]),
  demoOrganization("80020390", ["pipes"], "ТОВ «Полімертруб»", "Polimertrub LLC", ["Чернівецька область", "Чернівці", "58000", "вул. Хотинська, 43"], ["Козак Марія", "Mariia Kozak"]),
  demoOrganization("80020401", ["pipes"], "ТОВ «Аквамережа»", "Akvamerezha LLC", ["Івано-Франківська область", "Івано-Франківськ", "76000", "вул. Вовчинецька, 225"], ["Семків Андрій", "Andrii Semkiv"]),
  demoOrganization("80020412", ["lifts"], "ПрАТ «Ліфтремонт»", "Liftremont", ["Київ", "Київ", "03067", "вул. Гарматна, 8"], ["Данилюк Петро", "Petro Danyliuk"]),
  demoOrganization("80020423", ["lifts"], "ТОВ «Вертикаль Сервіс»", "Vertykal Servis LLC", ["Львівська область", "Львів", "79000", "вул. Наукова, 7"], ["Стецько Ірина", "Iryna Stetsko"]),
  demoOrganization("80020434", ["books"], "ТОВ «Книжкова полиця»", "Knyzhkova Polytsia LLC", ["Харківська область", "Харків", "61057", "вул. Сумська, 10"], ["Ващенко Оксана", "Oksana Vashchenko"]),
  demoOrganization("80020445", ["books"], "ПП «Видавництво Сторінка»", "Storinka Publishing House", ["Київ", "Київ", "01033", "вул. Саксаганського, 33"], ["Грицай Юрій", "Yurii Hrytsai"]),
  demoOrganization("80020456", ["books", "stationery"], "ТОВ «Школярик»", "Shkoliaryk LLC", ["Кіровоградська область", "Кропивницький", "25006", "вул. Велика Перспективна, 48"], ["Пшенична Тетяна", "Tetiana Pshenychna"]),
];

/** The organization as the API takes it. */
export const organizationBody = ({ id, uk, en, region, city, post, street, contact }: DemoOrganization) => ({
  name: uk,
  name_en: en,
  identifier: { scheme: "UA-EDR", id, legalName: uk, legalName_en: en, uri: `https://edr.example/${id}` },
  address: { countryName: "Україна", region, locality: city, postalCode: post, streetAddress: street },
  contactPoint: {
    name: contact.uk,
    name_en: contact.en,
    email: `office@${id}.example`,
    telephone: `+380 ${id.slice(0, 2)} ${id.slice(2, 5)}-${id.slice(5)}-00`,
  },
});

export type OrganizationBody = ReturnType<typeof organizationBody>;
