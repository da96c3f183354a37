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

/** What is known of an answer besides its data. */
export type ResponseMeta = {
  readonly status: number;
  /** To be given as `ifMatch` or `ifNoneMatch` later. */
  readonly etag?: string;
  /** Where the new object is. */
  readonly location?: string;
  /** The name under which the registry logged the request. */
  readonly requestId?: string;
  /** The registry had done this before, under the same idempotency key, and said what it said then. */
  readonly replayed: boolean;
  /** Nothing was stored. */
  readonly dryRun: boolean;
  readonly notModified: false;
};

/** An answer: the data, and what is known besides. */
export type ApiResponse<Data> = ResponseMeta & { readonly data: Data };

/** The answer to the creation of something that has an owner. The client keeps the token and sends it by itself. */
export type ResponseWithToken<Data> = ApiResponse<Data> & { readonly token: string };

/** Nothing has changed since the answer whose `etag` was given as `ifNoneMatch`. */
export type NotModifiedResponse = {
  readonly status: 304;
  readonly etag?: string;
  readonly notModified: true;
  readonly data?: undefined;
};

/** Only who asked whether something changed can be told that it did not. */
export type ReadResponse<Data, Options extends ReadOptions> = ApiResponse<Data> | MaybeNotModified<Options>;
export type MaybeNotModified<Options extends ReadOptions> = "ifNoneMatch" extends keyof Options
  ? NotModifiedResponse
  : never;

/** What is described of operations, by their names: of a version, or of what is beside the versions. */
export type OperationMap = { readonly [name: string]: { readonly body?: unknown; readonly answer: unknown } };

type ParamName<Path extends string> = Path extends `${string}{${infer One}}${infer Rest}`
  ? One | ParamName<Rest>
  : never;
export type PathParams<Name extends string> = { readonly [name in ParamName<Name>]: string };
export type RequestBody<All extends OperationMap, Name extends keyof All> = All[Name] extends {
  readonly body: infer Sent;
}
  ? Sent
  : never;

/** An answer as it is described, what is known besides, and a token or secret in reach. */
export type OperationResponse<All extends OperationMap, Name extends keyof All> = ResponseMeta &
  Omit<All[Name]["answer"], "access"> &
  (All[Name]["answer"] extends { readonly access: infer Access } ? Access : unknown);

/** Operations by their names in the description, which are also what is sent. */
export type Calls<All extends OperationMap = Operations> = {
  readonly read: <Name extends keyof All & string, Options extends ReadOptions>(
    name: Name,
    params: PathParams<Name>,
    options: Options | undefined,
    query?: Query,
  ) => Promise<OperationResponse<All, Name> | MaybeNotModified<Options>>;
  /** The same, as it came. */
  readonly text: <Name extends keyof All & string>(
    name: Name,
    params: PathParams<Name>,
    options: RequestOptions | undefined,
    query?: Query,
  ) => Promise<string>;
  readonly write: <Name extends keyof All & string>(
    name: Name,
    params: PathParams<Name>,
    body: RequestBody<All, Name> | undefined,
    options: WriteOptions | undefined,
  ) => Promise<OperationResponse<All, Name>>;
};

/** Those of the version that the client speaks. */
export const openCalls = (settings: ClientSettings): Calls => openCallsAt(settings, apiPath(settings, ""));

/** Those beside the versions. */
export const openSiteCalls = (settings: ClientSettings): Calls<SiteOperations> => openCallsAt(settings, "");

function openCallsAt<All extends OperationMap>(settings: ClientSettings, root: string): Calls<All> {
  const buildRequest = (name: string, params: { readonly [name: string]: string }): ApiRequest => {
    const [method = "", template = ""] = name.split(" ");
    const path = fillPath(template, params);
    return { method, path: root + path, token: tokenFor(settings, method, path) };
  };
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
      if (options?.dryRun) return result as never;
      // What is withdrawn nobody acts for any more.
      if (request.method === "DELETE") settings.tokens.delete(request.path.split("/").at(-1)!);
      if ("token" in result) storeToken(settings, request.path, result as ResponseWithToken<{ readonly id: string }>);
      return result as never;
    },
  };
}

export const apiPath = ({ version }: ClientSettings, path: string): string => `/api/${version}${path}`;

/** A path with its ids. What is not an id would lead somewhere else. */
export const fillPath = (template: string, params: { readonly [name: string]: string | undefined }): string =>
  template.replaceAll(/\{(\w+)\}/g, (_, name: string) => pathSegment(params[name], name));

export function pathSegment(id: string | undefined, name: string): string {
  if (typeof id !== "string" || /^\.{0,2}$/.test(id)) throw new TypeError(`${name} should be an id, and is ${id}`);
  return encodeURIComponent(id);
}

const OWNED_RESOURCE = /\/(tenders|bids|complaints)\/([^/?]+)/g;

/** The token of the innermost thing on the path that has one; whoever objects to an award does so by their bid. */
export function tokenFor({ tokens }: ClientSettings, method: string, path: string): string | undefined {
  const ids = [...path.matchAll(OWNED_RESOURCE)].map(([, , id]) => id!).reverse();
  const isAwardComplaint = method === "POST" && /\/awards\/[^/]+\/complaints$/.test(path);
  const bidToken = isAwardComplaint ? tokens.bidTokenFor(ids.at(-1)!) : undefined;
  return bidToken ?? ids.map((id) => tokens.get(id)).find((token) => token !== undefined);
}

function storeToken(
  { tokens }: ClientSettings,
  path: string,
  { data, token }: ResponseWithToken<{ readonly id: string }>,
): void {
  const bidOn = /\/tenders\/([^/]+)\/bids$/.exec(path)?.[1];
  tokens.set(data.id, token, bidOn);
}

/** What was answered, as the caller sees it. */
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

export function parseJsonBody(text: string, { status, url }: Response): JsonBody {
  try {
    return JSON.parse(text) as JsonBody;
  } catch (cause) {
    throw new TenderhallError(`${url} answered ${status} with what is not JSON`, { status, cause });
  }
}
