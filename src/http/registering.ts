import type { RegistrationSent } from "../domain/commands.ts";
import { type Answer, single } from "./answers.ts";
import type { DocumentKeys, SignatureProblem } from "./documentKeys.ts";

export const NOT_FROM_SERVICE = single(
  403,
  "body",
  "url",
  "Can add document only from document service.",
  "not-from-document-service",
);
export const NO_CONTENT = single(
  422,
  "body",
  "url",
  "Nothing was uploaded to this document url, or more than a day ago.",
  "upload-missing",
);
const NO_HASH = single(422, "body", "hash", "This field is required.", "field-required");

const SIGNATURE_ANSWERS: { readonly [problem in SignatureProblem]: Answer } = {
  "unknown key": single(422, "body", "url", "Document url expired.", "bad-signature"),
  "not base64": single(422, "body", "url", "Document url signature invalid.", "bad-signature"),
  wrong: single(422, "body", "url", "Document url invalid.", "bad-signature"),
};

/** The key of the upload that an address of the document service vouches for, or why it does not. */
export function keyOf(
  { url = "", hash }: RegistrationSent,
  origin: string,
  keys: DocumentKeys,
): { readonly key: string } | { readonly refused: Answer } {
  const [, key, asked] =
    /^\/get\/([^/?#]+)\?([^#]*)$/.exec(url.startsWith(origin) ? url.slice(origin.length) : "") ?? [];
  const query = new URLSearchParams(asked);
  const names = [...query.keys()].sort().join();
  if (key === undefined || names !== "KeyID,Signature") return { refused: NOT_FROM_SERVICE };
  if (hash === undefined) return { refused: NO_HASH };
  const problem = keys.problemWith(query, [key, hash.slice(hash.indexOf(":") + 1).toLowerCase()]);
  if (problem) return { refused: SIGNATURE_ANSWERS[problem] };
  return /^[0-9a-f]{32}$/.test(key) ? { key } : { refused: SIGNATURE_ANSWERS.wrong };
}
