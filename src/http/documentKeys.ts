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

/** What the addresses of the document service are signed with, and held to. */
export type DocumentKeys = {
  /** The address with the signature over these parts; `more` is shown in it too. */
  readonly signed: (address: string, parts: readonly string[], more?: { readonly [name: string]: string }) => string;
  /** What is wrong with the signature that an address carries in its query, or nothing. */
  readonly problemWith: (query: URLSearchParams, parts: readonly string[]) => SignatureProblem | undefined;
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
    signed: (address, parts, more = {}) => {
      const signature = signBytes(null, messageOf(parts), own).toString("base64");
      const query = Object.entries({ Signature: signature, KeyID: keyID, ...more });
      return `${address}?${query.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join("&")}`;
    },
    problemWith: (query, parts) => {
      const key = ring.get(query.get("KeyID") ?? "");
      if (!key) return "unknown key";
      const signature = signatureIn(query.get("Signature") ?? "");
      if (!signature) return "not base64";
      return verifyBytes(null, messageOf(parts), key, signature) ? undefined : "wrong";
    },
  };
}

const messageOf = (parts: readonly string[]): Buffer => Buffer.from(parts.join("\0"));

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
