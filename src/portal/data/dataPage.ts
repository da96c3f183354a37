import type { OpenDataSettings } from "../../config/openDataSettings.ts";
import { ALL, type BulkFile, type BulkState } from "../../opendata/bulk/bulkState.ts";
import { dataTable, notice, summaryList, timeElement, userText } from "../layout/components.ts";
import { fileSizeText } from "../layout/fileSize.ts";
import { formatNumber } from "../layout/formats.ts";
import { DOCUMENTATION_LANGUAGE, type Language } from "../layout/languages.ts";
import { messagesIn } from "../layout/messages/messages.ts";
import type { PortalPage, PortalSite } from "../layout/portalPage.ts";
import { EMPTY_MARKUP, html, type Markup } from "../markup.ts";

/** What the page of open data shows. */
export type DataView = {
  readonly settings: OpenDataSettings;
  /** Undefined until there are files. */
  readonly state: BulkState | undefined;
  readonly site: PortalSite;
  readonly language: Language;
  readonly zoneName: string;
};

/** `/data` */
export function dataPage(view: DataView): PortalPage {
  const { site, language, zoneName } = view;
  const { data: texts } = messagesIn(language);
  const { title, description } = texts;
  const content = html`<h1>${title}</h1>
<p class="lead">${texts.lead}</p>
${factsOf(view)}
<h2 class="after-summary">${texts.forPrograms}</h2>
<ul>
<li><a href="${site.basePath}/ocds/releases"><code>/ocds/releases</code></a>: ${texts.releases}</li>
<li><a href="${site.basePath}/ocds/records"><code>/ocds/records</code></a>: ${texts.records}</li>
${view.state === undefined || view.state.upTo === 0 ? EMPTY_MARKUP : html`<li><a href="${site.basePath}/data/manifest.json"><code>/data/manifest.json</code></a>: ${texts.manifest}</li>\n`}<li><a href="${site.basePath}/docs/guides/use-the-data"${language === DOCUMENTATION_LANGUAGE ? EMPTY_MARKUP : html` hreflang="${DOCUMENTATION_LANGUAGE}"`}>${texts.guide}</a></li>
</ul>
<h2>${texts.files}</h2>
${filesOf(view)}`;
  return { path: "/data", title, description, content, zoneName, breadcrumbs: [{ title: site.name, path: "/" }] };
}

function factsOf({ settings, state, language, zoneName }: DataView): Markup {
  const { data: texts } = messagesIn(language);
  const { publisher, license, policy } = settings;
  const link = (address: string) => html`<a href="${address}">${address}</a>`;
  return summaryList([
    { term: texts.publisher, details: userText(publisher) },
    { term: texts.licenseTerm, details: license === undefined ? html`${texts.noLicense}` : link(license) },
    ...(policy === undefined ? [] : [{ term: texts.policy, details: link(policy) }]),
    ...(state && state.upTo > 0
      ? [{ term: texts.updated, details: timeElement(state.upTo, "date and time", zoneName, language) }]
      : []),
  ]);
}

/** The files of the whole registry, and those of the months, latest first. */
function filesOf(view: DataView): Markup {
  const { state, language } = view;
  const { data: texts } = messagesIn(language);
  const byPeriod = Map.groupBy(state?.files ?? [], ({ period }) => period);
  const whole = byPeriod.get(ALL);
  if (!whole) return notice("information", html`<p>${texts.none}</p>`);
  const months = [...byPeriod.keys()]
    .filter((period) => period !== ALL)
    .toSorted()
    .toReversed();
  const monthly = months.map((month) => {
    const files = byPeriod.get(month) ?? [];
    const count = texts.fileCount(formatNumber(files.length, language), files.length);
    return html`<details><summary>${texts.month(month)} <span class="note">${count}</span></summary>
${tableOf(view, texts.month(month), files)}
</details>
`;
  });
  return html`${tableOf(view, texts.whole, whole)}
<h3>${texts.earlier}</h3>
${monthly}`;
}

function tableOf(view: DataView, caption: string, files: readonly BulkFile[]): Markup {
  const { site, language, zoneName } = view;
  const { data: texts } = messagesIn(language);
  return dataTable(
    caption,
    [
      { title: texts.file },
      { title: texts.contents },
      { title: texts.size, isNumber: true },
      { title: texts.lines, isNumber: true },
      { title: texts.date },
      { title: texts.checksum },
    ],
    files.map(({ name, kind, bytes, lines, date, sha256 }) => [
      html`<a href="${site.basePath}/data/${name}" download>${name}</a>`,
      html`${texts.kinds[kind]}`,
      html`${fileSizeText(bytes, language)}`,
      html`${formatNumber(lines, language)}`,
      timeElement(date, "date and time", zoneName, language),
      html`<code>${breakable(sha256)}</code>`,
    ]),
  );
}

/** A long text that may be broken after every eight characters. */
const breakable = (text: string): readonly Markup[] => (text.match(/.{1,8}/g) ?? []).map((part) => html`${part}<wbr>`);
