import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Award, Item, Tender } from "../src/domain/model/tender.ts";
import { decimal } from "../src/domain/values/decimal.ts";
import { DAY } from "../src/domain/values/time.ts";
import { REGIONS } from "../src/indexing/regions.ts";
import { searchRowOf } from "../src/store/search/searchRows.ts";
import { openSqlite } from "../src/store/sqlite/sqlite.ts";
import { firstPatch, type Store } from "../src/store/store.ts";

/**
 * A search index of tenders that do not exist: only the tables of the index are filled, so a million of them takes minutes and not
 * gigabytes. Words are as frequent as in a language (Zipf's law), and so are buyers, categories and regions.
 */

const STEMS = (
  "ремонт школ послуг будівництв обладнанн лікарн дорог харчуванн паливо меблі комп'ютер охорон вод тепл газ електроенерг ліки " +
  "папір транспорт утриманн парк міст район закупівл матеріал робот поставк проєкт експертиз технічн капітальн поточн медичн"
).split(" ");
const ENDINGS = ["а", "и", "ів", "ами", "у", "ня", "ський", "ого", "ий", ""];
const VOCABULARY = 40_000;
const BUYERS = 8_000;
const SUPPLIERS = 20_000;
const CODES = 3_000;

/** Random numbers that are the same in every run. */
function openRandom(seed = 1): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const SYLLABLES = ["ба", "ко", "лі", "ме", "ну", "пра", "ро", "сти", "ту", "фе", "ха", "чо", "ші", "ву", "дя", "же"];
/** Invented stems begin with different syllables, as those of a language do. */
const invented = (n: number): string =>
  Array.from({ length: 4 }, (_, i) => SYLLABLES[Math.floor(n * 0.618_034 ** (i + 1) * 16) % 16] ?? "").join("") +
  (SYLLABLES[n % 16] ?? "");

/** The n-th most frequent word: real ones first, then invented ones, of which three forms have the same stem. */
export function wordAt(n: number): string {
  const stem = STEMS[n] ?? invented(Math.floor(n / 3));
  return stem + (ENDINGS[n % ENDINGS.length] ?? "");
}

/** A number below `max`; small ones are more frequent, as Zipf's law says. */
const zipf = (random: () => number, max: number): number => Math.min(max - 1, Math.floor(max ** random()) - 1);

const code = (n: number): string => String(((n % 45) + 3) * 1_000_000 + ((n * 7919) % 1000) * 1000).padStart(8, "0");

const STATUSES = [
  "complete",
  "complete",
  "complete",
  "complete",
  "unsuccessful",
  "cancelled",
  "active.tendering",
] as const;
const PROCEDURES = ["belowThreshold", "belowThreshold", "reporting", "negotiation"] as const;

/** An award to the n-th most frequent supplier. */
const award = (n: number): Award => ({
  ...{ id: "award", date: 1, status: "active", documents: [], complaints: [] },
  suppliers: [{ name: `${wordAt(n)} ${wordAt(n * 5)}`, identifier: { scheme: "UA-EDR", id: String(30_000_000 + n) } }],
});

/** A tender with what is indexed. */
function tenderAt(n: number, total: number, random: () => number): Tender {
  const words = (count: number) => Array.from({ length: count }, () => wordAt(zipf(random, VOCABULARY))).join(" ");
  const item = (): Item => {
    const number = zipf(random, CODES);
    return {
      description: words(5),
      classification: { scheme: "ДК021", id: code(number), description: wordAt(number) },
    };
  };
  const buyer = zipf(random, BUYERS);
  const supplier = () => zipf(random, SUPPLIERS);
  const status = STATUSES[Math.floor(random() * STATUSES.length)] ?? "complete";
  const region = REGIONS[zipf(random, REGIONS.length)] ?? "";
  return {
    ...{
      id: (n * 2_654_435_761).toString(16).padStart(32, "0"),
      tenderID: `UA-2026-11-16-${String(n).padStart(6, "0")}`,
    },
    ...{ owner: "broker", tokenHash: "", date: n, dateModified: n },
    procedure: PROCEDURES[Math.floor(random() * PROCEDURES.length)] ?? "reporting",
    status,
    title: words(7),
    description: words(12),
    procuringEntity: {
      name: `${wordAt(buyer)} ${wordAt(buyer * 3)}`,
      identifier: { scheme: "UA-EDR", id: String(10_000_000 + buyer) },
      address: { region },
    },
    value: { amount: decimal(String(Math.floor(10 ** (2 + 6 * random())))), currency: "UAH" },
    items: [item(), item()],
    tenderPeriod: { endDate: Date.now() * 1000 + (n - total) * 100 * 1_000_000 + 20 * DAY },
    ...{
      lots: [],
      bids: [],
      questions: [],
      documents: [],
      awards: status === "complete" ? [award(supplier())] : [],
      contracts: [],
      complaints: [],
      cancellations: [],
    },
  };
}

const ROWS_PER_COMMIT = 1000;

/** Fills the index of an empty folder. */
export async function fillSearchIndex(dataDir: string, tenders: number): Promise<void> {
  await openSqlite({ dataDir, clock: () => Date.now() * 1000, recentBytesMax: 0 }).close();
  const db = new DatabaseSync(join(dataDir, "tenderhall.sqlite"));
  db.exec("pragma journal_mode = wal; pragma synchronous = off; pragma cache_size = -200000");
  const insert = db.prepare(`
    insert into search
      (tender_id, listing, status, procedure, categories, region, buyer, suppliers, amount, currency, deadline, public_row)
    values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
  const insertWords = db.prepare("insert into words (rowid, tokens) values (?, ?)");
  const random = openRandom();
  for (let from = 0; from < tenders; from += ROWS_PER_COMMIT) {
    db.exec("begin");
    for (let n = from; n < Math.min(tenders, from + ROWS_PER_COMMIT); n++) {
      const tender = tenderAt(n, tenders, random);
      const row = searchRowOf(tender);
      const { listing, status, procedure, categories, region, buyer, suppliers, amount, currency, deadline } = row;
      const columns = [listing, status, procedure, categories, region, buyer, suppliers, amount, currency, deadline];
      insert.run(tender.id, ...columns, 2 * n + 1);
      insertWords.run(2 * n + 1, row.tokens);
    }
    db.exec("commit");
  }
  // Writes continue after these rows.
  db.prepare(
    "insert into ledger (sequence, at, kind, tender_id, act, patch) values (?, ?, 'tender', 'none', 'none', '[]')",
  ).run(2 * tenders + 2, 1);
  db.close();
}

/** Writes a tender as a registry does. */
export function writeTender(store: Store, n: number): Promise<void> {
  const tender = { ...tenderAt(n, n, openRandom(n)), id: `written ${n}`.padStart(32, "0") };
  const document = JSON.stringify(tender);
  return store.write(undefined, (_none, { at }) => ({
    result: undefined,
    change: {
      ...{ tender: { ...tender, dateModified: at }, document, patch: firstPatch(document) },
      ...{ wakeAt: undefined, actor: "broker", act: "publish tender", files: [] },
    },
  }));
}
