import { nextDeadline } from "../domain/clock.ts";
import { same } from "../domain/merge.ts";
import type { Tender } from "../domain/tender.ts";
import { patchBetween } from "../registry/patch.ts";
import { countedUnder, type Facets, facetsOf, type KeptRow, listingOf, type Scan } from "../store/store.ts";
import { bringsFiles, type Life, lifeOf, type NamedFile } from "./history.ts";
import { joined, type OneTender } from "./joining.ts";
import type { BeginStage } from "./progress.ts";

/** Holds everything that is kept to what the ledger tells, in one moment of the registry. */

export type Report = (problem: string) => void;

export type Verifying = {
  readonly report: Report;
  readonly begin: BeginStage;
  readonly onTender: () => void;
};

/** Reports whatever is wrong, and hands on every file that a document names or named. */
export async function* verifyRecords(scan: Scan, { report, begin, onTender }: Verifying): AsyncGenerator<NamedFile> {
  const stage = begin("records", scan.position.sequence, "rows");
  const days = new Map<string, number>();
  const statuses = new Map<string, number>();
  try {
    await verifyOrder(scan, report);
    for await (const one of joined(scan)) {
      const life = lifeOf(one.rows);
      const tender = verifyTender(one, life, report);
      const counted = tender && countedUnder(tender);
      if (counted) statuses.set(counted, (statuses.get(counted) ?? 0) + 1);
      if (life.taken) days.set(life.taken.day, Math.max(days.get(life.taken.day) ?? 0, life.taken.number));
      for (const { file } of life.named) yield file;
      onTender();
      stage.step(one.rows.length);
    }
    compare(days, await scan.days(), report, (day, is, should) => `day ${day}: last number ${is}, not ${should}`);
    compare(statuses, await scan.statuses(), report, (s, is, should) => `status ${s}: ${is} counted, not ${should}`);
  } finally {
    stage.end();
  }
}

async function verifyOrder(scan: Scan, report: Report): Promise<void> {
  let last = { sequence: 0, at: Number.NEGATIVE_INFINITY };
  for await (const place of scan.places()) {
    if (place.sequence !== last.sequence + 1)
      report(`ledger: no row between ${last.sequence} and ${place.sequence}, though there should be`);
    if (place.at <= last.at) report(`ledger: row ${place.sequence} is not later than row ${last.sequence}`);
    last = place;
  }
}

/** Answers the tender as it is kept, where that can be read at all. */
function verifyTender({ id, rows, kept, files }: OneTender, life: Life, report: Report): Tender | undefined {
  const tell = (problem: string) => report(`tender ${id}: ${problem}`);
  if (life.broken) tell(life.broken);
  verifyFileRows(life, files, tell);
  if (!kept) {
    tell("it is in the ledger, but is not kept");
    return undefined;
  }
  if (rows.length === 0) tell("it is kept, but the ledger has nothing of it");
  else if (kept.revision !== rows.length) tell(`revision ${kept.revision}, though it has ${rows.length} rows`);
  const tender = tenderIn(kept, tell);
  if (!tender) return undefined;
  if (life.tender && !same(life.tender, tender)) tell(differenceOf(life.tender, tender));
  verifyColumns(kept, tender, tell);
  return tender;
}

function tenderIn({ document }: KeptRow, tell: Report): Tender | undefined {
  try {
    return JSON.parse(document) as Tender;
  } catch {
    tell("what is kept is not JSON");
    return undefined;
  }
}

const SHOWN_MAX = 5;

function differenceOf(told: Tender, kept: Tender): string {
  const paths = patchBetween(told, kept).map(({ path }) => path || "all of it");
  const shown = paths.slice(0, SHOWN_MAX).join(", ");
  return `what is kept is not what the ledger tells: ${shown}${paths.length > SHOWN_MAX ? " and more" : ""}`;
}

function verifyColumns(kept: KeptRow, tender: Tender, tell: Report): void {
  const expected = {
    id: tender.id,
    status: tender.status,
    listing: listingOf(tender),
    dateModified: tender.dateModified,
    wakeAt: wakeOf(tender),
    clock: tender.testClock,
    ...inWords(facetsOf(tender)),
  };
  const is: { readonly [name: string]: unknown } = { ...kept, ...inWords(kept.facets) };
  for (const [name, should] of Object.entries(expected))
    if (is[name] !== should) tell(`${name} is kept as ${is[name] ?? "nothing"}, not ${should ?? "nothing"}`);
}

const inWords = ({ classifications, ...facets }: Facets) => ({
  ...facets,
  classifications: classifications.join(", ") || undefined,
});

function wakeOf(tender: Tender): number | string | undefined {
  try {
    return nextDeadline(tender);
  } catch (error) {
    return `what cannot be told (${(error as Error).message})`;
  }
}

/** A file belongs to the tender that was the first to name it. */
function verifyFileRows({ named, broken }: Life, keys: readonly string[], tell: Report): void {
  const known = new Set(keys);
  const brought = new Set(named.filter(({ row }) => bringsFiles(row)).map(({ file }) => file.key));
  for (const key of brought) if (!known.has(key)) tell(`file ${key} is named, but is not known as its file`);
  // A ledger that cannot be followed to its end does not tell all files either.
  if (!broken) for (const key of known) if (!brought.has(key)) tell(`file ${key} is known as its file, but not named`);
}

type Tell = (name: string, is: number, should: number) => string;

function compare(
  should: ReadonlyMap<string, number>,
  is: ReadonlyMap<string, number>,
  report: Report,
  tell: Tell,
): void {
  for (const name of new Set([...should.keys(), ...is.keys()])) {
    const [counted, kept] = [should.get(name) ?? 0, is.get(name) ?? 0];
    if (counted !== kept) report(tell(name, kept, counted));
  }
}
