import type { PublicVersion, ViewSettings } from "../../history/publicVersions.ts";
import { statusTag, timeElement } from "../layout/components.ts";
import { formatNumber } from "../layout/formats.ts";
import type { Language } from "../layout/languages.ts";
import { messagesIn } from "../layout/messages/messages.ts";
import { type PortalSite, pagePathOf } from "../layout/portalPage.ts";
import { EMPTY_MARKUP, html, type Markup } from "../markup.ts";
import { pastQuery, tenderPath } from "../tender/tenderScreen.ts";
import { actText } from "./actText.ts";
import { differencesOf } from "./versionDifferences.ts";

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

/** The address of the page of the tender as it was in a version. */
export const pastHref = (
  { site, language, views }: Pick<VersionListSettings, "site" | "language" | "views">,
  { at, tender }: PublicVersion,
): string => `${pagePathOf(site, tenderPath(tender.id), language)}?${pastQuery(at, views.zone)}`;

/** The list of these versions, in their order. */
export function versionList(versions: readonly PublicVersion[], settings: VersionListSettings): Markup {
  return html`<ol class="versions" role="list">
${versions.map((version) => versionEntry(version, settings))}</ol>`;
}

function versionEntry(version: PublicVersion, settings: VersionListSettings): Markup {
  const { language, zoneName } = settings;
  const { changes: texts } = messagesIn(language);
  const { number, at, tender, before } = version;
  const shownNumber = formatNumber(number, language);
  const title = html`<span class="version-number">${texts.version(shownNumber)}.</span> ${actText(version, language)}`;
  const comparison = before
    ? html`<a href="${comparisonHref(settings, tender.id, number - 1, number)}" aria-label="${texts.compareVersion(shownNumber)}">${texts.compareWithPrevious}</a> · `
    : EMPTY_MARKUP;
  const state = html`<a href="${pastHref(settings, version)}" rel="nofollow">${texts.tenderInVersion(shownNumber)}</a>`;
  return html`<li id="version-${number}">
<h3>${title}</h3>
<p class="version-time">${timeElement(at, "date and time", zoneName, language)}</p>
${differencesPart(version, settings)}<p>${comparison}${state}</p>
</li>
`;
}

function differencesPart(version: PublicVersion, { views, language }: VersionListSettings): Markup {
  const { changes: texts } = messagesIn(language);
  const { status, openedBids, names, moreNames } = differencesOf(version, views, language);
  const newStatus =
    status === undefined ? EMPTY_MARKUP : html`<p>${texts.newStatus}: ${statusTag(status, language)}</p>\n`;
  const opened =
    openedBids === undefined ? EMPTY_MARKUP : html`<p>${texts.openedBids(formatNumber(openedBids, language))}</p>\n`;
  const listed = names.map(({ markup }, i) => html`${i === 0 ? "" : "; "}${markup}`);
  const more = moreNames > 0 ? html` ${texts.more(moreNames, formatNumber(moreNames, language))}` : EMPTY_MARKUP;
  const changed = names.length === 0 ? EMPTY_MARKUP : html`<p>${texts.changed}: ${listed}${more}</p>\n`;
  return html`${newStatus}${opened}${changed}`;
}
