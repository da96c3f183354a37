import { documentsIn } from "../domain/replacing.ts";
import type { Document } from "../domain/tender.ts";
import { type Instant, SECOND } from "../domain/time.ts";
import { type Answer, NOT_FOUND, single } from "./answers.ts";
import type { DocumentKeys, SignatureProblem, SignedAddress } from "./documentKeys.ts";
import { type DownloadPorts, download } from "./downloads.ts";
import type { Exchange } from "./exchange.ts";
import type { RegistryPort } from "./runCommand.ts";
import type { Uploads } from "./uploads.ts";

/** What signed addresses need; whoever serves them also needs the files. */
export type SignedAddressPorts = { readonly documentKeys: DocumentKeys; readonly clock: () => Instant };
export type SignedDownloadPorts = SignedAddressPorts & DownloadPorts & RegistryPort & { readonly uploads: Uploads };

/** Short-lived signed addresses of the document service, each for one file; they need no key. */

const READABLE_SECONDS = 300;

/** The document whose version is meant, written as `TENDER/DOCUMENT`; none for an upload that waits for its document. */
const prefixOf = (tender: string, document: string): string => `${tender}/${document}`;

export function downloadAddress(
  { documentKeys, clock }: SignedAddressPorts,
  origin: string,
  key: string,
  prefix = "",
): string {
  const expires = String(Math.ceil(clock() / SECOND) + READABLE_SECONDS);
  const shown = { Expires: expires, ...(prefix && { Prefix: prefix }) };
  return documentKeys.signed(`${origin}/get/${key}`, { for: "download", key, expires, prefix }, shown);
}

/** Redirects a reader who may see this version to the document service. */
export function redirectTo(
  { ports, root }: Pick<Exchange<SignedAddressPorts>, "ports" | "root">,
  tender: string,
  { id, key }: Document,
): Answer {
  const origin = root.replace(/\/api\/[^/]+$/, "");
  const Location = downloadAddress(ports, origin, key, prefixOf(tender, id));
  // The address may open a sealed document, so no cache may store it.
  return { status: 302, headers: { Location, "Cache-Control": "no-store" } };
}

const SIGNATURE_ANSWERS: { readonly [problem in SignatureProblem]: Answer } = {
  "unknown key": single(403, "url", "KeyID", "Key Id does not exist", "bad-signature"),
  "not base64": single(403, "url", "Signature", "Signature invalid", "bad-signature"),
  wrong: single(403, "url", "Signature", "Signature does not match", "bad-signature"),
};

export function refusedSignature(
  { ports, query }: Pick<Exchange<SignedAddressPorts>, "ports" | "query">,
  signed: SignedAddress,
): Answer | undefined {
  const problem = ports.documentKeys.problemWith(query, signed);
  return problem && SIGNATURE_ANSWERS[problem];
}

/** Serves the file to anyone with a signed address for it, until the address expires. */
export async function serveContent(exchange: Exchange<SignedDownloadPorts>): Promise<Answer> {
  const { ports, query, params } = exchange;
  const key = params.key!;
  const expires = query.get("Expires");
  const prefix = query.get("Prefix") ?? "";
  const signed: SignedAddress = expires === null ? { for: "content", key } : { for: "download", key, expires, prefix };
  const refused = refusedSignature(exchange, signed);
  if (refused) return refused;
  const until = expires === null ? undefined : Number(expires) * SECOND;
  if (until !== undefined && until < ports.clock())
    return single(403, "url", "Expires", "Request has expired", "link-expired", { window: { until } });
  const version = prefix === "" ? await uploadAt(ports, key) : await versionAt(ports, prefix, key);
  return version ? download(exchange, version) : NOT_FOUND("key");
}

async function uploadAt({ uploads }: Pick<SignedDownloadPorts, "uploads">, key: string) {
  const uploaded = await uploads.find(key);
  return uploaded && { ...uploaded, id: key };
}

async function versionAt({ registry }: RegistryPort, prefix: string, key: string): Promise<Document | undefined> {
  const [tenderId = "", documentId] = prefix.split("/");
  const tender = await registry.tender(tenderId);
  const found = tender && documentsIn(tender).find(({ document: { id, key: of } }) => id === documentId && of === key);
  return found?.document;
}
