import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import type { S3Place } from "./documentsUrl.ts";
import type { LinkAsked, Range } from "./files.ts";
import { type Body, bodyOf, openRequests, type Patience, type Requests } from "./s3Requests.ts";
import { elementOf, elementsOf } from "./s3Xml.ts";

/** `at` is in milliseconds since the epoch, by the server's clock. */
export type Listed = { readonly name: string; readonly at: number };
export type ListedUpload = Listed & { readonly id: string };

/** What is done with objects below the prefix of a place, each by its name there. */
export type Objects = {
  readonly put: (name: string, body: Body) => Promise<void>;
  readonly has: (name: string) => Promise<boolean>;
  readonly read: (name: string) => Promise<string | undefined>;
  readonly open: (name: string, range?: Range) => Promise<{ stream: Readable; size: number } | undefined>;
  readonly remove: (name: string) => Promise<void>;
  readonly list: (prefix: string) => Promise<readonly Listed[]>;
  readonly link: (name: string, asked: LinkAsked) => Promise<string>;
  readonly beginUpload: (name: string) => Promise<Upload>;
  readonly abortUpload: (name: string, id: string) => Promise<void>;
  /** Uploads in parts that were begun and neither completed nor aborted. */
  readonly listUploads: (prefix: string) => Promise<readonly ListedUpload[]>;
};

/** An object that arrives in parts, and is there once it is complete. */
export type Upload = {
  readonly part: (body: Body) => Promise<void>;
  readonly complete: (size: number) => Promise<void>;
  readonly abort: () => Promise<void>;
};

const MISSING = [404];
const ANY_FORMAT = { "content-type": "application/octet-stream" };

export function openObjects(place: S3Place, patience?: Partial<Patience>): Objects {
  const requests = openRequests(place, patience);
  const { ask } = requests;
  const root = place.prefix && `${place.prefix}/`;
  const at = (name: string) => root + name;
  const abortUpload = async (name: string, uploadId: string) => {
    await ask({ method: "DELETE", path: at(name), query: { uploadId }, alsoTaken: MISSING });
  };

  return {
    put: async (name, body) => {
      const { headers } = await ask({ method: "PUT", path: at(name), headers: ANY_FORMAT, body });
      assertWritten(headers, body.md5.toString("hex"), name);
    },
    has: async (name) => (await ask({ method: "HEAD", path: at(name), alsoTaken: MISSING })).status !== 404,
    read: async (name) => {
      const { status, text } = await ask({ method: "GET", path: at(name), alsoTaken: MISSING });
      return status === 404 ? undefined : text;
    },
    open: (name, range) => open(requests, at(name), range),
    remove: async (name) => void (await ask({ method: "DELETE", path: at(name), alsoTaken: MISSING })),
    list: (prefix) => list(requests, root, prefix),
    link: (name, { seconds, disposition, format }) =>
      requests.link(at(name), seconds, {
        "response-content-disposition": disposition,
        "response-content-type": format,
        "response-cache-control": "no-store",
      }),
    beginUpload: async (name) => {
      const { text } = await ask({ method: "POST", path: at(name), query: { uploads: "" }, headers: ANY_FORMAT });
      const id = elementOf(text, "UploadId");
      if (id === undefined) throw new Error(`S3 began no upload of ${name}`);
      return { ...openUpload(requests, at(name), id), abort: () => abortUpload(name, id) };
    },
    abortUpload,
    listUploads: (prefix) => listUploads(requests, root, prefix),
  };
}

/** Under a key of its own KMS the server's tags are no hashes; what arrived was checked against ours all the same. */
function assertWritten(headers: { readonly [name: string]: unknown }, tag: string, name: string): void {
  const isHash = !String(headers["x-amz-server-side-encryption"] ?? "").startsWith("aws:kms");
  const written = String(headers.etag).replaceAll('"', "");
  if (isHash && written !== tag) throw new Error(`S3 wrote ${name} with the tag ${written} instead of ${tag}`);
}

