import type { Item, Tender } from "../domain/model/tender.ts";

/**
 * The regions of Ukraine, each with the words that name it: the nouns and adjectives that stand alone or before "область", in
 * Ukrainian and English. The key is used in addresses and must never change.
 */
const NAMES_BY_REGION = {
  vinnytsia: ["вінницька", "вінниця", "vinnytsia", "vinnytska", "vinnytsya", "vinnitsa"],
  volyn: ["волинська", "волинь", "луцьк", "volyn", "volynska", "lutsk"],
  dnipropetrovsk: ["дніпропетровська", "дніпропетровськ", "дніпро", "dnipropetrovsk", "dnipropetrovska", "dnipro"],
  donetsk: ["донецька", "донецьк", "donetsk", "donetska"],
  zhytomyr: ["житомирська", "житомир", "zhytomyr", "zhytomyrska"],
  zakarpattia: ["закарпатська", "закарпаття", "ужгород", "zakarpattia", "zakarpatska", "uzhhorod"],
  zaporizhzhia: ["запорізька", "запоріжжя", "zaporizhzhia", "zaporizka", "zaporizhia"],
  "ivano-frankivsk": ["івано франківська", "івано франківськ", "ivano frankivsk", "ivano frankivska"],
  "kyiv-region": ["київська", "kyivska"],
  kirovohrad: ["кіровоградська", "кіровоград", "кропивницький", "kirovohrad", "kirovohradska", "kropyvnytskyi"],
  luhansk: ["луганська", "луганськ", "luhansk", "luhanska"],
  lviv: ["львівська", "львів", "lviv", "lvivska"],
  mykolaiv: ["миколаївська", "миколаїв", "mykolaiv", "mykolaivska"],
  odesa: ["одеська", "одеса", "odesa", "odeska", "odessa"],
  poltava: ["полтавська", "полтава", "poltava", "poltavska"],
  rivne: ["рівненська", "рівне", "rivne", "rivnenska"],
  sumy: ["сумська", "суми", "sumy", "sumska"],
  ternopil: ["тернопільська", "тернопіль", "ternopil", "ternopilska"],
  kharkiv: ["харківська", "харків", "kharkiv", "kharkivska"],
  kherson: ["херсонська", "херсон", "kherson", "khersonska"],
  khmelnytskyi: ["хмельницька", "хмельницький", "khmelnytskyi", "khmelnytska", "khmelnytsky"],
  cherkasy: ["черкаська", "черкаси", "cherkasy", "cherkaska"],
  chernivtsi: ["чернівецька", "чернівці", "chernivtsi", "chernivetska"],
  chernihiv: ["чернігівська", "чернігів", "chernihiv", "chernihivska"],
  crimea: ["крим", "сімферополь", "crimea", "krym", "simferopol"],
  kyiv: ["київ", "kyiv", "kiev"],
  sevastopol: ["севастополь", "sevastopol"],
} as const;

type UkrainianRegion = keyof typeof NAMES_BY_REGION;

/** The key of a region; "other" is any text that names no region of Ukraine. */
export type Region = UkrainianRegion | "other";

const isRegionName = (key: string): key is UkrainianRegion => Object.hasOwn(NAMES_BY_REGION, key);

/** The keys of all regions, in the order of the national code, then "other". */
export const REGIONS: readonly Region[] = [...Object.keys(NAMES_BY_REGION).filter(isRegionName), "other"];

/** Whether a text is the key of a region. */
export const isRegion = (text: string): text is Region => text === "other" || isRegionName(text);

const REGIONS_BY_NAME: ReadonlyMap<string, UkrainianRegion> = new Map(
  Object.keys(NAMES_BY_REGION)
    .filter(isRegionName)
    .flatMap((key) => NAMES_BY_REGION[key].map((name) => [name, key] as const)),
);

/** Words that say what kind of place a name is. */
const OBLAST_WORDS: ReadonlySet<string> = new Set(["область", "обл", "області", "region", "oblast", "province"]);
const OTHER_KIND_WORDS: ReadonlySet<string> = new Set([
  ..."м місто міста city of the ар арк автономна республіка autonomous republic".split(" "),
]);

const TEXT_LENGTH_MAX = 100;
const cachedRegions = new Map<string, Region>();
const CACHED_REGIONS_MAX = 1000;

/** The region that a text of an address names, in Ukrainian or English: "м. Київ", "Київська обл.", "Kyiv region". */
export function regionNamed(text: string): Region | undefined {
  if (text.trim() === "") return undefined;
  const cached = cachedRegions.get(text);
  if (cached !== undefined) return cached;
  const region = findRegion(text.slice(0, TEXT_LENGTH_MAX));
  // Nearly all tenders name one of a few dozen texts; others must not fill the memory.
  if (text.length <= TEXT_LENGTH_MAX && cachedRegions.size < CACHED_REGIONS_MAX) cachedRegions.set(text, region);
  return region;
}

function findRegion(text: string): Region {
  const words = text
    .toLowerCase()
    .replaceAll(/['’ʼ`]/g, "")
    .split(/[^\p{L}]+/u)
    .filter((word) => word !== "");
  const name = words.filter((word) => !OBLAST_WORDS.has(word) && !OTHER_KIND_WORDS.has(word)).join(" ");
  const region = REGIONS_BY_NAME.get(name) ?? "other";
  // The city has no other region of its name, so "Kyiv region" is the one around it.
  return region === "kyiv" && words.some((word) => OBLAST_WORDS.has(word)) ? "kyiv-region" : region;
}

const deliveryRegion = (items: readonly Item[] | undefined): string => items?.[0]?.deliveryAddress?.region ?? "";

/** The region of a tender: where its first item is delivered, or else the buyer's; undefined if neither is given. */
export const regionOf = ({ items, procuringEntity }: Pick<Tender, "items" | "procuringEntity">): Region | undefined =>
  regionNamed(deliveryRegion(items)) ?? regionNamed(procuringEntity?.address?.region ?? "");
