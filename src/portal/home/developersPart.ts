import { hashOf } from "../../base/secrets.ts";
import { shellQuoted } from "../../base/shell.ts";
import type { Config } from "../../config/config.ts";
import { CURRENT_SEGMENT } from "../../dialects/dialects.ts";
import type { Instant } from "../../domain/values/time.ts";
import { firstTenderCommand } from "../../http/firstTender.ts";
import { DOCUMENTATION_LANGUAGE, type Language } from "../layout/languages.ts";
import { messagesIn } from "../layout/messages/messages.ts";
import type { PortalSite } from "../layout/portalPage.ts";
import { withoutControlCharacters } from "../layout/shortText.ts";
import { EMPTY_MARKUP, html, insertMarkup, type Markup } from "../markup.ts";

/** The section of the first page for developers: where to read on, and the first step. */

const SANDBOX_KEY = "broker";
/** The server that commands use without --url. */
const DEFAULT_ORIGIN = "http://127.0.0.1:8080";

/** What the section depends on. */
export type DevelopersContext = {
  readonly config: Pick<Config, "sandbox" | "accounts">;
  readonly site: PortalSite;
  readonly language: Language;
  readonly now: Instant;
  readonly isEmpty: boolean;
};

export function renderDevelopersPart(context: DevelopersContext): Markup {
  const { config, site, language, isEmpty } = context;
  const { home } = messagesIn(language);
  // A sandbox with its own accounts does not know the public keys.
  const hasKnownKey = config.sandbox && config.accounts.has(hashOf(SANDBOX_KEY));
  const { basePath } = site;
  const api = `${basePath}/api/${CURRENT_SEGMENT}`;
  const english = language === DOCUMENTATION_LANGUAGE ? EMPTY_MARKUP : html` hreflang="${DOCUMENTATION_LANGUAGE}"`;
  return html`<section class="developers" aria-labelledby="developers">
<h2 id="developers">${home.developers}</h2>
<p>${home.developersText}</p>
<ul class="links" role="list">
<li><a href="${basePath}/docs"${english}>${home.documentation}</a></li>
<li><a href="${basePath}/docs/api/${CURRENT_SEGMENT}"${english}>${home.reference}</a></li>
<li><a href="${api}/tenders?descending=1&amp;opt_pretty=1">${home.feed}</a></li>
<li><a href="${api}/openapi.json">${home.openapi}</a></li>
</ul>
${hasKnownKey ? publishingStep(context) : html`<p>${home.keyNeeded}</p>`}
${hasKnownKey && isEmpty ? fillingStep(context) : EMPTY_MARKUP}
</section>`;
}

function publishingStep({ site, language, now }: DevelopersContext): Markup {
  const { home } = messagesIn(language);
  const command = firstTenderCommand(withoutControlCharacters(site.origin), SANDBOX_KEY, now);
  const english = language === DOCUMENTATION_LANGUAGE ? EMPTY_MARKUP : html` hreflang="${DOCUMENTATION_LANGUAGE}"`;
  return html`<h3>${home.publish}</h3>
<p>${insertMarkup(home.publishText, html`<code>${SANDBOX_KEY}</code>`)}</p>
<pre class="command"><code>${command}</code></pre>
<p class="quiet">${home.publishNote} <a href="${site.basePath}/docs/guides/first-tender"${english}>${home.guide}</a></p>`;
}

/** Suggests to fill an empty sandbox with demo tenders. */
function fillingStep({ site: { origin }, language }: DevelopersContext): Markup {
  const { home } = messagesIn(language);
  const urlOption = origin === DEFAULT_ORIGIN ? "" : ` --url ${shellQuoted(withoutControlCharacters(origin))}`;
  return html`<h3>${home.fill}</h3>
<p>${home.fillText}</p>
<pre class="command"><code>npx --no-install tenderhall demo${urlOption}</code></pre>`;
}
