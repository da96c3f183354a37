import type { RegistrationSent, UploadedFile } from "../domain/commands.ts";
import { documentsIn } from "../domain/replacing.ts";
import type { FileRecord, Files } from "../files/files.ts";
import { FileTaken } from "../store/store.ts";
import { type Answer, single } from "./answers.ts";
import type { DocumentKeys, SignatureProblem } from "./documentKeys.ts";
import type { Exchange } from "./exchange.ts";
import type { Upload } from "./multipart.ts";
import type { AttemptResult, RegistryPort } from "./runCommand.ts";
import type { Uploads } from "./uploads.ts";

/** What registering uploads needs: the uploads, the signatures of their addresses, the tender that may name them already. */
export type RegistrationPorts = RegistryPort & {
  readonly files: Pick<Files, "keep">;
  readonly uploads: Uploads;
  readonly documentKeys: DocumentKeys;
};

/** Documents whose files came by the document service: their addresses are checked, and their files taken over. */

const NOT_FROM_SERVICE = single(
  403,
  "body",
  "url",
  "Can add document only from document service.",
  "not-from-document-service",
);
const NO_CONTENT = single(
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
function keyOf(
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
  const value = hash.slice(hash.indexOf(":") + 1).toLowerCase();
  const problem = keys.problemWith(query, { for: "document", key, hash: value });
  return problem ? { refused: SIGNATURE_ANSWERS[problem] } : { key };
}

export const fileOf = ({ title, format }: Upload, { key, size, sha256, md5 }: FileRecord): UploadedFile => ({
  title,
  format,
  key,
  size,
  sha256,
  hash: `md5:${md5}`,
});

/** A recorded file that could not be moved is readable where it is, and a later sweep moves it. */
export const keep = ({ files }: { readonly files: Pick<Files, "keep"> }, key: string): Promise<void> =>
  files.keep(key).catch(() => {});

/** Makes the change that names these files; `newKeys` are those of files that no document has named before. */
type Naming = (files: readonly UploadedFile[], newKeys: readonly string[]) => Promise<AttemptResult>;

/**
 * Takes over the uploads that these documents name: all of them in one change, or none. Nobody else names or sweeps any of
 * them meanwhile.
 */
export async function withUploads(
  exchange: Exchange<RegistrationPorts>,
  documents: readonly RegistrationSent[],
  name: Naming,
): Promise<Answer> {
  const { ports, root } = exchange;
  const origin = root.replace(/\/api\/[^/]+$/, "");
  const keys: string[] = [];
  for (const document of documents) {
    const found = keyOf(document, origin, ports.documentKeys);
    if ("refused" in found) return found.refused;
    keys.push(found.key);
  }
  // Always in the same order, so that two requests that name the same uploads never wait for each other.
  const inOrder = [...new Set(keys)].sort();
  const work = () => nameUploads(exchange, keys, name);
  return inOrder.reduceRight<() => Promise<Answer>>((inner, key) => () => ports.uploads.inTurn(key, inner), work)();
}

/** An upload becomes documents of one tender only: there it may be named again, as a new version is. */
async function nameUploads(
  exchange: Exchange<RegistrationPorts>,
  keys: readonly string[],
  name: Naming,
): Promise<Answer> {
  const { ports } = exchange;
  const tender = (await ports.registry.tender(exchange.tender!.id))!;
  const namedHere = new Set(documentsIn(tender).map(({ document }) => document.key));
  const files: UploadedFile[] = [];
  const newKeys = new Set<string>();
  for (const key of keys) {
    const upload = await ports.uploads.find(key);
    if (!upload) return NO_CONTENT;
    if (upload.isNamed && !namedHere.has(key)) return NOT_FROM_SERVICE;
    if (!upload.isNamed) newKeys.add(key);
    files.push(fileOf(upload, upload));
  }
  const attempted = await name(files, [...newKeys]).catch((error) => {
    if (error instanceof FileTaken) return undefined;
    throw error;
  });
  // Somebody named one by another server in this very moment; now that is known.
  if (!attempted) return nameUploads(exchange, keys, name);
  if (attempted.isDone) {
    await Promise.all([...newKeys].map((key) => keep(ports, key)));
    ports.uploads.quota.freed();
  }
  return attempted.answer;
}
