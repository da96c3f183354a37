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
import type { Store } from "../store/store.ts";

export type SignatureProblem = "unknown key" | "not base64" | "wrong";

/** What a signature is for: one that was made for one purpose never verifies for another. */
export type SignaturePurpose =
  /** A document may be made of this upload; `hash` is the value alone. The protocol prescribes what is signed. */
  | { readonly for: "document"; readonly key: string; readonly hash: string }
  /** A file with this hash may be uploaded, and counts as `owner`'s; earlier releases named no owner. */
  | { readonly for: "upload"; readonly key: string; readonly hash: string; readonly owner: string }
  /** The file may be downloaded until then; `prefix` says as which document, and is empty for an upload. */
  | { readonly for: "download"; readonly key: string; readonly expires: string; readonly prefix: string }
  /** The file may be downloaded for as long as it is there. The protocol prescribes it; this service signs none. */
  | { readonly for: "content"; readonly key: string };

/** What the addresses of the document service are signed with, and held to. */
export type DocumentKeys = {
  /** The address with the signature for this; `more` is shown in it too. */
  readonly signUrl: (address: string, signed: SignaturePurpose, more?: { readonly [name: string]: string }) => string;
  /** What is wrong with the signature that an address carries in its query, or nothing. */
  readonly signatureProblem: (query: URLSearchParams, signed: SignaturePurpose) => SignatureProblem | undefined;
};

/**
 * The registry's own Ed25519 key, made at the first start and shared by all its servers, and beside it the public keys that
 * it also believes: older ones of its own, or those of other registries.
 */
export async function openDocumentKeys(dataDir: string, secret: Store["secret"]): Promise<DocumentKeys> {
  const privateKey = await loadPrivateKey(join(dataDir, "document-key"), secret);
  const publicKey = createPublicKey(privateKey);
  const keyID = keyIdOf(publicKey);
  const trustedKeys = new Map([...(await readTrustedKeys(join(dataDir, "document-keys"))), [keyID, publicKey]]);
  return {
    signUrl: (address, purpose, extraParams = {}) => {
      const [message] = messagesOf(purpose);
      if (message === undefined) throw new Error(`nothing is signed for ${JSON.stringify(purpose)}`);
      const signature = signBytes(null, Buffer.from(message), privateKey).toString("base64");
      const query = Object.entries({ Signature: signature, KeyID: keyID, ...extraParams });
      return `${address}?${query.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join("&")}`;
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
/** As short as an md5 and as long as a sha512: never as short as a time. */
const HASH = /^[0-9a-f]{32,128}$/;
const MD5 = /^md5:[0-9a-f]{32}$/;
const SECONDS = /^\d{1,12}$/;

/**
 * What is signed for a purpose, and what else counts because an earlier release signed it; nothing, where a part is not what it
 * should be. No two purposes share a message: all parts have fixed forms, and what has no name of its own in front begins with
 * the 32 digits of a key, followed by nothing (content), by a hash (document) or by at most 12 digits (earlier downloads).
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
  Buffer.from(key.export({ format: "jwk" }).x!, "base64url")
    .toString("hex")
    .slice(0, 8);

/** Some encode the signature twice, and some not at all, so that a plus arrives as a space. */
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

/** Kept with the tenders; a file of an earlier version, or one that the operator put there, is taken over. */
async function loadPrivateKey(path: string, secret: Store["secret"]): Promise<KeyObject> {
  const filePem = await readFile(path, "utf8").catch(fallbackIfMissing(undefined));
  if (filePem !== undefined) requireEd25519(path, () => createPrivateKey(filePem));
  const storedPem = await secret("document key", () => filePem ?? generatePrivateKey());
  return requireEd25519("the database", () => createPrivateKey(storedPem));
}

const generatePrivateKey = (): string =>
  generateKeyPairSync("ed25519").privateKey.export({ type: "pkcs8", format: "pem" }) as string;

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
    // Told below, with the name of the file.
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
