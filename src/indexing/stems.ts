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
  if (word.length < STEMMED_LENGTH_MIN) return word;
  if (CYRILLIC_WORD.test(word)) return ukrainianStem(word);
  return LATIN_WORD.test(word) ? englishStem(word) : word;
}

const CYRILLIC_WORD = /^[а-яєії]+$/;
const LATIN_WORD = /^[a-z]+$/;

/**
 * Stems whose vowel or consonant changes between forms in a way that no ending tells: робота and робіт, Харків and Харкова. The key is
 * the word or what the endings leave of it.
 */
const IRREGULAR_STEMS: ReadonlyMap<string, string> = new Map([
  ["робіт", "робот"],
  ["шкіл", "школ"],
  ["доріг", "дорог"],
  ["дороз", "дорог"],
  ["послуз", "послуг"],
  ["допомоз", "допомог"],
  ["вимоз", "вимог"],
  ["книз", "книг"],
  ["договір", "договор"],
  ["колір", "кольор"],
  ["папір", "папер"],
  ["вікон", "вікн"],
  ["крісел", "крісл"],
  ["відер", "відр"],
  ["ліжок", "ліжк"],
  ["їдален", "їдальн"],
  ["спален", "спальн"],
  ["котелен", "котельн"],
  ["рівен", "рівн"],
  ["земел", "земл"],
  ["харків", "харков"],
  ["львів", "львов"],
  ["київ", "києв"],
  ["чернігів", "чернігов"],
  ["миколаїв", "миколаєв"],
]);

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
  // The ц of станція never changes, and станк is the stem of станок.
  return ending && ending[0].length > 1 && ending[0].startsWith("і") ? stem : withEvenEnd(stem);
}

/** The stem of a word whose last syllable changes between its forms; undefined for all others. */
function changedStem(word: string): string | undefined {
  if (word.length < 6) return undefined;
  // якість, якістю: якості
  if (/іст[ью]$/.test(word)) return `${word.slice(0, -4)}ост`;
  // перевірок: перевірка; будинок: будинку
  if (/[бвгджзклмнпрстфхцчшщ]ок$/.test(word)) return `${word.slice(0, -2)}к`;
  // виконавець: виконавця; see withEvenEnd()
  if (/[бвгджзклмнпрстфхцчшщ]ець$/.test(word)) return `${word.slice(0, -3)}к`;
  // закупівель: закупівля
  if (word.endsWith("івель")) return `${word.slice(0, -3)}л`;
  // лікарень: лікарня
  if (word.endsWith("арень")) return `${word.slice(0, -3)}н`;
  return undefined;
}

/** A stem without the doubled consonant of обладнання (обладнань), and with the к of перевірка for the ц of перевірці. */
function withEvenEnd(stem: string): string {
  const last = stem.at(-1);
  if (stem.length <= STEM_LENGTH_MIN) return stem;
  if (last === stem.at(-2)) return stem.slice(0, -1);
  return last === "ц" && stem.at(-2) !== "и" ? `${stem.slice(0, -1)}к` : stem;
}

/** Removes the plural of nouns: services, companies, boxes. */
function englishStem(word: string): string {
  if (/(?:ss|us|is)$/.test(word)) return word;
  if (word.length > 4 && word.endsWith("ies")) return `${word.slice(0, -3)}y`;
  if (/(?:s|x|ch|sh)es$/.test(word)) return /(?:ss|x|ch|sh)es$/.test(word) ? word.slice(0, -2) : word.slice(0, -1);
  return word.endsWith("s") ? word.slice(0, -1) : word;
}
