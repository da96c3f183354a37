import { TenderhallError } from "./errors.ts";
import {
  type Answered,
  type Asking,
  ask,
  type Query,
  type Reading,
  type Request,
  type Settings,
  type Writing,
} from "./requests.ts";
import type { SiteOperations } from "./siteTypes.ts";
import type { Operations } from "./types.ts";

/** What is known of an answer besides its data. */
export type Told = {
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
export type Found<Data> = Told & { readonly data: Data };

/** The answer to the creation of something that has an owner. The client keeps the token and sends it by itself. */
export type Owned<Data> = Found<Data> & { readonly token: string };

/** Nothing has changed since the answer whose `etag` was given as `ifNoneMatch`. */
export type NotModified = {
  readonly status: 304;
  readonly etag?: string;
  readonly notModified: true;
  readonly data?: undefined;
};

/** Only who asked whether something changed can be told that it did not. */
export type Read<Data, Options extends Reading> = Found<Data> | IfAsked<Options>;
export type IfAsked<Options extends Reading> = "ifNoneMatch" extends keyof Options ? NotModified : never;

/** What is described of operations, by their names: of a version, or of what is beside the versions. */
export type Described = { readonly [name: string]: { readonly body?: unknown; readonly answer: unknown } };

type ParamName<Path extends string> = Path extends `${string}{${infer One}}${infer Rest}`
  ? One | ParamName<Rest>
  : never;
export type Params<Name extends string> = { readonly [name in ParamName<Name>]: string };
export type Body<All extends Described, Name extends keyof All> = All[Name] extends { readonly body: infer Sent }
  ? Sent
  : never;

/** An answer as it is described, what is known besides, and a token or secret in reach. */
export type Answer<All extends Described, Name extends keyof All> = Told &
  Omit<All[Name]["answer"], "access"> &
  (All[Name]["answer"] extends { readonly access: infer Access } ? Access : unknown);

/** Operations by their names in the description, which are also what is sent. */
export type Calls<All extends Described = Operations> = {
  readonly read: <Name extends keyof All & string, Options extends Reading>(
    name: Name,
    params: Params<Name>,
    options: Options | undefined,
    query?: Query,
  ) => Promise<Answer<All, Name> | IfAsked<Options>>;
  /** The same, as it came. */
  readonly text: <Name extends keyof All & string>(
    name: Name,
    params: Params<Name>,
    options: Asking | undefined,
    query?: Query,
  ) => Promise<string>;
  readonly write: <Name extends keyof All & string>(
    name: Name,
    params: Params<Name>,
    body: Body<All, Name> | undefined,
    options: Writing | undefined,
  ) => Promise<Answer<All, Name>>;
};

/** Those of the version that the client speaks. */
export const openCalls = (settings: Settings): Calls => callsBelow(settings, apiPath(settings, ""));

/** Those beside the versions. */
export const openSiteCalls = (settings: Settings): Calls<SiteOperations> => callsBelow(settings, "");

function callsBelow<All extends Described>(settings: Settings, root: string): Calls<All> {
  const requestOf = (name: string, params: { readonly [name: string]: string }): Request => {
    const [method = "", template = ""] = name.split(" ");
    const path = filled(template, params);
    return { method, path: root + path, token: tokenFor(settings, method, path) };
  };
  return {
    read: async (name, params, options, query) =>
      toldBy(await ask(settings, { ...requestOf(name, params), query, options })) as never,
    text: async (name, params, options, query) =>
      (await ask(settings, { ...requestOf(name, params), query, options })).text,
    write: async (name, params, body, options) => {
      const request = requestOf(name, params);
      const told = toldBy(
        await ask(settings, { ...request, options, ...(body !== undefined && { json: { data: body } }) }),
      );
      if (options?.dryRun) return told as never;
      // What is withdrawn nobody acts for any more.
      if (request.method === "DELETE") settings.tokens.delete(request.path.split("/").at(-1)!);
      if ("token" in told) remember(settings, request.path, told as Owned<{ readonly id: string }>);
      return told as never;
    },
  };
}

export const apiPath = ({ version }: Settings, path: string): string => `/api/${version}${path}`;

/** A path with its ids. What is not an id would lead somewhere else. */
export const filled = (template: string, params: { readonly [name: string]: string | undefined }): string =>
  template.replaceAll(/\{(\w+)\}/g, (_, name: string) => segmentOf(params[name], name));

export function segmentOf(id: string | undefined, name: string): string {
  if (typeof id !== "string" || /^\.{0,2}$/.test(id)) throw new TypeError(`${name} should be an id, and is ${id}`);
  return encodeURIComponent(id);
}

const OWNERS = /\/(tenders|bids|complaints)\/([^/?]+)/g;

/** The token of the innermost thing on the path that has one; whoever objects to an award does so by their bid. */
export function tokenFor({ tokens }: Settings, method: string, path: string): string | undefined {
  const ids = [...path.matchAll(OWNERS)].map(([, , id]) => id!).reverse();
  const objecting = method === "POST" && /\/awards\/[^/]+\/complaints$/.test(path);
  const bidder = objecting ? tokens.ofBidOn(ids.at(-1)!) : undefined;
  return bidder ?? ids.map((id) => tokens.get(id)).find((token) => token !== undefined);
}

function remember({ tokens }: Settings, path: string, { data, token }: Owned<{ readonly id: string }>): void {
  const bidOn = /\/tenders\/([^/]+)\/bids$/.exec(path)?.[1];
  tokens.set(data.id, token, bidOn);
}

/** What was answered, as the caller sees it. */
export function toldBy({ response, text }: Answered): Found<unknown> | NotModified {
  const { status, headers } = response;
  const header = (name: string) => headers.get(name) ?? undefined;
  const etag = header("ETag");
  if (status === 304) return { status, etag, notModified: true };
  const { access, ...body } = text === "" ? {} : bodyOf(text, response);
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

type JsonAnswer = { readonly data?: unknown; readonly access?: { readonly token?: string; readonly secret?: string } };

export function bodyOf(text: string, { status, url }: Response): JsonAnswer {
  try {
    return JSON.parse(text) as JsonAnswer;
  } catch (cause) {
    throw new TenderhallError(`${url} answered ${status} with what is not JSON`, { status, cause });
  }
}
