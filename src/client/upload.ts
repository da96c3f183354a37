import { type ApiRequest, type ClientSettings, newIdempotencyKey, type WriteOptions } from "./requests.ts";
import type { Transport } from "./transport.ts";

/** A file to send. All of these can be sent again when the connection breaks. */
export type FileSource = Blob | Uint8Array | string;

/** What uploads take besides. */
export type UploadOptions = WriteOptions & {
  /** The name of the file, which becomes the title of the document; that of a `File` by itself. */
  readonly name?: string | undefined;
  /** The media type; that of a `Blob` by itself. */
  readonly type?: string | undefined;
  /** Told how many bytes of the file have gone, first 0 and last all of them; a new try begins anew. */
  readonly onProgress?: ((sent: number, total: number) => void) | undefined;
};

/** A form with the file, the same bytes at every try: that is how the registry knows a repeated request. */
type MultipartForm = {
  readonly body: Blob;
  readonly type: string;
  readonly headBytes: number;
  readonly fileBytes: number;
};

function multipartFormOf(source: FileSource, { name, type, idempotencyKey = "" }: UploadOptions): MultipartForm {
  const file = source instanceof Blob ? source : new Blob([source as string]);
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

/** As browsers write it. */
const escapeFilename = (name: string): string =>
  name.replaceAll("\r", "%0D").replaceAll("\n", "%0A").replaceAll('"', "%22");

/** The request that sends a file. How long that takes nobody knows, so there is no limit to it. */
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
 * Only XMLHttpRequest tells how far an upload is, and browsers have it; elsewhere the body is a stream whose chunks are
 * counted as they are taken. Where there is neither, the beginning and the end are told.
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
  const sendForm =
    !customFetch && xmlHttpRequestClass()
      ? sendByXmlHttpRequest
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
    // Browsers do not let anyone say this; elsewhere it spares the registry a body of unknown length.
    headers.set("Content-Length", String(body.size));
    let bytes = 0;
    // In pieces of our own, as a Blob may hand itself out as one; and none before it is wanted.
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
    return send(url, { ...init, headers, body: countedBody as never, duplex: "half" } as RequestInit);
  };

let canStream: boolean | undefined;

/** Whoever does not know bodies that are streams does not look at `duplex`, and takes the stream for a text. */
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
    const hasContentType = new Request("http://localhost/", init as never).headers.has("Content-Type");
    canStream = wasDuplexRead && !hasContentType;
  } catch {
    canStream = false;
  }
  return canStream;
}

/** What is used of XMLHttpRequest, which only browsers have. */
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

const sendByXmlHttpRequest: FormSender = (url, { method = "POST", headers, signal }, { body }, reportBytes) =>
  new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const request = new (xmlHttpRequestClass()!)();
    request.open(method, url);
    for (const [name, value] of new Headers(headers)) request.setRequestHeader(name, value);
    request.responseType = "arraybuffer";
    request.upload.onprogress = ({ loaded }) => reportBytes(loaded);
    request.onload = () => {
      const { status, response } = request;
      resolve(new Response(response.byteLength > 0 ? response : null, { status, headers: responseHeaders(request) }));
    };
    request.onerror = () => reject(new TypeError("The upload failed"));
    request.onabort = () => reject(signal?.reason ?? new TypeError("The upload was given up"));
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
