import { VERSION } from "../../base/version.ts";
import type { Config } from "../../config/config.ts";
import { userText } from "../layout/components.ts";
import type { Language } from "../layout/languages.ts";
import { messagesIn } from "../layout/messages/messages.ts";
import type { TextSection } from "../layout/messages/uk/site.ts";
import type { PortalPage, PortalSite } from "../layout/portalPage.ts";
import { contactLink } from "../layout/siteFooter.ts";
import { html, insertMarkup, type Markup } from "../markup.ts";

/** The pages of texts about the site. Everything they say must be true of this server. */

/** What the texts depend on. */
export type TextPageContext = {
  readonly config: Pick<Config, "zone" | "logs" | "logsRequests">;
  readonly site: PortalSite;
  readonly language: Language;
};

/** `/about` */
export function aboutPage(context: TextPageContext): PortalPage {
  const { site, language } = context;
  const { about } = messagesIn(language).site;
  const operator = site.operator === undefined ? html`${about.operatorUnknown}` : userText(site.operator);
  const end = html`<h2>${about.operator}</h2>
<p>${operator}</p>
${contactParagraph(context)}<p>${about.version(VERSION)}</p>`;
  return textPage("/about", about, about.sections(site.name), end, context);
}

/** `/accessibility` */
export function accessibilityPage(context: TextPageContext): PortalPage {
  const { accessibility } = messagesIn(context.language).site;
  const end = html`<h2>${accessibility.contact}</h2>
<p>${accessibility.contactText}</p>
${contactParagraph(context)}`;
  return textPage("/accessibility", accessibility, accessibility.sections, end, context);
}

/** `/privacy` */
export function privacyPage(context: TextPageContext): PortalPage {
  const { privacy } = messagesIn(context.language).site;
  const { logs, logsRequests } = context.config;
  const logged = logsRequests
    ? html`<p>${privacy.logsOn(logs.addresses)}</p>
<p>${privacy.logsKept}</p>`
    : html`<p>${privacy.logsOff}</p>`;
  const end = html`<h2>${privacy.logs}</h2>
${logged}
<h2>${privacy.contact}</h2>
${contactParagraph(context)}`;
  return textPage("/privacy", privacy, privacy.sections, end, context);
}

function textPage(
  path: string,
  { title, description }: { readonly title: string; readonly description: string },
  sections: readonly TextSection[],
  end: Markup,
  { config, site }: TextPageContext,
): PortalPage {
  const content = html`<div class="prose">
<h1>${title}</h1>
${sections.map(renderSection)}${end}
</div>`;
  return {
    path,
    title,
    description,
    content,
    zoneName: config.zone.name,
    breadcrumbs: [{ title: site.name, path: "/" }],
  };
}

const renderSection = ({ heading, paragraphs }: TextSection): Markup => html`<h2>${heading}</h2>
${paragraphs.map((text) => html`<p>${text}</p>\n`)}`;

function contactParagraph({ site: { contact }, language }: TextPageContext): Markup {
  const { layout, site } = messagesIn(language);
  const text =
    contact === undefined ? html`${site.about.contactUnknown}` : insertMarkup(layout.contact, contactLink(contact));
  return html`<p>${text}</p>\n`;
}
