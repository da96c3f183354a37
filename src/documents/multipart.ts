import type { IncomingHttpHeaders } from "node:http";
import { Readable } from "node:stream";
import { Dicer } from "@fastify/busboy";
import { boundaryOf, dispositionOf, formatOf, type PartHeader } from "./formHeaders.ts";

/** Streaming reader for multipart/form-data with one file. */

/** The name and the media type of an uploaded file. */
export type FormFile = { readonly title: string; readonly format: string };

/** The fields before the file. They are complete one turn of the event loop after the file has started. */
export type FormFields = ReadonlyMap<string, string>;

export type UploadProblem = "no boundary" | "malformed" | "no file" | "two files";

/** `value` is what `consume` returned; after a problem it is there if `consume` had finished, so that the caller can undo it. */
export type UploadReadResult<Value> =
  | { ok: true; upload: FormFile; value: Value }
  | { ok: false; problem: UploadProblem; value?: Value };

type PartsReader = { readonly done: Promise<UploadProblem | undefined>; stop(): void };
type Sink = { push(chunk: Buffer): void; end(): void };

const PARTS_MAX = 20;
const FIELD_BYTES_MAX = 64 * 1024;
const HEADER_PAIRS_MAX = 20;
const HEADER_BYTES_MAX = 16 * 1024;

/**
 * Streams the part named `file` of a multipart/form-data request into `consume` while it arrives. `consume` must read the stream to its
 * end, or settle earlier; then the rest of the file is skipped. In any case the rest of the body is read and discarded, so that the
 * connection can be reused; a caller that does not want this destroys the body. Throws what `consume` throws.
 */
export async function readUpload<Value>(
  headers: IncomingHttpHeaders,
  body: Readable,
  consume: (file: FormFile, content: Readable, fields: FormFields) => Promise<Value>,
): Promise<UploadReadResult<Value>> {
  const boundary = boundaryOf(headers["content-type"]);
  if (boundary === undefined) {
    discardRest(body);
    return { ok: false, problem: "no boundary" };
  }
  const cutOffError = new Error("The body was cut off");
  let filePart:
    | { readonly upload: FormFile; readonly content: Readable; readonly consumed: Promise<Value> }
    | undefined;
  const partsReader = readParts(body, boundary, cutOffError, (upload, content, fields) => {
    // In an async function, so that an exception that `consume` throws synchronously becomes a rejection.
    const consumed = (async () => consume(upload, content, fields))();
    filePart = { upload, content, consumed };
    const stopEarly = () => {
      if (!content.readableEnded) partsReader.stop();
    };
    consumed.then(stopEarly, stopEarly);
  });
  const problem = await partsReader.done;
  if (!filePart) return { ok: false, problem: problem ?? "no file" };
  const { upload, content, consumed } = filePart;
  try {
    const value = await consumed;
    return problem ? { ok: false, problem, value } : { ok: true, upload, value };
  } catch (error) {
    if (content.errored === cutOffError) return { ok: false, problem: "malformed" };
    throw error;
  }
}

/** `done` resolves to a problem, or to undefined after the closing boundary or `stop`. */
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
  const openFieldSink = fieldSinks(fields, () => settle("malformed"));
  const sinkFor = (header: PartHeader): Sink => {
    const part = dispositionOf(header);
    if (part === "malformed") settle(part);
    if (settled || part === "malformed") return ignoringSink;
    if (!part.title) return part.name === "file" ? ignoringSink : openFieldSink(part.name ?? "");
    files += 1;
    if (files > 1) settle("two files");
    if (settled || part.name !== "file") return ignoringSink;
    const resume = () => void (settled || body.resume());
    content = new Readable({ read: resume });
    // It may be destroyed when nobody listens to it any more.
    content.on("error", () => {});
    onFile({ title: part.title, format: formatOf(header["content-type"]?.[0]) }, content, fields);
    return contentSink(content, () => void (settled || body.pause()), resume);
  };
  const unhook = feedParser(body, openParser(boundary, sinkFor, settle), settle);
  return { done, stop: () => settle() };
}

/**
 * Uses Dicer, the parser inside Busboy, because Busboy itself waits forever for a part with an incomplete header and does not
 * distinguish `filename*` from `filename`.
 */
function openParser(
  boundary: string,
  sinkFor: (header: PartHeader) => Sink,
  settle: (problem?: UploadProblem) => void,
) {
  const limits = { maxHeaderPairs: HEADER_PAIRS_MAX, maxHeaderSize: HEADER_BYTES_MAX };
  // Dicer may miss the end of a part that it has paused, so it never pauses: backpressure is applied to the body instead.
  const config = { boundary, ...limits, partHwm: Number.MAX_SAFE_INTEGER };
  const dicer = new Dicer(config);
  let parts = 0;
  let openParts = 0;
  let isFinished = false;
  const settleIfComplete = () => {
    if (isFinished && openParts === 0) settle();
  };
  dicer.on("part", (part) => {
    let sink: Sink | undefined;
    parts += 1;
    openParts += 1;
    if (parts > PARTS_MAX) settle("malformed");
    // The types of Dicer say `Object` and `string | Buffer`; it emits lists of values by name, and buffers.
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
    // A part fails only together with the parser, whose error is handled below.
    part.on("error", () => {});
  });
  dicer.on("error", () => settle("malformed"));
  dicer.on("finish", () => {
    isFinished = true;
    settleIfComplete();
  });
  return dicer;
}

/** Feeds the body to the parser; the returned function stops it. */
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
  // The client may disconnect while the rest is discarded; an unhandled "error" event would end the process.
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
      // An ended stream no longer calls `read`, but the closing boundary has not been read yet.
      resume();
    },
  };
}
