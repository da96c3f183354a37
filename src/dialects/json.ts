// A JSON reader that does what JSON.parse cannot: it keeps numbers exact, refuses duplicate keys and bounds depth and size.

import { required } from "../base/required.ts";
import { detachText } from "../domain/values/detach.ts";

/** A number literal that a double would not carry exactly. */
export class LongNumber {
  readonly source: string;

  constructor(source: string) {
    this.source = source;
  }
}

export type Json = null | boolean | number | string | LongNumber | readonly Json[] | { readonly [key: string]: Json };
export type JsonParseResult =
  | { readonly ok: true; readonly value: Json }
  | {
      readonly ok: false;
      readonly why: string;
      /** The text may be JSON, but it has a key twice or exceeds a limit. */
      readonly kind: "malformed" | "duplicate key" | "too complex";
    };

export type JsonLimits = { readonly depthMax?: number; readonly valuesMax?: number };

/** For what an operator repairs: a tender with all its bids may hold more than any request. */
export const UNLIMITED: JsonLimits = { valuesMax: Number.POSITIVE_INFINITY };

const DEPTH_DEFAULT = 64;
// The reader recurses, so no caller may ask for more nesting than the stack surely has room for.
const DEPTH_CEILING = 1000;
/** A short text can hold many values, each of which costs far more time and memory than its characters. */
const VALUES_DEFAULT = 250_000;
/** No shape has a hundredth of that many; V8 takes microseconds for each key of a very large object. */
const KEYS_MAX = 20_000;
const SHOWN_MAX = 60;
const EXACT_LENGTH = 15;

const SPACE = 0x20;
const QUOTE = 0x22;
const PLUS = 0x2b;
const COMMA = 0x2c;
const MINUS = 0x2d;
const POINT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
const COLON = 0x3a;
const UPPER_E = 0x45;
const BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const BRACKET_END = 0x5d;
const LOWER_E = 0x65;
const BRACE = 0x7b;
const BRACE_END = 0x7d;

type Failure = Extract<JsonParseResult, { readonly ok: false }>;
type Reader = {
  readonly text: string;
  readonly depthMax: number;
  readonly valuesMax: number;
  at: number;
  depth: number;
  values: number;
  failure: Failure | undefined;
};

export function parseJson(text: string, limits: JsonLimits = {}): JsonParseResult {
  const { depthMax = DEPTH_DEFAULT, valuesMax = VALUES_DEFAULT } = limits;
  const reader: Reader = {
    text,
    depthMax: Math.min(depthMax, DEPTH_CEILING),
    valuesMax,
    at: 0,
    depth: 0,
    values: 0,
    failure: undefined,
  };
  const value = readValue(reader);
  if (value === undefined) return failureOf(reader);
  skipSpace(reader);
  if (reader.at === text.length) return { ok: true, value };
  unexpected(reader);
  return failureOf(reader);
}

/** The reason that the reader has recorded before it gave up. */
const failureOf = ({ failure }: Reader): Failure => required(failure, "the reason of the failure");

// Every function below that reads answers `undefined`, which no JSON text denotes, once it has said why it failed.

function readValue(reader: Reader): Json | undefined {
  const code = skipSpace(reader);
  if (++reader.values > reader.valuesMax) return tooComplex(reader, `more than ${reader.valuesMax} values`);
  if (code === QUOTE) return readString(reader);
  if (code === BRACE) return readObject(reader);
  if (code === BRACKET) return readArray(reader);
  if (code === MINUS || isDigit(code)) return readNumber(reader);
  if (reader.text.startsWith("true", reader.at)) return skipLiteral(reader, 4, true);
  if (reader.text.startsWith("false", reader.at)) return skipLiteral(reader, 5, false);
  if (reader.text.startsWith("null", reader.at)) return skipLiteral(reader, 4, null);
  return unexpected(reader);
}

