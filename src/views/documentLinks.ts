import type { Document } from "../domain/model/tender.ts";

/** A document with the address of its file, relative to the root of the API. */
export type LinkedDocument = Document & { readonly url: string };

/** Adds the download address of its file to a document of the resource at `holderPath`. */
export const documentWithLink = (document: Document, holderPath: string): LinkedDocument => ({
  ...document,
  url: `${holderPath}/documents/${document.id}?download=${document.key}`,
});

/** Adds the download addresses of their files to the documents of the resource at `holderPath`. */
export const documentsWithLinks = (documents: readonly Document[], holderPath: string): readonly LinkedDocument[] =>
  documents.map((document) => documentWithLink(document, holderPath));
