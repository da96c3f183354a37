import { type ApiResponse, apiPath, fillPath, openCalls, openSiteCalls, toApiResponse, tokenFor } from "./calls.ts";
import { type Clocks, openClocks } from "./clocks.ts";
import { type DocumentService, openDocumentService } from "./documentService.ts";
import { type Documents, openDocuments } from "./documents.ts";
import { type FollowOptions, follow } from "./follow.ts";
import { type Health, openHealth } from "./health.ts";
import { type LiveAuctions, openLiveAuctions } from "./liveAuctions.ts";
import { type OpenDataMethods, openOcds } from "./openData.ts";
import type { Change } from "./pagination.ts";
import { type ClientSettings, type Query, type ReadOptions, sendRequest, type WriteOptions } from "./requests.ts";
import { DEFAULT_RETRIES, type RetryOptions } from "./retries.ts";
import { openSearch, type Search } from "./search.ts";
import { openTenderResources, type TenderResources } from "./tenderResources.ts";
import { openTenders, type Tenders } from "./tenders.ts";
import { openTokens, type StoredToken, type Tokens } from "./tokens.ts";
import type { Operations } from "./types.ts";
import { openWebhooks, type Webhooks } from "./webhooks.ts";

/** The options of `openClient`. Only `url` is required. */
export type ClientOptions = {
  /** The address of the registry, for example `http://127.0.0.1:8080`. A path in front of the registry's own is kept. */
  readonly url: string;
  /** The API key. Without it the client can read everything public. */
  readonly key?: string | undefined;
  /** The version of the API. Default: `"2.5"`, which is what the types describe. */
  readonly version?: string | undefined;
  /** The function that sends requests. Default: the global `fetch`. */
  readonly fetch?: typeof fetch | undefined;
  /** How many times a failed request is retried (default: 5), or the full retry options. */
  readonly retries?: number | { readonly [name in keyof RetryOptions]?: RetryOptions[name] | undefined } | undefined;
  /**
   * The timeout of each attempt in milliseconds. Default: 60 000. 0 means no timeout.
   * Uploads, downloads and streams have no timeout.
   */
  readonly timeoutMs?: number | undefined;
  /** Owner tokens that an earlier client returned from `tokens.export()`. */
  readonly tokens?: Iterable<StoredToken> | undefined;
};

/** Everything that can be done with the registry. `openClient` returns it. */
export type Client = TenderResources &
  Search & {
    /** Tenders: the feed, and creating, reading and changing them. */
    readonly tenders: Tenders;
    /** Documents of tenders, bids, awards, contracts, complaints and cancellations. */
    readonly documents: Documents;
    /** Auctions that the registry itself holds. */
    readonly auctions: LiveAuctions;
    /** The document service, which takes files before their documents exist. */
    readonly documentService: DocumentService;
    /** Test clocks. Sandbox only. */
    readonly clocks: Clocks;
    /** Webhooks: the registry posts changes to a URL of yours. */
    readonly webhooks: Webhooks;
    /** Open data in the Open Contracting Data Standard (OCDS). */
    readonly ocds: OpenDataMethods;
    /** Health checks of the registry. */
    readonly health: Health;
    /**
     * Iterates over every change from `offset` on, and then over new changes as they happen. The loop ends with
     * `break` or when the `signal` is aborted.
     *
     * @example
     * for await (const change of client.follow({ offset, opt_fields: ["title"] })) {
     *   await handle(change);
     *   offset = change.offset; // store it to continue after a restart
     * }
     */
    readonly follow: (options?: FollowOptions) => AsyncGenerator<Change, void, undefined>;
    /** The owner tokens that this client knows and sends. */
    readonly tokens: Tokens;
    /** The OpenAPI description of the API. */
    readonly description: () => Promise<{ readonly [name: string]: unknown }>;
    /** The SPORE description of the API, from which older clients are generated. */
    readonly spore: () => Promise<Operations["GET /spore"]["answer"]>;
    /**
     * Sends any request below `/api/{version}`, with the same tokens, idempotency keys and retries as the other methods.
     * Use it for operations that have no method of their own.
     *
     * @example
     * await client.request("PATCH", `/tenders/${id}`, { data: { description: "For two terms" } });
     */
    readonly request: <Data = unknown>(
      method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE",
      path: string,
      options?: ReadOptions & WriteOptions & { readonly data?: unknown; readonly query?: Query | undefined },
    ) => Promise<ApiResponse<Data>>;
  };

/**
 * Creates a client of a registry. Sends nothing until a method is called. Throws a TypeError if `url` is not a URL.
 *
 * @example
 * const client = openClient({ url: "http://127.0.0.1:8080", key: "broker" });
 * const { data: tender } = await client.tenders.create({ title: "School meals", ... });
 */
export function openClient(options: ClientOptions): Client {
  const settings = toSettings(options);
  const calls = openCalls(settings);
  const siteCalls = openSiteCalls(settings);
  const tenders = openTenders(calls);
  return {
    ...openTenderResources(calls),
    ...openSearch(calls),
    tenders,
    documents: openDocuments(settings, calls),
    auctions: openLiveAuctions(settings, calls),
    documentService: openDocumentService(settings, siteCalls),
    clocks: openClocks(siteCalls),
    webhooks: openWebhooks(siteCalls),
    ocds: openOcds(siteCalls),
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
      // The caller names the type of the data; the client does not validate what the registry sends.
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
    // The path stays, because a proxy may serve the registry below one.
    url: `${address.origin}${address.pathname.replace(/\/+$/, "")}`,
    key,
    version,
    fetch: rest.fetch,
    retries: toRetryOptions(typeof retries === "number" ? { max: retries } : retries),
    timeoutMs: timeoutMs ?? 60_000,
    tokens: openTokens(tokens),
  };
}

/** Options that are present but undefined get their default. */
const toRetryOptions = (overrides: object): RetryOptions => ({
  ...DEFAULT_RETRIES,
  ...Object.fromEntries(Object.entries(overrides).filter(([, value]) => value !== undefined)),
});
