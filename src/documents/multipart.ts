import { isUtf8 } from "node:buffer";
import type { IncomingHttpHeaders } from "node:http";
import { Readable } from "node:stream";
import { Dicer } from "@fastify/busboy";

export type FormFile = { readonly title: string; readonly format: string };
/** The small fields that came before the file; they are complete one turn of the event loop after it has begun. */
export type FormFields = ReadonlyMap<string, string>;
export type UploadProblem = "no boundary" | "malformed" | "no file" | "two files";
export type UploadReadResult<T> =
  | { ok: true; upload: FormFile; taken: T }
  | { ok: false; problem: UploadProblem; taken?: T };

type PartHeader = { readonly [name: string]: readonly string[] | undefined };
type Disposition = { readonly name: string | undefined; readonly title: string | undefined };
type PartsReader = { readonly done: Promise<UploadProblem | undefined>; stop(): void };
type Sink = { push(chunk: Buffer): void; end(): void };

const BOUNDARY_MAX = 200;
const PARTS_MAX = 20;
const FIELD_BYTES_MAX = 64 * 1024;
const HEADER_PAIRS_MAX = 20;
const HEADER_BYTES_MAX = 16 * 1024;
const TITLE_MAX = 1024;
const EXTENSION_MAX = 64;
const ANY_FORMAT = "application/octet-stream";

/**
 * Streams the one part named `file` of a multipart/form-data request into `take` while it arrives. `take` must consume
 * the stream; if it settles before the end of the stream, nobody waits for the rest. Whatever the answer, what is left
 * of the body flows on unread, so that the connection can be used again; a caller who wants otherwise destroys it.
 */
export async function readUpload<T>(
  headers: IncomingHttpHeaders,
  body: Readable,
  consume: (file: FormFile, content: Readable, fields: FormFields) => Promise<T>,
): Promise<UploadReadResult<T>> {
  const boundary = boundaryOf(headers["content-type"]);
  if (boundary === undefined) {
    discardRest(body);
    return { ok: false, problem: "no boundary" };
  }
  const cutOffError = new Error("The body was cut off");
  let filePart: { readonly upload: FormFile; readonly content: Readable; readonly taken: Promise<T> } | undefined;
  const partsReader = readParts(body, boundary, cutOffError, (file, content, fields) => {
    const consumed = (async () => consume(file, content, fields))();
    filePart = { upload: file, content, taken: consumed };
    const stopEarly = () => {
      if (!content.readableEnded) partsReader.stop();
    };
    consumed.then(stopEarly, stopEarly);
  });
  const problem = await partsReader.done;
  if (!filePart) return { ok: false, problem: problem ?? "no file" };
  const { upload: file, content, taken: consumed } = filePart;
  try {
    const value = await consumed;
    return problem ? { ok: false, problem, taken: value } : { ok: true, upload: file, taken: value };
  } catch (error) {
    if (content.errored === cutOffError) return { ok: false, problem: "malformed" };
    throw error;
  }
}

/** Settles with a problem, or with nothing once the closing boundary came or the reading was stopped. */
function readParts(
  body: Readable,
  boundary: string,
  cutOffError: Error,
  onFile: (upload: FormFile, content: Readable, fields: FormFields) => void,
): PartsReader {
  const { promise: done, resolve } = Promise.withResolvers<UploadProblem | undefined>();
  let settled = false;
  let content: Readable | undefined;
  const settle = (problem?: UploadProblem) => {
    if (settled) return;
    settled = true;
    unhook();
    discardRest(body);
    if (problem === "malformed" && !content?.readableEnded) content?.destroy(cutOffError);
    resolve(problem);
  };

  let files = 0;
  const fields = new Map<string, string>();
  const sinkOfField = fieldSinks(fields, () => settle("malformed"));
  const sinkFor = (header: PartHeader): Sink => {
    const part = dispositionOf(header);
    if (part === "malformed") settle(part);
    if (settled || part === "malformed") return ignoringSink;
    if (!part.title) return part.name === "file" ? ignoringSink : sinkOfField(part.name ?? "");
    files += 1;
    if (files > 1) settle("two files");
    if (settled || part.name !== "file") return ignoringSink;
    const resume = () => void (settled || body.resume());
    content = new Readable({ read: resume });
    // It may be destroyed after its reader has gone.
    content.on("error", () => {});
    onFile({ title: part.title, format: formatOf(header["content-type"]?.[0]) }, content, fields);
    return contentSink(content, () => void (settled || body.pause()), resume);
  };
  const unhook = feedParser(body, openParser(boundary, sinkFor, settle), settle);
  return { done, stop: () => settle() };
}

/**
 * The parser below Busboy, because Busboy itself waits forever for a part without a whole header
 * and does not tell `filename*` from `filename`.
 */
function openParser(
  boundary: string,
  sinkFor: (header: PartHeader) => Sink,
  settle: (problem?: UploadProblem) => void,
) {
  const limits = { maxHeaderPairs: HEADER_PAIRS_MAX, maxHeaderSize: HEADER_BYTES_MAX };
  // Its own pausing can miss the end of a part; the body is paused instead, so nothing gathers in a part.
  const config = { boundary, ...limits, partHwm: Number.MAX_SAFE_INTEGER };
  const dicer = new Dicer(config);
  let parts = 0;
  let openParts = 0;
  let closed = false;
  const settleIfComplete = () => {
    if (closed && openParts === 0) settle();
  };
  dicer.on("part", (part) => {
    let sink: Sink | undefined;
    parts += 1;
    openParts += 1;
    if (parts > PARTS_MAX) settle("malformed");
    part.on("header", (header) => {
      sink = sinkFor(header as PartHeader);
    });
    part.on("data", (chunk) => sink?.push(chunk as Buffer));
    part.on("end", () => {
      openParts -= 1;
      if (!sink) return settle("malformed");
      sink.end();
      settleIfComplete();
    });
    // A part fails only together with its parser, which reports it.
    part.on("error", () => {});
  });
  dicer.on("error", () => settle("malformed"));
  dicer.on("finish", () => {
    closed = true;
    settleIfComplete();
  });
  return dicer;
}

