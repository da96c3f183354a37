import type { Document } from "../domain/model/tender.ts";
import { allDocuments } from "../domain/replacement.ts";
import { type Instant, SECOND } from "../domain/values/time.ts";
import type { Exchange } from "../http/exchange.ts";
import { type HttpResponse, NOT_FOUND, singleErrorResponse } from "../http/responses.ts";
import type { RegistryPort } from "../http/runCommand.ts";
import type { DocumentKeys, SignatureProblem, SignaturePurpose } from "./documentKeys.ts";
import { type DownloadPorts, download } from "./downloads.ts";
import type { Uploads } from "./uploads.ts";

/** What signed addresses need; whoever serves them also needs the files. */
export type SignedAddressPorts = { readonly documentKeys: DocumentKeys; readonly clock: () => Instant };
export type SignedDownloadPorts = SignedAddressPorts & DownloadPorts & RegistryPort & { readonly uploads: Uploads };

/** Short-lived signed addresses of the document service, each for one file; they need no key. */

const DOWNLOAD_SECONDS = 300;

/** The document whose version is meant, written as `TENDER/DOCUMENT`; none for an upload that waits for its document. */
const prefixOf = (tender: string, document: string): string => `${tender}/${document}`;

export function signedDownloadUrl(
  { documentKeys, clock }: SignedAddressPorts,
  origin: string,
  key: string,
  prefix = "",
): string {
  const expires = String(Math.ceil(clock() / SECOND) + DOWNLOAD_SECONDS);
  const urlParams = { Expires: expires, ...(prefix && { Prefix: prefix }) };
  return documentKeys.signUrl(`${origin}/get/${key}`, { for: "download", key, expires, prefix }, urlParams);
}

/** Redirects a reader who may see this version to the document service. */
export function redirectToDownload(
  { ports, root }: Pick<Exchange<SignedAddressPorts>, "ports" | "root">,
  tender: string,
  { id, key }: Document,
): HttpResponse {
  const origin = root.replace(/\/api\/[^/]+$/, "");
  const Location = signedDownloadUrl(ports, origin, key, prefixOf(tender, id));
  // The address may open a sealed document, so no cache may store it.
  return { status: 302, headers: { Location, "Cache-Control": "no-store" } };
}

const SIGNATURE_ERRORS: { readonly [problem in SignatureProblem]: HttpResponse } = {
  "unknown key": singleErrorResponse(403, "url", "KeyID", "Key Id does not exist", "bad-signature"),
  "not base64": singleErrorResponse(403, "url", "Signature", "Signature invalid", "bad-signature"),
  wrong: singleErrorResponse(403, "url", "Signature", "Signature does not match", "bad-signature"),
};

export function checkSignature(
  { ports, query }: Pick<Exchange<SignedAddressPorts>, "ports" | "query">,
  signedAddress: SignaturePurpose,
): HttpResponse | undefined {
  const problem = ports.documentKeys.signatureProblem(query, signedAddress);
  return problem && SIGNATURE_ERRORS[problem];
}

/** Serves the file to anyone with a signed address for it, until the address expires. */
export async function serveContent(exchange: Exchange<SignedDownloadPorts>): Promise<HttpResponse> {
  const { ports, query, params } = exchange;
  const key = params.key!;
  const expires = query.get("Expires");
  const prefix = query.get("Prefix") ?? "";
  const signedAddress: SignaturePurpose =
    expires === null ? { for: "content", key } : { for: "download", key, expires, prefix };
  const signatureError = checkSignature(exchange, signedAddress);
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
  const tender = await registry.tender(tenderId);
  const found =
    tender &&
    allDocuments(tender).find(({ document: { id, key: documentKey } }) => id === documentId && documentKey === key);
  return found?.document;
}
