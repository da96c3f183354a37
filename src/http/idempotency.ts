import { createCipheriv, createDecipheriv, hash, randomBytes } from "node:crypto";
import { zstdCompressSync, zstdDecompressSync } from "node:zlib";
import { fingerprintOf } from "../accounts/accountEntries.ts";
import { parseOwnJson } from "../base/ownJson.ts";
import { hashOf } from "../base/secrets.ts";
import type { Account } from "../domain/model/actors.ts";
import { HOUR, type Instant } from "../domain/values/time.ts";
import { unexpiredRecord } from "../registry/idempotencyExpiry.ts";
import type { IdempotencyQuota, IdempotencyRecord, RecordedKind } from "../registry/idempotencyRecords.ts";
import type { Registry } from "../registry/registry.ts";
import type { EntryKey, EntryWrite, KeyValueEntry, KeyValueStore } from "../store/store.ts";
import { IDEMPOTENCY_KEY_REUSED, IDEMPOTENCY_QUOTA_EXCEEDED, INVALID_IDEMPOTENCY_KEY } from "./errorResponses.ts";
import {
  cachedBodyText,
  type ErrorContext,
  type HttpResponse,
  type ResponseHeaders,
  withErrorBody,
} from "./responses.ts";

/**
 * A request with an `Idempotency-Key`, which is carried out once. Its response is stored in the same commit as the change, and replayed
 * for every retry: also after a crash, and by any server of the registry.
 */
export type IdempotentRequest = IdempotencyRecord<HttpResponse> & {
  /** The stored response, if it belongs to the same request under a key of the same account; otherwise an error response. */
  readonly replay: (recorded: string) => HttpResponse;
  /** Whether the response has been recorded or replayed. */
  readonly isRecorded: () => boolean;
  /** Whether a response is stored under this key. Whether it is for the same request is known once the body has been read. */
  readonly hasEarlierResponse: boolean;
  /** The same request with its body, which is part of what a retry must repeat. */
  readonly withBody: (body: string) => IdempotentRequest;
  /** Whether the body is known. */
  readonly isComplete: boolean;
};

export type IdempotentRequestSettings = {
  readonly account: Account;
  /** The API key of this request. */
  readonly apiKey: string;
  /** Hashes of all API keys of the account, also retired ones, because the response may be stored under another key. */
  readonly keyHashes: readonly string[];
  /** The `Idempotency-Key`. */
  readonly key: string;
  /** Everything else that a retry must repeat: method, version, path, query and some headers. */
  readonly requestWithoutBody: string;
  readonly errorContext: ErrorContext;
  readonly quota: IdempotencyQuota;
};

const RETENTION = 24 * HOUR;
const KEY_PATTERN = /^[\x20-\x7e]{1,255}$/;
const REPLAYED_HEADER: ResponseHeaders = { "Idempotency-Replayed": "true" };

/** The `Idempotency-Key` of a request; undefined if it is absent or empty, and an error response if it is invalid. */
export function idempotencyKeyIn(header: string | string[] | undefined): string | undefined | HttpResponse {
  if (header === undefined || header === "") return undefined;
  return typeof header === "string" && KEY_PATTERN.test(header) ? header : INVALID_IDEMPOTENCY_KEY;
}

/** In characters. Of a longer refusal only the fingerprint of the request is stored: a retry is evaluated again. */
const REFUSAL_LENGTH_MAX = 4096;
const SHORT_FORM = "-";

const holdsResponse = (stored: string): boolean => !stored.endsWith(` ${SHORT_FORM}`);

/**
 * Prepares recording and replaying the response to a request. Until `withBody` is called, it stands for a request whose body is not
 * known yet.
 */