function openUpload({ ask }: Requests, path: string, uploadId: string): Omit<Upload, "abort"> {
  const parts: { readonly tag: string; readonly md5: Buffer }[] = [];
  return {
    part: async (body) => {
      const partNumber = parts.length + 1;
      const query = { partNumber: String(partNumber), uploadId };
      const { headers } = await ask({ method: "PUT", path, query, body });
      assertWritten(headers, body.md5.toString("hex"), `${path}, part ${partNumber}`);
      parts.push({ tag: String(headers.etag).replaceAll('"', ""), md5: body.md5 });
    },
    complete: async (size) => {
      const named = parts.map(({ tag }, i) => `<Part><PartNumber>${i + 1}</PartNumber><ETag>"${tag}"</ETag></Part>`);
      const body = bodyOf(`<CompleteMultipartUpload>${named.join("")}</CompleteMultipartUpload>`);
      // Whoever asks again because the answer was lost is told that there is no such upload: what is written decides.
      await ask({ method: "POST", path, query: { uploadId }, body, alsoTaken: MISSING });
      const { headers } = await ask({ method: "HEAD", path });
      const whole = createHash("md5").update(Buffer.concat(parts.map(({ md5 }) => md5)));
      assertWritten(headers, `${whole.digest("hex")}-${parts.length}`, path);
      if (Number(headers["content-length"]) !== size)
        throw new Error(`S3 wrote ${headers["content-length"]} bytes to ${path} instead of ${size}`);
    },
  };
}

const OUT_OF_RANGE = 416;

async function open({ open, ask }: Requests, path: string, range: Range | undefined) {
  if (range && !(range.start >= 0 && range.start <= range.end)) throw new RangeError("Not a range: " + range.start);
  const headers = range && { range: `bytes=${range.start}-${range.end}` };
  const { status, stream } = await open({ method: "GET", path, headers, alsoTaken: [...MISSING, OUT_OF_RANGE] });
  if (status === 404) {
    stream.resume();
    return undefined;
  }
  if (status !== OUT_OF_RANGE) return { stream, size: sizeOf(stream.headers) };
  stream.resume();
  const whole = await ask({ method: "HEAD", path });
  return { stream: Readable.from([]), size: sizeOf(whole.headers) };
}

function sizeOf(headers: { readonly [name: string]: string | string[] | undefined }): number {
  const [, whole = headers["content-length"]] = /\/(\d+)$/.exec(String(headers["content-range"] ?? "")) ?? [];
  return Number(whole);
}

async function list({ ask }: Requests, root: string, prefix: string): Promise<readonly Listed[]> {
  const found: Listed[] = [];
  for (let more: { readonly [name: string]: string } | undefined = {}; more; ) {
    const query = { "list-type": "2", prefix: root + prefix, ...more };
    const { text } = await ask({ method: "GET", query });
    for (const entry of elementsOf(text, "Contents"))
      found.push({ name: nameIn(entry, root), at: Date.parse(elementOf(entry, "LastModified") ?? "") });
    const token = elementOf(text, "NextContinuationToken");
    more = token && elementOf(text, "IsTruncated") === "true" ? { "continuation-token": token } : undefined;
  }
  return found;
}

async function listUploads({ ask }: Requests, root: string, prefix: string): Promise<readonly ListedUpload[]> {
  const found: ListedUpload[] = [];
  for (let more: { readonly [name: string]: string } | undefined = {}; more; ) {
    const query = { uploads: "", prefix: root + prefix, ...more };
    const { text } = await ask({ method: "GET", query });
    for (const entry of elementsOf(text, "Upload"))
      found.push({
        name: nameIn(entry, root),
        id: elementOf(entry, "UploadId") ?? "",
        at: Date.parse(elementOf(entry, "Initiated") ?? ""),
      });
    const [key, id] = [elementOf(text, "NextKeyMarker"), elementOf(text, "NextUploadIdMarker")];
    const goesOn = key && id && elementOf(text, "IsTruncated") === "true";
    more = goesOn ? { "key-marker": key, "upload-id-marker": id } : undefined;
  }
  return found;
}

const nameIn = (entry: string, root: string): string => (elementOf(entry, "Key") ?? "").slice(root.length);
