import { newKey, type Request, type Settings, type Writing } from "./requests.ts";
import type { Transport } from "./transport.ts";

/** A file to send. All of these can be sent again when the connection breaks. */
export type Source = Blob | Uint8Array | string;

/** What uploads take besides. */
export type Uploading = Writing & {
  /** The name of the file, which becomes the title of the document; that of a `File` by itself. */
  readonly name?: string | undefined;
  /** The media type; that of a `Blob` by itself. */
  readonly type?: string | undefined;
  /** Told how many bytes of the file have gone, first 0 and last all of them; a new try begins anew. */
  readonly onProgress?: ((sent: number, total: number) => void) | undefined;
};

/** A form with the file, the same bytes at every try: that is how the registry knows a repeated request. */
type Form = { readonly body: Blob; readonly type: string; readonly headBytes: number; readonly fileBytes: number };

function formOf(source: Source, { name, type, idempotencyKey = "" }: Uploading): Form {
  const file = source instanceof Blob ? source : new Blob([source as string]);
  const named = name ?? ("name" in file && typeof file.name === "string" ? file.name : "file");
  const boundary = `tenderhall-${idempotencyKey.replaceAll(/[^\w-]/g, "_").slice(-50)}`;
  const head = new Blob([
    `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${escaped(named)}"\r\n` +
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
const escaped = (name: string): string => name.replaceAll("\r", "%0D").replaceAll("\n", "%0A").replaceAll('"', "%22");

/** The request that sends a file. How long that takes nobody knows, so there is no limit to it. */
export function uploadRequest(
  settings: Settings,
  request: Pick<Request, "method" | "path" | "token">,
  source: Source,
  options: Uploading = {},
): Request {
  const keyed = { idempotencyKey: newKey(), ...options };
  const form = formOf(source, keyed);
  const { name: _name, type: _type, onProgress, ...rest } = keyed;
  const transport = transportOf(settings, form, onProgress);
  return { ...request, options: rest, timeoutMs: 0, raw: { body: form.body, type: form.type, transport } };
}

type Progress = NonNullable<Uploading["onProgress"]>;

/**
 * Only XMLHttpRequest tells how far an upload is, and browsers have it; elsewhere the body is a stream whose chunks are
 * counted as they are taken. Where there is neither, the beginning and the end are told.
 */
function transportOf({ fetch: given }: Settings, form: Form, onProgress: Progress | undefined): Transport {
  const send = given ?? fetch;
  if (!onProgress) return (url, init) => send(url, init);
  const { headBytes, fileBytes } = form;
  const tell = (bytes: number) => onProgress(Math.min(Math.max(bytes - headBytes, 0), fileBytes), fileBytes);
  const way = !given && xmlHttp() ? byXmlHttp : streamsBodies() ? streamed(send) : plainly(send);
  return async (url, init) => {
    tell(0);
    const response = await way(url, init, form, tell);
    tell(form.body.size);
    return response;
  };
}

type Way = (url: string, init: RequestInit, form: Form, tell: (bytes: number) => void) => Promise<Response>;

const plainly =
  (send: typeof fetch): Way =>
  (url, init) =>
    send(url, init);

const PIECE_BYTES = 64 * 1024;

const streamed =
  (send: typeof fetch): Way =>
  (url, init, { body }, tell) => {
    const headers = new Headers(init.headers);
    // Browsers do not let anyone say this; elsewhere it spares the registry a body of unknown length.
    headers.set("Content-Length", String(body.size));
    let bytes = 0;
    // In pieces of our own, as a Blob may hand itself out as one; and none before it is wanted.
    const counted = new ReadableStream<Uint8Array>(
      {
        async pull(controller) {
          tell(bytes);
          if (bytes >= body.size) return controller.close();
          const piece = new Uint8Array(await body.slice(bytes, bytes + PIECE_BYTES).arrayBuffer());
          bytes += piece.byteLength;
          controller.enqueue(piece);
        },
      },
      { highWaterMark: 0 },
    );
    return send(url, { ...init, headers, body: counted as never, duplex: "half" } as RequestInit);
  };

let canStream: boolean | undefined;

/** Whoever does not know bodies that are streams does not look at `duplex`, and takes the stream for a text. */
function streamsBodies(): boolean {
  if (canStream !== undefined) return canStream;
  let looked = false;
  const init = {
    method: "POST",
    body: new ReadableStream(),
    get duplex() {
      looked = true;
      return "half";
    },
  };
  try {
    const typed = new Request("http://localhost/", init as never).headers.has("Content-Type");
    canStream = looked && !typed;
  } catch {
    canStream = false;
  }
  return canStream;
}

/** What is used of XMLHttpRequest, which only browsers have. */
type XmlHttp = {
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

const xmlHttp = (): (new () => XmlHttp) | undefined =>
  (globalThis as { XMLHttpRequest?: new () => XmlHttp }).XMLHttpRequest;

const byXmlHttp: Way = (url, { method = "POST", headers, signal }, { body }, tell) =>
  new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const request = new (xmlHttp()!)();
    request.open(method, url);
    for (const [name, value] of new Headers(headers)) request.setRequestHeader(name, value);
    request.responseType = "arraybuffer";
    request.upload.onprogress = ({ loaded }) => tell(loaded);
    request.onload = () => {
      const { status, response } = request;
      resolve(new Response(response.byteLength > 0 ? response : null, { status, headers: headersIn(request) }));
    };
    request.onerror = () => reject(new TypeError("The upload failed"));
    request.onabort = () => reject(signal?.reason ?? new TypeError("The upload was given up"));
    signal?.addEventListener("abort", () => request.abort(), { once: true });
    request.send(body);
  });

function headersIn(request: XmlHttp): Headers {
  const lines = request.getAllResponseHeaders().trim().split(/\r\n/);
  return new Headers(
    lines
      .filter((line) => line !== "")
      .map((line): [string, string] => {
        const at = line.indexOf(":");
        return [line.slice(0, at), line.slice(at + 1).trim()];
      }),
  );
}