export function openIdempotentRequest({
  account,
  apiKey,
  keyHashes,
  key,
  requestWithoutBody,
  errorContext,
  quota,
}: IdempotentRequestSettings): IdempotentRequest {
  const name: EntryKey<"idempotency record"> = {
    kind: "idempotency record",
    id: hashOf(`answer\0${account.name}\0${key}`),
  };
  const usedHash = hashOf(apiKey);
  const secretOf = (keyPart: string) => hash("sha256", `seal\0${keyPart}\0${key}`, "buffer");
  // Shared by all copies that `withBody` makes.
  const state = { isRecorded: false };

  /** Records of versions without key rotation name no API key, and are encrypted with the key itself instead of its hash. */
  function secretFor(keyFingerprint: string | undefined): Buffer | undefined {
    if (keyFingerprint === undefined) return secretOf(apiKey);
    const keyHash = [usedHash, ...keyHashes].find((candidate) => fingerprintOf(candidate) === keyFingerprint);
    return keyHash === undefined ? undefined : secretOf(keyHash);
  }

  function bindTo(body: string | undefined): IdempotentRequest {
    const fingerprint = hashOf(`${requestWithoutBody}\0${body ?? ""}`);
    const contentOf = (response: HttpResponse): string => {
      const serialized = serializeResponse(withErrorBody(response, errorContext));
      const isShort = response.status >= 400 && serialized.length > REFUSAL_LENGTH_MAX;
      return isShort ? SHORT_FORM : `${encrypt(serialized, secretOf(usedHash))} ${fingerprintOf(usedHash)}`;
    };
    return {
      name,
      quota,
      holdsResponse: (stored) => !stored.startsWith(`${fingerprint} `) || holdsResponse(stored),
      isComplete: body !== undefined,
      hasEarlierResponse: false,
      isRecorded: () => state.isRecorded,
      withBody: bindTo,
      record: (response, at) => {
        state.isRecorded = true;
        return { ...name, expiresAt: at + RETENTION, value: `${fingerprint} ${contentOf(response)}` };
      },
      replay: (recorded) => {
        state.isRecorded = true;
        const [recordedFingerprint, content = "", keyFingerprint] = recorded.split(" ");
        const secret = secretFor(keyFingerprint);
        const decrypted = recordedFingerprint === fingerprint && secret ? decrypt(content, secret) : undefined;
        return decrypted === undefined ? IDEMPOTENCY_KEY_REUSED : parseReplayed(decrypted);
      },
    };
  }
  return bindTo(undefined);
}

function serializeResponse({ status, headers, json }: HttpResponse): string {
  return JSON.stringify({ status, headers, json: typeof json === "object" ? cachedBodyText(json) : json });
}

function parseReplayed(text: string): HttpResponse {
  const response = parseOwnJson<HttpResponse>(text);
  return { ...response, headers: { ...response.headers, ...REPLAYED_HEADER } };
}

const CIPHER = "aes-256-gcm";
const IV_BYTES = 12;
const TAG_BYTES = 16;

/**
 * A response may contain an owner token, which must not be readable in the store. So responses are encrypted with a secret that the
 * store does not contain: it is derived from the hash of the API key, which is in the accounts file only, and from the idempotency key,
 * which only the client has.
 */
function encrypt(text: string, secret: Buffer): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, secret, iv);
  const content = Buffer.concat([cipher.update(compress(text)), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), content]).toString("base64");
}

/** Undefined if the content was encrypted with another secret. */
function decrypt(content: string, secret: Buffer): string | undefined {
  const bytes = Buffer.from(content, "base64");
  const cipher = createDecipheriv(CIPHER, secret, bytes.subarray(0, IV_BYTES));
  cipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
  try {
    return decompress(Buffer.concat([cipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), cipher.final()]));
  } catch {
    return undefined;
  }
}

const COMPRESSED_LENGTH_MIN = 1024;
/** The first byte of the zstd format; JSON never starts with it. */
const ZSTD_MAGIC = 0x28;

/** Responses contain whole objects, mostly text, so compression saves most of the quota. */
function compress(text: string): Buffer {
  const bytes = Buffer.from(text);
  return bytes.length < COMPRESSED_LENGTH_MIN ? bytes : zstdCompressSync(bytes);
}

const decompress = (bytes: Buffer): string =>
  (bytes[0] === ZSTD_MAGIC ? zstdDecompressSync(bytes) : bytes).toString("utf8");

const findRecord = async (
  { name }: IdempotentRequest,
  entries: KeyValueStore,
  now: Instant,
): Promise<KeyValueEntry<"idempotency record"> | undefined> => unexpiredRecord(await entries.find(name), now);

/** The stored response under this key; undefined if there is none, or if only its short form is stored. */
export async function findRecordedResponse(
  idempotency: IdempotentRequest,
  entries: KeyValueStore,
  now: Instant,
): Promise<HttpResponse | undefined> {
  const record = await findRecord(idempotency, entries, now);
  return record && idempotency.holdsResponse(record.value) ? idempotency.replay(record.value) : undefined;
}

/** Whether a response is stored under this key, for this or another request. */
export async function hasRecordedResponse(
  idempotency: IdempotentRequest,
  entries: KeyValueStore,
  now: Instant,
): Promise<boolean> {
  const record = await findRecord(idempotency, entries, now);
  return record !== undefined && holdsResponse(record.value);
}

/**
 * Records a response that was not recorded by a write of the registry, together with the entries that it reports. If a concurrent
 * request with the same key was first, nothing is written and its response is returned.
 */
export async function recordResponse(
  idempotency: IdempotentRequest,
  registry: Pick<Registry, "recordResponse">,
  response: HttpResponse,
  newEntries: readonly EntryWrite[] = [],
): Promise<HttpResponse> {
  const kind: RecordedKind = response.status >= 400 ? "refusal" : newEntries.length > 0 ? "write" : "done";
  const earlier = await registry.recordResponse(idempotency, response, kind, newEntries);
  if (!earlier) return response;
  return "storedResponse" in earlier ? idempotency.replay(earlier.storedResponse) : IDEMPOTENCY_QUOTA_EXCEEDED;
}
