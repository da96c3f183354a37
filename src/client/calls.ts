import { TenderhallError } from "./errors.ts";
import {
  type ApiRequest,
  type ClientSettings,
  type Query,
  type ReadOptions,
  type RequestOptions,
  sendRequest,
  type TextResponse,
  type WriteOptions,
} from "./requests.ts";
import type { SiteOperations } from "./siteTypes.ts";
import type { Operations } from "./types.ts";

/** The metadata of a response: its status, and what its headers say. */
export type ResponseMeta = {
  /** The HTTP status code, for example 200 or 201. */
  readonly status: number;
  /** The version of the resource. Pass it as `ifMatch` to a write or as `ifNoneMatch` to a later read. */
  readonly etag?: string;
  /** The URL of the created resource (header `Location`). */
  readonly location?: string;
  /** The id under which the registry logged the request (header `X-Request-ID`). Quote it when you report a problem. */
  readonly requestId?: string;
  /** Whether the registry replayed the stored response to an earlier request with the same idempotency key. */
  readonly replayed: boolean;
  /** Whether the request was a dry run: the registry validated it and stored nothing. */
  readonly dryRun: boolean;
  /** Always `false`: tells this type apart from `NotModifiedResponse`. */
  readonly notModified: false;
};

/**
 * A successful response.
 *
 * @example
 * const { data, etag } = await client.tenders.get(id);
 * console.log(data.status, etag);
 */
export type ApiResponse<Data> = ResponseMeta & {
  /** The resource, or the list of resources, as the caller may see it. */
  readonly data: Data;
};

/**
 * The response to the creation of a tender, bid or complaint.
 * The client remembers the token and sends it with later requests for the same resource.
 */
export type ResponseWithToken<Data> = ApiResponse<Data> & {
  /** The owner token. Whoever has it can act for the owner, so store it like a password. */
  readonly token: string;
};

/** The resource has not changed since the response whose `etag` was passed as `ifNoneMatch`. */
export type NotModifiedResponse = {
  /** The HTTP status code "Not Modified". */
  readonly status: 304;
  /** The version of the resource, the same that was passed as `ifNoneMatch`. */
  readonly etag?: string;
  /** Always `true`: tells this type apart from `ApiResponse`. */
  readonly notModified: true;
  /** Never set: a 304 has no body. */
  readonly data?: undefined;
};

/**
 * The response to a read. It can be a `NotModifiedResponse` only if the options have `ifNoneMatch`.
 *
 * @example
 * const response = await client.tenders.get(id, { ifNoneMatch: etag });
 * if (!response.notModified) console.log(response.data.title);
 */
export type ReadResponse<Data, Options extends ReadOptions> = ApiResponse<Data> | MaybeNotModified<Options>;

/** `NotModifiedResponse` if the options can have `ifNoneMatch`, otherwise `never`. */
export type MaybeNotModified<Options extends ReadOptions> = "ifNoneMatch" extends keyof Options
  ? NotModifiedResponse
  : never;

/** Request and response bodies by operation name (`"GET /tenders/{tender_id}"`), as generated from the OpenAPI files. */
export type OperationMap = { readonly [name: string]: { readonly body?: unknown; readonly answer: unknown } };

type ParamName<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParamName<Rest>
  : never;

/** The path parameters of an operation: `{ tender_id: string }` for `"GET /tenders/{tender_id}"`. */
export type PathParams<Name extends string> = { readonly [name in ParamName<Name>]: string };

/** The `data` that an operation takes, or `never` if it takes no body. */
export type RequestBody<All extends OperationMap, Name extends keyof All> = All[Name] extends {
  readonly body: infer Body;
}
  ? Body
  : never;

/** The response of an operation: its body with the contents of `access` (token, secret) moved up, and the metadata. */
export type OperationResponse<All extends OperationMap, Name extends keyof All> = ResponseMeta &
  Omit<All[Name]["answer"], "access"> &
  (All[Name]["answer"] extends { readonly access: infer Access } ? Access : unknown);

/** Sends operations by name. A name is a method and a path template, `"GET /tenders/{tender_id}"`. */
export type Calls<All extends OperationMap = Operations> = {
  /** Sends a GET. */
  readonly read: <Name extends keyof All & string, Options extends ReadOptions>(
    name: Name,
    params: PathParams<Name>,
    options: Options | undefined,
    query?: Query,
  ) => Promise<OperationResponse<All, Name> | MaybeNotModified<Options>>;
  /** Sends a GET and returns the body unparsed. */
  readonly text: <Name extends keyof All & string>(
    name: Name,
    params: PathParams<Name>,
    options: RequestOptions | undefined,
    query?: Query,
  ) => Promise<string>;
  /** Sends any other method. Stores the token of a created resource and drops that of a deleted one. */
  readonly write: <Name extends keyof All & string>(
    name: Name,
    params: PathParams<Name>,
    body: RequestBody<All, Name> | undefined,
    options: WriteOptions | undefined,
  ) => Promise<OperationResponse<All, Name>>;
};

