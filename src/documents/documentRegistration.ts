import { bidsToView } from "../domain/bids/bidSelection.ts";
import type { Actor } from "../domain/model/actors.ts";
import type { RegistrationInput, UploadedFile } from "../domain/model/commands.ts";
import type { Tender } from "../domain/model/tender.ts";
import { allDocuments } from "../domain/tender/replacement.ts";
import type { FileRecord, Files } from "../files/files.ts";
import { type Exchange, requireTender } from "../http/exchange.ts";
import { type HttpResponse, singleErrorResponse } from "../http/responses.ts";
import type { AttemptResult, RegistryPort } from "../http/runCommand.ts";
import type { Registry } from "../registry/registry.ts";
import { FileTakenError } from "../store/store.ts";
import type { DocumentKeys, SignatureProblem } from "./documentKeys.ts";
import type { FormFile } from "./multipart.ts";
import type { Uploads } from "./uploads.ts";

/** The ports for attaching uploads of the document service to a tender. */
export type RegistrationPorts = RegistryPort & {
  readonly files: Pick<Files, "keep">;
  readonly uploads: Uploads;
  readonly documentKeys: DocumentKeys;
};

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

/** The key of the upload that a signed URL of the document service names, or the error response if the URL is not valid. */
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

/** The file of a new document, as the domain takes it. */
export const uploadedFileOf = ({ title, format }: FormFile, { key, size, sha256, md5 }: FileRecord): UploadedFile => ({
  title,
  format,
  key,
  size,
  sha256,
  hash: `md5:${md5}`,
});

/** Marks the file of a document as permanent. A failure does no harm: the file can be read where it is, and a later sweep moves it. */
export const keepFile = ({ files }: { readonly files: Pick<Files, "keep"> }, key: string): Promise<void> =>
  files.keep(key).catch(() => {});

/** Makes the change that attaches these files. `newKeys` are the keys of those that no document has used before. */
type AttachUploads = (files: readonly UploadedFile[], newKeys: readonly string[]) => Promise<AttemptResult>;

/**
 * Attaches the uploads that these documents name: all of them in one change, or none. Holds the locks of the uploads meanwhile, so
 * that no other request of this process attaches them and no sweep removes them.
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
  // Always in the same order, so that two requests for the same uploads cannot deadlock.
  const sortedKeys = [...new Set(keys)].sort();
  const work = () => attachUploads(exchange, keys, attach);
  return sortedKeys.reduceRight<() => Promise<HttpResponse>>(
    (next, key) => () => ports.uploads.withLock(key, next),
    work,
  )();
}

/**
 * The keys of the documents of a tender and of its bids; of sealed bids, only those of the account, for whom others do not exist. They
 * are read only if needed, as a new upload is attached nowhere.
 */
function openAttachedKeys(registry: Registry, loaded: Tender, { account }: Actor): () => Promise<ReadonlySet<string>> {
  let keys: ReadonlySet<string> | undefined;
  return async () => {
    if (keys) return keys;
    const isOwnOnly = bidsToView(loaded) === "none" && account !== undefined;
    const tender = (await registry.tender(loaded.id, isOwnOnly ? { owner: account.name } : undefined)) ?? loaded;
    keys = new Set(allDocuments(tender).map(({ document }) => document.key));
    return keys;
  };
}

/** An upload can be attached to one tender only; there it may be used again, for example as a new version. */
async function attachUploads(
  exchange: Exchange<RegistrationPorts>,
  keys: readonly string[],
  attach: AttachUploads,
): Promise<HttpResponse> {
  const { ports } = exchange;
  const loaded = requireTender(exchange);
  // Read again, because other uploads may have been attached while this request waited for its locks.
  const attachedKeys = openAttachedKeys(ports.registry, loaded, exchange.actor);
  const files: UploadedFile[] = [];
  const newKeys = new Set<string>();
  for (const key of keys) {
    const upload = await ports.uploads.find(key);
    if (!upload) return UPLOAD_MISSING;
    if (upload.isAttached && !(await attachedKeys()).has(key)) return NOT_FROM_DOCUMENT_SERVICE;
    if (!upload.isAttached) newKeys.add(key);
    files.push(uploadedFileOf(upload, upload));
  }
  const result = await attach(files, [...newKeys]).catch((error) => {
    if (error instanceof FileTakenError) return undefined;
    throw error;
  });
  // Another server has attached one of them in between: check again.
  if (!result) return attachUploads(exchange, keys, attach);
  if (result.isDone) {
    await Promise.all([...newKeys].map((key) => keepFile(ports, key)));
    ports.uploads.quota.allowRecount();
  }
  return result.response;
}
