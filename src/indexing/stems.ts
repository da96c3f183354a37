/**
 * Stems of Ukrainian and English words, so that forms of a word are found by one another: послуга, послуг, послугами. This is a light
 * stemmer by tables of endings: it knows no parts of speech, and a stem need not be a word. It only matters that the forms of one word
 * share it and that few other words do.
 */

/** Shorter words stay as they are, and no stem is shorter than `STEM_LENGTH_MIN`. */
const STEMMED_LENGTH_MIN = 4;
const STEM_LENGTH_MIN = 3;

/** The stem of a normalised word: the word itself if it is short, has digits, or is written in another alphabet. */
export function stemOf(word: string): string {
  // A longer word is a view of its whole text in memory, which the cache must not keep.
  if (word.length > CACHED_LENGTH_MAX) return computeStem(word);
  const known = cachedStems.get(word);
  if (known !== undefined) return known;
  if (cachedStems.size >= CACHED_STEMS_MAX) cachedStems.clear();
  const stem = computeStem(word);
  cachedStems.set(word, stem);
  return stem;
}

/** Few words make up most of all texts. */
const CACHED_STEMS_MAX = 20_000;
const CACHED_LENGTH_MAX = 12;
const cachedStems = new Map<string, string>();

function computeStem(word: string): string {
  const irregular = IRREGULAR_WORDS.get(word);
  if (irregular !== undefined) return irregular;
  if (word.length < STEMMED_LENGTH_MIN) return word;
  if (CYRILLIC_WORD.test(word)) return ukrainianStem(word);
  return LATIN_WORD.test(word) ? englishStem(word) : word;
}

const CYRILLIC_WORD = /^[а-яєії]+$/;
const LATIN_WORD = /^[a-z]+$/;

/** Words whose stem no rule tells: стіл and стола, день and дня. Words of three letters are here if they are frequent. */
const IRREGULAR_WORDS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...{ день: "день", дня: "день", дню: "день", днем: "день", дні: "день", днів: "день", дням: "день" },
    ...{ днями: "день", днях: "день", сіль: "соль", солі: "соль", сіллю: "соль" },
    ...{ рік: "рок", сік: "сок", дім: "дом", ніж: "нож", піч: "печ" },
    ...{ стіл: "стол", міст: "мост", дріт: "дрот", двір: "двор" },
  }),
);

/** The same for what the endings leave of a word: шкіл and школа, Харків and Харкова. */
const IRREGULAR_STEMS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...{ робіт: "робот", шкіл: "школ", доріг: "дорог", колір: "колор", кольор: "колор" },
    ...{ дороз: "дорог", послуз: "послуг", допомоз: "допомог", вимоз: "вимог", книз: "книг", підлоз: "підлог" },
    ...{ вікон: "вікн", крісел: "крісл", відер: "відр", ясел: "ясл", земел: "земл", цукор: "цукр" },
    ...{ котел: "котл", вузол: "вузл", котелен: "котелн", яєц: "яйц", напі: "нап" },
    ...{ тижден: "тижн", рівен: "рівн", кисен: "кисн", учен: "учн" },
    ...{ січен: "січн", березен: "березн", квітен: "квітн", травен: "травн", червен: "червн", липен: "липн" },
    ...{ серпен: "серпн", вересен: "вересн", жовтен: "жовтн", груден: "грудн" },
    ...{ папір: "папер", причіп: "причеп", коліс: "колес", постіл: "постел" },
    ...{ харків: "харков", львів: "львов", київ: "києв", чернігів: "чернігов", миколаїв: "миколаєв" },
  }),
);

/** Roots with і in a closed syllable and о in an open one: засіб and засобу, набір and набору, потік and потоку. */
const CHANGING_ROOTS: readonly (readonly [closed: RegExp, open: string])[] = [
  [/сіб$/, "соб"],
  [/бір$/, "бор"],
  [/(?<=до)говір$/, "говор"],
  [/твір$/, "твор"],
  [/хід$/, "ход"],
  [/тік$/, "ток"],
  [/(?<=^(?:ви|за|на|об|пере|під|при|роз))віз$/, "воз"],
  [/(?<=пр[ои]|від|роз|ви|об)від$/, "вод"],
];