/** The operations below `/api/{version}`. */
export const openCalls = (settings: ClientSettings): Calls => openCallsAt(settings, apiPath(settings, ""));

/** The operations outside the versioned API: webhooks, test clocks, the document service. */
export const openSiteCalls = (settings: ClientSettings): Calls<SiteOperations> => openCallsAt(settings, "");

function openCallsAt<All extends OperationMap>(settings: ClientSettings, root: string): Calls<All> {
  const buildRequest = (name: string, params: { readonly [name: string]: string }): ApiRequest => {
    const [method = "", template = ""] = name.split(" ");
    const path = fillPath(template, params);
    return { method, path: root + path, token: tokenFor(settings, method, path) };
  };
  // The casts to `never` adopt the generated type of the operation; the client does not validate what the registry sends.
  return {
    read: async (name, params, options, query) =>
      toApiResponse(await sendRequest(settings, { ...buildRequest(name, params), query, options })) as never,
    text: async (name, params, options, query) =>
      (await sendRequest(settings, { ...buildRequest(name, params), query, options })).text,
    write: async (name, params, body, options) => {
      const request = buildRequest(name, params);
      const result = toApiResponse(
        await sendRequest(settings, { ...request, options, ...(body !== undefined && { json: { data: body } }) }),
      );
      if (!options?.dryRun) updateTokens(settings, request, result);
      return result as never;
    },
  };
}

/** The path below the address of the registry: `/api/2.5/tenders` for `/tenders`. */
export const apiPath = ({ version }: ClientSettings, path: string): string => `/api/${version}${path}`;

/** Replaces each `{name}` of the template by its encoded parameter. Throws like `pathSegment`. */
export const fillPath = (template: string, params: { readonly [name: string]: string | undefined }): string =>
  template.replaceAll(/\{(\w+)\}/g, (_, name: string) => pathSegment(params[name], name));

/** Encodes an id. Throws a TypeError for an empty id, `.` and `..`, because the path would name another resource. */
export function pathSegment(id: string | undefined, name: string): string {
  if (typeof id !== "string" || /^\.{0,2}$/.test(id)) throw new TypeError(`${name} must be an id, but is ${id}`);
  return encodeURIComponent(id);
}

const OWNED_RESOURCE = /\/(tenders|bids|complaints)\/([^/?]+)/g;

/**
 * The owner token to send with a request: that of the innermost resource on the path whose token is known.
 * A complaint about an award is filed by a bidder, with the token of their bid.
 */
export function tokenFor({ tokens }: ClientSettings, method: string, path: string): string | undefined {
  const ids = [...path.matchAll(OWNED_RESOURCE)].flatMap(([, , id]) => id ?? []).reverse();
  const tenderId = ids.at(-1);
  const isAwardComplaint = method === "POST" && /\/awards\/[^/]+\/complaints$/.test(path);
  const bidToken = isAwardComplaint && tenderId !== undefined ? tokens.bidTokenFor(tenderId) : undefined;
  return bidToken ?? ids.map((id) => tokens.get(id)).find((token) => token !== undefined);
}

function updateTokens({ tokens }: ClientSettings, { method, path }: ApiRequest, result: object): void {
  if (method === "DELETE") tokens.delete(path.split("/").at(-1) ?? "");
  if (!("token" in result)) return;
  // Every response with a token describes the resource that the token belongs to.
  const { data, token } = result as ResponseWithToken<{ readonly id: string }>;
  const bidOn = /\/tenders\/([^/]+)\/bids$/.exec(path)?.[1];
  tokens.set(data.id, token, bidOn);
}

/** Merges the body of a successful response with the metadata from its headers. Throws if the body is not JSON. */
export function toApiResponse({ response, text }: TextResponse): ApiResponse<unknown> | NotModifiedResponse {
  const { status, headers } = response;
  const header = (name: string) => headers.get(name) ?? undefined;
  const etag = header("ETag");
  if (status === 304) return { status, etag, notModified: true };
  const { access, ...body } = text === "" ? {} : parseJsonBody(text, response);
  return {
    data: undefined,
    ...body,
    ...(access?.token !== undefined && { token: access.token }),
    ...(access?.secret !== undefined && { secret: access.secret }),
    status,
    etag,
    location: header("Location"),
    requestId: header("X-Request-ID"),
    replayed: headers.get("Idempotency-Replayed") === "true",
    dryRun: headers.has("X-Dry-Run"),
    notModified: false,
  };
}

type JsonBody = { readonly data?: unknown; readonly access?: { readonly token?: string; readonly secret?: string } };

function parseJsonBody(text: string, { status, url }: Response): JsonBody {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new TenderhallError(`The response from ${url} (${status}) is not JSON`, { status, cause });
  }
}
