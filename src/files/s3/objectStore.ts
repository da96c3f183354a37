import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import type { S3Location } from "../documentsUrl.ts";
import type { ByteRange, LinkOptions } from "../files.ts";
import { openS3Client, type RequestBody, type RetryPolicy, requestBodyOf, type S3Client } from "./client.ts";
import { elementOf, elementsOf } from "./xml.ts";

/** An object with the time of its last change, in milliseconds since the epoch by the clock of S3. */
export type ListedObject = { readonly name: string; readonly at: number };
export type ListedUpload = ListedObject & { readonly id: string };

/** Operations on the objects below the prefix of a location. Names are relative to the prefix. */
export type ObjectStore = {
  readonly put: (name: string, body: RequestBody) => Promise<void>;
  readonly has: (name: string) => Promise<boolean>;
  readonly read: (name: string) => Promise<string | undefined>;
  readonly open: (name: string, range?: ByteRange) => Promise<{ stream: Readable; size: number } | undefined>;
  readonly remove: (name: string) => Promise<void>;
  readonly list: (prefix: string) => Promise<readonly ListedObject[]>;
  readonly link: (name: string, options: LinkOptions) => Promise<string>;
  readonly beginUpload: (name: string) => Promise<MultipartUpload>;
  readonly abortUpload: (name: string, id: string) => Promise<void>;
  /** Multipart uploads that were neither completed nor aborted. */
  readonly listUploads: (prefix: string) => Promise<readonly ListedUpload[]>;
};

/** An object that is uploaded in parts, and exists once it is complete. */
export type MultipartUpload = {
  readonly part: (body: RequestBody) => Promise<void>;
  readonly complete: (size: number) => Promise<void>;
  readonly abort: () => Promise<void>;
};

const NOT_FOUND = [404];
const ANY_FORMAT = { "content-type": "application/octet-stream" };

/** Opens the objects of a location. Nothing is sent before the first operation. */
export function openObjectStore(location: S3Location, retryPolicy?: Partial<RetryPolicy>): ObjectStore {
  const client = openS3Client(location, retryPolicy);
  const { request } = client;
  const root = location.prefix && `${location.prefix}/`;
  const pathOf = (name: string) => root + name;
  const abortUpload = async (name: string, uploadId: string) => {
    await request({ method: "DELETE", path: pathOf(name), query: { uploadId }, acceptedStatuses: NOT_FOUND });
  };

  return {
    put: async (name, body) => {
      const { headers } = await request({ method: "PUT", path: pathOf(name), headers: ANY_FORMAT, body });
      assertWritten(headers, body.md5.toString("hex"), name);
    },
    has: async (name) =>
      (await request({ method: "HEAD", path: pathOf(name), acceptedStatuses: NOT_FOUND })).status !== 404,
    read: async (name) => {
      const { status, text } = await request({ method: "GET", path: pathOf(name), acceptedStatuses: NOT_FOUND });
      return status === 404 ? undefined : text;
    },
    open: (name, range) => open(client, pathOf(name), range),
    remove: async (name) => void (await request({ method: "DELETE", path: pathOf(name), acceptedStatuses: NOT_FOUND })),
    list: (prefix) => list(client, root, prefix),
    link: (name, { seconds, disposition, format }) =>
      client.link(pathOf(name), seconds, {
        "response-content-disposition": disposition,
        "response-content-type": format,
        "response-cache-control": "no-store",
      }),
    beginUpload: async (name) => {
      const { text } = await request({
        method: "POST",
        path: pathOf(name),
        query: { uploads: "" },
        headers: ANY_FORMAT,
      });
      const id = elementOf(text, "UploadId");
      if (id === undefined) throw new Error(`S3 returned no upload id for ${name}`);
      return { ...openUpload(client, pathOf(name), id), abort: () => abortUpload(name, id) };
    },
    abortUpload,
    listUploads: (prefix) => listUploads(client, root, prefix),
  };
}

/** Checks the ETag. With KMS encryption it is not a hash; but S3 has checked the body against the hashes of the request anyway. */
function assertWritten(headers: { readonly [name: string]: unknown }, tag: string, name: string): void {
  const isHash = !String(headers["x-amz-server-side-encryption"] ?? "").startsWith("aws:kms");
  const writtenTag = String(headers.etag).replaceAll('"', "");
  if (isHash && writtenTag !== tag) throw new Error(`S3 wrote ${name} with the ETag ${writtenTag} instead of ${tag}`);
}

