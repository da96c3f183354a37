import { formatInstant, type Zone } from "../../domain/values/time.ts";
import { type PublicVersion, viewOfState } from "../../history/publicVersions.ts";
import { type PageProblem, problemSummary, timeElement, userText } from "../layout/components.ts";
import { formatNumber } from "../layout/formats.ts";
import { localizedPath } from "../layout/languages.ts";
import { messagesIn } from "../layout/messages/messages.ts";
import { type PortalPage, pagePathOf } from "../layout/portalPage.ts";
import { shortText } from "../layout/shortText.ts";
import { textIn } from "../layout/textIn.ts";
import { EMPTY_MARKUP, html, type Markup } from "../markup.ts";
import { fileKeysOf } from "../tender/screenOf.ts";
import { actText } from "./actText.ts";
import { renderComparison } from "./comparisonPart.ts";
import { changesPath, pastHref, type VersionListSettings, versionList } from "./versionList.ts";

/** The page with the changes of a tender: its versions, or what was different between two of them. */

/** What the page shows of any tender. */
export type ChangesScreen = VersionListSettings & {
  readonly zone: Zone;
  /** The path of the API in its newest version, such as `/api/VERSION`, with the base path. */
  readonly apiPath: string;
  readonly last: PublicVersion;
  readonly problems: readonly PageProblem[];
};

/** The list of versions, the newest first. `older` is the number before which there are more. */
export function versionsPage(
  screen: ChangesScreen,
  versions: readonly PublicVersion[],
  before: number | undefined,
): PortalPage {
  const { language, last, problems } = screen;
  const { changes: texts } = messagesIn(language);
  const oldest = versions.at(-1)?.number ?? 1;
  const href = pagePathOf(screen.site, changesPath(last.tender.id), language);
  const links = [
    ...(oldest > 1 ? [html`<a rel="next" href="${href}?before=${oldest}">${texts.older}</a>`] : []),
    ...(before === undefined ? [] : [html`<a href="${href}">${texts.newest}</a>`]),
  ];
  const content = html`${problemSummary(problems, language)}${headingOf(screen)}
<p>${texts.lead} ${texts.count(last.number, formatNumber(last.number, language))}</p>
${last.number > 1 ? comparisonForm(screen, Math.max(1, last.number - 1), last.number) : EMPTY_MARKUP}
<h2>${texts.list}</h2>
${versionList(versions, screen)}
${links.length > 0 ? html`<p class="version-links">${links.map((link) => html`${link} `)}</p>` : EMPTY_MARKUP}`;
  return pageOf(screen, content, before === undefined ? "" : `?before=${before}`);
}

/** What was different between two versions. */
export function comparisonPage(screen: ChangesScreen, from: PublicVersion, to: PublicVersion): PortalPage {
  const { language, zoneName, views, site, last } = screen;
  const { compare } = messagesIn(language).changes;
  const compared = { before: viewOfState(from, views), after: viewOfState(to, views) };
  const [fromNumber, toNumber] = [from.number, to.number].map((number) => formatNumber(number, language));
  const moments = [from, to].map(
    (version) =>
      html`<li>${messagesIn(language).changes.version(formatNumber(version.number, language))}: ${timeElement(version.at, "date and time", zoneName, language)}. ${actText(version, language)}.</li>\n`,
  );
  const states = [from, to].map(
    (version) =>
      html`<li><a href="${pastHref(screen, version)}" rel="nofollow">${messagesIn(language).changes.tenderInVersion(formatNumber(version.number, language))}</a></li>
<li><a href="${stateHref(screen, version)}">${compare.state(formatNumber(version.number, language))}</a></li>\n`,
  );
  const changesHref = `${screen.apiPath}/tenders/${last.tender.id}/history?offset=${from.number}&limit=${Math.min(1000, to.number - from.number)}`;
  const content = html`${headingOf(screen)}
<h2>${compare.heading(fromNumber ?? "", toNumber ?? "")}</h2>
<ul>
${moments}</ul>
${renderComparison(compared, { language, zoneName, apiPath: screen.apiPath, presentFiles: fileKeysOf(last.tender) })}
${comparisonForm(screen, from.number, to.number)}
<ul>
<li><a href="${pagePathOf(site, changesPath(last.tender.id), language)}">${compare.all}</a></li>
<li><a href="${changesHref}">${compare.json}</a></li>
${states}</ul>`;
  return pageOf(screen, content, `?from=${from.number}&to=${to.number}`);
}

const stateHref = ({ apiPath, zone }: ChangesScreen, { at, tender }: PublicVersion): string =>
  `${apiPath}/tenders/${tender.id}?at=${encodeURIComponent(formatInstant(at, zone))}`;

const TITLE_LENGTH_MAX = 300;

const titleOfScreen = ({ last, language }: ChangesScreen): string =>
  shortText(textIn(language, last.tender, "title") ?? "", TITLE_LENGTH_MAX);

function headingOf(screen: ChangesScreen): Markup {
  const { changes: texts } = messagesIn(screen.language);
  const { tenderID } = screen.last.tender;
  return html`<h1>${texts.title} ${tenderID}</h1>
<p class="lead">${userText(titleOfScreen(screen))}</p>`;
}

function comparisonForm({ site, language, last }: ChangesScreen, from: number, to: number): Markup {
  const { compare } = messagesIn(language).changes;
  const action = pagePathOf(site, changesPath(last.tender.id), language);
  const field = (name: "from" | "to", label: string, value: number) =>
    html`<div class="field"><label for="compare-${name}">${label}</label>
<input id="compare-${name}" name="${name}" type="number" inputmode="numeric" min="1" max="${last.number}" value="${value}" required></div>
`;
  return html`<form class="compare" action="${action}" aria-labelledby="compare-title">
<h2 id="compare-title">${compare.title}</h2>
<div class="compare-row">
${field("from", compare.from, from)}${field("to", compare.to, to)}<button type="submit">${compare.button}</button>
</div>
</form>`;
}

function pageOf(screen: ChangesScreen, content: Markup, query: string): PortalPage {
  const { language, zoneName, last, site, problems } = screen;
  const { changes: texts, layout } = messagesIn(language);
  const { id, tenderID } = last.tender;
  return {
    path: changesPath(id),
    query,
    title: `${texts.title} ${tenderID}`,
    description: texts.description(tenderID),
    content,
    zoneName,
    section: "tenders",
    breadcrumbs: [
      { title: layout.tenders, path: "/tenders" },
      { title: tenderID, path: `/tenders/${id}` },
    ],
    alternateForms: [
      {
        type: "application/atom+xml",
        title: messagesIn(language).tender.forms.feed,
        path: localizedPath(`/tenders/${id}.atom`, language, site.defaultLanguage),
      },
    ],
    // Comparisons and older versions have too many addresses for search engines.
    ...((query !== "" || last.tender.mode === "test" || problems.length > 0) && { isUnlisted: true as const }),
  };
}