/** Endings with the least length of the stem that they leave. A stem of three letters before `ія` would be too vague: водія is not вода. */
const UKRAINIAN_ENDINGS: readonly (readonly [ending: string, stemLengthMin: number])[] = [
  ...["іями", "ього", "ьому"].map((ending) => [ending, 4] as const),
  ...["ією", "іям", "іях", "ієм", "іїв"].map((ending) => [ending, 4] as const),
  ...["ями", "ами", "ими", "іми", "ого", "ому", "ьою", "ьої"].map((ending) => [ending, 3] as const),
  ...["ія", "ії", "ію", "ій"].map((ending) => [ending, 4] as const),
  ...["ою", "ею", "єю", "ої", "ам", "ям", "ом", "ем", "єм", "ах", "ях", "ів", "їв", "ей", "ий"].map(
    (ending) => [ending, 3] as const,
  ),
  ...["им", "ім", "їм", "их", "іх", "їх"].map((ending) => [ending, 3] as const),
  ...["а", "я", "о", "е", "є", "и", "і", "ї", "у", "ю", "ь", "й"].map((ending) => [ending, 3] as const),
];

/**
 * Endings that stems also end with: програм is a form of програма and looks like one of "прогр". They are removed again and again from
 * every form, so that all forms arrive at the same stem.
 */
const CLOSED_ENDINGS = /(?:[ая]м|[оеє]м|[ая]х|[ії]в|ей|[иії]м|[иії]х)$/;

/** Endings of станція, whose ц never becomes к: станк is the stem of станок. */
const IA_ENDING = /^і[яїюйє]/;

function ukrainianStem(word: string): string {
  const irregular = IRREGULAR_STEMS.get(word);
  if (irregular !== undefined) return irregular;
  const changed = changedStem(word);
  if (changed !== undefined) return changed;
  const ending = UKRAINIAN_ENDINGS.find(
    ([text, stemLengthMin]) => word.length - text.length >= stemLengthMin && word.endsWith(text),
  );
  let stem = ending ? word.slice(0, -ending[0].length) : word;
  for (;;) {
    const known = IRREGULAR_STEMS.get(stem);
    if (known !== undefined) return known;
    const closed = CLOSED_ENDINGS.exec(stem);
    if (!closed || closed.index < STEM_LENGTH_MIN) break;
    stem = stem.slice(0, closed.index);
  }
  return ending && IA_ENDING.test(ending[0]) ? stem : withEvenEnd(stem);
}

const CONSONANT = "[бвгджзйклмнпрстфхцчшщ]";
/** A vowel that is only in the form without an ending. Another vowel is before it, so that строк and блок are not meant. */
const FLEETING_VOWEL = new RegExp(`[аеєиіїоуюя]${CONSONANT}*(?<!бл)ь?(?:ок|ець|(?<=[аи][рл]|тер)ень)$`);

/** The last letters of all words that `changedStem` knows, which saves most words the search. */
const CHANGING_ENDS = "бдзкрью";

/** The stem of a word whose last syllable changes between its forms; undefined for all others. */
function changedStem(word: string): string | undefined {
  if (!CHANGING_ENDS.includes(word.slice(-1))) return undefined;
  for (const [closed, open] of CHANGING_ROOTS) if (closed.test(word)) return word.replace(closed, open);
  if (word.length < 5) return undefined;
  // камінь: каменю
  if (/інь$/.test(word)) return `${word.slice(0, -3)}ен`;
  // якість, якістю: якості
  if (/.{2}іст[ью]$/.test(word)) return `${word.slice(0, -4)}ост`;
  // закупівель: закупівля
  if (word.endsWith("івель")) return `${word.slice(0, -3)}л`;
  // перевірок: перевірка; будинок: будинку; стілець: стільця; лікарень: лікарня
  if (!FLEETING_VOWEL.test(word)) return undefined;
  const stem = word.endsWith("ь") ? word.slice(0, -1) : word;
  return withEvenEnd(stem.slice(0, -2) + stem.slice(-1));
}

/**
 * A stem whose end is the same in all forms: without the doubled consonant of обладнання (обладнань), the soft sign of стільця
 * (стілець) and the vowel of музею (музей), and with the к of перевірка for the ц of перевірці.
 */
function withEvenEnd(stem: string): string {
  if (stem.length <= STEM_LENGTH_MIN) return stem;
  const last = stem.at(-1);
  const previous = stem.at(-2);
  if (last === previous || last === "о" || last === "е") return stem.slice(0, -1);
  const consonant = last === "ц" && previous !== "и" ? "к" : last;
  return stem.slice(0, previous === "ь" ? -2 : -1) + consonant;
}

/** Removes the plural of nouns: services, companies, boxes. */
function englishStem(word: string): string {
  if (/(?:ss|us|is)$/.test(word)) return word;
  if (word.length > 4 && word.endsWith("ies")) return `${word.slice(0, -3)}y`;
  if (/(?:s|x|ch|sh)es$/.test(word)) return /(?:ss|x|ch|sh)es$/.test(word) ? word.slice(0, -2) : word.slice(0, -1);
  return word.endsWith("s") ? word.slice(0, -1) : word;
}
