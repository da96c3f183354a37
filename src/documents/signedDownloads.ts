import type { Document, Tender } from "../domain/model/tender.ts";
import { allDocuments } from "../domain/tender/replacement.ts";
import { type Instant, SECOND } from "../domain/values/time.ts";
import { NOT_FOUND } from "../http/errorResponses.ts";
import { type Exchange, requireParam } from "../http/exchange.ts";
import { type HttpResponse, singleErrorResponse } from "../http/responses.ts";
import type { RegistryPort } from "../http/runCommand.ts";
import type { DocumentKeys, SignatureProblem, SignaturePurpose } from "./documentKeys.ts";
import { type DownloadPorts, download } from "./downloads.ts";
import type { Uploads } from "./uploads.ts";

/** Short-lived signed URLs of the document service. Each gives access to one file, without an API key. */

/** The ports for signing and checking URLs. */
export type SignedUrlPorts = { readonly documentKeys: DocumentKeys; readonly clock: () => Instant };

/** The ports for serving the files of signed URLs. */
export type SignedDownloadPorts = SignedUrlPorts & DownloadPorts & RegistryPort & { readonly uploads: Uploads };

const DOWNLOAD_SECONDS = 300;

/** The parameter `Prefix`, which names the document of the file. */
const prefixOf = (tender: string, document: string): string => `${tender}/${document}`;

/** A URL that gives access to the file for 300 seconds. `prefix` is `TENDER/DOCUMENT`; empty for an upload that is not attached. */
export function signedDownloadUrl(
  { documentKeys, clock }: SignedUrlPorts,
  origin: string,
  key: string,
  prefix = "",
): string {
  const expires = String(Math.ceil(clock() / SECOND) + DOWNLOAD_SECONDS);
  const urlParams = { Expires: expires, ...(prefix && { Prefix: prefix }) };
  return documentKeys.signUrl(`${origin}/get/${key}`, { for: "download", key, expires, prefix }, urlParams);
}

/** Redirects to a signed URL for this version of a document. The caller has checked that the reader may see it. */
export function redirectToDownload(
  { ports, root }: Pick<Exchange<SignedUrlPorts>, "ports" | "root">,
  tender: string,
  { id, key }: Document,
): HttpResponse {
  const origin = root.replace(/\/api\/[^/]+$/, "");
  const Location = signedDownloadUrl(ports, origin, key, prefixOf(tender, id));
  // The URL may give access to a document of a sealed bid, so no cache may store it.
  return { status: 302, headers: { Location, "Cache-Control": "no-store" } };
}

const SIGNATURE_ERRORS: { readonly [problem in SignatureProblem]: HttpResponse } = {
  "unknown key": singleErrorResponse(403, "url", "KeyID", "Key Id does not exist", "bad-signature"),
  "not base64": singleErrorResponse(403, "url", "Signature", "Signature invalid", "bad-signature"),
  wrong: singleErrorResponse(403, "url", "Signature", "Signature does not match", "bad-signature"),
};

/** The 403 response if the signature in the query is not valid for this purpose. */
export function checkSignature(
  { ports, query }: Pick<Exchange<SignedUrlPorts>, "ports" | "query">,
  purpose: SignaturePurpose,
): HttpResponse | undefined {
  const problem = ports.documentKeys.signatureProblem(query, purpose);
  return problem && SIGNATURE_ERRORS[problem];
}

/** Serves the file to anyone with a signed URL for it, until the URL expires. */
export async function serveContent(exchange: Exchange<SignedDownloadPorts>): Promise<HttpResponse> {
  const { ports, query } = exchange;
  const key = requireParam(exchange, "key");
  const expires = query.get("Expires");
  const prefix = query.get("Prefix") ?? "";
  const purpose: SignaturePurpose =
    expires === null ? { for: "content", key } : { for: "download", key, expires, prefix };
  const signatureError = checkSignature(exchange, purpose);
  if (signatureError) return signatureError;
  const until = expires === null ? undefined : Number(expires) * SECOND;
  if (until !== undefined && until < ports.clock())
    return singleErrorResponse(403, "url", "Expires", "Request has expired", "link-expired", { window: { until } });
  const version = prefix === "" ? await uploadAt(ports, key) : await versionAt(ports, prefix, key);
  return version ? download(exchange, version) : NOT_FOUND("key");
}

async function uploadAt({ uploads }: Pick<SignedDownloadPorts, "uploads">, key: string) {
  const upload = await uploads.find(key);
  return upload && { ...upload, id: key };
}

async function versionAt({ registry }: RegistryPort, prefix: string, key: string): Promise<Document | undefined> {
  const [tenderId = "", documentId] = prefix.split("/");
  const versionIn = (tender: Tender | undefined): Document | undefined =>
    tender && allDocuments(tender).find(({ document }) => document.id === documentId && document.key === key)?.document;
  // The link may be that of a sealed bid, which its owner has.
  return versionIn(await registry.tender(tenderId)) ?? versionIn(await registry.tender(tenderId, "all"));
}
