import type { IncomingHttpHeaders } from "node:http";
import type { Config } from "../config/config.ts";
import type { Document } from "../domain/model/tender.ts";
import type { ByteRange, Files } from "../files/files.ts";
import { NOT_FOUND, RANGE_NOT_SATISFIABLE } from "../http/errorResponses.ts";
import type { Exchange } from "../http/exchange.ts";
import type { HttpResponse, ResponseHeaders } from "../http/responses.ts";

/** The ports for downloads: the files, and whether clients are redirected to the file store. */
export type DownloadPorts = {
  readonly files: Pick<Files, "link" | "open">;
  readonly config: Pick<Config, "documents">;
};

/** Short, because anyone who has the link can read the file, which may belong to a sealed bid. */
const PRESIGNED_LINK_SECONDS = 60;

/**
 * The file of a document version, or a range of it; or a redirect to the file store, if the settings say so. A file that changes under
 * the same address has a time of its last change, `modifiedMs`, for clients that compare dates.
 */
export async function download(
  { request, ports }: Pick<Exchange<DownloadPorts>, "request" | "ports">,
  version: Pick<Document, "id" | "title" | "format" | "key" | "sha256" | "size">,
  modifiedMs?: number,
): Promise<HttpResponse> {
  const validators = { etag: `"${version.sha256}"`, lastModified: lastModifiedOf(modifiedMs) };
  const { etag, lastModified } = validators;
  const disposition = contentDispositionOf(version.title ?? version.id);
  const headers: ResponseHeaders = {
    "Content-Type": version.format,
    "Content-Disposition": disposition,
    "Content-Security-Policy": "sandbox; default-src 'none'",
    "Accept-Ranges": "bytes",
    ETag: etag,
    ...(lastModified !== undefined && { "Last-Modified": lastModified }),
  };
  if (isNotModified(request.headers, validators)) return { status: 304, headers };
  const ifRange = request.headers["if-range"];
  const condition = Array.isArray(ifRange) ? ifRange[0] : ifRange;
  const range = isSameVersion(condition, validators) ? parseRange(request.headers.range, version.size) : undefined;
  if (range === "unsatisfiable") return RANGE_NOT_SATISFIABLE(version.size);
  if (ports.config.documents?.redirects && request.method === "GET") {
    const presentation = { disposition, format: version.format };
    const link = await ports.files.link(version.key, { seconds: PRESIGNED_LINK_SECONDS, ...presentation });
    if (link) return { status: 302, headers: { Location: link, "Cache-Control": "no-store" } };
  }
  const file = await ports.files.open(version.key, range);
  if (!file) return NOT_FOUND("download");
  const length = range ? range.end - range.start + 1 : version.size;
  return {
    status: range ? 206 : 200,
    headers: {
      ...headers,
      "Content-Length": String(length),
      ...(range && { "Content-Range": `bytes ${range.start}-${range.end}/${version.size}` }),
    },
    stream: file.stream,
  };
}

const matchesEtag = (header: string | undefined, etag: string): boolean =>
  header !== undefined &&
  (header.trim() === "*" || header.split(",").some((tag) => tag.trim().replace(/^W\//, "") === etag));

/** How clients tell versions of a file apart. */
type Validators = { readonly etag: string; readonly lastModified: string | undefined };

const lastModifiedOf = (ms: number | undefined): string | undefined =>
  ms === undefined ? undefined : new Date(ms).toUTCString();

/** Whether the client has this version. `If-None-Match` is the exact condition, so `If-Modified-Since` counts only without it. */
function isNotModified(headers: IncomingHttpHeaders, { etag, lastModified }: Validators): boolean {
  if (headers["if-none-match"] !== undefined) return matchesEtag(headers["if-none-match"], etag);
  if (lastModified === undefined) return false;
  return Date.parse(lastModified) <= Date.parse(headers["if-modified-since"] ?? "");
}

/** Whether a range of this version is wanted: `If-Range` has its ETag or exactly its date, or there is no condition. */
const isSameVersion = (ifRange: string | undefined, { etag, lastModified }: Validators): boolean =>
  ifRange === undefined || ifRange.trim() === etag || ifRange.trim() === lastModified;

/** The requested byte range. Undefined means the whole file: also for several ranges, or an invalid one. */
function parseRange(header: string | undefined, size: number): ByteRange | "unsatisfiable" | undefined {
  const [, from, to] = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? "") ?? [];
  if (from === undefined || to === undefined || (from === "" && to === "")) return undefined;
  const start = from === "" ? Math.max(0, size - Number(to)) : Number(from);
  const end = from === "" || to === "" ? size - 1 : Math.min(Number(to), size - 1);
  if (from !== "" && to !== "" && Number(to) < start) return undefined;
  return start >= size || (from === "" && Number(to) === 0) ? "unsatisfiable" : { start, end };
}

const TITLE_LENGTH_MAX = 100;

/** Shortens a long name for the header, but keeps its extension. */
function truncateTitle(title: string): string {
  const letters = [...title];
  if (letters.length <= TITLE_LENGTH_MAX) return title;
  const [extension = ""] = /\.[^.]{1,10}$/s.exec(title) ?? [];
  return letters.slice(0, TITLE_LENGTH_MAX - extension.length).join("") + extension;
}

/** Content-Disposition by RFC 6266: `filename` for old clients, and `filename*` with the exact name if it differs. */
export function contentDispositionOf(fullTitle: string): string {
  const title = truncateTitle(fullTitle);
  if (/^[\w.+-]+$/.test(title)) return `attachment; filename=${title}`;
  const encoded = encodeURIComponent(title).replace(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
  const plain = /^[\x20-\x7e]*$/.test(title) ? `"${title.replace(/["\\]/g, "\\$&")}"` : encoded;
  return `attachment; filename=${plain}; filename*=UTF-8''${encoded}`;
}
