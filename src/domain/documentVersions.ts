import type { RegistrationInput, SubmittedFile } from "./model/commands.ts";
import type { Problem } from "./model/refusals.ts";
import { problem } from "./model/refusals.ts";
import type { Document, Tender } from "./model/tender.ts";
import { checkRequired, checkSubject } from "./validation.ts";
import type { Instant } from "./values/time.ts";

/** What a version of a document must be and how one is made, whatever it is a document of. */

/** A new document: the same whether it is added to an object or comes with a new one. */
export const newDocument = (submitted: SubmittedFile, at: Instant, newId: () => string): Document => ({
  documentOf: "tender",
  ...newVersion(submitted, at),
  id: newId(),
  datePublished: at,
});

/** What is said of a file counts more than what came with it. */
export function newVersion({ file, registration }: SubmittedFile, at: Instant) {
  const { url, hash, ...metadata } = registration?.fields ?? {};
  return { ...file, ...metadata, dateModified: at };
}

export function checkDocument(document: Partial<Document>, tender: Tender): Problem[] {
  const badFormat = document.format !== undefined && !/^[-\w]+\/[-.+\w]+$/.test(document.format);
  return [
    ...checkRequired(document, [], "title", "format"),
    ...(badFormat ? [problem(["format"], "String value did not match validation regex.", "media-type-format")] : []),
    ...checkSubject(document.documentOf, document.relatedItem, ["relatedItem"], tender),
  ];
}

/** An address without a file says nothing; what a new version leaves unsaid is as it was. */
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
  const [, algorithm, value] = /^([^:]*):(.*)$/s.exec(hash) ?? [];
  if (algorithm === undefined || !Object.hasOwn(HASH_DIGITS, algorithm))
    return hashProblem("Hash type is not supported.");
  if (value!.length !== HASH_DIGITS[algorithm]) return hashProblem("Hash value is wrong length.");
  return /^[0-9a-f]+$/i.test(value!) ? [] : hashProblem("Hash value is not hexadecimal.");
}
