// A JSON reader that does what JSON.parse cannot: it keeps numbers exact, refuses duplicate keys and bounds the depth.

/** A number literal that a double would not carry exactly. */
export class LongNumber {
  readonly source: string;

  constructor(source: string) {
    this.source = source;
  }
}

export type Json = null | boolean | number | string | LongNumber | readonly Json[] | { readonly [key: string]: Json };
export type Parsed = { readonly ok: true; readonly value: Json } | { readonly ok: false; readonly why: string };

const DEPTH_DEFAULT = 64;
// The reader recurses, so no caller may ask for more nesting than the stack surely has room for.
const DEPTH_CEILING = 1000;
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

type Reader = { readonly text: string; readonly depthMax: number; at: number; depth: number; why: string };

export function parseJson(text: string, depthMax: number = DEPTH_DEFAULT): Parsed {
  const reader: Reader = { text, depthMax: Math.min(depthMax, DEPTH_CEILING), at: 0, depth: 0, why: "" };
  const value = readValue(reader);
  if (value === undefined) return { ok: false, why: reader.why };
  skipSpace(reader);
  if (reader.at === text.length) return { ok: true, value };
  unexpected(reader);
  return { ok: false, why: reader.why };
}

// Every function below that reads answers `undefined`, which no JSON text denotes, once it has said why it failed.

function readValue(reader: Reader): Json | undefined {
  const code = skipSpace(reader);
  if (code === QUOTE) return readString(reader);
  if (code === BRACE) return readObject(reader);
  if (code === BRACKET) return readArray(reader);
  if (code === MINUS || isDigit(code)) return readNumber(reader);
  if (reader.text.startsWith("true", reader.at)) return passing(reader, 4, true);
  if (reader.text.startsWith("false", reader.at)) return passing(reader, 5, false);
  if (reader.text.startsWith("null", reader.at)) return passing(reader, 4, null);
  return unexpected(reader);
}

function readObject(reader: Reader): Json | undefined {
  if (reader.depth === reader.depthMax) return tooDeep(reader);
  reader.depth++;
  reader.at++;
  const object: { [key: string]: Json } = {};
  let code = skipSpace(reader);
  if (code === BRACE_END) return leaving(reader, object);
  for (;;) {
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
    if (code === BRACE_END) return leaving(reader, object);
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
  const items: Json[] = [];
  if (skipSpace(reader) === BRACKET_END) return leaving(reader, items);
  for (;;) {
    const item = readValue(reader);
    if (item === undefined) return undefined;
    items.push(item);
    const code = skipSpace(reader);
    if (code === BRACKET_END) return leaving(reader, items);
    if (code !== COMMA) return unexpected(reader);
    reader.at++;
  }
}

function leaving(reader: Reader, container: Json): Json {
  reader.depth--;
  reader.at++;
  return container;
}

function passing(reader: Reader, length: number, value: Json): Json {
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
  const place = hash & (KEYS_KNOWN - 1);
  const known = knownKeys[place];
  if (known !== undefined && known.length === at - start && text.startsWith(known, start)) return known;
  const key = text.slice(start, at);
  knownKeys[place] = key;
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
    reader.why = `malformed string at ${start}`;
    return undefined;
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
  const exponent = code === LOWER_E || code === UPPER_E;
  if (exponent) {
    const sign = text.charCodeAt(++reader.at);
    if (sign === PLUS || sign === MINUS) reader.at++;
    if (!skipDigits(reader)) return unexpected(reader);
  }
  const literal = text.slice(start, reader.at);
  const value = Number(literal);
  // Doubles tell all decimals of up to fifteen digits apart; only the longer and the scaled ones need a closer look.
  if (!exponent && literal.length <= EXACT_LENGTH) return value;
  return Number.isFinite(value) && sameDecimal(literal, String(value)) ? value : new LongNumber(literal);
}

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
  const unsigned = literal.startsWith("-") ? literal.slice(1) : literal;
  const [mantissa = "", power = "0"] = unsigned.split(/e/i);
  const [whole = "", fraction = ""] = mantissa.split(".");
  const all = whole + fraction;
  let first = 0;
  while (all.charCodeAt(first) === ZERO) first++;
  let end = all.length;
  while (end > first && all.charCodeAt(end - 1) === ZERO) end--;
  return { digits: all.slice(first, end), exponent: whole.length - first + Number(power) };
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
  const what = at < text.length ? JSON.stringify(String.fromCodePoint(text.codePointAt(at) ?? 0)) : "end of text";
  reader.why = `unexpected ${what} at ${at}`;
}

function tooDeep(reader: Reader): undefined {
  reader.why = `nesting deeper than ${reader.depthMax} at ${reader.at}`;
}

function duplicate(reader: Reader, key: string, at: number): undefined {
  const shown = key.length > SHOWN_MAX ? key.slice(0, SHOWN_MAX) + "…" : key;
  reader.why = `duplicate key ${JSON.stringify(shown)} at ${at}`;
}