function openUpload({ request }: S3Client, path: string, uploadId: string): Omit<MultipartUpload, "abort"> {
  const parts: { readonly tag: string; readonly md5: Buffer }[] = [];
  return {
    part: async (body) => {
      const partNumber = parts.length + 1;
      const query = { partNumber: String(partNumber), uploadId };
      const { headers } = await request({ method: "PUT", path, query, body });
      assertWritten(headers, body.md5.toString("hex"), `${path}, part ${partNumber}`);
      parts.push({ tag: String(headers.etag).replaceAll('"', ""), md5: body.md5 });
    },
    complete: async (size) => {
      const partElements = parts.map(
        ({ tag }, i) => `<Part><PartNumber>${i + 1}</PartNumber><ETag>"${tag}"</ETag></Part>`,
      );
      const body = requestBodyOf(`<CompleteMultipartUpload>${partElements.join("")}</CompleteMultipartUpload>`);
      // A retry after a lost response gets 404, since the upload is complete. The object itself is therefore checked.
      await request({ method: "POST", path, query: { uploadId }, body, acceptedStatuses: NOT_FOUND });
      const { headers } = await request({ method: "HEAD", path });
      const combinedHash = createHash("md5").update(Buffer.concat(parts.map(({ md5 }) => md5)));
      assertWritten(headers, `${combinedHash.digest("hex")}-${parts.length}`, path);
      if (Number(headers["content-length"]) !== size)
        throw new Error(`S3 wrote ${headers["content-length"]} bytes to ${path} instead of ${size}`);
    },
  };
}

const OUT_OF_RANGE = 416;

async function open({ open, request }: S3Client, path: string, range: ByteRange | undefined) {
  if (range && !(range.start >= 0 && range.start <= range.end))
    throw new RangeError(`Not a range: ${range.start}-${range.end}`);
  const headers = range && { range: `bytes=${range.start}-${range.end}` };
  const { status, stream } = await open({
    method: "GET",
    path,
    headers,
    acceptedStatuses: [...NOT_FOUND, OUT_OF_RANGE],
  });
  if (status === 404) {
    stream.resume();
    return undefined;
  }
  if (status !== OUT_OF_RANGE) return { stream, size: sizeOf(stream.headers) };
  stream.resume();
  const response = await request({ method: "HEAD", path });
  return { stream: Readable.from([]), size: sizeOf(response.headers) };
}

function sizeOf(headers: { readonly [name: string]: string | string[] | undefined }): number {
  const [, size = headers["content-length"]] = /\/(\d+)$/.exec(String(headers["content-range"] ?? "")) ?? [];
  return Number(size);
}

async function list({ request }: S3Client, root: string, prefix: string): Promise<readonly ListedObject[]> {
  const found: ListedObject[] = [];
  for (let continuation: { readonly [name: string]: string } | undefined = {}; continuation; ) {
    const query = { "list-type": "2", prefix: root + prefix, ...continuation };
    const { text } = await request({ method: "GET", query });
    for (const entry of elementsOf(text, "Contents"))
      found.push({ name: nameIn(entry, root), at: Date.parse(elementOf(entry, "LastModified") ?? "") });
    const token = elementOf(text, "NextContinuationToken");
    continuation = token && elementOf(text, "IsTruncated") === "true" ? { "continuation-token": token } : undefined;
  }
  return found;
}

async function listUploads({ request }: S3Client, root: string, prefix: string): Promise<readonly ListedUpload[]> {
  const found: ListedUpload[] = [];
  for (let continuation: { readonly [name: string]: string } | undefined = {}; continuation; ) {
    const query = { uploads: "", prefix: root + prefix, ...continuation };
    const { text } = await request({ method: "GET", query });
    for (const entry of elementsOf(text, "Upload"))
      found.push({
        name: nameIn(entry, root),
        id: elementOf(entry, "UploadId") ?? "",
        at: Date.parse(elementOf(entry, "Initiated") ?? ""),
      });
    const [key, id] = [elementOf(text, "NextKeyMarker"), elementOf(text, "NextUploadIdMarker")];
    const hasMore = key && id && elementOf(text, "IsTruncated") === "true";
    continuation = hasMore ? { "key-marker": key, "upload-id-marker": id } : undefined;
  }
  return found;
}

const nameIn = (entry: string, root: string): string => (elementOf(entry, "Key") ?? "").slice(root.length);
