import type { RegistrationInput, UploadedFile } from "../domain/model/commands.ts";
import { allDocuments } from "../domain/replacement.ts";
import type { FileRecord, Files } from "../files/files.ts";
import type { Exchange } from "../http/exchange.ts";
import { type HttpResponse, singleErrorResponse } from "../http/responses.ts";
import type { AttemptResult, RegistryPort } from "../http/runCommand.ts";
import { FileTakenError } from "../store/store.ts";
import type { DocumentKeys, SignatureProblem } from "./documentKeys.ts";
import type { FormFile } from "./multipart.ts";
import type { Uploads } from "./uploads.ts";

/** What registering uploads needs: the uploads, the signatures of their addresses, the tender that may name them already. */
export type RegistrationPorts = RegistryPort & {
  readonly files: Pick<Files, "keep">;
  readonly uploads: Uploads;
  readonly documentKeys: DocumentKeys;
};

/** Documents whose files came by the document service: their addresses are checked, and their files taken over. */

const NOT_FROM_DOCUMENT_SERVICE = singleErrorResponse(
  403,
  "body",
  "url",
  "Can add document only from document service.",
  "not-from-document-service",
);
const UPLOAD_MISSING = singleErrorResponse(
  422,
  "body",
  "url",
  "Nothing was uploaded to this document url, or more than a day ago.",
  "upload-missing",
);
const HASH_REQUIRED = singleErrorResponse(422, "body", "hash", "This field is required.", "field-required");

const SIGNATURE_ERRORS: { readonly [problem in SignatureProblem]: HttpResponse } = {
  "unknown key": singleErrorResponse(422, "body", "url", "Document url expired.", "bad-signature"),
  "not base64": singleErrorResponse(422, "body", "url", "Document url signature invalid.", "bad-signature"),
  wrong: singleErrorResponse(422, "body", "url", "Document url invalid.", "bad-signature"),
};

/** The key of the upload that an address of the document service vouches for, or why it does not. */
function uploadKeyOf(
  { url = "", hash }: RegistrationInput,
  origin: string,
  keys: DocumentKeys,
): { readonly key: string } | { readonly refused: HttpResponse } {
  const [, key, queryText] =
    /^\/get\/([^/?#]+)\?([^#]*)$/.exec(url.startsWith(origin) ? url.slice(origin.length) : "") ?? [];
  const query = new URLSearchParams(queryText);
  const names = [...query.keys()].sort().join();
  if (key === undefined || names !== "KeyID,Signature") return { refused: NOT_FROM_DOCUMENT_SERVICE };
  if (hash === undefined) return { refused: HASH_REQUIRED };
  const value = hash.slice(hash.indexOf(":") + 1).toLowerCase();
  const problem = keys.signatureProblem(query, { for: "document", key, hash: value });
  return problem ? { refused: SIGNATURE_ERRORS[problem] } : { key };
}

export const uploadedFileOf = ({ title, format }: FormFile, { key, size, sha256, md5 }: FileRecord): UploadedFile => ({
  title,
  format,
  key,
  size,
  sha256,
  hash: `md5:${md5}`,
});

/** A recorded file that could not be moved is readable where it is, and a later sweep moves it. */
export const keepFile = ({ files }: { readonly files: Pick<Files, "keep"> }, key: string): Promise<void> =>
  files.keep(key).catch(() => {});

/** Makes the change that names these files; `newKeys` are those of files that no document has named before. */
type AttachUploads = (files: readonly UploadedFile[], newKeys: readonly string[]) => Promise<AttemptResult>;

/**
 * Takes over the uploads that these documents name: all of them in one change, or none. Nobody else names or sweeps any of
 * them meanwhile.
 */
export async function withUploads(
  exchange: Exchange<RegistrationPorts>,
  documents: readonly RegistrationInput[],
  attach: AttachUploads,
): Promise<HttpResponse> {
  const { ports, root } = exchange;
  const origin = root.replace(/\/api\/[^/]+$/, "");
  const keys: string[] = [];
  for (const document of documents) {
    const found = uploadKeyOf(document, origin, ports.documentKeys);
    if ("refused" in found) return found.refused;
    keys.push(found.key);
  }
  // Always in the same order, so that two requests that name the same uploads never wait for each other.
  const sortedKeys = [...new Set(keys)].sort();
  const work = () => attachUploads(exchange, keys, attach);
  return sortedKeys.reduceRight<() => Promise<HttpResponse>>(
    (next, key) => () => ports.uploads.withLock(key, next),
    work,
  )();
}

/** An upload becomes documents of one tender only: there it may be named again, as a new version is. */
async function attachUploads(
  exchange: Exchange<RegistrationPorts>,
  keys: readonly string[],
  attach: AttachUploads,
): Promise<HttpResponse> {
  const { ports } = exchange;
  const tender = (await ports.registry.tender(exchange.tender!.id))!;
  const attachedKeys = new Set(allDocuments(tender).map(({ document }) => document.key));
  const files: UploadedFile[] = [];
  const newKeys = new Set<string>();
  for (const key of keys) {
    const upload = await ports.uploads.find(key);
    if (!upload) return UPLOAD_MISSING;
    if (upload.isNamed && !attachedKeys.has(key)) return NOT_FROM_DOCUMENT_SERVICE;
    if (!upload.isNamed) newKeys.add(key);
    files.push(uploadedFileOf(upload, upload));
  }
  const result = await attach(files, [...newKeys]).catch((error) => {
    if (error instanceof FileTakenError) return undefined;
    throw error;
  });
  // Somebody named one by another server in this very moment; now that is known.
  if (!result) return attachUploads(exchange, keys, attach);
  if (result.isDone) {
    await Promise.all([...newKeys].map((key) => keepFile(ports, key)));
    ports.uploads.quota.allowRecount();
  }
  return result.response;
}