function readObject(reader: Reader): Json | undefined {
  if (reader.depth === reader.depthMax) return tooDeep(reader);
  reader.depth++;
  reader.at++;
  const object: { [key: string]: Json } = {};
  let code = skipSpace(reader);
  if (code === BRACE_END) return leaveContainer(reader, object);
  for (let keys = 1; ; keys++) {
    if (keys > KEYS_MAX) return tooComplex(reader, `an object with more than ${KEYS_MAX} keys`);
    if (code !== QUOTE) return unexpected(reader);
    const keyAt = reader.at;
    const key = readKey(reader);
    if (key === undefined) return undefined;
    if (object[key] !== undefined && Object.hasOwn(object, key)) return duplicate(reader, key, keyAt);
    if (skipSpace(reader) !== COLON) return unexpected(reader);
    reader.at++;
    const value = readValue(reader);
    if (value === undefined) return undefined;
    if (key === "__proto__") defineOwn(object, key, value);
    else object[key] = value;
    code = skipSpace(reader);
    if (code === BRACE_END) return leaveContainer(reader, object);
    if (code !== COMMA) return unexpected(reader);
    reader.at++;
    code = skipSpace(reader);
  }
}

/** What an assignment would hand to the setter of Object.prototype. */
function defineOwn(object: object, key: string, value: Json): void {
  Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
}

function readArray(reader: Reader): Json | undefined {
  if (reader.depth === reader.depthMax) return tooDeep(reader);
  reader.depth++;
  reader.at++;
  if (skipSpace(reader) === BRACKET_END) return leaveContainer(reader, []);
  const first = readValue(reader);
  if (first === undefined) return undefined;
  // Not pushed: the first push to an empty list reserves room for 17.
  const items: Json[] = [first];
  for (;;) {
    const code = skipSpace(reader);
    if (code === BRACKET_END) return leaveContainer(reader, items);
    if (code !== COMMA) return unexpected(reader);
    reader.at++;
    const item = readValue(reader);
    if (item === undefined) return undefined;
    items.push(item);
  }
}

function leaveContainer(reader: Reader, container: Json): Json {
  reader.depth--;
  reader.at++;
  return container;
}

function skipLiteral(reader: Reader, length: number, value: Json): Json {
  reader.at += length;
  return value;
}

function readString(reader: Reader): string | undefined {
  const text = reader.text;
  const start = reader.at + 1;
  let at = start;
  let code = text.charCodeAt(at);
  while (code !== QUOTE && code !== BACKSLASH && code >= SPACE) code = text.charCodeAt(++at);
  if (code === BACKSLASH) return readEscapedString(reader);
  reader.at = at;
  if (code !== QUOTE) return unexpected(reader);
  reader.at++;
  return text.slice(start, at);
}

/** Keys come again and again: one that is known need not be made anew, nor be hashed by the engine. */
const KEYS_KNOWN = 1024;
const KEY_LENGTH_MAX = 40;
const knownKeys: (string | undefined)[] = new Array(KEYS_KNOWN).fill(undefined);

function readKey(reader: Reader): string | undefined {
  const text = reader.text;
  const start = reader.at + 1;
  let at = start;
  let hash = 0;
  let code = text.charCodeAt(at);
  while (code !== QUOTE && code !== BACKSLASH && code >= SPACE) {
    hash = (hash * 31 + code) | 0;
    code = text.charCodeAt(++at);
  }
  if (code !== QUOTE || at - start > KEY_LENGTH_MAX) return readString(reader);
  reader.at = at + 1;
  const slot = hash & (KEYS_KNOWN - 1);
  const known = knownKeys[slot];
  if (known !== undefined && known.length === at - start && text.startsWith(known, start)) return known;
  const key = detachText(text.slice(start, at));
  knownKeys[slot] = key;
  return key;
}

