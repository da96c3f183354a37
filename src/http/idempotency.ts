import { createCipheriv, createDecipheriv, hash, randomBytes } from "node:crypto";
import { zstdCompressSync, zstdDecompressSync } from "node:zlib";
import { fingerprintOf } from "../accounts/accountEntries.ts";
import { hashOf } from "../base/secrets.ts";
import type { Account } from "../domain/model/actors.ts";
import { HOUR, type Instant } from "../domain/values/time.ts";
import { unexpiredEntry } from "../registry/idempotencyExpiry.ts";
import {
  type IdempotencyQuota,
  type IdempotencyRecord,
  type RecordKind,
  USAGE_KIND,
} from "../registry/idempotencyRecords.ts";
import type { Registry } from "../registry/registry.ts";
import type { EntryWrite, KeyValueEntry, KeyValueStore } from "../store/store.ts";
import {
  cachedJsonText,
  type ErrorContext,
  type HttpResponse,
  IDEMPOTENCY_KEY_REUSED,
  IDEMPOTENCY_QUOTA_EXCEEDED,
  INVALID_IDEMPOTENCY_KEY,
  type ResponseHeaders,
  withErrorBody,
} from "./responses.ts";

/**
 * A request that carries an `Idempotency-Key` is carried out once. Its answer is written in the same commit as what it
 * changed, and given again to whoever asks the same again: after a crash, and on any server.
 */
export type IdempotentRequest = IdempotencyRecord<HttpResponse> & {
  /** What was recorded, if it was for the same request. */
  readonly replay: (recorded: string) => HttpResponse;
  readonly isRecorded: () => boolean;
  /** There is an answer to something that came with this key: whether to this, is seen once the whole request is in. */
  readonly hasEarlierResponse: boolean;
  /** The same for a request whose body is now known to be this. */
  readonly withBody: (body: string) => IdempotentRequest;
  readonly isComplete: boolean;
};

export type IdempotentRequestSettings = {
  readonly account: Account;
  readonly apiKey: string;
  /** Of all keys of the account, retired ones included: an answer may have been recorded under another than the one used now. */
  readonly keyHashes: readonly string[];
  readonly key: string;
  /** What the request asks for, all but its body. */
  readonly requestWithoutBody: string;
  readonly errorContext: ErrorContext;
  readonly quota: IdempotencyQuota;
};

const RESPONSE_KIND = "answer";
const RETENTION = 24 * HOUR;
const KEY_PATTERN = /^[\x20-\x7e]{1,255}$/;
const REPLAYED_HEADER: ResponseHeaders = { "Idempotency-Replayed": "true" };

/** An empty key means none; `Answer`, where it cannot be one. */
export function idempotencyKeyIn(header: string | string[] | undefined): string | undefined | HttpResponse {
  if (header === undefined || header === "") return undefined;
  return typeof header === "string" && KEY_PATTERN.test(header) ? header : INVALID_IDEMPOTENCY_KEY;
}

/** A longer refusal is stored in a short form, which says only what was sent: it is evaluated anew when it comes again. */
const REFUSAL_LENGTH_MAX = 4096;
const SHORT_FORM = "-";

const holdsResponse = (stored: string): boolean => !stored.endsWith(` ${SHORT_FORM}`);

export function openIdempotentRequest({
  account,
  apiKey,
  keyHashes,
  key,
  requestWithoutBody,
  errorContext,
  quota,
}: IdempotentRequestSettings): IdempotentRequest {
  const name = { kind: RESPONSE_KIND, id: hashOf(`answer\0${account.name}\0${key}`) };
  const usedHash = hashOf(apiKey);
  const secretOf = (keyPart: string) => hash("sha256", `seal\0${keyPart}\0${key}`, "buffer");
  const state = { isRecorded: false };

  /** Versions before keys could be rotated named no key, and sealed with the key itself. */
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
        return { ...name, dueAt: at + RETENTION, text: `${fingerprint} ${contentOf(response)}` };
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
  return JSON.stringify({ status, headers, json: typeof json === "object" ? cachedJsonText(json) : json });
}

