import { createCipheriv, createDecipheriv, hash, randomBytes } from "node:crypto";
import { zstdCompressSync, zstdDecompressSync } from "node:zlib";
import type { Account } from "../domain/actors.ts";
import { HOUR, type Instant } from "../domain/time.ts";
import { fingerprintOf } from "../registry/accountEntries.ts";
import { type IdempotencyQuota, type IdempotencyRecord, type RecordKind, USAGE_KIND } from "../registry/idempotency.ts";
import { recordedIn } from "../registry/recorded.ts";
import type { Registry } from "../registry/registry.ts";
import { hashOf } from "../registry/secrets.ts";
import type { NewNote, Note, Notes } from "../store/store.ts";
import {
  type Answer,
  type Headers,
  IDEMPOTENCY_QUOTA,
  KEY_OF_ANOTHER,
  type Telling,
  textOf,
  told,
  UNUSABLE_KEY,
} from "./answers.ts";

/**
 * A request that carries an `Idempotency-Key` is carried out once. Its answer is written in the same commit as what it
 * changed, and given again to whoever asks the same again: after a crash, and on any server.
 */
export type Once = IdempotencyRecord<Answer> & {
  /** What was recorded, if it was for the same request. */
  readonly again: (recorded: string) => Answer;
  readonly isRecorded: () => boolean;
  /** There is an answer to something that came with this key: whether to this, is seen once the whole request is in. */
  readonly wasAsked: boolean;
  /** The same for a request whose body is now known to be this. */
  readonly withBody: (body: string) => Once;
  readonly isWhole: boolean;
};

export type OnceSettings = {
  readonly account: Account;
  readonly apiKey: string;
  /** Of all keys of the account, retired ones included: an answer may have been recorded under another than the one used now. */
  readonly keyHashes: readonly string[];
  readonly key: string;
  /** What the request asks for, all but its body. */
  readonly asked: string;
  readonly telling: Telling;
  readonly quota: IdempotencyQuota;
};

const KIND = "answer";
const KEPT = 24 * HOUR;
const KEY = /^[\x20-\x7e]{1,255}$/;
const REPLAYED: Headers = { "Idempotency-Replayed": "true" };

/** An empty key means none; `Answer`, where it cannot be one. */
export function keyIn(header: string | string[] | undefined): string | undefined | Answer {
  if (header === undefined || header === "") return undefined;
  return typeof header === "string" && KEY.test(header) ? header : UNUSABLE_KEY;
}

/** A longer refusal is stored in a short form, which says only what was sent: it is evaluated anew when it comes again. */
const REFUSAL_LENGTH_MAX = 4096;
const SHORT_FORM = "-";

const holdsAnswer = (stored: string): boolean => !stored.endsWith(` ${SHORT_FORM}`);

export function openOnce({ account, apiKey, keyHashes, key, asked, telling, quota }: OnceSettings): Once {
  const name = { kind: KIND, id: hashOf(`answer\0${account.name}\0${key}`) };
  const usedHash = hashOf(apiKey);
  const secretOf = (keyPart: string) => hash("sha256", `seal\0${keyPart}\0${key}`, "buffer");
  const state = { isRecorded: false };

  /** Versions before keys could be rotated named no key, and sealed with the key itself. */
  function secretFor(keyPrint: string | undefined): Buffer | undefined {
    if (keyPrint === undefined) return secretOf(apiKey);
    const keyHash = [usedHash, ...keyHashes].find((one) => fingerprintOf(one) === keyPrint);
    return keyHash === undefined ? undefined : secretOf(keyHash);
  }

  function bound(body: string | undefined): Once {
    const fingerprint = hashOf(`${asked}\0${body ?? ""}`);
    const contentOf = (answer: Answer): string => {
      const whole = packed(told(answer, telling));
      const isShort = answer.status >= 400 && whole.length > REFUSAL_LENGTH_MAX;
      return isShort ? SHORT_FORM : `${sealed(whole, secretOf(usedHash))} ${fingerprintOf(usedHash)}`;
    };
    return {
      name,
      quota,
      holdsAnswer: (stored) => !stored.startsWith(`${fingerprint} `) || holdsAnswer(stored),
      isWhole: body !== undefined,
      wasAsked: false,
      isRecorded: () => state.isRecorded,
      withBody: bound,
      record: (answer, at) => {
        state.isRecorded = true;
        return { ...name, dueAt: at + KEPT, text: `${fingerprint} ${contentOf(answer)}` };
      },
      again: (recorded) => {
        state.isRecorded = true;
        const [of, content = "", keyPrint] = recorded.split(" ");
        const secret = secretFor(keyPrint);
        const opened = of === fingerprint && secret ? unsealed(content, secret) : undefined;
        return opened === undefined ? KEY_OF_ANOTHER : unpacked(opened);
      },
    };
  }
  return bound(undefined);
}

