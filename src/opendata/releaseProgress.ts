import { heapBytesOf, heapBytesOfRecord } from "../base/heapBytes.ts";
import type { Tender } from "../domain/model/tender.ts";
import type { Instant } from "../domain/values/time.ts";
import { type ViewSettings, viewOfState } from "../history/publicVersions.ts";
import { tenderAfter } from "../ledger/tenderHistory.ts";
import { mergeRelease, type Release } from "../ocds/merge.ts";
import { isOcdsList, isOcdsObject, type OcdsObject, parseOcds } from "../ocds/ocdsValues.ts";
import { nextRelease, type ReleaseState } from "../ocds/release.ts";
import { instantOfRelease, type LedgerRow, type Store } from "../store/store.ts";
import { TEMPLATE_SETTINGS, templateOf, untemplated } from "./releaseTemplates.ts";

/** What the releases of a tender have come to, and what the next one is made from. */
export type ReleaseProgress = {
  /** The tender with all its bids. It may have sealed bids and secrets: only views of it may leave the registry. */
  readonly tender: Tender;
  /** The number of its public versions. */
  readonly number: number;
  /** `dateModified` of the last public version. */
  readonly publicAt: Instant | undefined;
  readonly state: ReleaseState | undefined;
  /** The approximate memory that `state` takes, in bytes. */
  readonly stateBytes: number;
  /** The approximate memory that it takes as a whole, in bytes. */
  readonly bytes: number;
};

/** The progress after a row of the ledger, with the template of the release that the row led to, if it did. */
export type ReleaseStepResult = { readonly progress: ReleaseProgress; readonly template?: string };

/** Applies the next row of a tender. The result depends on nothing but its rows. */
export function applyRow(
  before: ReleaseProgress | undefined,
  row: LedgerRow,
  settings: ViewSettings,
): ReleaseStepResult {
  const tender = tenderAfter(before?.tender, row);
  const { number = 0, publicAt, state, stateBytes = 0 } = before ?? {};
  const tenderBytes = heapBytesOfRecord(tender);
  const bytes = tenderBytes + stateBytes;
  if (tender.status === "draft" || tender.dateModified === publicAt)
    return { progress: { tender, number, publicAt, state, stateBytes, bytes } };
  const version = { number: number + 1, at: row.at, tender: viewOfState({ at: row.at, tender }, settings) };
  const step = nextRelease(state, version, TEMPLATE_SETTINGS);
  const counted = { tender, number: version.number, publicAt: tender.dateModified };
  if (!step) return { progress: { ...counted, state, stateBytes, bytes } };
  const newBytes = heapBytesOf(step.state);
  return {
    progress: { ...counted, state: step.state, stateBytes: newBytes, bytes: tenderBytes + newBytes },
    template: templateOf(step.release),
  };
}

const ROWS_AT_ONCE = 100;

/**
 * The progress of a tender right before an instant, from the ledger and the releases that are stored; undefined if it did not exist
 * then. Merging stored releases costs far less than making them again. `step` is called after each row and each release: a tender may
 * have many large ones, and requests must not wait for all of them.
 */
export async function progressBefore(
  store: Pick<Store, "ledgerOf" | "keyValues">,
  id: string,
  before: Instant,
  step: () => Promise<void>,
): Promise<ReleaseProgress | undefined> {
  const replayed = await replayBefore(store, id, before, step);
  if (!replayed) return undefined;
  const state = await stateBefore(store, id, before, step);
  const stateBytes = state ? heapBytesOf(state) : 0;
  return { ...replayed, state, stateBytes, bytes: heapBytesOfRecord(replayed.tender) + stateBytes };
}

/** The tender right before an instant, and its public versions until then. */
async function replayBefore(
  { ledgerOf }: Pick<Store, "ledgerOf">,
  id: string,
  before: Instant,
  step: () => Promise<void>,
): Promise<Pick<ReleaseProgress, "tender" | "number" | "publicAt"> | undefined> {
  let tender: Tender | undefined;
  let number = 0;
  let publicAt: Instant | undefined;
  for (let after = 0, isMore = true; isMore; ) {
    const rows = await ledgerOf(id, { after, upTo: before - 1, limit: ROWS_AT_ONCE, kinds: "all" });
    for (const row of rows) {
      tender = tenderAfter(tender, row);
      await step();
      if (tender.status === "draft" || tender.dateModified === publicAt) continue;
      number++;
      publicAt = tender.dateModified;
    }
    isMore = rows.length === ROWS_AT_ONCE;
    after = rows.at(-1)?.at ?? after;
  }
  return tender && { tender, number, publicAt };
}

/** What the stored releases of a tender before an instant say together. */
async function stateBefore(
  { keyValues }: Pick<Store, "keyValues">,
  id: string,
  before: Instant,
  step: () => Promise<void>,
): Promise<ReleaseState | undefined> {
  let content: OcdsObject = {};
  let last: Release | undefined;
  for await (const page of templatePages(keyValues, id, before))
    for (const template of page) {
      last = parseRelease(untemplated(template));
      content = mergeRelease(content, last);
      await step();
    }
  return last && { content, releaseID: last.id, date: last.date };
}

/** Parses the JSON of a release that was stored. */
export function parseRelease(text: string): Release {
  // Parsing without losing digits takes several times as long, and most releases have no such numbers.
  const value: unknown = LONG_NUMBER.test(text) ? parseOcds(text) : JSON.parse(text);
  if (!isRelease(value)) throw new TypeError("A stored release has no head");
  return value;
}

/** A number with more characters than a double surely holds. It may also be in a text, which does no harm. */
const LONG_NUMBER = /[:,[]-?\d[\d.eE+-]{14}/;

const isRelease = (value: unknown): value is Release =>
  isOcdsObject(value) &&
  [value.ocid, value.id, value.date].every((field) => typeof field === "string") &&
  isOcdsList(value.tag);

/** Reading so many releases of a large tender at once takes a few milliseconds. */
const TEMPLATES_AT_ONCE = 20;

/** The templates of the releases of a tender, in order and page by page: all that are stored, or those before an instant. */
export async function* templatePages(
  { list }: Store["keyValues"],
  tender: string,
  before: Instant = Number.POSITIVE_INFINITY,
): AsyncGenerator<readonly string[]> {
  for (let beyond: string | undefined; ; ) {
    const page = await list({ kind: "release", where: { tender }, beyond, limit: TEMPLATES_AT_ONCE });
    const earlier = page.filter(({ id }) => instantOfRelease(id) < before);
    if (earlier.length > 0) yield earlier.map(({ value }) => value);
    if (earlier.length < TEMPLATES_AT_ONCE) return;
    beyond = page.at(-1)?.id;
  }
}
