import type { Config } from "../config/config.ts";
import type { Document } from "../domain/model/tender.ts";
import type { ByteRange, Files } from "../files/files.ts";
import type { Exchange } from "../http/exchange.ts";
import { type HttpResponse, NOT_FOUND, RANGE_NOT_SATISFIABLE, type ResponseHeaders } from "../http/responses.ts";

/** What downloads need: where files are, and whether the store of files hands them out itself. */
export type DownloadPorts = {
  readonly files: Pick<Files, "link" | "open">;
  readonly config: Pick<Config, "documents">;
};

/** Short, since a link opens also what is sealed, and to whoever has it. */
const PRESIGNED_LINK_SECONDS = 60;

/** The file of one version, whole or in part; or where it is to be had, if the settings want others to hand it out. */
export async function download(
  { request, ports }: Pick<Exchange<DownloadPorts>, "request" | "ports">,
  version: Pick<Document, "id" | "title" | "format" | "key" | "sha256" | "size">,
): Promise<HttpResponse> {
  const etag = `"${version.sha256}"`;
  const headers: ResponseHeaders = {
    "Content-Type": version.format,
    "Content-Disposition": contentDispositionOf(version.title ?? version.id),
    "Content-Security-Policy": "sandbox; default-src 'none'",
    "Accept-Ranges": "bytes",
    ETag: etag,
  };
  if (matchesEtag(request.headers["if-none-match"], etag)) return { status: 304, headers };
  const range = parseRange(
    request.headers.range,
    version.size,
    request.headers["if-range"] as string | undefined,
    etag,
  );
  if (range === "unsatisfiable") return RANGE_NOT_SATISFIABLE(version.size);
  if (ports.config.documents?.redirects && request.method === "GET") {
    const presentation = { disposition: headers["Content-Disposition"]!, format: version.format };
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

/** One range is served; several at once, or one that cannot be read, mean the whole file. */
function parseRange(
  header: string | undefined,
  size: number,
  ifRange: string | undefined,
  etag: string,
): ByteRange | "unsatisfiable" | undefined {
  const [, from, to] = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? "") ?? [];
  if (from === undefined || to === undefined || (from === "" && to === "")) return undefined;
  if (ifRange !== undefined && ifRange.trim() !== etag) return undefined;
  const start = from === "" ? Math.max(0, size - Number(to)) : Number(from);
  const end = from === "" || to === "" ? size - 1 : Math.min(Number(to), size - 1);
  if (from !== "" && to !== "" && Number(to) < start) return undefined;
  return start >= size || (from === "" && Number(to) === 0) ? "unsatisfiable" : { start, end };
}

const TITLE_LENGTH_MAX = 100;

/** Headers are short: of a very long name the beginning and the extension go into one. */
function truncateTitle(title: string): string {
  const letters = [...title];
  if (letters.length <= TITLE_LENGTH_MAX) return title;
  const [extension = ""] = /\.[^.]{1,10}$/s.exec(title) ?? [];
  return letters.slice(0, TITLE_LENGTH_MAX - extension.length).join("") + extension;
}

/** RFC 6266: the plain name for old clients, the exact one beside it where they differ. */
export function contentDispositionOf(fullTitle: string): string {
  const title = truncateTitle(fullTitle);
  if (/^[\w.+-]+$/.test(title)) return `attachment; filename=${title}`;
  const encoded = encodeURIComponent(title).replace(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
  const plain = /^[\x20-\x7e]*$/.test(title) ? `"${title.replace(/["\\]/g, "\\$&")}"` : encoded;
  return `attachment; filename=${plain}; filename*=UTF-8''${encoded}`;
}
