/** Who buys and who sells in the demonstration. None of them exists. */

type Told = { readonly uk: string; readonly en: string };
type Who = Told & {
  readonly id: string;
  readonly city: string;
  readonly region: string;
  readonly post: string;
  readonly street: string;
  readonly contact: Told;
};

const who = (
  id: string,
  uk: string,
  en: string,
  [region, city, post, street]: readonly [string, string, string, string],
  [contactUk, contactEn]: readonly [string, string],
): Who => ({ id, uk, en, region, city, post, street, contact: { uk: contactUk, en: contactEn } });

export const BUYERS: readonly Who[] = [
  who(
    "90010011",
    "Ліцей № 4 Озерянської міської ради",
    "Lyceum No. 4 of Ozeriany",
    ["Вінницька область", "Озеряни", "24512", "вул. Яблунева, 12"],
    ["Марчук Олена", "Olena Marchuk"],
  ),
  who(
    "90010022",
    "Озерянська центральна лікарня",
    "Ozeriany Central Hospital",
    ["Вінницька область", "Озеряни", "24510", "вул. Лікарська, 3"],
    ["Гнатюк Ірина", "Iryna Hnatiuk"],
  ),
  who(
    "90010033",
    "КП «Сторожинецьводоканал»",
    "Storozhynets Water Works",
    ["Чернівецька область", "Сторожинець", "59004", "вул. Криничана, 41"],
    ["Руснак Василь", "Vasyl Rusnak"],
  ),
  who(
    "90010044",
    "Управління освіти Лиманської громади",
    "Education Office of the Lyman Community",
    ["Одеська область", "Лиман", "67562", "просп. Приморський, 7"],
    ["Дьяченко Світлана", "Svitlana Diachenko"],
  ),
  who(
    "90010055",
    "Департамент інфраструктури міста Верхогори",
    "Infrastructure Department of Verkhohory",
    ["Львівська область", "Верхогори", "82103", "пл. Ратушна, 1"],
    ["Бойко Андрій", "Andrii Boiko"],
  ),
  who(
    "90010066",
    "Обласна бібліотека для юнацтва",
    "Regional Youth Library",
    ["Полтавська область", "Полтава", "36011", "вул. Читальна, 22"],
    ["Савченко Наталія", "Nataliia Savchenko"],
  ),
  who(
    "90010077",
    "Зарічненський будинок культури",
    "Zarichne House of Culture",
    ["Рівненська область", "Зарічне", "34001", "вул. Мистецька, 5"],
    ["Климчук Петро", "Petro Klymchuk"],
  ),
  who(
    "90010088",
    "Дитячий садок «Веселка» смт Степове",
    "Veselka Kindergarten, Stepove",
    ["Миколаївська область", "Степове", "57108", "вул. Сонячна, 18"],
    ["Ткач Людмила", "Liudmyla Tkach"],
  ),
  who(
    "90010099",
    "Національний парк «Синє плесо»",
    "Synie Pleso National Park",
    ["Волинська область", "Світязьке", "44021", "вул. Лісова, 2"],
    ["Коваль Роман", "Roman Koval"],
  ),
  who(
    "90010101",
    "КНП «Центр екстреної допомоги Надбужжя»",
    "Nadbuzhzhia Emergency Care Centre",
    ["Хмельницька область", "Меджибіж", "31530", "вул. Замкова, 9"],
    ["Остапчук Юрій", "Yurii Ostapchuk"],
  ),
  who(
    "90010112",
    "Тролейбусне управління міста Дніпрельстан",
    "Dniprelstan Trolleybus Company",
    ["Запорізька область", "Дніпрельстан", "69035", "вул. Депо, 60"],
    ["Лисенко Максим", "Maksym Lysenko"],
  ),
  who(
    "90010123",
    "Аграрний коледж Чорнолісся",
    "Chornolissia College of Agriculture",
    ["Кіровоградська область", "Чорнолісся", "28100", "вул. Студентська, 30"],
    ["Шевчук Галина", "Halyna Shevchuk"],
  ),
];

export const SELLERS: readonly Who[] = [
  who(
    "80020011",
    "ТОВ «Добрий стіл»",
    "Dobryi Stil LLC",
    ["Вінницька область", "Вінниця", "21000", "вул. Промислова, 8"],
    ["Романюк Тетяна", "Tetiana Romaniuk"],
  ),
  who(
    "80020022",
    "ПП «Сузір'я-Сервіс»",
    "Suziria Service",
    ["Київ", "Київ", "03110", "вул. Солом'янська, 15"],
    ["Мельник Ігор", "Ihor Melnyk"],
  ),
  who(
    "80020033",
    "ТОВ «Карпатбудінвест»",
    "Karpatbudinvest LLC",
    ["Івано-Франківська область", "Калуш", "77300", "вул. Будівельна, 27"],
    ["Гуцул Степан", "Stepan Hutsul"],
  ),
  who(
    "80020044",
    "ФОП Левченко Оксана Петрівна",
    "Oksana Levchenko, sole trader",
    ["Полтавська область", "Полтава", "36020", "вул. Ткацька, 6"],
    ["Левченко Оксана", "Oksana Levchenko"],
  ),
  who(
    "80020055",
    "ТОВ «Медтехно Схід»",
    "Medtekhno Skhid LLC",
    ["Харківська область", "Харків", "61022", "вул. Наукова, 44"],
    ["Зінченко Артем", "Artem Zinchenko"],
  ),
  who(
    "80020066",
    "ТОВ «Електроджерело»",
    "Elektrodzherelo LLC",
    ["Дніпропетровська область", "Дніпро", "49000", "вул. Заводська, 102"],
    ["Кравець Денис", "Denys Kravets"],
  ),
  who(
    "80020077",
    "ТДВ «Південьшляхбуд»",
    "Pivdenshliakhbud",
    ["Одеська область", "Одеса", "65005", "вул. Портова, 19"],
    ["Стоянов Георгій", "Heorhii Stoianov"],
  ),
  who(
    "80020088",
    "ТОВ «Папірус Плюс»",
    "Papirus Plus LLC",
    ["Львівська область", "Львів", "79018", "вул. Паперова, 3"],
    ["Дацко Марія", "Mariia Datsko"],
  ),
  who(
    "80020099",
    "ТОВ «Цифрові ряди»",
    "Tsyfrovi Riady LLC",
    ["Київ", "Київ", "04073", "просп. Кодовий, 21"],
    ["Яценко Вадим", "Vadym Yatsenko"],
  ),
  who(
    "80020101",
    "СФГ «Золотий лан»",
    "Zolotyi Lan Farm",
    ["Черкаська область", "Умань", "20300", "с. Гребля, 1"],
    ["Пономар Микола", "Mykola Ponomar"],
  ),
  who(
    "80020112",
    "ТОВ «Чисте місто»",
    "Chyste Misto LLC",
    ["Рівненська область", "Рівне", "33001", "вул. Двірницька, 14"],
    ["Онищук Віра", "Vira Onyshchuk"],
  ),
  who(
    "80020123",
    "ТОВ «Нафтопостач Центр»",
    "Naftopostach Tsentr LLC",
    ["Кіровоградська область", "Кропивницький", "25000", "вул. Паливна, 77"],
    ["Сорока Олег", "Oleh Soroka"],
  ),
];

/** As the service wants organisations; `n` keeps telephone numbers apart. */
export const organizationOf = ({ id, uk, en, region, city, post, street, contact }: Who) => ({
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

export type Organization = ReturnType<typeof organizationOf>;
