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
export type SignedAddress =
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
  readonly signed: (address: string, signed: SignedAddress, more?: { readonly [name: string]: string }) => string;
  /** What is wrong with the signature that an address carries in its query, or nothing. */
  readonly problemWith: (query: URLSearchParams, signed: SignedAddress) => SignatureProblem | undefined;
};

/**
 * The registry's own Ed25519 key, made at the first start and shared by all its servers, and beside it the public keys that
 * it also believes: older ones of its own, or those of other registries.
 */
export async function openDocumentKeys(dataDir: string, secret: Store["secret"]): Promise<DocumentKeys> {
  const own = await ownKey(join(dataDir, "document-key"), secret);
  const ownPublic = createPublicKey(own);
  const keyID = idOf(ownPublic);
  const ring = new Map([...(await ringIn(join(dataDir, "document-keys"))), [keyID, ownPublic]]);
  return {
    signed: (address, signed, more = {}) => {
      const [message] = messagesOf(signed);
      if (message === undefined) throw new Error(`nothing is signed for ${JSON.stringify(signed)}`);
      const signature = signBytes(null, Buffer.from(message), own).toString("base64");
      const query = Object.entries({ Signature: signature, KeyID: keyID, ...more });
      return `${address}?${query.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join("&")}`;
    },
    problemWith: (query, signed) => {
      const key = ring.get(query.get("KeyID") ?? "");
      if (!key) return "unknown key";
      const signature = signatureIn(query.get("Signature") ?? "");
      if (!signature) return "not base64";
      const isRight = messagesOf(signed).some((message) => verifyBytes(null, Buffer.from(message), key, signature));
      return isRight ? undefined : "wrong";
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
function messagesOf(signed: SignedAddress): readonly string[] {
  const { key } = signed;
  if (!KEY.test(key)) return [];
  switch (signed.for) {
    case "document":
      return HASH.test(signed.hash) ? [`${key}\0${signed.hash}`] : [];
    case "upload":
      return uploadMessages(key, signed.hash, signed.owner);
    case "download": {
      const { expires, prefix } = signed;
      if (!SECONDS.test(expires)) return [];
      const earlier = prefix === "" ? [`${key}\0${expires}`] : [];
      return [`download\0${key}\0${expires}\0${prefix}`, ...earlier];
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
const idOf = (key: KeyObject): string =>
  Buffer.from(key.export({ format: "jwk" }).x!, "base64url")
    .toString("hex")
    .slice(0, 8);

/** Some encode the signature twice, and some not at all, so that a plus arrives as a space. */
function signatureIn(sent: string): Buffer | undefined {
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
async function ownKey(path: string, secret: Store["secret"]): Promise<KeyObject> {
  const given = await readFile(path, "utf8").catch(ifMissing(undefined));
  if (given !== undefined) ed25519(path, () => createPrivateKey(given));
  const kept = await secret("document key", () => given ?? newKey());
  return ed25519("the database", () => createPrivateKey(kept));
}

const newKey = (): string =>
  generateKeyPairSync("ed25519").privateKey.export({ type: "pkcs8", format: "pem" }) as string;

async function ringIn(folder: string): Promise<readonly (readonly [string, KeyObject])[]> {
  const names = (await readdir(folder).catch(ifMissing([]))).filter((name) => name.endsWith(".pem"));
  return Promise.all(
    names.map(async (name) => {
      const path = join(folder, name);
      const text = await readFile(path, "utf8");
      const key = ed25519(path, () => createPublicKey(text));
      return [idOf(key), key] as const;
    }),
  );
}

function ed25519(path: string, read: () => KeyObject): KeyObject {
  let key: KeyObject | undefined;
  try {
    key = read();
  } catch {
    // Told below, with the name of the file.
  }
  if (key?.asymmetricKeyType !== "ed25519") throw new Error(`${path} does not hold an Ed25519 key`);
  return key;
}

const ifMissing =
  <T>(instead: T) =>
  (error: NodeJS.ErrnoException): T => {
    if (error.code === "ENOENT") return instead;
    throw error;
  };
