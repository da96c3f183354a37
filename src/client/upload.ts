import { type ApiRequest, type ClientSettings, newIdempotencyKey, type WriteOptions } from "./requests.ts";
import type { Transport } from "./transport.ts";

/** A file to upload: anything that can be read again for a retry. A `File` is a `Blob`. */
export type FileSource = Blob | Uint8Array | string;

/**
 * The options of uploads.
 *
 * @example
 * await client.documents.upload({ tender: id }, file, {
 *   name: "terms.pdf",
 *   onProgress: (sent, total) => console.log(`${sent} of ${total} bytes`),
 * });
 */
export type UploadOptions = WriteOptions & {
  /** The file name, which becomes the title of the document. Default: the name of a `File`, otherwise `file`. */
  readonly name?: string | undefined;
  /** The media type. Default: that of the `Blob`, otherwise `application/octet-stream`. */
  readonly type?: string | undefined;
  /** Called with the number of bytes of the file sent so far: first 0, last `total`. A retry starts again from 0. */
  readonly onProgress?: ((sent: number, total: number) => void) | undefined;
};

/** A multipart form with the file. Its bytes are the same for every attempt: an idempotency key allows only equal bodies. */
type MultipartForm = {
  readonly body: Blob;
  readonly type: string;
  readonly headBytes: number;
  readonly fileBytes: number;
};

function multipartFormOf(source: FileSource, { name, type, idempotencyKey = "" }: UploadOptions): MultipartForm {
  // TypeScript wants bytes on an `ArrayBuffer`; `Blob` accepts any.
  const file = source instanceof Blob ? source : new Blob([source as string | Uint8Array<ArrayBuffer>]);
  const filename = name ?? ("name" in file && typeof file.name === "string" ? file.name : "file");
  const boundary = `tenderhall-${idempotencyKey.replaceAll(/[^\w-]/g, "_").slice(-50)}`;
  const head = new Blob([
    `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${escapeFilename(filename)}"\r\n` +
      `Content-Type: ${type || file.type || "application/octet-stream"}\r\n\r\n`,
  ]);
  return {
    body: new Blob([head, file, `\r\n--${boundary}--\r\n`]),
    type: `multipart/form-data; boundary=${boundary}`,
    headBytes: head.size,
    fileBytes: file.size,
  };
}

/** Escapes a file name in the way that the HTML standard prescribes for forms. */
const escapeFilename = (name: string): string =>
  name.replaceAll("\r", "%0D").replaceAll("\n", "%0A").replaceAll('"', "%22");

/** The request that uploads a file. It has no timeout, because the duration depends on the size of the file. */
export function uploadRequest(
  settings: ClientSettings,
  request: Pick<ApiRequest, "method" | "path" | "token">,
  source: FileSource,
  options: UploadOptions = {},
): ApiRequest {
  const optionsWithKey = { idempotencyKey: newIdempotencyKey(), ...options };
  const form = multipartFormOf(source, optionsWithKey);
  const { name: _name, type: _type, onProgress, ...rest } = optionsWithKey;
  const transport = uploadTransport(settings, form, onProgress);
  return { ...request, options: rest, timeoutMs: 0, raw: { body: form.body, type: form.type, transport } };
}

type ProgressListener = NonNullable<UploadOptions["onProgress"]>;

/**
 * The transport that reports progress: XMLHttpRequest in browsers, where `fetch` has no upload progress; elsewhere
 * `fetch` with a body stream whose chunks are counted. Without either, only the start and the end are reported.
 */
function uploadTransport(
  { fetch: customFetch }: ClientSettings,
  form: MultipartForm,
  onProgress: ProgressListener | undefined,
): Transport {
  const send = customFetch ?? fetch;
  if (!onProgress) return (url, init) => send(url, init);
  const { headBytes, fileBytes } = form;
  const reportBytes = (bytes: number) => onProgress(Math.min(Math.max(bytes - headBytes, 0), fileBytes), fileBytes);
  const XmlHttpRequestClass = xmlHttpRequestClass();
  const sendForm =
    !customFetch && XmlHttpRequestClass
      ? sendByXmlHttpRequest(XmlHttpRequestClass)
      : supportsBodyStreams()
        ? sendStreamed(send)
        : sendPlain(send);
  return async (url, init) => {
    reportBytes(0);
    const response = await sendForm(url, init, form, reportBytes);
    reportBytes(form.body.size);
    return response;
  };
}

