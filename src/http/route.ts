import type { Dialect } from "../dialects/dialects.ts";
import type { ShapeName } from "../dialects/newestShapes.ts";
import type { AccountGroup } from "../domain/model/actors.ts";
import type { Exchange } from "./exchange.ts";
import type { HttpResponse } from "./responses.ts";
import type { UnversionedSchema } from "./unversionedSchemas.ts";

/**
 * The body that an operation takes: an object of one of the version's shapes; an object that is the same in all versions (it may be
 * optional, and `noData` replaces the version's text where `data` is missing); a file, in a form or by its address in JSON; or a form
 * with a file and nothing else.
 */
export type BodyKind =
  | { readonly json: ShapeName }
  | { readonly data: UnversionedSchema; readonly mayBeAbsent?: true; readonly noData?: string }
  | "file"
  | "form";

/** What a successful response contains. */
export type ResponseKind = {
  readonly status: 200 | 201;
  readonly shape?: ShapeName;
  /** The shape that some callers get instead. */
  readonly orShape?: ShapeName;
  readonly many?: true;
  /** Server-Sent Events, for as long as the client stays connected. */
  readonly events?: true;
  /** An object that is the same in all versions. */
  readonly data?: UnversionedSchema;
  /** Includes an owner token. */
  readonly access?: true;
  /** Includes a secret. */
  readonly secret?: true;
  readonly pages?: true;
  /** Includes an address for the next step, under this name. */
  readonly address?: "upload_url" | "get_url";
  /** The bytes of a file, of any media type. */
  readonly file?: true;
};

/** One method of a route; `Ports` are the parts of the service that its handler uses. */
export type Operation<Ports = never> = {
  readonly summary: string;
  /** Absent from the versions that have only the plain interface. */
  readonly absentFromPlain?: true;
  readonly body?: BodyKind;
  /** A write that is authorised by its address alone. Reads need no key anyway. */
  readonly needsNoKey?: true;
  /** A read that is not public. */
  readonly needsKey?: true;
  /**
   * For reads: these groups see more here than the public, and each of their requests is recorded in the audit trail;
   * `whileSealed`: only as long as the tender may hold sealed bids.
   */
  readonly audited?: { readonly groups: readonly AccountGroup[]; readonly whileSealed?: true };
  readonly response: ResponseKind;
  readonly run: (exchange: Exchange<Ports>) => Promise<HttpResponse> | HttpResponse;
};

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
export type OperationsByMethod<Ports = never> = { readonly [method in Method]?: Operation<Ports> };

/** One row of the route table. A description of the API needs no ports: `Route` without them is any route. */
export type Route<Ports = never> = {
  readonly path: string;
  readonly methods: OperationsByMethod<Ports>;
  /** Responses here are ASCII only: one of the clients cannot read anything else. */
  readonly ascii?: true;
};

type PlainDialect = { readonly behaviour: Pick<Dialect["behaviour"], "plain"> };

/** The operations of a route that a version has. */
export function operationsOfVersion<Ports>(
  { methods }: Route<Ports>,
  { behaviour }: PlainDialect,
): OperationsByMethod<Ports> {
  const operations = Object.entries(methods).filter(([, { absentFromPlain }]) => !(absentFromPlain && behaviour.plain));
  return Object.fromEntries(operations);
}
