import { errorFromResponse, TenderhallError, unknownKeyError } from "./errors.ts";
import { fetchWithRedirects } from "./redirects.ts";
import { isTransient, openTimeout, pause, type RetryOptions, retryDelayMs } from "./retries.ts";
import type { Tokens } from "./tokens.ts";
import type { Transport } from "./transport.ts";

/** What every method takes besides its own. */
export type RequestOptions = {
  /** Gives up, whether the request is under way or waits for its next try. */
  readonly signal?: AbortSignal | undefined;
  /** The owner token, in place of the one that the client knows; an empty one sends none. */
  readonly token?: string | undefined;
  /** How often to try again, in place of the client's own setting. */
  readonly retries?: number | undefined;
  /** Further headers. */
  readonly headers?: { readonly [name: string]: string } | undefined;
};

/** What methods that read take besides. */
export type ReadOptions = RequestOptions & {
  /** The `etag` of an earlier answer: if nothing has changed since, the answer is `notModified`. */
  readonly ifNoneMatch?: string | undefined;
};

/** What methods that write take besides. */
export type WriteOptions = RequestOptions & {
  /** Names the request, so that sending it again does nothing twice. Without it the client makes one up for each call. */
  readonly idempotencyKey?: string | undefined;
  /** The `etag` of what was read: if it has changed since, the write is refused with 412. */
  readonly ifMatch?: string | undefined;
  /** Says what the answer would be, and stores nothing. */
  readonly dryRun?: boolean | undefined;
};

/** What a client works with; made once, when it is opened. */
export type ClientSettings = {
  readonly url: string;
  readonly version: string;
  readonly key: string | undefined;
  readonly fetch: typeof fetch | undefined;
  readonly retries: RetryOptions;
  readonly timeoutMs: number;
  readonly tokens: Tokens;
};

export type QueryValue = string | number | boolean | Date | readonly string[] | undefined;
export type Query = { readonly [name: string]: QueryValue };

export type ApiRequest = {
  readonly method: string;
  /** Below the address of the registry, or a whole address. */
  readonly path: string;
  readonly query?: Query | undefined;
  readonly json?: unknown;
  /** A body that is sent as it is. */
  readonly raw?: { readonly body: Blob; readonly type: string; readonly transport: Transport };
  readonly options?: (ReadOptions & WriteOptions) | undefined;
  /** The token that belongs to the path. */
  readonly token?: string | undefined;
  /** Sent without the key, as nothing about the answer depends on it. */
  readonly keyless?: true;
  /** For one try, from the first byte sent to the last received; 0 is no limit. */
  readonly timeoutMs?: number | undefined;
};

const METHODS_WITH_KEY = ["POST", "PUT", "PATCH"];

/** The request as `fetch` takes it, the same for every try. */
type PreparedRequest = { readonly url: string; readonly init: RequestInit; readonly transport: Transport };

export const newIdempotencyKey = (): string => {
  if (typeof crypto.randomUUID === "function") return crypto.randomUUID();
  // Pages that did not come by https have chance, but no names made of it.
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
};

export function prepareRequest(settings: ClientSettings, request: ApiRequest): PreparedRequest {
  const { method, json, raw, options = {} } = request;
  const { idempotencyKey = newIdempotencyKey(), ifMatch, ifNoneMatch, dryRun } = options;
  const url = requestUrl(settings, request);
  const isSameOrigin = url.origin === new URL(settings.url).origin;
  const token = options.token ?? request.token;
  const headers = new Headers({
    Accept: "application/json",
    // Whoever else an address leads to learns neither the key nor a token.
    ...(settings.key && isSameOrigin && !request.keyless && { Authorization: `Bearer ${settings.key}` }),
    ...(token && isSameOrigin && { "X-Access-Token": token }),
    ...(json !== undefined && { "Content-Type": "application/json" }),
    ...(raw && { "Content-Type": raw.type }),
    ...(METHODS_WITH_KEY.includes(method) && !dryRun && { "Idempotency-Key": idempotencyKey }),
    ...(ifMatch && { "If-Match": ifMatch }),
    ...(ifNoneMatch && { "If-None-Match": ifNoneMatch }),
    ...options.headers,
  });
  const body = raw?.body ?? (json === undefined ? undefined : JSON.stringify(json));
  const defaultTransport: Transport = (address, init) => (settings.fetch ?? fetch)(address, init);
  // The key is in the headers: a browser that is refused must not ask its user for another one.
  return {
    url: url.href,
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

export type TextResponse = { readonly response: Response; readonly text: string };

/** Asks until there is an answer, and throws whatever is neither good nor "not modified". */
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

/** The same for an answer that is not JSON and may be long: its body is the caller's to read. */
export async function sendForBody(settings: ClientSettings, request: ApiRequest): Promise<Response> {
  const { method } = request;
  const { url, init, transport } = prepareRequest(settings, request);
  const { response } = await withRetries(settings, request, async (signal) => {
    const fetched = await fetchWithRedirects(transport, url, { ...init, signal });
    // Nobody reads the body of what is refused for its key.
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
    const result = await attempt(signal).catch((cause: unknown) =>
      connectionError(requestLine, new URL(path, settings.url), cause, signal),
    );
    const error = result instanceof TenderhallError ? result : responseError(requestLine, result);
    if (!error) return result as TextResponse;
    const maxRetries = error.status === 0 ? Math.min(max, retries.maxUnanswered ?? max) : max;
    if (failures >= maxRetries || !isTransient(error.status)) throw error;
    await pause(retryDelayMs(failures, retries, error.retryAfterMs), signal);
  }
}

/** What never got an answer, told as a refusal is. */
export function connectionError(
  requestLine: string,
  { host }: URL,
  cause: unknown,
  signal: AbortSignal | undefined,
): TenderhallError {
  if (signal?.aborted) throw signal.reason;
  return new TenderhallError(`${requestLine} got no answer from ${host} (${reasonOf(cause)})`, {
    status: 0,
    cause,
  });
}

/** Node says only that it failed, and has the reason below; browsers tell none. */
function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  const { code, message } = (cause.cause ?? cause) as { readonly code?: unknown; readonly message?: unknown };
  return String(code || message || cause.message);
}

const responseError = (requestLine: string, { response, text }: TextResponse): TenderhallError | undefined =>
  unknownKeyError(requestLine, response) ??
  (response.ok || response.status === 304 ? undefined : errorFromResponse(requestLine, response, text));