function packed({ status, headers, json }: Answer): string {
  return JSON.stringify({ status, headers, json: typeof json === "object" ? textOf(json) : json });
}

function unpacked(text: string): Answer {
  const answer = JSON.parse(text) as Answer;
  return { ...answer, headers: { ...answer.headers, ...REPLAYED } };
}

const CIPHER = "aes-256-gcm";
const IV_BYTES = 12;
const TAG_BYTES = 16;

/**
 * An answer may hold an owner token, which nobody who reads the store may learn. So it is sealed with what the store does not have: the
 * hash of the API key, which only the file of accounts has, and the idempotency key, which only the client has.
 */
function sealed(text: string, secret: Buffer): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, secret, iv);
  const content = Buffer.concat([cipher.update(compressed(text)), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), content]).toString("base64");
}

function unsealed(content: string, secret: Buffer): string | undefined {
  const bytes = Buffer.from(content, "base64");
  const cipher = createDecipheriv(CIPHER, secret, bytes.subarray(0, IV_BYTES));
  cipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
  try {
    return decompressed(Buffer.concat([cipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), cipher.final()]));
  } catch {
    // It was sealed with another secret, by somebody else.
    return undefined;
  }
}

const COMPRESSED_LENGTH_MIN = 1024;
/** What zstd begins with, and JSON does not. */
const ZSTD_MAGIC = 0x28;

/** An answer shows a whole object, most of it text: it takes up a fraction of the quota this way. */
function compressed(text: string): Buffer {
  const bytes = Buffer.from(text);
  return bytes.length < COMPRESSED_LENGTH_MIN ? bytes : zstdCompressSync(bytes);
}

const decompressed = (bytes: Buffer): string =>
  (bytes[0] === ZSTD_MAGIC ? zstdDecompressSync(bytes) : bytes).toString("utf8");

export const recordedNote = async ({ name }: Once, notes: Notes, now: Instant): Promise<Note | undefined> =>
  recordedIn(await notes.find(name), now);

/** What was answered before, if anything was that need not be evaluated anew. */
export async function recordedAnswer(once: Once, notes: Notes, now: Instant): Promise<Answer | undefined> {
  const current = await recordedNote(once, notes, now);
  return current && once.holdsAnswer(current.text) ? once.again(current.text) : undefined;
}

/** Whether something was answered under this key, whatever it was about. */
export async function wasAnswered(once: Once, notes: Notes, now: Instant): Promise<boolean> {
  const current = await recordedNote(once, notes, now);
  return current !== undefined && holdsAnswer(current.text);
}

/**
 * For an answer that came of no decision of the registry; notes that it tells of are written with it. Somebody may have asked the
 * same at the same time: then the first answer is the one, and nothing is written.
 */
export async function rememberedAnswer(
  once: Once,
  { remember }: Pick<Registry, "remember">,
  answer: Answer,
  made: readonly NewNote[] = [],
): Promise<Answer> {
  const kind: RecordKind = answer.status >= 400 ? "refusal" : made.length > 0 ? "write" : "done";
  const before = await remember(once, answer, kind, made);
  if (!before) return answer;
  return "again" in before ? once.again(before.again) : IDEMPOTENCY_QUOTA;
}

const SWEPT_AT_ONCE = 1000;

/** Forgets what is older than a day. */
export async function sweepAnswers(notes: Notes, now: Instant): Promise<number> {
  await forgetDue(notes, USAGE_KIND, now);
  return forgetDue(notes, KIND, now);
}

export async function forgetDue(notes: Notes, kindDue: string, by: Instant): Promise<number> {
  for (let swept = 0; ; ) {
    const old = await notes.due(kindDue, by, SWEPT_AT_ONCE);
    if (old.length === 0) return swept;
    const puts = old.map(({ kind, id, revision }) => ({ kind, id, text: undefined, before: revision }));
    if (await notes.put(puts)) swept += old.length;
  }
}
