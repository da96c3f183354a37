import { isUtf8 } from "node:buffer";

/** Parses the headers of multipart/form-data: the boundary, the names of fields and files, and formats. */

/** The headers of a part by their lower-case names; each byte of a value is one character. */
export type PartHeader = { readonly [name: string]: readonly string[] | undefined };

/** `name` is the name of the field; `title` the cleaned file name, undefined for a field without a file. */
type Disposition = { readonly name: string | undefined; readonly title: string | undefined };

const BOUNDARY_MAX = 200;
const TITLE_MAX = 1024;
const EXTENSION_MAX = 64;
const ANY_FORMAT = "application/octet-stream";

/** The boundary in a Content-Type; undefined if the type is not multipart/form-data or the boundary is missing or too long. */
export function boundaryOf(contentType = ""): string | undefined {
  if (!/^\s*multipart\/form-data\s*;/i.test(contentType)) return undefined;
  const boundary = parametersOf(contentType)?.get("boundary");
  return boundary && boundary.length <= BOUNDARY_MAX ? boundary : undefined;
}

/** The media type without parameters; application/octet-stream if it is missing or invalid. */
export function formatOf(contentType: string | undefined): string {
  const [type = ""] = (contentType ?? "").split(";", 1);
  const format = type.trim().toLowerCase();
  return /^[-\w]+\/[-.+\w]+$/.test(format) ? format : ANY_FORMAT;
}

/** The Content-Disposition of a part. A `filename*` (RFC 5987) takes precedence over `filename`. */
export function dispositionOf(header: PartHeader): Disposition | "malformed" {
  const disposition = header["content-disposition"]?.[0] ?? "";
  if (!/^\s*form-data\s*(;|$)/i.test(disposition)) return { name: undefined, title: undefined };
  const parameters = parametersOf(disposition);
  if (!parameters) return "malformed";
  const name = parameters.get("name");
  const plainName = parameters.get("filename");
  const extendedName = extendedValue(parameters.get("filename*"));
  const filename =
    extendedName ??
    (plainName === undefined ? undefined : unescapeBytes(decodeWords(decode(plainName, "utf-8") ?? plainName)));
  return { name: name === undefined ? undefined : decode(name, "utf-8"), title: filename && titleOf(filename) };
}

/** The parameters of a header value in which each byte is one character; undefined if a quote is not closed. */
function parametersOf(header: string): ReadonlyMap<string, string> | undefined {
  const parameter = /;\s*([^\s=;"]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|(".*)|((?:&(?:#\w+|amp|quot|lt|gt|apos);|[^;])*))/gis;
  const parameters = new Map<string, string>();
  for (const [, name = "", quoted, unclosed, plain = ""] of header.matchAll(parameter)) {
    if (unclosed !== undefined) return undefined;
    const value = quoted?.replace(/\\(["\\])/g, "$1") ?? plain.trim();
    if (!parameters.has(name.toLowerCase())) parameters.set(name.toLowerCase(), value);
  }
  return parameters;
}

/** RFC 5987: `utf-8'en'%D1%83`. */
function extendedValue(value: string | undefined): string | undefined {
  const [, charset, encoded] = /^([-\w]+)'[^']*'(.*)$/s.exec(value ?? "") ?? [];
  return charset && encoded ? decode(unescapeHex(encoded, "%"), charset) : undefined;
}

/** RFC 2047: `=?utf-8?b?0YM=?= =?utf-8?q?=D1=83?=`. A space between two encoded words is not part of the text. */
function decodeWords(text: string): string {
  const word = /=\?([-\w]+)(?:\*[-\w]*)?\?([bq])\?([ !->@-~]*)\?=/gi;
  return text.replace(/\?=\s+=\?/g, "?==?").replace(word, (encodedWord, charset, encoding, encoded) => {
    const bytes =
      encoding.toLowerCase() === "b"
        ? Buffer.from(encoded, "base64").toString("latin1")
        : unescapeHex(encoded.replaceAll("_", " "), "=");
    return decode(bytes, charset) ?? encodedWord;
  });
}

const ESCAPED_BYTES = /(?:\\x[0-9a-f]{2})+/gi;

/** Some Python clients send the bytes of a name as the text `\xd0\xb4`. Bytes that are not UTF-8 stay as they were sent. */
function unescapeBytes(text: string): string {
  return text.replace(ESCAPED_BYTES, (escapes) => {
    const bytes = Buffer.from(escapes.replaceAll(/\\x/gi, ""), "hex");
    return isUtf8(bytes) ? bytes.toString("utf8") : escapes;
  });
}

function unescapeHex(text: string, sign: "%" | "="): string {
  return text.replace(new RegExp(`${sign}([0-9a-f]{2})`, "gi"), (_, hex) => String.fromCharCode(parseInt(hex, 16)));
}

/** Decodes a string with one character for each byte; undefined if the charset is unknown. */
function decode(bytes: string, charset: string): string | undefined {
  try {
    return new TextDecoder(charset).decode(Buffer.from(bytes, "latin1"));
  } catch {
    return undefined;
  }
}

const HTML_REFERENCES: { readonly [name: string]: string } = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: "\u00a0",
  laquo: "«",
  raquo: "»",
  ndash: "–",
  mdash: "—",
};

function unescapeHtmlReferences(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]+));/gi, (reference, decimal, hex, name) => {
    if (name) return (Object.hasOwn(HTML_REFERENCES, name) ? HTML_REFERENCES[name] : undefined) ?? reference;
    const point = decimal ? Number(decimal) : Number.parseInt(hex, 16);
    return point <= 0x10ffff ? String.fromCodePoint(point) : "\ufffd";
  });
}

/** Everything up to the last path separator. A backslash that starts an escaped byte is not a separator. */
const PATH_PREFIX = /^.*(?:\/|\\(?!x[0-9a-f]{2}))/is;

/** The file name without its path, control characters and extra spaces; empty if nothing is left. */
function titleOf(filename: string): string {
  const title = unescapeHtmlReferences(filename)
    .toWellFormed()
    .replace(PATH_PREFIX, "")
    .replace(/[\u0000-\u0008\u000a-\u001f\u007f-\u009f]/g, "")
    .replace(/[\t ]+/g, " ")
    .replace(/^ | $/g, "");
  return title === "." || title === ".." ? "" : truncateTitle(title);
}

function truncateTitle(title: string): string {
  if (title.length <= TITLE_MAX) return title;
  const [extension = ""] = new RegExp(`\\.[^.]{1,${EXTENSION_MAX}}$`, "s").exec(title) ?? [];
  const stem = title.slice(0, TITLE_MAX - extension.length);
  return stem.replace(/[\ud800-\udbff]$/, "") + extension;
}
