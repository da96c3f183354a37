import { errorFromResponse, TenderhallError, unknownKeyError } from "./errors.ts";
import { fetchWithRedirects } from "./redirects.ts";
import { isTransient, openTimeout, pause, type RetryOptions, retryDelayMs } from "./retries.ts";
import type { Tokens } from "./tokens.ts";
import type { Transport } from "./transport.ts";

/** The options that every method takes. */
export type RequestOptions = {
  /** Cancels the request, also while it waits for a retry. The method then throws the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
  /** The owner token to send instead of the one that the client knows. An empty string sends none. */
  readonly token?: string | undefined;
  /** How many times to retry a failed request. Default: the setting of the client. */
  readonly retries?: number | undefined;
  /** Additional request headers. They replace headers that the client sets. */
  readonly headers?: { readonly [name: string]: string } | undefined;
};

/** The options of methods that read. */
export type ReadOptions = RequestOptions & {
  /** The `etag` of an earlier response. If nothing has changed since, the response is a `NotModifiedResponse`. */
  readonly ifNoneMatch?: string | undefined;
};

/** The options of methods that write. */
export type WriteOptions = RequestOptions & {
  /**
   * Identifies the request, so that sending it again does not carry it out twice. Default: a random key for each call,
   * shared by its retries. Set your own if you repeat the call yourself, for example after a crash.
   */
  readonly idempotencyKey?: string | undefined;
  /** The `etag` of the resource as it was read. If it has changed since, the write is refused with 412. */
  readonly ifMatch?: string | undefined;
  /** Returns the response that the write would get, and stores nothing. */
  readonly dryRun?: boolean | undefined;
};

/** The options of a client with their defaults filled in. */
export type ClientSettings = {
  /** The origin of the registry and the path in front of it, without a trailing slash. */
  readonly url: string;
  readonly version: string;
  readonly key: string | undefined;
  readonly fetch: typeof fetch | undefined;
  readonly retries: RetryOptions;
  readonly timeoutMs: number;
  readonly tokens: Tokens;
};

/** A query parameter. `true` is sent as 1, a list joined by commas; `false`, undefined and empty are left out. */
export type QueryValue = string | number | boolean | Date | readonly string[] | undefined;
/** Query parameters by name. */
export type Query = { readonly [name: string]: QueryValue };

/** A request before headers, token and options are applied. */
export type ApiRequest = {
  readonly method: string;
  /** A path below the address of the registry, or a full URL. */
  readonly path: string;
  readonly query?: Query | undefined;
  /** A body to send as JSON. */
  readonly json?: unknown;
  /** A body to send unchanged, by a transport of its own. */
  readonly raw?: { readonly body: Blob; readonly type: string; readonly transport: Transport };
  readonly options?: (ReadOptions & WriteOptions) | undefined;
  /** The known token for the path; `options.token` takes precedence. */
  readonly token?: string | undefined;
  /** Leaves out the API key, because the response does not depend on it. */
  readonly keyless?: true;
  /** The timeout of each attempt, including its body, in milliseconds; 0 means none. Default: the client's setting. */
  readonly timeoutMs?: number | undefined;
};

const IDEMPOTENCY_KEY_METHODS = ["POST", "PUT", "PATCH"];

/** The arguments of `fetch`, the same for every attempt. */
type PreparedRequest = { readonly url: string; readonly init: RequestInit; readonly transport: Transport };

/** A random idempotency key. */
export const newIdempotencyKey = (): string => {
  if (typeof crypto.randomUUID === "function") return crypto.randomUUID();
  // Browsers have `randomUUID` only on pages loaded over https.
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
};

/** Builds the URL, headers and body of a request. Key and token are sent only to the origin of the registry. */
export function prepareRequest(settings: ClientSettings, request: ApiRequest): PreparedRequest {
  const { method, json, raw, options = {} } = request;
  const { idempotencyKey = newIdempotencyKey(), ifMatch, ifNoneMatch, dryRun } = options;
  const url = requestUrl(settings, request);
  const isSameOrigin = url.origin === new URL(settings.url).origin;
  const token = options.token ?? request.token;
  const headers = new Headers({
    Accept: "application/json",
    ...(settings.key && isSameOrigin && !request.keyless && { Authorization: `Bearer ${settings.key}` }),
    ...(token && isSameOrigin && { "X-Access-Token": token }),
    ...(json !== undefined && { "Content-Type": "application/json" }),
    ...(raw && { "Content-Type": raw.type }),
    ...(IDEMPOTENCY_KEY_METHODS.includes(method) && !dryRun && { "Idempotency-Key": idempotencyKey }),
    ...(ifMatch && { "If-Match": ifMatch }),
    ...(ifNoneMatch && { "If-None-Match": ifNoneMatch }),
    ...options.headers,
  });
  const body = raw?.body ?? (json === undefined ? undefined : JSON.stringify(json));
  const defaultTransport: Transport = (address, init) => (settings.fetch ?? fetch)(address, init);
  return {
    url: url.href,
    // Without `omit`, a browser that gets a 401 would ask the user for a password.
    init: { method, headers, body, credentials: "omit" },
    transport: raw?.transport ?? defaultTransport,
  };
}