type FormSender = (
  url: string,
  init: RequestInit,
  form: MultipartForm,
  reportBytes: (bytes: number) => void,
) => Promise<Response>;

const sendPlain =
  (send: typeof fetch): FormSender =>
  (url, init) =>
    send(url, init);

const CHUNK_BYTES = 64 * 1024;

const sendStreamed =
  (send: typeof fetch): FormSender =>
  (url, init, { body }, reportBytes) => {
    const headers = new Headers(init.headers);
    // A stream has no length of its own, and the registry checks the size limit sooner if it knows the length.
    // Browsers ignore this header.
    headers.set("Content-Length", String(body.size));
    let bytes = 0;
    // The stream of a Blob may yield it as one chunk, so the chunks are sliced here, and only on demand.
    const countedBody = new ReadableStream<Uint8Array>(
      {
        async pull(controller) {
          reportBytes(bytes);
          if (bytes >= body.size) return controller.close();
          const chunk = new Uint8Array(await body.slice(bytes, bytes + CHUNK_BYTES).arrayBuffer());
          bytes += chunk.byteLength;
          controller.enqueue(chunk);
        },
      },
      { highWaterMark: 0 },
    );
    // The types of `fetch` differ between Node and browsers: not all know a stream as body, and `duplex`.
    return send(url, { ...init, headers, body: countedBody as never, duplex: "half" } as RequestInit);
  };

let canStream: boolean | undefined;

/**
 * Whether `fetch` supports body streams. A `Request` without that support does not read `duplex`, and converts the
 * stream to a string, which sets a content type.
 */
function supportsBodyStreams(): boolean {
  if (canStream !== undefined) return canStream;
  let wasDuplexRead = false;
  const init = {
    method: "POST",
    body: new ReadableStream(),
    get duplex() {
      wasDuplexRead = true;
      return "half";
    },
  };
  try {
    // The getter of `duplex` is typed as string, not as "half".
    const hasContentType = new Request("http://localhost/", init as never).headers.has("Content-Type");
    canStream = wasDuplexRead && !hasContentType;
  } catch {
    canStream = false;
  }
  return canStream;
}

/** The part of XMLHttpRequest used here. The types of the project do not include those of browsers. */
type XmlHttpRequest = {
  responseType: string;
  readonly response: ArrayBuffer;
  readonly status: number;
  readonly upload: { onprogress: ((event: { readonly loaded: number }) => void) | null };
  onload: (() => void) | null;
  onerror: (() => void) | null;
  onabort: (() => void) | null;
  open(method: string, url: string): void;
  setRequestHeader(name: string, value: string): void;
  getAllResponseHeaders(): string;
  send(body: Blob): void;
  abort(): void;
};

const xmlHttpRequestClass = (): (new () => XmlHttpRequest) | undefined =>
  (globalThis as { XMLHttpRequest?: new () => XmlHttpRequest }).XMLHttpRequest;

const sendByXmlHttpRequest =
  (XmlHttpRequestClass: new () => XmlHttpRequest): FormSender =>
  (url, { method = "POST", headers, signal }, { body }, reportBytes) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const request = new XmlHttpRequestClass();
      request.open(method, url);
      for (const [name, value] of new Headers(headers)) request.setRequestHeader(name, value);
      request.responseType = "arraybuffer";
      request.upload.onprogress = ({ loaded }) => reportBytes(loaded);
      request.onload = () => {
        const { status, response } = request;
        resolve(new Response(response.byteLength > 0 ? response : null, { status, headers: responseHeaders(request) }));
      };
      request.onerror = () => reject(new TypeError("The upload failed"));
      request.onabort = () => reject(signal?.reason ?? new TypeError("The upload was aborted"));
      signal?.addEventListener("abort", () => request.abort(), { once: true });
      request.send(body);
    });

function responseHeaders(request: XmlHttpRequest): Headers {
  const lines = request.getAllResponseHeaders().trim().split(/\r\n/);
  return new Headers(
    lines
      .filter((line) => line !== "")
      .map((line): [string, string] => {
        const colon = line.indexOf(":");
        return [line.slice(0, colon), line.slice(colon + 1).trim()];
      }),
  );
}
