import { type ApiResponse, apiPath, fillPath, openCalls, openSiteCalls, toApiResponse, tokenFor } from "./calls.ts";
import { type Clocks, openClocks } from "./clocks.ts";
import { type DocumentService, openDocumentService } from "./documentService.ts";
import { type Documents, openDocuments } from "./documents.ts";
import { type FollowOptions, follow } from "./follow.ts";
import { type Health, openHealth } from "./health.ts";
import type { Change } from "./pagination.ts";
import { type ClientSettings, type Query, type ReadOptions, sendRequest, type WriteOptions } from "./requests.ts";
import { DEFAULT_RETRIES, type RetryOptions } from "./retries.ts";
import { openTenderResources, type TenderResources } from "./tenderResources.ts";
import { openTenders, type Tenders } from "./tenders.ts";
import { openTokens, type StoredToken, type Tokens } from "./tokens.ts";
import type { Operations } from "./types.ts";
import { openWebhooks, type Webhooks } from "./webhooks.ts";

/** How a client is opened. */
export type ClientOptions = {
  /** The address of the registry, `http://127.0.0.1:8080`. */
  readonly url: string;
  /** The API key. Without it everything public can be read. */
  readonly key?: string | undefined;
  /** The version of the API; the types are those of 2.5, which is what it is without this. */
  readonly version?: string | undefined;
  /** Used in place of the platform's own `fetch`. */
  readonly fetch?: typeof fetch | undefined;
  /** How often a request is tried again (5), or that and the pauses. */
  readonly retries?: number | { readonly [name in keyof RetryOptions]?: RetryOptions[name] | undefined } | undefined;
  /** How long one try may take; 60 seconds without this, 0 is no limit. Uploads, downloads and streams have none. */
  readonly timeoutMs?: number | undefined;
  /** The tokens that an earlier client exported. */
  readonly tokens?: Iterable<StoredToken> | undefined;
};

/** The registry, as a program sees it. */
export type Client = TenderResources & {
  /** Tenders, and what concerns them as a whole. */
  readonly tenders: Tenders;
  /** Documents of tenders and of what hangs on them. */
  readonly documents: Documents;
  /** Files ahead of the documents that they become. */
  readonly documentService: DocumentService;
  /** Test clocks of the sandbox. */
  readonly clocks: Clocks;
  /** Addresses that changes are sent to. */
  readonly webhooks: Webhooks;
  /** Whether the registry is well. */
  readonly health: Health;
  /** Every change from an offset on, and then those to come. */
  readonly follow: (options?: FollowOptions) => AsyncGenerator<Change, void, undefined>;
  /** The owner tokens that are sent by themselves. */
  readonly tokens: Tokens;
  /** The description of the API in OpenAPI. */
  readonly description: () => Promise<{ readonly [name: string]: unknown }>;
  /** The methods in SPORE form, which old clients are made from. */
  readonly spore: () => Promise<Operations["GET /spore"]["answer"]>;
  /** Any request below `/api/{version}`, with the same tokens, keys and retries; for what has no method here. */
  readonly request: <Data = unknown>(
    method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE",
    path: string,
    options?: ReadOptions & WriteOptions & { readonly data?: unknown; readonly query?: Query | undefined },
  ) => Promise<ApiResponse<Data>>;
};

/** Opens a client. Nothing is sent until something is asked. */
export function openClient(options: ClientOptions): Client {
  const settings = toSettings(options);
  const calls = openCalls(settings);
  const siteCalls = openSiteCalls(settings);
  const tenders = openTenders(calls);
  return {
    ...openTenderResources(calls),
    tenders,
    documents: openDocuments(settings, calls),
    documentService: openDocumentService(settings, siteCalls),
    clocks: openClocks(siteCalls),
    webhooks: openWebhooks(siteCalls),
    health: openHealth(settings),
    follow: (followOptions) => follow(settings, tenders, followOptions),
    tokens: settings.tokens,
    description: async () =>
      JSON.parse((await sendRequest(settings, { method: "GET", path: apiPath(settings, "/openapi.json") })).text),
    spore: async () => JSON.parse(await calls.text("GET /spore", {}, undefined)),
    request: async (method, path, { data, query, ...rest } = {}) => {
      const token = tokenFor(settings, method, path);
      const json = data === undefined ? undefined : { data };
      const apiRequest = { method, path: apiPath(settings, fillPath(path, {})), query, json, token, options: rest };
      return toApiResponse(await sendRequest(settings, apiRequest)) as ApiResponse<never>;
    },
  };
}

function toSettings({
  url,
  key,
  version = "2.5",
  retries = {},
  tokens,
  timeoutMs,
  ...rest
}: ClientOptions): ClientSettings {
  const address = new URL(url);
  return {
    // As the origin and whatever path a proxy puts before it.
    url: `${address.origin}${address.pathname.replace(/\/+$/, "")}`,
    key,
    version,
    fetch: rest.fetch,
    retries: toRetryOptions(typeof retries === "number" ? { max: retries } : retries),
    timeoutMs: timeoutMs ?? 60_000,
    tokens: openTokens(tokens),
  };
}

/** What is named without a value is as if it were not named. */
const toRetryOptions = (overrides: object): RetryOptions => ({
  ...DEFAULT_RETRIES,
  ...Object.fromEntries(Object.entries(overrides).filter(([, value]) => value !== undefined)),
});
