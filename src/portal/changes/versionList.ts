import type { PublicChange } from "../../history/publicChanges.ts";
import { type PublicVersion, type ViewSettings, viewOfState } from "../../history/publicVersions.ts";
import type { PublicTender } from "../../views/publicTender.ts";
import { statusTag, timeElement } from "../layout/components.ts";
import { formatNumber } from "../layout/formats.ts";
import type { Language } from "../layout/languages.ts";
import { messagesIn } from "../layout/messages/messages.ts";
import { type PortalSite, pagePathOf } from "../layout/portalPage.ts";
import { EMPTY_MARKUP, html, type Markup } from "../markup.ts";
import { fieldLabel, subjectLabel, subjectPath } from "./changeLabels.ts";
import { shownChanges } from "./comparisonPart.ts";

/** The versions of a tender as a list: when, what happened, and what became different. */

/** What lists of versions are written with. */
export type VersionListSettings = {
  readonly site: PortalSite;
  readonly language: Language;
  readonly zoneName: string;
  readonly views: ViewSettings;
};

/** The path of the page with the changes of a tender, without base path and language. */
export const changesPath = (tenderId: string): string => `/tenders/${tenderId}/changes`;

/** The address of the comparison of two versions. */
export const comparisonHref = (
  { site, language }: Pick<VersionListSettings, "site" | "language">,
  tenderId: string,
  from: number,
  to: number,
): string => `${pagePathOf(site, changesPath(tenderId), language)}?from=${from}&to=${to}`;

/** The list of these versions, in their order. */
export function versionList(versions: readonly PublicVersion[], settings: VersionListSettings): Markup {
  return html`<ol class="versions" role="list">
${versions.map((version) => versionEntry(version, settings))}</ol>`;
}

function versionEntry(version: PublicVersion, settings: VersionListSettings): Markup {
  const { language, zoneName } = settings;
  const { changes: texts } = messagesIn(language);
  const { number, at, act, tender, before } = version;
  const shownNumber = formatNumber(number, language);
  const title = html`<span class="version-number">${texts.version(shownNumber)}.</span> ${texts.acts[act]}`;
  const link = before
    ? html`<p><a href="${comparisonHref(settings, tender.id, number - 1, number)}" aria-label="${texts.compareVersion(shownNumber)}">${texts.compareWithPrevious}</a></p>
`
    : EMPTY_MARKUP;
  return html`<li id="version-${number}">
<h3>${title}</h3>
<p class="version-time">${timeElement(at, "date and time", zoneName, language)}</p>
${differencesOf(version, settings)}${link}</li>
`;
}

function differencesOf(version: PublicVersion, { views, language }: VersionListSettings): Markup {
  if (!version.before) return EMPTY_MARKUP;
  const before = viewOfState(version.before, views);
  const after = viewOfState(version, views);
  const { changes: texts } = messagesIn(language);
  const status =
    before.status === after.status
      ? EMPTY_MARKUP
      : html`<p>${texts.newStatus}: ${statusTag(after.status, language)}</p>\n`;
  const isOpening = before.bids === undefined && after.bids !== undefined && after.bids.length > 0;
  const opened = isOpening
    ? html`<p>${texts.openedBids(formatNumber(after.bids?.length ?? 0, language))}</p>\n`
    : EMPTY_MARKUP;
  return html`${status}${opened}${changedFields(shownChanges(before, after), before, after, language)}`;
}

const NAMED_MAX = 5;
/** Shown in other ways. */
const NOT_NAMED = new Set(["status", "bids", "numberOfBids"]);

/** The names of what changed, the first few of them. */
function changedFields(
  changes: readonly PublicChange[],
  before: PublicTender,
  after: PublicTender,
  language: Language,
): Markup {
  const { changes: texts } = messagesIn(language);
  const named = new Map<string, Markup>();
  for (const change of changes) {
    const { path, format } = change;
    const subject = subjectPath(change);
    if (NOT_NAMED.has(path[0] ?? "")) continue;
    const key = JSON.stringify(subject.length === 0 ? path : subject);
    if (named.has(key)) continue;
    const name =
      subject.length === 0 && !("element" in format)
        ? html`${fieldLabel(format.shape, format.field, language)}`
        : named.size < NAMED_MAX
          ? subjectLabel(subject, { before, after }, language)
          : EMPTY_MARKUP;
    named.set(key, name);
  }
  if (named.size === 0) return EMPTY_MARKUP;
  const names = [...named.values()].slice(0, NAMED_MAX).map((name, i) => html`${i === 0 ? "" : "; "}${name}`);
  const rest = named.size - names.length;
  const more = rest > 0 ? html` ${texts.more(rest, formatNumber(rest, language))}` : EMPTY_MARKUP;
  return html`<p>${texts.changed}: ${names}${more}</p>
`;
}
