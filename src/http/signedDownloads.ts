import { documentsIn } from "../domain/replacing.ts";
import type { Document } from "../domain/tender.ts";
import { SECOND } from "../domain/time.ts";
import { type Answer, NOT_FOUND, single } from "./answers.ts";
import type { SignatureProblem, SignedAddress } from "./documentKeys.ts";
import { download } from "./downloads.ts";
import type { Exchange, Service } from "./exchange.ts";

/** Short-lived signed addresses of the document service, each for one file; they need no key. */

const READABLE_SECONDS = 300;

/** The document whose version is meant, written as `TENDER/DOCUMENT`; none for an upload that waits for its document. */
const prefixOf = (tender: string, document: string): string => `${tender}/${document}`;

export function downloadAddress({ documentKeys, clock }: Service, origin: string, key: string, prefix = ""): string {
  const expires = String(Math.ceil(clock() / SECOND) + READABLE_SECONDS);
  const shown = { Expires: expires, ...(prefix && { Prefix: prefix }) };
  return documentKeys.signed(`${origin}/get/${key}`, { for: "download", key, expires, prefix }, shown);
}

/** Redirects a reader who may see this version to the document service. */
export function redirectTo({ service, root }: Exchange, tender: string, { id, key }: Document): Answer {
  const origin = root.replace(/\/api\/[^/]+$/, "");
  const Location = downloadAddress(service, origin, key, prefixOf(tender, id));
  // The address may open a sealed document, so no cache may store it.
  return { status: 302, headers: { Location, "Cache-Control": "no-store" } };
}

const SIGNATURE_ANSWERS: { readonly [problem in SignatureProblem]: Answer } = {
  "unknown key": single(403, "url", "KeyID", "Key Id does not exist", "bad-signature"),
  "not base64": single(403, "url", "Signature", "Signature invalid", "bad-signature"),
  wrong: single(403, "url", "Signature", "Signature does not match", "bad-signature"),
};

export function refusedSignature({ service, query }: Exchange, signed: SignedAddress): Answer | undefined {
  const problem = service.documentKeys.problemWith(query, signed);
  return problem && SIGNATURE_ANSWERS[problem];
}

/** Serves the file to anyone with a signed address for it, until the address expires. */
export async function serveContent(exchange: Exchange): Promise<Answer> {
  const { service, query, params } = exchange;
  const key = params.key!;
  const expires = query.get("Expires");
  const prefix = query.get("Prefix") ?? "";
  const signed: SignedAddress = expires === null ? { for: "content", key } : { for: "download", key, expires, prefix };
  const refused = refusedSignature(exchange, signed);
  if (refused) return refused;
  const until = expires === null ? undefined : Number(expires) * SECOND;
  if (until !== undefined && until < service.clock())
    return single(403, "url", "Expires", "Request has expired", "link-expired", { window: { until } });
  const version = prefix === "" ? await uploadAt(service, key) : await versionAt(service, prefix, key);
  return version ? download(exchange, version) : NOT_FOUND("key");
}

async function uploadAt({ uploads }: Service, key: string) {
  const uploaded = await uploads.find(key);
  return uploaded && { ...uploaded, id: key };
}

async function versionAt({ registry }: Service, prefix: string, key: string): Promise<Document | undefined> {
  const [tenderId = "", documentId] = prefix.split("/");
  const tender = await registry.tender(tenderId);
  const found = tender && documentsIn(tender).find(({ document: { id, key: of } }) => id === documentId && of === key);
  return found?.document;
}
