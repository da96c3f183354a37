import type { LinkedDocument } from "../../views/documentLinks.ts";
import type { OcdsObject } from "../ocdsValues.ts";
import type { ContentSettings } from "./contentContext.ts";
import { compact, dateOf, textsOf, webAddressOf } from "./fieldValues.ts";

/**
 * The documents of an object. The versions of a document have one id, so OCDS shows the newest; the earlier ones were shown by earlier
 * releases.
 */
export function documentList(documents: readonly LinkedDocument[], settings: ContentSettings): readonly OcdsObject[] {
  const newest = new Map(documents.map((document) => [document.id, document]));
  return [...newest.values()].map((document) => documentOf(document, settings));
}

/**
 * The type of a document as a code of OCDS, if it has one of the same meaning: a contract draft is "a draft or pro-forma copy of the
 * contract". Other codes stay as they are; our extension adds them to the codelist.
 */
export const documentTypeOf = (documentType: string | undefined): string | undefined =>
  documentType === "contractProforma" ? "contractDraft" : documentType;

const documentOf = (document: LinkedDocument, { apiRoot }: ContentSettings): OcdsObject =>
  compact({
    id: document.id,
    documentType: documentTypeOf(document.documentType),
    ...textsOf(document, "title", "description"),
    url: webAddressOf(apiRoot + document.url),
    datePublished: dateOf(document.datePublished),
    dateModified: dateOf(document.dateModified),
    format: document.format,
    language: document.language,
    relatedLots: document.documentOf === "lot" && document.relatedItem ? [document.relatedItem] : undefined,
    relatedItem: document.documentOf === "item" ? document.relatedItem : undefined,
  });