function parseReplayed(text: string): HttpResponse {
  const response = JSON.parse(text) as HttpResponse;
  return { ...response, headers: { ...response.headers, ...REPLAYED_HEADER } };
}

const CIPHER = "aes-256-gcm";
const IV_BYTES = 12;
const TAG_BYTES = 16;

/**
 * An answer may hold an owner token, which nobody who reads the store may learn. So it is sealed with what the store does not have: the
 * hash of the API key, which only the file of accounts has, and the idempotency key, which only the client has.
 */
function encrypt(text: string, secret: Buffer): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, secret, iv);
  const content = Buffer.concat([cipher.update(compress(text)), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), content]).toString("base64");
}

function decrypt(content: string, secret: Buffer): string | undefined {
  const bytes = Buffer.from(content, "base64");
  const cipher = createDecipheriv(CIPHER, secret, bytes.subarray(0, IV_BYTES));
  cipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
  try {
    return decompress(Buffer.concat([cipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), cipher.final()]));
  } catch {
    // It was sealed with another secret, by somebody else.
    return undefined;
  }
}

const COMPRESSED_LENGTH_MIN = 1024;
/** What zstd begins with, and JSON does not. */
const ZSTD_MAGIC = 0x28;

/** An answer shows a whole object, most of it text: it takes up a fraction of the quota this way. */
function compress(text: string): Buffer {
  const bytes = Buffer.from(text);
  return bytes.length < COMPRESSED_LENGTH_MIN ? bytes : zstdCompressSync(bytes);
}

const decompress = (bytes: Buffer): string =>
  (bytes[0] === ZSTD_MAGIC ? zstdDecompressSync(bytes) : bytes).toString("utf8");

export const findRecord = async (
  { name }: IdempotentRequest,
  notes: KeyValueStore,
  now: Instant,
): Promise<KeyValueEntry | undefined> => unexpiredEntry(await notes.find(name), now);

/** What was answered before, if anything was that need not be evaluated anew. */
export async function findRecordedResponse(
  idempotency: IdempotentRequest,
  notes: KeyValueStore,
  now: Instant,
): Promise<HttpResponse | undefined> {
  const record = await findRecord(idempotency, notes, now);
  return record && idempotency.holdsResponse(record.text) ? idempotency.replay(record.text) : undefined;
}

/** Whether something was answered under this key, whatever it was about. */
export async function hasRecordedResponse(
  idempotency: IdempotentRequest,
  notes: KeyValueStore,
  now: Instant,
): Promise<boolean> {
  const record = await findRecord(idempotency, notes, now);
  return record !== undefined && holdsResponse(record.text);
}

/**
 * For an answer that came of no decision of the registry; notes that it tells of are written with it. Somebody may have asked the
 * same at the same time: then the first answer is the one, and nothing is written.
 */
export async function recordResponse(
  idempotency: IdempotentRequest,
  { recordResponse: remember }: Pick<Registry, "recordResponse">,
  response: HttpResponse,
  newNotes: readonly EntryWrite[] = [],
): Promise<HttpResponse> {
  const kind: RecordKind = response.status >= 400 ? "refusal" : newNotes.length > 0 ? "write" : "done";
  const earlier = await remember(idempotency, response, kind, newNotes);
  if (!earlier) return response;
  return "storedResponse" in earlier ? idempotency.replay(earlier.storedResponse) : IDEMPOTENCY_QUOTA_EXCEEDED;
}

const SWEEP_BATCH = 1000;

/** Forgets what is older than a day. */
export async function sweepIdempotencyRecords(notes: KeyValueStore, now: Instant): Promise<number> {
  await deleteDueNotes(notes, USAGE_KIND, now);
  return deleteDueNotes(notes, RESPONSE_KIND, now);
}

export async function deleteDueNotes(notes: KeyValueStore, kindDue: string, dueBy: Instant): Promise<number> {
  for (let deleted = 0; ; ) {
    const dueNotes = await notes.due(kindDue, dueBy, SWEEP_BATCH);
    if (dueNotes.length === 0) return deleted;
    const puts = dueNotes.map(({ kind, id, revision }) => ({ kind, id, text: undefined, before: revision }));
    if (await notes.put(puts)) deleted += dueNotes.length;
  }
}
