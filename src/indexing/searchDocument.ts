import { areBidsPublic } from "../domain/bids/sealing.ts";
import type { Bid, Classification, Item, Lot, Organization, Tender } from "../domain/model/tender.ts";
import { auctionStartOf, bidDeadlineOf, enquiryDeadlineOf, openingOf } from "../domain/schedule.ts";
import type { Instant } from "../domain/values/time.ts";
import { countedCategories } from "./cpvCategory.ts";
import { organizationKey, organizationKeys } from "./organizationKeys.ts";
import { amountTokens, deadlineTokens } from "./rangeTokens.ts";
import { regionOf } from "./regions.ts";
import { classificationTokens, propertyToken, TEST_TOKEN, TITLE_MARK } from "./searchTokens.ts";
import { cacheByText } from "./textCache.ts";
import { wordsOf } from "./words.ts";

/** What the search index has of a tender: columns to count, sort and compare by, and tokens to find it by. */
export type SearchDocument = {
  readonly status: string;
  readonly procedure: string;
  /** The CPV categories of the items, in order, with `CATEGORY_SEPARATOR` between them. */
  readonly categories: string;
  readonly region: string | null;
  readonly buyer: string | null;
  /** The keys of the suppliers that everybody may see, with `SUPPLIER_SEPARATOR` between them. */
  readonly suppliers: string | null;
  /** The deadline for bids, unless the tender ended before it. */
  readonly deadline: Instant | null;
  /** The end of the time for questions, unless the tender ended before it. */
  readonly enquiryDeadline: Instant | null;
  /** When the bids were opened. */
  readonly opening: Instant | null;
  /** When auctions of the tender or of its lots start, in order, without those that will not take place. */
  readonly auctionStarts: readonly Instant[];
  /** With a space between them. */
  readonly tokens: string;
};

export const CATEGORY_SEPARATOR = " ";
/** No key has a bar: see `indexKey`. */
export const SUPPLIER_SEPARATOR = "|";

/** Facets consider so many suppliers of a tender, the winners first: rows of the index stay short, whatever a tender has. */
const COUNTED_SUPPLIERS_MAX = 100;

/** PostgreSQL stores at most a megabyte of tokens, and a character has up to three bytes. */
const TOKENS_LENGTH_MAX = 300_000;

/**
 * What is indexed of a tender that is not a draft. If its bids are indexed, it must have all of them. Contact persons, questions and
 * documents are not indexed.
 */
export function searchDocumentOf(tender: Tender): SearchDocument {
  const { status, procedure, procuringEntity, items = [] } = tender;
  const region = regionOf(tender) ?? null;
  const buyer = organizationKey(procuringEntity) ?? null;
  const { categories, codeTokens, words } = indexedItems(items);
  const suppliers = suppliersOf(tender);
  const supplierKeys = organizationKeys(suppliers);
  const deadline = bidDeadlineOf(tender) ?? null;
  const tokens = [
    tender.mode === "test" ? TEST_TOKEN : "",
    statusToken(status),
    procedureToken(procedure),
    region === null ? "" : regionToken(region),
    buyer === null ? "" : buyerToken(buyer),
    tender.value?.amount === undefined ? "" : amountTokens(tender.value.amount),
    deadline === null ? "" : deadlineTokens(deadline),
    codeTokens,
    tender.id,
    ...numberTokens(tender.tenderID),
    titleTokens(tender),
    organizationWords(procuringEntity),
    descriptionTokens(tender),
    ...supplierKeys.map(supplierToken),
    // Once for an organisation that occurs several times, whether or not it is the same object.
    ...new Set(suppliers.map(organizationWords)),
    words,
    lotWords(tender.lots),
  ];
  const text = tokens.filter((part) => part !== "").join(" ");
  return {
    ...{ status, procedure, categories, region, buyer, deadline },
    suppliers: supplierKeys.slice(0, COUNTED_SUPPLIERS_MAX).join(SUPPLIER_SEPARATOR) || null,
    enquiryDeadline: enquiryDeadlineOf(tender) ?? null,
    opening: openingOf(tender) ?? null,
    auctionStarts: auctionStartsOf(tender),
    tokens: limited(text),
  };
}

const statusToken = cacheByText((status) => propertyToken("status", status));
const procedureToken = cacheByText((procedure) => propertyToken("procedure", procedure));
const regionToken = cacheByText((region) => propertyToken("region", region));
const buyerToken = cacheByText((key) => propertyToken("buyer", key));
const supplierToken = cacheByText((key) => propertyToken("supplier", key));

/** The number of a tender, such as UA-2026-11-15-000001. */
const TENDER_NUMBER = /^UA-\d{4}-\d\d-\d\d-(\d+)$/;

/** The whole number and its last part. The parts of the date would be found in every tender of the day. */
function numberTokens(number: string): readonly string[] {
  const last = TENDER_NUMBER.exec(number)?.[1];
  return last === undefined ? wordsOf(number).slice(-2) : [last, number.toLowerCase().replaceAll("-", "")];
}

/** Cuts after a whole token. */
const limited = (text: string): string =>
  text.length <= TOKENS_LENGTH_MAX ? text : text.slice(0, text.lastIndexOf(" ", TOKENS_LENGTH_MAX));

/** The fields of a tender that its document depends on, besides bids. */
const INDEXED_FIELDS = [
  "status",
  "date",
  "mode",
  "title",
  "title_en",
  "title_ru",
  "description",
  "description_en",
  "description_ru",
  "tenderID",
  "procedure",
  "procuringEntity",
  "value",
  "items",
  "lots",
  "awards",
  "contracts",
  "enquiryPeriod",
  "tenderPeriod",
  "auctionPeriod",
  "awardPeriod",
] as const satisfies readonly (keyof Tender)[];