function readEscapedString(reader: Reader): string | undefined {
  const { text, at: start } = reader;
  let end = text.indexOf('"', start + 1);
  while (end > 0 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  if (end < 0) {
    reader.at = text.length;
    return unexpected(reader);
  }
  reader.at = end + 1;
  try {
    return JSON.parse(text.slice(start, end + 1));
  } catch {
    return fail(reader, "malformed", `malformed string at ${start}`);
  }
}

function isEscaped(text: string, at: number): boolean {
  let before = at;
  while (text.charCodeAt(before - 1) === BACKSLASH) before--;
  return (at - before) % 2 === 1;
}

function readNumber(reader: Reader): number | LongNumber | undefined {
  const { text, at: start } = reader;
  if (text.charCodeAt(start) === MINUS) reader.at++;
  if (text.charCodeAt(reader.at) === ZERO) reader.at++;
  else if (!skipDigits(reader)) return unexpected(reader);
  let code = text.charCodeAt(reader.at);
  if (code === POINT) {
    reader.at++;
    if (!skipDigits(reader)) return unexpected(reader);
    code = text.charCodeAt(reader.at);
  }
  const mantissaEnd = reader.at;
  const exponent = code === LOWER_E || code === UPPER_E;
  if (exponent) {
    const sign = text.charCodeAt(++reader.at);
    if (sign === PLUS || sign === MINUS) reader.at++;
    if (!skipDigits(reader)) return unexpected(reader);
  }
  // Zero is zero, whatever its exponent; what is merely rounded to zero is not.
  if (exponent && isZero(text, start, mantissaEnd)) return text.charCodeAt(start) === MINUS ? -0 : 0;
  const literal = text.slice(start, reader.at);
  const value = Number(literal);
  // Doubles tell all decimals of up to fifteen digits apart, except next to zero; only the others need a closer look.
  if (mantissaEnd - start <= EXACT_LENGTH && (!exponent || isNormal(value))) return value;
  return Number.isFinite(value) && sameDecimal(literal, String(value)) ? value : new LongNumber(literal);
}

function isZero(text: string, start: number, end: number): boolean {
  for (let i = start; i < end; i++) if (text.charCodeAt(i) > ZERO) return false;
  return true;
}

/** Smaller doubles have fewer digits; zero may be what is left of a number that is not. */
const SMALLEST_NORMAL = 2.2250738585072014e-308;
const isNormal = (value: number): boolean => Math.abs(value) >= SMALLEST_NORMAL && Number.isFinite(value);

function skipDigits(reader: Reader): boolean {
  const start = reader.at;
  while (isDigit(reader.text.charCodeAt(reader.at))) reader.at++;
  return reader.at > start;
}

function isDigit(code: number): boolean {
  return code >= ZERO && code <= NINE;
}

/** Both literals have the same sign, one being the shortest text of the other's double. */
function sameDecimal(literal: string, shortest: string): boolean {
  const a = scientific(literal);
  const b = scientific(shortest);
  return a.digits === b.digits && (a.digits === "" || a.exponent === b.exponent);
}

/** The literal without its sign as 0.digits × 10^exponent, the digits stripped of zeros on both sides. */
function scientific(literal: string): { readonly digits: string; readonly exponent: number } {
  const start = literal.charCodeAt(0) === MINUS ? 1 : 0;
  const powerAt = exponentAt(literal);
  const point = literal.indexOf(".");
  const wholeEnd = point < 0 ? powerAt : point;
  const all =
    point < 0 ? literal.slice(start, powerAt) : literal.slice(start, point) + literal.slice(point + 1, powerAt);
  let first = 0;
  while (all.charCodeAt(first) === ZERO) first++;
  let end = all.length;
  while (end > first && all.charCodeAt(end - 1) === ZERO) end--;
  const power = powerAt < literal.length ? Number(literal.slice(powerAt + 1)) : 0;
  return { digits: all.slice(first, end), exponent: wholeEnd - start - first + power };
}

/** Where the `e` of a number is, or its end. */
function exponentAt(literal: string): number {
  const lower = literal.indexOf("e");
  const at = lower < 0 ? literal.indexOf("E") : lower;
  return at < 0 ? literal.length : at;
}

/** The code of the next character that is not white space, NaN at the end. */
function skipSpace(reader: Reader): number {
  const text = reader.text;
  let at = reader.at;
  let code = text.charCodeAt(at);
  while (code === SPACE || code === 0x0a || code === 0x0d || code === 0x09) code = text.charCodeAt(++at);
  reader.at = at;
  return code;
}

function unexpected(reader: Reader): undefined {
  const { text, at } = reader;
  const character = at < text.length ? JSON.stringify(String.fromCodePoint(text.codePointAt(at) ?? 0)) : "end of text";
  fail(reader, "malformed", `unexpected ${character} at ${at}`);
}

function tooDeep(reader: Reader): undefined {
  tooComplex(reader, `nesting deeper than ${reader.depthMax}`);
}

function tooComplex(reader: Reader, detail: string): undefined {
  fail(reader, "too complex", `${detail} at ${reader.at}`);
}

function duplicate(reader: Reader, key: string, at: number): undefined {
  const shown = key.length > SHOWN_MAX ? key.slice(0, SHOWN_MAX) + "…" : key;
  fail(reader, "duplicate key", `duplicate key ${JSON.stringify(shown)} at ${at}`);
}

function fail(reader: Reader, kind: Failure["kind"], why: string): undefined {
  reader.failure = { ok: false, kind, why };
}
