import type { PublicChange } from "../../history/publicChanges.ts";
import { type PublicVersion, type ViewSettings, viewOfState } from "../../history/publicVersions.ts";
import { formatNumber } from "../layout/formats.ts";
import type { Language } from "../layout/languages.ts";
import { messagesIn } from "../layout/messages/messages.ts";
import { nameOf } from "../layout/nameOf.ts";
import { html, type Markup } from "../markup.ts";
import { type ComparedViews, fieldLabel, subjectLabel, subjectPath, subjectText } from "./changeLabels.ts";
import { shownChanges } from "./comparisonPart.ts";

/** What became different with a version, in a few words. */
export type VersionDifferences = {
  /** The new status, if it is another. */
  readonly status?: string;
  /** The number of bids, if they were opened. */
  readonly openedBids?: number;
  /** The names of what changed otherwise, the first few of them, as markup and as plain text. */
  readonly names: readonly { readonly markup: Markup; readonly text: string }[];
  /** How many more there are. */
  readonly moreNames: number;
};

const NO_DIFFERENCES: VersionDifferences = { names: [], moreNames: 0 };

/** What is different from the version before; nothing for the publication. */
export function differencesOf(version: PublicVersion, settings: ViewSettings, language: Language): VersionDifferences {
  if (!version.before) return NO_DIFFERENCES;
  const views = { before: viewOfState(version.before, settings), after: viewOfState(version, settings) };
  const { before, after } = views;
  const isOpening = before.bids === undefined && after.bids !== undefined && after.bids.length > 0;
  return {
    ...(before.status !== after.status && { status: after.status }),
    ...(isOpening && { openedBids: after.bids?.length ?? 0 }),
    ...namesOf(shownChanges(before, after), views, language),
  };
}

const NAMED_MAX = 5;
/** Shown in other ways. */
const NOT_NAMED = new Set(["status", "bids", "numberOfBids"]);

function namesOf(
  changes: readonly PublicChange[],
  views: ComparedViews,
  language: Language,
): Pick<VersionDifferences, "names" | "moreNames"> {
  // Each object is named once, whatever number of its fields changed.
  const named = new Map<string, PublicChange>();
  for (const change of changes) {
    const subject = subjectPath(change);
    const key = JSON.stringify(subject.length === 0 ? change.path : subject);
    if (!NOT_NAMED.has(change.path[0] ?? "") && !named.has(key)) named.set(key, change);
  }
  const names = [...named.values()].slice(0, NAMED_MAX).map((change) => {
    const subject = subjectPath(change);
    if (subject.length > 0 || "element" in change.format)
      return { markup: subjectLabel(subject, views, language), text: subjectText(subject, views, language) };
    const text = fieldLabel(change.format.shape, change.format.field, language);
    return { markup: html`${text}`, text };
  });
  return { names, moreNames: named.size - names.length };
}

/** The differences as plain text, one a line. */
export function differencesText(
  { status, openedBids, names, moreNames }: VersionDifferences,
  language: Language,
): string {
  const { changes: texts, names: codes } = messagesIn(language);
  const changed = names.map(({ text }) => text).join("; ");
  const more = moreNames > 0 ? ` ${texts.more(moreNames, formatNumber(moreNames, language))}` : "";
  return [
    ...(status === undefined ? [] : [`${texts.newStatus}: ${nameOf(codes.tenderStatuses, status)}`]),
    ...(openedBids === undefined ? [] : [texts.openedBids(formatNumber(openedBids, language))]),
    ...(names.length === 0 ? [] : [`${texts.changed}: ${changed}${more}`]),
  ].join("\n");
}
