import type { Document } from "../domain/model/tender.ts";

/** A document with the URL of its file, relative to the root of the API version. */
export type LinkedDocument = Document & { readonly url: string };

/** Adds the download URL to a document of the resource at `holderPath`. */
export const documentWithLink = (document: Document, holderPath: string): LinkedDocument => ({
  ...document,
  url: `${holderPath}/documents/${document.id}?download=${document.key}`,
});

/** Adds the download URLs to the documents of the resource at `holderPath`. */
export const documentsWithLinks = (documents: readonly Document[], holderPath: string): readonly LinkedDocument[] =>
  documents.map((document) => documentWithLink(document, holderPath));
