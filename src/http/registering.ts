import type { RegistrationSent } from "../domain/commands.ts";
import { type Answer, failure } from "./answers.ts";
import type { DocumentKeys, SignatureProblem } from "./documentKeys.ts";
import type { ErrorRuleId } from "./errorRules.ts";

const refuse = (status: 403 | 422, name: "url" | "hash", description: string, rule: ErrorRuleId): Answer =>
  failure(status, [{ location: "body", name, description, rule }]);

export const NOT_FROM_SERVICE = refuse(
  403,
  "url",
  "Can add document only from document service.",
  "not-from-document-service",
);
export const NO_CONTENT = refuse(
  422,
  "url",
  "Nothing was uploaded to this document url, or more than a day ago.",
  "upload-missing",
);
const NO_HASH = refuse(422, "hash", "This field is required.", "field-required");

const SIGNATURE_ANSWERS: { readonly [problem in SignatureProblem]: Answer } = {
  "unknown key": refuse(422, "url", "Document url expired.", "bad-signature"),
  "not base64": refuse(422, "url", "Document url signature invalid.", "bad-signature"),
  wrong: refuse(422, "url", "Document url invalid.", "bad-signature"),
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