/** Writes the body into the parser until told to stop; the parser never asks to wait. */
function feedParser(body: Readable, dicer: Dicer, settle: (problem: UploadProblem) => void): () => void {
  const onData = (chunk: Buffer | string) => {
    try {
      dicer.write(chunk);
    } catch {
      settle("malformed");
    }
  };
  const onEnd = () => dicer.end();
  const onClose = () => {
    if (!body.readableEnded) settle("malformed");
  };
  if (body.destroyed || body.readableEnded) process.nextTick(settle, "malformed");
  body.on("data", onData).on("end", onEnd).on("close", onClose).on("error", onClose);
  return () => body.off("data", onData).off("end", onEnd).off("close", onClose).off("error", onClose);
}

function discardRest(body: Readable): void {
  // A client may still break off while nobody reads; that is no reason to stop the process.
  body.on("error", () => {});
  body.resume();
}

const ignoringSink: Sink = { push() {}, end() {} };

function fieldSinks(fields: Map<string, string>, onTooLarge: () => void): (name: string) => Sink {
  let size = 0;
  return (name) => ({
    push(chunk) {
      size += chunk.length;
      if (size > FIELD_BYTES_MAX) onTooLarge();
      else fields.set(name, (fields.get(name) ?? "") + chunk.toString("latin1"));
    },
    end() {},
  });
}

function contentSink(content: Readable, pause: () => void, resume: () => void): Sink {
  return {
    push(chunk) {
      if (!content.push(chunk)) pause();
    },
    end() {
      content.push(null);
      // An ended stream asks for nothing more, and the closing boundary is still to come.
      resume();
    },
  };
}

function boundaryOf(contentType: string | undefined): string | undefined {
  if (!/^\s*multipart\/form-data\s*;/i.test(contentType ?? "")) return undefined;
  const boundary = parametersOf(contentType!)?.get("boundary");
  return boundary && boundary.length <= BOUNDARY_MAX ? boundary : undefined;
}

function formatOf(contentType: string | undefined): string {
  const format = (contentType ?? "").split(";", 1)[0]!.trim().toLowerCase();
  return /^[-\w]+\/[-.+\w]+$/.test(format) ? format : ANY_FORMAT;
}

function dispositionOf(header: PartHeader): Disposition | "malformed" {
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

/** The parameters of a header whose bytes are still one character each, or nothing if a quote is left open. */
function parametersOf(header: string): ReadonlyMap<string, string> | undefined {
  const parameter = /;\s*([^\s=;"]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|(".*)|((?:&(?:#\w+|amp|quot|lt|gt|apos);|[^;])*))/gis;
  const parameters = new Map<string, string>();
  for (const [, name, quoted, unclosed, plain] of header.matchAll(parameter)) {
    if (unclosed !== undefined) return undefined;
    const value = quoted?.replace(/\\(["\\])/g, "$1") ?? plain!.trim();
    if (!parameters.has(name!.toLowerCase())) parameters.set(name!.toLowerCase(), value);
  }
  return parameters;
}

/** RFC 5987: `utf-8'en'%D1%83`. */
function extendedValue(value: string | undefined): string | undefined {
  const [, charset, encoded] = /^([-\w]+)'[^']*'(.*)$/s.exec(value ?? "") ?? [];
  return charset && encoded ? decode(unescapeHex(encoded, "%"), charset) : undefined;
}

/** RFC 2047: `=?utf-8?b?0YM=?= =?utf-8?q?=D1=83?=`, where the space between two encoded words means nothing. */
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

/** Some Python clients write the bytes of a name as `\xd0\xb4`, in letters. What is not UTF-8 stays as it was sent. */
function unescapeBytes(text: string): string {
  return text.replace(ESCAPED_BYTES, (escapes) => {
    const bytes = Buffer.from(escapes.replaceAll(/\\x/gi, ""), "hex");
    return isUtf8(bytes) ? bytes.toString("utf8") : escapes;
  });
}

function unescapeHex(text: string, sign: "%" | "="): string {
  return text.replace(new RegExp(`${sign}([0-9a-f]{2})`, "gi"), (_, hex) => String.fromCharCode(parseInt(hex, 16)));
}

/** Decodes bytes held one per character, or answers nothing if nobody knows the charset. */
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
    if (name) return Object.hasOwn(HTML_REFERENCES, name) ? HTML_REFERENCES[name]! : reference;
    const point = decimal ? Number(decimal) : Number.parseInt(hex, 16);
    return point <= 0x10ffff ? String.fromCodePoint(point) : "\ufffd";
  });
}

/** All up to the last separator; a backslash that begins an escaped byte is none. */
const PATH_PREFIX = /^.*(?:\/|\\(?!x[0-9a-f]{2}))/is;

/** The name as sent, without its path and without what no title may hold; empty if nothing is left. */
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
