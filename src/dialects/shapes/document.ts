import * as domain from "../../domain/model/tender.ts";
import { DOCUMENT_TYPES } from "../documentTypes.ts";
import {
  alwaysPresent,
  arrayOf,
  field,
  instant,
  link,
  oneOf,
  readOnly,
  type ShapeOf,
  text,
  translated,
} from "../fields.ts";
import { EXAMPLE_IDS } from "./exampleIds.ts";

type DocumentShown = Omit<domain.Document, "key" | "sha256" | "size"> & {
  url: string;
  previousVersions: readonly domain.Document[];
};

const Document: ShapeOf<DocumentShown> = {
  id: alwaysPresent(
    text,
    "Identifies the document in paths: 32 hex digits, the same for all its versions. Assigned by the service.",
    EXAMPLE_IDS.document,
  ),
  ...translated("title", "Name of the file, without a path. Set by the upload; can be changed later.", [
    "menu.txt",
    "меню.txt",
  ]),
  ...translated("description", "What the document is about. Set by the uploader.", [
    "Menu for the first four weeks",
    "Меню на первые четыре недели",
  ]),
  format: field(text, "Media type of the file. Set by the upload; can be changed later.", "text/plain"),
  url: alwaysPresent(
    link,
    "Address of this version of the file. Set by the service; the parameter `download` holds a key that stays valid when a newer " +
      "version is uploaded.",
    `/tenders/${EXAMPLE_IDS.tender}/documents/${EXAMPLE_IDS.document}?download=${EXAMPLE_IDS.documentKey}`,
  ),
  hash: readOnly(
    text,
    "Checksum of the file, `md5:` and 32 hex digits. Computed by the service while it receives the file.",
    "md5:3f71ad7361a34c6a2f7be9d4430b51f2",
  ),
  datePublished: alwaysPresent(
    instant,
    "Time of the first upload; later versions keep it. Set by the service.",
    "2026-11-16T10:20:00.731204+02:00",
  ),
  dateModified: alwaysPresent(
    instant,
    "Time at which this version was uploaded; a PATCH does not change it. Set by the service.",
    "2026-11-16T10:20:00.731204+02:00",
  ),
  author: readOnly(
    text,
    "Role that uploaded the document, which alone may change it: `tender_owner`, `complaint_owner` or the group of the key. Set " +
      "by the service on documents of tenders, awards and complaints.",
    "tender_owner",
  ),
  language: field(text, "Language of the document, usually as in ISO 639-1. Not checked. Set by the uploader.", "uk"),
  documentType: field(
    oneOf(DOCUMENT_TYPES),
    "What kind of document it is. Set by the uploader.",
    "technicalSpecifications",
  ),
  documentOf: field(
    oneOf(domain.SUBJECT_KINDS),
    "What the document describes. Set by the uploader, `tender` if absent.",
    "tender",
  ),
  relatedItem: field(
    text,
    "`id` of the item or the lot, if `documentOf` is `item` or `lot`. Set by the uploader.",
    EXAMPLE_IDS.item,
  ),
  previousVersions: {
    ...readOnly(
      arrayOf("Document"),
      "Earlier versions, oldest first. Shown by GET of one document only, also when there are none.",
    ),
    evenEmpty: true,
  },
};

export const documentShapes = {
  Document,
  /** A document whose file is with the document service: its address and its hash are sent, not found out. */
  Registration: {
    ...Document,
    url: field(
      text,
      "Signed address that the document service returned for the file as `data.url`. Required; set by the uploader.",
      `https://tenderhall.example/get/${EXAMPLE_IDS.documentKey}?KeyID=a8968c46&Signature=vhxeNkZ6pvlqx1RzWqD3X1tL0gGz2zX0m8O%252BvTqYCQ%253D%253D`,
    ),
    hash: field(
      text,
      "Checksum that the document service returned, `md5:` and 32 hex digits. Required; set by the uploader.",
      "md5:3f71ad7361a34c6a2f7be9d4430b51f2",
    ),
  },
};
