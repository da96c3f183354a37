import type { RegistrationInput, SubmittedFile } from "../model/commands.ts";
import type { Problem } from "../model/refusals.ts";
import { problem } from "../model/refusals.ts";
import type { Document, Tender } from "../model/tender.ts";
import { checkRequired, checkSubject } from "../validation.ts";
import type { Instant } from "../values/time.ts";

/** Creating and checking versions of documents, whatever object they belong to. */

/** The first version of a document. */
export const newDocument = (submitted: SubmittedFile, at: Instant, newId: () => string): Document => ({
  documentOf: "tender",
  ...newVersion(submitted, at),
  id: newId(),
  datePublished: at,
});

/** The fields of a new version. Where the registration and the file disagree, such as about the title, the registration wins. */
export function newVersion({ file, registration }: SubmittedFile, at: Instant) {
  const { url, hash, ...metadata } = registration?.fields ?? {};
  return { ...file, ...metadata, dateModified: at };
}

/** The problems of a document's metadata: title, format and the item or lot that it is about. */
export function checkDocument(document: Partial<Document>, tender: Tender): Problem[] {
  const badFormat = document.format !== undefined && !/^[-\w]+\/[-.+\w]+$/.test(document.format);
  return [
    ...checkRequired(document, [], "title", "format"),
    ...(badFormat ? [problem(["format"], "String value did not match validation regex.", "media-type-format")] : []),
    ...checkSubject(document.documentOf, document.relatedItem, ["relatedItem"], tender),
  ];
}

/** The problems of a registration. For a new version, the second argument is the version before, whose subject is the default. */
export function checkRegistration(
  fields: RegistrationInput,
  { documentOf, relatedItem }: Partial<Document> = {},
  tender: Tender,
): Problem[] {
  const { url, hash, ...metadata } = fields;
  return [
    ...checkDocument({ documentOf, relatedItem, ...metadata }, tender),
    ...checkRequired({ url }, [], "url"),
    ...checkHash(hash),
  ];
}

const HASH_DIGITS: { readonly [algorithm: string]: number } = {
  md5: 32,
  sha1: 40,
  sha224: 56,
  sha256: 64,
  sha384: 96,
  sha512: 128,
};

function checkHash(hash: string | undefined): Problem[] {
  if (hash === undefined) return [];
  const hashProblem = (message: string) => [problem(["hash"], message, "hash-format", "shape")];
  const [, algorithm, value = ""] = /^([^:]*):(.*)$/s.exec(hash) ?? [];
  if (algorithm === undefined || !Object.hasOwn(HASH_DIGITS, algorithm))
    return hashProblem("Hash type is not supported.");
  if (value.length !== HASH_DIGITS[algorithm]) return hashProblem("Hash value is wrong length.");
  return /^[0-9a-f]+$/i.test(value) ? [] : hashProblem("Hash value is not hexadecimal.");
}
