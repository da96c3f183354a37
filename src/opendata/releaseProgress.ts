import type { Tender } from "../domain/model/tender.ts";
import type { Instant } from "../domain/values/time.ts";
import { type ViewSettings, viewOfState } from "../history/publicVersions.ts";
import { tenderAfter } from "../ledger/tenderHistory.ts";
import { mergeRelease, type Release } from "../ocds/merge.ts";
import { isOcdsList, isOcdsObject, type OcdsObject, parseOcds } from "../ocds/ocdsValues.ts";
import { nextRelease, type ReleaseState } from "../ocds/release.ts";
import type { LedgerRow, Store } from "../store/store.ts";
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
  /** The approximate memory that it takes, in bytes. */
  readonly bytes: number;
};

/** The progress after a row of the ledger, with the template of the release that the row led to, if it did. */
export type ReleaseStepResult = { readonly progress: ReleaseProgress; readonly template?: string };

/** Objects take several times the memory of their JSON. */
const MEMORY_FACTOR = 6;

/** Applies the next row of a tender. The result depends on nothing but its rows. */
export function applyRow(
  before: ReleaseProgress | undefined,
  row: LedgerRow,
  settings: ViewSettings,
): ReleaseStepResult {
  const tender = tenderAfter(before?.tender, row);
  const bytes = (before?.bytes ?? 0) + row.patch.length * MEMORY_FACTOR;
  const { number = 0, publicAt, state } = before ?? {};
  if (tender.status === "draft" || tender.dateModified === publicAt)
    return { progress: { tender, number, publicAt, state, bytes } };
  const version = { number: number + 1, at: row.at, tender: viewOfState({ at: row.at, tender }, settings) };
  const step = nextRelease(state, version, TEMPLATE_SETTINGS);
  const counted = { tender, number: version.number, publicAt: tender.dateModified };
  if (!step) return { progress: { ...counted, state, bytes } };
  const template = templateOf(step.release);
  return {
    progress: { ...counted, state: step.state, bytes: bytes + template.length * MEMORY_FACTOR },
    template,
  };
}

const ROWS_AT_ONCE = 100;

/**
 * The progress of a tender right before an instant, from the ledger and the releases that are stored; undefined if it did not exist
 * then. Merging stored releases costs far less than making them again.
 */
export async function progressBefore(
  { ledgerOf, keyValues }: Pick<Store, "ledgerOf" | "keyValues">,
  id: string,
  before: Instant,
): Promise<ReleaseProgress | undefined> {
  let tender: Tender | undefined;
  let number = 0;
  let publicAt: Instant | undefined;
  let bytes = 0;
  for (let after = 0, isMore = true; isMore; ) {
    const rows = await ledgerOf(id, { after, upTo: before - 1, limit: ROWS_AT_ONCE, kinds: "all" });
    for (const row of rows) {
      tender = tenderAfter(tender, row);
      bytes += row.patch.length * MEMORY_FACTOR;
      if (tender.status === "draft" || tender.dateModified === publicAt) continue;
      number++;
      publicAt = tender.dateModified;
    }
    isMore = rows.length === ROWS_AT_ONCE;
    after = rows.at(-1)?.at ?? after;
  }
  if (!tender) return undefined;
  const templates = await storedTemplates(keyValues, id);
  const state = stateOf(templates.map((template) => parseRelease(untemplated(template))));
  return { tender, number, publicAt, state, bytes: bytes + templates.join("").length * MEMORY_FACTOR };
}

/** The state after these releases, which are all of a tender so far. */
function stateOf(releases: readonly Release[]): ReleaseState | undefined {
  const last = releases.at(-1);
  if (!last) return undefined;
  const content = releases.reduce<OcdsObject>((merged, release) => mergeRelease(merged, release), {});
  return { content, releaseID: last.id, date: last.date };
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

/** The templates of all releases of a tender, in order. */
export async function storedTemplates({ list }: Store["keyValues"], tender: string): Promise<readonly string[]> {
  const templates: string[] = [];
  for (let beyond: string | undefined; ; ) {
    const page = await list({ kind: "release", where: { tender }, beyond, limit: ROWS_AT_ONCE });
    templates.push(...page.map(({ value }) => value));
    if (page.length < ROWS_AT_ONCE) return templates;
    beyond = page.at(-1)?.id;
  }
}
