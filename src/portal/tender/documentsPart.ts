import { CURRENT_SEGMENT } from "../../dialects/dialects.ts";
import type { LinkedDocument } from "../../views/documentLinks.ts";
import { userText } from "../layout/components.ts";
import { fileSizeText } from "../layout/fileSize.ts";
import { nameOf } from "../layout/nameOf.ts";
import { shortText } from "../layout/shortText.ts";
import { textIn } from "../layout/textIn.ts";
import { EMPTY_MARKUP, html, type Markup } from "../markup.ts";
import { cutList, sectionOf } from "./sectionPart.ts";
import { aboutSubject, momentOf, namesOf, type TenderScreen, TITLE_LENGTH_MAX, textsOf } from "./tenderScreen.ts";

/** Documents with type, size, checksums and earlier versions. */

/** A document: its latest version, and the earlier ones, latest first. */
type VersionedDocument = { readonly latest: LinkedDocument; readonly earlier: readonly LinkedDocument[] };

/** Groups versions of the same document; they are in the order of upload. */
function versionedDocuments(documents: readonly LinkedDocument[]): readonly VersionedDocument[] {
  return [...Map.groupBy(documents, ({ id }) => id).values()].flatMap((versions) => {
    const [latest, ...earlier] = versions.toReversed();
    return latest ? [{ latest, earlier }] : [];
  });
}

/** The documents of the tender itself. */
export function renderDocumentsPart(screen: TenderScreen): Markup {
  const documents = versionedDocuments(screen.tender.documents);
  if (documents.length === 0) return EMPTY_MARKUP;
  const { shown, after } = cutList(screen, "documents", documents);
  return sectionOf(screen, "documents", html`${documentItems(screen, shown)}${after}`);
}

/** How many documents the tender itself has, whatever the number of their versions. */
export const documentCountOf = ({ documents }: TenderScreen["tender"]): number =>
  new Set(documents.map(({ id }) => id)).size;

/** More documents than this of a bid, an award or a complaint are collapsed. */
const OPEN_MAX = 3;
/** More than this are not listed on the page of the whole tender. */
const LISTED_MAX = 50;

/** The documents of a part of the tender, collapsed if there are many; nothing if there are none. */
export function renderAttachedDocuments(screen: TenderScreen, documents: readonly LinkedDocument[]): Markup {
  const grouped = versionedDocuments(documents);
  if (grouped.length === 0) return EMPTY_MARKUP;
  const items = documentItems(screen, grouped.slice(0, LISTED_MAX));
  if (grouped.length <= OPEN_MAX) return items;
  return html`<details><summary>${textsOf(screen).sections.documents}: ${grouped.length}</summary>
${items}</details>`;
}

const documentItems = (screen: TenderScreen, documents: readonly VersionedDocument[]): Markup =>
  html`<ul class="documents" role="list">
${documents.map((document) => documentItem(screen, document))}</ul>
`;

function documentItem(screen: TenderScreen, { latest, earlier }: VersionedDocument): Markup {
  const texts = textsOf(screen).documents;
  const { documentType, documentOf, relatedItem } = latest;
  const about = aboutSubject(screen, documentOf, relatedItem);
  const type =
    documentType === undefined ? EMPTY_MARKUP : html`${nameOf(namesOf(screen).documentTypes, documentType)} · `;
  const versions =
    earlier.length === 0
      ? EMPTY_MARKUP
      : html`<details><summary>${texts.versions(earlier.length)}</summary>
<ol class="documents" role="list">
${earlier.slice(0, LISTED_MAX).map((version) => html`<li>${versionLine(screen, version)}</li>\n`)}</ol></details>`;
  return html`<li>${versionLine(screen, latest, type)}${about === undefined ? EMPTY_MARKUP : html`<span class="note">${about}</span>`}${versions}</li>
`;
}

function versionLine(screen: TenderScreen, document: LinkedDocument, type: Markup = EMPTY_MARKUP): Markup {
  const texts = textsOf(screen).documents;
  const title = shortText(textIn(screen.language, document, "title") ?? texts.untitled, TITLE_LENGTH_MAX);
  const { size, dateModified, format, hash, sha256, url } = document;
  const href = `${screen.site.basePath}/api/${CURRENT_SEGMENT}${url}`;
  const isGone = screen.past !== undefined && !screen.past.presentFiles.has(document.key);
  const name = isGone ? userText(title) : html`<a href="${href}" rel="nofollow">${userText(title)}</a>`;
  return html`${name}
<span class="note">${type}${fileSizeText(size, screen.language)} · <bdi>${shortText(format, FORMAT_LENGTH_MAX)}</bdi> · ${momentOf(screen, dateModified)}</span>
<details class="hashes"><summary>${texts.hashes}</summary>
<code>SHA-256 ${sha256}</code><br><code>${hash}</code></details>`;
}

const FORMAT_LENGTH_MAX = 100;