/**
 * Whether two states of a tender certainly have the same document. It compares references, because values are never changed in place,
 * so most changes cost nothing. Bids are compared as far as both states have them.
 */
export const haveSameDocument = (before: Tender, after: Tender): boolean =>
  INDEXED_FIELDS.every((field) => before[field] === after[field]) &&
  (!areBidsPublic(after) || haveSameTenderers(before.bids, after.bids));

const haveSameTenderers = (before: readonly Bid[], after: readonly Bid[]): boolean =>
  before === after ||
  (before.length === after.length &&
    before.every((bid, i) => bid.tenderers === after[i]?.tenderers && bid.status === after[i]?.status));

/** Everybody who has offered, won or signed something in public. */
export function suppliersOf(tender: Tender): readonly Organization[] {
  const { awards, contracts } = tender;
  const bids = areBidsPublic(tender) ? tender.bids : [];
  if (awards.length + contracts.length + bids.length === 0) return [];
  return [
    ...new Set([
      ...awards.flatMap(({ suppliers = [] }) => suppliers),
      ...contracts.flatMap(({ suppliers = [] }) => suppliers),
      ...bids.flatMap(({ status, tenderers = [] }) => (status === "active" ? tenderers : [])),
    ]),
  ];
}

function auctionStartsOf(tender: Tender): readonly Instant[] {
  const { auctionPeriod, lots } = tender;
  if (!auctionPeriod && lots.length === 0) return [];
  const starts = [undefined, ...lots].flatMap((lot) => auctionStartOf(tender, lot) ?? []);
  return [...new Set(starts)].sort((a, b) => a - b);
}

/** The tokens of a text, with a space between them. Names of buyers and of categories occur in many tenders. */
const tokensIn = cacheByText((text) => wordsOf(text).join(" "));

/** Splitting a text into words takes time, so a part of a tender has at most this many characters of text in the index. */
const TEXTS_LENGTH_MAX = 200_000;

/** The tokens of the first texts, with a space between them. */
export function wordsOfTexts(texts: Iterable<string | undefined>): string {
  const tokens: string[] = [];
  let length = 0;
  for (const text of texts) {
    if (text === undefined) continue;
    length += text.length;
    if (length > TEXTS_LENGTH_MAX) break;
    const words = tokensIn(text);
    if (words !== "") tokens.push(words);
  }
  return tokens.join(" ");
}

function titleTokens({ title, title_en, title_ru }: Tender): string {
  const tokens = wordsOfTexts([title, title_en, title_ru]);
  return tokens === "" ? "" : `${tokens} ${TITLE_MARK}${tokens.replaceAll(" ", ` ${TITLE_MARK}`)}`;
}

/** A description that repeats the title, as many do, has no tokens of its own. */
const descriptionTokens = ({
  title,
  title_en,
  title_ru,
  description,
  description_en,
  description_ru,
}: Tender): string =>
  wordsOfTexts(
    [description, description_en, description_ru].filter(
      (text) => text !== title && text !== title_en && text !== title_ru,
    ),
  );

/** Lists that are shorter are split into words again, which is cheaper than to remember them. */
const REMEMBERED_LENGTH_MIN = 10;

/** Values are never changed in place, so long lists of a tender are split into words once as long as they stay the same. */
function remember<Part extends readonly unknown[], Value>(compute: (part: Part) => Value): (part: Part) => Value {
  const known = new WeakMap<Part, { readonly value: Value }>();
  return (part) => {
    if (part.length < REMEMBERED_LENGTH_MIN) return compute(part);
    const entry = known.get(part) ?? { value: compute(part) };
    known.set(part, entry);
    return entry.value;
  };
}

function organizationWords(organization: Organization | undefined): string {
  if (!organization) return "";
  const { name, name_en, name_ru, identifier } = organization;
  return wordsOfTexts([
    ...[name, name_en, name_ru],
    ...[identifier?.legalName, identifier?.legalName_en, identifier?.legalName_ru, identifier?.id],
  ]);
}

const lotWords = remember((lots: readonly Lot[]): string =>
  wordsOfTexts(
    lots.flatMap((lot) => [
      ...[lot.title, lot.title_en, lot.title_ru],
      ...[lot.description, lot.description_en, lot.description_ru],
    ]),
  ),
);

const indexedItems = remember((items: readonly Item[]) => {
  const codes = new Set<string>();
  const texts = new Set<string | undefined>();
  for (const item of items) {
    if (item.classification?.id !== undefined) codes.add(item.classification.id);
    addTextsOf(item, texts);
  }
  const words = wordsOfTexts(texts);
  return {
    codeTokens: [...new Set([...codes].flatMap(classificationTokens))].join(" "),
    categories: countedCategories(codes).join(CATEGORY_SEPARATOR),
    // Databases index a token once, so only long lists are worth the time to find tokens that are repeated.
    words: items.length < REMEMBERED_LENGTH_MIN ? words : [...new Set(words.split(" "))].join(" "),
  };
});

function addTextsOf(item: Item, texts: Set<string | undefined>): void {
  texts.add(item.description).add(item.description_en).add(item.description_ru);
  addTextsOfClassification(item.classification, texts);
  for (const classification of item.additionalClassifications ?? []) addTextsOfClassification(classification, texts);
}

function addTextsOfClassification(classification: Classification | undefined, texts: Set<string | undefined>): void {
  if (!classification) return;
  texts.add(classification.id).add(classification.description);
  texts.add(classification.description_en).add(classification.description_ru);
}
