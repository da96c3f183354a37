import { type HttpResponse, toCachedBody } from "../../http/responses.ts";
import { escapeXml } from "../feeds/xml.ts";
import { type Language, localizedPath } from "../layout/languages.ts";
import { messagesIn } from "../layout/messages/messages.ts";
import type { PortalSite } from "../layout/portalPage.ts";

/** OpenSearch limits the short name to so many characters. */
const SHORT_NAME_LENGTH_MAX = 16;

/** `/opensearch.xml`, with which browsers can search tenders from their address bar. */
export function opensearchResponse(site: PortalSite, language: Language): HttpResponse {
  const { origin, name, contact, defaultLanguage } = site;
  const search = `${origin}${localizedPath("/tenders", language, defaultLanguage)}`;
  const email = contact?.startsWith("mailto:") ? contact.slice("mailto:".length) : undefined;
  const xml = `<?xml version="1.0" encoding="UTF-8"?>
<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/">
<ShortName>${escapeXml([...name].slice(0, SHORT_NAME_LENGTH_MAX).join(""))}</ShortName>
<Description>${escapeXml(messagesIn(language).site.opensearch(name))}</Description>
${email === undefined ? "" : `<Contact>${escapeXml(email)}</Contact>\n`}<Url type="text/html" template="${escapeXml(search)}?q={searchTerms}"/>
<Url type="application/atom+xml" template="${escapeXml(search)}.atom?q={searchTerms}"/>
<Image width="16" height="16" type="image/svg+xml">${escapeXml(origin)}/favicon.ico</Image>
<Language>${language}</Language>
<InputEncoding>UTF-8</InputEncoding>
<OutputEncoding>UTF-8</OutputEncoding>
</OpenSearchDescription>
`;
  return {
    status: 200,
    headers: {
      "Content-Type": "application/opensearchdescription+xml; charset=UTF-8",
      "Cache-Control": "public, max-age=3600",
    },
    text: toCachedBody(xml),
  };
}
