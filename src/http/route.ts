import type { Dialect } from "../dialects/dialects.ts";
import type { ShapeName } from "../dialects/newestShapes.ts";
import type { AccountGroup } from "../domain/model/actors.ts";
import type { Exchange } from "./exchange.ts";
import type { HttpResponse } from "./responses.ts";

/** Objects that are the same in all versions of the API; src/openapi describes each of them. */
export type UnversionedSchemaName =
  | "ClockSent"
  | "Advance"
  | "ListedClock"
  | "Clock"
  | "WebhookSent"
  | "WebhookChange"
  | "Webhook"
  | "SecretRotation"
  | "Secret"
  | "Delivery"
  | "AnnouncementSent"
  | "AnnouncedFile"
  | "UploadedFile"
  | "Health"
  | "ReleasePackage"
  | "RecordPackage";

/**
 * The body that an operation takes:
 * - `json`: an object of one of the version's shapes;
 * - `data`: an object that is the same in all versions; `noData` replaces the version's error text for a missing `data`;
 * - `"file"`: a file, either in a form or as a reference to an upload in JSON;
 * - `"form"`: a form with a file.
 */
export type BodyKind =
  | { readonly json: ShapeName }
  | { readonly data: UnversionedSchemaName; readonly mayBeAbsent?: true; readonly noData?: string }
  | "file"
  | "form";

/** What a successful response contains, for the API description and the client's types. */
export type ResponseKind = {
  readonly status: 200 | 201;
  readonly shape?: ShapeName;
  /** The shape that callers of some groups get instead. */
  readonly orShape?: ShapeName;
  /** A list. */
  readonly many?: true;
  /** Server-Sent Events, for as long as the client stays connected. */
  readonly events?: true;
  /** An object that is the same in all versions. */
  readonly data?: UnversionedSchemaName;
  /** The body is the object itself, not wrapped in `data`. */
  readonly isBare?: true;
  /** Includes an owner token. */
  readonly access?: true;
  /** Includes a secret. */
  readonly secret?: true;
  /** Comes in pages, with `next_page`. */
  readonly pages?: true;
  /** Includes a signed URL for the next step, under this name. */
  readonly address?: "upload_url" | "get_url";
  /** The bytes of a file, of any media type. */
  readonly file?: true;
  /** Clients can ask for a range of the file, and whether it is still the same: by its `ETag`, or also by the time of its last change. */
  readonly ranges?: "by ETag" | "by ETag or date";
};

/** One method of a route. `Ports` are the parts of the service that its handler uses. */
export type Operation<Ports = never> = {
  readonly summary: string;
  /** Absent from the old versions, which have only the plain interface. */
  readonly absentFromPlain?: true;
  readonly body?: BodyKind;
  /** A write of a bidder of the auction on the path: by its link, by the cookie of the link, or by a key with the bid's token. */
  readonly byBidder?: true;
  /** A write that is authorised by its signed URL alone. Reads never need a key, unless `needsKey` is set. */
  readonly needsNoKey?: true;
  /** A read that is not public. */
  readonly needsKey?: true;
  /**
   * For reads: these groups see more than the public, so each of their requests is recorded in the audit trail. `whileSealed`: only
   * while the tender may have sealed bids.
   */
  readonly audited?: { readonly groups: readonly AccountGroup[]; readonly whileSealed?: true };
  readonly response: ResponseKind;
  readonly run: (exchange: Exchange<Ports>) => Promise<HttpResponse> | HttpResponse;
};

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
export type OperationsByMethod<Ports = never> = { readonly [method in Method]?: Operation<Ports> };

/** One row of the route table. The API description runs no handlers, so it takes `Route` without ports, which any route is. */
export type Route<Ports = never> = {
  readonly path: string;
  readonly methods: OperationsByMethod<Ports>;
  /** The route is about auctions that the service holds, which only the newest version has. */
  readonly liveAuctions?: true;
  /** Only the newest version has the route. */
  readonly newestOnly?: true;
  /** All responses are ASCII only, because an existing client can read nothing else. */
  readonly ascii?: true;
};

type RoutedDialect = { readonly behaviour: Pick<Dialect["behaviour"], "plain" | "liveAuctions"> };

/** The operations of a route that a version has. */
export function operationsOfVersion<Ports>(
  { methods, liveAuctions, newestOnly }: Route<Ports>,
  { behaviour }: RoutedDialect,
): OperationsByMethod<Ports> {
  if ((liveAuctions || newestOnly) && !behaviour.liveAuctions) return {};
  const operations = Object.entries(methods).filter(([, { absentFromPlain }]) => !(absentFromPlain && behaviour.plain));
  return Object.fromEntries(operations);
}
