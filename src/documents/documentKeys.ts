import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign as signBytes,
  verify as verifyBytes,
} from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { required } from "../base/required.ts";
import type { Store } from "../store/store.ts";

/** Why a signature does not verify. */
export type SignatureProblem = "unknown key" | "not base64" | "wrong";

/** What a signature permits. A signature for one purpose never verifies for another. */
export type SignaturePurpose =
  /** The upload may be attached as a document; `hash` has no algorithm prefix. The protocol prescribes what is signed. */
  | { readonly for: "document"; readonly key: string; readonly hash: string }
  /** A file with this hash may be uploaded, at the expense of `owner`'s quota; URLs of earlier releases have no owner. */
  | { readonly for: "upload"; readonly key: string; readonly hash: string; readonly owner: string }
  /** The file may be downloaded until `expires` (Unix seconds); `prefix` names its document, and is empty for an upload. */
  | { readonly for: "download"; readonly key: string; readonly expires: string; readonly prefix: string }
  /** The file may be downloaded while it exists. The protocol prescribes this form; the service accepts it but never signs it. */
  | { readonly for: "content"; readonly key: string };

/** Signs and verifies the URLs of the document service. */
export type DocumentKeys = {
  /** The URL with a signature for this purpose and `extraParams` in its query. Throws if the purpose is not well-formed. */
  readonly signUrl: (
    url: string,
    purpose: SignaturePurpose,
    extraParams?: { readonly [name: string]: string },
  ) => string;
  /** Why the signature in a query is not valid for this purpose; undefined if it is. */
  readonly signatureProblem: (query: URLSearchParams, purpose: SignaturePurpose) => SignatureProblem | undefined;
};

/**
 * Opens the registry's Ed25519 key, which is created at the first start and shared by all its servers, and the public keys in
 * `document-keys`, whose signatures are accepted as well: retired keys of this registry, or keys of other registries.
 */
export async function openDocumentKeys(dataDir: string, secret: Store["secret"]): Promise<DocumentKeys> {
  const privateKey = await loadPrivateKey(join(dataDir, "document-key"), secret);
  const publicKey = createPublicKey(privateKey);
  const keyID = keyIdOf(publicKey);
  const trustedKeys = new Map([...(await readTrustedKeys(join(dataDir, "document-keys"))), [keyID, publicKey]]);
  return {
    signUrl: (url, purpose, extraParams = {}) => {
      const [message] = messagesOf(purpose);
      if (message === undefined) throw new Error(`cannot sign a malformed purpose: ${JSON.stringify(purpose)}`);
      const signature = signBytes(null, Buffer.from(message), privateKey).toString("base64");
      const query = Object.entries({ Signature: signature, KeyID: keyID, ...extraParams });
      return `${url}?${query.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join("&")}`;
    },
    signatureProblem: (query, purpose) => {
      const key = trustedKeys.get(query.get("KeyID") ?? "");
      if (!key) return "unknown key";
      const signature = decodeSignature(query.get("Signature") ?? "");
      if (!signature) return "not base64";
      const isValid = messagesOf(purpose).some((message) => verifyBytes(null, Buffer.from(message), key, signature));
      return isValid ? undefined : "wrong";
    },
  };
}

const KEY = /^[0-9a-f]{32}$/;
/** From the length of MD5 to that of SHA-512: always longer than a time in seconds, see `messagesOf`. */
const HASH = /^[0-9a-f]{32,128}$/;
const MD5 = /^md5:[0-9a-f]{32}$/;
const SECONDS = /^\d{1,12}$/;

/**
 * The messages that are valid for a purpose: first the one that is signed now, then those of earlier releases. Empty if a part is
 * malformed. No two purposes share a message: all parts have fixed forms, and a message without a prefix starts with the 32 digits of
 * a key, followed by nothing (content), by a hash (document) or by at most 12 digits (downloads of earlier releases).
 */
function messagesOf(purpose: SignaturePurpose): readonly string[] {
  const { key } = purpose;
  if (!KEY.test(key)) return [];
  switch (purpose.for) {
    case "document":
      return HASH.test(purpose.hash) ? [`${key}\0${purpose.hash}`] : [];
    case "upload":
      return uploadMessages(key, purpose.hash, purpose.owner);
    case "download": {
      const { expires, prefix } = purpose;
      if (!SECONDS.test(expires)) return [];
      const legacy = prefix === "" ? [`${key}\0${expires}`] : [];
      return [`download\0${key}\0${expires}\0${prefix}`, ...legacy];
    }
    case "content":
      return [key];
  }
}

function uploadMessages(key: string, hash: string, owner: string): readonly string[] {
  if (!MD5.test(hash) || (owner !== "" && !KEY.test(owner))) return [];
  return [owner === "" ? `upload\0${key}\0${hash}` : `upload\0${key}\0${hash}\0${owner}`];
}

/** The first 8 hex digits of the key itself. */
const keyIdOf = (key: KeyObject): string =>
  Buffer.from(required(key.export({ format: "jwk" }).x, "the public key"), "base64url")
    .toString("hex")
    .slice(0, 8);

/** Some clients encode the signature twice; others do not encode it at all, so that a plus arrives as a space. */
function decodeSignature(sent: string): Buffer | undefined {
  let text: string;
  try {
    text = decodeURIComponent(sent).replaceAll(" ", "+");
  } catch {
    return undefined;
  }
  const isBase64 = text.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(text);
  return isBase64 ? Buffer.from(text, "base64") : undefined;
}

/** The key is stored in the database. The key in a file, from an earlier version or from the operator, is imported at the first start. */
async function loadPrivateKey(path: string, secret: Store["secret"]): Promise<KeyObject> {
  const filePem = await readFile(path, "utf8").catch(fallbackIfMissing(undefined));
  if (filePem !== undefined) requireEd25519(path, () => createPrivateKey(filePem));
  const storedPem = await secret("document key", () => filePem ?? generatePrivateKey());
  return requireEd25519("the database", () => createPrivateKey(storedPem));
}

const generatePrivateKey = (): string =>
  generateKeyPairSync("ed25519").privateKey.export({ type: "pkcs8", format: "pem" }).toString();

async function readTrustedKeys(folder: string): Promise<readonly (readonly [string, KeyObject])[]> {
  const names = (await readdir(folder).catch(fallbackIfMissing([]))).filter((name) => name.endsWith(".pem"));
  return Promise.all(
    names.map(async (name) => {
      const path = join(folder, name);
      const text = await readFile(path, "utf8");
      const key = requireEd25519(path, () => createPublicKey(text));
      return [keyIdOf(key), key] as const;
    }),
  );
}

function requireEd25519(path: string, read: () => KeyObject): KeyObject {
  let key: KeyObject | undefined;
  try {
    key = read();
  } catch {
    // Reported below, with the path.
  }
  if (key?.asymmetricKeyType !== "ed25519") throw new Error(`${path} does not hold an Ed25519 key`);
  return key;
}

const fallbackIfMissing =
  <T>(fallback: T) =>
  (error: NodeJS.ErrnoException): T => {
    if (error.code === "ENOENT") return fallback;
    throw error;
  };
