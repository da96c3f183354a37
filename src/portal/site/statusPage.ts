import { VERSION } from "../../base/version.ts";
import { SEGMENTS } from "../../dialects/dialects.ts";
import type { Instant } from "../../domain/values/time.ts";
import type { Readiness } from "../../ops/readiness.ts";
import { notice, summaryList, tag, timeElement } from "../layout/components.ts";
import { machineTime } from "../layout/formats.ts";
import type { Language } from "../layout/languages.ts";
import { messagesIn } from "../layout/messages/messages.ts";
import type { PortalPage, PortalSite } from "../layout/portalPage.ts";
import { html, type Markup } from "../markup.ts";

/** What the page shows: nothing that only the operator may know. */
export type ServiceStatus = {
  readonly readiness: Readiness;
  readonly now: Instant;
  /** Undefined if nothing was published yet, or if the database cannot be asked. */
  readonly lastChangeAt: Instant | undefined;
  readonly zoneName: string;
};

/** `/status` */
export function statusPage(status: ServiceStatus, site: PortalSite, language: Language): PortalPage {
  const { status: texts } = messagesIn(language).site;
  const { readiness, now, lastChangeAt, zoneName } = status;
  const moment = (at: Instant): Markup =>
    html`${timeElement(at, "date and time", zoneName, language)} <span class="note">${machineTime(at)}</span>`;
  const content = html`<h1>${texts.title}</h1>
${notice(readiness.status === "ok" ? "success" : "warning", html`<p><strong>${texts[readiness.status]}</strong></p>`)}
<h2>${texts.parts}</h2>
${summaryList([
  ...partsOf(readiness, language),
  { term: texts.time, details: moment(now) },
  { term: texts.lastChange, details: lastChangeAt === undefined ? html`${texts.neverChanged}` : moment(lastChangeAt) },
  { term: texts.version, details: html`${VERSION}` },
  { term: texts.apiVersions, details: html`${SEGMENTS.toReversed().join(", ")}` },
])}
<p class="after-summary">${texts.programs} <a href="${site.basePath}/health/ready"><code>/health/ready</code></a></p>`;
  const { title, description } = texts;
  return { path: "/status", title, description, content, zoneName, breadcrumbs: [{ title: site.name, path: "/" }] };
}

function partsOf({ store, files, areAuctionsTimely }: Readiness, language: Language) {
  const { status: texts } = messagesIn(language).site;
  const state = (works: boolean, otherwise: string) => (works ? tag(texts.working, "open") : tag(otherwise, "ended"));
  return [
    { term: texts.store, details: state(store, texts.notWorking) },
    { term: texts.files, details: state(files, texts.notWorking) },
    ...(areAuctionsTimely === undefined
      ? []
      : [{ term: texts.auctions, details: state(areAuctionsTimely, texts.behind) }]),
  ];
}