function requestUrl({ url }: ClientSettings, { path, query = {}, options }: ApiRequest): URL {
  const address = new URL(/^https?:/.test(path) ? path : `${url}${path}`);
  for (const [name, value] of Object.entries(query)) {
    const text = queryText(value);
    if (text !== "") address.searchParams.set(name, text);
  }
  if (options?.dryRun) address.searchParams.set("dry_run", "1");
  return address;
}

function queryText(value: QueryValue): string {
  if (value === undefined || value === false) return "";
  if (value === true) return "1";
  if (value instanceof Date) return value.toISOString();
  return typeof value === "object" ? value.join(",") : String(value);
}

/** A response whose body has been read. */
export type TextResponse = { readonly response: Response; readonly text: string };

/** Sends a request with retries and reads the body. Throws a TenderhallError unless the response is 2xx or 304. */
export async function sendRequest(settings: ClientSettings, request: ApiRequest): Promise<TextResponse> {
  const prepared = prepareRequest(settings, request);
  const timeoutMs = request.timeoutMs ?? settings.timeoutMs;
  return withRetries(settings, request, async (signal) => {
    const timeout = openTimeout(timeoutMs, signal);
    try {
      const response = await prepared.transport(prepared.url, { ...prepared.init, signal: timeout.signal });
      return { response, text: await response.text() };
    } finally {
      timeout.clear();
    }
  });
}

/** Like `sendRequest`, for a body that may be large: the caller reads it. Follows redirects, and has no timeout. */
export async function sendForBody(settings: ClientSettings, request: ApiRequest): Promise<Response> {
  const { method } = request;
  const { url, init, transport } = prepareRequest(settings, request);
  const { response } = await withRetries(settings, request, async (signal) => {
    const fetched = await fetchWithRedirects(transport, url, { ...init, signal });
    // `withRetries` throws for an unknown key without reading the body.
    if (unknownKeyError(method, fetched)) await fetched.body?.cancel();
    const isRead = fetched.ok || fetched.status === 304 || fetched.bodyUsed;
    return { response: fetched, text: isRead ? "" : await fetched.text() };
  });
  return response;
}

type Attempt = (signal: AbortSignal | undefined) => Promise<TextResponse>;

async function withRetries(
  settings: ClientSettings,
  { method, path, options = {} }: ApiRequest,
  attempt: Attempt,
): Promise<TextResponse> {
  const { retries } = settings;
  const { signal, retries: max = retries.max } = options;
  const requestLine = `${method} ${path}`;
  for (let failures = 0; ; failures++) {
    if (signal?.aborted) throw signal.reason;
    const outcome = await attempt(signal).then(
      (result) => responseError(requestLine, result) ?? result,
      (cause: unknown) => connectionError(requestLine, new URL(path, settings.url), cause, signal),
    );
    if (!(outcome instanceof TenderhallError)) return outcome;
    const { status, retryAfterMs } = outcome;
    const maxRetries = status === 0 ? Math.min(max, retries.maxUnanswered ?? max) : max;
    if (failures >= maxRetries || !isTransient(status)) throw outcome;
    await pause(retryDelayMs(failures, retries, retryAfterMs), signal);
  }
}

/** The error for a request without a response. Throws the reason of the signal instead if that was aborted. */
export function connectionError(
  requestLine: string,
  { host }: URL,
  cause: unknown,
  signal: AbortSignal | undefined,
): TenderhallError {
  if (signal?.aborted) throw signal.reason;
  return new TenderhallError(`${requestLine} got no response from ${host} (${reasonOf(cause)})`, {
    status: 0,
    cause,
  });
}

/** Node's `fetch` only says that it failed and has the reason in `cause`. Browsers give no reason. */
function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  // A cause may be any value; one without these properties gives the message of the error itself.
  const { code, message } = (cause.cause ?? cause) as { readonly code?: unknown; readonly message?: unknown };
  return String(code || message || cause.message);
}

const responseError = (requestLine: string, { response, text }: TextResponse): TenderhallError | undefined =>
  unknownKeyError(requestLine, response) ??
  (response.ok || response.status === 304 ? undefined : errorFromResponse(requestLine, response, text));
